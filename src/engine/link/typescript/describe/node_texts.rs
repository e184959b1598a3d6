//! The texts of type nodes: as the sources write them, with the names that they need.

use compact_str::{CompactString, format_compact};

use super::{
    Describer,
    type_names::TypeNameTarget,
    written_type::{Constituents, WrittenType, array_of, intersection_of, union_text, with_arguments},
};
use crate::typescript::{
    program::{FileIndex, GlobalDef, GlobalSymbol, GlobalTypeParam, is_identifier},
    rows::{DefinitionKey, RowDeclaration},
    types::{InternedType, TypeKind},
};
use apidisc_base::nesting;
use apidisc_facts::syntax::typescript::facts::{
    CallExprId, Decl, Expr, ExprId, Function, FunctionKind, Keyword, Member, MemberKind, NameId, SymbolId, TypeId,
    TypeList, TypeNode,
};

/// The greatest depth of the type arguments of an instance.
const MAX_DEPTH: u32 = 4;
/// The greatest number of members of an object type and of elements of a tuple.
const MAX_MEMBERS: usize = 24;

impl Describer<'_, '_> {
    /// The text of a type node.
    pub(super) fn node_text(&mut self, file: FileIndex, node: TypeId, text: &mut WrittenType) -> Option<CompactString> {
        let mut parts = Constituents::new();
        self.add_node(file, node, text, &mut parts)?;
        union_text(parts)
    }

    /// Adds the constituents of a type node. The name of a type stands for the whole type.
    pub(super) fn add_node(
        &mut self,
        file: FileIndex,
        node: TypeId,
        text: &mut WrittenType,
        all: &mut Constituents,
    ) -> Option<()> {
        let _level = nesting::descend()?;
        if !text.step() {
            return None;
        }
        let facts = self.linker.program.facts(file);
        match facts.ty(node) {
            TypeNode::Keyword(keyword) => {
                let is_unknown = matches!(keyword, Keyword::Any | Keyword::Unknown | Keyword::Never);
                // Callers say more of such a result than its declaration does.
                all.push((text.holds_objects || !is_unknown).then(|| keyword_text(*keyword).into())?);
            }
            TypeNode::String(name) => all.push(string_literal(facts.name(*name))?),
            TypeNode::Number(name) => all.push(facts.name(*name).into()),
            TypeNode::Bool(value) => all.push(if *value { "true" } else { "false" }.into()),
            TypeNode::Union(list) => {
                for constituent in facts.type_list(*list) {
                    self.add_node(file, *constituent, text, all)?;
                }
            }
            TypeNode::Intersection(list) => {
                let mut parts = Vec::new();
                for part in facts.type_list(*list) {
                    parts.push(self.node_text(file, *part, text)?);
                }
                all.push(intersection_of(&parts));
            }
            TypeNode::Ref { symbol, path, args, .. } => {
                if let Some(computed) = self.computed_reference(file, node, text) {
                    text.is_replaced = true;
                    all.push(computed);
                    return Some(());
                }
                let written = self.reference_name(file, *symbol, path, text)?;
                let arguments = self.argument_texts(file, *args, text)?;
                all.push(with_arguments(&written, &arguments));
            }
            TypeNode::This(_) => all.push(text.is_annotation.then(|| "this".into())?),
            TypeNode::Array(inner) => {
                let inner = self.node_text(file, *inner, text)?;
                all.push(array_of(&inner));
            }
            TypeNode::Tuple(elements) if elements.len() <= MAX_MEMBERS => {
                let mut written = Vec::new();
                for element in elements {
                    let inner = self.node_text(file, element.ty, text)?;
                    let dots = if element.is_rest { "..." } else { "" };
                    let mark = if element.is_optional { "?" } else { "" };
                    written.push(match element.label {
                        Some(label) => format!("{dots}{}{mark}: {inner}", facts.name(label)),
                        None if element.is_optional => format!("({inner})?"),
                        None => format!("{dots}{inner}"),
                    });
                }
                all.push(format_compact!("[{}]", written.join(", ")));
            }
            TypeNode::Function(def) => {
                let function = facts.def(*def).function().filter(|function| function.kind == FunctionKind::Type)?;
                all.push(self.signature_text(file, function, " => ", text)?);
            }
            TypeNode::Literal(def) => all.push(self.literal_text(file, facts.def(*def).members(), text)?),
            TypeNode::TypeOf(expr) => all.push(self.type_of_value(file, *expr, text)?),
            TypeNode::KeyOf(inner) => {
                if let Some(keys) = self.computed_text(file, node, text) {
                    all.push(keys);
                } else {
                    let inner = self.node_text(file, *inner, text)?;
                    let is_compound = inner.contains(' ') && !inner.starts_with("typeof ");
                    all.push(if is_compound {
                        format_compact!("keyof ({inner})")
                    } else {
                        format_compact!("keyof {inner}")
                    });
                }
            }
            TypeNode::Indexed(object, key) => {
                if let Some(member) = self.indexed_text(file, node, text) {
                    text.is_replaced = true;
                    all.push(member);
                } else if let Some(computed) = self.computed_text(file, node, text) {
                    all.push(computed);
                } else {
                    let object = self.node_text(file, *object, text)?;
                    let key = self.node_text(file, *key, text)?;
                    let object = if object.contains(' ') { format_compact!("({object})") } else { object };
                    all.push(format_compact!("{object}[{key}]"));
                }
            }
            _ => return None,
        }
        Some(())
    }

    fn argument_texts(
        &mut self,
        file: FileIndex,
        args: TypeList,
        text: &mut WrittenType,
    ) -> Option<Vec<CompactString>> {
        let facts = self.linker.program.facts(file);
        facts.type_list(args).iter().map(|argument| self.node_text(file, *argument, text)).collect()
    }

    /// `(id: string, size?: number) => void`, where `arrow` precedes the result.
    pub(super) fn signature_text(
        &mut self,
        file: FileIndex,
        function: &Function,
        arrow: &str,
        text: &mut WrittenType,
    ) -> Option<CompactString> {
        let facts = self.linker.program.facts(file);
        if !function.type_params.is_empty() || function.this_type.is_some() {
            return None;
        }
        let mut written = Vec::new();
        for (at, param) in function.params.iter().enumerate() {
            let name = param.name.map_or_else(|| format_compact!("arg{at}"), |name| facts.name(name).into());
            let ty = match &param.annotation {
                Some((ty, _)) => self.node_text(file, *ty, text)?,
                None => "any".into(),
            };
            let (dots, mark) = (if param.is_rest { "..." } else { "" }, if param.is_optional { "?" } else { "" });
            written.push(format!("{dots}{name}{mark}: {ty}"));
        }
        let returns = match &function.returns {
            Some((ty, _)) => self.node_text(file, *ty, text)?,
            None => "any".into(),
        };
        Some(format_compact!("({}){arrow}{returns}", written.join(", ")))
    }

    /// `{ name: string; size?: number }`
    fn literal_text(&mut self, file: FileIndex, members: &[Member], text: &mut WrittenType) -> Option<CompactString> {
        let facts = self.linker.program.facts(file);
        if members.len() > MAX_MEMBERS {
            return None;
        }
        let mut written = Vec::new();
        for member in members {
            let mark = if member.is_optional { "?" } else { "" };
            written.push(match &member.kind {
                MemberKind::Property { annotation, .. } => {
                    let name = property_text(facts.name(member.name?))?;
                    let readonly = if member.is_readonly { "readonly " } else { "" };
                    let ty = match annotation {
                        Some((ty, _)) => self.node_text(file, *ty, text)?,
                        None => "any".into(),
                    };
                    format!("{readonly}{name}{mark}: {ty}")
                }
                MemberKind::Function(def) => {
                    let name = property_text(facts.name(member.name?))?;
                    let function = facts.def(*def).function()?;
                    if function.kind != FunctionKind::Method {
                        return None;
                    }
                    format!("{name}{mark}{}", self.signature_text(file, function, ": ", text)?)
                }
                MemberKind::Index { key, value } => {
                    let (key, value) = (self.node_text(file, *key, text)?, self.node_text(file, *value, text)?);
                    format!("[key: {key}]: {value}")
                }
                MemberKind::Spread(_) => return None,
            });
        }
        Some(if written.is_empty() { "{}".into() } else { format_compact!("{{ {} }}", written.join("; ")) })
    }

    /// The name of a type as a reference writes it.
    pub(super) fn reference_name(
        &mut self,
        file: FileIndex,
        symbol: Option<SymbolId>,
        path: &[NameId],
        text: &mut WrittenType,
    ) -> Option<CompactString> {
        let facts = self.linker.program.facts(file);
        let dotted: CompactString = path.iter().map(|name| facts.name(*name)).collect::<Vec<_>>().join(".").into();
        match self.type_name_target(file, symbol, path) {
            // The names of the annotation are added with the annotation.
            _ if text.is_annotation => Some(dotted),
            TypeNameTarget::Definition(key) => self.definition_text(key, text),
            TypeNameTarget::Parameter => self.parameter_text(file, symbol?, text),
            TypeNameTarget::Outside => {
                match symbol {
                    Some(symbol) => {
                        let [Decl::Import(_)] = facts.symbol(symbol).decls[..] else { return None };
                        text.add_outside(dotted.clone(), file, symbol);
                    }
                    None => text.add_global(dotted.clone()),
                }
                Some(dotted)
            }
        }
    }

    /// The name of a class, interface, enum or type alias.
    pub(super) fn definition_text(&self, key: DefinitionKey, text: &mut WrittenType) -> Option<CompactString> {
        let Some(row) = self.rows.of_type(&self.linker.program, key) else {
            let DefinitionKey::Symbol(symbol) = key else { return None };
            let definitions = self.linker.program.definitions(symbol);
            let is_platform = definitions.first().is_some_and(|&def| self.linker.program.is_platform(def));
            let name = is_platform.then(|| self.symbol_name(symbol))?;
            text.add_global(name.clone());
            return Some(name);
        };
        let (_, _, RowDeclaration::Def(def)) = self.rows.all[row.index()] else { return None };
        let name = self.linker.program.name_text(def);
        text.names.push((name.clone(), row));
        (!name.is_empty()).then_some(name)
    }

    fn symbol_name(&self, symbol: GlobalSymbol) -> CompactString {
        let (file, row) = self.linker.program.symbol(symbol);
        CompactString::new(self.linker.program.facts(file).name(row.name))
    }

    /// The name of a type parameter that is in scope in the function.
    fn parameter_text(&self, file: FileIndex, symbol: SymbolId, text: &WrittenType) -> Option<CompactString> {
        let facts = self.linker.program.facts(file);
        let [Decl::TypeParam(param)] = facts.symbol(symbol).decls[..] else { return None };
        self.is_in_scope(self.linker.program.global_param(file, param), text)
            .then(|| CompactString::new(facts.name(facts.symbol(symbol).name)))
    }

    fn is_in_scope(&self, param: GlobalTypeParam, text: &WrittenType) -> bool {
        text.function.is_some_and(|function| self.linker.program.type_params_in_scope(function).contains(&param))
    }

    /// The type of `new C()`: the class with its type arguments.
    pub(super) fn new_text(
        &mut self,
        file: FileIndex,
        value: ExprId,
        call: CallExprId,
        text: &mut WrittenType,
    ) -> Option<CompactString> {
        let facts = self.linker.program.facts(file);
        let site = facts.site(call);
        let ty = self.linker.expr_type(file, value);
        if site.type_args.is_empty() {
            return self.instance_text(ty, text, 0);
        }
        let name = if let TypeKind::Reference(symbol, _) = *self.linker.types.kind(ty) {
            self.definition_text(DefinitionKey::Symbol(symbol), text)?
        } else {
            // A class from outside of the sources.
            let Expr::Name { name, symbol: Some(symbol) } = facts.expr(site.callee) else { return None };
            let is_outside = matches!(self.type_name_target(file, Some(symbol), &[name]), TypeNameTarget::Outside);
            self.reference_name(file, Some(symbol), &[name], text).filter(|_| is_outside)?
        };
        let mut arguments = Vec::new();
        for argument in &site.type_args {
            arguments.push(self.node_text(file, *argument, text)?);
        }
        Some(with_arguments(&name, &arguments))
    }

    /// The type of an instance: the class with its type arguments. An argument that is not known is `any`.
    pub(super) fn instance_text(
        &mut self,
        ty: InternedType,
        text: &mut WrittenType,
        depth: u32,
    ) -> Option<CompactString> {
        let _level = nesting::descend()?;
        match self.linker.types.kind(ty).clone() {
            TypeKind::String if depth > 0 => Some("string".into()),
            TypeKind::Number if depth > 0 => Some("number".into()),
            TypeKind::Boolean if depth > 0 => Some("boolean".into()),
            TypeKind::Reference(symbol, arguments) if depth < MAX_DEPTH => {
                let name = self.definition_text(DefinitionKey::Symbol(symbol), text)?;
                let mut written = Vec::new();
                for argument in arguments {
                    written.push(self.instance_text(argument, text, depth + 1)?);
                }
                Some(with_arguments(&name, &written))
            }
            TypeKind::Anonymous(def, _) if self.linker.program.is_class(def) => {
                self.definition_text(DefinitionKey::of(&self.linker.program, def), text)
            }
            _ => (depth > 0).then(|| "any".into()),
        }
    }

    /// The function of the sources or the platform that a name denotes, if it is not overloaded.
    pub(super) fn single_function(&mut self, file: FileIndex, expr: ExprId) -> Option<GlobalDef> {
        let ty = self.linker.expr_type(file, expr);
        let TypeKind::Function(def, _) = *self.linker.types.kind(ty) else { return None };
        let is_alone = self.linker.program.declarations_of_function(def).len() == 1;
        let is_plain = self.linker.program.function(def).is_some_and(|function| function.type_params.is_empty());
        (is_alone && is_plain).then_some(def)
    }
}

/// The name of a property in an object type, in quotes if necessary; `None` if it has to be escaped.
pub(super) fn property_text(name: &str) -> Option<CompactString> {
    if is_identifier(name) {
        return Some(name.into());
    }
    let is_plain = !name.starts_with('#') && !name.contains(['"', '\\']) && !name.chars().any(char::is_control);
    is_plain.then(|| format_compact!("\"{name}\""))
}

/// A string literal type; `None` if the text has to be escaped.
pub(super) fn string_literal(name: &str) -> Option<CompactString> {
    let is_plain = !name.contains(['"', '\\']) && !name.chars().any(char::is_control);
    is_plain.then(|| format_compact!("\"{name}\""))
}

fn keyword_text(keyword: Keyword) -> &'static str {
    match keyword {
        Keyword::Any => "any",
        Keyword::Unknown => "unknown",
        Keyword::Never => "never",
        Keyword::Void => "void",
        Keyword::Undefined => "undefined",
        Keyword::Null => "null",
        Keyword::String => "string",
        Keyword::Number => "number",
        Keyword::Boolean => "boolean",
        Keyword::BigInt => "bigint",
        Keyword::Symbol => "symbol",
        Keyword::Object => "object",
    }
}
