//! `facts`: writes definitions, calls, reads and ledgers as Parquet files, a partition per source.

use std::path::PathBuf;

use anyhow::bail;
use apidisc::{
    facts::Facts,
    indexer,
    source::{LinkedSources, NamedSource, Source},
};

use super::{Input, InputContent, input::build, note};
use crate::{
    cache::Cache,
    facts::{FactsFolder, PartitionKey},
};

/// Writes the facts of sources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteFacts {
    /// The input.
    pub input: Input,
    /// The names of the libraries: every other source is linked with all of them, and with no other source. If there
    /// are none, all sources are linked together.
    pub libraries: Vec<String>,
    /// The cache of facts of files; `None` to go without.
    pub cache: Option<Cache>,
    /// The folder to write to.
    pub output: PathBuf,
    /// Report every file that could not be read in full.
    pub verbose: bool,
}

/// Sources that are linked together.
struct Job {
    source: Source,
    /// The positions of the sources whose partitions are written, each with the name of the partition.
    partitions: Vec<(usize, String)>,
}

impl WriteFacts {
    /// Writes the missing partitions, one after the other.
    pub fn run(&self) -> anyhow::Result<()> {
        let source = match self.input.content()? {
            InputContent::Source(source, _) => source,
            InputContent::Index(_) => bail!("a file of counts has no calls; name a folder"),
        };
        if let Some(outer) = FactsFolder::around(&self.output) {
            let (inner, outer) = (self.output.display(), outer.display());
            bail!("{inner} lies in {outer}, which is a folder of facts; name that folder, or one beside it");
        }
        let folder = FactsFolder::new(&self.output);
        let (mut written, mut kept) = (0, 0);
        let mut outcome = Ok(());
        for job in self.jobs(&source)? {
            let contents = indexer::contents(&job.source)?;
            let metas = job.source.metas();
            let wanted = job.partitions.into_iter().filter_map(|(at, name)| {
                let key = PartitionKey::new(&name, metas.get(at)?.commit.as_deref(), &contents);
                Some((at as u32, key))
            });
            let (there, missing): (Vec<_>, Vec<_>) = wanted.partition(|(_, key)| folder.has(key));
            kept += there.len();
            if missing.is_empty() {
                continue;
            }
            let index = build(&job.source, self.cache.as_ref())?;
            let alone = missing.first().map_or("", |(_, key)| &key.source);
            let facts = Facts::new(&index, alone)?;
            for (at, key) in &missing {
                folder.write(key, &facts, *at)?;
                written += 1;
            }
            // A missing source fails the command, but the other sources are written.
            outcome = self.input.report(&index, self.verbose).and(outcome);
        }
        let s = if written == 1 { "" } else { "s" };
        note(&format!("{written} partition{s} written, {kept} kept"));
        outcome
    }

    fn jobs(&self, source: &Source) -> anyhow::Result<Vec<Job>> {
        let Source::Linked(linked) = source else {
            if !self.libraries.is_empty() {
                bail!("--library names a source of a list; give one with --config FILE");
            }
            return Ok(vec![Job { source: source.clone(), partitions: vec![(0, self.folder_name())] }]);
        };
        let named = |(at, source): (usize, &NamedSource)| (at, source.name.to_string());
        let (libraries, others): (Vec<_>, Vec<_>) =
            linked.iter().cloned().partition(|source| self.libraries.iter().any(|name| source.name == name.as_str()));
        if let Some(unknown) = self.libraries.iter().find(|name| libraries.iter().all(|lib| lib.name != name.as_str()))
        {
            bail!("there is no source called `{}`; --library names one of the list", unknown.escape_debug());
        }
        if libraries.is_empty() {
            return Ok(vec![Job {
                source: source.clone(),
                partitions: linked.iter().enumerate().map(named).collect(),
            }]);
        }
        let linked_with =
            |other: NamedSource| Source::Linked(LinkedSources::new(libraries.iter().cloned().chain([other]).collect()));
        // Paths of an index contain the names of the sources only if there are several sources, so an empty source
        // stands beside an only library.
        let nothing = NamedSource::new("-", Source::Memory { name: String::new(), files: Vec::new() });
        let first = Job { source: linked_with(nothing), partitions: libraries.iter().enumerate().map(named).collect() };
        let rest = others.into_iter().map(|other| {
            let partitions = vec![(libraries.len(), other.name.to_string())];
            Job { source: linked_with(other), partitions }
        });
        Ok([first].into_iter().chain(rest).collect())
    }

    /// The name of the partition of a source that is indexed alone: the last part of its path or URL.
    fn folder_name(&self) -> String {
        let title = self.input.title();
        let last = title.rsplit(['/', '\\']).next().unwrap_or_default();
        let plain = |c: char| if c.is_alphanumeric() || matches!(c, '.' | '_' | '-') { c } else { '-' };
        let name: String = last.chars().map(plain).collect();
        if name.chars().any(char::is_alphanumeric) { name } else { "source".to_owned() }
    }
}
