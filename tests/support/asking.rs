//! Carries out the requests of the page of questions: at once, in memory.

use apidisc_tui::tui::{
    effect::AskRequest,
    jobs,
    message::Message,
    model::ask::{AnswerSource, Answered, AskNews, AskStep, Conversation},
};

use super::drive::Explorer;

impl Explorer {
    /// Answers a question at once, and keeps conversations in memory.
    pub(super) fn perform_asking(&mut self, request: AskRequest) -> Vec<Message> {
        let news = match request {
            AskRequest::Run(_) if self.holds_answers => return vec![],
            AskRequest::Run(job) if self.is_canned => {
                return answer(job.ticket).into_iter().map(Message::Ask).collect();
            }
            AskRequest::Run(job) => {
                let (assistant, source) = (self.assistant.as_ref(), self.source.clone());
                let mut messages = Vec::new();
                let mut send = |news| messages.push(Message::Ask(news));
                jobs::ask(
                    assistant,
                    &self.tools.corpora,
                    &move |_| source.clone(),
                    &job,
                    self.now,
                    &|| false,
                    &mut send,
                );
                return messages;
            }
            AskRequest::Stop => {
                self.performed.push("stopped asking".to_owned());
                return vec![];
            }
            AskRequest::Keep(conversation) => {
                self.kept.retain(|kept| kept.started != conversation.started);
                self.kept.insert(0, *conversation);
                return vec![];
            }
            AskRequest::List => AskNews::Listed(self.kept.iter().filter_map(Conversation::past).collect(), self.now),
            AskRequest::Open(started) => {
                let kept = self.kept.iter().find(|kept| kept.started == started).cloned();
                AskNews::Opened(kept.map(jobs::colour_conversation).map(Box::new))
            }
        };
        vec![Message::Ask(news)]
    }
}

/// What happens while a question is answered that has one step and one source.
fn answer(ticket: u64) -> Vec<AskNews> {
    let step = AskStep { tool: "discover".to_owned(), question: "retry".to_owned(), ..AskStep::default() };
    let source = AnswerSource { place: "station.py:1".to_owned(), name: "station".to_owned(), was_read: true };
    let text = "Call it:\n\n```python\nstation.read()\n```\n- 日本 `x` [station.py:1]".to_owned();
    let answered = Answered { text: text.clone(), sources: vec![source], tokens: 7, ..Answered::default() };
    vec![
        AskNews::Prompted { ticket, number: 1, tokens: 5 },
        AskNews::Called { ticket, step },
        AskNews::Returned { ticket, tokens: 3, error: None },
        AskNews::Text { ticket, text },
        AskNews::Answered { ticket, answered: Box::new(answered) },
    ]
}
