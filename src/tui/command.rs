//! The table of commands. The default keymap, the help, the palette and the table in `docs/explorer.md` are made from
//! it.

use std::fmt::Write as _;

use super::input::{Code, KeyPress};

/// The context in which a command can be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CommandContext {
    /// In any context.
    Everywhere,
    /// In the panes, on pages, and in overlays while no text is typed.
    Browse,
    /// While text is typed: a filter, or the query of an overlay.
    Typing,
}

/// A heading of the help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandGroup {
    /// Moving around.
    Move,
    /// Finding and filtering.
    Find,
    /// Strategy, weights, overrides, tokenizer.
    Tune,
    /// Copying the stub or a first call, writing it to a file, and opening the definition in an editor.
    Take,
    /// Everything else.
    Screen,
}

impl CommandGroup {
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
pub struct CommandEntry {
    /// The command.
    pub command: Command,
    /// Its name in the palette and in `config.toml`.
    pub name: &'static str,
    /// Its keys, unless `config.toml` gives others; see [`super::keymap::Keymap`].
    pub keys: &'static [KeyPress],
    /// The context in which it can be given.
    pub context: CommandContext,
    /// Its heading in the help.
    pub group: CommandGroup,
    /// One line of help.
    pub help: &'static str,
}

const fn code(code: Code) -> KeyPress {
    KeyPress::new(code)
}
const fn key(c: char) -> KeyPress {
    KeyPress::char(c)
}

const fn alt(code: Code) -> KeyPress {
    KeyPress { code, ctrl: false, alt: true }
}

macro_rules! commands {
    ($($command:ident $name:literal [$($key:expr),*] $context:ident $group:ident $help:literal;)*) => {
        /// A command that the user can give.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Command {
            $(#[doc = $help] $command,)*
        }

        /// Every command, in the order of the help.
        pub const COMMANDS: &[CommandEntry] = &[$(CommandEntry {
            command: Command::$command,
            name: $name,
            keys: &[$($key),*],
            context: CommandContext::$context,
            group: CommandGroup::$group,
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
    PageUp "page-up" [code(Code::PageUp), KeyPress::ctrl('u')] Browse Move "a page up";
    PageDown "page-down" [code(Code::PageDown), KeyPress::ctrl('d')] Browse Move "a page down";
    First "first" [code(Code::Home), key('g')] Browse Move "the first row";
    Last "last" [code(Code::End), key('G')] Browse Move "the last row";
    Toggle "toggle" [key(' ')] Browse Move "open or close a package or class";
    Enter "enter" [code(Code::Enter)] Browse Move "go into a module; open the page of a symbol or argument; follow a row of a page";
    Back "back" [key('['), alt(Code::Left)] Browse Move "back to where one was";
    Forward "forward" [key(']'), alt(Code::Right)] Browse Move "forward again";
    Mark "mark" [key('m')] Browse Move "mark where one is with the next letter";
    Jump "jump" [key('\'')] Browse Move "go to what the next letter marks";
    Find "find" [key('f'), KeyPress::ctrl('p')] Browse Find "find anything by its name, or by what it does";
    Ask "ask" [KeyPress::ctrl('a')] Browse Find "ask about what is selected: an answer with its sources";
    Page "page" [key('d')] Browse Find "the page of what is selected: all that is known of it";
    Calls "calls" [key('c')] Browse Find "the real calls behind it, in their source";
    Recipes "recipes" [key('r')] Browse Find "its recipes: the ways in which it is called";
    Order "order" [key('O')] Browse Find "call sites: the most typical first, the newest first, by path";
    Filter "filter" [key('/')] Browse Find "filter the list or page, while typing";
    Clear "clear" [code(Code::Esc)] Browse Find "clear the filter of the pane; stop indexing";
    Packages "packages" [key('D')] Browse Find "the packages that the code uses, or the code again";
    Upgrade "upgrade" [key('B')] Browse Find "compare with another version: what an upgrade or a change breaks";
    NextBreak "next-break" [key('n')] Browse Find "the next use that the other version breaks or changes";
    Private "private" [key('a')] Browse Find "show private definitions too, or hide them";
    Accept "accept" [code(Code::Enter)] Typing Find "while typing: keep the filter, or take what is selected";
    Cancel "cancel" [code(Code::Esc)] Typing Find "while typing: clear the filter, or close the list";
    NextMatch "next-match" [code(Code::Down), code(Code::Tab), KeyPress::ctrl('n')] Typing Find "while typing: the next match";
    PreviousMatch "previous-match" [code(Code::Up), code(Code::BackTab), KeyPress::ctrl('p')] Typing Find "while typing: the previous match";
    NextMatches "next-matches" [code(Code::PageDown)] Typing Find "while typing: a page of matches down";
    PreviousMatches "previous-matches" [code(Code::PageUp)] Typing Find "while typing: a page of matches up";
    NextStrategy "next-strategy" [key('s')] Browse Tune "the next strategy: budget, threshold, coverage, exhaustive";
    PreviousStrategy "previous-strategy" [key('S')] Browse Tune "the previous strategy";
    Raise "raise" [key('+'), key('=')] Browse Tune "raise the budget, threshold or target by a notch";
    Lower "lower" [key('-'), key('_')] Browse Tune "lower it by a notch";
    RaiseFar "raise-far" [key('}')] Browse Tune "raise it far: twice the budget, ten points";
    LowerFar "lower-far" [key('{')] Browse Tune "lower it far";
    Pin "pin" [key('p')] Browse Tune "pin the symbol or argument: every stub shows it; again, or no longer";
    Ban "ban" [key('b')] Browse Tune "ban it: no stub shows it; again, or no longer";
    NoQuestion "no-question" [key('X')] Browse Tune "rank the stub by use alone again, not by what was searched or asked";
    Tune "tune" [key('u')] Browse Tune "tune: what each notch costs, for what the stub is of";
    Knee "knee" [key('K')] Browse Tune "on that page: the budget after which tokens buy less than on average";
    Compare "compare" [key('C')] Browse Tune "compare the stub with that of another setting or profile";
    SaveProfile "save-profile" [key('P')] Browse Tune "save strategy, number, pins and bans as a profile of the repository";
    Origins "origins" [key('W')] Browse Tune "how often the calls of each origin and source count";
    CountSrc "count-src" [key('1')] Browse Tune "leave the calls in src out, or count them again";
    CountTests "count-tests" [key('2')] Browse Tune "the same for those in tests";
    CountExamples "count-examples" [key('3')] Browse Tune "the same for those in examples";
    CountDocs "count-docs" [key('4')] Browse Tune "the same for those in docs";
    NextWording "next-wording" [key('v')] Browse Tune "the next wording: what fits best, in full, a line each, names only";
    Readable "readable" [key('E')] Browse Tune "read the stub in full, or as it is delivered; what is copied stays";
    NextDocs "next-docs" [key('V')] Browse Tune "documentation in the stub: first sentences, all, none";
    NextEncoding "next-encoding" [key('e')] Browse Tune "the next tokenizer";
    Copy "copy" [key('y')] Browse Take "copy the stub";
    CopyCall "copy-call" [key('Y')] Browse Take "copy the symbol's first call, or the recipe's code";
    Write "write" [key('w')] Browse Take "write the stub to a file; shows the command that prints it";
    Edit "edit" [key('o')] Browse Take "open the definition in $VISUAL or $EDITOR";
    Ledger "ledger" [key('i')] Browse Screen "what was counted, and what could not be";
    Legend "legend" [key('L')] Browse Screen "what the signs and bars mean";
    Problems "problems" [key('!')] Browse Screen "what could not be read in full, and why";
    Agents "agents" [key('A')] Browse Screen "the requests of agents as they come: question, tokens, answer";
    Reindex "reindex" [key('R')] Browse Screen "index again what has changed, which watched files do by themselves, and clone what could not be cloned";
    Around "around" [key('U')] Browse Screen "count the calls of the whole repository around the opened folder or file, or of it alone";
    Stop "stop" [key('x')] Browse Screen "stop indexing; what is read stays";
    Zoom "zoom" [key('z')] Browse Screen "give the pane, or the source beside a page, the whole screen, or take it back";
    Wrap "wrap" [key('.')] Browse Screen "wrap long lines of the source, or cut them";
    Wider "wider" [key('>')] Browse Screen "make the pane wider; borders can be dragged too";
    Narrower "narrower" [key('<')] Browse Screen "make it narrower";
    Taller "taller" [key(')')] Browse Screen "make it taller";
    Shorter "shorter" [key('(')] Browse Screen "make it shorter";
    ResetPanes "reset-panes" [key('Z')] Browse Screen "every pane as large as at first";
    NextTheme "next-theme" [key('t')] Browse Screen "the next theme";
    Themes "themes" [key('T')] Browse Screen "choose a theme, which is put on while one looks";
    Mouse "mouse" [key('M')] Browse Screen "leave the mouse to the terminal, to select text, or take it back";
    Palette "palette" [key(':'), KeyPress::ctrl('k')] Browse Screen "find a command by its name and run it";
    Help "help" [key('?')] Browse Screen "this help";
    Quit "quit" [key('q')] Browse Screen "quit, or close what is open";
    Forget "forget" [] Browse Screen "forget what is remembered of the repository: place, settings, pins, marks";
    Suspend "suspend" [KeyPress::ctrl('z')] Everywhere Screen "go to the shell; fg comes back";
    Interrupt "interrupt" [KeyPress::ctrl('c')] Everywhere Screen "quit at once";
}

impl Command {
    /// The row of the table.
    pub fn entry(self) -> &'static CommandEntry {
        &COMMANDS[self as usize]
    }
}

impl CommandContext {
    /// True if both contexts can be active at the same time, so that they must not share a key.
    pub fn meets(self, other: Self) -> bool {
        self == other || self == Self::Everywhere || other == Self::Everywhere
    }
}

/// Formats the key table of `docs/explorer.md`.
pub fn markdown() -> String {
    let mut out = String::from("| keys | |\n| --- | --- |\n");
    for group in CommandGroup::ALL {
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
    fn no_key_has_two_commands_in_one_context() {
        for (at, entry) in COMMANDS.iter().enumerate() {
            for other in COMMANDS[..at].iter().filter(|other| other.context.meets(entry.context)) {
                let shared = entry.keys.iter().find(|key| other.keys.contains(key));
                assert_eq!(shared, None, "of both {} and {}", entry.name, other.name);
            }
        }
    }

    #[test]
    fn command_names_are_unique() {
        let mut seen = std::collections::HashSet::new();
        for row in COMMANDS {
            assert!(seen.insert(row.name), "{} stands twice", row.name);
            assert!(!row.help.contains('|'), "{} would break the table", row.name);
            assert_eq!(row.command.entry().name, row.name);
        }
    }
}
