//! The file with the conversations about a repository. It holds questions, answers and places; it is bounded, and only
//! the user may read it.

use std::{io, path::PathBuf};

use apidisc::files;
use serde::{Deserialize, Serialize};

use crate::{
    tui::model::ask::{Conversation, PastConversation, shown_text},
    writing,
};

/// The greatest number of conversations that are kept. Of more, the newest are kept.
const MAX_CONVERSATIONS: usize = 30;
/// The greatest number of questions of a conversation that are kept. Of more, the last are kept.
const MAX_TURNS: usize = 40;
/// The greatest length of an answer that is kept, in bytes.
const MAX_ANSWER: usize = 64 << 10;
/// The greatest size of the file in bytes. The oldest conversations are left out of a larger one.
const MAX_FILE: usize = 1 << 20;

/// The content of the file: the conversations, the newest first.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Kept {
    conversations: Vec<Conversation>,
}

/// The conversations of a repository.
pub(super) struct Conversations {
    /// The file; `None` if conversations are not kept.
    file: Option<PathBuf>,
}

impl Conversations {
    pub(super) fn new(file: Option<PathBuf>) -> Self {
        Self { file }
    }

    /// The beginnings of the conversations, the newest first.
    pub(super) fn list(&self) -> Vec<PastConversation> {
        self.read().conversations.iter().filter_map(Conversation::past).collect()
    }

    /// The conversation with this [`Conversation::started`].
    pub(super) fn open(&self, started: u64) -> Option<Conversation> {
        self.read().conversations.into_iter().find(|conversation| conversation.started == started)
    }

    /// Keeps a conversation, in place of the kept one with the same [`Conversation::started`]. A failure, such as a
    /// read-only folder, is ignored: the conversation lasts as long as the explorer.
    pub(super) fn keep(&self, conversation: Conversation) {
        let Some(file) = &self.file else { return };
        let _ = writing::update_shared::<io::Error>(file, || {
            let mut kept = self.read();
            kept.conversations.retain(|other| other.started != conversation.started);
            kept.conversations.insert(0, bounded(conversation));
            kept.conversations.truncate(MAX_CONVERSATIONS);
            Ok(to_text(kept))
        });
    }

    /// The conversations in the file; none if the file cannot be read. The next conversation then replaces the file.
    fn read(&self) -> Kept {
        let text = self.file.as_ref().and_then(|file| files::read_text(file, 2 * MAX_FILE as u64).ok());
        let mut kept: Kept = text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
        for turn in kept.conversations.iter_mut().flat_map(|conversation| &mut conversation.turns) {
            // The file may come from an untrusted writer, so unprintable characters are escaped before the page shows
            // them.
            turn.answer = shown_text(&turn.answer);
        }
        kept
    }
}

fn bounded(mut conversation: Conversation) -> Conversation {
    let too_many = conversation.turns.len().saturating_sub(MAX_TURNS);
    conversation.turns.drain(..too_many);
    for turn in &mut conversation.turns {
        let end = turn.answer.floor_char_boundary(MAX_ANSWER);
        turn.answer.truncate(end);
    }
    conversation
}

/// The text of the file: without the oldest conversations if they do not fit, but with the newest one in any case.
fn to_text(mut kept: Kept) -> String {
    loop {
        let text = serde_json::to_string(&kept).unwrap_or_default();
        if text.len() <= MAX_FILE || kept.conversations.len() < 2 {
            return text;
        }
        kept.conversations.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::model::ask::Turn;

    fn conversation(started: u64, question: &str, length: usize) -> Conversation {
        let turn = Turn { question: question.to_owned(), answer: "x".repeat(length), ..Turn::default() };
        Conversation { started, turns: vec![turn] }
    }

    #[test]
    fn the_newest_conversations_are_kept_within_the_limits() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("conversations").join("a.json");
        let kept = Conversations::new(Some(file.clone()));
        assert_eq!(kept.list(), []);
        for started in 1..=20 {
            kept.keep(conversation(started, "How?", 1 << 20));
        }
        let past = kept.list();
        assert!(past.len() < 20 && past[0].started == 20, "{} are kept", past.len());
        assert!(std::fs::metadata(&file).expect("a file").len() <= MAX_FILE as u64);
        // A conversation with the same start replaces the kept conversation.
        kept.keep(conversation(19, "Why?", 3));
        let past = kept.list();
        assert_eq!((past[0].started, past[0].question.as_str()), (19, "Why?"));
        assert_eq!(past.iter().filter(|past| past.started == 19).count(), 1);
    }

    #[test]
    fn a_file_that_cannot_be_read_is_replaced_and_shows_nothing_raw() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a.json");
        std::fs::write(&file, "{broken").expect("a file");
        let kept = Conversations::new(Some(file));
        assert_eq!(kept.list(), []);
        let evil = Turn { question: "q".to_owned(), answer: "\u{1b}[2J".to_owned(), ..Turn::default() };
        kept.keep(Conversation { started: 7, turns: vec![evil] });
        assert_eq!(kept.open(7).expect("kept").turns[0].answer, "\\u{1b}[2J");
        assert_eq!((kept.open(1), Conversations::new(None).list().len()), (None, 0));
    }
}
