//! An intent: the words in which somebody says what code should do. A stub for an intent ranks members and parameters
//! by use and by the intent: what the words name is shown, although few calls use it.
//!
//! | file | content |
//! | --- | --- |
//! | `words` | the words of an intent, and how well each occurs in names and texts |
//! | `asked` | a scope and an intent → the members and parameters that the intent names, within a share of a budget |

mod asked;
mod words;

pub use asked::{Asked, AskedDefinition, covered};
pub use words::IntentWords;
