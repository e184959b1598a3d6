//! The Python code of a Jupyter notebook as one text (nbformat 4).

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::read::SourceText;

/// Cells and metadata are decoded one by one, so that a broken one costs no other.
#[derive(Deserialize)]
struct Notebook<'t> {
    #[serde(borrow, default)]
    cells: Option<Vec<&'t RawValue>>,
    #[serde(borrow, default)]
    metadata: Option<&'t RawValue>,
}

#[derive(Deserialize)]
struct Metadata {
    kernelspec: KernelSpec,
}

#[derive(Deserialize)]
struct KernelSpec {
    language: String,
}

#[derive(Deserialize)]
struct Cell<'t> {
    cell_type: Cow<'t, str>,
    #[serde(borrow)]
    source: &'t RawValue,
}

/// Extracts the code cells of a notebook. The result lists, for each line of the code, the line of the file that
/// contains it. Shell commands and `IPython` magics (`!ls`, `%time`) become empty lines, with the lines that continue
/// them after a backslash; cells of other languages, and those without a source, are left out.
///
/// # Errors
/// One line that describes the problem, if `json` is not a notebook.
pub(super) fn python_code(json: &str) -> Result<SourceText, String> {
    let notebook: Notebook = serde_json::from_str(json).map_err(|e| format!("no notebook: {e}"))?;
    let mut text = SourceText { source: String::new(), lines: Some(Vec::new()) };
    let metadata = notebook.metadata.and_then(|metadata| serde_json::from_str::<Metadata>(metadata.get()).ok());
    if metadata.is_some_and(|metadata| !metadata.kernelspec.language.eq_ignore_ascii_case("python")) {
        return Ok(text);
    }
    let lines = text.lines.get_or_insert_default();
    let mut line_counter = LineCounter { json, offset: 0, line: 1 };
    let cells = notebook.cells.unwrap_or_default().into_iter().filter_map(|cell| serde_json::from_str(cell.get()).ok());
    for cell in cells.filter(|cell: &Cell<'_>| cell.cell_type == "code") {
        // The source of a cell is a list of strings or one string.
        let strings: Vec<&RawValue> = match serde_json::from_str(cell.source.get()) {
            Ok(strings) => strings,
            Err(_) => vec![cell.source],
        };
        if strings.first().is_some_and(|first| is_of_other_language(first)) {
            continue;
        }
        // What the line before is, if a backslash joins this line to it.
        let mut continued = None;
        for string in strings {
            let Ok(code) = serde_json::from_str::<String>(string.get()) else { continue };
            let line = line_counter.line_of(string.get());
            for code_line in code.lines() {
                let is_magic = continued.unwrap_or_else(|| is_magic(code_line));
                text.source.push_str(if is_magic { "" } else { code_line });
                continued = code_line.ends_with('\\').then_some(is_magic);
                text.source.push('\n');
                lines.push(line);
            }
        }
    }
    Ok(text)
}

/// The cell magics of `IPython` that are followed by Python code. Other magics (`%%bash`, `%%html`, `%%writefile`) are
/// followed by another language or by text.
const PYTHON_CELL_MAGICS: &[&str] =
    &["capture", "prun", "py", "pypy", "python", "python2", "python3", "time", "timeit"];

/// True if the first string of a cell begins with a cell magic that is not followed by Python code.
fn is_of_other_language(first: &RawValue) -> bool {
    let Ok(code) = serde_json::from_str::<String>(first.get()) else { return false };
    let magic = code.trim_start().strip_prefix("%%").map(|rest| rest.split_whitespace().next().unwrap_or_default());
    magic.is_some_and(|name| !PYTHON_CELL_MAGICS.contains(&name))
}

/// True for a line that is `IPython` syntax and not Python: `!ls`, `%time`, `x = !ls`, `name?`.
fn is_magic(line: &str) -> bool {
    let is_target = |text: &str| text.chars().all(|c| c.is_alphanumeric() || "_., ".contains(c));
    let line = line.trim();
    line.starts_with(['!', '%', '?'])
        || line.strip_suffix('?').is_some_and(|name| is_target(name.trim_end_matches('?')))
        || line.split_once('=').is_some_and(|(to, value)| is_target(to) && value.trim_start().starts_with(['!', '%']))
}

/// Finds the line numbers of slices of one text. The slices must come in ascending order.
struct LineCounter<'t> {
    json: &'t str,
    offset: usize,
    line: u32,
}

impl LineCounter<'_> {
    /// The line at which `slice` starts, from 1.
    fn line_of(&mut self, slice: &str) -> u32 {
        // A `RawValue` borrows from the text from which it was parsed, so the difference of the pointers is the offset.
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
    use super::python_code;

    #[test]
    fn each_line_of_code_has_its_line_in_the_file() {
        let json = "{\"cells\": [\n {\"cell_type\": \"markdown\", \"source\": [\"# Hi\"]},\n {\"cell_type\": \"code\",\n  \"source\": [\n   \"import a\\n\",\n   \"!ls\\n\",\n   \"a.f()\"\n  ]}\n]}";
        let text = python_code(json).expect("a notebook");
        assert_eq!(text.source, "import a\n\na.f()\n");
        assert_eq!(text.lines, Some(vec![5, 6, 7]));
    }

    #[test]
    fn only_python_code_is_kept() {
        let source = |lines: &str| {
            let cell = serde_json::json!({"cells": [{"cell_type": "code", "source": lines}]});
            python_code(&cell.to_string()).expect("a notebook").source
        };
        assert_eq!(source("%%bash\ncurl(1)\n"), "");
        assert_eq!(source("\n%%writefile x.py\nf(1)\n"), "");
        assert_eq!(source("%%time\nf(1)\n"), "\nf(1)\n");
        assert_eq!(source("f.g?\nf??\nx = !ls\na, b = %who\nf(1)"), "\n\n\n\nf(1)\n");
        assert_eq!(source("!pip install a \\\n  b \\\n  c\nf(1)\n"), "\n\n\nf(1)\n");
        assert_eq!(source("x = 7 \\\n% f(1)\n%time\n"), "x = 7 \\\n% f(1)\n\n");
        for python in ["s = '%d' % 3", "print('what?')", "x = f(1) if y else '?'", "# why?", "a != b", "t %= 3"] {
            assert_eq!(source(python), format!("{python}\n"));
        }
    }

    #[test]
    fn a_broken_cell_costs_no_other() {
        for broken in [
            r#"{"cell_type": "code"}"#,
            r#"{"cell_type": "code", "source": null}"#,
            r#"{"cell_type": "code", "source": [1, {}]}"#,
            r#"{"cell_type": 3, "source": "g()"}"#,
            r#"{"source": "g()"}"#,
            "null",
            "[]",
        ] {
            let good = r#"{"cell_type": "code", "source": "f()"}"#;
            for metadata in ["{}", "null", "[]", r#"{"kernelspec": {}}"#, r#"{"kernelspec": "x"}"#] {
                let json = format!("{{\"cells\": [{broken},\n{good}], \"metadata\": {metadata}}}");
                let text = python_code(&json).expect("a notebook");
                assert_eq!((text.source.as_str(), text.lines), ("f()\n", Some(vec![2])), "{json}");
            }
        }
        assert!(python_code("{\"cells\": null}").is_ok_and(|text| text.source.is_empty()));
    }

    #[test]
    fn a_text_that_is_not_a_notebook_is_an_error() {
        assert!(python_code("[1, 2").is_err());
        assert!(python_code("{}").is_ok_and(|t| t.source.is_empty()));
    }
}
