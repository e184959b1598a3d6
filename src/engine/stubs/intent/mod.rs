//! An intent: the words in which somebody says what code should do. A stub for an intent ranks members and parameters
//! by use and by the intent: what the words name is shown, although few calls use it.
//!
//! | file | content |
//! | --- | --- |
//! | `words` | the words of an intent, and how well each occurs in names and texts |
//! | `given` | a function → what a call gives to the code around it: its result, and what its callbacks receive |
//! | `passed_to` | a class or function → the parameter that its instances or results are passed to |
//! | `candidates` | the members and parameters of a scope → how well each word of the intent occurs in their texts |
//! | `asked` | a scope and an intent → the members and parameters that the intent names, within a share of a budget |

mod asked;
mod candidates;
mod given;
mod passed_to;
mod words;

pub(crate) use asked::GivenMembers;
pub use asked::{Asked, AskedDefinition, covered, few_keys};
pub use given::annotated_classes;
pub(crate) use given::{arguments_of_function, members_given};
pub(crate) use passed_to::PassedTo;
pub use words::IntentWords;
