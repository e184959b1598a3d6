//! `deps`: the packages that a program uses.

use std::{
    io::{self, Write},
    path::PathBuf,
};

use super::{Input, output, terminal_text::write_json};
use crate::{cache::Cache, packages::count_deprecated};
use apidisc::{
    dependencies::dependencies,
    environment::python::EnvironmentSetting,
    packages::{Dependency, DependencyState},
    source::{LinkedSources, Source},
    unprintable::escaped_line,
};

/// Prints the packages that a program uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintDependencies {
    /// The input.
    pub input: Input,
    /// The cache of facts; `None` to go without.
    pub cache: Option<Cache>,
    /// Which environment.
    pub environment: EnvironmentSetting,
    /// True for JSON, one object a line; false for a table.
    pub is_json: bool,
    /// The file to write; standard output if `None`.
    pub output: Option<PathBuf>,
    /// Report every environment that was looked at, and every file that could not be read in full.
    pub verbose: bool,
}

impl PrintDependencies {
    /// Indexes, prints, and reports problems.
    pub fn run(&self) -> anyhow::Result<()> {
        let (index, source, libraries) =
            self.input.load_counts(self.cache.as_ref(), &self.environment, self.verbose)?;
        let mut packages = dependencies(&index, &libraries);
        if let Some(source) = source {
            let files = libraries.python.files.iter().chain(&libraries.node.files).cloned();
            let files = Source::Linked(LinkedSources::with_packages(source, files));
            count_deprecated(&mut packages, &index, &libraries, &files);
        }
        output::write(self.output.as_deref(), |out| {
            if self.is_json {
                return packages.iter().try_for_each(|package| {
                    write_json(out, package)?;
                    out.write_all(b"\n")
                });
            }
            table(&packages, out)
        })?;
        self.input.report(&index, self.verbose)
    }
}

/// The columns of the table, each with its title. Numbers stand at the right edge of their columns.
const COLUMNS: [&str; 7] = ["package", "version", "imported by", "calls", "definitions", "parameters", "deprecated"];
/// The number of columns with text.
const TEXTS: usize = 2;

fn table(packages: &[Dependency], out: &mut dyn Write) -> io::Result<()> {
    let rows: Vec<[String; COLUMNS.len()]> = packages.iter().map(row).collect();
    let titles = COLUMNS.map(str::to_owned);
    let width = |column: usize| {
        let all = rows.iter().chain([&titles]).map(|row| row[column].chars().count());
        all.max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..COLUMNS.len()).map(width).collect();
    for row in [&titles].into_iter().chain(&rows) {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
            if column < TEXTS { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        let line = cells.collect::<Vec<_>>().join("  ");
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

fn row(package: &Dependency) -> [String; COLUMNS.len()] {
    let word = match package.state {
        DependencyState::Compiled => Some("compiled"),
        DependencyState::Installed if package.is_not_generated() => Some("not generated"),
        state => state.absence(),
    };
    let version = match (&package.version, word) {
        (Some(version), Some(word)) => format!("{version} ({word})"),
        (None, Some(word)) => word.to_owned(),
        (Some(version), None) => version.clone(),
        (None, None) => "installed".to_owned(),
    };
    [
        escaped_line(&package.label()).into_owned(),
        escaped_line(&version).into_owned(),
        package.imported_by.to_string(),
        package.calls.to_string(),
        package.definitions.to_string(),
        package.parameters.to_string(),
        package.deprecated.map_or_else(|| "-".to_owned(), |count| count.to_string()),
    ]
}
