//! Finds the paths and words that a Rust file names: removes comments and literals, and unfolds `use` trees.

/// The code of a file without comments, literals and its test modules.
pub(crate) fn code(text: &str) -> String {
    let mut code = stripped(text, false);
    while let Some(start) = code.find("#[cfg(test)]\nmod ") {
        let end = start + item_length(&code[start..]);
        code.replace_range(start..end, "");
    }
    without_visibilities(&code)
}

/// Code without `pub(in path)`, which names the module that may see an item and uses nothing of it.
fn without_visibilities(code: &str) -> String {
    let mut rest = code;
    let mut kept = String::with_capacity(code.len());
    while let Some((before, after)) = rest.split_once("pub(in ") {
        kept.push_str(before);
        rest = after.split_once(')').map_or("", |(_, after)| after);
    }
    kept + rest
}

/// The length of the item that a text begins with: to its semicolon, or to the brace that closes it.
fn item_length(text: &str) -> usize {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            ';' if depth == 0 => return at + 1,
            '{' => depth += 1,
            '}' if depth <= 1 => return at + 1,
            '}' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

/// Every path that `code` names, in full: `use` trees unfolded, `self` and `super` resolved from `module`.
pub(crate) fn paths(code: &str, module: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = code;
    while let Some(start) = rest.find(|c: char| c.is_alphanumeric() || c == '_') {
        rest = &rest[start..];
        let word = leading_word(rest);
        // `use<'a>` in the bounds of a type lists lifetimes.
        if word == "use" && !rest[3..].starts_with('<') {
            let (tree, after) = rest[3..].split_once(';').unwrap_or((&rest[3..], ""));
            unfold(tree.trim(), "", &mut found);
            rest = after;
        } else {
            let path = leading_path(rest);
            if path.contains("::") {
                found.push(path.to_owned());
            }
            rest = &rest[path.len()..];
        }
    }
    found.iter().map(|path| absolute(path, module)).collect()
}

/// Every identifier in `code`.
pub(crate) fn words(code: &str) -> impl Iterator<Item = &str> {
    code.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

fn leading_word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    &text[..end]
}

fn leading_path(text: &str) -> &str {
    let mut end = leading_word(text).len();
    while let Some(next) = text[end..].strip_prefix("::").map(leading_word).filter(|word| !word.is_empty()) {
        end += 2 + next.len();
    }
    &text[..end]
}

fn unfold(tree: &str, prefix: &str, found: &mut Vec<String>) {
    let Some((head, inner)) = tree.split_once('{') else {
        let name = tree.split_whitespace().next().unwrap_or_default();
        found.push(format!("{prefix}{name}").trim_end_matches("::self").to_owned());
        return;
    };
    let prefix = format!("{prefix}{}", head.trim());
    let inner = inner.trim_end().strip_suffix('}').unwrap_or(inner);
    let (mut depth, mut start) = (0_usize, 0);
    for (at, c) in inner.char_indices().chain([(inner.len(), ',')]) {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                if !inner[start..at].trim().is_empty() {
                    unfold(inner[start..at].trim(), &prefix, found);
                }
                start = at + 1;
            }
            _ => {}
        }
    }
}

fn absolute(path: &str, module: &[String]) -> String {
    let mut here = module.len();
    let mut rest = path;
    let mut is_relative = false;
    while let Some((first, after)) = rest.split_once("::") {
        match first {
            "self" => {}
            "super" => here = here.saturating_sub(1),
            _ => break,
        }
        is_relative = true;
        rest = after;
    }
    if !is_relative && rest != "super" {
        return path.to_owned();
    }
    let rest = if rest == "super" {
        here = here.saturating_sub(1);
        ""
    } else {
        rest
    };
    let parts = std::iter::once("crate").chain(module[..here].iter().map(String::as_str)).chain([rest]);
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("::")
}

/// A text without its literals. Its lines and comments stay.
pub(crate) fn without_literals(text: &str) -> String {
    stripped(text, true)
}

/// A text without its literals, and without its comments unless `keeps_comments`. Its lines stay.
fn stripped(text: &str, keeps_comments: bool) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let comment = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else {
            0
        };
        let skipped = if comment > 0 {
            comment
        } else if c == '"' {
            quoted(rest, '"')
        } else if c == '\'' && is_character(rest) {
            quoted(rest, '\'')
        } else if let Some(length) = raw_string(rest).filter(|_| !code.ends_with(is_word)) {
            length
        } else {
            code.push(c);
            rest = &rest[c.len_utf8()..];
            continue;
        };
        if comment > 0 && keeps_comments {
            code.push_str(&rest[..skipped]);
        } else {
            code.extend(rest[..skipped].matches('\n'));
        }
        rest = &rest[skipped..];
    }
    code
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn quoted(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// `'a'` and `'\n'` are characters, `'a` is a lifetime.
fn is_character(text: &str) -> bool {
    let mut next = text.chars().skip(1);
    next.next() == Some('\\') || next.next() == Some('\'')
}

fn raw_string(text: &str) -> Option<usize> {
    let hashes = text.strip_prefix("br").or_else(|| text.strip_prefix('r'))?;
    let opening = hashes.find('"')?;
    if !hashes[..opening].chars().all(|c| c == '#') {
        return None;
    }
    let closing = format!("\"{}", &hashes[..opening]);
    let body = &hashes[opening + 1..];
    let end = body.find(&closing).map_or(body.len(), |end| end + closing.len());
    Some(text.len() - body.len() + end)
}

#[test]
fn comments_literals_and_tests_are_no_code() {
    let text = "use a::b; // println!\nlet s = \"std::fs\"; let r = r#\"a \"quoted\" b\"#; let c = '\"'; f::<'a>()\n\
                #[cfg(test)]\nmod tests { fn f() { g::h() } }\n#[cfg(test)]\nmod more;\nuse c::d;";
    let code = code(text);
    assert_eq!(code, "use a::b; \nlet s = ; let r = ; let c = ; f::<'a>()\n\n\nuse c::d;");
}

#[test]
fn lines_stay_without_their_literals() {
    let text = "f(\"a\nb\"); // \"c\"\n/* 'd'\n*/ g('\"', r\"e\");";
    assert_eq!(without_literals(text), "f(\n); // \"c\"\n/* 'd'\n*/ g(, );");
    assert_eq!(stripped(text, false), "f(\n); \n\n g(, );");
}

#[test]
fn use_trees_are_unfolded_and_resolved() {
    let module = ["tui".to_owned(), "view".to_owned()];
    let code =
        "use std::{fs::{self, File}, io as other};\nuse super::super::cli::run;\nlet x = super::model::Model::new();";
    assert_eq!(
        paths(code, &module),
        ["std::fs", "std::fs::File", "std::io", "crate::cli::run", "crate::tui::model::Model::new"]
    );
}
