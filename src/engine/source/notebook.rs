//! The code cells of a Jupyter notebook as one text.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::read::SourceText;

#[derive(Deserialize)]
struct Notebook<'t> {
    #[serde(borrow, default)]
    cells: Vec<Cell<'t>>,
    #[serde(default)]
    metadata: Metadata,
}

#[derive(Default, Deserialize)]
struct Metadata {
    #[serde(default)]
    kernelspec: Option<KernelSpec>,
}

#[derive(Deserialize)]
struct KernelSpec {
    #[serde(default)]
    language: Option<String>,
}

#[derive(Deserialize)]
struct Cell<'t> {
    cell_type: String,
    #[serde(borrow)]
    source: &'t RawValue,
}

/// The code of a notebook. Each line keeps the line of the file that it stands in; lines for the shell
/// and for `IPython` (`!ls`, `%time`) are blanked.
///
/// # Errors
/// A line that says what is wrong, where it is no notebook.
pub(super) fn code(json: &str) -> Result<SourceText, String> {
    let notebook: Notebook = serde_json::from_str(json).map_err(|e| format!("no notebook: {e}"))?;
    let mut text = SourceText { source: String::new(), lines: Some(Vec::new()) };
    let language = notebook.metadata.kernelspec.and_then(|k| k.language);
    if language.is_some_and(|l| !l.eq_ignore_ascii_case("python")) {
        return Ok(text);
    }
    let lines = text.lines.get_or_insert_default();
    let mut position = Position { json, offset: 0, line: 1 };
    for cell in notebook.cells.iter().filter(|c| c.cell_type == "code") {
        let parts: Vec<&RawValue> = match serde_json::from_str(cell.source.get()) {
            Ok(parts) => parts,
            Err(_) => vec![cell.source],
        };
        if parts.first().is_some_and(|first| is_foreign(first)) {
            continue;
        }
        for part in parts {
            let Ok(code) = serde_json::from_str::<String>(part.get()) else { continue };
            let line = position.line_of(part.get());
            for code_line in code.lines() {
                text.source.push_str(if is_magic(code_line) { "" } else { code_line });
                text.source.push('\n');
                lines.push(line);
            }
        }
    }
    Ok(text)
}

/// Cell magics after which Python follows; what follows others (`%%bash`, `%%html`, `%%writefile`) is another
/// language, or text.
const PYTHON_CELLS: &[&str] = &["capture", "prun", "py", "pypy", "python", "python2", "python3", "time", "timeit"];

/// True where a cell begins with the magic of another language.
fn is_foreign(first: &RawValue) -> bool {
    let Ok(code) = serde_json::from_str::<String>(first.get()) else { return false };
    let magic = code.trim_start().strip_prefix("%%").map(|rest| rest.split_whitespace().next().unwrap_or_default());
    magic.is_some_and(|name| !PYTHON_CELLS.contains(&name))
}

/// True for a line that only `IPython` understands: `!ls`, `%time`, `x = !ls`, `name?`.
fn is_magic(line: &str) -> bool {
    let is_target = |text: &str| text.chars().all(|c| c.is_alphanumeric() || "_., ".contains(c));
    let line = line.trim();
    line.starts_with(['!', '%', '?'])
        || line.strip_suffix('?').is_some_and(|name| is_target(name.trim_end_matches('?')))
        || line.split_once('=').is_some_and(|(to, value)| is_target(to) && value.trim_start().starts_with(['!', '%']))
}

/// Counts lines up to slices of one text, in ascending order.
struct Position<'t> {
    json: &'t str,
    offset: usize,
    line: u32,
}

impl Position<'_> {
    fn line_of(&mut self, slice: &str) -> u32 {
        // A raw value borrows from the text that it was read from.
        let offset = (slice.as_ptr() as usize).wrapping_sub(self.json.as_ptr() as usize);
        if let Some(between) = self.json.as_bytes().get(self.offset..offset) {
            self.line += between.split(|&c| c == b'\n').count() as u32 - 1;
            self.offset = offset;
        }
        self.line
    }
}

#[cfg(test)]
mod tests {
    use super::code;

    #[test]
    fn lines_of_cells_keep_their_place_in_the_file() {
        let json = "{\"cells\": [\n {\"cell_type\": \"markdown\", \"source\": [\"# Hi\"]},\n {\"cell_type\": \"code\",\n  \"source\": [\n   \"import a\\n\",\n   \"!ls\\n\",\n   \"a.f()\"\n  ]}\n]}";
        let text = code(json).expect("a notebook");
        assert_eq!(text.source, "import a\n\na.f()\n");
        assert_eq!(text.lines, Some(vec![5, 6, 7]));
    }

    #[test]
    fn only_python_is_kept() {
        let source = |lines: &str| {
            let cell = serde_json::json!({"cells": [{"cell_type": "code", "source": lines}]});
            code(&cell.to_string()).expect("a notebook").source
        };
        assert_eq!(source("%%bash\ncurl(1)\n"), "");
        assert_eq!(source("\n%%writefile x.py\nf(1)\n"), "");
        assert_eq!(source("%%time\nf(1)\n"), "\nf(1)\n");
        assert_eq!(source("f.g?\nf??\nx = !ls\na, b = %who\nf(1)"), "\n\n\n\nf(1)\n");
        for python in ["s = '%d' % 3", "print('what?')", "x = f(1) if y else '?'", "# why?", "a != b", "t %= 3"] {
            assert_eq!(source(python), format!("{python}\n"));
        }
    }

    #[test]
    fn what_is_no_notebook_is_told() {
        assert!(code("[1, 2").is_err());
        assert!(code("{}").is_ok_and(|t| t.source.is_empty()));
    }
}
