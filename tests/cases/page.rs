//! Pages to cases, and lines to what they say.

/// A case as a page tells it.
pub(crate) struct Case {
    /// Its heading.
    pub(crate) name: String,
    /// Its files, in the page's order.
    pub(crate) files: Vec<File>,
}

/// A fenced block.
pub(crate) struct File {
    pub(crate) path: String,
    pub(crate) text: String,
    /// The page's line that the text begins after.
    pub(crate) page_line: usize,
}

/// What a line says at its end.
pub(crate) enum Says<'a> {
    /// What its calls come to.
    Calls(&'a str),
    /// What can be passed to the definitions that stand on it.
    Takes(&'a str),
}

/// The cases of a page.
pub(crate) fn cases(page: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut lines = page.lines().enumerate();
    while let Some((at, line)) = lines.next() {
        if let Some(name) = line.strip_prefix("## ") {
            cases.push(Case { name: name.to_owned(), files: Vec::new() });
        } else if let Some(info) = line.strip_prefix("```") {
            let language = info.split(' ').next().unwrap_or_default();
            let text: Vec<&str> = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```").collect();
            let extension = match language {
                "python" => "py",
                "ts" | "tsx" | "js" | "jsx" | "json" => language,
                _ => panic!("line {}: no block is of the language {language:?}", at + 1),
            };
            let path = info.split('"').nth(1).map_or_else(|| format!("main.{extension}"), str::to_owned);
            let case = cases.last_mut().expect("a heading before the first block");
            case.files.push(File { path, text: text.join("\n") + "\n", page_line: at + 1 });
        }
    }
    cases
}

/// What a line of a file says.
#[allow(clippy::case_sensitive_file_extension_comparisons, reason = "pages name their files")]
pub(crate) fn says<'a>(path: &str, line: &'a str) -> Option<Says<'a>> {
    let after = |mark: &str| line.split_once(mark).map(|(_, said)| said.trim());
    if path.ends_with(".py") || path.ends_with(".pyi") {
        return after("#:").map(Says::Calls);
    }
    let in_braces = || after("/*:").and_then(|said| said.strip_suffix("*/}")).map(str::trim_end);
    after("//:").or_else(in_braces).map(Says::Calls).or_else(|| after("//>").map(Says::Takes))
}
