//! The modifiers and decorators of definitions, and the names by which call shapes list members.

use compact_str::{CompactString, format_compact};

use super::{
    declaration::{DeclarationContext, DeclarationWriter},
    members::is_static,
};
use crate::stub::{decorators::Decorator, renderer::PlacedDefinition, text::sanitized};
use apidisc_facts::program::DefinitionKind;

/// The decorators that make a method a route without saying a path: `@Get()` (Nest, routing-controllers).
const METHODS: [&str; 8] = ["All", "Delete", "Get", "Head", "Options", "Patch", "Post", "Put"];

/// The decorators that make a field a part of what the framework passes to an object (Angular, Vue, Lit, Nest).
const PASSED: [&str; 8] = ["Args", "Field", "Input", "Model", "Output", "Prop", "property", "state"];

/// The decorators of fields that check a value and do not begin with `Is` (class-validator).
const VALIDATORS: [&str; 16] = [
    "Allow",
    "ArrayMaxSize",
    "ArrayMinSize",
    "ArrayNotEmpty",
    "ArrayUnique",
    "Contains",
    "Equals",
    "Length",
    "Matches",
    "Max",
    "MaxLength",
    "Min",
    "MinLength",
    "NotEquals",
    "Validate",
    "ValidateNested",
];

/// The greatest length of the arguments of a decorator that a stub repeats, in bytes.
const MAX_ARGUMENTS: usize = 40;

/// True for a member that is written in the body of an abstract class: no other class can declare an abstract member.
pub(super) fn is_in_abstract_class(placed: PlacedDefinition<'_>) -> bool {
    let Some(holder) = placed.holder.map(|id| placed.index.definition(id)) else { return false };
    let outer = holder.parent.map(|id| placed.index.definition(id).kind);
    holder.kind == DefinitionKind::Class
        && holder.modifiers.is_abstract
        && matches!(outer, None | Some(DefinitionKind::Namespace))
}

impl DeclarationWriter<'_> {
    /// The words before the name of a member of a class: `static `, `protected `; empty for any other declaration.
    ///
    /// `abstract` is never one of them. The compiler would demand the implementations of the member in every subclass,
    /// and a stub leaves out the implementations that nobody uses. A comment says it instead.
    pub(super) fn member_words(&self) -> String {
        if self.context != DeclarationContext::Class {
            return String::new();
        }
        let (modifiers, is_static) = (self.definition.modifiers, is_static(self.definition));
        let words = [(modifiers.is_protected, "protected "), (is_static, "static ")];
        words.into_iter().filter(|(is_set, _)| *is_set).map(|(_, word)| word).collect()
    }

    /// A comment that names the decorators of a class, the routes and other registrations of a method, and the
    /// validators of a field: a declaration file cannot contain decorators. In a stub with short forms, only what
    /// registers a class or method under a literal, and the methods of HTTP.
    pub(super) fn decorators(&self) -> String {
        let definition = self.definition;
        let is_method = |decorator: &Decorator<'_>| METHODS.contains(&decorator.name);
        let is_named = |decorator: &Decorator<'_>| match definition.kind {
            DefinitionKind::Class => true,
            DefinitionKind::Attribute | DefinitionKind::Property => {
                let is_check =
                    decorator.name.strip_prefix("Is").is_some_and(|rest| rest.starts_with(char::is_uppercase));
                is_check || VALIDATORS.contains(&decorator.name) || PASSED.contains(&decorator.name)
            }
            kind if kind.is_callable() => decorator.first_string().is_some() || is_method(decorator),
            _ => false,
        };
        let written = |decorator: Decorator<'_>| {
            let arguments = decorator.arguments.map(|rest| rest.strip_suffix(')').unwrap_or(rest));
            let is_short = |text: &&str| text.len() <= MAX_ARGUMENTS && !text.contains(['{', '=', '\n']);
            let first = || decorator.first_string().unwrap_or("...");
            let arguments = arguments.map(|text| Some(text).filter(is_short).unwrap_or_else(first));
            sanitized(&format!("@{}{}", decorator.path, arguments.map_or_else(String::new, |text| format!("({text})"))))
        };
        let decorators = definition.decorators.iter().map(|text| Decorator::read(text)).filter(is_named);
        let decorators: Vec<String> = if self.is_short() {
            let is_callable = definition.kind.is_callable();
            let registration = |decorator: Decorator<'_>| {
                let method = || is_method(&decorator).then(|| format!("{}()", decorator.path));
                let registration = decorator.registration().or_else(method).filter(|_| is_callable)?;
                Some(sanitized(&format!("@{registration}")))
            };
            decorators.filter_map(registration).collect()
        } else {
            decorators.map(written).collect()
        };
        if decorators.is_empty() { String::new() } else { format!("{}// {}\n", self.margin(), decorators.join(" ")) }
    }

    /// True for an abstract member.
    pub(super) fn is_abstract(&self) -> bool {
        self.definition.modifiers.is_abstract && self.is_in_abstract_class && !is_static(self.definition)
    }

    /// The name of a property or accessor as a member, `static name?`.
    pub(super) fn listed_name(&self) -> Option<CompactString> {
        let is_member = matches!(self.context, DeclarationContext::Class | DeclarationContext::Object);
        let is_readable = matches!(self.definition.kind, DefinitionKind::Attribute | DefinitionKind::Property);
        if !is_member || !is_readable || self.has_members || self.definition.deprecation().is_some() {
            return None;
        }
        let mark = if self.definition.modifiers.is_optional { "?" } else { "" };
        Some(format_compact!("{}{}{mark}", self.member_words(), self.name))
    }
}
