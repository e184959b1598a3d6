//! The types of fields that methods return, private ones included.

use super::{
    Describer,
    certain_returns::{Constituents, ReturnText},
};
use crate::typescript::program::FileIndex;
use apidisc_facts::syntax::typescript::facts::{ExprId, MemberKind, NameId};

impl Describer<'_, '_> {
    /// Adds the declared type of the field `this.name`.
    pub(super) fn add_own_field(
        &mut self,
        file: FileIndex,
        this: ExprId,
        name: NameId,
        text: &mut ReturnText,
        all: &mut Constituents,
    ) -> Option<()> {
        let ty = self.linker.expr_type(file, this);
        let name = self.linker.program.name(file, name);
        let (holder, at) = self.linker.find_property(ty, name)?.member?;
        let member = &self.linker.program.members(holder)[usize::from(at)];
        let MemberKind::Property { annotation: Some((node, _)), .. } = member.kind else { return None };
        self.add_node(self.linker.program.file_of(holder), node, text, all)?;
        if member.is_optional {
            all.push("undefined".into());
        }
        Some(())
    }
}
