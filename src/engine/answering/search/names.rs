//! The names of an index, stored in a few flat tables, so that matching all names reads little memory.
//!
//! A full name such as `station.agents.Agent.run(model)` is a prefix (`station.agents.`) and a label
//! (`Agent.run(model)`), which most searches are about. The simple name is the last part of the label (`run`, and
//! `model` for the parameter). Texts that several names share are stored once: prefixes, the label of a definition with
//! all its parameters, and the names of parameters.

use std::ops::Range;

use super::{SearchTarget, letters::letter_mask};

/// A name of a target. A target has two names if its public name differs from its defining name, the name by which the
/// sources define it.
#[derive(Clone, Copy)]
pub(super) struct NameRow {
    pub(super) target: SearchTarget,
    /// The position of its stem in `NameTable::stems`.
    pub stem: u32,
    /// The parameter's own name; `None` if the target is no parameter.
    pub(super) parameter: Option<ParameterNameId>,
}

/// A position in `NameTable::parameter_names`; never zero, so that an `Option` of it takes no more memory.
pub(super) type ParameterNameId = std::num::NonZeroU32;

/// The name of a module or definition. The names of a definition's parameters have the stem of the definition.
pub(super) struct NameStem {
    /// A position in `NameTable::prefixes`.
    pub(super) prefix: u32,
    /// The label's bytes in `NameTable::label_text`.
    pub(super) label: Range<u32>,
    /// The byte offset of the simple name in the label.
    pub(super) simple_name: u32,
    /// True for the defining name of a definition whose public name is in another row.
    pub(super) is_defining_name: bool,
    /// True for a public definition of the library itself. Such a definition precedes a module of the same name.
    pub(super) is_public_source: bool,
    /// True for a function that nothing calls.
    pub(super) is_uncalled_function: bool,
}

/// The text before the labels of many names.
pub(super) struct NamePrefix {
    pub(super) text: Box<str>,
    letters: u64,
}

impl NamePrefix {
    pub(super) fn new(text: &str) -> Self {
        Self { text: text.into(), letters: letter_mask(text) }
    }
}

/// The names of one index. Rows are in the order of `RowOrder`: the most likely targets of a search come first.
#[derive(Default)]
pub(super) struct NameTable {
    pub(super) rows: Vec<NameRow>,
    /// For each row: the letters in its label, one bit each.
    pub(super) label_letters: Vec<u64>,
    pub(super) stems: Vec<NameStem>,
    pub(super) prefixes: Vec<NamePrefix>,
    pub(super) parameter_names: Vec<Box<str>>,
    /// The labels of all stems, one after the other.
    pub(super) label_text: String,
    /// The two rows of each target that has two names: the defining name first, then the public name.
    pub(super) two_names: Vec<(u32, u32)>,
}

impl NameTable {
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(super) fn row(&self, row: u32) -> NameRow {
        self.rows[row as usize]
    }

    /// The letters in the label, as a bit mask: see [`letter_mask`](super::letters::letter_mask).
    pub(super) fn label_letters(&self, row: u32) -> u64 {
        self.label_letters[row as usize]
    }

    /// The letters in the full name, as a bit mask.
    pub(super) fn full_name_letters(&self, row: u32) -> u64 {
        self.label_letters(row) | self.prefixes[self.prefix_position(row)].letters
    }

    /// The text of every prefix, by position.
    pub(super) fn prefixes(&self) -> impl Iterator<Item = &str> {
        self.prefixes.iter().map(|prefix| &*prefix.text)
    }

    pub(super) fn prefix_position(&self, row: u32) -> usize {
        self.stem(row).prefix as usize
    }

    pub(super) fn prefix(&self, row: u32) -> &str {
        &self.prefixes[self.prefix_position(row)].text
    }

    /// The label without the parentheses around a parameter: the label of the stem, then the parameter's name.
    pub(super) fn label_parts(&self, row: u32) -> [&[u8]; 2] {
        [self.stem_label(row).as_bytes(), self.parameter_name(row).unwrap_or("").as_bytes()]
    }

    /// The label. The label of a parameter is assembled in `buffer`.
    pub(super) fn label<'t>(&'t self, row: u32, buffer: &'t mut String) -> &'t str {
        if self.row(row).parameter.is_none() {
            return self.stem_label(row);
        }
        buffer.clear();
        self.push_label(row, buffer);
        buffer
    }

    /// The full name, written to `buffer`.
    pub(super) fn full_name<'t>(&self, row: u32, buffer: &'t mut String) -> &'t str {
        buffer.clear();
        buffer.push_str(self.prefix(row));
        self.push_label(row, buffer);
        buffer
    }

    /// The last part of the label. For a parameter, this is the parameter's own name.
    pub(super) fn simple_name(&self, row: u32) -> &str {
        self.parameter_name(row).unwrap_or_else(|| &self.stem_label(row)[self.stem(row).simple_name as usize..])
    }

    /// True if the label has one part only.
    pub(super) fn is_label_simple(&self, row: u32) -> bool {
        self.row(row).parameter.is_none() && self.stem(row).simple_name == 0
    }

    /// True for public definitions of the library itself, false for their parameters.
    pub(super) fn is_public_source(&self, row: u32) -> bool {
        self.row(row).parameter.is_none() && self.stem(row).is_public_source
    }

    /// True for a function that nothing calls, and for its parameters.
    pub(super) fn is_uncalled_function(&self, row: u32) -> bool {
        self.stem(row).is_uncalled_function
    }

    /// The number of targets with two names that both satisfy `is_matched`.
    pub(super) fn count_matched_twice(&self, is_matched: impl Fn(u32) -> bool) -> usize {
        self.two_names.iter().filter(|(defining, public)| is_matched(*defining) && is_matched(*public)).count()
    }

    fn push_label(&self, row: u32, text: &mut String) {
        text.push_str(self.stem_label(row));
        if let Some(name) = self.parameter_name(row) {
            text.extend(["(", name, ")"]);
        }
    }

    fn stem_label(&self, row: u32) -> &str {
        self.label_of(self.stem(row))
    }

    pub(super) fn label_of(&self, stem: &NameStem) -> &str {
        &self.label_text[stem.label.start as usize..stem.label.end as usize]
    }

    fn parameter_name(&self, row: u32) -> Option<&str> {
        Some(&self.parameter_names[self.row(row).parameter?.get() as usize])
    }

    pub(super) fn stem(&self, row: u32) -> &NameStem {
        &self.stems[self.rows[row as usize].stem as usize]
    }
}
