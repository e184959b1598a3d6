//! The types of fields and properties, private ones included.

use crate::linked::shared_text;
use compact_str::CompactString;

use super::{
    Describer,
    written_type::{Constituents, WrittenType, is_nullish, joined, widened},
};
use crate::linked::{LinkedParameter, LinkedSignature};
use crate::typescript::program::{FileIndex, GlobalDef};
use apidisc_base::nesting;
use apidisc_facts::syntax::typescript::facts::{
    Access, DefBody, DefId, Expr, ExprId, FunctionKind, Member, MemberKind,
};

/// The greatest length of the type of a field in bytes.
const MAX_LENGTH: usize = 120;

impl Describer<'_, '_> {
    /// Adds the type of a member: the declared type, else the one that its value determines.
    pub(super) fn add_member(
        &mut self,
        holder: GlobalDef,
        at: u16,
        text: &mut WrittenType,
        depth: u32,
        all: &mut Constituents,
    ) -> Option<()> {
        let _level = nesting::descend()?;
        let member = &self.linker.program.members(holder)[usize::from(at)];
        let file = self.linker.program.file_of(holder);
        match &member.kind {
            MemberKind::Property { annotation: Some((node, _)), .. } => self.add_node(file, *node, text, all)?,
            MemberKind::Property { parameter: Some((function, at)), .. } => {
                self.add_parameter(file, *function, *at, text, depth, all)?;
            }
            MemberKind::Property { value: Some((value, value_text)), .. } if !value_text.is_empty() => {
                all.extend(self.types_of_value(file, member, *value, text, depth)?);
            }
            MemberKind::Function(def) => {
                let getter = self.linker.program.global_def(file, *def);
                let function = self.linker.program.function(getter).filter(|f| f.kind == FunctionKind::Getter)?;
                match &function.returns {
                    Some((node, _)) => self.add_node(file, *node, text, all)?,
                    None => all.extend(self.returned_constituents(getter, text, depth + 1)?),
                }
            }
            _ => return None,
        }
        if member.is_optional {
            all.push("undefined".into());
        }
        Some(())
    }

    /// Adds the type of a parameter: the declared type, or the type of its default.
    fn add_parameter(
        &mut self,
        file: FileIndex,
        function: DefId,
        at: u16,
        text: &mut WrittenType,
        depth: u32,
        all: &mut Constituents,
    ) -> Option<()> {
        let param = self.linker.program.facts(file).def(function).function()?.params.get(usize::from(at))?;
        match (&param.annotation, &param.default) {
            (Some((node, _)), _) => self.add_node(file, *node, text, all),
            (None, Some((default, _))) => {
                all.extend(self.types_of_default(file, *default, text, depth)?);
                Some(())
            }
            _ => None,
        }
    }

    fn types_of_default(
        &mut self,
        file: FileIndex,
        default: ExprId,
        text: &mut WrittenType,
        depth: u32,
    ) -> Option<Constituents> {
        let parts = widened(self.constituents(file, default, text, depth)?);
        parts.iter().any(|part| !is_nullish(part)).then_some(parts)
    }

    /// The type of a field without an annotation: the one of its value, which is widened unless the field is readonly.
    /// A value without a text may be one that a method assigns: it stands for all assigned values but `null`.
    fn types_of_value(
        &mut self,
        file: FileIndex,
        member: &Member,
        value: ExprId,
        text: &mut WrittenType,
        depth: u32,
    ) -> Option<Constituents> {
        let parts = self.constituents(file, value, text, depth)?;
        let parts = if member.is_readonly { parts } else { widened(parts) };
        // The type of such a field is `any`.
        parts.iter().any(|part| !is_nullish(part)).then_some(parts)
    }

    /// The text of the type of a field without an annotation. `None` for a value whose text shows its type.
    pub(super) fn field_text(&mut self, holder: GlobalDef, member: &Member) -> Option<CompactString> {
        let file = self.linker.program.file_of(holder);
        let MemberKind::Property { annotation: None, value, parameter } = &member.kind else { return None };
        // A property of an object literal is described by its value, and a private one is never shown.
        let is_field = matches!(self.linker.program.def(holder).body, DefBody::Class(_));
        if !is_field || member.access == Access::Private {
            return None;
        }
        let mut text = WrittenType::of_value(Some(holder));
        let mut parts = Constituents::new();
        match (parameter, value) {
            (Some((function, at)), _) => self.add_parameter(file, *function, *at, &mut text, 0, &mut parts)?,
            (None, Some((value, value_text)))
                if !value_text.is_empty() && !self.is_evident(file, *value, value_text) =>
            {
                parts = self.types_of_value(file, member, *value, &mut text, 0)?;
            }
            _ => return None,
        }
        self.finish_text(text, joined(parts)?, MAX_LENGTH)
    }

    /// Gives the parameters of a function that have a default and no annotation the type of the default.
    pub(super) fn add_types_of_defaults(&mut self, function: GlobalDef, signature: &mut LinkedSignature) {
        let file = self.linker.program.file_of(function);
        let facts = self.linker.program.facts(file);
        let Some(params) = self.linker.program.function(function).map(|function| &function.params) else { return };
        for param in params.iter().filter(|param| param.annotation.is_none()) {
            let (Some(name), Some((default, default_text))) = (param.name, &param.default) else { continue };
            let is_this = |own: &&mut LinkedParameter| own.within.is_none() && own.name == facts.name(name);
            let Some(own) = signature.parameters.iter_mut().find(is_this) else { continue };
            if own.annotation.is_some() || self.is_evident(file, *default, default_text) {
                continue;
            }
            let mut text = WrittenType::of_value(Some(function));
            let parts = self.types_of_default(file, *default, &mut text, 0);
            own.annotation =
                parts.and_then(joined).and_then(|written| self.finish_text(text, written, MAX_LENGTH)).map(shared_text);
        }
    }

    /// Whether the text of a value shows its type: a string, number, boolean or bigint.
    pub(super) fn is_evident(&self, file: FileIndex, value: ExprId, value_text: &str) -> bool {
        let mut signs = value_text.chars();
        match self.linker.program.facts(file).expr(value) {
            Expr::Number | Expr::BigInt => {
                let digits = value_text.trim_start_matches('-');
                digits.starts_with(|c: char| c.is_ascii_digit())
                    && digits.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_'))
            }
            Expr::String(Some(_)) => signs.next().is_some_and(|first| matches!(first, '"' | '\'')),
            Expr::Bool(_) => !value_text.is_empty(),
            _ => false,
        }
    }
}
