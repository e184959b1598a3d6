//! The settings at the beginning of pages of Markdown.

/// The greatest number of lines of a front matter.
const LONGEST: usize = 200;

/// The block of settings that begins a page of Markdown, between lines of `---` (YAML) or `+++` (TOML).
#[derive(Debug, Default)]
pub struct FrontMatter {
    /// The number of its lines, with those around it.
    pub lines: usize,
    /// The title of the page, with its line, from 1.
    pub title: Option<(u32, String)>,
}

impl FrontMatter {
    /// The settings at the beginning of a page of Markdown; `None` if it has none.
    pub fn of(text: &str) -> Option<Self> {
        let mut lines = text.lines().enumerate().take(LONGEST + 1);
        let mark = lines.next()?.1.trim_end();
        let separator = match mark {
            "---" => ':',
            "+++" => '=',
            _ => return None,
        };
        let mut front_matter = Self::default();
        for (at, line) in lines {
            if line.trim_end() == mark {
                front_matter.lines = at + 1;
                return Some(front_matter);
            }
            let value = line.split_once(separator).filter(|(key, _)| key.trim_end() == "title");
            let title = value.map(|(_, value)| unquoted(value.trim())).unwrap_or_default();
            if !title.is_empty() {
                front_matter.title = Some((at as u32 + 1, title.to_owned()));
            }
        }
        None
    }
}

/// A value of YAML or TOML without the quotes around it.
fn unquoted(value: &str) -> &str {
    let inner = |quote| value.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
    inner('"').or_else(|| inner('\'')).unwrap_or(value).trim()
}
