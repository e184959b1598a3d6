//! Finds the blocks of code in a text.
//!
//! The scanner reads line by line and looks ahead only within one block. It takes linear time on any text, because each
//! block begins after the end of the previous block, and a search for the end of a block that has failed is not
//! repeated.

use std::ops::Range;

use super::{
    CodeBlock, CodeLine, Format,
    code_kind::{self, CodeKind},
    fences::Fence,
};
use apidisc_base::language::Language;

/// The blocks of code in a text, in order.
pub fn blocks(text: &str, format: Format) -> Vec<CodeBlock<'_>> {
    let lines = text.lines().map(|line| ContentLine::new(line, format, usize::MAX)).collect();
    let mut scanner = Scanner { lines, format, at: 0, unclosed: [usize::MAX; 2], blocks: Vec::new() };
    while scanner.at < scanner.lines.len() {
        scanner.block();
    }
    scanner.blocks
}

/// A line without the marks that precede its content: `>` of a quotation, `*` of a documentation comment.
#[derive(Clone, Copy)]
struct ContentLine<'t> {
    /// The content from its first character that is not white space.
    text: &'t str,
    /// The whole line.
    whole: &'t str,
    /// The number of marks.
    marks: usize,
    /// The column at which the content starts after the marks, in bytes.
    base: usize,
    /// The column of `text`, in bytes.
    column: usize,
}

impl<'t> ContentLine<'t> {
    /// A line without at most `max_marks` marks.
    fn new(whole: &'t str, format: Format, max_marks: usize) -> Self {
        let (mut marks, mut base) = (0, 0);
        let mut rest = whole;
        while marks < max_marks {
            let trimmed = rest.trim_start_matches([' ', '\t']);
            let mark = match format {
                // A prompt of the Python shell is no quotation.
                Format::Markdown if !is_prompt(trimmed, ">>>") => trimmed.strip_prefix('>'),
                Format::DocComments if marks == 0 => trimmed.strip_prefix('*').filter(|rest| !rest.starts_with('/')),
                _ => None,
            };
            let Some(after) = mark else { break };
            rest = after.strip_prefix(' ').unwrap_or(after);
            marks += 1;
            base = whole.len() - rest.len();
        }
        let text = rest.trim_start_matches([' ', '\t']);
        Self { text: text.trim_end(), whole, marks, base, column: whole.len() - text.len() }
    }

    /// The line as content of a fenced block of Markdown whose fence follows `marks` marks. A further `>` is code.
    fn below_fence(self, marks: usize) -> Self {
        if self.marks > marks { Self::new(self.whole, Format::Markdown, marks) } else { self }
    }

    fn indent(&self) -> usize {
        self.column - self.base
    }

    fn is_blank(&self) -> bool {
        self.text.is_empty()
    }

    /// The line as code of a block whose code is indented by `indent`.
    fn code(&self, number: usize, indent: usize) -> CodeLine<'t> {
        let column = if self.is_blank() { self.whole.len() } else { self.column.min(self.base + indent) };
        CodeLine { line: number as u32 + 1, column: column as u32, text: &self.whole[column..] }
    }
}

struct Scanner<'t> {
    lines: Vec<ContentLine<'t>>,
    format: Format,
    /// The next line, from 0.
    at: usize,
    /// The length of the shortest fence of `` ` `` and of `~` that has no end. Later fences of at least this length
    /// have none either.
    unclosed: [usize; 2],
    blocks: Vec<CodeBlock<'t>>,
}

impl<'t> Scanner<'t> {
    /// Reads the block that begins at the next line, or skips that line if no block begins there.
    fn block(&mut self) {
        let line = self.lines[self.at];
        if self.format != Format::ReStructuredText
            && let Some(fence) = Fence::new(without_bullet(line.text))
        {
            return self.fence(&fence);
        }
        match self.format {
            Format::ReStructuredText | Format::Docstrings => {
                if is_prompt(line.text, ">>>") {
                    return self.session(self.lines.len());
                }
                if let Some(directive) = line.text.strip_prefix(".. ") {
                    return self.directive(directive);
                }
                if line.text.ends_with("::") && !line.text.starts_with('#') {
                    return self.literal_block(true);
                }
                if matches!(line.text, "Example:" | "Examples:" | "Usage:") {
                    return self.literal_block(false);
                }
            }
            Format::DocComments => {
                if line.text == "@example" || line.text.starts_with("@example ") {
                    return self.example_tag();
                }
            }
            Format::Markdown => {}
        }
        self.at += 1;
    }

    fn fence(&mut self, fence: &Fence<'t>) {
        let opens_at = self.at;
        let Some(end) = self.end_of(fence) else {
            self.at += 1;
            return;
        };
        if self.format == Format::Markdown {
            let marks = self.lines[opens_at].marks;
            for line in &mut self.lines[opens_at + 1..end] {
                *line = line.below_fence(marks);
            }
        }
        let is_declared = !fence.info.is_empty();
        if let Some(kind) = code_kind::of_fence(fence.info).or_else(|| self.kind_of_undeclared(fence)) {
            self.at = self.first_of_code(fence, opens_at + 1, end);
            let code = self.at..end;
            let prompt = match kind.language {
                Language::Python if kind.is_session => Some(self.at),
                Language::Python => self.first_prompt(code.clone()),
                Language::TypeScript => None,
            };
            let before = code.start..prompt.unwrap_or(end);
            if self.lines[before.clone()].iter().any(|line| !line.is_blank()) {
                self.push(kind, is_declared, opens_at, before);
            }
            self.at = prompt.unwrap_or(end);
            while self.at < end {
                if is_prompt(self.lines[self.at].text, ">>>") { self.session(end) } else { self.at += 1 }
            }
        }
        self.at = end + 1;
    }

    /// The first line behind the options of a directive of `MyST`: lines like `:name: value`, or YAML between
    /// two lines `---`.
    fn first_of_code(&self, fence: &Fence<'_>, start: usize, end: usize) -> usize {
        let lines = &self.lines[start..end];
        if self.format != Format::Markdown || !fence.info.starts_with('{') {
            return start;
        }
        if lines.first().is_some_and(|line| line.text == "---")
            && let Some(last) = lines[1..].iter().position(|line| line.text == "---")
        {
            return start + last + 2;
        }
        start + lines.iter().take_while(|line| line.text.starts_with(':')).count()
    }

    /// The first line with the prompt `>>>` that is not indented further than the code around it, and not in a string
    /// of several lines.
    fn first_prompt(&self, range: Range<usize>) -> Option<usize> {
        let code = || self.lines[range.clone()].iter().filter(|line| !line.is_blank());
        let at = range.start + self.lines[range.clone()].iter().position(|line| is_prompt(line.text, ">>>"))?;
        let column = self.lines[at].column;
        let quotes = |quote: &str| {
            let before = self.lines[range.start..at].iter();
            before.map(|line| line.text.matches(quote).count()).sum::<usize>()
        };
        let is_in_string = ["\"\"\"", "'''"].into_iter().any(|quote| quotes(quote) % 2 == 1);
        (!is_in_string && code().all(|line| line.column >= column)).then_some(at)
    }

    /// The line that closes the fence at the next line. In Markdown, a fence without an end extends to the end of the
    /// document; in code, a line without a closing fence is not a fence.
    fn end_of(&mut self, fence: &Fence<'t>) -> Option<usize> {
        let unclosed = &mut self.unclosed[usize::from(fence.mark == '~')];
        let start = self.at + 1;
        let marks = if self.format == Format::Markdown { self.lines[self.at].marks } else { usize::MAX };
        let is_end = |line: &ContentLine<'_>| fence.is_closed_by(line.below_fence(marks).text);
        let mut below = self.lines[start..].iter();
        let end = if fence.length < *unclosed { below.position(is_end) } else { None };
        if end.is_none() {
            *unclosed = fence.length.min(*unclosed);
        }
        end.map(|at| start + at).or_else(|| (self.format == Format::Markdown).then_some(self.lines.len()))
    }

    /// Reads one example of a doctest: a line with the prompt `>>>`, and the lines with `...` behind it.
    fn session(&mut self, end: usize) {
        let opens_at = self.at;
        let prompt = self.lines[opens_at].column;
        let code = |number: usize, line: &ContentLine<'t>| {
            let column = (line.column + 4).min(line.whole.len());
            let column = if line.whole.is_char_boundary(column) { column } else { line.whole.len() };
            CodeLine { line: number as u32 + 1, column: column as u32, text: &line.whole[column..] }
        };
        let mut lines = vec![code(opens_at, &self.lines[opens_at])];
        self.at += 1;
        while self.at < end && self.lines[self.at].column == prompt && is_prompt(self.lines[self.at].text, "...") {
            lines.push(code(self.at, &self.lines[self.at]));
            self.at += 1;
        }
        // The end of an example that is a compound statement is a prompt without code.
        let has_code = lines.iter().any(|line| !line.text.trim().is_empty());
        if has_code {
            let (language, opens_at) = (Language::Python, opens_at as u32 + 1);
            self.blocks.push(CodeBlock { language, has_jsx: false, is_declared: true, opens_at, lines });
        }
    }

    /// Reads a directive of reStructuredText: `.. code-block:: python`, its options, and the indented lines below.
    fn directive(&mut self, directive: &str) {
        let opens_at = self.at;
        self.at += 1;
        let Some((name, argument)) = directive.split_once("::") else { return };
        let kind = match name.trim() {
            "code-block" | "code" | "sourcecode" => code_kind::of_name(argument.trim()),
            "testcode" | "testsetup" => code_kind::of_name("python"),
            _ => None,
        };
        let Some(kind) = kind else { return };
        while self.at < self.lines.len() && self.lines[self.at].text.starts_with(':') {
            self.at += 1;
        }
        self.indented_block(kind, true, opens_at);
    }

    /// Reads a paragraph's last line that ends with `::`, or the title of a section of examples, and the indented lines
    /// below it.
    fn literal_block(&mut self, needs_blank: bool) {
        let opens_at = self.at;
        self.at += 1;
        if needs_blank && self.lines.get(self.at).is_some_and(|line| !line.is_blank()) {
            return;
        }
        let kind = CodeKind { language: Language::Python, has_jsx: false, is_session: false };
        self.indented_block(kind, false, opens_at);
    }

    /// Reads the lines from the next one on that are indented further than the line at `opens_at`.
    fn indented_block(&mut self, kind: CodeKind, is_declared: bool, opens_at: usize) {
        let base = self.lines[opens_at].column;
        let below = self.lines[self.at..].iter();
        let end = self.at + below.take_while(|line| line.is_blank() || line.column > base).count();
        let start = self.at;
        let is_python = kind.language == Language::Python;
        // Examples of a doctest are found line by line.
        let prompt = if is_python { self.first_prompt(start..end) } else { None };
        let code = start..prompt.unwrap_or(end);
        if kind.is_session || self.lines[code.clone()].iter().all(ContentLine::is_blank) {
            return;
        }
        self.at = code.end;
        self.push(kind, is_declared, opens_at, code);
    }

    /// Reads the code behind the tag `@example` of a documentation comment, up to the next tag or the end of the
    /// comment. Where it contains fences, these are read instead.
    fn example_tag(&mut self) {
        let opens_at = self.at;
        self.at += 1;
        // Tags are written in small letters, decorators of TypeScript in capitals.
        let is_tag = |text: &str| text.strip_prefix('@').is_some_and(|name| name.starts_with(char::is_lowercase));
        let is_end = |line: &ContentLine<'_>| is_tag(line.text) || line.text.contains("*/");
        let below = &self.lines[self.at..];
        let end = self.at + below.iter().position(is_end).unwrap_or(below.len());
        let is_comment = |line: &ContentLine<'_>| line.marks > 0;
        let lines = &self.lines[self.at..end];
        if lines.iter().all(is_comment) && !lines.iter().any(|line| Fence::new(line.text).is_some()) {
            let kind = CodeKind { language: Language::TypeScript, has_jsx: false, is_session: false };
            let start = self.at;
            self.push(kind, false, opens_at, start..end);
            self.at = end;
        }
    }

    /// The language of a fence without an info string: in code, the language of the code.
    fn kind_of_undeclared(&self, fence: &Fence<'_>) -> Option<CodeKind> {
        let language = match self.format {
            Format::Docstrings => Language::Python,
            Format::DocComments => Language::TypeScript,
            Format::Markdown | Format::ReStructuredText => return None,
        };
        fence.info.is_empty().then_some(CodeKind { language, has_jsx: false, is_session: false })
    }

    /// Adds the block of the lines `range`, without their common indentation.
    fn push(&mut self, kind: CodeKind, is_declared: bool, opens_at: usize, range: Range<usize>) {
        let common = self.lines[range.clone()].iter().filter(|l| !l.is_blank()).map(ContentLine::indent).min();
        let Some(common) = common else { return };
        let lines = range.map(|number| self.lines[number].code(number, common)).collect();
        let CodeKind { language, has_jsx, .. } = kind;
        self.blocks.push(CodeBlock { language, has_jsx, is_declared, opens_at: opens_at as u32 + 1, lines });
    }
}

/// True for a line with a prompt of the Python shell: `>>>` or `...`, alone or before a space.
fn is_prompt(text: &str, prompt: &str) -> bool {
    text.strip_prefix(prompt).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

/// A line without the mark of a list item before its content: `-`, `*`, `+`, `1.`, `1)`.
fn without_bullet(text: &str) -> &str {
    let mark = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let marks: &[char] = if mark.len() < text.len() { &['.', ')'] } else { &['-', '*', '+'] };
    mark.strip_prefix(marks).and_then(|rest| rest.strip_prefix(' ')).map_or(text, str::trim_start)
}
