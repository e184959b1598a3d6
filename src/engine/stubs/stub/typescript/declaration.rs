//! The first and last lines of TypeScript declarations, and declarations on one line.

use compact_str::CompactString;

use super::{
    doc_comment::{DocComment, comment_text},
    generics::{ListKind, TypeParameter, TypeParameterList},
    heritage::heritage,
    identifiers::property_name,
    members::{elided_object, is_static},
    modifiers::is_in_abstract_class,
    signature::TypeScriptSignature,
    stub_names::{HIDDEN_TYPE, StubNames, is_type},
    types::{PrintedType, TypeScope, TypeShape, type_text},
    unknown_signature::{ANY_ARGUMENTS, UnknownSignature},
    values::{any, literal, type_or_any},
};
use crate::stub::{
    doc_text::DocText,
    node_text::{NodeBody, NodeText, PricedLines, TypeReference},
    overloads::{OverloadFrame, OverloadedSignature},
    renderer::{CallableRenderer, Indentation, Layout, PlacedDefinition},
    text::{first_sentence, pluralized},
    uncalled::uncalled_constructor,
};
use apidisc_facts::program::{DefinitionId, DefinitionKind, OPEN_OBJECT, ParameterKind, Signature};
use apidisc_indexing::{
    index::{Definition, Index},
    usage::Usage,
};

/// The body that contains a declaration. It determines the keywords of the declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DeclarationContext {
    /// The module: the declaration is exported.
    Module,
    /// The module, for a type that is not part of the scope: it is not exported.
    NamedTypes,
    Class,
    /// An interface, or the type of a constant object.
    Object,
    Namespace,
    Enum,
}

/// Writes one definition.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "five independent facts")]
pub(super) struct DeclarationWriter<'a> {
    pub(super) index: &'a Index,
    pub(super) names: &'a StubNames,
    pub(super) id: DefinitionId,
    pub(super) definition: &'a Definition,
    /// The name as it is written, in quotes if necessary.
    pub(super) name: String,
    pub(super) context: DeclarationContext,
    layout: Layout,
    indent: Indentation,
    pub(super) has_members: bool,
    /// True for a member of an abstract class.
    pub(super) is_in_abstract_class: bool,
    /// True for a class whose body holds members of its public bases.
    pub(super) holds_inherited: bool,
    /// See [`PlacedDefinition::is_wanted`].
    is_wanted: bool,
    /// True for a member of another class that is written in the body of a class that inherits it. The type parameters
    /// of the other class are unknown there.
    is_inherited: bool,
    /// The type parameters of the definitions around this one.
    type_parameters: Vec<TypeParameter>,
    /// The names of types that the enclosing namespaces declare.
    shadowed_names: Vec<CompactString>,
}

impl<'a> DeclarationWriter<'a> {
    pub(super) fn new(placed: PlacedDefinition<'a>, names: &'a StubNames, layout: Layout) -> Self {
        let PlacedDefinition { index, id, definition, name, holder, .. } = placed;
        let declaring = index.definition(index.declaration(id)).parent;
        let context = context(placed);
        let is_member =
            matches!(context, DeclarationContext::Class | DeclarationContext::Object | DeclarationContext::Enum);
        let mut declaration = Self {
            index,
            names,
            id,
            definition,
            name: if is_member { property_name(name).unwrap_or_default() } else { name.to_owned() },
            context,
            layout,
            indent: placed.indent,
            has_members: placed.holds_members,
            is_in_abstract_class: is_in_abstract_class(placed),
            holds_inherited: placed.holds_inherited,
            is_wanted: placed.is_wanted,
            is_inherited: holder.is_some() && declaring.is_some() && holder != declaring,
            type_parameters: Vec::new(),
            shadowed_names: Vec::new(),
        };
        declaration.shadowed_names = declaration.names_of_enclosing_namespaces();
        declaration.type_parameters = match (holder, declaring) {
            (Some(holder), Some(declaring)) if declaration.is_inherited => {
                declaration.type_parameters_of_base(holder, declaring)
            }
            _ => declaration.holder_type_parameters(),
        };
        declaration
    }

    /// The indentation of the signature: for a class, that of its constructor; for a type with call signatures, that
    /// of these.
    pub(super) fn body_indent(&self) -> Indentation {
        if self.has_signature_within() { self.indent.inner() } else { self.indent }
    }

    /// True for a class and a type with call signatures, whose signatures are lines of the body.
    fn has_signature_within(&self) -> bool {
        self.definition.kind == DefinitionKind::Class || self.definition.has_call_signatures()
    }

    fn names_of_enclosing_namespaces(&self) -> Vec<CompactString> {
        let index = self.index;
        let around = std::iter::successors(self.definition.parent, |&id| index.definition(id).parent);
        let namespaces = around.map(|id| index.definition(id)).filter(|d| d.kind == DefinitionKind::Namespace);
        let members = namespaces.flat_map(|namespace| &namespace.members).map(|&id| index.definition(id));
        members.filter(|member| is_type(member.kind)).map(|member| CompactString::new(&member.name)).collect()
    }

    /// The type parameters of the classes and interfaces around an instance member, the outermost first.
    fn holder_type_parameters(&self) -> Vec<TypeParameter> {
        let mut holders = Vec::new();
        let mut at = self.definition;
        if self.is_inherited {
            return Vec::new();
        }
        while let Some(parent) = at.parent.map(|id| self.index.definition(id)) {
            if is_static(at) {
                break;
            }
            if matches!(parent.kind, DefinitionKind::Class | DefinitionKind::Interface | DefinitionKind::TypeAlias) {
                holders.push(parent);
            }
            at = parent;
        }
        let mut type_parameters = Vec::new();
        for holder in holders.into_iter().rev() {
            let scope = TypeScope {
                type_names: &holder.type_names,
                type_imports: &holder.type_imports,
                type_parameters: &type_parameters,
                ..self.type_scope(&[])
            };
            let kind = self.list_kind(holder.kind);
            let own = TypeParameterList::new(holder.type_parameters.as_deref(), scope, kind).parameters;
            type_parameters.extend(own);
        }
        type_parameters
    }

    /// The scope in which the names in the definition's texts are resolved, with these type parameters.
    pub(super) fn type_scope<'w>(&'w self, type_parameters: &'w [TypeParameter]) -> TypeScope<'w> {
        let is_type = matches!(self.definition.kind, DefinitionKind::Class | DefinitionKind::Interface);
        let holder = self.definition.parent.map(|id| self.index.definition(id).kind);
        let is_member = matches!(holder, Some(DefinitionKind::Class | DefinitionKind::Interface));
        TypeScope {
            names: self.names,
            type_names: &self.definition.type_names,
            type_imports: &self.definition.type_imports,
            type_parameters,
            shadowed_names: &self.shadowed_names,
            allows_this: is_member && !is_type && !is_static(self.definition),
            alias: None,
        }
    }

    /// The type parameters in scope around the signature. The type parameters of a class are in scope in its
    /// constructor; those of another type are in scope in its call signatures.
    pub(super) fn enclosing_type_parameters(&self) -> Vec<TypeParameter> {
        let mut type_parameters = self.type_parameters.clone();
        if self.has_signature_within() {
            type_parameters.extend(self.own_type_parameters().parameters);
        }
        type_parameters
    }

    /// The type parameters of the definition itself.
    fn own_type_parameters(&self) -> TypeParameterList {
        let (own, scope) = (self.definition.type_parameters.as_deref(), self.type_scope(&self.type_parameters));
        TypeParameterList::new(own, scope, self.list_kind(self.definition.kind))
    }

    /// The form of the type parameter list of a class, interface or alias. The list of an alias needs the constraints.
    pub(super) fn list_kind(&self, owner: DefinitionKind) -> ListKind {
        let is_short = self.is_short() && owner != DefinitionKind::TypeAlias;
        if is_short { ListKind::ShortType } else { ListKind::Type }
    }

    /// True in a stub with short forms.
    pub(super) fn is_short(&self) -> bool {
        self.layout == Layout::Narrow
    }

    pub(super) fn margin(&self) -> String {
        self.indent.margin()
    }

    pub(super) fn text(&self) -> NodeText {
        let (head, mut head_references) = self.head();
        let properties = self.type_with_used_properties();
        let head = self.decorators() + &self.deprecated() + &head;
        let mut foot = if self.has_members { self.foot(properties.as_ref()) } else { String::new() };
        head_references.extend(properties.into_iter().flat_map(|ty| ty.references));
        if let Some(exported) = self.exported_name() {
            foot.extend(["export { ", &self.name, " as ", exported, " };\n"]);
        }
        NodeText {
            head: PricedLines::new(head),
            listed_name: self.listed_name(),
            foot: PricedLines::new(foot),
            head_references,
            ..NodeText::default()
        }
    }

    /// `export class Table { constructor(options?); }`, for a class at the top level that is exported by its own name,
    /// is not generic and has a known constructor without overloads.
    pub(super) fn constructor_alone(&self) -> Option<Box<dyn CallableRenderer>> {
        let class = self.definition;
        let is_plain = class.kind == DefinitionKind::Class && class.overloads.is_empty();
        let is_exported = self.context == DeclarationContext::Module && self.exported_name().is_none();
        // Other lines may name the class with type arguments.
        let is_generic = class.type_parameters.is_some();
        let is_limited = is_generic
            || class.modifiers.is_abstract
            || class.deprecation().is_some()
            || uncalled_constructor(self.definition, self.indent, self.is_wanted).is_some();
        let signature = class.signature.as_deref().filter(|_| is_plain && is_exported && !is_limited)?;
        Some(Box::new(TypeScriptSignature::alone(self, signature, &class.usage)))
    }

    /// The comment of a deprecated definition.
    fn deprecated(&self) -> String {
        let Some(text) = self.definition.deprecation() else { return String::new() };
        let text = first_sentence(text).map_or_else(String::new, |text| format!(" {}", comment_text(&text)));
        format!("{}/** @deprecated{text} */\n", self.margin())
    }

    pub(super) fn docs(&self, is_whole: bool) -> DocText {
        let signature = self.definition.signature.as_deref();
        let syntax = DocComment { signature, destructured_name: self.destructured_name(), margin: self.margin() };
        DocText::new(self.index, self.id, is_whole, &syntax)
    }

    pub(super) fn body(&self) -> NodeBody {
        let definition = self.definition;
        if let Some(comment) = uncalled_constructor(self.definition, self.indent, self.is_wanted) {
            let line = format!("{}{ANY_ARGUMENTS} // {comment}\n", self.body_indent().margin());
            return NodeBody::UnknownConstructor(PricedLines::new(line));
        }
        let signature = |signature: &Signature, usage: &Usage| -> Box<dyn CallableRenderer> {
            Box::new(TypeScriptSignature::new(self, signature, usage))
        };
        let callable = || {
            if !definition.overloads.is_empty() {
                let comment_opening = format!("{}//", self.body_indent().margin());
                let frame = OverloadFrame { comment_opening, decorator: String::new(), repeated: String::new() };
                return NodeBody::Callable(Box::new(OverloadedSignature::new(definition, frame, signature)));
            }
            let empty = Signature::default();
            NodeBody::Callable(signature(definition.signature.as_deref().unwrap_or(&empty), &definition.usage))
        };
        if let Some(unknown) = definition.signature.as_deref().filter(|signature| signature.is_incomplete) {
            return NodeBody::Callable(Box::new(UnknownSignature::new(self, unknown)));
        }
        match definition.kind {
            DefinitionKind::Class if definition.signature.is_none() => {
                NodeBody::UnknownConstructor(PricedLines::new(self.unknown_constructor()))
            }
            kind if kind.is_callable() || definition.has_call_signatures() => callable(),
            _ => NodeBody::Empty,
        }
    }

    /// The constructor of a class whose base class is not in the sources.
    fn unknown_constructor(&self) -> String {
        let calls = self.definition.usage.total_calls;
        let note = if calls > 0 { format!("{}, ", pluralized(calls, "call")) } else { String::new() };
        let margin = self.body_indent().margin();
        format!("{margin}{ANY_ARGUMENTS} // {note}constructor not in these sources\n")
    }

    /// The lines before the members, or the whole declaration if there are none, with the types that they name. Empty
    /// for functions and methods.
    fn head(&self) -> (String, Vec<TypeReference>) {
        use DefinitionKind::{Attribute, Class, Constant, Enum, Interface, Namespace, Property, TypeAlias};
        match self.definition.kind {
            Class | Interface => self.class_head(),
            TypeAlias => self.alias_head(),
            Enum => (format!("{}{}{}", self.prefix("enum "), self.name, self.opening()), Vec::new()),
            Namespace => (format!("{}{}{}", self.prefix("namespace "), self.name, self.opening()), Vec::new()),
            Constant if self.has_members => {
                let word = if self.is_statement() { "const ".to_owned() } else { self.member_words() };
                (format!("{}{}: {{\n", self.prefix(&word), self.name), Vec::new())
            }
            Attribute if self.context == DeclarationContext::Enum => {
                let value = self.definition.value.as_deref().and_then(literal);
                let is_value = |text: &String| text.starts_with(|c: char| !c.is_ascii_alphabetic());
                let value = value.filter(is_value).map_or_else(String::new, |value| format!(" = {value}"));
                (format!("{}{}{value},\n", self.margin(), self.name), Vec::new())
            }
            Attribute | Constant | Property => self.variable_head(),
            _ if self.definition.modifiers.is_new => (self.constructed_head(), Vec::new()),
            _ => (String::new(), Vec::new()),
        }
    }

    /// The first line of a value with construct signatures: `export declare const Agent: {`.
    fn constructed_head(&self) -> String {
        let word = if self.is_statement() { "const ".to_owned() } else { self.member_words() };
        let mark = if self.definition.modifiers.is_optional && !self.is_statement() { "?" } else { "" };
        format!("{}{}{mark}: {{\n", self.prefix(&word), self.name)
    }

    /// True if the declaration is a statement, not a member.
    fn is_statement(&self) -> bool {
        matches!(
            self.context,
            DeclarationContext::Module | DeclarationContext::NamedTypes | DeclarationContext::Namespace
        )
    }

    /// The margin and the keywords before a name; `word` is the last of them. A declaration file needs no `declare`
    /// after `export`.
    fn prefix(&self, word: &str) -> String {
        let is_type = matches!(self.definition.kind, DefinitionKind::Interface | DefinitionKind::TypeAlias);
        let is_exported_by_name = self.exported_name().is_none();
        let words = match self.context {
            DeclarationContext::Module if is_exported_by_name && (is_type || self.is_short()) => "export ",
            DeclarationContext::Module if is_exported_by_name => "export declare ",
            DeclarationContext::Module | DeclarationContext::NamedTypes if !is_type => "declare ",
            _ => "",
        };
        format!("{}{words}{word}", self.margin())
    }

    /// The name in `export { x as NAME }`, if the declaration is exported by such a statement.
    fn exported_name(&self) -> Option<&'a str> {
        self.names.exported_name(self.id).filter(|_| self.context == DeclarationContext::Module)
    }

    fn opening(&self) -> &'static str {
        if self.has_members { " {\n" } else { " {}\n" }
    }

    /// The type of a value with construct signatures, if the type has a property that code uses and can be imported.
    fn type_with_used_properties(&self) -> Option<PrintedType> {
        let definition = self.definition;
        let text = definition.annotation.as_deref().filter(|_| definition.modifiers.is_new)?;
        let name = text.split(['<', ' ']).next().unwrap_or_default();
        let ty = definition.type_names.iter().find(|(known, _)| known == name).and_then(|(_, id)| *id)?;
        let is_used = self.index.members_of(ty).any(|member| self.index.definition(member).usage.uses() > 0);
        let number = self.names.type_of(ty).filter(|_| is_used)?;
        let is_imported = self.names.named_type(number).import.is_some();
        let printed = type_text(text, self.type_scope(&self.type_parameters))?;
        Some(printed).filter(|printed| is_imported && printed.shape == TypeShape::Definition)
    }

    /// The last line of a body. `properties` is the type of the properties that a value has beside its construct
    /// signatures.
    fn foot(&self, properties: Option<&PrintedType>) -> String {
        let is_value = self.definition.kind == DefinitionKind::Constant || self.definition.modifiers.is_new;
        let sign = if is_value { ";" } else { "" };
        let is_type = matches!(self.definition.kind, DefinitionKind::Attribute | DefinitionKind::TypeAlias);
        if let Some((_, after)) = elided_object(self.definition).filter(|_| is_type) {
            return format!("{}}}{after};\n", self.margin());
        }
        let properties = properties.map_or_else(String::new, |ty| format!(" & {}", ty.text));
        format!("{}}}{properties}{sign}\n", self.margin())
    }

    fn class_head(&self) -> (String, Vec<TypeReference>) {
        let own = self.own_type_parameters();
        let type_parameters: Vec<TypeParameter> = self.type_parameters.iter().chain(&own.parameters).cloned().collect();
        let heritage = heritage(self, &type_parameters);
        let word = match self.definition.kind {
            DefinitionKind::Interface => "interface ",
            _ if self.definition.modifiers.is_abstract && self.is_statement() => "abstract class ",
            _ => "class ",
        };
        let note = if heritage.note.is_empty() { String::new() } else { format!(" // {}", heritage.note) };
        let brace = if self.has_members { " {" } else { " {}" };
        let head = format!("{}{}{}{}{brace}{note}\n", self.prefix(word), self.name, own.printed.text, heritage.code);
        let mut references = own.printed.references;
        references.extend(heritage.references);
        (head, references)
    }

    fn alias_head(&self) -> (String, Vec<TypeReference>) {
        let own = self.own_type_parameters();
        let type_parameters: Vec<TypeParameter> = self.type_parameters.iter().chain(&own.parameters).cloned().collect();
        if let Some((before, _)) = elided_object(self.definition).filter(|_| self.has_members) {
            let before = self.before_object(before, &type_parameters);
            let head = format!("{}{}{} = {}{{\n", self.prefix("type "), self.name, own.printed.text, before.text);
            return (head, [own.printed.references, before.references].concat());
        }
        let scope = TypeScope { alias: self.names.type_of(self.id), ..self.type_scope(&type_parameters) };
        let ty = self.definition.annotation.as_deref().and_then(|text| type_text(text, scope)).unwrap_or_else(any);
        // The sources declare more than the stub can write.
        let is_lost = ty.text == "any" && self.definition.annotation.as_deref() != Some("any");
        let note = if is_lost { HIDDEN_TYPE } else { "" };
        let head = format!("{}{}{} = {};{note}\n", self.prefix("type "), self.name, own.printed.text, ty.text);
        (head, [own.printed.references, ty.references].concat())
    }

    /// The text before the braces of an object type: `Readonly<`, or the other parts of an intersection.
    fn before_object(&self, before: &str, type_parameters: &[TypeParameter]) -> PrintedType {
        let written = |text: &str| PrintedType { text: text.to_owned(), ..any() };
        let Some(parts) = before.strip_suffix(" & ").filter(|_| !before.ends_with(OPEN_OBJECT)) else {
            return written(before);
        };
        let scope = TypeScope { alias: self.names.type_of(self.id), ..self.type_scope(type_parameters) };
        // An intersection with `any` would be `any`.
        let printed = type_text(parts, scope).filter(|ty| ty.text.split(" & ").all(|part| part != "any"));
        printed.map_or_else(|| written(OPEN_OBJECT), |ty| PrintedType { text: format!("{} & ", ty.text), ..ty })
    }

    /// A property, attribute or constant.
    fn variable_head(&self) -> (String, Vec<TypeReference>) {
        let definition = self.definition;
        let modifiers = definition.modifiers;
        let is_constant = self.is_statement();
        let value = definition.value.as_deref();
        let is_fixed = definition.annotation.is_none() && (is_constant || modifiers.is_readonly);
        let ty = match value.filter(|_| is_fixed).and_then(literal) {
            Some(text) => PrintedType { text, ..any() },
            None => type_or_any(definition.annotation.as_deref(), value, self.type_scope(&self.type_parameters)),
        };
        let mut words = String::new();
        if is_constant {
            words.push_str("const ");
        } else {
            words.push_str(&self.member_words());
            words.push_str(if modifiers.is_readonly { "readonly " } else { "" });
        }
        let mark = if modifiers.is_optional && !is_constant { "?" } else { "" };
        if let Some((before, _)) = elided_object(definition).filter(|_| self.has_members) {
            let before = self.before_object(before, &self.type_parameters);
            return (format!("{}{}{mark}: {}{{\n", self.prefix(&words), self.name, before.text), before.references);
        }
        let note = if self.is_abstract() { " // abstract" } else { "" };
        (format!("{}{}{mark}: {};{note}\n", self.prefix(&words), self.name, ty.text), ty.references)
    }

    /// The text of a signature before its type parameters.
    pub(super) fn callee(&self) -> String {
        match self.context {
            _ if self.definition.kind == DefinitionKind::Class => format!("{}constructor", self.body_indent().margin()),
            _ if self.definition.modifiers.is_new => format!("{}new ", self.body_indent().margin()),
            _ if self.definition.has_call_signatures() => self.body_indent().margin(),
            DeclarationContext::Module | DeclarationContext::NamedTypes | DeclarationContext::Namespace => {
                format!("{}{}", self.prefix("function "), self.name)
            }
            DeclarationContext::Class | DeclarationContext::Object | DeclarationContext::Enum => {
                let mark = if self.definition.modifiers.is_optional { "?" } else { "" };
                format!("{}{}{}{mark}", self.margin(), self.member_words(), self.name)
            }
        }
    }

    /// The name of a destructured parameter: `props` for a React component, else `options`.
    pub(super) fn destructured_name(&self) -> &'static str {
        let is_component = self.definition.kind == DefinitionKind::Function
            && !self.definition.modifiers.is_new
            && self.definition.name.starts_with(|c: char| c.is_ascii_uppercase())
            && self.definition.signature.as_ref().is_some_and(|signature| {
                signature.parameters.iter().filter(|p| p.kind != ParameterKind::Property).count() <= 2
            });
        if is_component { "props" } else { "options" }
    }
}

fn context(placed: PlacedDefinition<'_>) -> DeclarationContext {
    let holder = placed.holder.map(|id| placed.index.definition(id).kind);
    match holder {
        None if placed.is_named_type => DeclarationContext::NamedTypes,
        None => DeclarationContext::Module,
        Some(DefinitionKind::Class) => DeclarationContext::Class,
        Some(DefinitionKind::Namespace) => DeclarationContext::Namespace,
        Some(DefinitionKind::Enum) => DeclarationContext::Enum,
        Some(_) => DeclarationContext::Object,
    }
}
