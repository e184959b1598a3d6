//! Long runs of comments and of literals are kept from the parser.
//!
//! Scanners of the grammars look for the end of all comments that follow, again before each of them, so that their work
//! grows as the square of a run. The tree of a table of data takes forty times the memory of its text, and says no more
//! than its first rows do.

use std::{borrow::Cow, collections::VecDeque, ops::Range};

use super::tokens::{Token, TokenKind};

/// The greatest number of comments in a row that the parser gets.
const MAX_COMMENTS: usize = 32;
/// The number of the last comments of a longer run that the parser gets: they may document what follows.
const LAST_COMMENTS: usize = 24;
/// The greatest number of literal elements in a row that the parser gets from one list.
const MAX_ELEMENTS: usize = 10_000;
/// The greatest nesting of brackets in which long lists are recognized.
const MAX_NESTING: usize = 1_000;

/// The text with blanks in place of the middle of long runs of comments, and of the end of long runs of literal
/// elements of lists. Every line and column stays.
pub(super) fn blank(text: &str, tokens: impl Iterator<Item = Token>) -> Cow<'_, str> {
    let mut comments = Comments::default();
    let mut lists = Lists::default();
    let mut blanks = Vec::new();
    for token in tokens {
        if token.kind == TokenKind::Comment {
            comments.add(token.range);
        } else {
            blanks.extend(comments.end());
            lists.add(&token, &mut blanks);
        }
    }
    blanks.extend(comments.end());
    if blanks.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut bytes = text.as_bytes().to_vec();
    for blank in blanks {
        for byte in bytes[blank].iter_mut().filter(|byte| !matches!(byte, b'\n' | b'\r')) {
            *byte = b' ';
        }
    }
    // The blanks take the place of whole tokens.
    String::from_utf8(bytes).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// True if a text may contain long runs. `has_comments` tells whether more comments than a number may stand in a row.
pub(super) fn may_have(text: &str, has_comments: impl FnOnce(usize) -> bool) -> bool {
    memchr::memchr_iter(b',', text.as_bytes()).nth(MAX_ELEMENTS).is_some() || has_comments(MAX_COMMENTS)
}

/// The run of comments that is read.
#[derive(Default)]
struct Comments {
    count: usize,
    /// The end of the first comments that are kept.
    first: usize,
    /// The beginnings of the last comments, at most one more than are kept.
    last: VecDeque<usize>,
}

impl Comments {
    fn add(&mut self, comment: Range<usize>) {
        self.count += 1;
        if self.count <= MAX_COMMENTS - LAST_COMMENTS {
            self.first = comment.end;
            return;
        }
        self.last.push_back(comment.start);
        if self.last.len() > LAST_COMMENTS {
            self.last.pop_front();
        }
    }

    /// Ends the run. The range that the parser does not get, if the run is long.
    fn end(&mut self) -> Option<Range<usize>> {
        if self.count == 0 {
            return None;
        }
        let blank = self.last.front().filter(|_| self.count > MAX_COMMENTS).map(|kept| self.first..*kept);
        self.count = 0;
        self.last.clear();
        blank
    }
}

/// The lists that are open where a text is read.
#[derive(Default)]
struct Lists {
    open: Vec<List>,
    /// The number of open brackets beyond [`MAX_NESTING`].
    deeper: usize,
}

/// What an element of a list consists of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Element {
    /// Literals alone: it may be left out.
    Literal,
    /// A property with a name, whose value is literal.
    Property,
    Other,
}

/// A list, or anything else in brackets.
struct List {
    /// The number of elements of the run of literal elements that is read.
    run: usize,
    /// The end of the part of the run that the parser gets, and the end of the run.
    blank: Range<usize>,
    /// The element that is read.
    element: Element,
    /// True if the last token may be the name of a property.
    has_name: bool,
    /// True if all elements so far are literal.
    are_literal: bool,
}

impl List {
    fn new() -> Self {
        Self { run: 0, blank: 0..0, element: Element::Literal, has_name: false, are_literal: true }
    }

    fn reject_element(&mut self) {
        (self.element, self.are_literal) = (Element::Other, false);
    }

    /// Ends the element before the comma that ends at `end`.
    fn end_element(&mut self, end: usize) -> Option<Range<usize>> {
        let ended = if self.element == Element::Literal {
            self.run += 1;
            if self.run <= MAX_ELEMENTS {
                self.blank.start = end;
            }
            self.blank.end = end;
            None
        } else {
            self.end_run()
        };
        self.element = Element::Literal;
        ended
    }

    fn end_run(&mut self) -> Option<Range<usize>> {
        let ended = (self.run > MAX_ELEMENTS).then(|| self.blank.clone());
        self.run = 0;
        ended
    }
}

impl Lists {
    fn add(&mut self, token: &Token, blanks: &mut Vec<Range<usize>>) {
        if self.deeper > 0 {
            match token.kind {
                TokenKind::Open => self.deeper += 1,
                TokenKind::Close => self.deeper -= 1,
                _ => {}
            }
            return;
        }
        if token.kind == TokenKind::Open {
            if self.open.len() < MAX_NESTING {
                self.open.push(List::new());
            } else {
                self.deeper = 1;
                self.open.iter_mut().for_each(List::reject_element);
            }
            return;
        }
        let Some(list) = self.open.last_mut() else { return };
        // Only a colon makes a word the name of a property.
        if std::mem::take(&mut list.has_name) && token.kind != TokenKind::Colon {
            list.reject_element();
        }
        match token.kind {
            TokenKind::Close => {
                blanks.extend(list.end_run());
                let is_literal = list.are_literal;
                self.open.pop();
                if let Some(outer) = self.open.last_mut().filter(|_| !is_literal) {
                    outer.reject_element();
                }
            }
            TokenKind::Comma => blanks.extend(list.end_element(token.range.end)),
            TokenKind::Word if list.element != Element::Other => {
                (list.has_name, list.element) = (true, Element::Property);
            }
            TokenKind::Word | TokenKind::Other => list.reject_element(),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_COMMENTS, MAX_ELEMENTS, blank};
    use crate::syntax::{python::tokens::tokens as python, typescript::tokens::tokens as typescript};

    /// The lines of a text that are not blank.
    fn kept(text: &str) -> Vec<&str> {
        text.lines().filter(|line| !line.trim().is_empty()).collect()
    }

    #[test]
    fn the_first_and_last_comments_of_a_long_run_are_kept() {
        let comments = (0..100).map(|i| format!("  # é {i}\n\n")).collect::<Vec<_>>().concat();
        let text = format!("x = '# a' # b\n{comments}y\n");
        let blanked = blank(&text, python(&text));
        assert_eq!((blanked.len(), blanked.lines().count()), (text.len(), text.lines().count()));
        let kept = kept(&blanked);
        assert_eq!(kept.len(), MAX_COMMENTS + 1);
        assert_eq!((kept[0], kept[8], kept[kept.len() - 2]), ("x = '# a' # b", "  # é 76", "  # é 99"));
        let short = "# a\n".repeat(MAX_COMMENTS);
        assert_eq!(blank(&short, python(&short)), short);
        let block = "f(1)\n".to_owned() + &"/* a\n*/ // b\n".repeat(100) + ".g()\n";
        assert_eq!(blank(&block, typescript(&block)).matches('b').count(), MAX_COMMENTS / 2);
    }

    #[test]
    fn strings_are_no_comments() {
        for text in ["x = \"\"\"\n#a\n\"\"\"\n", "x = f'''\n#{a}\n'''\n"] {
            let text = text.replace('#', &"# c\n".repeat(100));
            assert_eq!(blank(&text, python(&text)), text);
        }
        let text = format!("x = `\n{}${{a}}`\ny = /[/]*/g\nz = '/*'\n", "// b\n".repeat(100));
        assert_eq!(blank(&text, typescript(&text)), text);
    }

    #[test]
    fn the_end_of_a_long_run_of_literals_is_blank() {
        for row in ["1,\n", "r\"#\" 'é',\n", "(-1, [2.5e3, None]), # a\n", "\"k\": {\"a\": 1, 2: [True]},\n"] {
            let text = format!("f(1)\nx = [\n{}  f(2), 3,\n]\n", row.repeat(MAX_ELEMENTS + 500));
            let blanked = blank(&text, python(&text));
            assert_eq!((blanked.len(), blanked.lines().count()), (text.len(), text.lines().count()));
            // The comment of the last row follows its comma.
            let last = usize::from(row.contains("# a"));
            assert_eq!(kept(&blanked).len(), MAX_ELEMENTS + 4 + last, "{row}");
            assert!(blanked.ends_with("  f(2), 3,\n]\n"));
        }
    }

    #[test]
    fn names_are_never_blank() {
        for row in ["f(1),\n", "a,\n", "[1, a],\n", "{ a },\n", "`${a}`,\n", "() => 1,\n", "a: 1,\n"] {
            let text = format!("let x = {{\n{}}}\n", row.repeat(MAX_ELEMENTS + 500));
            assert_eq!(blank(&text, typescript(&text)), text, "{row}");
        }
        let text = format!("let x = [\n{}]\n", "{ a: 1, b: `c` },\n".repeat(MAX_ELEMENTS + 500));
        assert_eq!(kept(&blank(&text, typescript(&text))).len(), MAX_ELEMENTS + 2);
        let text = format!("x = [\n{}]\n", "f'{a}',\n".repeat(MAX_ELEMENTS + 500));
        assert_eq!(blank(&text, python(&text)), text);
    }
}
