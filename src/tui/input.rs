//! Keys and mouse events as plain data, independent of the terminal library.

use std::{fmt, str::FromStr};

/// A key without modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Code {
    /// A character; shift is part of it.
    Char(char),
    /// Return.
    Enter,
    /// Escape.
    Esc,
    /// Tab.
    Tab,
    /// Shift and Tab.
    BackTab,
    /// The key that deletes to the left.
    Backspace,
    /// The key that deletes to the right.
    Delete,
    /// An arrow key.
    Up,
    /// An arrow key.
    Down,
    /// An arrow key.
    Left,
    /// An arrow key.
    Right,
    /// The key that goes to the beginning.
    Home,
    /// The key that goes to the end.
    End,
    /// The key that goes a page up.
    PageUp,
    /// The key that goes a page down.
    PageDown,
    /// A function key, from 1.
    F(u8),
}

/// A key with its modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KeyPress {
    /// The key.
    pub code: Code,
    /// Control is held.
    pub ctrl: bool,
    /// Alt is held.
    pub alt: bool,
}

impl KeyPress {
    /// A key without modifiers.
    pub const fn new(code: Code) -> Self {
        Self { code, ctrl: false, alt: false }
    }

    /// A character without modifiers.
    pub const fn char(c: char) -> Self {
        Self::new(Code::Char(c))
    }

    /// A character with control.
    pub const fn ctrl(c: char) -> Self {
        Self { code: Code::Char(c), ctrl: true, alt: false }
    }
}

/// Names of keys in `config.toml`; the first name of a key is the one that is printed.
const NAMES: [(&str, Code); 21] = [
    ("up", Code::Up),
    ("down", Code::Down),
    ("left", Code::Left),
    ("right", Code::Right),
    ("enter", Code::Enter),
    ("return", Code::Enter),
    ("esc", Code::Esc),
    ("escape", Code::Esc),
    ("tab", Code::Tab),
    ("shift-tab", Code::BackTab),
    ("backtab", Code::BackTab),
    ("space", Code::Char(' ')),
    ("backspace", Code::Backspace),
    ("delete", Code::Delete),
    ("del", Code::Delete),
    ("home", Code::Home),
    ("end", Code::End),
    ("pageup", Code::PageUp),
    ("pgup", Code::PageUp),
    ("pagedown", Code::PageDown),
    ("pgdn", Code::PageDown),
];

impl KeyPress {
    /// Its name in `config.toml`, such as `ctrl-u`, `pageup`, `G`.
    pub fn name(self) -> String {
        let code = match self.code {
            Code::Char(c) if c != ' ' => c.to_string(),
            Code::F(number) => format!("f{number}"),
            code => NAMES.iter().find(|(_, known)| *known == code).map_or_else(String::new, |(name, _)| (*name).into()),
        };
        format!("{}{}{code}", if self.ctrl { "ctrl-" } else { "" }, if self.alt { "alt-" } else { "" })
    }
}

/// Parses a key's name.
impl FromStr for KeyPress {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let unknown = || {
            let example = "write a character, or a name such as \"ctrl-u\", \"alt-x\", \"enter\", \"pageup\", \"f5\"";
            format!("there is no key `{text}`; {example}")
        };
        let lower = text.to_lowercase();
        let (mut key, mut name) = (Self::char(' '), lower.as_str());
        while let Some((modifier, rest)) = name.split_once('-').filter(|(_, rest)| !rest.is_empty()) {
            match modifier {
                "ctrl" | "control" | "c" => key.ctrl = true,
                "alt" | "meta" | "a" | "m" => key.alt = true,
                _ => break,
            }
            name = rest;
        }
        // The last character in its original case: `G` and `g` are different keys.
        let mut last = text.chars().rev();
        let c = last.next().filter(|_| name.chars().count() == 1);
        key.code = match (NAMES.iter().find(|(known, _)| *known == name), c) {
            (Some((_, code)), _) => *code,
            (None, Some(c)) => Code::Char(if key.ctrl { c.to_ascii_lowercase() } else { c }),
            (None, None) => match name.strip_prefix('f').and_then(|number| number.parse().ok()) {
                Some(number @ 1..=24) => Code::F(number),
                _ => return Err(unknown()),
            },
        };
        let twin = match key.code {
            Code::Char('i') if key.ctrl => "tab",
            Code::Char('m') if key.ctrl => "enter",
            Code::Char('[') if key.ctrl => "esc",
            Code::Char(c) if c.is_control() => return Err(unknown()),
            _ => return Ok(key),
        };
        Err(format!("a terminal cannot tell `{text}` from `{twin}`; write \"{twin}\""))
    }
}

/// Parses a sequence of keys: characters stand for themselves, other keys are named, as in `/agent<enter><ctrl-d>`. The
/// key `<` is `<lt>`.
///
/// # Errors
/// If a part of the text is not a key; the message contains a suggestion.
pub fn keys(text: &str) -> Result<Vec<KeyPress>, String> {
    let mut keys = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        keys.push(if c == '<' {
            let (name, after) =
                rest.split_once('>').ok_or("`<` begins a name such as <enter>; write <lt> for the key")?;
            rest = after;
            if name == "lt" { KeyPress::char('<') } else { name.parse()? }
        } else {
            c.to_string().parse()?
        });
    }
    Ok(keys)
}

impl fmt::Display for KeyPress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.ctrl {
            f.write_str("Ctrl-")?;
        }
        if self.alt {
            f.write_str("Alt-")?;
        }
        match self.code {
            Code::Char(' ') => f.write_str("Space"),
            Code::Char(c) => write!(f, "{c}"),
            Code::Enter => f.write_str("Enter"),
            Code::Esc => f.write_str("Esc"),
            Code::Tab => f.write_str("Tab"),
            Code::BackTab => f.write_str("Shift-Tab"),
            Code::Backspace => f.write_str("Backspace"),
            Code::Delete => f.write_str("Delete"),
            Code::Up => f.write_str("↑"),
            Code::Down => f.write_str("↓"),
            Code::Left => f.write_str("←"),
            Code::Right => f.write_str("→"),
            Code::Home => f.write_str("Home"),
            Code::End => f.write_str("End"),
            Code::PageUp => f.write_str("PgUp"),
            Code::PageDown => f.write_str("PgDn"),
            Code::F(number) => write!(f, "F{number}"),
        }
    }
}

/// A mouse event and its cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mouse {
    /// The action.
    pub action: MouseAction,
    /// The cell's column, from 0.
    pub column: u16,
    /// The cell's row, from 0.
    pub row: u16,
}

/// A mouse action that the explorer handles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MouseAction {
    /// The left button went down.
    Press,
    /// The left button went down a second time at once, in the same cell.
    DoublePress,
    /// The mouse moved while the left button was down.
    Drag,
    /// The left button went up.
    Release,
    /// The wheel turned up.
    WheelUp,
    /// The wheel turned down.
    WheelDown,
    /// The wheel turned left.
    WheelLeft,
    /// The wheel turned right.
    WheelRight,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_key_names_are_read_back() {
        let codes = NAMES.iter().map(|(_, code)| KeyPress::new(*code)).chain([
            KeyPress::char('G'),
            KeyPress::char('+'),
            KeyPress::ctrl('u'),
        ]);
        for key in codes.chain([
            KeyPress::new(Code::F(5)),
            KeyPress { alt: true, ..KeyPress::ctrl('-') },
            KeyPress::char('日'),
        ]) {
            assert_eq!(key.name().parse(), Ok(key), "{}", key.name());
        }
        let same = [("Ctrl-U", "ctrl-u"), ("C-u", "ctrl-u"), ("alt-G", "alt-G"), ("PgUp", "pageup"), ("-", "-")];
        for (written, name) in same {
            assert_eq!(written.parse::<KeyPress>().map(KeyPress::name).as_deref(), Ok(name));
        }
    }

    #[test]
    fn a_sequence_of_keys_is_parsed() {
        let pressed = keys("/a G<Enter><C-u><lt><shift-tab>").unwrap();
        let names: Vec<String> = pressed.into_iter().map(KeyPress::name).collect();
        assert_eq!(names, ["/", "a", "space", "G", "enter", "ctrl-u", "<", "shift-tab"]);
        assert!(keys("a<entre>").unwrap_err().contains("there is no key `entre`"));
        assert!(keys("a<").unwrap_err().contains("write <lt>"));
    }

    #[test]
    fn an_invalid_key_is_refused_with_a_suggestion() {
        for wrong in ["", "ctrl-", "hyper-x", "f99", "enterr", "\n"] {
            let error = wrong.parse::<KeyPress>().unwrap_err();
            assert!(error.contains("\"ctrl-u\""), "{wrong}: {error}");
        }
        assert_eq!(
            "ctrl-i".parse::<KeyPress>().unwrap_err(),
            "a terminal cannot tell `ctrl-i` from `tab`; write \"tab\""
        );
    }
}
