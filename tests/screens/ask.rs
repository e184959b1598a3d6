//! The page of questions. What is found does not concern the screen: answers are made by hand.

use apidisc_tui::tui::{
    message::Message,
    model::ask::{AnswerSource, Answered, AskNews, AskPage, AskStep, PastConversation},
    theme::ColourDepth,
};

use crate::support::{drive::Explorer, dump, station};

const ANSWER: &str = "Pass `retries` to `Station.read`, which callers do in 3 of 4 calls [src/station.py:12]:\n\n\
                      ```python\nstation = Station(\"north\")\nfor reading in station.read(retries=3, timeout=5.0, quality=\"calibrated\", unit=Unit.CELSIUS):\n    print(reading)\n```\n\n\
                      - without `retries` the first error ends it [src/gone.py:3]\n- 気温は摂氏で返されます。気温は摂氏で返されます。気温は摂氏で返されます。";

/// The page with a running question.
fn asking(columns: u16, rows: u16, theme: &str, depth: ColourDepth) -> (Explorer, u64) {
    let mut explorer = Explorer::with_theme(columns, rows, theme, depth);
    explorer.is_canned = true;
    explorer.model.ask = AskPage::new(Some("ollama:qwen3".to_owned()));
    explorer.index(station().build(true)).keys("<Tab><C-a>");
    explorer.holds_answers = true;
    explorer.keys("How do I read with retries?<Enter>");
    let ticket = explorer.model.ask.running.expect("a run");
    let step = |tool: &str, question: &str| AskStep {
        tool: tool.to_owned(),
        question: question.to_owned(),
        ..AskStep::default()
    };
    for news in [
        AskNews::Prompted { ticket, number: 1, tokens: 2_310 },
        AskNews::Called { ticket, step: step("discover", "read with retries  limit=5") },
        AskNews::Returned { ticket, tokens: 812, error: None },
        AskNews::Called { ticket, step: step("get_symbols", "Staton.read") },
        AskNews::Returned { ticket, tokens: 9, error: Some("no symbol Staton.read; meant Station.read?".to_owned()) },
        AskNews::Prompted { ticket, number: 2, tokens: 3_151 },
        AskNews::Called { ticket, step: step("get_symbol_source", "Station.read  max_tokens=500") },
    ] {
        explorer.send(Message::Ask(news));
    }
    (explorer, ticket)
}

fn answered(columns: u16, rows: u16, theme: &str, depth: ColourDepth) -> Explorer {
    let (mut explorer, ticket) = asking(columns, rows, theme, depth);
    let source =
        |place: &str, name: &str, was_read| AnswerSource { place: place.to_owned(), name: name.to_owned(), was_read };
    let answered = Answered {
        text: ANSWER.to_owned(),
        sources: vec![source("src/station.py:12", "Station.read", true), source("src/gone.py:3", "", false)],
        tokens: 5_461,
        ..Answered::default()
    };
    explorer.send(Message::Ask(AskNews::Returned { ticket, tokens: 401, error: None }));
    explorer.send(Message::Ask(AskNews::Answered { ticket, answered: Box::new(answered) }));
    explorer
}

#[test]
fn steps_as_they_happen() {
    let (mut explorer, ticket) = asking(80, 24, "dark", ColourDepth::True);
    insta::assert_snapshot!("ask_steps", dump::styled(&explorer.draw()));
    let text = "Pass `retries` to\n\n```python\nstation.re".to_owned();
    explorer.send(Message::Ask(AskNews::Text { ticket, text }));
    insta::assert_snapshot!("ask_streaming", dump::styled(&explorer.draw()));
}

#[test]
fn an_answer_with_its_sources() {
    for (columns, rows) in [(60, 24), (120, 40)] {
        for theme in ["dark", "light"] {
            let mut explorer = answered(columns, rows, theme, ColourDepth::True);
            explorer.keys("<Tab>");
            insta::assert_snapshot!(format!("ask_{theme}_{columns}x{rows}"), dump::styled(&explorer.draw()));
        }
    }
}

#[test]
fn nobody_has_asked_yet() {
    let mut explorer = Explorer::new(80, 24);
    explorer.is_canned = true;
    explorer.index(station().build(true)).keys("<C-a>");
    insta::assert_snapshot!("ask_no_model", dump::styled(&explorer.draw()));
    let past = |started, question: &str, turns| PastConversation { started, question: question.to_owned(), turns };
    let past = vec![past(9_000_000, "How do I retry?", 1), past(60_000, "Wie liest man? 日本語", 3)];
    explorer.send(Message::Ask(AskNews::Listed(past, 9_100_000))).keys("<Down>");
    insta::assert_snapshot!("ask_past", dump::styled(&explorer.draw()));
}

#[test]
fn without_colours_and_with_ascii_alone() {
    let mut explorer = answered(48, 14, "dark", ColourDepth::None);
    explorer.model.is_ascii = true;
    explorer.keys("<Tab>");
    insta::assert_snapshot!("ask_ascii_48x14", dump::styled(&explorer.draw()));
}

#[test]
fn hostile_text_of_a_model_is_inert() {
    let evil = "\x1b[2J\u{202e}\r\n\u{9b}31m```\u{7}";
    let (mut explorer, ticket) = asking(80, 24, "dark", ColourDepth::True);
    let source = AnswerSource { place: evil.to_owned(), name: evil.to_owned(), was_read: true };
    let step = AskStep { tool: evil.to_owned(), question: evil.to_owned(), error: Some(evil.to_owned()), tokens: None };
    let answered = Answered {
        text: format!("{evil}\n```{evil}\n{evil}"),
        sources: vec![source],
        ending: Some(evil.to_owned()),
        ..Answered::default()
    };
    for news in [
        AskNews::Called { ticket, step },
        AskNews::Text { ticket, text: evil.to_owned() },
        AskNews::Answered { ticket, answered: Box::new(answered) },
        AskNews::Listed(vec![PastConversation { started: 1, question: evil.to_owned(), turns: 1 }], 2),
    ] {
        explorer.send(Message::Ask(news));
        for cell in explorer.draw().content() {
            let hostile = |c: char| c.is_control() || ('\u{202a}'..='\u{202e}').contains(&c);
            assert!(!cell.symbol().contains(hostile), "{:?} reached the screen", cell.symbol());
        }
    }
}
