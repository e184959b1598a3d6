//! Facts of an index as rows, source by source, and the fold of the rows of many sources to one index.
//!
//! A source's facts are its definitions and its calls, reads and ledger. A call of a definition of another source names
//! it by source, FQN and number. So facts that were made apart are joined by names, and the fold counts what an index
//! of all the sources together counts, as long as each source was linked with those that it uses.

mod fold;
mod rows;

pub use fold::{Fold, FoldError, FoldPart, Folded};
pub use rows::{CallFact, CallRow, DefinitionFact, DefinitionName, Facts, LedgerFact, Literal, Overload, ReadFact};
