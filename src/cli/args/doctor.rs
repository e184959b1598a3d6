//! The options of `doctor`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::HelpArg;
use crate::cli::Doctor;

#[derive(Args)]
pub(super) struct DoctorArgs {
    /// The folder of code whose environment is looked for.
    #[arg(value_name = "PATH", default_value = ".")]
    path: PathBuf,
    /// Lines for people, or one object.
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text", help_heading = "Printing")]
    format: DoctorFormat,
    #[command(flatten)]
    help: HelpArg,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum DoctorFormat {
    /// A line per check, and a line with what to do
    Text,
    /// One object: version, target, and checks, each with name, status (ok, note, fails), found, remedy
    Json,
}

impl From<DoctorArgs> for Doctor {
    fn from(DoctorArgs { path, format, help: _ }: DoctorArgs) -> Self {
        Self { folder: path, json: format == DoctorFormat::Json }
    }
}
