//! What gives a program a value of a type, besides a call of the class: functions that return one, constants that hold
//! one, and classes that implement an interface from outside of the sources.

use apidisc_base::language::Language;
use apidisc_facts::program::{DefinitionId, DefinitionKind};
use apidisc_indexing::index::{Definition, File, Index};
use compact_str::CompactString;
use rustc_hash::FxHashMap;

use crate::{
    exports::{alternatives, own_types, split_types, type_named},
    subclasses::can_be_made,
};

/// Names of types that say nothing of what a value is for: those of the languages and of their standard libraries.
const GENERAL: [&str; 3] = [
    "str int float bool bytes None Any dict list tuple set object type Dict List Tuple Set Type Union Optional Mapping",
    "Sequence Iterable Iterator Callable Generator Awaitable Coroutine Self Literal datetime date time timedelta Path",
    "UUID Decimal string number boolean unknown any void undefined null never Array ReadonlyArray Promise Record Map \
     Partial Readonly Function Error Date Buffer T",
];

/// The greatest number of aliases between the type of a value and the type that they stand for.
const MAX_ALIASES: usize = 2;
/// The greatest number of types of one value.
const MAX_TYPES: usize = 32;

/// The public functions and constants of the library that give a value of a type, and the classes that implement a type
/// from outside of the sources, by the name of the type. A value of a type is also one of what the type extends.
#[derive(Debug)]
pub(crate) struct Makers(FxHashMap<(Language, CompactString), Vec<Maker>>);

/// What gives a value of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Maker {
    id: DefinitionId,
    /// The type, if the sources define it.
    ty: Option<DefinitionId>,
}

impl Makers {
    /// The table of an index.
    pub(crate) fn new(index: &Index) -> Self {
        let mut makers: FxHashMap<_, Vec<Maker>> = FxHashMap::default();
        for (id, definition) in index.definitions_with_ids() {
            let is_library = || index.files.get(definition.place.file.index()).is_none_or(File::is_library);
            if !definition.is_public || definition.parent.is_some() || !is_library() {
                continue;
            }
            for (name, ty) in types_given(index, id, definition) {
                let of_name = makers.entry((definition.language, CompactString::new(last(name)))).or_default();
                let maker = Maker { id, ty };
                if of_name.last() != Some(&maker) {
                    of_name.push(maker);
                }
            }
        }
        Self(makers)
    }

    /// What gives a value of the type that `name` means in a text of a definition.
    pub(crate) fn of<'m>(
        &'m self,
        index: &Index,
        definition: &Definition,
        name: &str,
    ) -> impl Iterator<Item = DefinitionId> + use<'m> {
        let ty = type_named(index, definition, name);
        let found = self.0.get(&(definition.language, CompactString::new(last(name))));
        // Where both types are known, they are the same.
        let is_meant = move |maker: &&Maker| ty.is_none() || maker.ty.is_none() || ty == maker.ty;
        found.into_iter().flatten().filter(is_meant).map(|maker| maker.id)
    }
}

/// The types of which a definition gives values, with their names: the result of a function, the type of a constant,
/// and what a class implements that the sources do not define.
fn types_given<'i>(
    index: &'i Index,
    id: DefinitionId,
    definition: &'i Definition,
) -> Vec<(&'i str, Option<DefinitionId>)> {
    let annotation = match definition.kind {
        DefinitionKind::Function => {
            let declared = definition.overloads.first().or(definition.signature.as_deref());
            declared.and_then(|declared| declared.returns.as_deref().or(declared.inferred_returns.as_deref()))
        }
        DefinitionKind::Constant => definition.annotation.as_deref(),
        DefinitionKind::Class if can_be_made(index, id) => {
            let bases = definition.bases.iter().map(|base| base.strip_prefix("implements ").unwrap_or(base));
            let names = bases.map(|base| base.split(['<', '[']).next().unwrap_or_default().trim());
            let names = names.filter(|name| type_named(index, definition, name).is_none());
            return names.map(|name| (name, None)).collect();
        }
        _ => None,
    };
    let mut given = Vec::new();
    if let Some(annotation) = annotation {
        add_types(index, definition, annotation, MAX_ALIASES, &mut given);
    }
    given.truncate(MAX_TYPES);
    given
}

/// Adds the types that a value of an annotated type has: each part of an intersection, what an alias stands for, and
/// the types that these extend. Of a union, the first type alone.
fn add_types<'i>(
    index: &'i Index,
    definition: &'i Definition,
    annotation: &'i str,
    aliases: usize,
    given: &mut Vec<(&'i str, Option<DefinitionId>)>,
) {
    let is_general = |name: &str| GENERAL.iter().any(|names| names.split(' ').any(|general| general == last(name)));
    for part in split_types(annotation, '&').take(MAX_TYPES) {
        let Some(name) = own_types(part.trim()).find(|name| !is_general(name)) else { continue };
        let ty = type_named(index, definition, name);
        given.push((name, ty));
        let Some(named) = ty.map(|ty| index.definition(ty)) else { continue };
        if definition.language != Language::TypeScript {
            continue;
        }
        let of_alias = named.annotation.as_deref().filter(|_| named.kind == DefinitionKind::TypeAlias);
        match (of_alias, aliases.checked_sub(1)) {
            (Some(text), Some(aliases)) if alternatives(text).nth(1).is_none() => {
                add_types(index, named, text, aliases, given);
            }
            _ => given.extend(named.ancestors.iter().map(|id| (index.definition(*id).name.as_str(), Some(*id)))),
        }
    }
}

/// The last part of a dotted name.
fn last(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}
