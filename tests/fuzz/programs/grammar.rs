//! Grammars: rules, and for each rule the forms in which it is written.

use std::sync::LazyLock;

/// Programs of TypeScript.
pub(crate) static TYPESCRIPT: LazyLock<Grammar> = LazyLock::new(|| Grammar {
    rules: rules(include_str!("typescript.txt")),
    kinds: &[
        ("class", "C"),
        ("interface", "I"),
        ("alias", "A"),
        ("enum", "E"),
        ("namespace", "N"),
        ("function", "f"),
        ("value", "v"),
    ],
    brackets: ["<", ">"],
    endings: &[".ts", ".ts", ".tsx", ".ts", ".tsx", ".js", ".d.ts"],
});

/// Programs of Python.
pub(crate) static PYTHON: LazyLock<Grammar> = LazyLock::new(|| Grammar {
    rules: rules(include_str!("python.txt")),
    kinds: &[
        ("class", "C"),
        ("protocol", "P"),
        ("record", "R"),
        ("metaclass", "M"),
        ("enum", "E"),
        ("alias", "A"),
        ("typevar", "T_"),
        ("paramspec", "P_"),
        ("typevartuple", "Ts_"),
        ("function", "f"),
        ("fixture", "fixture"),
        ("value", "v"),
    ],
    brackets: ["[", "]"],
    endings: &[".py", ".py", ".py", ".pyi"],
});

/// How the programs of a language are written.
pub(crate) struct Grammar {
    pub(crate) rules: Vec<Rule>,
    /// The kinds of names, each with the letter that its names begin with.
    pub(crate) kinds: &'static [(&'static str, &'static str)],
    /// The brackets around type parameters and arguments.
    pub(crate) brackets: [&'static str; 2],
    /// The endings of the names of files.
    pub(crate) endings: &'static [&'static str],
}

/// A rule, and the forms that it may be written in. The first form leads to no rule that leads back to this one.
pub(crate) struct Rule {
    pub(crate) name: &'static str,
    pub(crate) forms: Vec<&'static str>,
}

impl Grammar {
    /// The rule of this name.
    pub(crate) fn rule(&self, name: &str) -> Option<&Rule> {
        self.rules.iter().find(|rule| rule.name == name)
    }
}

/// The rules of a text: a line with a name begins a rule, the indented lines below are its forms. ` // ` is between the
/// forms of one line.
fn rules(text: &'static str) -> Vec<Rule> {
    let mut rules: Vec<Rule> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with("# ")) {
        match line.strip_prefix("    ") {
            Some(forms) => rules.last_mut().expect("a rule is above its forms").forms.extend(forms.split(" // ")),
            None => rules.push(Rule { name: line, forms: Vec::new() }),
        }
    }
    rules
}
