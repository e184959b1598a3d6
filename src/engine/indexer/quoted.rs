//! Parses the code that is quoted in documents, and in strings and comments of code.
//!
//! A block with a syntax error is left out, so that the other blocks of the document are still read.

use std::ops::ControlFlow;

use memchr::memmem;

use super::parsed_file::Unit;
use crate::{
    diagnostic::Problem,
    documents::{self, CodeBlock, Format, Place},
    language::Language,
    link::{linked::Content, python::LinkFile, typescript::SourceFile},
    syntax::{Watch, python, typescript},
};

/// The code of all languages that a document quotes.
pub(super) fn parse_document(path: &str, text: &str, watch: &mut Watch<'_>) -> Vec<Unit> {
    let Some(format) = Format::of_document(path) else { return Vec::new() };
    let blocks = documents::blocks(text, format);
    let page = |language| {
        let blocks: Vec<_> = blocks.iter().filter(|block| block.language == language).cloned().collect();
        parse_page(Content::Document, language, blocks, watch)
    };
    Language::ALL.into_iter().filter_map(page).collect()
}

/// The examples in the docstrings, other strings or comments of a file of code.
pub(super) fn parse_examples(language: Language, text: &str, watch: &mut Watch<'_>) -> Option<Unit> {
    if !may_have_examples(language, text) {
        return None;
    }
    let mut blocks = documents::blocks(text, Format::of_examples(language));
    blocks.retain(|block| block.language == language);
    parse_page(Content::Examples, language, blocks, watch)
}

/// The facts of quoted code of one language.
pub(crate) enum QuotedFacts {
    /// The facts of the blocks one below the other, and the place of each of their lines in the document.
    Python(python::facts::FileFacts, Vec<Place>),
    /// The facts of the blocks at their lines and columns in the document.
    TypeScript(typescript::facts::FileFacts),
}

/// The facts of blocks of one language, in the order of lines; `None` if they use no code. Blocks of wrong syntax are
/// left out.
pub(crate) fn quoted_facts(language: Language, blocks: Vec<CodeBlock<'_>>) -> Option<QuotedFacts> {
    let unit = parse_page(Content::Document, language, blocks, &mut || ControlFlow::Continue(()))?;
    Some(match unit {
        Unit::Python(file) => QuotedFacts::Python(file.facts, file.places.unwrap_or_default()),
        Unit::TypeScript(file) => QuotedFacts::TypeScript(file.facts),
    })
}

/// True if a text contains a mark with which examples begin.
fn may_have_examples(language: Language, text: &str) -> bool {
    let marks: &[&str] = match language {
        Language::Python => &[">>> ", "```", "::\n", "::\r", "Example", "Usage:"],
        Language::TypeScript => &["```", "@example"],
    };
    marks.iter().any(|mark| memmem::find(text.as_bytes(), mark.as_bytes()).is_some())
}

fn parse_page(
    content: Content,
    language: Language,
    mut blocks: Vec<CodeBlock<'_>>,
    watch: &mut Watch<'_>,
) -> Option<Unit> {
    if blocks.is_empty() {
        return None;
    }
    let has_jsx = blocks.iter().any(|block| block.has_jsx);
    let mut dialect = if has_jsx { typescript::Dialect::Tsx } else { typescript::Dialect::TypeScript };
    let mut broken = None;
    let mut page = read(content, language, dialect, &blocks, SyntaxErrors::Refused, watch);
    if page.is_none() {
        let are_valid;
        (dialect, are_valid) = fitting_dialect(language, dialect, &blocks, watch);
        let mut are_valid = are_valid.into_iter();
        blocks.retain(|block| {
            let is_valid = are_valid.next().unwrap_or_default();
            if !is_valid && block.is_declared {
                broken.get_or_insert(block.opens_at);
            }
            is_valid
        });
        page = read(content, language, dialect, &blocks, SyntaxErrors::Accepted, watch);
    }
    let mut unit = page?;
    unit.set_problems(broken.map(|line| (Problem::Example, line.into())).into_iter().collect());
    (unit.uses_code() || broken.is_some()).then_some(unit)
}

/// The treatment of a page with syntax errors. A page is the text of all blocks of one language in a document.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SyntaxErrors {
    /// The page has no facts, so it is not lowered.
    Refused,
    /// The page has the facts of the code around the errors.
    Accepted,
}

/// The facts of a page, without exports and ambient declarations, which would change the rest of the program.
fn read(
    content: Content,
    language: Language,
    dialect: typescript::Dialect,
    blocks: &[CodeBlock<'_>],
    errors: SyntaxErrors,
    watch: &mut Watch<'_>,
) -> Option<Unit> {
    Some(match language {
        Language::Python => {
            let (text, places) = documents::python_page(blocks);
            let facts = match errors {
                SyntaxErrors::Refused => python::read_valid(&text, watch)?,
                SyntaxErrors::Accepted => python::read_watched(&text, watch),
            };
            Unit::Python(Box::new(LinkFile { places: Some(places), ..LinkFile::new(content, facts) }))
        }
        Language::TypeScript => {
            let text = documents::typescript_page(blocks);
            let mut facts = match errors {
                SyntaxErrors::Refused => typescript::read_accepted(&text, dialect, watch)?,
                SyntaxErrors::Accepted => typescript::read_watched(&text, dialect, false, watch),
            };
            facts.is_module = true;
            facts.exports = Vec::new();
            facts.ambient_modules = Vec::new();
            facts.global_augmentations = Vec::new();
            Unit::TypeScript(Box::new(SourceFile::new(content, facts)))
        }
    })
}

/// The dialect whose grammar accepts more blocks, and for each block whether it is valid in that dialect. Another dialect
/// than `first` is tried because documents also write JSX in blocks of `js`.
fn fitting_dialect(
    language: Language,
    first: typescript::Dialect,
    blocks: &[CodeBlock<'_>],
    watch: &mut Watch<'_>,
) -> (typescript::Dialect, Vec<bool>) {
    if language == Language::Python {
        return (first, blocks.iter().map(|block| is_valid(block, first, watch)).collect());
    }
    let mut accepted = |dialect| -> Vec<bool> {
        blocks.iter().map(|block| typescript::is_accepted(&block.text(), dialect, watch)).collect()
    };
    let count = |accepted: &[bool]| accepted.iter().filter(|is_accepted| **is_accepted).count();
    let of_first = accepted(first);
    let other = match first {
        typescript::Dialect::Tsx => typescript::Dialect::TypeScript,
        _ => typescript::Dialect::Tsx,
    };
    // No dialect can accept more than all blocks.
    let of_other = if count(&of_first) < blocks.len() { accepted(other) } else { Vec::new() };
    let (dialect, accepted) = if count(&of_other) > count(&of_first) { (other, of_other) } else { (first, of_first) };
    let are_valid = blocks.iter().zip(accepted).map(|(block, accepted)| accepted || is_valid(block, dialect, watch));
    (dialect, are_valid.collect())
}

fn is_valid(block: &CodeBlock<'_>, dialect: typescript::Dialect, watch: &mut Watch<'_>) -> bool {
    match block.language {
        Language::Python => python::is_valid(&block.text(), watch),
        Language::TypeScript => typescript::is_valid(&block.text(), dialect, watch),
    }
}
