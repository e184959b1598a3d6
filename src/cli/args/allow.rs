//! The option that allows files of secrets to be shown to a model.

use clap::Args;

#[derive(Args)]
pub(super) struct AllowArgs {
    /// Let a model read FILE, although it holds secrets.
    ///
    /// Tools show nothing of .git, no .env, no private key and no credentials. An agent is not shown what an ignore
    /// file names, either. FILE is a path below PATH, or from the present folder; the option can be repeated.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(super) allow_file: Vec<String>,
}
