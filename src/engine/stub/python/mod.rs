//! Python, as text that `ast.parse` accepts whatever the sources hold.

mod callable;
mod expression;
mod name;

pub(crate) use callable::Callable;
pub(crate) use name::{counted, grouped, inert, is_dotted_name, is_name};

use super::sheet::Piece;
use crate::engine::{
    index::{Definition, DefinitionKind},
    tokens::Tokenizer,
};
use expression::plain;

/// Decorators that change how a definition is used; others cost tokens and say little.
const DECORATORS: [&str; 3] = ["contextmanager", "asynccontextmanager", "deprecated"];

/// What stands before a definition's `def`, or all of it where it has none.
pub(crate) fn head(definition: &Definition, name: &str, indent: usize) -> String {
    let margin = " ".repeat(indent);
    match definition.kind {
        DefinitionKind::Class => {
            let bases: Vec<&str> = definition.bases.iter().filter_map(|base| base_class(base)).collect();
            let bases = if bases.is_empty() { String::new() } else { format!("({})", bases.join(", ")) };
            format!("{margin}class {name}{bases}:\n")
        }
        DefinitionKind::Property => format!("{margin}@property\n"),
        DefinitionKind::ClassMethod => format!("{margin}@classmethod\n"),
        DefinitionKind::StaticMethod => format!("{margin}@staticmethod\n"),
        DefinitionKind::Function | DefinitionKind::Method => String::new(),
        DefinitionKind::Attribute | DefinitionKind::Constant => {
            let annotation = definition.annotation.as_deref().and_then(plain);
            let value = definition.value.as_deref().and_then(plain);
            match (annotation, value) {
                (Some(annotation), Some(value)) => format!("{margin}{name}: {annotation} = {value}\n"),
                (Some(annotation), None) => format!("{margin}{name}: {annotation}\n"),
                (None, value) => format!("{margin}{name} = {}\n", value.unwrap_or("...")),
            }
        }
    }
}

/// Lines of the decorators that matter, before everything else.
pub(crate) fn decorators(definition: &Definition, indent: usize) -> String {
    use DefinitionKind::{ClassMethod, Function, Method, StaticMethod};
    let mut text = String::new();
    if !matches!(definition.kind, Function | Method | ClassMethod | StaticMethod) {
        return text;
    }
    for decorator in &definition.decorators {
        let path = decorator.split('(').next().unwrap_or_default().trim();
        let last = path.rsplit('.').next().unwrap_or_default();
        if DECORATORS.contains(&last) && is_dotted_name(path) {
            text.extend([&" ".repeat(indent), "@", path, "\n"]);
        }
    }
    text
}

/// A base that is worth a token: neither `object` nor a keyword such as `metaclass=…`.
fn base_class(base: &str) -> Option<&str> {
    plain(base).filter(|base| *base != "object")
}

/// The summary's line in the body of a class or function.
pub(crate) fn docstring(definition: &Definition, indent: usize, tokenizer: &Tokenizer) -> Option<Piece> {
    let has_body = !matches!(definition.kind, DefinitionKind::Attribute | DefinitionKind::Constant);
    let summary = definition.summary.as_deref().filter(|_| has_body)?;
    let text = name::docstring(summary)?;
    Some(Piece::new(format!("{}\"\"\"{text}\"\"\"\n", " ".repeat(indent + 4)), tokenizer))
}

/// The body of a class whose constructor is not in the sources.
pub(crate) fn unknown_constructor(calls: u32, indent: usize) -> String {
    let note = if calls > 0 {
        format!("  # {}, constructor not in these sources", counted(calls, "call"))
    } else {
        String::new()
    };
    format!("{}...{note}\n", " ".repeat(indent + 4))
}

/// What a class does not show; `None` where it shows everything.
pub(crate) fn hidden_members(members: usize, constructor: bool, indent: usize) -> Option<String> {
    let members = (members > 0).then(|| counted(members as u32, "member"));
    let what = match (constructor, members) {
        (true, Some(members)) => format!("constructor and {members}"),
        (true, None) => "constructor".to_owned(),
        (false, Some(members)) => members,
        (false, None) => return None,
    };
    Some(format!("{}# ... + {what} hidden\n", " ".repeat(indent + 4)))
}
