//! Parses pages into cases, and lines into expectations.

/// A case of a page: a heading and the files below it.
pub(crate) struct Case {
    /// The heading.
    pub(crate) name: String,
    /// The files in the order of the page.
    pub(crate) files: Vec<CaseFile>,
}

/// A file of a case: a fenced block.
pub(crate) struct CaseFile {
    pub(crate) path: String,
    pub(crate) text: String,
    /// The line of the page that opens the block, from 1. Line `n` of the text is line `line_offset + n` of the page.
    pub(crate) line_offset: usize,
}

/// The expectation that the comment at the end of a line states.
pub(crate) enum Expectation<'a> {
    /// The calls of the line, with their definitions and bound arguments.
    Calls(&'a str),
    /// The callers of the calls of the line.
    Callers(&'a str),
    /// The attributes that the line reads.
    Reads(&'a str),
    /// The attributes that are defined on the line, with their types.
    Attributes(&'a str),
    /// The parameters of the definitions on the line.
    Parameters(&'a str),
    /// The uses of the line that are neither calls nor reads.
    Uses(&'a str),
    /// The HTTP requests that the line sends, and the routes that it defines.
    Http(&'a str),
    /// The names under which the definitions of the line are shown.
    Names(&'a str),
}

/// The cases of a page.
pub(crate) fn cases(page: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut lines = page.lines().enumerate();
    while let Some((at, line)) = lines.next() {
        if let Some(name) = line.strip_prefix("## ") {
            cases.push(Case { name: name.to_owned(), files: Vec::new() });
        } else if let Some(info) = line.strip_prefix("```") {
            // A document, which contains fences itself, is between longer ones.
            let fence = if info.starts_with('`') { "````" } else { "```" };
            let info = info.trim_start_matches('`');
            let language = info.split(' ').next().unwrap_or_default();
            let text: Vec<&str> = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != fence).collect();
            let extension = match language {
                "python" => "py",
                "ts" | "tsx" | "js" | "jsx" | "json" | "toml" | "ini" | "md" | "mdx" | "rst" | "vue" | "svelte"
                | "astro" => language,
                _ => panic!("line {}: no block is of the language {language:?}", at + 1),
            };
            let path = info.split('"').nth(1).map_or_else(|| format!("main.{extension}"), str::to_owned);
            let case = cases.last_mut().expect("a heading before the first block");
            case.files.push(CaseFile { path, text: text.join("\n") + "\n", line_offset: at + 1 });
        }
    }
    cases
}

/// The expectation of a line of the file `path`; `None` if the line has none.
#[allow(clippy::case_sensitive_file_extension_comparisons, reason = "pages name their files")]
pub(crate) fn expectation<'a>(path: &str, line: &'a str) -> Option<Expectation<'a>> {
    let after = |mark: &str| line.split_once(mark).map(|(_, comment)| comment.trim());
    let is_document = [".md", ".mdx", ".rst"].iter().any(|ending| path.ends_with(ending));
    if path.ends_with(".py") || path.ends_with(".pyi") || is_document && (line.contains("#:") || line.contains("#.")) {
        return after("#:")
            .map(Expectation::Calls)
            .or_else(|| after("#.").map(Expectation::Reads))
            .or_else(|| after("#=").map(Expectation::Attributes))
            .or_else(|| after("#%").map(Expectation::Uses))
            .or_else(|| after("#<").map(Expectation::Callers))
            .or_else(|| after("#>").map(Expectation::Parameters))
            .or_else(|| after("#@").map(Expectation::Http))
            .or_else(|| after("#~").map(Expectation::Names));
    }
    let in_braces = |mark: &str| after(mark).and_then(|comment| comment.strip_suffix("*/}")).map(str::trim_end);
    let in_markup = || after("<!--:").and_then(|comment| comment.strip_suffix("-->")).map(str::trim_end);
    after("//:")
        .or_else(|| in_braces("/*:"))
        .or_else(in_markup)
        .map(Expectation::Calls)
        .or_else(|| after("//.").map(Expectation::Reads))
        .or_else(|| after("//=").map(Expectation::Attributes))
        .or_else(|| after("//%").or_else(|| in_braces("/*%")).map(Expectation::Uses))
        .or_else(|| after("//<").map(Expectation::Callers))
        .or_else(|| after("//>").map(Expectation::Parameters))
        .or_else(|| after("//@").map(Expectation::Http))
        .or_else(|| after("//~").map(Expectation::Names))
}
