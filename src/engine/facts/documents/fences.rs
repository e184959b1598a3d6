//! The fenced blocks of code in Markdown (`CommonMark`, section 4.5).

/// A line of Markdown, by its place inside or outside of fenced blocks of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkdownLine<'t> {
    /// A line outside of blocks.
    Text(&'t str),
    /// The fence that opens a block, with the text behind it: `python`.
    Opening(&'t str),
    /// A line of code.
    Code(&'t str),
    /// The fence that closes a block.
    Closing,
}

/// The lines of a text. A block without a closing fence reaches to the end of the text.
pub fn markdown_lines(text: &str) -> impl Iterator<Item = MarkdownLine<'_>> {
    let mut open: Option<Fence<'_>> = None;
    text.lines().map(move |line| {
        let trimmed = line.trim();
        match &open {
            Some(fence) if fence.is_closed_by(trimmed) => {
                open = None;
                MarkdownLine::Closing
            }
            Some(_) => MarkdownLine::Code(line),
            None => match Fence::new(trimmed) {
                Some(fence) => MarkdownLine::Opening(open.insert(fence).info),
                None => MarkdownLine::Text(line),
            },
        }
    })
}

/// The line that opens a fenced block.
pub(super) struct Fence<'t> {
    pub(super) mark: char,
    pub(super) length: usize,
    pub(super) info: &'t str,
}

impl<'t> Fence<'t> {
    /// The fence that a line opens, given without the white space around it.
    pub(super) fn new(text: &'t str) -> Option<Self> {
        let mark = text.chars().next().filter(|c| matches!(c, '`' | '~'))?;
        let info = text.trim_start_matches(mark);
        let length = text.len() - info.len();
        (length >= 3 && !(mark == '`' && info.contains('`'))).then(|| Self { mark, length, info: info.trim() })
    }

    /// True for a line that closes the block: at least as many of the same marks, and nothing else.
    pub(super) fn is_closed_by(&self, text: &str) -> bool {
        text.len() >= self.length && text.chars().all(|c| c == self.mark)
    }
}
