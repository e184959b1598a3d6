//! The language of a block of code, by the words that follow its fence or directive.

use apidisc_base::language::Language;

/// The properties of a block of code that the words after its fence or directive state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CodeKind {
    pub(super) language: Language,
    pub(super) has_jsx: bool,
    /// True if only lines with a prompt are code: `pycon`.
    pub(super) is_session: bool,
}

/// The language of a fence, by its info string: `python`, `py title="a.py"`, `{.python .annotate}`,
/// `{code-block} python`, `ts{1,3}`. `None` for any other language, and if no language is given.
pub(super) fn of_fence(info: &str) -> Option<CodeKind> {
    let is_separator = |c: char| c.is_whitespace() || "{}.,:[]()\"'=".contains(c);
    let mut words = info.split(is_separator).filter(|word| !word.is_empty());
    match words.next()? {
        // The directives of MyST Markdown.
        "code-block" | "code" | "code-cell" | "sourcecode" | "testcode" => of_name(words.next()?),
        "doctest" => of_name("pycon"),
        name => of_name(name),
    }
}

/// The language with this name.
pub(super) fn of_name(name: &str) -> Option<CodeKind> {
    let kind = |language, has_jsx, is_session| Some(CodeKind { language, has_jsx, is_session });
    match name.to_ascii_lowercase().as_str() {
        "python" | "py" | "python3" | "py3" | "ipython" | "ipython3" => kind(Language::Python, false, false),
        "pycon" | "python-console" | "python-repl" | "pycon3" => kind(Language::Python, false, true),
        "ts" | "typescript" | "js" | "javascript" | "mts" | "cts" | "mjs" | "cjs" => {
            kind(Language::TypeScript, false, false)
        }
        "tsx" | "jsx" => kind(Language::TypeScript, true, false),
        _ => None,
    }
}
