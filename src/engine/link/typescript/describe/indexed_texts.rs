//! The texts of indexed-access types: `Settings["zoom"]` is written as the type that `zoom` is declared with.
//!
//! A stub may declare `Settings` without the member, so it cannot keep the indexed access.

use compact_str::{CompactString, format_compact};

use super::Describer;
use crate::typescript::{
    program::{FileIndex, GlobalDef},
    types::{InternedType, TypeKind},
};
use apidisc_base::nesting;
use apidisc_facts::syntax::typescript::facts::{FunctionKind, Keyword, MemberKind, TypeId, TypeNode};

/// The greatest nesting of types that is searched for indexed accesses.
const MAX_DEPTH: u32 = 4;

/// The greatest length of a replacing text in bytes. The text of the indexed access stays in place of a longer one.
const MAX_LENGTH: usize = 200;

impl Describer<'_, '_> {
    /// The text of an annotation, with the indexed accesses replaced that are the whole annotation, alternatives beside
    /// `null` and `undefined`, or the elements of an array.
    pub(super) fn annotation_text(&mut self, file: FileIndex, (ty, text): &(TypeId, CompactString)) -> CompactString {
        let replaced = self.text_of_indexed(file, *ty, 0);
        replaced.filter(|replaced| replaced.len() <= MAX_LENGTH).unwrap_or_else(|| text.clone())
    }

    fn text_of_indexed(&mut self, file: FileIndex, ty: TypeId, depth: u32) -> Option<CompactString> {
        let _level = nesting::descend()?;
        if depth > MAX_DEPTH {
            return None;
        }
        let facts = self.linker.program.facts(file);
        match *facts.ty(ty) {
            TypeNode::Indexed(..) => {
                let member = self.indexed_member(file, ty)?;
                self.member_text(member, depth)
            }
            TypeNode::Array(element) => {
                let text = self.text_of_indexed(file, element, depth + 1)?;
                Some(format_compact!("({text})[]"))
            }
            TypeNode::Union(list) => {
                let mut texts = Vec::new();
                for &part in facts.type_list(list) {
                    texts.push(match facts.ty(part) {
                        TypeNode::Keyword(Keyword::Null) => CompactString::const_new("null"),
                        TypeNode::Keyword(Keyword::Undefined) => CompactString::const_new("undefined"),
                        _ => format_compact!("({})", self.text_of_indexed(file, part, depth + 1)?),
                    });
                }
                Some(texts.join(" | ").into())
            }
            _ => None,
        }
    }

    /// The member of the sources that an indexed access with a string names. `None` for a member of a generic
    /// declaration, whose type names type parameters that have other names where the type is used.
    pub(super) fn indexed_member(&mut self, file: FileIndex, ty: TypeId) -> Option<(GlobalDef, u16)> {
        let facts = self.linker.program.facts(file);
        let TypeNode::Indexed(object, key) = *facts.ty(ty) else { return None };
        let TypeNode::String(name) = *facts.ty(key) else { return None };
        let object = self.linker.type_from_node(file, object);
        let mut objects = self.linker.types.constituents(object);
        objects.retain(|part| *part != InternedType::NULLISH);
        let [object] = objects[..] else { return None };
        let is_declared = matches!(self.linker.types.kind(object), TypeKind::Reference(..) | TypeKind::Anonymous(..));
        let name = self.linker.program.name(file, name);
        let member = self.linker.find_property(object, name).filter(|_| is_declared)?.member?;
        let mut around = Some(member.0);
        while let Some(def) = around {
            if self.linker.program.is_platform(def) || !self.linker.program.def(def).type_params().is_empty() {
                return None;
            }
            around = self.linker.program.outer(def);
        }
        Some(member)
    }

    /// The text of the declared type of a member.
    fn member_text(&mut self, (holder, at): (GlobalDef, u16), depth: u32) -> Option<CompactString> {
        let file = self.linker.program.file_of(holder);
        let member = &self.linker.program.members(holder)[usize::from(at)];
        let text = match &member.kind {
            MemberKind::Property { annotation: Some((ty, text)), .. } => {
                self.text_of_indexed(file, *ty, depth + 1).unwrap_or_else(|| text.clone())
            }
            MemberKind::Function(function) => {
                let function = self.linker.program.facts(file).def(*function).function()?;
                match function.kind {
                    FunctionKind::Method => self.method_type_text(holder, function),
                    FunctionKind::Getter => function.returns.as_ref()?.1.clone(),
                    _ => return None,
                }
            }
            _ => return None,
        };
        match (text.is_empty(), member.is_optional) {
            (true, _) => None,
            (false, true) => Some(format_compact!("({text}) | undefined")),
            (false, false) => Some(text),
        }
    }
}
