//! Small programs whose declarations name each other at random, so that many types lead back to themselves.
//!
//! A grammar is a text of rules, and of the forms that each rule is written in. A form is text with places: `%type` is
//! written by a form of the rule `type`, `\\n` is a new line. The bytes of an input choose the forms. Where the bytes
//! end, and ever more often below other rules, a rule is written in its first form, which leads to no rule that leads
//! back.
//!
//! Places that are no rules, where `class` stands for any kind of name of the grammar:
//!
//! | place | text |
//! | --- | --- |
//! | `%new_class` | the name of the declaration; a declaration has one such place |
//! | `%class` | the name of any declared class, now and then of anything else or of nothing |
//! | `%self` | the name of the declaration again |
//! | `%generics` | type parameters, each written by the rule `type_parameter`, with its name at `%it` |
//! | `%args` | as many type arguments as the name before has type parameters |
//! | `%bind_type`, `%bind_value` | a new type parameter or variable |
//! | `%bound_type`, `%bound_value` | one of those above |
//! | `%scope` | nothing; what a form that begins so binds ends with the form |
//! | `%jsx` | an element by the rule `element`, in files that may have some |
//! | `%module`, `%exported` | another module, and the names that it declares |

mod grammar;

use std::collections::BTreeSet;

pub(crate) use grammar::{Grammar, PYTHON, Rule, TYPESCRIPT};

/// The number of rules within each other below which each is written in its first form.
const MAX_DEPTH: usize = 6;

/// A program, and what it was written with.
pub(crate) struct Program {
    /// The files: path and text.
    pub(crate) files: Vec<(String, String)>,
    /// The forms that were used: the rule and the number of the form.
    pub(crate) forms: BTreeSet<(&'static str, usize)>,
}

/// The program of an input.
pub(crate) fn program(grammar: &'static Grammar, bytes: &[u8]) -> Program {
    let mut writer = Writer {
        grammar,
        bytes: bytes.iter(),
        may_have_elements: false,
        names: Vec::new(),
        it: String::new(),
        types: Vec::new(),
        values: Vec::new(),
        declared: 0,
        arity: 0,
        module: 0,
        forms: BTreeSet::new(),
    };
    let files = writer.files();
    Program { files, forms: writer.forms }
}

/// The bytes of the input with a number: 800 to 4,000, by the generator `SplitMix64`.
pub(crate) fn input(seed: u64) -> Vec<u8> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    let words = 100 + next() % 401;
    (0..words).flat_map(|_| next().to_le_bytes()).collect()
}

/// A declared name.
struct Name {
    kind: &'static str,
    text: String,
    /// The number of its type parameters.
    arity: usize,
    module: usize,
    form: usize,
}

struct Writer<'a> {
    grammar: &'static Grammar,
    bytes: std::slice::Iter<'a, u8>,
    /// The file that is written may have elements of JSX.
    may_have_elements: bool,
    names: Vec<Name>,
    /// The declaration that is written.
    declared: usize,
    /// The type parameter that is written.
    it: String,
    /// The type parameters and the variables that are bound here.
    types: Vec<String>,
    values: Vec<String>,
    /// The number of type parameters of the name that was written last.
    arity: usize,
    /// The module that is imported.
    module: usize,
    forms: BTreeSet<(&'static str, usize)>,
}

impl Writer<'_> {
    /// A number below a limit, 0 where the input has ended.
    fn below(&mut self, limit: usize) -> usize {
        self.bytes.next().map_or(0, |&byte| usize::from(byte) % limit)
    }

    fn rule(&self, name: &str) -> &'static Rule {
        self.grammar.rule(name).unwrap_or_else(|| panic!("there is no rule {name}"))
    }

    fn files(&mut self) -> Vec<(String, String)> {
        let modules = [1, 1, 1, 1, 2, 3][self.below(6)];
        let endings = self.grammar.endings;
        let endings: Vec<&str> = (0..modules).map(|_| endings[self.below(endings.len())]).collect();
        let may_have_elements = |module: usize| [".tsx", ".js"].contains(&endings[module]);
        let mut texts = vec![String::new(); modules];
        self.plan(modules);
        for (module, text) in texts.iter_mut().enumerate() {
            self.line("header", text);
            for other in (0..modules).filter(|&other| other != module) {
                self.module = other;
                self.line("import", text);
            }
        }
        for declared in 0..self.names.len() {
            self.declared = declared;
            let Name { form, module, .. } = self.names[declared];
            self.may_have_elements = may_have_elements(module);
            self.forms.insert(("declaration", form));
            texts[module] += &self.fill(self.rule("declaration").forms[form], 0);
            texts[module].push('\n');
            self.unbind();
            if self.below(3) == 1 {
                self.line("use", &mut texts[module]);
                self.unbind();
            }
        }
        for (module, text) in texts.iter_mut().enumerate() {
            self.may_have_elements = may_have_elements(module);
            for _ in 0..=self.below(4) {
                self.line("use", text);
            }
            self.unbind();
        }
        let path = |module: usize| format!("{}{}", module_name(module), endings[module]);
        texts.into_iter().enumerate().map(|(module, text)| (path(module), text)).collect()
    }

    /// Chooses what is declared, before anything is written, so that declarations name those below them, too.
    fn plan(&mut self, modules: usize) {
        let forms = &self.rule("declaration").forms;
        for number in 0..5 + self.below(16) {
            let form = self.below(forms.len());
            let start = forms[form].find("%new_").expect("a declaration has a name") + "%new_".len();
            let kind = word(&forms[form][start..]);
            let &(kind, letter) = self.grammar.kinds.iter().find(|known| known.0 == kind).expect("a kind");
            let merged = (self.below(16) == 1).then(|| self.names.iter().find(|name| name.kind == kind)).flatten();
            let text = merged.map_or_else(|| format!("{letter}{number}"), |name| name.text.clone());
            let arity = if forms[form].contains("%generics") { [0, 1, 1, 2, 3][self.below(5)] } else { 0 };
            let module = self.below(modules);
            self.names.push(Name { kind, text, arity, module, form });
        }
    }

    /// Writes a rule at the top level.
    fn line(&mut self, rule: &str, text: &mut String) {
        *text += &self.expand(rule, 0);
        text.push('\n');
    }

    /// Writes a rule.
    fn expand(&mut self, rule: &str, depth: usize) -> String {
        let Rule { name, forms } = self.rule(rule);
        // The deeper, the more often the first form, so that the depth varies.
        let form = if self.below(MAX_DEPTH) < depth.saturating_sub(1) { 0 } else { self.below(forms.len()) };
        self.forms.insert((name, form));
        self.fill(forms[form], depth + 1)
    }

    /// Writes a form. The lines that a place is written in are indented as its first.
    fn fill(&mut self, form: &str, depth: usize) -> String {
        let (types, values) = (self.types.len(), self.values.len());
        let form = form.replace("\\n", "\n");
        let mut text = String::new();
        let mut pieces = form.split('%');
        text.push_str(pieces.next().unwrap_or_default());
        for piece in pieces {
            let place = word(piece);
            let written = self.place(place, depth);
            let line = &text[text.rfind('\n').map_or(0, |end| end + 1)..];
            let indentation = &line[..line.len() - line.trim_start().len()];
            let written = written.replace('\n', &format!("\n{indentation}"));
            text.push_str(&written);
            text.push_str(&piece[place.len()..]);
        }
        if form.starts_with("%scope") {
            self.types.truncate(types);
            self.values.truncate(values);
        }
        text
    }

    fn place(&mut self, place: &str, depth: usize) -> String {
        match place {
            "scope" => String::new(),
            "self" => {
                let name = &self.names[self.declared];
                self.arity = name.arity;
                name.text.clone()
            }
            "it" => self.it.clone(),
            "generics" => self.generics(depth),
            "args" => self.arguments(depth),
            "bind_type" => bind(&mut self.types, "T"),
            "bind_value" => bind(&mut self.values, "x"),
            "bound_type" => self.bound_name(|writer| &writer.types),
            "bound_value" => self.bound_name(|writer| &writer.values),
            "jsx" => self.expand(if self.may_have_elements { "element" } else { "atom" }, depth),
            "module" => module_name(self.module),
            "exported" => {
                let names = self.names.iter().filter(|name| name.module == self.module);
                let names: BTreeSet<&str> = names.map(|name| &*name.text).collect();
                let names: Vec<&str> = names.into_iter().collect();
                if names.is_empty() { "Missing".to_owned() } else { names.join(", ") }
            }
            _ if place.starts_with("new_") => self.names[self.declared].text.clone(),
            _ if self.grammar.kinds.iter().any(|(kind, _)| *kind == place) => self.declared_name(place),
            _ => self.expand(place, depth),
        }
    }

    /// A declared name of a kind, now and then of another, or one that nothing declares.
    fn declared_name(&mut self, kind: &str) -> String {
        let (other, choice) = (self.below(64), self.below(256));
        let mut names: Vec<&Name> = self.names.iter().filter(|name| name.kind == kind).collect();
        if names.is_empty() || other == 1 {
            names = self.names.iter().collect();
        }
        if other == 2 {
            self.arity = 0;
            return "Missing".to_owned();
        }
        let name = names[choice % names.len()];
        self.arity = name.arity;
        name.text.clone()
    }

    /// Something that is bound here, and more often than not what was bound last; a declared name where nothing is.
    fn bound_name(&mut self, bound: fn(&Self) -> &[String]) -> String {
        let count = bound(self).len();
        if count == 0 {
            return self.declared_name("");
        }
        self.arity = 0;
        let back = self.below(2) * self.below(count);
        bound(self)[count - 1 - back].clone()
    }

    fn unbind(&mut self) {
        self.types.clear();
        self.values.clear();
    }

    /// The type parameters of a declaration, as many as planned, or of a function within it. Each may name all of them.
    fn generics(&mut self, depth: usize) -> String {
        let count = if depth == 0 { self.names[self.declared].arity } else { [0, 1, 1, 2][self.below(4)] };
        let names: Vec<String> = (0..count).map(|_| bind(&mut self.types, "T")).collect();
        let outer = self.it.clone();
        let mut written = Vec::new();
        for name in names {
            self.it = name;
            written.push(self.expand("type_parameter", depth + 1));
        }
        self.it = outer;
        self.bracketed(&written)
    }

    fn arguments(&mut self, depth: usize) -> String {
        let arity = if self.below(24) == 1 { self.below(3) } else { self.arity };
        let arguments: Vec<String> = (0..arity).map(|_| self.expand("argument", depth + 1)).collect();
        self.bracketed(&arguments)
    }

    fn bracketed(&self, items: &[String]) -> String {
        let [open, close] = self.grammar.brackets;
        if items.is_empty() { String::new() } else { format!("{open}{}{close}", items.join(", ")) }
    }
}

fn bind(bound: &mut Vec<String>, letter: &str) -> String {
    bound.push(format!("{letter}{}", bound.len()));
    bound[bound.len() - 1].clone()
}

fn module_name(module: usize) -> String {
    ["a", "b", "c"][module].to_owned()
}

/// The word at the beginning of a text: lower-case letters and underscores. `%scope` may have letters behind it.
fn word(text: &str) -> &str {
    if text.starts_with("scope") {
        return "scope";
    }
    text.split(|c: char| !c.is_ascii_lowercase() && c != '_').next().unwrap_or_default()
}
