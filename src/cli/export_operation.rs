//! `--export --docs FILE`: the stub of an operation of an API document, cut by the calls in the sources, or the content
//! of another part, such as a schema.

use std::{path::PathBuf, thread};

use anyhow::bail;
use serde::Serialize;

use super::{Input, export, input::report_problems, note, output};
use crate::cache::Cache;
use apidisc::{
    http::{ApiUses, OperationId, UnknownOperation, find_operation, find_part, operation_stub, part_text},
    openapi::{ApiDocuments, Chunks},
    source::Source,
    tokens::{Encoding, Tokenizer},
};

/// Prints the stub of an operation, or the content of another part of API documents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportOperation {
    /// The sources whose calls and routes count.
    pub input: Input,
    /// The cache of facts; `None` to go without.
    pub cache: Option<Cache>,
    /// The file or folder with API documents.
    pub documents: PathBuf,
    /// The operation, by its method and path or its id; a schema or another component by its name; any part by the id
    /// of its chunk.
    pub symbol: String,
    /// The budget; `None` for everything.
    pub max_tokens: Option<usize>,
    /// The encoding that counts.
    pub encoding: Encoding,
    /// Print one JSON object that holds the stub.
    pub json: bool,
    /// The file to write; standard output if `None`.
    pub output: Option<PathBuf>,
    /// Copy the same bytes to the clipboard too.
    pub copy: bool,
    /// Report every file that could not be read in full.
    pub verbose: bool,
}

impl ExportOperation {
    /// Reads the documents, indexes the sources and prints the stub.
    pub fn run(&self) -> anyhow::Result<()> {
        let encoding = self.encoding;
        // Loading a tokenizer takes 0.1 to 0.2 s, so it runs in parallel with indexing.
        thread::spawn(move || Tokenizer::load(encoding));
        let shown = self.documents.display();
        let documents = ApiDocuments::read(&Source::Folder(self.documents.clone()))?;
        if self.verbose {
            documents.diagnostics.iter().for_each(|problem| note(&problem.to_string()));
        }
        if documents.is_empty() {
            bail!("{shown} holds no OpenAPI document that can be read; name a file or folder with one");
        }
        match find_operation(&documents, &self.symbol) {
            Ok(id) => self.operation(&documents, id),
            Err(unknown) => self.part(&documents, unknown),
        }
    }

    /// Indexes the sources and prints the stub of an operation.
    fn operation(&self, documents: &ApiDocuments, id: OperationId) -> anyhow::Result<()> {
        let index = self.input.load(self.cache.as_ref())?;
        let uses = ApiUses::new(documents, &index);
        let tokenizer = Tokenizer::load(self.encoding);
        let stub = operation_stub(documents, id, Some((&index, &uses)), self.max_tokens, &tokenizer)?;
        self.write(&stub, &stub.text, stub.tokens)?;
        // Documents are a whole input: a folder without code has no calls to count, and nothing is missing.
        report_problems(&index, self.verbose)
    }

    /// Prints the content of a part that is no operation. The sources are not indexed, since they do not use it.
    fn part(&self, documents: &ApiDocuments, unknown: UnknownOperation) -> anyhow::Result<()> {
        let chunks = Chunks::new(documents);
        let Some(at) = find_part(&chunks, &self.symbol) else { return Err(unknown.into()) };
        let part = part_text(documents, &chunks, at, self.max_tokens, &Tokenizer::load(self.encoding))?;
        self.write(&part, &part.text, part.tokens)
    }

    fn write(&self, data: &impl Serialize, text: &str, tokens: usize) -> anyhow::Result<()> {
        let json = if self.json { Some(serde_json::to_string_pretty(data)? + "\n") } else { None };
        let text = json.as_deref().unwrap_or(text);
        output::write(self.output.as_deref(), |out| out.write_all(text.as_bytes()))?;
        if self.copy {
            export::copy(text, tokens)?;
        }
        Ok(())
    }
}
