//! The texts of TypeScript types, taken apart.

/// The parts of a text between `separators` that stand outside of all brackets and quotes.
pub(crate) fn split<'t>(text: &'t str, separators: &[char]) -> Vec<&'t str> {
    let mut parts = Vec::new();
    let mut begin = 0;
    for (at, c) in outside(text) {
        if separators.contains(&c) && !is_arrow(text, at) {
            parts.push(&text[begin..at]);
            begin = at + c.len_utf8();
        }
    }
    parts.push(&text[begin..]);
    parts.into_iter().map(str::trim).filter(|part| !part.is_empty()).collect()
}

/// The characters of a text outside of all brackets and quotes, the outermost brackets included.
fn outside(text: &str) -> impl Iterator<Item = (usize, char)> + '_ {
    let mut depth = 0usize;
    let mut quote: Option<char> = None;
    let mut is_escaped = false;
    text.char_indices().filter(move |&(at, c)| {
        if let Some(open) = quote {
            let ends = c == open && !is_escaped;
            is_escaped = c == '\\' && !is_escaped;
            if ends {
                quote = None;
            }
            return false;
        }
        match c {
            '"' | '\'' | '`' => {
                quote = Some(c);
                depth == 0
            }
            '(' | '[' | '{' | '<' => {
                depth += 1;
                depth == 1
            }
            '>' if is_arrow(text, at) => depth == 0,
            ')' | ']' | '}' | '>' => {
                depth = depth.saturating_sub(1);
                depth == 0
            }
            _ => depth == 0,
        }
    })
}

/// True for the second character of `=>`, and for `=` before it.
fn is_arrow(text: &str, at: usize) -> bool {
    let rest = &text[at..];
    rest.starts_with("=>") || rest.starts_with('>') && text[..at].ends_with('=')
}

/// A text without parentheses around all of it, and without a leading `|` or `&`.
pub(crate) fn bare(text: &str) -> &str {
    let mut text = text.trim();
    loop {
        text = text.trim_start_matches(['|', '&']).trim();
        let Some(inner) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) else { return text };
        // `(a) | (b)` and `(a: A) => (B)` begin and end with parentheses, too.
        if outside(text).nth(1).is_none_or(|(at, _)| at + 1 != text.len()) {
            return text;
        }
        text = inner;
    }
}

/// True for the type of a function or constructor: `(a: A) => B`, `<T>(a: T) => T`, `new () => A`.
pub(crate) fn is_function(text: &str) -> bool {
    let constructed = text.strip_prefix("abstract ").unwrap_or(text).trim_start().strip_prefix("new");
    if !constructed.unwrap_or(text).trim_start().starts_with(['(', '<']) {
        return false;
    }
    let arrow = outside(text).find(|(at, c)| *c == '=' && text[*at..].starts_with("=>")).map(|(at, _)| at);
    arrow.is_some_and(|at| split(&text[..at], &['|']).len() < 2 && extends_at(&text[..at]).is_none())
}

/// The place of the word `extends` outside of all brackets and quotes.
fn extends_at(text: &str) -> Option<usize> {
    let is_word = |at: &usize| {
        let after = text[*at..].strip_prefix("extends");
        text[..*at].ends_with(char::is_whitespace) && after.is_some_and(|rest| rest.starts_with(char::is_whitespace))
    };
    outside(text).map(|(at, _)| at).find(is_word)
}

/// True for a type that a condition, an operator or an index decides.
pub(crate) fn is_computed(text: &str) -> bool {
    let words = ["keyof ", "typeof ", "infer ", "unique ", "asserts ", "import("];
    let is_indexed = || {
        let last = outside(text).filter(|(_, c)| *c == '[').last();
        text.ends_with(']') && last.is_some_and(|(at, _)| at > 0 && &text[at..] != "[]")
    };
    let is_conditional =
        || text.contains('?') && outside(text).any(|(at, c)| c == '?' && !text[at..].starts_with("?:"));
    words.iter().any(|word| text.starts_with(word)) || is_conditional() || is_indexed()
}

/// A reference and its type arguments: `A.B<C, D>` → `A.B`, `C` and `D`. `None` for any other text.
pub(crate) fn reference(text: &str) -> Option<(&str, Vec<&str>)> {
    let is_name = |name: &str| {
        name.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '$'))
            && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '.'))
    };
    match text.split_once('<') {
        None => is_name(text).then(|| (text, Vec::new())),
        Some((name, rest)) => {
            let arguments = rest.strip_suffix('>').filter(|_| is_name(name.trim()))?;
            Some((name.trim(), split(arguments, &[','])))
        }
    }
}

/// The names that a list of type parameters declares, each with its constraint: `T extends A = B` → `T` and `A`.
pub(crate) fn type_parameters(text: &str) -> Vec<(&str, Option<&str>)> {
    let parameter = |part| {
        let part: &str = split(part, &['=']).first().copied().unwrap_or(part);
        let part = part.trim_start_matches("const ").trim_start_matches("in ").trim_start_matches("out ");
        match extends_at(part) {
            Some(at) => (part[..at].trim(), Some(part[at + "extends".len()..].trim())),
            None => (part.trim(), None),
        }
    };
    split(text, &[',']).into_iter().map(parameter).collect()
}

/// The default of a type parameter: `T extends A = B` → `B`.
pub(crate) fn default_of(parameter: &str) -> Option<&str> {
    split(parameter, &['=']).get(1).copied()
}

/// `{ [K in KEYS]?: T }`.
pub(crate) struct Mapped<'t> {
    /// `KEYS`.
    pub(crate) keys: &'t str,
    /// Whether every object has the properties; `None` if that is as in the type whose keys they are.
    pub(crate) is_required: Option<bool>,
}

/// A mapped type that names its properties as its keys are named.
pub(crate) fn mapped(text: &str) -> Option<Mapped<'_>> {
    let inner = text.strip_prefix('{')?.strip_suffix('}')?.trim_start();
    let inner = inner.trim_start_matches(['+', '-']).trim_start_matches("readonly").trim_start();
    let end = outside(inner).find(|(_, c)| *c == ']').map(|(at, _)| at)?;
    let (_, keys) = inner[..end].strip_prefix('[')?.split_once(" in ")?;
    let after = inner[end + 1..].trim_start();
    let is_required = match after.strip_prefix(['-', '+']) {
        Some(rest) if after.starts_with('-') && rest.starts_with('?') => Some(true),
        Some(rest) if rest.starts_with('?') => Some(false),
        _ => after.starts_with('?').then_some(false),
    };
    (!keys.contains(" as ")).then(|| Mapped { keys: keys.trim(), is_required })
}

/// A member of an object type that is written as text.
pub(crate) enum WrittenMember<'t> {
    /// A property or method.
    Named {
        /// Its name.
        name: &'t str,
        /// True if every object has it.
        is_required: bool,
        /// True for a method, and for a property that holds a function.
        is_method: bool,
    },
    /// An index signature, a call signature or the like.
    Other,
}

/// The members of `{ a: A; b?: B }`.
pub(crate) fn members(text: &str) -> Option<Vec<WrittenMember<'_>>> {
    let inner = text.strip_prefix('{')?.strip_suffix('}')?;
    Some(split(inner, &[';', ',', '\n']).into_iter().map(member).collect())
}

/// The member that a part of an object type declares.
fn member(part: &str) -> WrittenMember<'_> {
    let end = part.find(['?', ':', '(', '<']).unwrap_or(part.len());
    let name = part[..end].trim().trim_start_matches("readonly ").trim().trim_matches(['"', '\'']);
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '-'));
    if !is_name {
        return WrittenMember::Other;
    }
    let is_required = !part[end..].starts_with('?');
    let rest = part[end..].trim_start_matches('?').trim_start();
    let is_method = rest.strip_prefix(':').map_or(rest.starts_with(['(', '<']), |text| is_function(bare(text)));
    WrittenMember::Named { name, is_required, is_method }
}

/// True for a union of literals.
pub(crate) fn is_literals(text: &str) -> bool {
    let is_word = |part: &str| matches!(part, "undefined" | "null" | "true" | "false");
    split(bare(text), &['|']).iter().all(|part| is_word(part) || quoted(part).is_some())
}

/// The text in the quotes of a string literal.
pub(crate) fn quoted(text: &str) -> Option<&str> {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    text[1..].strip_suffix(quote).filter(|inner| !inner.contains(quote))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_is_split_outside_of_brackets_and_quotes() {
        assert_eq!(split("A<B | C> | 'x|y' | (() => D | E)", &['|']), ["A<B | C>", "'x|y'", "(() => D | E)"]);
        assert_eq!(split("a: () => void; b?: B", &[';', ',']), ["a: () => void", "b?: B"]);
        assert_eq!([bare("| ((A))"), bare("(A) | (B)"), bare("(a: A) => (B)")], ["A", "(A) | (B)", "(a: A) => (B)"]);
    }

    #[test]
    fn kinds_of_types_are_told_apart() {
        assert_eq!(
            ["(a: A) => B", "<T>(a: T) => T", "A | (() => B)", "A"].map(is_function),
            [true, true, false, false]
        );
        assert_eq!(
            [
                "T extends (...a: any[]) => infer R ? R : never",
                "T\n  extends\n  (a: A) => B ? R : never",
                "(T) extends (a: A) => B ? R : never",
                "new () => A",
                "abstract new <T>(a: T) => A",
                "<T extends A>(a: T) => T",
            ]
            .map(is_function),
            [false, false, false, true, true, true]
        );
        assert_eq!(
            ["A['x']", "A extends B ? C : D", "A[]", "keyof A", "{ a?: B }"].map(is_computed),
            [true, true, false, true, false]
        );
        assert_eq!(["[T][T extends A ? 0 : never]", "[A, B]", "[A, B][]"].map(is_computed), [true, false, false]);
        assert_eq!(reference("A.B<C, D<E, F>>"), Some(("A.B", vec!["C", "D<E, F>"])));
        assert_eq!(reference("A | B"), None);
        assert_eq!(type_parameters("const T extends A<B, C> = D, U"), [("T", Some("A<B, C>")), ("U", None)]);
        assert_eq!(type_parameters("T extends\n  A"), [("T", Some("A"))]);
    }

    #[test]
    fn a_mapped_type_has_keys_and_may_make_them_optional() {
        let read = |text| mapped(text).map(|mapped| (mapped.keys.to_owned(), mapped.is_required));
        let keys = |text: &str, is_required| Some((text.to_owned(), is_required));
        assert_eq!(read("{ [_ in TKey]: {}; }"), keys("TKey", None));
        assert_eq!(read("{ readonly [K in keyof T]?: T[K] }"), keys("keyof T", Some(false)));
        assert_eq!(read("{ -readonly [K in 'a' | 'b']-?: T }"), keys("'a' | 'b'", Some(true)));
        assert_eq!(
            ["{ [key: string]: A }", "{ a: A }", "{ [K in A as B<K>]: C }"].map(|text| read(text).is_none()),
            [true; 3]
        );
        assert_eq!([default_of("T = A<B = C>"), default_of("T extends () => A")], [Some("A<B = C>"), None]);
    }

    #[test]
    fn members_of_a_written_object_are_read() {
        let members = members("{ a: A; readonly b?: () => void, [key: string]: C; d(): D }").expect("an object");
        let names = members.iter().map(|member| match member {
            WrittenMember::Named { name, is_required, is_method } => format!("{name} {is_required} {is_method}"),
            WrittenMember::Other => "other".to_owned(),
        });
        assert_eq!(names.collect::<Vec<_>>(), ["a true false", "b false true", "other", "d true true"]);
    }
}
