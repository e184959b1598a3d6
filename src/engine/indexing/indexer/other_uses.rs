//! The table of the uses that are neither calls nor reads.

use super::{assemble::id, interner::Interner};
use apidisc_facts::program::{CallId, FileId, OtherUse, OtherUses, PassedTo};
use apidisc_link::linked::{LinkedFile, PassedArgument};

/// All uses that are neither calls nor reads.
pub(super) fn collect_uses(files: &[LinkedFile], interner: &mut Interner) -> OtherUses {
    let mut uses = Vec::with_capacity(files.iter().map(|file| file.uses.len()).sum());
    let mut first_call = 0;
    for (i, file) in files.iter().enumerate() {
        let call = |call: u32| CallId::new(first_call + call as usize);
        let passed_to = |passed: PassedArgument| PassedTo { call: call(passed.call), argument: passed.argument };
        uses.extend(file.uses.iter().map(|found| OtherUse {
            file: FileId::new(i),
            line: found.line,
            col: found.col,
            user: found.user.map(id),
            definition: id(found.definition),
            kind: found.kind,
            argument: found.argument.map(passed_to),
            to: found.to.map(id),
            name: interner.optional_text(found.name.as_deref()),
            key: interner.optional_text(found.key.as_deref()),
        }));
        first_call += file.calls.len();
    }
    OtherUses::new(uses)
}
