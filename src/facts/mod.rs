//! Facts as Parquet files, for `index --facts` and for query engines such as `DuckDB` and Spark, which read the facts
//! of many repositories at once.
//!
//! # Layout
//!
//! ```text
//! DIR/definitions/source=NAME/COMMIT.parquet   the definitions of the source
//! DIR/calls/source=NAME/COMMIT.parquet         its calls, by callee
//! DIR/reads/source=NAME/COMMIT.parquet         its reads of attributes, by attribute
//! DIR/uses/source=NAME/COMMIT.parquet          its other uses of definitions, by definition
//! DIR/ledger/source=NAME/COMMIT.parquet        how many of its calls are resolved, and why the others are not
//! ```
//!
//! A partition is these five files of one source. `COMMIT` is `files` for a folder that is no git repository. The files
//! of a partition depend on its source, on the sources that it was linked with, and on the version of the program;
//! equal sources give equal bytes. Each file is written whole or not at all, and the ledger is written last: a
//! partition whose ledger exists and has the right key is whole. `schema` in the metadata of each file is [`SCHEMA`],
//! the version of the schema.
//!
//! | file | content |
//! | --- | --- |
//! | `tables` | the columns of the five tables; facts as rows and rows as facts |
//! | `columns` | Parquet files, written and read column by column |
//! | `partition` | the folder: which partitions are up to date, writing one, folding all |

mod columns;
mod partition;
mod tables;

pub use partition::{FactsFolder, PartitionKey};

/// The version of the schema. It changes when a reader of the old schema would misread files of the new one.
pub const SCHEMA: u32 = 4;
