//! First and last lines of declarations, and declarations of one line.

use super::{
    callable::Callable,
    fragments::{any, literal, type_or_any},
    generics::{Bound, TypeParameters},
    heritage::heritage,
    is_static,
    name::property,
    names::{Names, is_type},
    types::{World, type_text},
};
use compact_str::CompactString;

use crate::{
    index::{Definition, Index},
    program::{DefinitionId, DefinitionKind, ParameterKind},
    stub::{
        needs::Need,
        pieces::{Body, Piece, Pieces},
        priced_tree::{NodeKind, PricedTree},
        renderer,
        text::{counted, sentence},
    },
};

/// What a declaration stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The module: exported.
    Module,
    /// The module, as a type that is no part of the scope.
    Types,
    Class,
    /// An interface, or an object that is a value.
    Object,
    Namespace,
    Enum,
}

/// One definition on its way into text.
#[derive(Clone, Debug)]
pub(super) struct Writer<'a> {
    pub(super) tree: &'a PricedTree,
    pub(super) names: &'a Names,
    pub(super) id: DefinitionId,
    pub(super) definition: &'a Definition,
    /// As it is written.
    pub(super) name: String,
    pub(super) place: Place,
    pub(super) indent: usize,
    has_members: bool,
    /// Type parameters of what it stands in.
    bound: Vec<Bound>,
    /// Types of the namespaces that it stands in.
    hidden: Vec<CompactString>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(tree: &'a PricedTree, names: &'a Names, node: usize, id: DefinitionId) -> Self {
        let definition = tree.index.definition(id);
        let place = place(tree, node);
        let name = tree.nodes[node].name.as_str();
        let is_member = matches!(place, Place::Class | Place::Object | Place::Enum);
        let mut writer = Self {
            tree,
            names,
            id,
            definition,
            name: if is_member { property(name).unwrap_or_default() } else { name.to_owned() },
            place,
            indent: tree.nodes[node].indent,
            has_members: tree.has_body(node),
            bound: Vec::new(),
            hidden: Vec::new(),
        };
        writer.hidden = writer.hidden_names();
        writer.bound = writer.outer_bound();
        writer
    }

    pub(super) fn index(&self) -> &'a Index {
        &self.tree.index
    }

    fn hidden_names(&self) -> Vec<CompactString> {
        let index = self.index();
        let around = std::iter::successors(self.definition.parent, |&id| index.definition(id).parent);
        let namespaces = around.map(|id| index.definition(id)).filter(|d| d.kind == DefinitionKind::Namespace);
        let members = namespaces.flat_map(|namespace| &namespace.members).map(|&id| index.definition(id));
        members.filter(|member| is_type(member.kind)).map(|member| CompactString::new(&member.name)).collect()
    }

    /// Type parameters of the classes and interfaces around a member of their instances.
    fn outer_bound(&self) -> Vec<Bound> {
        let mut outer = Vec::new();
        let mut at = self.definition;
        while let Some(parent) = at.parent.map(|id| self.index().definition(id)) {
            if is_static(at) {
                break;
            }
            if matches!(parent.kind, DefinitionKind::Class | DefinitionKind::Interface) {
                outer.push(parent);
            }
            at = parent;
        }
        let mut bound = Vec::new();
        for holder in outer.into_iter().rev() {
            let world = World { type_names: &holder.type_names, bound: &bound, ..self.world(&[]) };
            let own = TypeParameters::new(holder.type_parameters.as_deref(), world, true).bound;
            bound.extend(own);
        }
        bound
    }

    /// What names in its texts mean, with these type parameters around them.
    pub(super) fn world<'w>(&'w self, bound: &'w [Bound]) -> World<'w> {
        let is_type = matches!(self.definition.kind, DefinitionKind::Class | DefinitionKind::Interface);
        let holder = self.definition.parent.map(|id| self.index().definition(id).kind);
        let is_member = matches!(holder, Some(DefinitionKind::Class | DefinitionKind::Interface));
        World {
            names: self.names,
            type_names: &self.definition.type_names,
            bound,
            hidden: &self.hidden,
            has_this: is_member && !is_type && !is_static(self.definition),
            alias: None,
        }
    }

    /// Type parameters around its signature: the constructor of a class knows those of the class.
    pub(super) fn bound_around(&self) -> Vec<Bound> {
        let mut bound = self.bound.clone();
        if self.definition.kind == DefinitionKind::Class {
            let own = self.definition.type_parameters.as_deref();
            bound.extend(TypeParameters::new(own, self.world(&self.bound), true).bound);
        }
        bound
    }

    pub(super) fn margin(&self) -> String {
        " ".repeat(self.indent)
    }

    pub(super) fn pieces(&self) -> Pieces {
        let (head, needs) = self.head();
        let foot = if self.has_members { self.foot() } else { String::new() };
        let docstring = self.summary().map(Piece::new);
        Pieces { head: Piece::new(head), docstring, foot: Piece::new(foot), needs, ..Pieces::default() }
    }

    fn summary(&self) -> Option<String> {
        let text = sentence(self.definition.summary.as_deref()?)?.replace("*/", "* /");
        Some(format!("{}/** {text} */\n", self.margin()))
    }

    pub(super) fn body(&self) -> Body {
        let definition = self.definition;
        let callable = || {
            let callable = Callable::new(self);
            Body::Callable(Box::new(renderer::Callable::TypeScript(callable)))
        };
        match definition.kind {
            DefinitionKind::Class if definition.signature.is_none() => {
                Body::Opaque(Piece::new(self.unknown_constructor()))
            }
            DefinitionKind::Class => callable(),
            kind if kind.is_callable() => callable(),
            _ => Body::None,
        }
    }

    /// The constructor of a class whose base is not in the sources.
    fn unknown_constructor(&self) -> String {
        let calls = self.definition.usage.total_calls;
        let said = if calls > 0 { format!("{}, ", counted(calls, "call")) } else { String::new() };
        format!("{}  constructor(...args: any[]); // {said}constructor not in these sources\n", self.margin())
    }

    /// What stands before members, or all of what has none; nothing for what is called.
    fn head(&self) -> (String, Vec<Need>) {
        use DefinitionKind::{Attribute, Class, Constant, Enum, Interface, Namespace, Property, TypeAlias};
        match self.definition.kind {
            Class | Interface => self.class_head(),
            TypeAlias => self.alias(),
            Enum => (format!("{}{}{}", self.prefix("enum "), self.name, self.opening()), Vec::new()),
            Namespace => (format!("{}{}{}", self.prefix("namespace "), self.name, self.opening()), Vec::new()),
            Constant if self.has_members => {
                let word = match self.place {
                    Place::Class => "static ",
                    _ if self.is_statement() => "const ",
                    _ => "",
                };
                (format!("{}{}: {{\n", self.prefix(word), self.name), Vec::new())
            }
            Attribute if self.place == Place::Enum => {
                let value = self.definition.value.as_deref().and_then(literal);
                let is_value = |text: &String| text.starts_with(|c: char| !c.is_ascii_alphabetic());
                let value = value.filter(is_value).map_or_else(String::new, |value| format!(" = {value}"));
                (format!("{}{}{value},\n", self.margin(), self.name), Vec::new())
            }
            Attribute | Constant | Property => self.value(),
            _ => (String::new(), Vec::new()),
        }
    }

    /// True where declarations are statements, not members.
    fn is_statement(&self) -> bool {
        matches!(self.place, Place::Module | Place::Types | Place::Namespace)
    }

    /// The words before a name.
    pub(super) fn prefix(&self, word: &str) -> String {
        let is_type = matches!(self.definition.kind, DefinitionKind::Interface | DefinitionKind::TypeAlias);
        let words = match self.place {
            Place::Module if is_type => "export ",
            Place::Module => "export declare ",
            Place::Types if !is_type => "declare ",
            _ => "",
        };
        format!("{}{words}{word}", self.margin())
    }

    fn opening(&self) -> &'static str {
        if self.has_members { " {\n" } else { " {}\n" }
    }

    fn foot(&self) -> String {
        let sign = if self.definition.kind == DefinitionKind::Constant { ";" } else { "" };
        format!("{}}}{sign}\n", self.margin())
    }

    fn class_head(&self) -> (String, Vec<Need>) {
        let own = TypeParameters::new(self.definition.type_parameters.as_deref(), self.world(&self.bound), true);
        let bound: Vec<Bound> = self.bound.iter().chain(&own.bound).cloned().collect();
        let heritage = heritage(self, &bound);
        let word = match self.definition.kind {
            DefinitionKind::Interface => "interface ",
            _ if self.definition.modifiers.is_abstract && self.is_statement() => "abstract class ",
            _ => "class ",
        };
        let note = if heritage.note.is_empty() { String::new() } else { format!(" // {}", heritage.note) };
        let brace = if self.has_members { " {" } else { " {}" };
        let head = format!("{}{}{}{}{brace}{note}\n", self.prefix(word), self.name, own.printed.text, heritage.code);
        let mut needs = own.printed.needs;
        needs.extend(heritage.needs);
        (head, needs)
    }

    fn alias(&self) -> (String, Vec<Need>) {
        let own = TypeParameters::new(self.definition.type_parameters.as_deref(), self.world(&self.bound), true);
        let bound: Vec<Bound> = self.bound.iter().chain(&own.bound).cloned().collect();
        let world = World { alias: self.names.type_of(self.id), ..self.world(&bound) };
        let ty = self.definition.annotation.as_deref().and_then(|text| type_text(text, world)).unwrap_or_else(any);
        let head = format!("{}{}{} = {};\n", self.prefix("type "), self.name, own.printed.text, ty.text);
        (head, [own.printed.needs, ty.needs].concat())
    }

    /// A property, attribute or constant.
    fn value(&self) -> (String, Vec<Need>) {
        let definition = self.definition;
        let modifiers = definition.modifiers;
        let is_constant = self.is_statement();
        let value = definition.value.as_deref();
        let is_fixed = definition.annotation.is_none() && (is_constant || modifiers.is_readonly);
        let ty = match value.filter(|_| is_fixed).and_then(literal) {
            Some(text) => super::types::Printed { text, ..any() },
            None => type_or_any(definition.annotation.as_deref(), value, self.world(&self.bound)),
        };
        let mut words = String::new();
        if is_constant {
            words.push_str("const ");
        } else {
            words.push_str(if is_static(definition) && self.place == Place::Class { "static " } else { "" });
            let is_readonly = modifiers.is_readonly || definition.kind == DefinitionKind::Property;
            words.push_str(if is_readonly { "readonly " } else { "" });
        }
        let mark = if modifiers.is_optional && !is_constant { "?" } else { "" };
        (format!("{}{}{mark}: {};\n", self.prefix(&words), self.name, ty.text), ty.needs)
    }

    /// What stands before the type parameters of what is called.
    pub(super) fn callee(&self) -> String {
        match self.place {
            _ if self.definition.kind == DefinitionKind::Class => format!("{}  constructor", self.margin()),
            Place::Module | Place::Types | Place::Namespace => format!("{}{}", self.prefix("function "), self.name),
            Place::Class | Place::Object | Place::Enum => {
                let word = if is_static(self.definition) && self.place == Place::Class { "static " } else { "" };
                let mark = if self.definition.modifiers.is_optional { "?" } else { "" };
                format!("{}{word}{}{mark}", self.margin(), self.name)
            }
        }
    }

    /// The name of a destructured parameter: a component takes `props`.
    pub(super) fn object_name(&self) -> &'static str {
        let is_component = self.definition.kind == DefinitionKind::Function
            && self.definition.name.starts_with(|c: char| c.is_ascii_uppercase())
            && self.definition.signature.as_ref().is_some_and(|signature| {
                signature.parameters.iter().filter(|p| p.kind != ParameterKind::Property).count() <= 2
            });
        if is_component { "props" } else { "options" }
    }
}

fn place(tree: &PricedTree, node: usize) -> Place {
    let parent = tree.nodes[node].parent.map(|parent| &tree.nodes[parent].kind);
    let Some(NodeKind::Container(holder) | NodeKind::Definition(holder)) = parent else {
        return if tree.nodes[node].is_named_type { Place::Types } else { Place::Module };
    };
    match tree.index.definition(*holder).kind {
        DefinitionKind::Class => Place::Class,
        DefinitionKind::Namespace => Place::Namespace,
        DefinitionKind::Enum => Place::Enum,
        _ => Place::Object,
    }
}
