//! The option that names a model of word vectors.

#![allow(clippy::doc_markdown, reason = "documentation of options is printed as text")]

use std::path::PathBuf;

use clap::Args;

#[derive(Args)]
pub(super) struct ModelArg {
    /// Compare meanings by the model of words in FOLDER.
    ///
    /// A static model in the form of Model2Vec: FOLDER has model.safetensors and tokenizer.json. Without it, a small
    /// model of the words of programming is used, which comes with the program.
    #[arg(long, value_name = "FOLDER", hide_short_help = true)]
    pub(super) model: Option<PathBuf>,
}
