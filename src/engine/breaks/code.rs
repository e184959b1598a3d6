//! What the code of a Python function says of its callers: that it is deprecated, that it fails whatever is passed,
//! and that it warns of an argument or refuses one.
//!
//! The code is read as text, statement by statement. Only what holds for every call is said: statements that are in no
//! inner block, and branches on nothing but the argument.

use std::{cell::OnceCell, iter};

use crate::{
    conditions::{Passed, holds},
    decorators::{Target, deprecates, names_parameter},
    statements::{self, Statement, block, call, direct, literals, parts, statements},
};
use apidisc_base::nesting;

/// The greatest number of lines above a definition in which its decorators are looked for.
const MAX_DECORATOR_LINES: usize = 60;
/// The words of the statements by which a call ends before what follows.
const LEAVING: [&str; 3] = ["return", "raise", "yield"];

/// The code of a function, or of the constructor of a class.
#[derive(Debug, Default)]
pub(crate) struct FunctionCode {
    /// The decorators of the function.
    decorators: Vec<String>,
    /// The decorators of the class of a constructor.
    class_decorators: Vec<String>,
    /// The text from `def` to the end of the body.
    text: String,
    /// The constructor of the next base that has one, if this one calls it.
    base: Option<Box<FunctionCode>>,
    known: Known,
}

/// What was found of the code of a function; many calls ask for the same.
#[derive(Debug, Default)]
struct Known {
    may_warn: OnceCell<bool>,
    may_raise: OnceCell<bool>,
    deprecation: OnceCell<Option<String>>,
    failure: OnceCell<Option<String>>,
}

/// What a function does with an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Said {
    /// It warns that the argument is deprecated. This is the text of the message.
    Deprecated(String),
    /// It raises an error. This is the statement.
    Refused(String),
}

impl FunctionCode {
    /// The code of the function or class whose name is on the line `line`, from 1, of the text of a file. `None` for a
    /// class without a constructor of its own.
    pub(crate) fn read(file: &str, line: usize, end_line: usize, is_class: bool) -> Option<Self> {
        let at_line =
            |line: usize| if line == 0 { Some(0) } else { file.match_indices('\n').nth(line - 1).map(|m| m.0 + 1) };
        let begin = at_line(line.checked_sub(1)?)?;
        let text = file.get(begin..at_line(end_line).unwrap_or(file.len()))?;
        let decorators = decorators_above(&file[..begin], text);
        if !is_class {
            return Some(Self { decorators, text: text.to_owned(), ..Self::default() });
        }
        let all = statements(text);
        // The ones before the last are stubs with `@overload`.
        let (at, head) = direct(block(&all, 0)).filter(|(_, statement)| is_function(statement, "__init__")).last()?;
        let from = head.text.as_ptr() as usize - text.as_ptr() as usize;
        let body = block(&all, at + 1);
        let to = body.last().map_or(from + head.text.len(), |last| {
            last.text.as_ptr() as usize - text.as_ptr() as usize + last.text.len()
        });
        let own = decorators_above(&text[..from - head.indent], &text[from - head.indent..]);
        let constructor = " ".repeat(head.indent) + &text[from..to];
        Some(Self { decorators: own, class_decorators: decorators, text: constructor, ..Self::default() })
    }

    /// The same constructor for a class that inherits it, whose name is on a line of the text of a file.
    pub(crate) fn inherited_by(mut self, file: &str, line: usize) -> Self {
        let begin = file.match_indices('\n').nth(line.saturating_sub(2)).map_or(0, |(at, _)| at + 1);
        self.class_decorators = decorators_above(&file[..begin], &file[begin..]);
        self
    }

    /// True for a constructor that calls the one of a base.
    pub(crate) fn calls_base(&self) -> bool {
        self.text.contains(".__init__(")
    }

    /// The same constructor with the one of the next base that has one.
    pub(crate) fn with_base(mut self, base: Option<Self>) -> Self {
        self.base = base.map(Box::new);
        self
    }

    /// The text from `def` to the end of the body.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// False for code that cannot say anything of an argument.
    pub(crate) fn is_telling(&self) -> bool {
        self.may_warn() || *self.known.may_raise.get_or_init(|| self.text.contains("raise")) || {
            self.base.as_ref().is_some_and(|base| base.is_telling())
        }
    }

    /// False for code that cannot warn of anything.
    pub(crate) fn may_warn(&self) -> bool {
        *self.known.may_warn.get_or_init(|| {
            !self.decorators.is_empty()
                || !self.class_decorators.is_empty()
                || ["eprecat", "DEPRECAT", "Warning"].iter().any(|word| self.text.contains(word))
                || self.base.as_ref().is_some_and(|base| base.may_warn())
        })
    }

    /// The text of the warning that every call gives.
    pub(crate) fn deprecation(&self) -> Option<&str> {
        self.known.deprecation.get_or_init(|| self.find_deprecation()).as_deref()
    }

    fn find_deprecation(&self) -> Option<String> {
        let mut decorators = self.class_decorators.iter().chain(&self.decorators);
        let decorator = decorators.find(|decorator| deprecates(decorator) == Some(Target::Whole));
        if let Some(decorator) = decorator {
            return Some(decorator.clone());
        }
        if !self.may_warn() {
            return None;
        }
        let all = statements(&self.text);
        let body = block(&all, 0);
        let mut always_run = direct(body).take_while(|(at, _)| !may_leave(body, *at));
        always_run.find(|(_, statement)| warns_of_all(statement.text)).map(|(_, statement)| statement.text.to_owned())
    }

    /// The error that every call raises, if its message says that the function is not to be used: to raise an error is
    /// what other functions are for.
    pub(crate) fn failure(&self) -> Option<&str> {
        self.known.failure.get_or_init(|| self.find_failure()).as_deref()
    }

    fn find_failure(&self) -> Option<String> {
        let all = statements(&self.text);
        let body = block(&all, 0);
        let (_, last) = direct(body).last()?;
        let is_raised = last.text.starts_with("raise ") && says_unsupported(last.text);
        let gives = body.iter().any(|statement| has_word(statement, &["return", "yield"]));
        (is_raised && !gives).then(|| last.text.to_owned())
    }

    /// What the function says of an argument.
    pub(crate) fn says_of(&self, passed: Passed<'_>) -> Option<Said> {
        if !self.is_telling() {
            return None;
        }
        let mut decorators = self.class_decorators.iter().chain(&self.decorators);
        if let Some(decorator) = decorators.find(|decorator| names_parameter(decorator, passed.name)) {
            return Some(Said::Deprecated(decorator.clone()));
        }
        let all = statements(&self.text);
        let head = all.first()?;
        let parameter = head.text.split_once('(').and_then(|(_, list)| {
            parts(list, b',').into_iter().find(|part| statements::words(part).next() == Some(passed.name))
        });
        // `Annotated[T, deprecated("…")]`, and a default that only marks that nothing was passed.
        if let Some(parameter) = parameter.filter(|text| text.contains("deprecated(")) {
            return Some(Said::Deprecated(parameter.to_owned()));
        }
        if parameter.and_then(|text| text.rsplit_once('=')).is_some_and(|(_, default)| is_mark(default)) {
            return Some(Said::Deprecated(String::new()));
        }
        let body = block(&all, 0);
        let takes = parameter.is_some() || literals(&self.text).any(|text| text == passed.name);
        // A keyword that the constructor passes on.
        let base = self.base.as_ref().filter(|_| !takes && passed.kwargs.is_some());
        base.and_then(|base| base.says_of(Passed { omitted: &[], ..passed })).or_else(|| branch(body, passed, takes))
    }
}

/// What the statements of a body say of an argument. `is_taken` is true if the function has a parameter of its name, or
/// takes it out of `**kwargs`.
fn branch(body: &[Statement<'_>], passed: Passed<'_>, is_taken: bool) -> Option<Said> {
    let mut names = vec![passed.name];
    let mut is_kwargs_whole = !is_taken;
    for (at, statement) in direct(body) {
        let text = statement.text;
        if let Some((target, value)) = text.split_once(" = ") {
            // `old = kwargs.pop("old", None)`
            if takes_keyword(value, passed.name) {
                names.push(target.split(':').next().unwrap_or(target).trim());
            } else {
                // From here on the name may have another value.
                names.retain(|name| !assigns(text, name));
            }
        }
        let mut is_passed_by = false;
        if let Some(condition) = text.strip_prefix("if ").and_then(|rest| rest.strip_suffix(':')) {
            let inner = block(body, at);
            // `if kwargs:` concerns this keyword only if the function has not taken keywords out of `kwargs` before.
            let is_open = passed.kwargs == Some(condition.trim()) && !is_kwargs_whole;
            let is_held = |name: &&str| holds(condition, Passed { name, ..passed }, passed.name);
            is_passed_by = names.iter().any(|name| is_held(name) == Some(false));
            if !is_open && names.iter().any(|name| is_held(name) == Some(true)) {
                for (_, action) in direct(inner) {
                    if warns(action.text) {
                        return Some(Said::Deprecated(action.text.to_owned()));
                    }
                    if action.text.starts_with("raise ") {
                        return Some(Said::Refused(action.text.to_owned()));
                    }
                }
                let _level = nesting::descend()?;
                if let Some(said) = branch(inner, passed, is_taken) {
                    return Some(said);
                }
            }
            if inner.iter().any(|statement| names.iter().any(|name| assigns(statement.text, name))) {
                break;
            }
        }
        // What follows a block that may end the call is not run by every call.
        if !is_passed_by && may_leave(body, at) {
            break;
        }
        let uses_kwargs = |word: &str| passed.kwargs == Some(word);
        let is_literal = [".pop(\"", ".pop('", ".get(\"", ".get('"].iter().any(|method| text.contains(method));
        is_kwargs_whole &= is_literal || !statements::words(text).any(uses_kwargs);
    }
    None
}

/// True for an assignment that gives a name another value: `a = 1`, `a: int = 1`, `a, b = f()`.
fn assigns(text: &str, name: &str) -> bool {
    let Some((target, _)) = text.split_once(" = ") else { return false };
    let targets = target.split(':').next().unwrap_or(target);
    targets.split(',').any(|target| target.trim_matches(['(', ')', '[', ']', '*', ' ']) == name)
}

/// True for a statement with a block that may end the call, so that what follows is not run.
fn may_leave(body: &[Statement<'_>], at: usize) -> bool {
    let Some(head) = body.get(at) else { return false };
    let text = head.text.strip_prefix("async ").unwrap_or(head.text);
    let is_block = matches!(
        statements::words(text).next(),
        Some("if" | "elif" | "else" | "for" | "while" | "with" | "try" | "except" | "finally" | "match")
    );
    is_block && iter::once(head).chain(block(body, at)).any(|statement| has_word(statement, &LEAVING))
}

/// True for a statement that has one of some words.
fn has_word(statement: &Statement<'_>, wanted: &[&str]) -> bool {
    statements::words(statement.text).any(|word| wanted.contains(&word))
}

/// True if the text of an error says that something is not to be used any longer.
fn says_unsupported(error: &str) -> bool {
    let error = error.to_ascii_lowercase();
    ["removed", "no longer", "not supported", "deprecat", "instead", "not callable", "renamed", "moved to"]
        .iter()
        .any(|words| error.contains(words))
}

fn is_function(statement: &Statement<'_>, name: &str) -> bool {
    let rest = statement.text.strip_prefix("def ").and_then(|rest| rest.strip_prefix(name));
    rest.is_some_and(|rest| rest.starts_with('('))
}

/// The decorators that end a text; `definition` is the text behind it.
fn decorators_above(text: &str, definition: &str) -> Vec<String> {
    let indent = definition.len() - definition.trim_start_matches([' ', '\t']).len();
    let mut begin = text.len();
    let mut found = Vec::new();
    for _ in 0..MAX_DECORATOR_LINES {
        let Some(above) = text[..begin].strip_suffix('\n') else { break };
        begin = above.rfind('\n').map_or(0, |at| at + 1);
        let line = &text[begin..];
        if line.len() - line.trim_start_matches([' ', '\t']).len() == indent && line[indent..].starts_with('@') {
            let all = statements(line);
            if !all.iter().all(|statement| statement.text.starts_with('@') && statement.indent == indent) {
                break;
            }
            found = all.iter().map(|statement| statement.text[1..].to_owned()).collect();
        }
    }
    found
}

/// True if a statement warns of something that a later version will not have.
pub(crate) fn warns(statement: &str) -> bool {
    let Some((callee, arguments)) = call(statement) else { return false };
    let name = callee.rsplit('.').next().unwrap_or(callee);
    // `check_deprecated(x)` warns of some calls only.
    let is_doubtful = name.split('_').any(|word| matches!(word, "if" | "maybe" | "check" | "is" | "has" | "get"));
    (deprecates(name).is_some() && !is_doubtful)
        || (name.split('_').any(|word| matches!(word, "warn" | "warning"))
            && (statements::words(arguments).any(is_category)
                || literals(arguments).any(|it| it.contains("deprecated"))))
}

/// True if a statement that every call runs warns of the function as a whole.
fn warns_of_all(statement: &str) -> bool {
    let callee = call(statement).map_or("", |(callee, _)| callee);
    warns(statement) && deprecates(callee) != Some(Target::Parameters)
}

/// True for the name of a category of warnings of deprecation: `DeprecationWarning`, `FutureWarning`, and those that
/// packages define, such as `RemovedInDjango60Warning`.
pub(crate) fn is_category(name: &str) -> bool {
    name.ends_with("Warning") && ["Deprecat", "Future", "Removed"].iter().any(|part| name.contains(part))
        || name.starts_with("Deprecated")
}

/// True for a default that marks a parameter as deprecated: `DEPRECATED`, `"deprecated"`.
pub(crate) fn is_mark(default: &str) -> bool {
    let text = default.trim().trim_matches(['"', '\'']).trim_start_matches('_').to_ascii_lowercase();
    text.split('.').next_back().is_some_and(|name| name.starts_with("deprecat"))
}

/// True for an expression that takes a keyword out of `**kwargs`.
fn takes_keyword(value: &str, name: &str) -> bool {
    [".pop(", ".get("]
        .iter()
        .any(|method| value.split_once(method).is_some_and(|(_, arguments)| literals(arguments).next() == Some(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> FunctionCode {
        let line = text.lines().position(|line| line.trim_start().starts_with("def ")).expect("a function") + 1;
        FunctionCode::read(text, line, text.lines().count(), false).expect("code")
    }

    /// What the code says of an argument: `w` for a warning, `r` for an error, and `-`.
    fn said(code: &FunctionCode, name: &str, value: Option<&str>) -> &'static str {
        match code.says_of(Passed { name, value, kwargs: Some("kwargs"), omitted: &[("b", "0")] }) {
            Some(Said::Deprecated(_)) => "w",
            Some(Said::Refused(_)) => "r",
            None => "-",
        }
    }

    #[test]
    fn a_branch_on_an_argument_warns_or_refuses() {
        let body = |body: &str| code(&format!("def f(a=None, b=0, **kwargs):\n    '''Doc.'''\n{body}"));
        let warns = body("    if a is not None:\n        warnings.warn('no', DeprecationWarning)\n");
        assert_eq!(
            [said(&warns, "a", None), said(&warns, "a", Some("None")), said(&warns, "b", None)],
            ["w", "-", "-"]
        );
        let refuses = body("    if a:\n        raise ValueError('no')\n");
        let values = [None, Some("True"), Some("False")];
        assert_eq!(values.map(|value| said(&refuses, "a", value)), ["r", "r", "-"]);
        let popped =
            body("    old = kwargs.pop('old', None)\n    if old is not None:\n        warn('x', MyRemovedWarning)\n");
        assert_eq!([said(&popped, "old", None), said(&popped, "new", None)], ["w", "-"]);
        let rest = body("    kwargs.pop('x')\n    if kwargs:\n        raise TypeError('no')\n");
        assert_eq!([said(&rest, "y", None), said(&rest, "x", None)], ["r", "-"]);
        for open in [
            "    if a is not None and b:\n        raise ValueError\n",
            "    a = g(a)\n    if a:\n        raise ValueError\n",
            "    if a is None:\n        a = 1\n    if a:\n        raise ValueError\n",
            "    if a:\n        if b:\n            raise ValueError\n",
            "    if g(a):\n        raise ValueError\n",
            "    if a:\n        warn('a')\n",
            "    if c is None:\n        return g()\n    if a:\n        raise ValueError\n",
            "    for c in b: return c\n    if a:\n        raise ValueError\n",
            "    a: int = g()\n    if a:\n        raise ValueError\n",
            "    a, c = g()\n    if a:\n        raise ValueError\n",
        ] {
            assert_eq!(said(&body(open), "a", None), "-", "{open}");
        }
        let passed_by = body("    if a == 1:\n        return 1\n    if a is not None:\n        raise ValueError\n");
        assert_eq!(["2", "1"].map(|value| said(&passed_by, "a", Some(value))), ["r", "-"]);
        assert!(body("    warn(DEPRECATION)\n").is_telling());
    }

    #[test]
    fn decorators_and_annotations_name_deprecated_parameters() {
        let text = "@other(1)\n@deprecate_kwarg(\n    'old', 'new')\n@lib.deprecated_params(bind=('1', 'no'))\n@deprecated_args(args_to_warn=['x'], allowed_args=['y'])\ndef f(old, new, bind, x, y, z: Annotated[int, deprecated('no')], w=DEPRECATED): ...\n";
        let code = code(text);
        let found = ["old", "new", "bind", "x", "y", "z", "w"].map(|name| said(&code, name, None));
        assert_eq!(found, ["w", "-", "w", "w", "-", "w", "w"]);
        assert_eq!(code.deprecation(), None);
    }

    #[test]
    fn a_function_may_be_deprecated_or_fail_as_a_whole() {
        let all = |text: &str| (code(text).deprecation().is_some(), code(text).failure().is_some());
        assert_eq!(all("@deprecated_function(reason='x')\ndef f():\n    return 1\n"), (true, false));
        assert_eq!(all("def f():\n    x = 1\n    warnings.warn('a', FutureWarning)\n    return x\n"), (true, false));
        assert_eq!(all("def f(a):\n    if a:\n        raise A\n    raise TypeError('f is removed')\n"), (false, true));
        assert_eq!(all("def f(a):\n    raise NotImplementedError('in subclasses')\n"), (false, false));
        assert_eq!(all("def f(a):\n    if a:\n        return 1\n    raise TypeError\n"), (false, false));
        assert_eq!(all("def f(a):\n    if a:\n        warn('a', DeprecationWarning)\n"), (false, false));
        let early = "def f(a):\n    if a is None:\n        return g()\n    warn('a', DeprecationWarning)\n";
        assert_eq!(all(early), (false, false));
    }

    #[test]
    fn a_class_has_the_code_of_its_constructor() {
        let text = "@deprecated('no')\nclass C(B):\n    x = 1\n\n    @deprecate_arg('a')\n    def __init__(self, a, b):\n        if b:\n            raise A\n\n    def f(self): ...\n";
        let code = FunctionCode::read(text, 2, 10, true).expect("a constructor");
        assert_eq!([said(&code, "a", None), said(&code, "b", None)], ["w", "r"]);
        assert_eq!(code.deprecation(), Some("deprecated('no')"));
        assert!(FunctionCode::read("class C:\n    x = 1\n", 1, 2, true).is_none());
        assert!(FunctionCode::read("class C:\n \u{3000}def __init__(self): ...\n", 1, 2, true).is_none());
        let overloaded = "class C:\n    @overload\n    def __init__(self, a): ...\n    def __init__(self, a):\n        if a:\n            raise A\n";
        let last = FunctionCode::read(overloaded, 1, 6, true).expect("a constructor");
        assert_eq!(said(&last, "a", None), "r");
        let code = FunctionCode::default().inherited_by(text, 2);
        assert_eq!(code.deprecation(), Some("deprecated('no')"));
    }
}
