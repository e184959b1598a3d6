//! Operations of API documents as code uses them: the calls that match an operation, and the stub of an operation.
//!
//! | file | role |
//! | --- | --- |
//! | `template` | paths of calls, routes and operations as segments, and how well two of them match |
//! | `matching` | calls and routes of an index, and documents → the operations that they belong to |
//! | `uses` | matched calls → counts of parameters and properties |
//! | `find` | a name → an operation |
//! | `used_apis` | documents with their uses, and what a search by intent finds of them |
//! | `shape` | a schema → its type on one line and its properties |
//! | `items` | an operation and its uses → its parameters and properties, most useful first |
//! | `stub` | items → the stub of an operation within a token budget |
//! | `part` | a schema or another part of a document → its text |
//! | `arguments` | items → a table with the numbers of calls that pass them |
//!
//! # The form of a stub
//!
//! ```text
//! // POST /campaigns: Create a campaign
//! // https://ads.example.com/v1, createCampaign, 28 calls, e.g. src/app.py:40, handler routes.create src/routes.py:12
//! query {
//!   dry_run?: boolean = false  // 14%, Check only
//!   // ... + 3 parameters hidden
//! }
//! body {
//!   name: string
//!   budget: {
//!     amount: number
//!   }
//!   tags?: string[]  // 21%
//! }
//! 201 { id, name, status }
//! // errors: 400
//! ```
//!
//! Types are written as in TypeScript, which models read and write with ease. A schema in YAML or JSON says the same in
//! about four times the tokens: `type: string` on a line of its own, `required` as a list apart from the properties. A
//! question mark says what may be left out; shares are those of the calls in the sources whose arguments are known.

mod arguments;
#[cfg(test)]
mod discover_tests;
mod find;
mod items;
mod matching;
mod part;
mod shape;
mod stub;
mod template;
#[cfg(test)]
mod tests;
mod used_apis;
mod uses;

pub use arguments::{OperationArgument, operation_arguments, schema_arguments};
pub use find::{OperationId, UnknownOperation, find_operation};
pub use matching::{ApiUses, MatchLedger};
pub use part::{PartText, find_part, part_text};
pub use stub::{OperationError, OperationStub, operation_stub};
pub use used_apis::UsedApis;
pub use uses::{NameUses, OperationUses};
