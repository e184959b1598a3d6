//! The texts of annotations. Parts that name members or values are written as the types that they denote:
//! `Settings["zoom"]` as the type that `zoom` is declared with, `typeof parse` as the type of the function `parse`,
//! `keyof typeof LIMITS` as the names of its properties, `Awaited<ReturnType<typeof load>>` as what `load` gives.
//!
//! A stub may declare `Settings` without the member and leave `parse` out, so it cannot keep these types. A part whose
//! type is not known stays as the sources write it.

use crate::linked::shared_text;
use arcstr::ArcStr;
use compact_str::{CompactString, format_compact};

use super::{
    Describer,
    node_texts::{property_text, string_literal},
    returned_objects::names_this,
    written_type::{Constituents, WrittenType, awaited, union_text},
};
use crate::typescript::{
    program::{FileIndex, GlobalDef, InternedName},
    types::{InternedType, TypeKind},
};
use apidisc_base::nesting;
use apidisc_facts::{
    program::ResultShape,
    syntax::typescript::facts::{Expr, ExprId, FunctionKind, MemberKind, TypeId, TypeList, TypeNode},
};

/// The greatest length of a replacing text in bytes. The text of the sources stays in place of a longer one.
const MAX_LENGTH: usize = 240;
/// The greatest length of the text of a type alias.
const MAX_ALIAS_LENGTH: usize = 480;
/// The greatest number of alternatives of a computed union type.
const MAX_ALTERNATIVES: usize = 24;
/// An annotation without any of these contains no part that may be replaced, and is not looked at.
const SIGNS: [&str; 9] = ["typeof ", "[\"", "['", "[number]", "[keyof ", "Pick<", "infer<", "Parameters<", "output<"];

impl Describer<'_, '_> {
    /// The text of an annotation.
    pub(super) fn annotation_text(&mut self, file: FileIndex, annotation: &(TypeId, ArcStr)) -> ArcStr {
        self.replaced_annotation(file, annotation, MAX_LENGTH)
    }

    /// The text of the type of an alias, which may be longer than an annotation.
    pub(super) fn alias_text(&mut self, file: FileIndex, annotation: &(TypeId, ArcStr)) -> ArcStr {
        self.replaced_annotation(file, annotation, MAX_ALIAS_LENGTH)
    }

    fn replaced_annotation(&mut self, file: FileIndex, (ty, text): &(TypeId, ArcStr), longest: usize) -> ArcStr {
        // The facts of a type do not keep `readonly` before an array.
        let may_be_replaced = SIGNS.iter().any(|sign| text.contains(sign)) && !text.contains("readonly ");
        if !may_be_replaced {
            return text.clone();
        }
        let mut written = WrittenType::of_annotation();
        let replaced = self.node_text(file, *ty, &mut written).filter(|_| written.is_replaced);
        let replaced = replaced.and_then(|replaced| self.finish_text(written, replaced, longest));
        replaced.map_or_else(|| text.clone(), shared_text)
    }

    /// `typeof x`: the type of the value, if it is known. Else the text of the sources.
    pub(super) fn type_of_value(
        &mut self,
        file: FileIndex,
        value: ExprId,
        text: &mut WrittenType,
    ) -> Option<CompactString> {
        let _level = nesting::descend()?;
        let before = text.named();
        if let Expr::Name { name, symbol: Some(symbol) } = self.linker.program.facts(file).expr(value)
            && let Some(class) = self.class_text(file, name, symbol, text)
        {
            return Some(class);
        }
        if let Some(def) = self.named_function(file, value)
            && let Some(function) = self.function_text(def)
        {
            text.is_replaced = true;
            return Some(function);
        }
        let inferred = self.in_other_file(text, |this, text| {
            let mut parts = Constituents::new();
            this.add_named_value(file, value, text, &mut parts)?;
            union_text(parts)
        });
        if let Some(inferred) = inferred {
            text.is_replaced = true;
            return Some(inferred);
        }
        text.forget(before);
        text.is_annotation.then(|| self.path_text(file, value).map(|path| format_compact!("typeof {path}")))?
    }

    /// The text of a part whose type nodes stand in another declaration than the annotation.
    fn in_other_file(
        &mut self,
        text: &mut WrittenType,
        write: impl FnOnce(&mut Self, &mut WrittenType) -> Option<CompactString>,
    ) -> Option<CompactString> {
        let (before, is_annotation) = (text.named(), std::mem::take(&mut text.is_annotation));
        let written = write(self, text).filter(|text| !names_this(text));
        text.is_annotation = is_annotation;
        if written.is_none() {
            text.forget(before);
        }
        written
    }

    /// The text of `x.y`.
    fn path_text(&self, file: FileIndex, value: ExprId) -> Option<CompactString> {
        let _level = nesting::descend()?;
        let facts = self.linker.program.facts(file);
        match facts.expr(value) {
            Expr::Name { name, .. } => Some(facts.name(name).into()),
            Expr::Property { object, name, .. } => {
                Some(format_compact!("{}.{}", self.path_text(file, object)?, facts.name(name)))
            }
            _ => None,
        }
    }

    /// The type that a reference to a type of the platform or of a schema library computes: `ReturnType<typeof f>`,
    /// `Awaited<T>`, `Parameters<typeof f>`, `Pick<T, K>`, `z.infer<typeof schema>`.
    pub(super) fn computed_reference(
        &mut self,
        file: FileIndex,
        node: TypeId,
        text: &mut WrittenType,
    ) -> Option<CompactString> {
        let _level = nesting::descend()?;
        let facts = self.linker.program.facts(file);
        let TypeNode::Ref { symbol, ref path, args, .. } = *facts.ty(node) else { return None };
        let arguments = facts.type_list(args);
        if let Some(symbol) = symbol {
            let is_inferred = self.is_import_of_schemas(file, symbol);
            return if is_inferred { self.inferred_by_schema(file, node, text) } else { None };
        }
        let [name] = path[..] else { return None };
        match facts.name(name) {
            "ReturnType" => {
                let def = self.function_of_argument(file, args)?;
                self.in_other_file(text, |this, text| this.result_of(def, text))
            }
            "Awaited" => {
                let &[argument] = arguments else { return None };
                let mut parts = Constituents::new();
                self.add_node(file, argument, text, &mut parts)?;
                let is_kept = |part: &CompactString| {
                    ["ReturnType<", "Awaited<", "typeof "].iter().any(|word| part.contains(word))
                };
                let is_awaited = parts.iter().any(|part| awaited(part) != part);
                let changes = is_awaited && !parts.iter().any(is_kept);
                changes.then(|| union_text(parts.iter().map(|part| awaited(part).into()).collect()))?
            }
            "Parameters" => {
                let def = self.function_of_argument(file, args)?;
                self.in_other_file(text, |this, text| this.parameters_of(def, text))
            }
            "Pick" => {
                let &[object, keys] = arguments else { return None };
                let keys = self.linker.type_from_node(file, keys);
                let object = self.linker.type_from_node(file, object);
                self.in_other_file(text, |this, text| this.picked(object, keys, text))
            }
            _ => None,
        }
    }

    /// The function `f` of the only type argument `typeof f`.
    fn function_of_argument(&mut self, file: FileIndex, args: TypeList) -> Option<GlobalDef> {
        let facts = self.linker.program.facts(file);
        let &[argument] = facts.type_list(args) else { return None };
        let TypeNode::TypeOf(value) = *facts.ty(argument) else { return None };
        self.single_function(file, value)
    }

    /// The type of the result of a function.
    fn result_of(&mut self, def: GlobalDef, text: &mut WrittenType) -> Option<CompactString> {
        let function = self.linker.program.function(def)?;
        let file = self.linker.program.file_of(def);
        if let Some((node, _)) = &function.returns {
            return self.node_text(file, *node, text);
        }
        if let Some(parts) = self.returned_constituents(def, text, 0) {
            return union_text(parts);
        }
        let object = self.returned_object(def)?;
        if object.is_open || object.shape != ResultShape::Object {
            return None;
        }
        let mut members = Vec::new();
        for member in &object.members {
            let mark = if member.is_optional { "?" } else { "" };
            let ty = member.annotation.as_deref().unwrap_or("any");
            members.push(format!("{}{mark}: {ty}", property_text(&member.name)?));
        }
        let otherwise = object.otherwise.as_ref().map_or_else(String::new, |otherwise| format!(" | {otherwise}"));
        let object = format_compact!("{{ {} }}{otherwise}", members.join("; "));
        Some(if function.is_async { format_compact!("Promise<{object}>") } else { object })
    }

    /// The types of the parameters of a function as a tuple.
    fn parameters_of(&mut self, def: GlobalDef, text: &mut WrittenType) -> Option<CompactString> {
        let function = self.linker.program.function(def)?;
        let file = self.linker.program.file_of(def);
        let facts = self.linker.program.facts(file);
        let mut elements = Vec::new();
        for (at, param) in function.params.iter().enumerate() {
            let (ty, _) = param.annotation.as_ref()?;
            let ty = self.node_text(file, *ty, text)?;
            let name = param.name.map_or_else(|| format_compact!("arg{at}"), |name| facts.name(name).into());
            let mark = if param.is_optional || param.default.is_some() { "?" } else { "" };
            elements.push(if param.is_rest { format!("...{name}: {ty}") } else { format!("{name}{mark}: {ty}") });
        }
        Some(format_compact!("[{}]", elements.join(", ")))
    }

    /// The properties of a type that these keys name, as an object type.
    fn picked(&mut self, object: InternedType, keys: InternedType, text: &mut WrittenType) -> Option<CompactString> {
        let names: Option<Vec<_>> = self
            .linker
            .types
            .constituents(keys)
            .into_iter()
            .map(|key| match *self.linker.types.kind(key) {
                TypeKind::StringLiteral(name) => Some(name),
                _ => None,
            })
            .collect();
        let mut members = Vec::new();
        for name in names? {
            let member = self.declared_member(object, name)?;
            let mark = if self.linker.program.members(member.0)[usize::from(member.1)].is_optional { "?" } else { "" };
            let ty = self.member_text(member, false, text)?;
            let name = property_text(self.linker.program.names.text(name))?;
            members.push(format!("{name}{mark}: {ty}"));
        }
        Some(format_compact!("{{ {} }}", members.join("; ")))
    }

    /// The type that a type operator computes, such as `keyof typeof LIMITS` or `(typeof kinds)[number]`: a union of
    /// literal types. A long one is the primitive type that includes it. `None` for any other type.
    pub(super) fn computed_text(
        &mut self,
        file: FileIndex,
        node: TypeId,
        text: &mut WrittenType,
    ) -> Option<CompactString> {
        if !self.names_value(file, node) {
            return None;
        }
        let ty = self.linker.type_from_node(file, node);
        let mut parts = Constituents::new();
        for part in self.linker.types.constituents(ty) {
            parts.push(match *self.linker.types.kind(part) {
                TypeKind::String => "string".into(),
                TypeKind::Number => "number".into(),
                TypeKind::Boolean => "boolean".into(),
                TypeKind::StringLiteral(name) => string_literal(self.linker.program.names.text(name))?,
                TypeKind::NumberLiteral(name) => self.linker.program.names.text(name).into(),
                TypeKind::BooleanLiteral(value) => if value { "true" } else { "false" }.into(),
                _ => return None,
            });
        }
        text.is_replaced = true;
        let is_long =
            parts.len() > MAX_ALTERNATIVES || parts.iter().map(|part| part.len() + 3).sum::<usize>() > MAX_LENGTH;
        let is_string = parts.iter().all(|part| part == "string" || part.starts_with('"'));
        if is_long && is_string { Some("string".into()) } else { union_text(parts) }
    }

    /// Whether the operand of a type operator is `typeof x`.
    fn names_value(&self, file: FileIndex, node: TypeId) -> bool {
        let Some(_level) = nesting::descend() else { return false };
        match *self.linker.program.facts(file).ty(node) {
            TypeNode::TypeOf(_) => true,
            TypeNode::KeyOf(inner) | TypeNode::Operator(inner) => self.names_value(file, inner),
            TypeNode::Indexed(object, key) => self.names_value(file, object) || self.names_value(file, key),
            _ => false,
        }
    }

    /// The declared type of the member that an indexed access names, and the type of the parameter that
    /// `Parameters<typeof f>[0]` does.
    pub(super) fn indexed_text(
        &mut self,
        file: FileIndex,
        node: TypeId,
        text: &mut WrittenType,
    ) -> Option<CompactString> {
        let facts = self.linker.program.facts(file);
        let TypeNode::Indexed(object, key) = *facts.ty(node) else { return None };
        if let (TypeNode::Number(at), &TypeNode::Ref { symbol: None, ref path, args, .. }) =
            (facts.ty(key), facts.ty(object))
        {
            let at: usize = facts.name(*at).parse().ok()?;
            if !matches!(path[..], [name] if facts.name(name) == "Parameters") {
                return None;
            }
            let def = self.function_of_argument(file, args)?;
            let param = self.linker.program.function(def)?.params.get(at).filter(|param| !param.is_rest)?;
            let (ty, _) = param.annotation.as_ref()?;
            let declaring = self.linker.program.file_of(def);
            return self.in_other_file(text, |this, text| this.node_text(declaring, *ty, text));
        }
        if let TypeNode::String(name) = *facts.ty(key)
            && let Some(field) = self.field_of_schema(file, object, facts.name(name), text)
        {
            return Some(field);
        }
        let member = self.indexed_member(file, node)?;
        self.in_other_file(text, |this, text| this.member_text(member, true, text))
    }

    /// The member of the sources that an indexed access with a string names. `None` for a member of a generic
    /// declaration, whose type names type parameters that have other names where the type is used.
    pub(super) fn indexed_member(&mut self, file: FileIndex, ty: TypeId) -> Option<(GlobalDef, u16)> {
        let facts = self.linker.program.facts(file);
        let TypeNode::Indexed(object, key) = *facts.ty(ty) else { return None };
        let TypeNode::String(name) = *facts.ty(key) else { return None };
        let object = self.linker.type_from_node(file, object);
        let name = self.linker.program.name(file, name);
        self.declared_member(object, name)
    }

    /// The member of the sources that declares a property of a type.
    fn declared_member(&mut self, object: InternedType, name: InternedName) -> Option<(GlobalDef, u16)> {
        let mut objects = self.linker.types.constituents(object);
        objects.retain(|part| *part != InternedType::NULLISH);
        let [object] = objects[..] else { return None };
        let is_declared = matches!(self.linker.types.kind(object), TypeKind::Reference(..) | TypeKind::Anonymous(..));
        let member = self.linker.find_property(object, name).filter(|_| is_declared)?.member?;
        let program = &self.linker.program;
        (!program.is_platform(member.0) && program.type_params_in_scope(member.0).is_empty()).then_some(member)
    }

    /// The function of the sources that a name denotes. `None` for an overloaded or generic one, whose type is no
    /// function type that another declaration could write.
    pub(super) fn named_function(&mut self, file: FileIndex, expr: ExprId) -> Option<GlobalDef> {
        self.single_function(file, expr).filter(|&def| !self.linker.program.is_platform(def))
    }

    /// The text of the declared type of a member, with `undefined` if `is_read` and the member is optional.
    fn member_text(
        &mut self,
        (holder, at): (GlobalDef, u16),
        is_read: bool,
        text: &mut WrittenType,
    ) -> Option<CompactString> {
        let file = self.linker.program.file_of(holder);
        let member = &self.linker.program.members(holder)[usize::from(at)];
        let mut parts = Constituents::new();
        match &member.kind {
            MemberKind::Property { annotation: Some((ty, _)), .. } => self.add_node(file, *ty, text, &mut parts)?,
            MemberKind::Function(function) => {
                let function = self.linker.program.facts(file).def(*function).function()?;
                match function.kind {
                    FunctionKind::Method => parts.push(self.signature_text(file, function, " => ", text)?),
                    FunctionKind::Getter => self.add_node(file, function.returns.as_ref()?.0, text, &mut parts)?,
                    _ => return None,
                }
            }
            _ => return None,
        }
        if is_read && member.is_optional {
            parts.push("undefined".into());
        }
        union_text(parts)
    }
}
