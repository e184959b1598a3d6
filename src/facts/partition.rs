//! The folder of all partitions: finds those that are up to date, writes one, and folds all.

use std::{
    fmt::Write as _,
    fs, io,
    path::{Path, PathBuf, absolute},
};

use anyhow::{Context as _, anyhow, bail};
use apidisc::{
    facts::{Facts, Fold, FoldPart, Folded},
    files::RegularFile,
    hash::ContentHash,
    source::Contents,
};

use super::{
    SCHEMA,
    columns::{Column, Schema, TableReader, TableWriter},
    tables::{self, CALLS, DEFINITIONS, LEDGER, READS, USES},
};
use crate::writing;

/// The tables in the order of writing. The ledger is last, so a ledger with the right key proves that the other tables
/// are whole.
const TABLES: [(&str, Schema); 5] =
    [("definitions", DEFINITIONS), ("calls", CALLS), ("reads", READS), ("uses", USES), ("ledger", LEDGER)];

/// The table whose footer also has `header`, the facts about the source as a whole. Every footer has `schema` and
/// `key`, the hash of all inputs of the partition's files.
const DESCRIBING: &str = "definitions";

/// A folder of facts.
#[derive(Clone, Debug)]
pub struct FactsFolder {
    root: PathBuf,
}

/// The key of a partition: its source, its commit, and the hash of everything on which its files depend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartitionKey {
    /// The name of the source.
    pub source: String,
    /// The commit, if the source is a git repository.
    pub commit: Option<String>,
    /// The hash of everything on which the files depend, in hexadecimal digits.
    hash: String,
}

impl PartitionKey {
    /// The key of the partition of a source. `contents` are its files and those of the sources that it is linked with.
    pub fn new(source: &str, commit: Option<&str>, contents: &Contents) -> Self {
        let mut text = format!("{SCHEMA}\n{}\n{source}\n{}\n", env!("CARGO_PKG_VERSION"), commit.unwrap_or_default());
        for (path, hash) in contents.files() {
            let _ = writeln!(text, "{hash:016x} {path}");
        }
        let hash = format!("{:016x}", ContentHash::of(text.as_bytes()).short());
        Self { source: source.to_owned(), commit: commit.map(str::to_owned), hash }
    }
}

impl FactsFolder {
    /// The folder of facts that a path lies in, if it is not that folder itself.
    pub fn around(path: &Path) -> Option<PathBuf> {
        let whole = absolute(path).ok()?;
        let is_facts = |folder: &&Path| TABLES.iter().all(|(table, _)| folder.join(table).is_dir());
        whole.ancestors().skip(1).find(is_facts).map(Path::to_owned)
    }

    /// The folder at this path, which need not exist.
    pub fn new(root: &Path) -> Self {
        Self { root: root.to_owned() }
    }

    fn file(&self, table: &str, key: &PartitionKey) -> PathBuf {
        let commit = key.commit.as_deref().unwrap_or("files");
        self.root.join(table).join(format!("source={}", key.source)).join(format!("{commit}.parquet"))
    }

    /// True if the partition is whole, and was made from the same files by this version of the program.
    pub fn has(&self, key: &PartitionKey) -> bool {
        TABLES.iter().all(|&(table, schema)| {
            open_table(&self.file(table, key), schema).is_ok_and(|table| table.metadata("key") == Some(&key.hash))
        })
    }

    /// Writes the partition of the source at the position `source` in the sources of the index.
    ///
    /// # Errors
    /// With the file, the reason and a remedy.
    pub fn write(&self, key: &PartitionKey, facts: &Facts<'_>, source: u32) -> anyhow::Result<()> {
        let header = facts.header(source)?;
        for (table, schema) in TABLES {
            let path = self.file(table, key);
            writing::create_folder(path.parent().unwrap_or(&self.root))?;
            let (version, describes_source) = (SCHEMA.to_string(), table == DESCRIBING);
            let header = ("header", header.as_str());
            let footer = [("schema", version.as_str()), ("key", &key.hash)].into_iter();
            let footer: Vec<(&str, &str)> = footer.chain(describes_source.then_some(header)).collect();
            let bytes = table_of(table, schema, &footer, facts, source)
                .with_context(|| format!("cannot make {}", path.display()))?;
            writing::replace(&path, |out| out.write_all(&bytes))?;
        }
        Ok(())
    }

    /// Folds all partitions.
    ///
    /// # Errors
    /// With the file, the reason and a remedy.
    pub fn fold(&self) -> anyhow::Result<Folded> {
        let files = self.ledgers()?;
        let mut parts = Vec::new();
        for (source, name) in &files {
            let table = self.open("definitions", DEFINITIONS, source, name)?;
            let header = table.metadata("header").context("a table has no header")?;
            let mut part = FoldPart::new(source, header)?;
            let add = |columns: &mut [Column]| {
                let entry = tables::take_definition(columns)?;
                entry.map_or(Ok(()), |(fqn, entry)| Ok(part.add(fqn, entry)?))
            };
            table.rows(add).with_context(|| self.named("definitions", source, name))?;
            parts.push((part, source, name));
        }
        parts.sort_by_cached_key(|(part, ..)| format!("{}/", part.folder()));
        let order: Vec<(&String, &String)> = parts.iter().map(|(_, source, name)| (*source, *name)).collect();
        let mut fold = Fold::new(parts.into_iter().map(|(part, ..)| part).collect())?;
        // The facts of an only source name the keywords of all calls.
        if order.len() > 1 {
            for (source, name) in &order {
                let calls = self.open("calls", CALLS, source, name)?;
                let add = |columns: &mut [Column]| Ok(fold.add_keywords(&tables::take_call(columns)?)?);
                calls.rows(add).with_context(|| self.named("calls", source, name))?;
            }
            fold.name_keywords();
        }
        for (source, name) in order {
            let of = |table| self.named(table, source, name);
            let calls = self.open("calls", CALLS, source, name)?;
            calls.rows(|columns| Ok(fold.add_call(&tables::take_call(columns)?)?)).with_context(|| of("calls"))?;
            let reads = self.open("reads", READS, source, name)?;
            reads.rows(|columns| Ok(fold.add_read(&tables::take_read(columns)?)?)).with_context(|| of("reads"))?;
            let ledger = self.open("ledger", LEDGER, source, name)?;
            let add = |columns: &mut [Column]| Ok(fold.add_ledger(source, &tables::take_ledger(columns)?)?);
            ledger.rows(add).with_context(|| of("ledger"))?;
        }
        Ok(fold.finish())
    }

    /// The source and the file name of each partition that has a ledger, sorted.
    fn ledgers(&self) -> anyhow::Result<Vec<(String, String)>> {
        let root = self.root.join("ledger");
        let unreadable = |error: io::Error| {
            anyhow!("cannot read {}: {error}; name a folder that `apidisc-tui facts` wrote", root.display())
        };
        let mut found = Vec::new();
        for folder in fs::read_dir(&root).map_err(unreadable)? {
            let folder = folder.map_err(unreadable)?;
            let name = folder.file_name().to_string_lossy().into_owned();
            let Some(source) = name.strip_prefix("source=") else { continue };
            for file in fs::read_dir(folder.path()).map_err(unreadable)? {
                let name = file.map_err(unreadable)?.file_name().to_string_lossy().into_owned();
                if name.ends_with(".parquet") && !name.starts_with('.') {
                    found.push((source.to_owned(), name));
                }
            }
        }
        found.sort();
        if found.is_empty() {
            bail!("there are no facts in {}; make them with `apidisc-tui facts -o DIR`", self.root.display());
        }
        Ok(found)
    }

    fn named(&self, table: &str, source: &str, name: &str) -> String {
        self.root.join(table).join(format!("source={source}")).join(name).display().to_string()
    }

    fn open(&self, table: &str, schema: Schema, source: &str, name: &str) -> anyhow::Result<TableReader> {
        let path = self.named(table, source, name);
        let table = open_table(Path::new(&path), schema).map_err(|why| {
            anyhow!("cannot read {path}: {why}; remove it, and make the facts anew with `apidisc-tui facts`")
        })?;
        match table.metadata("schema") {
            Some(found) if found == SCHEMA.to_string() => Ok(table),
            found => bail!(
                "{path} has schema {}, this version reads {SCHEMA}; make the facts anew with `apidisc-tui facts`",
                found.unwrap_or("none").escape_debug()
            ),
        }
    }
}

fn open_table(path: &Path, schema: Schema) -> anyhow::Result<TableReader> {
    TableReader::open(RegularFile::open(path)?, schema)
}

/// The bytes of one table of a source. They are held in memory, where they take far less space than the index.
fn table_of(
    table: &str,
    schema: Schema,
    footer: &[(&str, &str)],
    facts: &Facts<'_>,
    source: u32,
) -> anyhow::Result<Vec<u8>> {
    let mut writer = TableWriter::new(table, schema, footer)?;
    match table {
        "definitions" => facts
            .definitions(source)
            .try_for_each(|fact| writer.row(|columns| tables::push_definition(columns, &fact)))?,
        "calls" => facts.calls(source, |row| writer.row(|columns| tables::push_call(columns, row)))?,
        "reads" => {
            facts.reads(source).try_for_each(|fact| writer.row(|columns| tables::push_read(columns, &fact)))?;
        }
        "uses" => {
            facts.uses(source).try_for_each(|fact| writer.row(|columns| tables::push_use(columns, &fact)))?;
        }
        _ => {
            let rows = facts.ledger(source);
            rows.iter().try_for_each(|row| writer.row(|columns| tables::push_ledger(columns, row)))?;
        }
    }
    writer.finish()
}
