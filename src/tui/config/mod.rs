//! The user's `config.toml`. Reading is a pure function of the text; the runtime finds the file.
//!
//! An entry with a mistake keeps its default; the other entries are read. Each mistake gives a [`Complaint`]: one line
//! with the file, the line of the mistake, and a remedy.

mod print;

use std::{ops::Range, path::PathBuf};

use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::{
    command::COMMANDS,
    complaint::{Complaint, line},
    input::KeyPress,
    keymap::{KeyBinding, Keymap},
    theme::ColourChoice,
};

/// The settings of `config.toml`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserConfig {
    /// The name of a theme.
    pub theme: Option<String>,
    /// The number of colours.
    pub color: ColourChoice,
    /// Only ASCII is drawn.
    pub is_ascii: bool,
    /// The explorer handles the mouse; if false, the terminal uses it to select text.
    pub is_mouse_captured: bool,
    /// Files are indexed again when they change.
    pub is_watching: bool,
    /// The folder of the model of word vectors, by which searches compare meanings; `None` for the model that comes
    /// with the program.
    pub model: Option<PathBuf>,
    /// The language model that answers questions, unless the command line or the environment names another one.
    pub ask: AskConfig,
    /// The key bindings.
    pub keymap: Keymap,
}

/// The language model that answers questions. Its key is in no file: it is read from the environment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AskConfig {
    /// `PROVIDER:NAME`
    pub model: Option<String>,
    /// The address of a server that speaks the provider's protocol.
    pub base_url: Option<String>,
}

impl Default for UserConfig {
    fn default() -> Self {
        Self {
            theme: None,
            color: ColourChoice::Auto,
            is_ascii: false,
            is_mouse_captured: true,
            is_watching: true,
            model: None,
            ask: AskConfig::default(),
            keymap: Keymap::default(),
        }
    }
}

/// The entries at the top level of the file.
const ENTRIES: [&str; 8] = ["theme", "color", "ascii", "mouse", "watch", "model", "ask", "keys"];
/// The entries of the table `ask`.
const ASK_ENTRIES: [&str; 2] = ["model", "base_url"];

impl UserConfig {
    /// Reads the text of a file; `file` is its name in complaints.
    pub fn read(file: &str, text: &str) -> (Self, Vec<Complaint>) {
        let mut reader = ConfigReader { text, complaints: Vec::new(), further_complaints: 0, bindings: Vec::new() };
        let (document, errors) = DeTable::parse_recoverable(text);
        for error in errors {
            let what = format!("{}; `apidisc-tui config --print` prints a right file", error.message());
            reader.complain(&error.span().unwrap_or_default(), || what);
        }
        let mut config = Self::default();
        for (name, value) in document.get_ref() {
            reader.entry(&mut config, name, value);
        }
        reader.bindings.sort_by_key(|binding| binding.line);
        let (keymap, refused) = Keymap::with(&reader.bindings);
        config.keymap = keymap;
        reader.complaints.extend(refused);
        reader.complaints.sort();
        if let (Some((last, _)), 1..) = (reader.complaints.last(), reader.further_complaints) {
            let what = format!("there are {} further mistakes; mend these first", reader.further_complaints);
            reader.complaints.push((*last, what));
        }
        let complaint = |(line, message)| Complaint { file: file.to_owned(), line, message };
        (config, reader.complaints.into_iter().map(complaint).collect())
    }
}

/// The number of mistakes that are described.
const MAX_COMPLAINTS: usize = 20;

struct ConfigReader<'a> {
    text: &'a str,
    complaints: Vec<(usize, String)>,
    /// The number of complaints beyond [`MAX_COMPLAINTS`].
    further_complaints: usize,
    bindings: Vec<KeyBinding>,
}

type TomlKey<'i> = Spanned<toml::de::DeString<'i>>;
type TomlValue<'i> = Spanned<DeValue<'i>>;

impl ConfigReader<'_> {
    fn entry(&mut self, config: &mut UserConfig, name: &TomlKey<'_>, value: &TomlValue<'_>) {
        match (name.get_ref().as_ref(), value.get_ref()) {
            ("theme", DeValue::String(theme)) => config.theme = Some(theme.to_string()),
            ("theme", _) => self.complain(&value.span(), || "a theme is named in quotes: theme = \"dark\"".to_owned()),
            ("color", DeValue::String(word)) => match word.parse() {
                Ok(choice) => config.color = choice,
                Err(what) => self.complain(&value.span(), || what),
            },
            ("color", _) => self.complain(&value.span(), || "colours are named in quotes: color = \"256\"".to_owned()),
            ("ascii", _) => self.switch(&mut config.is_ascii, name, value),
            ("mouse", _) => self.switch(&mut config.is_mouse_captured, name, value),
            ("watch", _) => self.switch(&mut config.is_watching, name, value),
            ("model", DeValue::String(folder)) if !folder.is_empty() => config.model = Some(PathBuf::from(&**folder)),
            ("model", _) => {
                self.complain(&value.span(), || {
                    "a model is the path of its folder: model = \"/models/words\"".to_owned()
                });
            }
            ("ask", DeValue::Table(table)) => {
                for (name, value) in table {
                    self.ask_entry(&mut config.ask, name, value);
                }
            }
            ("ask", _) => {
                let what = "ask is a table: write [ask], and below it model = \"ollama:qwen3\"".to_owned();
                self.complain(&value.span(), || what);
            }
            ("keys", DeValue::Table(table)) => {
                for (name, value) in table {
                    self.binding(name, value);
                }
            }
            ("keys", _) => {
                let what = "keys are a table: write [keys], and below it lines such as quit = \"q\"".to_owned();
                self.complain(&value.span(), || what);
            }
            (other, _) if names_a_key(other) => self.complain(&name.span(), key_refused),
            (other, _) => self.complain(&name.span(), || unknown("entry", other, ENTRIES.into_iter())),
        }
    }

    fn ask_entry(&mut self, ask: &mut AskConfig, name: &TomlKey<'_>, value: &TomlValue<'_>) {
        match (name.get_ref().as_ref(), value.get_ref()) {
            ("model", DeValue::String(model)) if model.contains(':') => ask.model = Some(model.to_string()),
            ("model", _) => self.complain(&value.span(), || {
                "a model is PROVIDER:NAME in quotes: model = \"anthropic:claude-sonnet-4-5\"".to_owned()
            }),
            ("base_url", DeValue::String(url)) if url.starts_with("http") => ask.base_url = Some(url.to_string()),
            ("base_url", _) => self.complain(&value.span(), || {
                "an address of a server is written base_url = \"http://127.0.0.1:8080/v1\"".to_owned()
            }),
            (other, _) if names_a_key(other) => self.complain(&name.span(), key_refused),
            (other, _) => self.complain(&name.span(), || unknown("entry", other, ASK_ENTRIES.into_iter())),
        }
    }

    fn switch(&mut self, on: &mut bool, name: &TomlKey<'_>, value: &TomlValue<'_>) {
        match value.get_ref() {
            DeValue::Boolean(is_on) => *on = *is_on,
            _ => self.complain(&value.span(), || format!("write {0} = true or {0} = false", name.get_ref())),
        }
    }

    fn binding(&mut self, name: &TomlKey<'_>, value: &TomlValue<'_>) {
        let Some(entry) = COMMANDS.iter().find(|entry| *entry.name == **name.get_ref()) else {
            let names = COMMANDS.iter().map(|entry| entry.name);
            return self.complain(&name.span(), || unknown("command", name.get_ref(), names));
        };
        let values = match value.get_ref() {
            DeValue::Array(values) => values.iter().collect(),
            _ => vec![value],
        };
        let mut keys = Vec::new();
        let mut is_wrong = false;
        for value in values {
            let key = match value.get_ref() {
                DeValue::String(text) => text.parse::<KeyPress>(),
                _ => Err(format!("keys are named in quotes: {} = [\"x\", \"ctrl-x\"]", entry.name)),
            };
            match key {
                Ok(key) if keys.contains(&key) => {}
                Ok(key) => keys.push(key),
                Err(what) => {
                    is_wrong = true;
                    self.complain(&value.span(), || what);
                }
            }
        }
        if !keys.is_empty() || !is_wrong {
            let line = line(self.text, &name.span());
            self.bindings.push(KeyBinding { command: entry.command, keys, line });
        }
    }

    /// Adds a complaint, or only counts it if there are many: finding a line and a similar name takes time.
    fn complain(&mut self, place: &Range<usize>, what: impl FnOnce() -> String) {
        if self.complaints.len() < MAX_COMPLAINTS {
            self.complaints.push((line(self.text, place), what()));
        } else {
            self.further_complaints += 1;
        }
    }
}

/// True for an entry that is called a key of a provider: `api_key`, `token`, `OPENAI-API-KEY`; not for `max_tokens`.
fn names_a_key(entry: &str) -> bool {
    let words = ["key", "apikey", "token", "secret", "password"];
    entry.split(['_', '-', '.', ' ']).any(|part| words.iter().any(|word| part.eq_ignore_ascii_case(word)))
}

fn key_refused() -> String {
    "a key stands in no file: set the provider's environment variable, such as ANTHROPIC_API_KEY".to_owned()
}

/// The complaint about an unknown name, with the most similar known name by the Damerau–Levenshtein distance.
fn unknown<'a>(kind: &str, name: &str, names: impl Iterator<Item = &'a str>) -> String {
    let distance = |other: &str| strsim::damerau_levenshtein(name, other);
    let nearest = names.map(|other| (distance(other), other)).min();
    match nearest.filter(|(distance, other)| *distance <= 1 + other.len() / 3) {
        Some((_, other)) => format!("there is no {kind} `{name}`; did you mean {other}?"),
        None => format!("there is no {kind} `{name}`; `apidisc-tui config --print` prints all there are"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::command::{Command, CommandContext};

    /// The complaints about a text.
    fn complaints(text: &str) -> Vec<String> {
        UserConfig::read("config.toml", text).1.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_file_without_mistakes() {
        let text = "theme = \"light\"\n[keys]\nquit = [\"Q\", \"ctrl-q\"]\ncopy = \"f8\"\nnext-theme = []\n";
        let (config, complaints) = UserConfig::read("config.toml", text);
        assert_eq!(complaints, []);
        assert_eq!(config.theme.as_deref(), Some("light"));
        assert_eq!(config.keymap.lookup(CommandContext::Browse, KeyPress::ctrl('q')), Some(Command::Quit));
        assert_eq!(config.keymap.lookup(CommandContext::Browse, KeyPress::char('q')), None);
        assert_eq!(config.keymap.keys(Command::NextTheme), []);
    }

    #[test]
    fn every_mistake_is_reported_with_its_line_and_a_remedy() {
        let text = "thme = 'x'\ntheme = 3\n\n[keys]\nqiut = 'q'\ncopy = 'hyper-x'\nedit = 7\nzzzzzzzz = 'a'\n";
        assert_eq!(
            complaints(text),
            [
                "config.toml:1: there is no entry `thme`; did you mean theme?",
                "config.toml:2: a theme is named in quotes: theme = \"dark\"",
                "config.toml:5: there is no command `qiut`; did you mean quit?",
                "config.toml:6: there is no key `hyper-x`; write a character, or a name such as \"ctrl-u\", \"alt-x\", \
                 \"enter\", \"pageup\", \"f5\"",
                "config.toml:7: keys are named in quotes: edit = [\"x\", \"ctrl-x\"]",
                "config.toml:8: there is no command `zzzzzzzz`; `apidisc-tui config --print` prints all there are",
            ]
        );
        assert_eq!(
            complaints("keys = 3"),
            ["config.toml:1: keys are a table: write [keys], and below it lines such as quit = \"q\""]
        );
    }

    #[test]
    fn a_key_of_a_provider_is_refused_anywhere_and_other_entries_are_not_taken_for_one() {
        let refused = "a key stands in no file: set the provider's environment variable, such as ANTHROPIC_API_KEY";
        for text in ["api_key = 'x'", "[ask]\nkey = 'x'", "[ask]\nOPENAI-API-KEY = 'x'", "[ask]\nauth_token = 'x'"] {
            let line = text.lines().count();
            assert_eq!(complaints(text), [format!("config.toml:{line}: {refused}")], "{text}");
        }
        for entry in ["max_tokens", "keymap", "tokenizer"] {
            let said = complaints(&format!("[ask]\n{entry} = 1"));
            assert!(said[0].starts_with(&format!("config.toml:2: there is no entry `{entry}`")), "{said:?}");
        }
    }

    #[test]
    fn of_many_mistakes_the_first_are_told_and_the_rest_counted() {
        let text = (0..100_000).map(|i| format!("wrong{i:06} = 1")).collect::<Vec<_>>().join("\n");
        let complaints = complaints(&text);
        assert_eq!(complaints.len(), MAX_COMPLAINTS + 1);
        assert!(complaints[MAX_COMPLAINTS].ends_with(": there are 99980 further mistakes; mend these first"));
    }

    #[test]
    fn a_mistake_costs_only_its_entry() {
        let (config, complaints) = UserConfig::read("config.toml", "theme = \"light\"\n[keys\ncopy = \"hyper-x\"\n");
        assert!(!complaints.is_empty() && complaints[0].line == 2, "{complaints:?}");
        assert_eq!(config.theme.as_deref(), Some("light"));
        assert_eq!(config.keymap.keys(Command::Copy), Command::Copy.entry().keys);
    }

    #[test]
    fn the_printed_configuration_is_read_back() {
        let text = "theme = \"light\"\ncolor = \"16\"\nascii = true\nmouse = false\nwatch = false\n[keys]\nquit = [\"Q\", \"\\\"\", \"\\\\\"]\nnext-theme = []\n";
        let (config, complaints) = UserConfig::read("config.toml", text);
        assert_eq!(complaints, []);
        for config in [config, UserConfig::default()] {
            assert_eq!(UserConfig::read("config.toml", &config.to_toml()), (config, vec![]));
        }
    }
}
