//! Parses the code that is quoted in documents, and in strings and comments of code.
//!
//! A block with a syntax error is left out, so that the other blocks of the document are still read.

use std::ops::ControlFlow;

use memchr::memmem;

use super::parsed_file::Unit;
use apidisc_base::{
    diagnostic::Problem,
    language::{Framework, Language},
};
use apidisc_facts::{
    components,
    documents::{self, CodeBlock, Format, Place},
    syntax::{Watch, python, typescript},
};
use apidisc_link::{linked::Content, python::LinkFile, typescript::SourceFile};

/// The code of all languages that a document quotes.
pub(super) fn parse_document(path: &str, text: &str, watch: &mut Watch<'_>) -> Vec<Unit> {
    let Some(format) = Format::of_document(path) else { return Vec::new() };
    let blocks = documents::blocks(text, format);
    let page = |language| {
        let blocks: Vec<_> = blocks.iter().filter(|block| block.language == language).cloned().collect();
        parse_page(Content::Document, language, &blocks, watch)
    };
    Language::ALL.into_iter().filter_map(page).collect()
}

/// The elements and imports of a page of MDX. They are read as examples, whose names no other file can import.
pub(super) fn parse_elements(path: &str, text: &str, watch: &mut Watch<'_>) -> Option<Unit> {
    let framework = Framework::of_path(path)?;
    let mut facts = components::read(framework, text, watch)?;
    facts.exports = Vec::new();
    let unit = Unit::TypeScript(Box::new(SourceFile::new(Content::Examples, facts)));
    unit.uses_code().then_some(unit)
}

/// The examples in the docstrings, other strings or comments of a file of code.
pub(super) fn parse_examples(language: Language, text: &str, watch: &mut Watch<'_>) -> Option<Unit> {
    if !may_have_examples(language, text) {
        return None;
    }
    let mut blocks = documents::blocks(text, Format::of_examples(language));
    blocks.retain(|block| block.language == language);
    parse_page(Content::Examples, language, &blocks, watch)
}

/// The facts of quoted code of one language.
pub enum QuotedFacts {
    /// The facts of the blocks one below the other, and the place of each of their lines in the document.
    Python(python::facts::FileFacts, Vec<Place>),
    /// The facts of the blocks at their lines and columns in the document.
    TypeScript(typescript::facts::FileFacts),
}

/// The facts of blocks of one language, in the order of lines; `None` if they use no code. Blocks of wrong syntax are
/// left out.
pub fn quoted_facts(language: Language, blocks: &[CodeBlock<'_>]) -> Option<QuotedFacts> {
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

fn parse_page(content: Content, language: Language, blocks: &[CodeBlock<'_>], watch: &mut Watch<'_>) -> Option<Unit> {
    if blocks.is_empty() {
        return None;
    }
    let (mut unit, are_valid) = match language {
        Language::Python => python_unit(content, blocks, watch),
        Language::TypeScript => typescript_unit(content, blocks, watch),
    };
    let broken = blocks.iter().zip(are_valid).find(|(block, is_valid)| !is_valid && block.is_declared);
    let broken = broken.map(|(block, _)| block.opens_at);
    unit.set_problems(broken.map(|line| (Problem::Example, line.into())).into_iter().collect());
    (unit.uses_code() || broken.is_some()).then_some(unit)
}

/// The facts of blocks, and for each block whether it is valid.
fn python_unit(content: Content, blocks: &[CodeBlock<'_>], watch: &mut Watch<'_>) -> (Unit, Vec<bool>) {
    let (page, places) = documents::python_page(blocks);
    let (facts, are_valid) = python::read_parts(&page.text, &page.blocks, watch);
    let file = LinkFile { places: Some(places), ..LinkFile::new(content, facts) };
    (Unit::Python(Box::new(file)), are_valid)
}

/// The facts of blocks, without exports and ambient declarations, which would change the rest of the program, and for
/// each block whether it is valid.
fn typescript_unit(content: Content, blocks: &[CodeBlock<'_>], watch: &mut Watch<'_>) -> (Unit, Vec<bool>) {
    let page = documents::typescript_page(blocks);
    let has_jsx = blocks.iter().any(|block| block.has_jsx);
    let dialect = if has_jsx { typescript::Dialect::Tsx } else { typescript::Dialect::TypeScript };
    let (mut facts, are_valid) = typescript::read_nested_parts(&page.text, &page.blocks, dialect, watch);
    facts.is_module = true;
    facts.exports = Vec::new();
    facts.ambient_modules = Vec::new();
    facts.global_augmentations = Vec::new();
    (Unit::TypeScript(Box::new(SourceFile::new(content, facts))), are_valid)
}
