//! Reads `api_metadata.yaml`: the full form, which [`super::write`] writes, and the bare form.

use compact_str::CompactString;

use super::{
    document::{MetadataDocument, MetadataEntry, MetadataHeader, OLDEST_SCHEMA, SCHEMA},
    index_builder::{MetadataIndexBuilder, language},
    nesting::too_deep,
};
use crate::{index::Index, usage::Weights};
use apidisc_base::{language::QualifiedName, sort::SharedSort as _};

/// Why a text is no `api_metadata.yaml`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MetadataError {
    /// The text is not YAML, a value has the wrong type, or numbers contradict each other.
    #[error("{}{message}; mend it, or write the file anew with `apidisc-tui index PATH -o FILE`", line_number(*.line))]
    Malformed {
        /// The line, from 1, if it is known.
        line: Option<usize>,
        /// The problem, without control characters.
        message: String,
    },
    /// The end of the file is missing.
    #[error("the file is cut off: {0}; write it anew with `apidisc-tui index PATH -o FILE`")]
    CutOff(String),
    /// The file was written by another version.
    #[error(
        "the file has schema {found}, this version reads {SCHEMA}; write it anew with `apidisc-tui index PATH -o FILE`"
    )]
    Schema {
        /// The schema of the file.
        found: u32,
    },
}

fn line_number(line: Option<usize>) -> String {
    line.map(|line| format!("line {line}: ")).unwrap_or_default()
}

/// Reads the text of a file into an index. The index has no call sites, and no definitions below the usage threshold of
/// the file.
///
/// # Errors
/// [`MetadataError`] with the line and the problem.
pub fn read(text: &str) -> Result<Index, MetadataError> {
    if let Some(line) = too_deep(text) {
        let message = "lists or maps are nested without end".to_owned();
        return Err(MetadataError::Malformed { line: Some(line), message });
    }
    let document: MetadataDocument = serde_yaml::from_str(text).map_err(|error| {
        let line = error.location().map(|location| location.line());
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        let message = in_words(message);
        MetadataError::Malformed {
            line,
            message: message.escape_debug().to_string().replace("\\\"", "\"").replace("\\'", "'"),
        }
    })?;
    check_whole(text, &document)?;
    let weights =
        document.meta.as_ref().and_then(|meta| meta.weights.as_deref()).map(str::parse::<Weights>).transpose();
    let weights = weights.map_err(|error| MetadataError::Malformed { line: None, message: error.to_string() })?;
    let weights = weights.unwrap_or_default();
    let mut builder = MetadataIndexBuilder::new(document.meta.as_ref(), &weights);
    // Classes are added before their members.
    let mut entries: Vec<(&CompactString, &MetadataEntry)> = document.entries.iter().collect();
    entries.shared_sort_by_key(|(fqn, entry)| QualifiedName::new(fqn, language(fqn, entry)).depth());
    let malformed = |fqn: &CompactString, message: String| {
        let key = format!("{fqn}:");
        let line = text.lines().position(|line| line.trim_start().starts_with(&key)).map(|at| at + 1);
        MetadataError::Malformed { line, message: format!("`{}` {message}", fqn.escape_debug()) }
    };
    for (fqn, module) in document.meta.iter().flat_map(|meta| &meta.modules) {
        builder.add_module(fqn, module).map_err(|message| malformed(fqn, message))?;
    }
    for (fqn, entry) in entries {
        builder.add(fqn, entry).map_err(|message| malformed(fqn, message))?;
    }
    let index = builder.finish(document.meta);
    Ok(Index { weights, ..index })
}

/// A message of the YAML library with words for the names of types.
fn in_words(message: &str) -> String {
    let words = [
        ("expected u32", "expected a whole number up to 4294967295"),
        ("expected f64", "expected a number"),
        ("expected a boolean", "expected true or false"),
        ("expected a sequence", "expected a list"),
        ("expected a map", "expected keys with values"),
        ("unit value", "an empty value"),
        ("missing field", "missing key"),
        ("unknown variant", "unknown word"),
    ];
    words.into_iter().fold(message.to_owned(), |message, (name, word)| message.replace(name, word))
}

/// Checks that the file is whole. The bare form has no `$meta`, and nothing says where it ends.
fn check_whole(text: &str, document: &MetadataDocument) -> Result<(), MetadataError> {
    match (&document.meta, document.end) {
        (None, None) if text.trim().is_empty() => Err(MetadataError::CutOff("it is empty".to_owned())),
        (None, None) => Ok(()),
        (Some(MetadataHeader { schema, .. }), _) if !(OLDEST_SCHEMA..=SCHEMA).contains(schema) => {
            Err(MetadataError::Schema { found: *schema })
        }
        (_, None) => Err(MetadataError::CutOff("its last line, `$end`, is missing".to_owned())),
        (_, Some(end)) if end as usize == document.entries.len() => Ok(()),
        (_, Some(end)) => {
            let found = document.entries.len();
            Err(MetadataError::CutOff(format!("it holds {found} of {end} entries")))
        }
    }
}
