//! What annotations mean: types stand for the names that modules give them, as in `Done = Callable[[Request], None]`.
//! Imports of such names are followed, also those under `if TYPE_CHECKING`, and type arguments replace type parameters.
//! `Annotated[T, …]` (PEP 593) means `T`. A type variable means its bound, or one of its constraints.

use arcstr::ArcStr;

use super::{
    emit::Emitter,
    linker::Linker,
    names::MODULE,
    program::{FileIndex, GlobalDef, ModuleNodeId},
    signatures::CallableSignature,
};
use crate::linked::shared_text;
use apidisc_base::nesting;
use apidisc_facts::syntax::python::facts::{BindingKind, Expr, NameId, ScopeId, TypeAlias};
use compact_str::CompactString;

/// The longest text that takes the place of an annotation, in bytes. A longer one keeps names.
const LONGEST: usize = 400;
/// The greatest number of names in types of names.
const MAX_DEPTH: usize = 4;
/// The greatest number of names whose types are written for one annotation.
const MAX_NAMES: usize = 64;
/// The greatest number of modules through which a name is imported.
const MAX_IMPORTS: usize = 8;
/// The functions that make the type parameters of an alias that is assigned.
const MAKERS_OF_PARAMETERS: [&str; 3] = ["TypeVar", "ParamSpec", "TypeVarTuple"];

/// A name of a module: the file of the module, and the name there.
type NameInModule = (FileIndex, NameId);

impl Emitter<'_> {
    /// Says what the annotations of parameters mean that name a type to which a module gives a name, or a type variable
    /// with a bound.
    pub(super) fn add_meanings(&self, def: GlobalDef, callable: &mut CallableSignature) {
        let Some(signature) = &mut callable.signature else { return };
        let program = &self.linker.program;
        let function = callable.constructor.unwrap_or(def);
        let bounds = self.linker.bounds_of_type_parameters(function);
        for (at, parameter) in signature.parameters.iter_mut().enumerate() {
            let base = callable.declared_by.get(at).copied().flatten();
            let file = base.map_or(program.file_of(function), |base| program.file_of(program.class_def(base)));
            let annotation = parameter.annotation.as_ref();
            parameter.meaning = annotation.and_then(|annotation| self.linker.meaning(file, annotation, &bounds));
        }
    }
}

/// The names whose types are written for one annotation.
#[derive(Default)]
struct OpenNames {
    /// Those in whose types the place stands. They end recursive types.
    around: Vec<NameInModule>,
    /// The number of all so far.
    count: usize,
}

/// The type arguments of an alias, each with the name of its parameter.
type Arguments<'t> = [(&'t str, String)];

impl Linker<'_> {
    /// What an annotation of a file means: `None` if it has no name that a module gives to a type.
    /// `bounds` are those of the type parameters around the annotation.
    fn meaning(&self, file: FileIndex, annotation: &str, bounds: &Arguments<'_>) -> Option<ArcStr> {
        let (text, is_replaced) = self.replaced(file, annotation, bounds, &mut OpenNames::default())?;
        is_replaced.then(|| shared_text(CompactString::from(text)))
    }

    /// The bounds of the type parameters of a function and of the class around it (PEP 695), each with the name of its
    /// parameter.
    fn bounds_of_type_parameters(&self, function: GlobalDef) -> Vec<(&str, String)> {
        let program = &self.program;
        let class = program.owner(function).map(|class| program.class_def(class));
        let mut bounds = Vec::new();
        for def in std::iter::once(function).chain(class) {
            let file = program.file_of(def);
            let facts = program.facts(file);
            for &parameter in &self.def(def).type_parameters {
                let Some(bound) = facts.bound_of(parameter) else { continue };
                let replaced = self.replaced(file, bound, &[], &mut OpenNames::default());
                let name = facts.name(facts.bindings[parameter.index()].name);
                bounds.extend(replaced.map(|(text, _)| (name, text)));
            }
        }
        bounds
    }

    /// A type with types in the place of their names and without the quotes of names (PEP 484), and whether a type
    /// stands for a name.
    fn replaced(
        &self,
        file: FileIndex,
        ty: &str,
        arguments: &Arguments<'_>,
        open: &mut OpenNames,
    ) -> Option<(String, bool)> {
        let _level = nesting::descend()?;
        let (mut text, mut is_replaced) = (String::new(), false);
        // The brackets around the place, each with whether strings in it are values.
        let mut brackets: Vec<bool> = Vec::new();
        let (mut head, mut rest) = ("", ty);
        while let Some(c) = rest.chars().next() {
            let length = if is_name_start(c) {
                let end =
                    rest.find(|c: char| !is_name_start(c) && !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
                head = &rest[..end];
                if is_named(head, "Annotated")
                    && let Some((types, length)) = type_arguments(&rest[end..])
                    && let Some(&first) = types.first()
                {
                    text.push_str(&self.replaced(file, first, arguments, open)?.0);
                    is_replaced = true;
                    end + length
                } else if let Some((_, argument)) = arguments.iter().find(|(parameter, _)| *parameter == head) {
                    text.push_str(argument);
                    is_replaced = true;
                    end
                } else if let Some((aliased, length)) = self.aliased(file, rest, head, arguments, open)
                    && text.len() + aliased.len() <= LONGEST
                {
                    text.push_str(&aliased);
                    is_replaced = true;
                    length
                } else {
                    text.push_str(head);
                    end
                }
            } else if matches!(c, '"' | '\'') {
                let end = rest[1..].find(c).map_or(rest.len(), |end| end + 2);
                if brackets.last() == Some(&true) {
                    text.push_str(&rest[..end]);
                    end
                } else {
                    // A name in quotes.
                    1
                }
            } else {
                match c {
                    // The strings of `Literal` are no types (PEP 586).
                    '[' => brackets.push(is_named(head, "Literal")),
                    ']' => drop(brackets.pop()),
                    _ => {}
                }
                text.push(c);
                c.len_utf8()
            };
            rest = &rest[length..];
        }
        Some((text, is_replaced))
    }

    /// The type that a module gives the name `name` to, with which `text` begins, and the length of the name with its
    /// type arguments.
    fn aliased(
        &self,
        file: FileIndex,
        text: &str,
        name: &str,
        arguments: &Arguments<'_>,
        open: &mut OpenNames,
    ) -> Option<(String, usize)> {
        let _level = nesting::descend()?;
        let (of_alias, alias) = self.alias(file, name)?;
        let of_name = (of_alias, alias.name);
        if open.around.len() >= MAX_DEPTH || open.around.contains(&of_name) || open.count >= MAX_NAMES {
            return None;
        }
        open.count += 1;
        let (passed, length) = match type_arguments(&text[name.len()..]) {
            Some((passed, length)) => (passed, name.len() + length),
            None => (Vec::new(), name.len()),
        };
        let passed: Option<Vec<(String, bool)>> =
            passed.into_iter().map(|argument| self.replaced(file, argument, arguments, open)).collect();
        let passed = passed?;
        let parameters = if passed.is_empty() { Vec::new() } else { self.parameters_of(of_alias, alias) };
        let of_parameters: Vec<(&str, String)> =
            parameters.into_iter().zip(passed.into_iter().map(|(text, _)| text)).collect();
        open.around.push(of_name);
        let replaced = self.replaced(of_alias, &alias.text, &of_parameters, open);
        open.around.pop();
        Some((replaced?.0, length))
    }

    /// The names of the type parameters of an alias, in the order of its type arguments.
    fn parameters_of<'a>(&self, file: FileIndex, alias: &'a TypeAlias) -> Vec<&'a str>
    where
        Self: 'a,
    {
        let mut found: Vec<&str> = Vec::new();
        let is_own = |word: &str| {
            let facts = self.program.facts(file);
            alias.parameters.iter().any(|name| facts.name(*name) == word)
        };
        for word in alias.text.split(|c: char| !is_name_start(c) && !c.is_ascii_digit() && c != '.') {
            let is_parameter = !word.is_empty()
                && if alias.parameters.is_empty() { self.holds_type_variable(file, word) } else { is_own(word) };
            if is_parameter && !found.contains(&word) {
                found.push(word);
            }
        }
        let facts = self.program.facts(file);
        let position = |word: &&str| alias.parameters.iter().position(|name| facts.name(*name) == *word);
        found.sort_by_key(position);
        found
    }

    /// True for a name that a module assigns a type variable to.
    fn holds_type_variable(&self, file: FileIndex, name: &str) -> bool {
        let Some((file, name)) = self.name_in_its_module(file, name) else { return false };
        let facts = self.program.facts(file);
        facts.bindings_of(ScopeId::new(MODULE), name).iter().any(|binding| {
            let BindingKind::Assign { value: Some(value), .. } = facts.bindings[binding.index()].kind else {
                return false;
            };
            let Expr::Call(call) = facts.expr(value) else { return false };
            MAKERS_OF_PARAMETERS.iter().any(|maker| facts.is_named(facts.calls[call.index()].callee, maker))
        })
    }

    fn alias(&self, file: FileIndex, name: &str) -> Option<(FileIndex, &TypeAlias)> {
        let (file, name) = self.name_in_its_module(file, name)?;
        Some((file, self.program.facts(file).type_alias(name)?))
    }

    /// The module that defines the value of a dotted name of a file, and the name there.
    fn name_in_its_module(&self, file: FileIndex, dotted: &str) -> Option<NameInModule> {
        let mut parts = dotted.split('.');
        let mut at = self.name_of_module(file, parts.next()?)?;
        for _ in 0..MAX_IMPORTS {
            let (file, name) = at;
            let facts = self.program.facts(file);
            let bindings = facts.bindings_of(ScopeId::new(MODULE), name).iter();
            let mut kinds = bindings.map(|binding| &facts.bindings[binding.index()].kind);
            let module =
                match kinds.find(|kind| matches!(kind, BindingKind::ImportFrom { .. } | BindingKind::Import { .. })) {
                    _ if facts.type_alias(name).is_some() => return parts.next().is_none().then_some(at),
                    Some(&BindingKind::ImportFrom { level, module, name }) => {
                        let package = self.imported_module(file, level, module)?;
                        if let Some(next) = self.name_in_module(package, self.program.global_name(file, name)) {
                            at = next;
                            continue;
                        }
                        self.program.modules.child(package, facts.name(name))?
                    }
                    Some(&BindingKind::Import { module, whole }) => {
                        self.module_named(file, facts.name(if whole { module } else { name }))?
                    }
                    _ => return parts.next().is_none().then_some(at),
                };
            at = self.name_below(module, &mut parts)?;
        }
        None
    }

    /// The name that the rest of a dotted name has in a module or in one below it.
    fn name_below<'t>(
        &self,
        mut module: ModuleNodeId,
        parts: &mut impl Iterator<Item = &'t str>,
    ) -> Option<NameInModule> {
        for part in parts {
            let name = self.program.interner.known(part)?;
            match self.name_in_module(module, name) {
                Some(found) => return Some(found),
                None => module = self.program.modules.child(module, part)?,
            }
        }
        None
    }

    /// A name that the module of a file binds, or that a star import brings there.
    fn name_of_module(&self, file: FileIndex, name: &str) -> Option<NameInModule> {
        let name = self.program.interner.known(name)?;
        if let Some(bound) = self.program.bound_name(file, ScopeId::new(MODULE), name) {
            return Some((file, bound));
        }
        let facts = self.program.facts(file);
        facts.star_imports.iter().find_map(|(binding, _)| {
            let BindingKind::ImportStar { module, level } = facts.bindings[binding.index()].kind else { return None };
            self.name_in_module(self.imported_module(file, level, module)?, name)
        })
    }
}

/// The texts of the type arguments at the beginning of a text, and their length with the brackets.
fn type_arguments(text: &str) -> Option<(Vec<&str>, usize)> {
    let inner = text.strip_prefix('[')?;
    let (mut depth, mut start, mut found) = (0_usize, 0, Vec::new());
    let mut quote = None;
    for (at, c) in inner.char_indices() {
        match c {
            _ if quote == Some(c) => quote = None,
            _ if quote.is_some() => {}
            '"' | '\'' => quote = Some(c),
            '[' | '(' => depth += 1,
            ']' if depth == 0 => {
                found.push(inner[start..at].trim());
                return Some((found, at + 2));
            }
            ']' | ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                found.push(inner[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    None
}

/// True for a dotted name that ends with `last`.
fn is_named(dotted: &str, last: &str) -> bool {
    dotted.rsplit('.').next() == Some(last)
}

fn is_name_start(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::type_arguments;

    #[test]
    fn type_arguments_end_with_their_bracket() {
        assert_eq!(type_arguments("[A, dict[str, B]] | None"), Some((vec!["A", "dict[str, B]"], 17)));
        assert_eq!(type_arguments("[[A, B], C]"), Some((vec!["[A, B]", "C"], 11)));
        assert_eq!(type_arguments("[A, 'b], c']"), Some((vec!["A", "'b], c'"], 12)));
        assert_eq!(type_arguments(" | None"), None);
        assert_eq!(type_arguments("[A, [B"), None);
    }
}
