//! The texts of types that name members or functions: `Settings["zoom"]` is written as the type that `zoom` is declared
//! with, and `typeof parse` as the type of the function `parse`.
//!
//! A stub may declare `Settings` without the member and leave `parse` out, so it cannot keep these types.

use compact_str::{CompactString, format_compact};

use super::Describer;
use crate::typescript::{
    program::{FileIndex, GlobalDef},
    types::{InternedType, TypeKind},
};
use apidisc_base::nesting;
use apidisc_facts::syntax::typescript::facts::{ExprId, FunctionKind, Keyword, MemberKind, TypeId, TypeNode};

/// The greatest nesting of types that is searched for indexed accesses.
const MAX_DEPTH: u32 = 4;

/// The greatest length of a replacing text in bytes. The text of the indexed access stays in place of a longer one.
const MAX_LENGTH: usize = 200;

impl Describer<'_, '_> {
    /// The text of an annotation, with the indexed accesses and types of functions replaced that are the whole
    /// annotation, alternatives beside `null` and `undefined`, the elements of an array, or type arguments.
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
            TypeNode::TypeOf(expr) => {
                let def = self.named_function(file, expr)?;
                Some(self.method_type_text(def, self.linker.program.function(def)?))
            }
            TypeNode::Ref { ref path, args, .. } => {
                let arguments = facts.type_list(args);
                let replaced: Vec<Option<CompactString>> =
                    arguments.iter().map(|&argument| self.text_of_indexed(file, argument, depth + 1)).collect();
                if replaced.iter().all(Option::is_none) {
                    return None;
                }
                let kept = arguments.iter().map(|&argument| self.reference_text(file, argument, 0));
                let texts = replaced.into_iter().zip(kept).map(|(replaced, kept)| replaced.or(kept));
                let texts = texts.collect::<Option<Vec<CompactString>>>()?.join(", ");
                let name = path.iter().map(|segment| facts.name(*segment)).collect::<Vec<_>>().join(".");
                Some(format_compact!("{name}<{texts}>"))
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

    /// The function of the sources that a name denotes. `None` for an overloaded or generic one, whose type is no
    /// function type that another declaration could write.
    pub(super) fn named_function(&mut self, file: FileIndex, expr: ExprId) -> Option<GlobalDef> {
        let ty = self.linker.expr_type(file, expr);
        let TypeKind::Function(def, _) = *self.linker.types.kind(ty) else { return None };
        let is_alone = self.linker.program.declarations_of_function(def).len() == 1;
        let is_plain = self.linker.program.function(def).is_some_and(|function| function.type_params.is_empty());
        (is_alone && is_plain && !self.linker.program.is_platform(def)).then_some(def)
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
