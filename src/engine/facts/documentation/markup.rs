//! Inline markup of documentation as plain text: markup is replaced by the text that the rendered page shows.

use compact_str::{CompactString, format_compact};

/// A text on one line without inline tags of `TSDoc`, roles, literals and links of `reStructuredText`, and links of
/// Markdown:
///
/// | markup | text |
/// | --- | --- |
/// | `{@link Name \| words}` | words |
/// | `` :meth:`~pkg.Client.get` `` | `` `get` `` |
/// | `` :ref:`the guide <guide>` ``, `` `the guide <https://a.b>`_ `` | the guide |
/// | ``` ``None`` ``` | `` `None` `` |
/// | `[the guide](https://a.b)` | the guide |
/// | ``[`Client`][pkg.Client]`` | `` `Client` `` |
///
/// Markup that is not closed stays.
pub(super) fn plain(text: &str) -> CompactString {
    let text = if text.contains("{@") { without_inline_tags(text) } else { text.into() };
    let mut shown = CompactString::default();
    let mut rest = text.as_str();
    while let Some(at) = rest.find(['`', '[']) {
        let (before, marked) = rest.split_at(at);
        let is_in_word = before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, ']' | ')'));
        let piece = if marked.starts_with('`') { code(before, marked) } else { link(marked).filter(|_| !is_in_word) };
        let Replacement { before, text, length } = piece.unwrap_or_else(|| {
            // Ticks of a fence, or the beginning of something that is not closed.
            let ticks = marked.len() - marked.trim_start_matches('`').len();
            Replacement { before: None, text: marked[..ticks.max(1)].into(), length: ticks.max(1) }
        });
        shown.push_str(before.unwrap_or(&rest[..at]));
        shown.push_str(&text);
        rest = &marked[length..];
    }
    shown.push_str(rest);
    shown
}

/// The text that replaces a piece of markup.
struct Replacement<'t> {
    /// The text before the markup without the role that belongs to the markup; `None` if it has no role.
    before: Option<&'t str>,
    text: CompactString,
    /// The length of the markup in bytes.
    length: usize,
}

/// A literal, a role or a link of `reStructuredText`, which begins with a tick. `before` is the text before it.
fn code<'t>(before: &'t str, marked: &str) -> Option<Replacement<'t>> {
    if let Some(literal) = marked.strip_prefix("``") {
        let end = literal.find("``").filter(|&end| end > 0 && !literal[..end].contains('`'))?;
        let is_fence = literal[end..].starts_with("```");
        let text = format_compact!("`{}`", &literal[..end]);
        return (!is_fence).then_some(Replacement { before: None, text, length: end + 4 });
    }
    let content = &marked[1..];
    let end = content.find('`').filter(|&end| end > 0)?;
    let (content, after) = (&content[..end], &content[end + 1..]);
    let titled = content.strip_suffix('>').and_then(|titled| titled.rsplit_once(" <"));
    if let Some((before, role)) = role(before) {
        let text = match titled {
            Some((title, _)) => title.into(),
            None => shown_target(role, content),
        };
        return Some(Replacement { before: Some(before), text, length: end + 2 });
    }
    let marks = after.len() - after.trim_start_matches('_').len();
    let is_link = matches!(marks, 1 | 2) && !after[marks..].starts_with(char::is_alphanumeric);
    let text = match titled {
        Some((title, _)) if is_link => title.into(),
        Some((title, target)) if target.contains(['.', ':', '/']) => format_compact!("`{title}`"),
        None if is_link => content.into(),
        _ => format_compact!("`{content}`"),
    };
    Some(Replacement { before: None, text, length: end + 2 + if is_link { marks } else { 0 } })
}

/// The role at the end of a text, such as `py:class` of `See :py:class:`, and the text before it.
fn role(text: &str) -> Option<(&str, &str)> {
    let body = text.strip_suffix(':')?;
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, ':' | '-' | '_' | '+' | '.');
    let start =
        body.rfind(|c: char| !is_part(c)).map_or(0, |at| at + body[at..].chars().next().map_or(1, char::len_utf8));
    let name = body[start..].strip_prefix(':').filter(|name| name.starts_with(|c: char| c.is_ascii_alphabetic()))?;
    Some((&body[..start], name))
}

/// The text of a role with a target and no title.
fn shown_target(role: &str, target: &str) -> CompactString {
    let target = target.trim_start_matches('!');
    let name = match target.strip_prefix('~') {
        Some(path) => path.rsplit('.').next().unwrap_or(path),
        None => target,
    };
    match role.rsplit(':').next().unwrap_or(role) {
        "pep" => format_compact!("PEP {name}"),
        "rfc" => format_compact!("RFC {name}"),
        "ref" | "doc" | "term" | "abbr" => name.into(),
        _ => format_compact!("`{name}`"),
    }
}

/// A link of Markdown, which begins with a bracket. A link to the target of a reference shows code.
fn link(marked: &str) -> Option<Replacement<'static>> {
    let (shown, target) = marked[1..].split_once(']')?;
    let is_code = shown.len() > 2 && shown.starts_with('`') && shown.ends_with('`');
    let length = match target.as_bytes().first()? {
        b'(' => target.find(')')?,
        b'[' if is_code => target.find(']')?,
        _ => return None,
    };
    let is_target = length > 1 && !target[..length].contains(' ');
    let text = (!shown.is_empty() && is_target && !shown.contains('[')).then(|| shown.into())?;
    Some(Replacement { before: None, text, length: shown.len() + 2 + length + 1 })
}

/// A text in which the names of links stand for the links: `{@link Name}`, `{@link Name | words}`.
fn without_inline_tags(text: &str) -> CompactString {
    let mut kept = CompactString::default();
    let mut rest = text;
    while let Some((before, tag)) = rest.split_once("{@") {
        let Some((tag, after)) = tag.split_once('}') else { break };
        kept.push_str(before);
        let content = tag.split_once(' ').map_or("", |(_, content)| content);
        kept.push_str(content.rsplit('|').next().unwrap_or_default().trim());
        rest = after;
    }
    kept.push_str(rest);
    kept
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn markup_is_replaced_by_its_visible_text() {
        for (text, expected) in [
            ("See {@link Timeout | here} and {@link Name}.", "See here and Name."),
            (
                "Use :meth:`~pkg.Client.get`, :py:class:`pkg.Client` or :func:`!post`.",
                "Use `get`, `pkg.Client` or `post`.",
            ),
            ("See :ref:`the guide <guide>` (:pep:`604`, :rfc:`7231`).", "See the guide (PEP 604, RFC 7231)."),
            ("A :ref:`task <task>` as `docs <https://a.b/c>`_ and the `FAQ`_ say.", "A task as docs and the FAQ say."),
            ("Use `make_error <pkg.Field.make_error>` instead.", "Use `make_error` instead."),
            ("``None`` or ``'a'``, `x`.", "`None` or `'a'`, `x`."),
            ("See [the guide](https://a.b/c) and [`Client`][pkg.Client].", "See the guide and `Client`."),
        ] {
            assert_eq!(plain(text), expected, "{text}");
        }
    }

    #[test]
    fn text_without_markup_is_unchanged() {
        for text in [
            "a[0](1), f()[1], `a[b](c)`, [optional] [a, b](c d)",
            "``` and ```js x``` and `` and `a",
            "{@link a",
            "See: `x`, 10:30:`y`, `Map <string>`, `private`_name",
            "[",
            "`",
            "]: `",
            "ü:`é`",
        ] {
            assert_eq!(plain(text), text);
        }
    }
}
