//! The page on which the user asks about the code: a conversation, and the line in which the next question is typed.
//!
//! | file | content |
//! | --- | --- |
//! | `conversation` | questions and answers, as they are shown and kept |
//! | `news` | the events while a question is answered |
//! | `markdown` | the lines of an answer |
//! | `rows` | the rows of the page |
//! | `place` | a place like `src/a.py:12` in the index |

mod conversation;
pub mod markdown;
mod news;
mod place;
mod rows;

use apidisc_agents::{Memory, MemoryEntry};

use super::{Catalog, Cursor, TextField, Topic};

pub(in crate::tui) use conversation::shown_text;
pub use conversation::{AnswerSource, AskStep, Conversation, PastConversation, Turn};
pub use news::{Answered, AskNews};
pub use place::{definition_at, file_and_line};
pub use rows::{AskRow, AskRowBody};

/// From this length in bytes on, the rows of an answer that is still coming are made anew only after it has grown by an
/// eighth. So the time for all rows of a long answer is proportional to its length.
const LONG_ANSWER: usize = 16 << 10;

/// The page. Its conversation stays when it is closed.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct AskPage {
    /// The name of the language model that answers; `None` if none is set.
    pub assistant: Option<String>,
    /// The page is open, or covered by a page about a symbol.
    pub is_open: bool,
    /// The next question as it is typed.
    pub input: TextField,
    /// True while the question is typed; false while the user moves in the rows.
    pub is_typing: bool,
    /// The name of the subject of the next question; empty for the whole repository.
    pub about: String,
    /// The conversation.
    pub conversation: Conversation,
    /// The memory with which the model answers the next question.
    pub memory: Memory,
    /// The ticket of the running request.
    pub running: Option<u64>,
    /// The number of the reply that the model has been asked for, from 1, and the tokens of its prompt.
    pub asked: Option<(usize, usize)>,
    /// The earlier conversations of the repository, the newest first.
    pub past: Vec<PastConversation>,
    /// The time at which `past` was listed, in milliseconds since 1970.
    pub now: u64,
    /// The rows.
    pub rows: Vec<AskRow>,
    /// The selection and the scroll offset of the rows.
    pub cursor: Cursor,
    /// True once the user has moved the selection. Until then the page scrolls with the answer.
    pub is_chosen: bool,
    /// True if the rows must be made anew.
    pub is_stale: bool,
    /// The width for which the rows were made, and the length of the last answer then.
    made_for: (u16, usize),
}

impl AskPage {
    /// The closed page, for questions to a model of this name.
    pub fn new(assistant: Option<String>) -> Self {
        Self { assistant, ..Self::default() }
    }

    /// Begins a new conversation about the same subject.
    pub(in crate::tui) fn begin_anew(&mut self) {
        let (assistant, about) = (self.assistant.take(), std::mem::take(&mut self.about));
        *self = Self { about, is_open: true, is_typing: true, ..Self::new(assistant) };
    }

    /// True if the model knows the context of a question of this conversation.
    pub(in crate::tui) fn has_context(&self) -> bool {
        let has_context =
            |entry: &MemoryEntry| matches!(entry, MemoryEntry::User { content } if content.contains("<tool_result"));
        self.memory.entries(None).iter().any(has_context)
    }

    /// The question that was asked last.
    pub fn last(&self) -> Option<&Turn> {
        self.conversation.turns.last()
    }

    /// The running question, if the ticket is its own.
    pub(in crate::tui) fn running(&mut self, ticket: u64) -> Option<&mut Turn> {
        self.conversation.turns.last_mut().filter(|_| self.running == Some(ticket))
    }

    /// The selected row.
    pub fn selected(&self) -> Option<&AskRow> {
        self.rows.get(self.cursor.selected)
    }

    /// The selected source.
    pub fn selected_source(&self) -> Option<&AnswerSource> {
        let row = self.selected()?;
        let AskRowBody::Source(position) = row.body else { return None };
        self.conversation.turns.get(row.turn)?.sources.get(position)
    }

    /// The selected earlier conversation.
    pub fn selected_past(&self) -> Option<&PastConversation> {
        match self.selected()?.body {
            AskRowBody::Past(position) => self.past.get(position),
            _ => None,
        }
    }

    /// Moves the selection, past rows without content.
    pub(in crate::tui) fn step(&mut self, rows: isize) {
        self.is_chosen = true;
        self.cursor.step(rows, self.rows.len());
        let is_blank = |page: &Self| page.selected().is_some_and(|row| row.body == AskRowBody::Blank);
        while rows != 0 && is_blank(self) && (1..self.rows.len().saturating_sub(1)).contains(&self.cursor.selected) {
            self.cursor.step(rows.signum(), self.rows.len());
        }
    }

    /// Selects the next or previous row that has a target: a source or an earlier conversation.
    pub(in crate::tui) fn step_source(&mut self, is_forward: bool) {
        let here = self.cursor.selected;
        let is_link = |row: &AskRow| matches!(row.body, AskRowBody::Source(_) | AskRowBody::Past(_));
        let mut links = self.rows.iter().enumerate().filter(|(_, row)| is_link(row)).map(|(at, _)| at);
        let next = if is_forward { links.find(|at| *at > here) } else { links.take_while(|at| *at < here).last() };
        if let Some(row) = next {
            self.is_chosen = true;
            self.cursor.select(row);
        }
    }

    /// Scrolls without changing the selection.
    pub(in crate::tui) fn scroll(&mut self, rows: isize) {
        self.is_chosen = true;
        self.cursor.scroll(rows);
    }

    /// Selects a row.
    pub(in crate::tui) fn select(&mut self, row: usize) {
        self.is_chosen = true;
        self.cursor.select(row);
    }

    /// Makes the rows if something has changed, and clamps the selection. Until the user chooses a row, the page
    /// scrolls with the steps, and stops where the answer begins.
    pub(in crate::tui) fn make(&mut self, width: u16, height: usize) {
        let length = self.last().map_or(0, |turn| turn.answer.len());
        let is_same = width == self.made_for.0;
        let is_little = length >= LONG_ANSWER && length < self.made_for.1 + self.made_for.1 / 8;
        if (self.is_stale && !(self.running.is_some() && is_same && is_little)) || !is_same {
            self.is_stale = false;
            self.made_for = (width, length);
            self.rows = self.all_rows(width);
        }
        if !self.is_chosen {
            let first = self.first_to_read();
            self.cursor.select(first.min(self.rows.len().saturating_sub(height)));
            self.cursor.offset = self.cursor.selected;
        }
        self.cursor.settle(self.rows.len(), height);
    }

    fn all_rows(&self, width: u16) -> Vec<AskRow> {
        let mut all: Vec<AskRow> = Vec::new();
        for (turn, asked) in self.conversation.turns.iter().enumerate() {
            if turn > 0 {
                all.push(AskRow { turn, body: AskRowBody::Blank });
            }
            all.extend(rows::rows(asked, width).into_iter().map(|body| AskRow { turn, body }));
        }
        if all.is_empty() && !self.past.is_empty() {
            let past = (0..self.past.len()).map(AskRowBody::Past);
            all.extend([AskRowBody::PastHeading].into_iter().chain(past).map(|body| AskRow { turn: 0, body }));
        }
        all
    }

    /// The row at which the user begins to read: the row above the last answer, or the last row while there is none.
    fn first_to_read(&self) -> usize {
        let Some(turn) = self.conversation.turns.len().checked_sub(1) else { return 0 };
        let is_step = |row: &&AskRow| matches!(row.body, AskRowBody::Question(_) | AskRowBody::RunStep(_));
        let begin = self.rows.iter().position(|row| row.turn == turn && row.body != AskRowBody::Blank).unwrap_or(0);
        let steps = self.rows[begin..].iter().take_while(is_step).count();
        let has_few_steps = self.conversation.turns[turn].steps.len() <= 4;
        if has_few_steps { begin } else { begin + steps }
    }
}

/// The name of a question's subject, by which the index and a model find it: `package.Class.method`, and behind it an
/// argument as `(timeout)`. Empty for the whole repository.
pub fn name_of(catalog: &Catalog, topic: Topic) -> String {
    let parameter = topic.parameter(catalog).map(|parameter| format!("({})", parameter.name));
    match topic {
        Topic::Repository => String::new(),
        Topic::Module(id) => catalog.index.module(id).fqn.to_string(),
        Topic::Definition(id) | Topic::Argument(id, _) => {
            catalog.index.definition(id).alias.to_string() + &parameter.unwrap_or_default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(answer: &str) -> AskPage {
        let turn = Turn { question: "How?".to_owned(), answer: answer.to_owned(), ..Turn::default() };
        let conversation = Conversation { turns: vec![turn.clone(), turn], started: 0 };
        AskPage { conversation, is_stale: true, ..AskPage::default() }
    }

    #[test]
    fn the_page_scrolls_to_the_last_question_until_the_user_moves() {
        let mut page = page("one\n\ntwo\n\nthree");
        page.make(40, 5);
        // How? _ one _ two _ three _ How?
        assert_eq!((page.rows.len(), page.cursor.offset), (15, 8));
        page.step(-1);
        page.make(40, 5);
        assert_eq!((page.cursor.selected, page.cursor.offset), (6, 6), "the blank row is passed over");
    }

    #[test]
    fn a_long_answer_is_laid_out_when_it_has_grown() {
        let mut page = page(&"word ".repeat(4_000));
        page.running = Some(1);
        page.make(40, 5);
        let rows = page.rows.len();
        let grow = |page: &mut AskPage, text: &str| {
            page.conversation.turns[1].answer += text;
            page.is_stale = true;
            page.make(40, 5);
        };
        grow(&mut page, "more ");
        assert_eq!(page.rows.len(), rows);
        grow(&mut page, &"more ".repeat(500));
        assert!(page.rows.len() > rows);
        let rows = page.rows.len();
        page.running = None;
        grow(&mut page, "\nend");
        assert_eq!(page.rows.len(), rows + 1, "the rows of a whole answer are always made");
    }
}
