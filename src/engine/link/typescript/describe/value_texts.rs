//! The types of literals, and of the properties that expressions read.

use compact_str::{CompactString, format_compact};

use super::{
    Describer,
    node_texts::property_text,
    written_type::{Constituents, WrittenType, array_of, joined, union_text, widened},
};
use crate::typescript::{program::FileIndex, rows::DefinitionKey, types::TypeKind};
use apidisc_base::nesting;
use apidisc_facts::syntax::typescript::facts::{DefId, Expr, ExprId, FunctionKind, MemberKind, NameId};

/// The greatest number of elements of an array and of members of an object whose types are written.
const MAX_ITEMS: usize = 24;
/// The greatest length in bytes of the literal types of a constant array or object. A longer type is widened.
const MAX_CONST_LENGTH: usize = 120;
/// The greatest length in bytes of an object type.
const MAX_OBJECT_LENGTH: usize = 240;

impl Describer<'_, '_> {
    /// The type of an array literal: `string[]`. `None` for an empty one.
    pub(super) fn array_text(
        &mut self,
        file: FileIndex,
        items: &[ExprId],
        text: &mut WrittenType,
        depth: u32,
    ) -> Option<CompactString> {
        let facts = self.linker.program.facts(file);
        if items.is_empty() {
            return None;
        }
        if items.iter().all(|item| matches!(facts.expr(*item), Expr::String(_))) {
            return Some("string[]".into());
        }
        if items.iter().all(|item| matches!(facts.expr(*item), Expr::Number)) {
            return Some("number[]".into());
        }
        let parts = self.item_types(file, items, text, depth)?;
        joined(widened(parts)).map(|element| array_of(&element))
    }

    /// The constituents of the types of the items.
    fn item_types(
        &mut self,
        file: FileIndex,
        items: &[ExprId],
        text: &mut WrittenType,
        depth: u32,
    ) -> Option<Constituents> {
        let facts = self.linker.program.facts(file);
        if items.len() > MAX_ITEMS {
            return None;
        }
        let mut all = Constituents::new();
        for item in items {
            let (value, is_spread) = match facts.expr(*item) {
                Expr::Spread(inner) => (inner, true),
                _ => (*item, false),
            };
            let held = std::mem::replace(&mut text.holds_objects, true);
            let parts = self.constituents(file, value, text, depth);
            text.holds_objects = held;
            for part in parts? {
                let element = if is_spread { part.strip_suffix("[]").map(CompactString::from)? } else { part };
                let inner = element.strip_prefix('(').and_then(|inner| inner.strip_suffix(')'));
                all.push(inner.filter(|_| is_spread).map_or_else(|| element.clone(), CompactString::from));
            }
        }
        Some(all)
    }

    /// The type of `value as const`: with literal types if it is short enough.
    pub(super) fn const_text(
        &mut self,
        file: FileIndex,
        value: ExprId,
        text: &mut WrittenType,
        depth: u32,
    ) -> Option<CompactString> {
        let _level = nesting::descend()?;
        let facts = self.linker.program.facts(file);
        match facts.expr(value) {
            Expr::Array(list) => {
                let items = facts.list(list);
                let narrow = self.tuple_text(file, items, text, depth).filter(|text| text.len() <= MAX_CONST_LENGTH);
                let wide = |this: &mut Self, text: &mut WrittenType| this.array_text(file, items, text, depth);
                narrow.or_else(|| wide(self, text).map(|wide| format_compact!("readonly {wide}")))
            }
            Expr::Object(object) => {
                let narrow = self.object_text(file, object, true, text, depth);
                let narrow = narrow.filter(|text| text.len() <= MAX_CONST_LENGTH);
                narrow.or_else(|| self.object_text(file, object, false, text, depth))
            }
            _ => self.constituents(file, value, text, depth).and_then(union_text),
        }
    }

    /// `readonly ["a", "b"]`
    fn tuple_text(
        &mut self,
        file: FileIndex,
        items: &[ExprId],
        text: &mut WrittenType,
        depth: u32,
    ) -> Option<CompactString> {
        let facts = self.linker.program.facts(file);
        if items.len() > MAX_ITEMS || items.iter().any(|item| matches!(facts.expr(*item), Expr::Spread(_))) {
            return None;
        }
        let mut elements = Vec::new();
        for item in items {
            elements.push(self.const_text(file, *item, text, depth)?);
        }
        Some(format_compact!("readonly [{}]", elements.join(", ")))
    }

    /// The type of an object literal: `{ low: number; high: number }`. A member whose type is not known is `any`.
    /// `None` if the object may have further members, or if the type of no member is known.
    pub(super) fn object_text(
        &mut self,
        file: FileIndex,
        object: DefId,
        is_const: bool,
        text: &mut WrittenType,
        depth: u32,
    ) -> Option<CompactString> {
        let held = std::mem::replace(&mut text.holds_objects, true);
        let mut members = Vec::new();
        let found = self.add_members_of_literal(file, object, is_const, text, depth, &mut members);
        text.holds_objects = held;
        found?;
        let is_known = members.iter().any(|(_, ty)| ty != "any");
        let readonly = if is_const { "readonly " } else { "" };
        let written: Vec<String> = members.iter().map(|(name, ty)| format!("{readonly}{name}: {ty}")).collect();
        let written = format_compact!("{{ {} }}", written.join("; "));
        (is_known && written.len() <= MAX_OBJECT_LENGTH).then_some(written)
    }

    fn add_members_of_literal(
        &mut self,
        file: FileIndex,
        object: DefId,
        is_const: bool,
        text: &mut WrittenType,
        depth: u32,
        members: &mut Vec<(CompactString, CompactString)>,
    ) -> Option<()> {
        let _level = nesting::descend()?;
        let facts = self.linker.program.facts(file);
        for member in facts.def(object).members() {
            if !self.names.add_part() {
                return None;
            }
            let before = text.named();
            let ty = match &member.kind {
                MemberKind::Property { value: Some((value, _)), .. } if is_const => {
                    self.const_text(file, *value, text, depth)
                }
                MemberKind::Property { value: Some((value, _)), .. } => {
                    self.constituents(file, *value, text, depth).and_then(|parts| joined(widened(parts)))
                }
                MemberKind::Function(def) => {
                    let def = self.linker.program.global_def(file, *def);
                    let is_method = self.linker.program.function(def)?.kind == FunctionKind::Method;
                    if is_method { self.function_text(def) } else { return None }
                }
                MemberKind::Spread(value) => {
                    let spread = self.object_literal(file, *value)?;
                    self.add_members_of_literal(file, spread, is_const, text, depth, members)?;
                    continue;
                }
                MemberKind::Property { .. } | MemberKind::Index { .. } => None,
            };
            if ty.is_none() {
                text.forget(before);
            }
            let ty = ty.unwrap_or_else(|| CompactString::const_new("any"));
            let name = property_text(facts.name(member.name?))?;
            let is_full = members.len() == MAX_ITEMS;
            match members.iter_mut().find(|(known, _)| *known == name) {
                Some(known) => known.1 = ty,
                None if is_full => return None,
                None => members.push((name, ty)),
            }
        }
        Some(())
    }

    /// Adds the type of `object.name`: that of a member of an enum, or the type of a property that is declared or
    /// determined by its value.
    pub(super) fn add_property(
        &mut self,
        file: FileIndex,
        object: ExprId,
        name: NameId,
        text: &mut WrittenType,
        depth: u32,
        all: &mut Constituents,
    ) -> Option<()> {
        let ty = self.linker.expr_type(file, object);
        match *self.linker.types.kind(ty) {
            TypeKind::EnumObject(symbol) => {
                all.push(self.definition_text(DefinitionKey::Symbol(symbol), text)?);
                return Some(());
            }
            TypeKind::Reference(..) | TypeKind::This(_) | TypeKind::Anonymous(..) | TypeKind::ClassConstructor(..) => {}
            _ => return None,
        }
        let name = self.linker.program.name(file, name);
        let (holder, at) = self.linker.find_property(ty, name)?.member?;
        let is_this = matches!(*self.linker.types.kind(ty), TypeKind::This(_));
        // The declared type of a member of another object may name type parameters, which stand for other types there.
        if !is_this && !self.linker.program.type_params_in_scope(holder).is_empty() {
            return None;
        }
        self.add_member(holder, at, text, depth, all)
    }

    /// Adds the type of a value that a name in `typeof name` denotes: `None` if it is not known, or no object type.
    pub(super) fn add_named_value(
        &mut self,
        file: FileIndex,
        value: ExprId,
        text: &mut WrittenType,
        all: &mut Constituents,
    ) -> Option<()> {
        let resolved = self.linker.named_value(file, value, 0)?;
        let variable = self.linker.variable_of(resolved)?;
        self.add_value_of_variable(variable, text, 0, all)
    }
}
