//! Prints the configuration in force as a file that can be read back.

use std::fmt::Write as _;

use super::UserConfig;
use crate::tui::command::{COMMANDS, CommandGroup};
use apidisc::unprintable::toml_string;

impl UserConfig {
    /// The whole configuration, with a comment for each entry.
    pub fn to_toml(&self) -> String {
        let mut out =
            String::from("# The colours: a theme by name; `apidisc-tui config --paths` says where yours live.\n");
        match &self.theme {
            Some(theme) => entry(&mut out, "theme", &toml_string(theme)),
            None => entry(&mut out, "# theme", &toml_string("dark")),
        }
        out.push_str("\n# How many of them: auto, truecolor, 256, 16, never.\n");
        entry(&mut out, "color", &toml_string(self.color.word()));
        out.push_str("\n# Draw bars, borders and marks with ASCII alone.\n");
        entry(&mut out, "ascii", &self.is_ascii.to_string());
        out.push_str("\n# The mouse is for the explorer; without it the terminal selects text.\n");
        entry(&mut out, "mouse", &self.is_mouse_captured.to_string());
        out.push_str("\n# Index again what is saved.\n");
        entry(&mut out, "watch", &self.is_watching.to_string());
        out.push_str("\n# The folder of a model of words for searches by meaning, as --model; the program brings one of its own.\n");
        match &self.model {
            Some(folder) => entry(&mut out, "model", &toml_string(&folder.display().to_string())),
            None => entry(&mut out, "# model", &toml_string("/models/words")),
        }
        out.push_str("\n# The model that answers questions, as --model, and its server, as --base-url; keys stay in the environment.\n[ask]\n");
        match &self.ask.model {
            Some(model) => entry(&mut out, "model", &toml_string(model)),
            None => entry(&mut out, "# model", &toml_string("anthropic:claude-sonnet-4-5")),
        }
        match &self.ask.base_url {
            Some(url) => entry(&mut out, "base_url", &toml_string(url)),
            None => entry(&mut out, "# base_url", &toml_string("http://127.0.0.1:8080/v1")),
        }
        out.push_str("\n# Keys by command: one, several in brackets, or [] for none.\n[keys]\n");
        for group in CommandGroup::ALL {
            let _ = writeln!(out, "# {}", group.title());
            for command in COMMANDS.iter().filter(|entry| entry.group == group) {
                let keys: Vec<String> =
                    self.keymap.keys(command.command).iter().map(|key| toml_string(&key.name())).collect();
                let line = format!("{} = [{}]", command.name, keys.join(", "));
                let _ = writeln!(out, "{line:<44}  # {}", command.help);
            }
        }
        out
    }
}

fn entry(out: &mut String, name: &str, value: &str) {
    let _ = writeln!(out, "{name} = {value}");
}
