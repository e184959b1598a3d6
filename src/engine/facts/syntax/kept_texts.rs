//! The source texts that the facts of one file keep: annotations, defaults, decorators.

use arcstr::ArcStr;
use rustc_hash::FxHashSet;

/// Texts of a file, each once: equal texts share their memory.
#[derive(Debug, Default)]
pub(super) struct KeptTexts(FxHashSet<ArcStr>);

impl KeptTexts {
    /// The text that equals `text`.
    pub(super) fn keep(&mut self, text: &str) -> ArcStr {
        if text.is_empty() {
            return ArcStr::new();
        }
        if let Some(known) = self.0.get(text) {
            return known.clone();
        }
        let text = ArcStr::from(text);
        self.0.insert(text.clone());
        text
    }
}
