//! Facts as Parquet files, for engines that ask many repositories at once, such as `DuckDB` and Spark, and
//! for `index --facts`.
//!
//! # Layout
//!
//! ```text
//! DIR/definitions/source=NAME/COMMIT.parquet   the definitions of the source
//! DIR/calls/source=NAME/COMMIT.parquet         its calls, by callee
//! DIR/reads/source=NAME/COMMIT.parquet         its reads of attributes, by attribute
//! DIR/ledger/source=NAME/COMMIT.parquet        how many of its calls are resolved, and why the others are not
//! ```
//!
//! A partition is these four files of one source. `COMMIT` is `files` for a folder that is no git repository. The files
//! of a partition depend on its source, on the sources that it was linked with, and on the version of the program; equal
//! sources give equal bytes. Each file is written whole or not at all, and the ledger is written last: where it is and
//! has the right key, the partition is there and whole. `schema` in the metadata of each file is the version of the
//! schema, which is [`SCHEMA`]; `tables` has the columns.

mod columns;
mod partition;
mod tables;

pub use partition::{Folder, PartitionKey};

/// The version of the schema. It changes when readers of the old one would misread the new one.
pub const SCHEMA: u32 = 1;
