//! Components of Vue: `<script>`, `<script setup>` and `<template>`.

use std::ops::Range;

use rustc_hash::FxHashSet;

use super::{
    Program, ScriptLanguage,
    code::words,
    markup::{Piece, Tag, end_of_raw, piece_at},
    props::{Props, setup_props},
    vue_options::{OPTIONS, Options, options},
    vue_template::Template,
    writer::Writer,
};

/// A block of the file.
struct Block {
    tag: Tag,
    body: Range<usize>,
}

/// The blocks of a file, in order.
fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut at = 0;
    while let Some(next) = memchr::memchr(b'<', &text.as_bytes()[at..]) {
        match piece_at(text, at + next, false) {
            Piece::Other(end) => at = end,
            Piece::Tag(tag) => {
                at = tag.end;
                if tag.is_closing || tag.is_self_closed {
                    continue;
                }
                let name = &text[tag.name.clone()];
                let end = if name == "template" { end_of_template(text, at) } else { end_of_raw(text, at, name) };
                at = end;
                blocks.push(Block { body: tag.end..end, tag });
            }
        }
    }
    blocks
}

/// Where the template whose content begins at `at` is closed. Templates may stand in it.
fn end_of_template(text: &str, mut at: usize) -> usize {
    let mut open = 1;
    while let Some(next) = memchr::memchr(b'<', &text.as_bytes()[at..]) {
        let start = at + next;
        match piece_at(text, start, false) {
            Piece::Other(end) => at = end,
            Piece::Tag(tag) => {
                at = tag.end;
                if &text[tag.name.clone()] != "template" {
                    continue;
                }
                open = if tag.is_closing { open - 1 } else { open + usize::from(!tag.is_self_closed) };
                if open == 0 {
                    return start;
                }
            }
        }
    }
    text.len()
}

/// The scripts of a file.
pub(super) fn scripts(text: &str) -> Vec<Range<usize>> {
    let scripts = blocks(text).into_iter().filter(|block| &text[block.tag.name.clone()] == "script");
    scripts.map(|block| block.body).collect()
}

/// The program of a component. Without `has_elements` it has no JSX.
pub(super) fn program(text: &str, has_elements: bool) -> Option<Program> {
    let blocks = blocks(text);
    let scripts = || blocks.iter().filter(|block| &text[block.tag.name.clone()] == "script");
    let is_setup = |block: &&Block| block.tag.attribute(text, "setup").is_some();
    let setup = scripts().find(is_setup);
    let plain = scripts().find(|block| !is_setup(block));
    let language = ScriptLanguage::of_tag(scripts().find_map(|block| block.tag.value(text, "lang")))?;
    let mut writer = Writer::new(text);
    let mut options = plain.and_then(|block| options(text, block.body.clone()));
    if let Some(block) = plain {
        write_plain(&mut writer, block.body.clone(), options.as_ref());
    }
    let props = if let Some(block) = setup {
        writer.source(block.body.clone());
        options = None;
        let generic = block.tag.attribute(text, "generic").and_then(|attribute| attribute.value.clone());
        Props { type_params: generic, ..setup_props(text, block.body.clone()) }
    } else if let Some(options) = &mut options {
        std::mem::take(&mut options.props)
    } else if plain.is_some() {
        // A component of another form, such as a class.
        return Some(Program::new(writer, language));
    } else {
        Props::default()
    };
    props.write_head(&mut writer);
    let template = blocks.iter().find(|block| &text[block.tag.name.clone()] == "template");
    let template = template.filter(|block| block.tag.value(text, "lang").is_none_or(|lang| lang == "html"));
    if let Some(block) = template {
        let words: FxHashSet<&str> = scripts().flat_map(|block| words(text, block.body.clone())).collect();
        let mut template = Template { text, writer, words, options, has_elements, open: Vec::new() };
        template.read(block.body.clone());
        writer = template.writer;
    }
    writer.code("}", text.len());
    Some(Program::new(writer, language))
}

/// Writes a script whose default export is the options of the component.
fn write_plain(writer: &mut Writer<'_>, body: Range<usize>, options: Option<&Options>) {
    let Some(options) = options else { return writer.source(body) };
    writer.source(body.start..options.export.start);
    writer.code(&format!("const {OPTIONS} ="), options.export.start);
    writer.source(options.export.end..body.end);
}
