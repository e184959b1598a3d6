//! Translates events of crossterm to messages.

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind};

use crate::tui::{
    input::{Code, KeyPress, Mouse, MouseAction},
    message::Message,
};

/// The message for an event; `None` if the explorer does not handle the event.
pub(super) fn translate(event: &Event) -> Option<Message> {
    match event {
        Event::Key(key) => translate_key(*key).map(Message::Key),
        Event::Paste(text) => Some(Message::Paste(text.clone())),
        Event::Resize(columns, rows) => Some(Message::Resize(*columns, *rows)),
        Event::Mouse(mouse) => {
            let action = match mouse.kind {
                MouseEventKind::Down(MouseButton::Left) => MouseAction::Press,
                MouseEventKind::Drag(MouseButton::Left) => MouseAction::Drag,
                MouseEventKind::Up(MouseButton::Left) => MouseAction::Release,
                MouseEventKind::ScrollUp => MouseAction::WheelUp,
                MouseEventKind::ScrollDown => MouseAction::WheelDown,
                MouseEventKind::ScrollLeft => MouseAction::WheelLeft,
                MouseEventKind::ScrollRight => MouseAction::WheelRight,
                _ => return None,
            };
            Some(Message::Mouse(Mouse { action, column: mouse.column, row: mouse.row }))
        }
        Event::FocusGained | Event::FocusLost => None,
    }
}

fn translate_key(key: KeyEvent) -> Option<KeyPress> {
    if key.kind == KeyEventKind::Release {
        return None;
    }
    let code = match key.code {
        KeyCode::Char(c) => Code::Char(c),
        KeyCode::Enter => Code::Enter,
        KeyCode::Esc => Code::Esc,
        KeyCode::Tab if key.modifiers.contains(KeyModifiers::SHIFT) => Code::BackTab,
        KeyCode::Tab => Code::Tab,
        KeyCode::BackTab => Code::BackTab,
        KeyCode::Backspace => Code::Backspace,
        KeyCode::Delete => Code::Delete,
        KeyCode::Up => Code::Up,
        KeyCode::Down => Code::Down,
        KeyCode::Left => Code::Left,
        KeyCode::Right => Code::Right,
        KeyCode::Home => Code::Home,
        KeyCode::End => Code::End,
        KeyCode::PageUp => Code::PageUp,
        KeyCode::PageDown => Code::PageDown,
        KeyCode::F(number) => Code::F(number),
        _ => return None,
    };
    let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
    Some(KeyPress { code, ctrl, alt: key.modifiers.contains(KeyModifiers::ALT) })
}
