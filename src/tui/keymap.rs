//! The keymap: the default keys of the command table, and the user's keys from `config.toml`.

use super::{
    command::{COMMANDS, Command, CommandContext},
    input::{Code, KeyPress},
};

/// The user's keys for a command; they replace the default keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyBinding {
    /// The command.
    pub command: Command,
    /// The keys; empty if the user has removed the keys of the command.
    pub keys: Vec<KeyPress>,
    /// The line in `config.toml`, from 1, for complaints.
    pub line: usize,
}

/// The keys of every command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keymap {
    /// The keys of each command, at the position `Command as usize`.
    keys: Vec<Vec<KeyPress>>,
    /// True if arrow keys are displayed by name: `up` instead of `↑`.
    has_arrow_names: bool,
}

impl Default for Keymap {
    fn default() -> Self {
        Self { keys: COMMANDS.iter().map(|entry| entry.keys.to_vec()).collect(), has_arrow_names: false }
    }
}

impl Keymap {
    /// The command that a key gives in a context.
    pub fn lookup(&self, context: CommandContext, key: KeyPress) -> Option<Command> {
        let entries =
            COMMANDS.iter().filter(|entry| entry.context == context || entry.context == CommandContext::Everywhere);
        entries.map(|entry| entry.command).find(|command| self.keys(*command).contains(&key))
    }

    /// The keys of a command; empty if the command has no key.
    pub fn keys(&self, command: Command) -> &[KeyPress] {
        &self.keys[command as usize]
    }

    /// Sets whether arrow keys are displayed by name, for screens in ASCII.
    #[must_use]
    pub fn with_arrow_names(mut self, has_arrow_names: bool) -> Self {
        self.has_arrow_names = has_arrow_names;
        self
    }

    /// The keys of a command for display, such as `↑ k`.
    pub fn words(&self, command: Command) -> String {
        self.keys(command).iter().map(|key| self.word(*key)).collect::<Vec<_>>().join(" ")
    }

    /// The first key of a command for display.
    pub fn first(&self, command: Command) -> Option<String> {
        self.keys(command).first().map(|key| self.word(*key))
    }

    fn word(&self, key: KeyPress) -> String {
        let is_arrow = matches!(key.code, Code::Up | Code::Down | Code::Left | Code::Right);
        if self.has_arrow_names && is_arrow { key.name() } else { key.to_string() }
    }

    /// The default keymap with the user's bindings, and complaints: the line of each mistake and a remedy.
    ///
    /// If the user binds a key to a command, a command that has this key by default in the same context loses it.
    pub fn with(bindings: &[KeyBinding]) -> (Self, Vec<(usize, String)>) {
        let mut complaints = Vec::new();
        let mut keymap = Self::default();
        let mut given: Vec<(KeyPress, &KeyBinding)> = Vec::new();
        let mut chosen: Vec<Command> = Vec::new();
        for binding in bindings {
            let keys = binding.keys.iter().filter(|key| match refusal(**key, binding.command, &given) {
                Some(why) => {
                    complaints.push((binding.line, why));
                    false
                }
                None => true,
            });
            let keys: Vec<KeyPress> = keys.copied().collect();
            given.extend(keys.iter().map(|key| (*key, binding)));
            // If every key of a binding is refused, the default keys stay.
            if !keys.is_empty() || binding.keys.is_empty() {
                keymap.keys[binding.command as usize] = keys;
                chosen.push(binding.command);
            }
        }
        for entry in COMMANDS.iter().filter(|entry| !chosen.contains(&entry.command)) {
            let taken = |key: &KeyPress| {
                given.iter().find(|(given, by)| given == key && by.command.entry().context.meets(entry.context))
            };
            let Some((key, by)) = entry.keys.iter().find_map(taken) else { continue };
            let keys = &mut keymap.keys[entry.command as usize];
            keys.retain(|key| taken(key).is_none());
            if keys.is_empty() {
                let (name, taker) = (entry.name, by.command.entry().name);
                let why = format!(
                    "`{}` for {taker} leaves {name} without a key; give it one, or write {name} = []",
                    key.name()
                );
                complaints.push((by.line, why));
            }
        }
        (keymap, complaints)
    }
}

/// The reason why a command cannot have a key.
fn refusal(key: KeyPress, command: Command, given: &[(KeyPress, &KeyBinding)]) -> Option<String> {
    let entry = command.entry();
    let (name, context) = (key.name(), entry.context);
    let is_typed = matches!(key.code, Code::Char(_)) && !key.ctrl && !key.alt;
    if is_typed && context != CommandContext::Browse {
        return Some(format!(
            "`{name}` is a letter to type; write \"ctrl-{name}\" or \"alt-{name}\" for {}",
            entry.name
        ));
    }
    let way_out = Command::Interrupt.entry();
    if command != way_out.command && way_out.keys.contains(&key) {
        return Some(format!("`{name}` always quits; choose another key for {}", entry.name));
    }
    let twin = given.iter().find(|(other, by)| *other == key && by.command.entry().context.meets(context));
    let (_, by) = twin.filter(|(_, by)| by.command != command)?;
    let other = by.command.entry().name;
    Some(format!("`{name}` is {other}'s on line {}; choose another key for {}", by.line, entry.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A key that is bound to no command.
    const F9: KeyPress = KeyPress::new(Code::F(9));

    fn with(bindings: &[(Command, &[KeyPress])]) -> (Keymap, Vec<String>) {
        let binding = |(at, (command, keys)): (usize, &(Command, &[KeyPress]))| KeyBinding {
            command: *command,
            keys: keys.to_vec(),
            line: at + 1,
        };
        let bindings: Vec<KeyBinding> = bindings.iter().enumerate().map(binding).collect();
        let (keymap, complaints) = Keymap::with(&bindings);
        (keymap, complaints.into_iter().map(|(line, why)| format!("{line}: {why}")).collect())
    }

    #[test]
    fn a_bound_key_is_taken_from_its_default_command() {
        let (keymap, complaints) = with(&[(Command::Copy, &[F9, KeyPress::char('j')])]);
        assert_eq!(complaints, [] as [String; 0]);
        assert_eq!(keymap.lookup(CommandContext::Browse, KeyPress::char('j')), Some(Command::Copy));
        assert_eq!(keymap.lookup(CommandContext::Browse, KeyPress::char('y')), None);
        assert_eq!(keymap.words(Command::Down), "↓");
    }

    #[test]
    fn conflicts_are_reported_and_the_first_binding_stays() {
        let (keymap, complaints) = with(&[
            (Command::Copy, &[F9]),
            (Command::Write, &[F9, KeyPress::ctrl('s')]),
            (Command::Edit, &[F9]),
            (Command::Quit, &[KeyPress::char('?')]),
        ]);
        assert_eq!(
            complaints,
            [
                "2: `f9` is copy's on line 1; choose another key for write",
                "3: `f9` is copy's on line 1; choose another key for edit",
                "4: `?` for quit leaves help without a key; give it one, or write help = []",
            ]
        );
        assert_eq!(keymap.lookup(CommandContext::Browse, F9), Some(Command::Copy));
        assert_eq!(keymap.keys(Command::Write), [KeyPress::ctrl('s')]);
        assert_eq!(keymap.keys(Command::Edit), Command::Edit.entry().keys, "the table's stay");
        let (keymap, _) = with(&[(Command::Copy, &[KeyPress::char('>')]), (Command::Wider, &[KeyPress::char('>')])]);
        assert_eq!(keymap.keys(Command::Wider), [], "the table's stay where nobody else has them");
    }

    #[test]
    fn letters_can_be_typed_and_ctrl_c_quits() {
        let (keymap, complaints) = with(&[
            (Command::Accept, &[KeyPress::char('x')]),
            (Command::Interrupt, &[KeyPress::char('q')]),
            (Command::Help, &[KeyPress::ctrl('c')]),
        ]);
        assert_eq!(
            complaints,
            [
                "1: `x` is a letter to type; write \"ctrl-x\" or \"alt-x\" for accept",
                "2: `q` is a letter to type; write \"ctrl-q\" or \"alt-q\" for interrupt",
                "3: `ctrl-c` always quits; choose another key for help",
            ]
        );
        assert_eq!(keymap, Keymap::default());
        let (keymap, complaints) = with(&[(Command::Help, &[]), (Command::Palette, &[KeyPress::char('?')])]);
        assert_eq!((keymap.keys(Command::Help), complaints.len()), (&[][..], 0));
    }
}
