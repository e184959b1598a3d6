//! Routes a task, a sentence in natural language, to the functions of [`crate::answers`] that gather its context. The
//! route depends on patterns and on the names of an index, if there is one; no model and no network is used.
//!
//! ```
//! use apidisc::route::{RouteType, Router, extract_keywords};
//!
//! let decision = Router::default().route("Fix the handleLogin function in auth/login.ts:45");
//! assert_eq!(decision.route_type, RouteType::DirectFile);
//! assert_eq!((&decision.tool_sequence[..], decision.estimated_tokens), (&["get_symbol_source"][..], 400));
//!
//! let keywords = extract_keywords("Fix the handleLogin error handling in auth service");
//! assert_eq!(keywords.symbol_candidates, ["handleLogin"]);
//! assert_eq!(keywords.compound_terms, ["error_handling"]);
//! assert_eq!(keywords.inferred_modules, ["api", "services"]);
//! ```
//!
//! | file | content |
//! | --- | --- |
//! | `decision` | the decision tree |
//! | `lookup` | the files, symbols and modules of an index that a task names |
//! | `gather` | the calls of a decision, and their answers within a budget |
//! | `keywords` | the words of a task by category |
//! | `words` | the words of a task that are written like names or paths |
//! | `vocabulary` | the words of each category |
//! | `ordinary` | the words that name no symbol unless they are written as names |

mod decision;
mod gather;
mod keywords;
mod lookup;
mod ordinary;
#[cfg(test)]
mod tests;
mod vocabulary;
mod words;

pub use decision::{RouteType, RoutedCall, Router, RoutingDecision};
pub use gather::{Gathered, gather};
pub use keywords::{Category, Keyword, Keywords, extract_keywords};
