//! What another version of a package does to the calls of a program.
//!
//! A program is indexed twice, each time together with one version of its packages. So both versions have resolved the
//! same calls by all rules of the language, and a verdict compares two answers about one place:
//!
//! ```text
//! program + old version → index ┐
//!                               ├→ uses of the package → a verdict each → report
//! program + new version → index ┘
//! ```
//!
//! The cost grows with what the program uses, not with the package: only what is used is read.
//!
//! | module | content |
//! | --- | --- |
//! | [`Version`] | a program with one version of its packages |
//! | [`report`] | verdicts, rules, findings |
//! | [`compare`](compare()) | the uses of a package in both indexes, with their verdicts |
//! | [`compare_revisions`] | the uses of a repository's own code in two of its revisions |
//! | [`Edits`] | which lines a change left alone, and which files it moved |
//! | [`groups`] | findings that say the same of different places, as people and agents read them |
//! | [`KnownFindings`] | findings of an earlier report, which are left out |
//! | [`api_changes`] | the changes of a whole API, and of these the ones that nobody meets |
//! | [`deprecated_uses`] | what of a package is deprecated today |
//! | [`apart`] | what two signatures have apart; `signatures` adds both to findings |
//! | `removed` | the names of a repository's own code that are gone |
//! | `versions` | two versions, and the verdict on a use that each resolves for itself |
//! | `arguments` | how the old and the new signature of a function bind the arguments of one call |
//! | `guards` | code of a program that works with several versions |
//! | `presence` | whether a name is there |
//! | `symbols` | whether a name is there in a version, and what its module says of it |
//! | `modules` | what the text of a Python module says of its names |
//! | `moved` | where a name of a Python package went that its module no longer has |
//! | `overrides` | methods of the program that override methods of a package of Python |
//! | `code`, `said` | what the code of a Python function says of a call: deprecated, refused, always failing |
//! | `conditions`, `decorators` | what a condition means for an argument, and what decorators say |
//! | `statements` | the statements of Python code as text |
//! | `overloads` | a call of TypeScript under the signatures of two versions |
//! | `types`, `properties`, `type_text` | what a TypeScript type takes, as far as the texts of declarations decide it |
//! | `declarations` | the declaration files of one version, and the names that stand in them |
//! | `forms` | what the literals that TypeScript code passes show of their types |
//! | `npm_names` | whether a version of an npm package has a name or a member |
//! | `exports` | the names of npm packages that a program writes |
//! | `replacement` | what to write instead of a name that is gone |

mod api;
mod arguments;
mod code;
mod compare;
mod conditions;
mod declarations;
mod decorators;
mod deprecated;
mod edits;
mod exports;
mod forms;
pub mod groups;
mod guards;
mod known;
mod modules;
mod moved;
mod npm_names;
mod overloads;
mod overrides;
mod presence;
mod properties;
mod removed;
mod replacement;
pub mod report;
mod revisions;
mod said;
mod signature_text;
mod signatures;
mod statements;
mod symbols;
mod type_text;
mod types;
mod version;
mod versions;

pub use api::{ApiChange, api_changes, unmet};
pub use compare::compare;
pub use deprecated::deprecated_uses;
pub use edits::{Edits, RevisionFiles};
pub use known::KnownFindings;
pub use revisions::compare_revisions;
pub use signature_text::apart;
pub use version::Version;
