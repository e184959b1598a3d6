//! A typical call of a definition, as far as an index knows it: the arguments with their literal values.

use super::text::sanitized;
use crate::{
    index::{Definition, Index},
    program::{
        Argument, ArgumentKind, BoundParameter, CallForm, CallSite, DefinitionId, DefinitionKind, PropertyArgument,
    },
};

/// The number of calls of which one is chosen.
const MAX_CALLS: usize = 16;
/// The greatest number of characters. A longer call is not written.
const MAX_LENGTH: usize = 120;
/// What is written for a value that the index does not know.
const UNKNOWN: &str = "...";

/// A typical call on one line, as in `.get("/users", timeout=5.0)`: examples and documents are asked first, tests last. Of
/// the calls that teach as well, the one with the most known values is taken. `...` stands for any other value.
/// `None` if no value is known.
pub(super) fn example(index: &Index, id: DefinitionId) -> Option<String> {
    let definition = index.definition(id);
    let calls = index.teaching_calls(id, MAX_CALLS);
    let written = calls.into_iter().filter_map(|call| {
        let call = index.call(call);
        let mut example = ExampleCall { definition, known: 0 };
        let text = example.text(call, index.calls.arguments(call))?;
        Some((example.known, text)).filter(|(known, text)| *known > 0 && text.chars().count() <= MAX_LENGTH)
    });
    // Of equals, the first one.
    let best = written.reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.map(|(_, text)| text)
}

struct ExampleCall<'a> {
    definition: &'a Definition,
    /// The number of values that are written.
    known: usize,
}

impl ExampleCall<'_> {
    fn text(&mut self, call: &CallSite, arguments: &[Argument]) -> Option<String> {
        let definition = self.definition;
        let is_method = definition.parent.is_some() && definition.kind != DefinitionKind::Class;
        let opening = match call.form {
            CallForm::Decorator => "@",
            CallForm::New => "new ",
            CallForm::Super | CallForm::SuperAttribute | CallForm::Jsx | CallForm::Template | CallForm::Pattern => {
                return None;
            }
            _ if is_method => ".",
            _ => "",
        };
        let arguments: Option<Vec<String>> = arguments.iter().map(|argument| self.argument(argument)).collect();
        Some(sanitized(&format!("{opening}{}({})", definition.name, arguments?.join(", "))))
    }

    /// An argument; `None` for a spread.
    fn argument(&mut self, argument: &Argument) -> Option<String> {
        let value = match &argument.keys {
            Some(properties) => self.object(properties),
            None => self.value(argument.value.as_deref()),
        };
        match argument.kind {
            ArgumentKind::Positional => Some(value),
            ArgumentKind::Keyword => Some(format!("{}={value}", self.keyword(&argument.bound)?)),
            ArgumentKind::Star | ArgumentKind::DoubleStar => None,
        }
    }

    fn object(&mut self, properties: &[PropertyArgument]) -> String {
        let mut property = |property: &PropertyArgument| match property.name.as_str() {
            "..." | "[]" => UNKNOWN.to_owned(),
            name => format!("{name}: {}", self.value(property.value.as_deref())),
        };
        let properties: Vec<String> = properties.iter().map(&mut property).collect();
        if properties.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", properties.join(", ")) }
    }

    fn value(&mut self, value: Option<&str>) -> String {
        self.known += usize::from(value.is_some());
        value.unwrap_or(UNKNOWN).to_owned()
    }

    fn keyword(&self, bound: &BoundParameter) -> Option<String> {
        match bound {
            BoundParameter::Parameter(position) => {
                let parameters = &self.definition.signature.as_ref()?.parameters;
                parameters.get(usize::from(*position)).map(|parameter| parameter.name.to_string())
            }
            BoundParameter::Named(name) => Some(name.to_string()),
            BoundParameter::Receiver(_) | BoundParameter::Unknown => None,
        }
    }
}
