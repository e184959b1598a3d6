//! Links the facts of all files of a language into one program: modules, names, classes, types, calls, binding of
//! arguments.
//!
//! | module | content |
//! | --- | --- |
//! | [`python`], [`typescript`] | the linker of each language. Its first page lists its files in their order, and says where a rule belongs |
//! | `http` | the client libraries and servers that are known, for both languages |
//! | [`linked`] | the result: definitions, calls and reads, the same for every language |
//! | [`explanation`] | the result for a person: how single calls were resolved |
//! | `merge` | the programs of several languages → one |
//! | `other_uses` | uses that are neither calls nor reads: what the linkers share |
//! | `receiver_links` | a call → the earlier call whose result or variable it is made on |
//! | [`project_file`], `paths` | files that say how modules are found, such as `package.json`; normalised paths |
//! | `memo`, `limits` | types that are computed once; the limits that files reach, for their diagnostics |
//!
//! Recursion follows what the sources say, so each function that may come back to itself begins a level:
//! [`apidisc_base::nesting`].

pub mod explanation;
pub(crate) mod http;
mod limits;
pub mod linked;
mod memo;
mod merge;
mod other_uses;
mod paths;
pub mod project_file;
pub mod python;
mod receiver_links;
pub mod typescript;

pub use merge::merge;

/// A hash of the sources of this package, for versions of what is kept on disk.
pub const SOURCES: &str = env!("SOURCES");
