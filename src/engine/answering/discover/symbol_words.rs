//! The words of a definition by field, as the corpus indexes them.

use super::stems::Stems;
use crate::terms::{DocumentTermsBuilder, Field, is_stop_word, words};
use apidisc_base::language::QualifiedName;
use apidisc_facts::program::DefinitionKind;
use apidisc_indexing::index::{Definition, Index};

/// The field of own names, of headings, and of the parameters of a recipe.
pub(super) const NAME: usize = 0;
/// The field of names around: of modules and classes, and of outer headings.
pub(super) const CONTAINERS: usize = 1;
/// The field of the names of parameters, and of the attributes of a class.
pub(super) const PARAMETERS: usize = 2;
/// The field of summaries.
pub(super) const SUMMARY: usize = 3;
/// The field of the other documentation, and of the text of sections.
pub(super) const TEXT: usize = 4;
/// The field of types, default values, bases and decorators.
pub(super) const TYPES: usize = 5;
/// The field of the names of callers.
pub(super) const CALLERS: usize = 6;
/// The field of the headings of sections that show the symbol.
pub(super) const PAGES: usize = 7;
/// The field of the paragraphs that introduce code which calls the symbol.
pub(super) const CAPTIONS: usize = 8;

/// The field of the code of functions, without their docstrings, and of the code in sections.
pub(super) const CODE: usize = 9;

/// The fields of an entry of the corpus. A recipe and a section of a document have some of them only.
pub(super) const FIELDS: [Field; 10] = [
    Field { weight: 5.0, b: 0.5 },
    Field { weight: 1.5, b: 0.5 },
    Field { weight: 1.0, b: 0.75 },
    Field { weight: 2.5, b: 0.6 },
    Field { weight: 1.0, b: 0.75 },
    Field { weight: 0.6, b: 0.75 },
    Field { weight: 0.6, b: 0.75 },
    Field { weight: 1.2, b: 0.75 },
    Field { weight: 0.6, b: 0.75 },
    Field { weight: 0.3, b: 0.75 },
];

/// The longest part of one text that is indexed, in bytes.
const LONGEST_TEXT: usize = 4_000;

/// Collects the words of texts as stems.
pub(super) struct WordCollector {
    pub(super) builder: DocumentTermsBuilder<10>,
    pub(super) stems: Stems,
}

impl WordCollector {
    pub(super) fn new() -> Self {
        Self { builder: DocumentTermsBuilder::new(FIELDS), stems: Stems::default() }
    }

    /// Adds the words of a name.
    pub(super) fn name(&mut self, field: usize, name: &str) {
        words(name).for_each(|word| self.builder.add(field, self.stems.of(&word)));
    }

    /// Adds the words of the name of an entry itself. Two neighbouring words are added as one word, too, if any text
    /// has that word: the name `upgradeWebSocket` has the word `websocket`.
    pub(super) fn own_name(&mut self, name: &str) {
        let mut last: Option<String> = None;
        for word in words(name) {
            if let Some(last) = last {
                self.builder.add_if_known(NAME, self.stems.of(&(last + &word)));
            }
            self.builder.add(NAME, self.stems.of(&word));
            last = Some(word);
        }
    }

    /// Adds the words of a text, without those that say nothing about code.
    pub(super) fn text(&mut self, field: usize, text: &str) {
        for word in words(&text[..text.floor_char_boundary(LONGEST_TEXT)]) {
            if !is_stop_word(&word) {
                self.builder.add(field, self.stems.of(&word));
            }
        }
    }
}

/// Adds the names of a definition, and the names of the classes and modules around the definition.
pub(super) fn add_names(collector: &mut WordCollector, definition: &Definition) {
    definition.last_names().for_each(|name| collector.own_name(name));
    collector.name(CONTAINERS, QualifiedName::new(&definition.alias, definition.language).container_and_name().0);
}

/// Adds the words of a definition's declaration: parameters, types, values, and documentation beside the docstring.
pub(super) fn add_declaration(collector: &mut WordCollector, index: &Index, definition: &Definition) {
    if let Some(signature) = &definition.signature {
        for parameter in &signature.parameters {
            collector.name(PARAMETERS, &parameter.name);
            let types = [&parameter.annotation, &parameter.default];
            types.into_iter().flatten().for_each(|text| collector.text(TYPES, text));
        }
        signature.returns.iter().for_each(|returns| collector.text(TYPES, returns));
    }
    let types = [&definition.annotation, &definition.value];
    types.into_iter().flatten().chain(&definition.bases).chain(&definition.decorators).for_each(|text| {
        collector.text(TYPES, text);
    });
    if let Some(documentation) = &definition.documentation {
        for described in documentation.parameters.iter().chain(&documentation.raises) {
            collector.text(TEXT, &described.name);
            collector.text(TEXT, &described.text);
        }
        let texts = [&documentation.returns, &documentation.deprecated];
        texts.into_iter().flatten().for_each(|text| collector.text(TEXT, text));
    }
    // The names of the fields of a class, and of the members of an enum, describe the class.
    for member in definition.members.iter().map(|member| index.definition(*member)) {
        if matches!(member.kind, DefinitionKind::Attribute) {
            collector.name(PARAMETERS, &member.name);
            member.summary.iter().for_each(|summary| collector.text(TEXT, summary));
        }
    }
}
