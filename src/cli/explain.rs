//! `calls --explain`: how the calls of a line are resolved, in words.

use std::{io, path::PathBuf, str::FromStr};

use anyhow::{anyhow, bail};

use super::{Input, input::InputContent, output, progress::ProgressLine, terminal_text::line};
use crate::{cache::Cache, packages};
use apidisc::{
    control::Control,
    environment::python::EnvironmentSetting,
    indexer::{AskedCalls, CallExplanation},
    unprintable::escaped_line,
};

/// The greatest width of the column with the parts of a callee, in characters. A longer part stands on a line of its
/// own.
const WIDEST_CODE: usize = 40;

/// Explains calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplainCalls {
    /// The input.
    pub input: Input,
    /// The calls.
    pub place: AskedPlace,
    /// The environment that holds the packages which the code uses.
    pub environment: EnvironmentSetting,
    /// The cache of facts; `None` to go without.
    pub cache: Option<Cache>,
    /// The file to write; standard output if `None`.
    pub output: Option<PathBuf>,
}

/// A place as a user writes it: `FILE:LINE` or `FILE:LINE:COL`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedPlace {
    file: String,
    line: u32,
    col: Option<u32>,
}

impl FromStr for AskedPlace {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = "write it as FILE:LINE or FILE:LINE:COL, such as src/app.py:12";
        let numbered = |text: &str| {
            let (before, number) = text.rsplit_once(':')?;
            Some((before.to_owned(), number.parse::<u32>().ok()?))
        };
        let (before, last) = numbered(text).ok_or(wrong)?;
        let (file, line, col) = match numbered(&before) {
            Some((file, line)) => (file, line, Some(last)),
            None => (before, last, None),
        };
        if file.is_empty() || line == 0 { Err(wrong) } else { Ok(Self { file, line, col }) }
    }
}

impl ExplainCalls {
    /// Indexes the sources and prints the explanations.
    ///
    /// # Errors
    /// If the input has no sources, or no call at the place.
    pub fn run(&self) -> anyhow::Result<()> {
        let InputContent::Source(source, _) = self.input.content()? else {
            bail!("an index has no code to explain; name the folder of the sources")
        };
        let AskedPlace { line, col, .. } = self.place;
        let path = self.path_in_sources();
        let asked = AskedCalls { path: path.as_str().into(), line, col };
        let mut progress = ProgressLine::new();
        let explained = packages::explain(&source, &asked, &self.environment, self.cache.as_ref(), &mut |step| {
            progress.show(&step);
            Control::Continue
        });
        progress.erase();
        let Some(explained) = explained.map_err(|why| anyhow!(why))? else {
            bail!("indexing was cancelled; run it again")
        };
        if !explained.is_file {
            bail!("{path} is not among the files that are indexed; write the path as `apidisc-tui calls` prints it");
        }
        if explained.calls.is_empty() {
            bail!("no call's name is in line {line} of {path}; `apidisc-tui calls` prints the line of every call");
        }
        output::write(self.output.as_deref(), |out| {
            let mut calls = explained.calls.iter();
            calls.try_for_each(|(call, result)| write_explanation(out, &path, call, result))
        })
    }

    /// The path of the file from the root of the sources. A path that leads to the file from the working directory is
    /// taken, too.
    fn path_in_sources(&self) -> String {
        let file = self.place.file.as_str();
        let (Input::Folder(root), Ok(found)) = (&self.input, std::path::Path::new(file).canonicalize()) else {
            return file.to_owned();
        };
        let inside = root.canonicalize().ok().and_then(|root| Some(found.strip_prefix(root).ok()?.to_owned()));
        match inside.filter(|_| !root.join(file).exists()) {
            Some(inside) => inside.to_string_lossy().replace('\\', "/"),
            None => file.trim_start_matches("./").to_owned(),
        }
    }
}

/// Writes the place of a call, a line for each part of its callee, and the result.
fn write_explanation(out: &mut dyn io::Write, path: &str, call: &CallExplanation, result: &str) -> io::Result<()> {
    writeln!(out, "{}:{}:{}", escaped_line(path), call.line, call.col)?;
    let widths = call.steps.iter().map(|step| step.code.chars().count());
    let width = widths.filter(|width| *width <= WIDEST_CODE).max().unwrap_or(0);
    for step in &call.steps {
        let code = escaped_line(&step.code);
        if code.chars().count() > width {
            writeln!(out, "  {}", line(&step.code))?;
            writeln!(out, "  {:width$}  {}", "", line(&step.says))?;
        } else {
            writeln!(out, "  {code:width$}  {}", line(&step.says))?;
        }
    }
    writeln!(out, "  => {}", line(result))
}
