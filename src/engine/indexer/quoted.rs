//! Parses the code that documents, and strings and comments of code, quote.
//!
//! Code that is not valid syntax is left out block by block, so that one broken example does not spoil the others of
//! its page.

use memchr::memmem;

use super::parsed_file::Unit;
use crate::{
    diagnostic::Problem,
    documents::{self, CodeBlock, Format},
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
    let dialect = if has_jsx { typescript::Dialect::Tsx } else { typescript::Dialect::TypeScript };
    let mut broken = None;
    let mut unit = read(content, language, dialect, &blocks, watch);
    if has_errors(unit.problems()) {
        let (dialect, valid) = fitting_dialect(dialect, &blocks, watch);
        let declared = blocks.iter().zip(&valid).filter(|(block, _)| block.is_declared);
        broken = declared.into_iter().find(|(_, is_valid)| !**is_valid).map(|(block, _)| block.opens_at);
        let mut valid = valid.into_iter();
        blocks.retain(|_| valid.next() == Some(true));
        unit = read(content, language, dialect, &blocks, watch);
    }
    unit.set_problems(broken.map(|line| (Problem::Example, line)).into_iter().collect());
    (unit.uses_code() || broken.is_some()).then_some(unit)
}

/// The facts of a page. Declarations that would change the rest of the program are left out.
fn read(
    content: Content,
    language: Language,
    dialect: typescript::Dialect,
    blocks: &[CodeBlock<'_>],
    watch: &mut Watch<'_>,
) -> Unit {
    match language {
        Language::Python => {
            let (text, places) = documents::python_page(blocks);
            let facts = python::read_watched(&text, watch);
            Unit::Python(Box::new(LinkFile { places: Some(places), ..LinkFile::new(content, facts) }))
        }
        Language::TypeScript => {
            let text = documents::typescript_page(blocks);
            let mut facts = typescript::read_watched(&text, dialect, false, watch);
            facts.is_module = true;
            facts.exports = Vec::new();
            facts.ambient_modules = Vec::new();
            facts.global_augmentations = Vec::new();
            Unit::TypeScript(Box::new(SourceFile::new(content, facts)))
        }
    }
}

/// The dialect in which more blocks are valid, and for each block whether it is. Documents write JSX in blocks of `js`,
/// too. Blocks of Python have no dialect.
fn fitting_dialect(
    first: typescript::Dialect,
    blocks: &[CodeBlock<'_>],
    watch: &mut Watch<'_>,
) -> (typescript::Dialect, Vec<bool>) {
    let other = match first {
        typescript::Dialect::Tsx => typescript::Dialect::TypeScript,
        _ => typescript::Dialect::Tsx,
    };
    let mut valid = |dialect| -> Vec<bool> { blocks.iter().map(|block| is_valid(block, dialect, watch)).collect() };
    let count = |valid: &[bool]| valid.iter().filter(|is_valid| **is_valid).count();
    let in_first = valid(first);
    if blocks.iter().all(|block| block.language == Language::Python) || count(&in_first) == blocks.len() {
        return (first, in_first);
    }
    let in_other = valid(other);
    if count(&in_other) > count(&in_first) { (other, in_other) } else { (first, in_first) }
}

fn is_valid(block: &CodeBlock<'_>, dialect: typescript::Dialect, watch: &mut Watch<'_>) -> bool {
    let problems = match block.language {
        Language::Python => python::read_watched(&block.text(), watch).problems,
        Language::TypeScript => typescript::read_watched(&block.text(), dialect, false, watch).problems,
    };
    !has_errors(&problems)
}

fn has_errors(problems: &[(Problem, u32)]) -> bool {
    problems.iter().any(|(problem, _)| matches!(problem, Problem::Syntax | Problem::TooSlow))
}
