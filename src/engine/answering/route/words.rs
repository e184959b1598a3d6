//! The words of a task: which of them are written like names of symbols, and which like paths of files.

/// The characters that enclose words, beside white space.
const ENCLOSING: &str = "\"'`<>{}[]“”‘’";

/// The words of a task between white space, quotes and brackets.
pub(super) fn words(task: &str) -> impl Iterator<Item = &str> {
    task.split(is_between).filter(|word| !word.is_empty())
}

fn is_between(c: char) -> bool {
    c.is_whitespace() || ENCLOSING.contains(c)
}

/// A word of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TaskWord<'t> {
    /// The word as it is written, with the punctuation beside it.
    pub(super) text: &'t str,
    /// The word without the punctuation beside it.
    pub(super) bare: &'t str,
    /// True for a word that stands alone between quotes or backticks.
    pub(super) is_quoted: bool,
    /// True for the first word of a sentence.
    pub(super) is_first: bool,
}

/// The first `most` words of a task.
pub(super) fn words_in_place(task: &str, most: usize) -> Vec<TaskWord<'_>> {
    let mut found: Vec<TaskWord<'_>> = Vec::new();
    let mut at = 0;
    for piece in task.split(is_between) {
        let (start, end) = (at, at + piece.len());
        at = end + task[end..].chars().next().map_or(0, char::len_utf8);
        if piece.is_empty() {
            continue;
        }
        if found.len() == most {
            break;
        }
        let opening = task[..start].chars().next_back();
        let closing = task[end..].chars().next();
        let is_quote = |quote: Option<char>| quote.is_some_and(|c| "\"'`“”‘’".contains(c));
        found.push(TaskWord {
            text: piece,
            bare: piece.trim_matches(|c: char| !c.is_alphanumeric() && c != '_'),
            is_quoted: is_quote(opening) && is_quote(closing),
            is_first: found.last().is_none_or(|word| word.text.ends_with(['.', '!', '?', ':'])),
        });
    }
    found
}

/// True for a name of several parts, such as `Client.send`. The parts are identifiers.
pub(super) fn is_dotted(word: &str) -> bool {
    word.contains(['.', '#']) && word.split(['.', '#']).all(is_identifier)
}

fn is_identifier(part: &str) -> bool {
    part.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && part.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$')
}

/// The name in a word that is written like the name of a symbol, qualified or not: in camel case or snake case, before
/// `()`, or the member of a class, such as `Docket.strike`. `None` for any other word.
pub(super) fn symbol_in(word: &str) -> Option<&str> {
    let word = word.trim_start_matches(['(', '@', '*']);
    let is_called = word.contains("()");
    let name = word.split('(').next().unwrap_or(word).trim_end_matches(|c: char| !c.is_alphanumeric() && c != '_');
    let parts = || name.split(['.', '#']);
    let is_name = !name.is_empty() && parts().all(is_identifier);
    (is_name && (is_called || parts().any(is_compound_name) || is_member(name))).then_some(name)
}

/// True for the name of a class with that of a member in small letters. `Node.js` is the name of a product.
fn is_member(name: &str) -> bool {
    let Some((class, member)) = name.rsplit_once(['.', '#']) else { return false };
    let class = class.rsplit(['.', '#']).next().unwrap_or(class);
    class.starts_with(char::is_uppercase)
        && class.chars().any(char::is_lowercase)
        && member.starts_with(char::is_lowercase)
        && apidisc_base::language::Language::of_path(name).is_none()
}

/// True for a name of several words, such as `handleLogin`, `HTTPServer` or `max_tokens`.
fn is_compound_name(name: &str) -> bool {
    let has_underscore = name.trim_matches('_').contains('_') || name.starts_with("__");
    let chars: Vec<char> = name.chars().collect();
    let has_small = name.contains(char::is_lowercase);
    // A capital after another letter, as in `aB` and `ABc`; not the plural of an abbreviation, as in `APIs`.
    let inner_capital = chars.windows(2).any(|pair| pair[0].is_lowercase() && pair[1].is_uppercase())
        || chars.windows(4).any(|four| {
            four[0].is_uppercase() && four[1].is_uppercase() && four[2].is_lowercase() && four[3].is_lowercase()
        });
    has_underscore || has_small && inner_capital
}

/// The path in a word that names a file, and the lines after it: `src/a.ts:45`, `a.ts:45-60`, `a.ts#L45`.
pub(super) fn file_in(word: &str) -> Option<(&str, Option<(u32, u32)>)> {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric() && !"_./~\\".contains(c)).trim_end_matches('.');
    let end = word.find("#L").or_else(|| word.find(':').filter(|at| *at > 1)).unwrap_or(word.len());
    let (path, rest) = word.split_at(end);
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let (stem, ending) = file.rsplit_once('.')?;
    let is_ending = (1..=5).contains(&ending.len()) && ending.chars().all(char::is_alphanumeric);
    // `Node.js` is no file, `index.js` is one.
    let is_code = apidisc_base::language::Language::of_path(file).is_some() && !stem.starts_with(char::is_uppercase);
    let is_file = is_ending && !stem.is_empty() && !path.contains("//") && (is_code || !folder.is_empty());
    is_file.then(|| (path, lines_in(rest)))
}

/// The first and the last line that the text behind a path names.
fn lines_in(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse::<u32>().ok());
    let first = numbers.next().filter(|line| *line > 0)?;
    // `:45:3` is a line and a column.
    let last = numbers.next().filter(|last| *last >= first && text.contains('-'));
    Some((first, last.unwrap_or(first)))
}
