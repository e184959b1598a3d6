//! Values that calls make with classes of other packages, as one text with the imports of what they name:
//! `types.Content(role=...); from google.genai import types`.

/// What separates a value and the imports of what it names.
const SEPARATOR: &str = "; ";

/// The text of a value with the imports of what it names.
pub fn with_imports(value: &str, imports: &[String]) -> String {
    std::iter::once(value).chain(imports.iter().map(String::as_str)).collect::<Vec<_>>().join(SEPARATOR)
}

/// The value and the imports in a text of [`with_imports`]; `None` for any other value.
pub fn made_outside(text: &str) -> Option<(&str, impl Iterator<Item = &str>)> {
    let is_import = |at: usize| {
        let rest = &text[at + 1 + SEPARATOR.len()..];
        rest.starts_with("from ") || rest.starts_with("import ")
    };
    let is_literal = text.starts_with(['"', '\'', '`', '{']);
    let end =
        text.match_indices(");").map(|(at, _)| at).find(|&at| text[at + 1..].starts_with(SEPARATOR) && is_import(at));
    let end = end.filter(|_| !is_literal)?;
    Some((&text[..=end], text[end + 1 + SEPARATOR.len()..].split(SEPARATOR)))
}

#[cfg(test)]
mod tests {
    use super::{made_outside, with_imports};

    #[test]
    fn values_are_separated_from_their_imports() {
        let imports = ["from m import A".to_owned(), "import n".to_owned()];
        let text = with_imports("A(b=n.B(...))", &imports);
        let (value, found) = made_outside(&text).expect("a value with imports");
        assert_eq!((value, found.map(str::to_owned).collect::<Vec<_>>()), ("A(b=n.B(...))", imports.to_vec()));
        for other in ["A(b=...)", "\"A(); import x\"", "A; import x", "A(); b", ""] {
            assert!(made_outside(other).is_none(), "{other}");
        }
    }
}
