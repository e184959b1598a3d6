//! `calls --uses`: every use that is neither a call nor a read, as JSON Lines.

use std::{borrow::Cow, path::PathBuf};

use serde::Serialize;

use super::{Input, output, terminal_text::write_json};
use crate::cache::Cache;
use apidisc::{
    index::{Index, UsedAs},
    program::OtherUse,
};

/// Prints the other uses of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintUses {
    /// The input.
    pub input: Input,
    /// The cache of facts; `None` to go without.
    pub cache: Option<Cache>,
    /// The file to write; standard output if `None`.
    pub output: Option<PathBuf>,
    /// Report every file that could not be read in full.
    pub verbose: bool,
}

impl PrintUses {
    /// Indexes, prints, and reports problems.
    pub fn run(&self) -> anyhow::Result<()> {
        let index = self.input.load(self.cache.as_ref())?;
        // The examples in a file are a part of their own in the index.
        let mut uses: Vec<&OtherUse> = index.other_uses.all().iter().collect();
        uses.sort_by_key(|found| (&index.file(found.file).path, found.line, found.col));
        output::write(self.output.as_deref(), |out| {
            uses.iter().try_for_each(|found| {
                write_json(out, &UseRow::new(&index, found))?;
                out.write_all(b"\n")
            })
        })?;
        self.input.report(&index, self.verbose)
    }
}

/// One line of the output. Other tools read these lines, so the fields keep their names and their order.
#[derive(Serialize)]
struct UseRow<'a> {
    path: &'a str,
    line: u32,
    col: u32,
    /// The function or class around the use; the module outside of both.
    user: &'a str,
    definition: &'a str,
    kind: &'static str,
    /// What takes, holds or is decorated by the definition.
    to: Option<&'a str>,
    param: Option<Cow<'a, str>>,
    key: Option<&'a str>,
}

impl<'a> UseRow<'a> {
    fn new(index: &'a Index, found: &'a OtherUse) -> Self {
        let UsedAs { definition: _, to, param, key } = index.used_as(found);
        let user = found.user.map(|user| index.definition(user).fqn.as_str());
        Self {
            path: &index.file(found.file).path,
            line: found.line,
            col: found.col,
            user: user.unwrap_or_else(|| &index.module(index.file(found.file).module).fqn),
            definition: &index.definition(found.definition).fqn,
            kind: found.kind.word(),
            to,
            param,
            key,
        }
    }
}
