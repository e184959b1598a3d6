//! The options of `facts`.

use std::path::PathBuf;

use clap::Args;

use super::{CommonArgs, SourceArgs};
use crate::cli::WriteFacts;

#[derive(Args)]
pub(super) struct FactsArgs {
    #[command(flatten)]
    source: SourceArgs,
    /// With --config: link the other sources with this one, one at a time.
    ///
    /// May be given several times. Without it all sources are linked together, and are in memory together. Calls
    /// between two sources that are no libraries are not seen with it.
    #[arg(long, value_name = "NAME", help_heading = "What to look at", requires = "config")]
    library: Vec<String>,
    /// The folder to write to.
    #[arg(short, long, value_name = "DIR", help_heading = "Printing")]
    output: PathBuf,
    #[command(flatten)]
    common: CommonArgs,
}

impl From<FactsArgs> for WriteFacts {
    fn from(FactsArgs { source, library: libraries, output, common }: FactsArgs) -> Self {
        let (input, verbose, cache) = (source.into(), common.verbose, common.cache());
        Self { input, libraries, cache, output, verbose }
    }
}
