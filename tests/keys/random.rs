//! Any keys in any order, at any size: nothing panics, and the state stays sound.

use apidisc::{
    engine::{index::DefinitionKind, usage::Origin},
    tui::{
        command::COMMANDS,
        input::{Code, Key, Mouse, MouseAction},
        message::Message,
    },
};
use proptest::prelude::*;

use crate::chance::cases;

use crate::support::{Builder, drive::Explorer, fill, station};

/// Every character that is a key of some command, and a few that are none.
fn characters() -> Vec<Code> {
    let keys = COMMANDS.iter().flat_map(|entry| entry.keys).map(|key| key.code);
    let mut characters: Vec<Code> = keys.filter(|code| matches!(code, Code::Char(_))).collect();
    characters.extend("xz0.ä日\u{202e}".chars().map(Code::Char));
    characters
}

fn message() -> impl Strategy<Value = Message> {
    let code = prop_oneof![
        8 => prop::sample::select(characters()),
        4 => prop::sample::select(vec![
            Code::Enter, Code::Esc, Code::Tab, Code::BackTab, Code::Backspace, Code::Delete, Code::Up, Code::Down,
            Code::Left, Code::Right, Code::Home, Code::End, Code::PageUp, Code::PageDown,
        ]),
    ];
    let key = (code, prop::bool::weighted(0.05), prop::bool::weighted(0.05));
    let key = key.prop_map(|(code, ctrl, alt)| Message::Key(Key { code, ctrl, alt }));
    let action = prop::sample::select(vec![
        MouseAction::Press,
        MouseAction::Drag,
        MouseAction::Release,
        MouseAction::WheelUp,
        MouseAction::WheelDown,
        MouseAction::WheelLeft,
        MouseAction::WheelRight,
    ]);
    let mouse =
        (action, 0..130u16, 0..50u16).prop_map(|(action, column, row)| Message::Mouse(Mouse { action, column, row }));
    prop_oneof![
        20 => key,
        3 => mouse,
        1 => (0..260u16, 0..70u16).prop_map(|(columns, rows)| Message::Resize(columns, rows)),
        1 => ".{0,6}".prop_map(Message::Paste),
    ]
}

proptest! {
    #![proptest_config(cases(96))]

    #[test]
    fn nothing_breaks_the_explorer(
        messages in prop::collection::vec(message(), 1..60),
        index_at in prop::collection::vec(0..60usize, 0..5),
        is_slow in any::<bool>(),
    ) {
        let mut explorer = Explorer::new(100, 30);
        explorer.is_slow = is_slow;
        explorer.is_canned = true;
        for (at, message) in messages.into_iter().enumerate() {
            if index_at.contains(&at) {
                // Each has other ids, and the last has none: nothing may be kept by number.
                let builder = match at % 3 {
                    0 => station(),
                    1 => {
                        let mut builder = Builder::default();
                        let first = builder.module("a", Origin::Src, false);
                        builder.define(first, None, DefinitionKind::Function, "first", 9_000, &[]);
                        fill(builder)
                    }
                    _ => Builder::default(),
                };
                explorer.index(builder.build(at % 2 == 0));
            }
            explorer.send(message);
            explorer.draw();
            let model = &explorer.model;
            for (selected, len) in [
                (model.modules.cursor.selected, model.modules.rows.len()),
                (model.symbols.cursor.selected, model.symbols.rows.len()),
                (model.arguments.cursor.selected, model.arguments.rows.len()),
            ] {
                prop_assert!(selected < len.max(1));
            }
        }
        explorer.settle();
        explorer.draw();
        prop_assert!(explorer.model.card.is_none() || explorer.model.tuning.is_none());
        if let Some(tuning) = &explorer.model.tuning {
            prop_assert!(tuning.cursor.selected < tuning.items.len().max(1));
            let is_known = tuning.steps.current().is_some() && tuning.curve.current().is_some();
            prop_assert!(is_known || explorer.model.scope().is_none());
        }
        // What waits for nothing shows what is selected, and nothing else.
        prop_assert!(explorer.model.catalog.is_none() || explorer.model.preview.is_current());
    }
}
