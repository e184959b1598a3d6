//! `discover`: prints the symbols, recipes, sections of documents and parts of API documents that serve an intent.

use std::{fmt::Write as _, path::PathBuf, sync::Arc};

use clap::ValueEnum;

use super::{
    AskedPackage, Input, docs,
    input::NOTHING_FOUND,
    output,
    terminal_text::{self, write_json},
};
use crate::{
    cache::{Cache, Corpora},
    models,
};
use apidisc::{
    answers::SymbolTable,
    delivery::fenced_as,
    discover::{Discover, DiscoverResponse, DiscoverResult, ExternalEntries, ResultType, Searched, discover},
    http::UsedApis,
    language::Language,
    source::reread,
    usage::WrittenShare,
};

/// The width of the column of names, in cells.
const NAME_WIDTH: usize = 36;

/// Prints the search results for an intent.
#[derive(Clone, Debug, PartialEq)]
pub struct PrintDiscovered {
    /// The intent, and which results are wanted.
    pub request: Discover,
    /// The input.
    pub input: Input,
    /// The folder or file of API documents; `None` for those of the input.
    pub docs: Option<PathBuf>,
    /// The package that the intent is about.
    pub package: AskedPackage,
    /// The cache of facts; `None` to go without.
    pub cache: Option<Cache>,
    /// The folder of a model of word vectors; `None` for the model that is part of the program.
    pub model: Option<PathBuf>,
    /// The form of the output.
    pub format: DiscoverFormat,
    /// Report every file that could not be read in full.
    pub verbose: bool,
}

/// The form of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DiscoverFormat {
    /// A few lines per result
    Text,
    /// One object: results with their scores, and their numbers
    Json,
    /// A list of Markdown, with the code of recipes
    Markdown,
}

impl PrintDiscovered {
    /// Indexes the input, searches and prints.
    ///
    /// # Errors
    /// For an empty intent, and if nothing can be indexed.
    pub fn run(&self) -> anyhow::Result<()> {
        self.input.check_order(&self.request.intent)?;
        let model = models::open(self.model.as_deref())?;
        let docs = self.docs.as_deref();
        let mut request = self.request.clone();
        let read = self.package.read(&self.input, self.cache.as_ref(), self.verbose)?;
        let (index, source, documents) = if let Some((read, package)) = read {
            request.package = Some(package);
            (read.index, Some(read.source), None)
        } else {
            let (index, source, documents) =
                self.input.load_beside(self.cache.as_ref(), |source| docs::documents(docs, source))?;
            (index, source, documents?)
        };
        if self.input.is_empty(&index) && documents.is_none() {
            anyhow::bail!(NOTHING_FOUND);
        }
        let index = Arc::new(index);
        let read = |path: &str| source.as_ref().and_then(|source| reread(source, path));
        let symbols = Arc::new(SymbolTable::new(Arc::clone(&index)));
        let corpora = Corpora { cache: self.cache.clone(), model };
        let corpus = match &source {
            Some(source) => corpora.get(source, &symbols),
            None => corpora.make(&symbols, &read),
        };
        let apis = documents.map(|documents| UsedApis::new(documents, &index));
        let external = apis.as_ref().map(|apis| apis as &dyn ExternalEntries);
        let found = discover(Searched { corpus: &corpus, external }, &read, &request)?;
        output::write(None, |out| match self.format {
            DiscoverFormat::Text => out.write_all(text(&found).as_bytes()),
            DiscoverFormat::Markdown => {
                let language = |found: &DiscoverResult| {
                    let first = corpus.symbols().find(found.symbols.first()?).ok()?;
                    Some(index.definition(first).language)
                };
                out.write_all(markdown(&found, language).as_bytes())
            }
            DiscoverFormat::Json => {
                write_json(out, &found)?;
                out.write_all(b"\n")
            }
        })?;
        if let Some(apis) = &apis {
            docs::report(&apis.documents, self.verbose);
        }
        if self.input.is_empty(&index) {
            return Ok(());
        }
        self.input.report(&index, self.verbose)
    }
}

/// The number of results, or the reason for which there is no result.
fn head(found: &DiscoverResponse) -> String {
    let meta = &found.meta;
    match &meta.reason {
        Some(reason) => reason.clone(),
        None if meta.returned_count < meta.total_found => {
            format!("{} of {} results; --limit gives more", meta.returned_count, meta.total_found)
        }
        None if meta.total_found == 1 => "1 result".to_owned(),
        None => format!("{} results", meta.total_found),
    }
}

/// A few lines per result: its score, name, type and place; below them its description, code and symbols.
fn text(found: &DiscoverResponse) -> String {
    let mut text = format!("{}\n", terminal_text::line(&head(found)));
    for result in &found.results {
        text.push('\n');
        let line = format!("{:.2}  {:NAME_WIDTH$}  {}", result.score, result.name, about(result).join(" · "));
        let _ = writeln!(text, "{}", terminal_text::line(line.trim_end()));
        let mut below = |line: &str| {
            let _ = writeln!(text, "      {}", terminal_text::line(line));
        };
        if !result.description.is_empty() && result.kind != ResultType::Recipe {
            below(&result.description);
        }
        for line in result.code_snippet.iter().flat_map(|code| code.lines()) {
            below(line);
        }
        for line in lists(result) {
            below(&line);
        }
    }
    text
}

/// A list of Markdown, with the code of symbols and recipes in fences. `language` returns the language of the first
/// symbol of a recipe.
fn markdown(found: &DiscoverResponse, language: impl Fn(&DiscoverResult) -> Option<Language>) -> String {
    let mut text = format!("{}\n", terminal_text::line(&head(found)));
    for result in &found.results {
        let name = terminal_text::line(&result.name).replace('`', "'");
        let _ =
            write!(text, "\n- **`{name}`** ({:.2}) {}", result.score, terminal_text::line(&about(result).join(", ")));
        if !result.description.is_empty() {
            let _ = write!(text, "  \n  {}", terminal_text::line(&result.description));
        }
        for line in lists(result) {
            let _ = write!(text, "  \n  {}", terminal_text::line(&line));
        }
        text.push('\n');
        if let Some(code) = &result.code_snippet {
            // The path may be that of a document, which has no language.
            let of_path = result.path.as_deref().and_then(Language::of_path);
            let language = of_path.or_else(|| language(result)).map_or("", Language::fence);
            text.push('\n');
            fenced_as(&format!("{}\n", code.trim_end_matches('\n')), language).lines().for_each(|line| {
                let _ = writeln!(text, "  {line}");
            });
        }
    }
    text
}

/// The type of a result, its place, its uses, the share of the uses that are meant to work, and a mark if the result is
/// deprecated.
fn about(result: &DiscoverResult) -> Vec<String> {
    let mut about = vec![result.symbol_kind.unwrap_or(result.kind.word()).to_owned()];
    if let (Some(path), Some(line)) = (&result.path, result.line) {
        about.push(format!("{path}:{line}"));
    }
    match result.usage_count {
        None | Some(0) => {}
        Some(1) => about.push("1 use".to_owned()),
        Some(uses) => about.push(format!("{uses} uses")),
    }
    if result.is_deprecated {
        about.push("deprecated".to_owned());
    } else if let Some(rate) = result.success_rate.filter(|rate| *rate < 1.0) {
        about.push(format!("{} succeed", percentage(rate)));
    }
    about
}

/// A share in percent. Rounding never makes it "none" or "all".
fn percentage(share: f64) -> String {
    match WrittenShare::new((share * 1_000.0).round() as u32, 1_000) {
        Some(WrittenShare::Percent(percent)) => format!("{percent}%"),
        Some(WrittenShare::NearlyNone) => "<1%".to_owned(),
        Some(WrittenShare::NearlyAll) | None => ">99%".to_owned(),
    }
}

/// The lists of a result: the members of a class that match, the symbols that a document shows, the callees before and
/// after a symbol, and the id of a part of an API document.
fn lists(result: &DiscoverResult) -> Vec<String> {
    let mut lines = Vec::new();
    if result.is_of_api() {
        lines.push(format!("chunk {}", result.id));
    }
    if !result.symbols.is_empty() && result.kind != ResultType::Recipe {
        let word = if result.kind == ResultType::Doc { "shows" } else { "also" };
        lines.push(format!("{word} {}", result.listed_symbols().join(", ")));
    }
    for relation in ["often_before", "often_after"] {
        let related = result.related.iter().filter(|related| related.relation == relation);
        let names: Vec<&str> = related.map(|related| related.name.as_str()).collect();
        if !names.is_empty() {
            lines.push(format!("{}: {}", relation.replace('_', " "), names.join(", ")));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::percentage;

    #[test]
    fn rounding_makes_no_share_all_or_nothing() {
        assert_eq!([0.0, 0.004, 0.016, 0.5, 0.994, 0.998].map(percentage), ["0%", "<1%", "2%", "50%", "99%", ">99%"]);
    }
}
