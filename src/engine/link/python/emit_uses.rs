//! Emits the uses that are neither calls nor reads.

use compact_str::CompactString;

use super::{
    emit::{Emitter, place_in_file},
    other_uses::{Mentioned, ResolvedMention},
    program::LinkFile,
};
use crate::{
    linked::{DefinitionRow, LinkedCall, LinkedUse, PassedArgument},
    other_uses::{UsesOfFile, member_text, result_text},
};
use apidisc_base::nesting;
use apidisc_facts::{
    program::UseKind,
    syntax::python::facts::{CallExprId, Expr, ExprId, FileFacts, Holder, MentionPlace, PassedAs},
};

impl Emitter<'_> {
    /// The uses of a file, whose `calls` are in the order `order`.
    pub(super) fn emit_uses(
        &self,
        file: usize,
        resolved: &[ResolvedMention],
        order: &[CallExprId],
        calls: &[LinkedCall],
    ) -> Vec<LinkedUse> {
        if resolved.is_empty() {
            return Vec::new();
        }
        let LinkFile { facts, places, .. } = &self.files[file];
        let mut positions = vec![0; facts.calls.len()];
        order.iter().zip(0..).for_each(|(id, at)| positions[id.index()] = at);
        let mut uses = UsesOfFile::default();
        for ResolvedMention { mention, mentioned } in resolved {
            let Some(definition) = self.row_of(*mentioned) else { continue };
            let row = |def| self.row(self.linker.global_def(file, def));
            let place = place_in_file(places.as_deref(), mention.line);
            let place = (place.line, place.column + mention.col);
            let mut linked = LinkedUse::new(place, mention.user.and_then(row), definition);
            let pass = |linked: &mut LinkedUse, passed: PassedAs| {
                let call = positions[passed.call.index()];
                linked.argument = Some(PassedArgument { call, argument: passed.argument });
                if calls[call as usize].resolved().is_none() {
                    linked.name = callee_text(facts, facts.calls[passed.call.index()].callee);
                }
            };
            let name = |name| CompactString::new(facts.name(name));
            linked.kind = match mention.place {
                MentionPlace::Passed(passed) => {
                    pass(&mut linked, passed);
                    UseKind::Passed
                }
                MentionPlace::Held { holder, key } => {
                    match holder {
                        Holder::None => {}
                        Holder::Name(holder) => linked.name = Some(name(holder)),
                        Holder::Argument(passed) => pass(&mut linked, passed),
                    }
                    linked.key = key.map(name);
                    UseKind::Held
                }
                MentionPlace::Annotates(annotation) => {
                    if !uses.is_first_in(annotation, definition) {
                        continue;
                    }
                    UseKind::Annotates
                }
                MentionPlace::Imported { .. } | MentionPlace::Listed => {
                    if !uses.is_first_export(definition) {
                        continue;
                    }
                    UseKind::ReExported
                }
                MentionPlace::Decorates(decorated) => {
                    linked.to = decorated.and_then(row);
                    UseKind::Decorates
                }
                MentionPlace::Base => UseKind::Base,
                MentionPlace::Raised => UseKind::Raised,
                MentionPlace::Caught => UseKind::Caught,
                MentionPlace::Compared => UseKind::Compared,
                MentionPlace::Returned => UseKind::Returned,
            };
            uses.add(linked);
        }
        uses.finish()
    }

    fn row_of(&self, mentioned: Mentioned) -> Option<DefinitionRow> {
        match mentioned {
            Mentioned::Def(def) => self.row(def).filter(|_| !self.linker.program.is_property(def)),
            Mentioned::Constant(constant) => self.constant_rows.get(&constant).copied(),
        }
    }
}

/// The text of a callee: names that dots join, `….connect` after a receiver of another kind. `None` for any other
/// callee.
fn callee_text(facts: &FileFacts, callee: ExprId) -> Option<CompactString> {
    let _level = nesting::descend()?;
    match facts.expr(callee) {
        Expr::Name { name, .. } => Some(CompactString::new(facts.name(name))),
        Expr::Attribute { value, name, .. } => member_text(callee_text(facts, value), facts.name(name)),
        Expr::Call(site) => result_text(callee_text(facts, facts.calls[site.index()].callee)),
        _ => None,
    }
}
