//! The types of parameters of JavaScript functions by what calls pass. The reader of call sites fills the table.

use crate::typescript::{
    infer::Linker,
    program::FileIndex,
    types::{InternedType, InternedTypes},
};
use apidisc_facts::syntax::typescript::facts::{Decl, Expr, ExprId};

/// The union of the types of the arguments that calls pass for a parameter.
#[derive(Clone, Copy, Debug)]
pub(in crate::typescript) struct PassedType {
    pub(in crate::typescript) ty: InternedType,
    /// True if a call passes no argument, so that the default applies.
    pub(in crate::typescript) is_omitted: bool,
    /// The union of the string and number literals that calls pass; `any` if a call passes anything else.
    pub(in crate::typescript) keys: InternedType,
}

impl Linker<'_> {
    /// The literals that calls pass for the parameter which a key names: `key` in `table[key]`.
    pub(in super::super) fn passed_keys(&self, file: FileIndex, key: ExprId) -> Option<InternedTypes> {
        let facts = self.program.facts(file);
        let Expr::Name { symbol: Some(symbol), .. } = facts.expr(key) else { return None };
        let [Decl::Parameter(function, at)] = facts.symbol(symbol).decls[..] else { return None };
        let passed = self.passed_types.get(&(self.program.global_def(file, function), at))?;
        (passed.keys != InternedType::ANY).then(|| self.types.constituents(passed.keys))
    }
}
