//! Facts of an index as rows, source by source, and the fold of the rows of many sources into one index.
//!
//! The facts of a source are its definitions, calls, reads, other uses and ledger. A call names its callee by source,
//! FQN and number, so the fold can join facts of sources that were indexed apart. If each source was linked with the
//! sources that it uses, the fold counts the same as an index of all sources together.
//!
//! | file | content |
//! | --- | --- |
//! | `rows` | the rows of each table of facts, and [`Facts`], which makes them from an index |
//! | `fold` | [`Fold`], which makes an index from rows |
//! | `keywords` | the keywords that `**kwargs` receives in all sources together |

mod fold;
mod keywords;
mod rows;

pub use fold::{Fold, FoldError, FoldPart, Folded};
pub use rows::{
    CallFact, CallRow, DefinitionFact, DefinitionName, Facts, LedgerFact, Literal, MembersKnown, Overload, ReadFact,
    UseFact,
};
