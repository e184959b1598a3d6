//! The one table of commands: it makes the keymap, the help overlay and the README's key table.

use std::fmt::Write as _;

use super::input::{Code, Key};

/// Something that a person can ask for with a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Command {
    /// One row up.
    Up,
    /// One row down.
    Down,
    /// Closes a node, or goes to the pane on the left.
    Left,
    /// Opens a node, or goes to the pane on the right.
    Right,
    /// A page up.
    PageUp,
    /// A page down.
    PageDown,
    /// To the first row.
    First,
    /// To the last row.
    Last,
    /// To the next pane.
    NextPane,
    /// To the previous pane.
    PreviousPane,
    /// Opens or closes a package or class.
    Toggle,
    /// Goes into a module, or opens a definition in the editor.
    Enter,
    /// Begins to filter.
    Filter,
    /// Clears a filter.
    Clear,
    /// Shows private definitions, or hides them.
    Private,
    /// The next strategy.
    NextStrategy,
    /// The previous strategy.
    PreviousStrategy,
    /// A notch up.
    Raise,
    /// A notch down.
    Lower,
    /// Far up.
    RaiseFar,
    /// Far down.
    LowerFar,
    /// The next tokenizer.
    NextEncoding,
    /// Copies the stub.
    Copy,
    /// Writes the stub to a file.
    Write,
    /// Opens the definition in the editor.
    Edit,
    /// The next theme.
    NextTheme,
    /// What was counted and what was not.
    Ledger,
    /// The help.
    Help,
    /// Leaves.
    Quit,
    /// Leaves from wherever one is.
    Interrupt,
    /// Keeps the filter and goes back to the list.
    AcceptFilter,
    /// Clears the filter and goes back to the list.
    CancelFilter,
    /// The next match while typing.
    NextMatch,
    /// The previous match while typing.
    PreviousMatch,
}

/// Where a command can be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Context {
    /// In every situation.
    Everywhere,
    /// In the panes, and to move in an overlay.
    Browse,
    /// While a filter is typed.
    Filter,
}

/// A heading of the help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Moving about.
    Move,
    /// Choosing what is listed.
    Find,
    /// Strategy, numbers, tokenizer.
    Tune,
    /// Taking the stub along.
    Take,
    /// The rest.
    Screen,
}

impl Group {
    /// Every group, in the order of display.
    pub const ALL: [Self; 5] = [Self::Move, Self::Find, Self::Tune, Self::Take, Self::Screen];

    /// The heading.
    pub fn title(self) -> &'static str {
        match self {
            Self::Move => "Move",
            Self::Find => "Find",
            Self::Tune => "Tune",
            Self::Take => "Take along",
            Self::Screen => "Screen",
        }
    }
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// What it does.
    pub command: Command,
    /// Its name, as a configuration would call it.
    pub name: &'static str,
    /// Its keys.
    pub keys: &'static [Key],
    /// Where it can be given.
    pub context: Context,
    /// Its heading.
    pub group: Group,
    /// One line of help.
    pub help: &'static str,
}

const fn code(code: Code) -> Key {
    Key::new(code)
}
const fn key(c: char) -> Key {
    Key::char(c)
}

macro_rules! commands {
    ($($command:ident $name:literal [$($key:expr),*] $context:ident $group:ident $help:literal;)*) => {
        /// Every command, in the order of the help.
        pub const COMMANDS: &[Entry] = &[$(Entry {
            command: Command::$command,
            name: $name,
            keys: &[$($key),*],
            context: Context::$context,
            group: Group::$group,
            help: $help,
        }),*];
    };
}

commands! {
    Up "up" [code(Code::Up), key('k')] Browse Move "one row up";
    Down "down" [code(Code::Down), key('j')] Browse Move "one row down";
    Left "left" [code(Code::Left), key('h')] Browse Move "close a package or class, then the pane on the left";
    Right "right" [code(Code::Right), key('l')] Browse Move "open a package, then the pane on the right";
    NextPane "next-pane" [code(Code::Tab)] Browse Move "the next pane";
    PreviousPane "previous-pane" [code(Code::BackTab)] Browse Move "the previous pane";
    PageUp "page-up" [code(Code::PageUp), Key::ctrl('u')] Browse Move "a page up";
    PageDown "page-down" [code(Code::PageDown), Key::ctrl('d')] Browse Move "a page down";
    First "first" [code(Code::Home), key('g')] Browse Move "the first row";
    Last "last" [code(Code::End), key('G')] Browse Move "the last row";
    Toggle "toggle" [key(' ')] Browse Move "open or close a package or class";
    Enter "enter" [code(Code::Enter)] Browse Move "go into a module; open a definition in $EDITOR";
    Filter "filter" [key('/')] Browse Find "filter the list, fuzzily, while typing";
    AcceptFilter "accept-filter" [code(Code::Enter)] Filter Find "keep the filter and move in what it found";
    CancelFilter "cancel-filter" [code(Code::Esc)] Filter Find "clear the filter";
    NextMatch "next-match" [code(Code::Down), code(Code::Tab), Key::ctrl('n')] Filter Find "the next match while typing";
    PreviousMatch "previous-match" [code(Code::Up), code(Code::BackTab), Key::ctrl('p')] Filter Find "the previous match while typing";
    Clear "clear" [code(Code::Esc)] Browse Find "clear the filter of the pane";
    Private "private" [key('a')] Browse Find "show private definitions too, or hide them";
    NextStrategy "next-strategy" [key('s')] Browse Tune "the next strategy: budget, threshold, coverage, exhaustive";
    PreviousStrategy "previous-strategy" [key('S')] Browse Tune "the previous strategy";
    Raise "raise" [key('+'), key('=')] Browse Tune "raise the budget, threshold or target by a notch";
    Lower "lower" [key('-'), key('_')] Browse Tune "lower it by a notch";
    RaiseFar "raise-far" [key('>')] Browse Tune "raise it far: twice the budget, ten points";
    LowerFar "lower-far" [key('<')] Browse Tune "lower it far";
    NextEncoding "next-encoding" [key('e')] Browse Tune "the next tokenizer";
    Copy "copy" [key('y')] Browse Take "copy the stub";
    Write "write" [key('w')] Browse Take "write the stub to a file; shows the command that prints it";
    Edit "edit" [key('o')] Browse Take "open the definition in $VISUAL or $EDITOR";
    Ledger "ledger" [key('i')] Browse Screen "what was counted, and what could not be";
    NextTheme "next-theme" [key('t')] Browse Screen "the next theme";
    Help "help" [key('?')] Browse Screen "this help";
    Quit "quit" [key('q')] Browse Screen "quit, or close what is open";
    Interrupt "interrupt" [Key::ctrl('c')] Everywhere Screen "quit at once";
}

/// The command that `key` gives in `context`.
pub fn lookup(context: Context, key: Key) -> Option<Command> {
    COMMANDS
        .iter()
        .find(|e| (e.context == context || e.context == Context::Everywhere) && e.keys.contains(&key))
        .map(|e| e.command)
}

/// The table's row of `command`.
pub fn entry(command: Command) -> Option<&'static Entry> {
    COMMANDS.iter().find(|e| e.command == command)
}

/// Its keys as people read them, such as `↑ k`.
pub fn keys_of(entry: &Entry) -> String {
    entry.keys.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// The README's key table.
pub fn markdown() -> String {
    let mut out = String::from("| keys | |\n| --- | --- |\n");
    for group in Group::ALL {
        for entry in COMMANDS.iter().filter(|e| e.group == group) {
            let keys: Vec<String> = entry.keys.iter().map(|k| format!("`{k}`")).collect();
            let _ = writeln!(out, "| {} | {} |", keys.join(" "), entry.help);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_means_two_things() {
        for context in [Context::Browse, Context::Filter] {
            let mut seen = std::collections::HashSet::new();
            for entry in COMMANDS.iter().filter(|e| e.context == context || e.context == Context::Everywhere) {
                for key in entry.keys {
                    assert!(seen.insert(*key), "{key} has two meanings");
                }
            }
        }
    }

    #[test]
    fn every_command_has_a_row() {
        let mut seen = std::collections::HashSet::new();
        for row in COMMANDS {
            assert!(seen.insert(row.command), "{} stands twice", row.name);
            assert!(!row.help.contains('|'), "{} would break the table", row.name);
        }
    }
}
