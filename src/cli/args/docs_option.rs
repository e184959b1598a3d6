//! The option `--docs`: an amount of documentation, or a file with API documents.

use std::path::PathBuf;

use apidisc::stub::Docs;

/// The value of `--docs`.
#[derive(Clone, Debug)]
pub(super) enum DocsOption {
    /// How much documentation a stub has.
    Amount(Docs),
    /// A file or folder with API documents.
    Documents(PathBuf),
}

impl DocsOption {
    /// An amount by its name, else a path: it has a slash or a dot, or exists.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        if let Ok(amount) = text.parse() {
            return Ok(Self::Amount(amount));
        }
        let path = PathBuf::from(text);
        if text.contains(['/', '\\', '.']) || path.exists() {
            return Ok(Self::Documents(path));
        }
        Err(format!("write {}, or a file with an OpenAPI document", Docs::ALL.map(Docs::name).join(", ")))
    }
}
