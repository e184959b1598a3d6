//! What modules export: the definition, and the class, that a name in a text means.

use std::cell::OnceCell;

use rustc_hash::{FxHashMap, FxHashSet};

use apidisc_base::language::Language;
use apidisc_facts::program::{DefinitionId, DefinitionKind, ModuleId};
use apidisc_indexing::index::{Definition, File, Index};

/// The definition that a module of this name exports as `name`.
pub fn exported_by(index: &Index, module: &str, name: &str) -> Option<DefinitionId> {
    exported(index, *index.module_names.get(module)?, name)
}

/// The definition that a module exports as `name`.
pub(crate) fn exported(index: &Index, module: ModuleId, name: &str) -> Option<DefinitionId> {
    let exports = &index.module(module).exports;
    let at = exports.binary_search_by(|(other, _)| other.as_str().cmp(name)).ok()?;
    Some(exports[at].1)
}

/// The public enum or class that a name in a text of a definition means: one of the types of the definition, or what a
/// package around the definition exports under the name.
pub(crate) fn class_named(index: &Index, definition: &Definition, name: &str) -> Option<DefinitionId> {
    type_named(index, definition, name).filter(|id| {
        let class = index.definition(*id);
        class.is_public && matches!(class.kind, DefinitionKind::Class | DefinitionKind::Enum) && !is_marker(index, *id)
    })
}

/// The definition that a name of a type in a text of a definition means: one of the types of the definition, or what a
/// package around the definition exports under the name.
pub(crate) fn type_named(index: &Index, definition: &Definition, name: &str) -> Option<DefinitionId> {
    let own = definition.type_names.iter().find(|(other, _)| other == name).and_then(|(_, id)| *id);
    own.or_else(|| exported_around(index, definition, name))
}

/// The public enums and classes that an annotation of a definition names.
pub(crate) fn classes_in(
    index: &Index,
    definition: &Definition,
    annotation: &str,
) -> impl Iterator<Item = DefinitionId> {
    let words = annotation.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '.' | '$'));
    words.filter_map(move |word| class_named(index, definition, word))
}

/// The public classes of the library of Python by their names, each name that only one class has. Annotations name
/// classes that their module imports, which the index does not say of modules that export nothing.
#[derive(Debug)]
pub(crate) struct OnlyClasses<'i> {
    index: &'i Index,
    /// `None` for a name that several classes have. Made for the first name that [`type_named`] does not know.
    by_name: OnceCell<FxHashMap<&'i str, Option<DefinitionId>>>,
}

impl<'i> OnlyClasses<'i> {
    pub(crate) fn new(index: &'i Index) -> Self {
        Self { index, by_name: OnceCell::new() }
    }

    fn by_name(index: &'i Index) -> FxHashMap<&'i str, Option<DefinitionId>> {
        let mut by_name: FxHashMap<&str, Option<DefinitionId>> = FxHashMap::default();
        for (id, definition) in index.definitions_with_ids() {
            let is_class = definition.kind == DefinitionKind::Class && definition.language == Language::Python;
            let is_library = || index.files.get(definition.place.file.index()).is_none_or(File::is_library);
            if is_class && definition.is_public && is_library() {
                by_name.entry(&definition.name).and_modify(|only| *only = None).or_insert(Some(id));
            }
        }
        by_name
    }

    /// The class that a name in an annotation means: see [`type_named`], else the only one of the name.
    pub(crate) fn named(&self, definition: &Definition, name: &str) -> Option<DefinitionId> {
        let only = || {
            let last = name.rsplit('.').next().filter(|_| definition.language == Language::Python)?;
            self.by_name.get_or_init(|| Self::by_name(self.index)).get(last).copied().flatten()
        };
        type_named(self.index, definition, name).or_else(only)
    }
}

/// The definition in which the names in the annotation of a parameter have their meaning: the function itself, and for
/// a property of an object the member of the type that declares it, if that type is found over a few names.
pub(crate) fn declaring<'i>(index: &'i Index, function: &'i Definition, position: usize) -> &'i Definition {
    let parameters = function.signature.as_ref().map_or(&[][..], |signature| &signature.parameters);
    let property = parameters.get(position).filter(|parameter| parameter.object.is_some());
    let Some(name) = property.map(|property| &property.name) else { return function };
    let types = |definition: &Definition| -> Vec<DefinitionId> {
        definition.type_names.iter().filter_map(|(_, id)| *id).collect()
    };
    let mut level = types(function);
    let mut seen: FxHashSet<DefinitionId> = level.iter().copied().collect();
    for _ in 0..MAX_NAMES {
        let members = level.iter().flat_map(|id| &index.definition(*id).members).map(|id| index.definition(*id));
        let is_it = |member: &&Definition| member.name == *name && member.language == function.language;
        if let Some(member) = members.into_iter().find(is_it) {
            return member;
        }
        let next = level.iter().flat_map(|id| types(index.definition(*id)));
        level = next.filter(|id| seen.insert(*id)).collect();
    }
    function
}

/// The parts of a union; a `|` in brackets or quotes belongs to a part.
pub(crate) fn alternatives(annotation: &str) -> impl Iterator<Item = &str> {
    split_types(annotation, '|')
}

/// The parts of a list of types. A separator in brackets or quotes belongs to a part.
pub(crate) fn split_types(list: &str, separator: char) -> impl Iterator<Item = &str> {
    let (mut depth, mut quote, mut before) = (0_usize, None, ' ');
    list.split(move |c: char| {
        match c {
            _ if quote.is_some() => quote = quote.filter(|quote| *quote != c),
            '"' | '\'' => quote = Some(c),
            '(' | '[' | '<' | '{' => depth += 1,
            // The sign of a function type is no bracket.
            '>' if before == '=' => {}
            ')' | ']' | '>' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        before = c;
        c == separator && depth == 0 && quote.is_none()
    })
}

/// The names of the types that values of an annotated type have: `Groups` of `Groups | null`, and of `Value<Groups>`,
/// `Optional[Groups]` also that of the first argument.
pub(crate) fn own_types(annotation: &str) -> impl Iterator<Item = &str> {
    let is_name =
        |name: &&str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '$'));
    alternatives(annotation).flat_map(move |part| {
        // A second argument says something else of the values.
        let first = part.split(',').next().unwrap_or_default().trim_start();
        // `readonly Group[]`, `[Group, ...Group[]]`
        let first = first.strip_prefix("readonly ").unwrap_or(first).trim_start_matches('[');
        let names = first.split(['<', '[']).take(MAX_WRAPPERS);
        names.map(|name| name.trim().trim_end_matches(['>', ']'])).take_while(is_name)
    })
}

/// What a package around a definition exports under a name: the innermost package that exports the name decides.
pub(crate) fn exported_around(index: &Index, definition: &Definition, name: &str) -> Option<DefinitionId> {
    let module = &index.module(definition.module).fqn;
    let separator = separator(definition.language);
    let packages = std::iter::successors(Some(module.as_str()), |module| Some(module.rsplit_once(separator)?.0));
    packages.into_iter().find_map(|module| exported_by(index, module, name))
}

/// The depth to which first type arguments are read: `Value<Promise<Limiter>>` has a depth of 3.
const MAX_WRAPPERS: usize = 3;
/// The greatest number of names of types between a function and the type that declares a property of its parameter.
const MAX_NAMES: usize = 3;

/// The special methods of a class whose instances only mark the absence of a value.
const OF_A_MARKER: [&str; 10] = [
    "__new__",
    "__init__",
    "__slots__",
    "__repr__",
    "__str__",
    "__bool__",
    "__copy__",
    "__deepcopy__",
    "__reduce__",
    "__getstate__",
];

/// True for a class whose instances say nothing but that there is no value: it extends no class, its constructor takes
/// nothing, and it has no members but special methods that every object has.
pub(crate) fn is_marker(index: &Index, id: DefinitionId) -> bool {
    let class = index.definition(id);
    let takes_nothing = class.signature.as_ref().is_none_or(|signature| signature.parameters.is_empty());
    let mut members = class.members.iter().map(|member| index.definition(*member).name.as_str());
    class.kind == DefinitionKind::Class
        && class.language == Language::Python
        && class.bases.is_empty()
        && class.decorators.is_empty()
        && takes_nothing
        && members.all(|member| OF_A_MARKER.contains(&member))
}

/// The separator of the parts of a module's name.
pub(crate) fn separator(language: Language) -> char {
    if language == Language::TypeScript { '/' } else { '.' }
}

#[cfg(test)]
mod tests {
    use super::{alternatives, own_types, split_types};

    #[test]
    fn separators_in_brackets_and_quotes_are_no_separators() {
        let parts = |text| alternatives(text).map(str::trim).collect::<Vec<_>>();
        assert_eq!(parts("'a|b' | Map<A | B, (x: C | D) => E> | F"), ["'a|b'", "Map<A | B, (x: C | D) => E>", "F"]);
        assert_eq!(split_types("A, Callable[[B, C], D], 'e,f'", ',').count(), 3);
        assert_eq!(parts("'a | b"), ["'a | b"]);
    }

    #[test]
    fn the_types_of_values_are_those_outside_of_further_arguments() {
        let own = |annotation| own_types(annotation).collect::<Vec<_>>();
        assert_eq!(own("Groups | null"), ["Groups", "null"]);
        assert_eq!(own("Optional[m.Groups]"), ["Optional", "m.Groups"]);
        assert_eq!(own("Value<Promise<Limiter>, [call: Call]>"), ["Value", "Promise", "Limiter"]);
        assert_eq!(own("[Group<T>, ...Group<T>[]]"), ["Group", "T"]);
        assert_eq!(own("readonly Group[]"), ["Group"]);
        assert!(own("(call: Call) => void").is_empty() && own("").is_empty());
    }
}
