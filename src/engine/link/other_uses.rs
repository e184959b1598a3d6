//! Uses that are neither calls nor reads: what the linkers of all languages share.

use compact_str::CompactString;
use rustc_hash::FxHashSet;

use crate::linked::{DefinitionRow, LinkedUse};
use apidisc_base::sort::SharedSort as _;

/// The maximum length of the text of a callee, in bytes.
const MAX_CALLEE: usize = 80;

/// The uses of a file while they are collected.
#[derive(Default)]
pub(crate) struct UsesOfFile {
    uses: Vec<LinkedUse>,
    annotated: FxHashSet<(u32, DefinitionRow)>,
    exported: FxHashSet<DefinitionRow>,
}

impl UsesOfFile {
    /// True if the annotation with this number has not named the definition before.
    pub(crate) fn is_first_in(&mut self, annotation: u32, definition: DefinitionRow) -> bool {
        self.annotated.insert((annotation, definition))
    }

    /// True if the file has not re-exported the definition before.
    pub(crate) fn is_first_export(&mut self, definition: DefinitionRow) -> bool {
        self.exported.insert(definition)
    }

    pub(crate) fn add(&mut self, found: LinkedUse) {
        self.uses.push(found);
    }

    /// The uses, sorted by line and column, each once.
    pub(crate) fn finish(mut self) -> Vec<LinkedUse> {
        self.uses.shared_sort_by_key(|found| (found.line, found.col));
        self.uses.dedup_by_key(|found| (found.line, found.col, found.definition, found.kind));
        self.uses
    }
}

/// The text of the callee `receiver.name`. A receiver without a short text is written as `…`. `None` if the name is
/// long, too.
pub(crate) fn member_text(receiver: Option<CompactString>, name: &str) -> Option<CompactString> {
    let with = |receiver: &str| {
        let mut text = CompactString::new(receiver);
        text.push('.');
        text.push_str(name);
        (text.len() <= MAX_CALLEE).then_some(text)
    };
    receiver.and_then(|receiver| with(&receiver)).or_else(|| with("…"))
}

/// The text of the result of a call.
pub(crate) fn result_text(callee: Option<CompactString>) -> Option<CompactString> {
    let mut text = callee?;
    text.push_str("()");
    (text.len() <= MAX_CALLEE).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_receiver_without_a_short_text_is_an_ellipsis() {
        assert_eq!(member_text(Some("app".into()), "use").as_deref(), Some("app.use"));
        assert_eq!(member_text(None, "connect").as_deref(), Some("….connect"));
        assert_eq!(member_text(Some("a".repeat(80).into()), "connect").as_deref(), Some("….connect"));
        assert_eq!(member_text(None, &"a".repeat(80)), None);
    }
}
