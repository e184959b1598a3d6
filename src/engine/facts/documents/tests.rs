//! Blocks of code in texts of each format.

use std::fmt::Write as _;

use super::{Format, blocks, python_page, typescript_page};

/// The blocks of a text: for each block the language, and the line, the column and the text of each line of code.
fn shown(text: &str, format: Format) -> String {
    let mut shown = String::new();
    for block in blocks(text, format) {
        shown.push_str(block.language.fence());
        shown.push_str(if block.is_declared { ":\n" } else { "?\n" });
        for line in block.lines {
            assert_eq!(
                text.lines().nth(line.line as usize - 1).and_then(|l| l.get(line.column as usize..)),
                Some(line.text)
            );
            writeln!(shown, "{}:{} {}", line.line, line.column, line.text).expect("a string takes all text");
        }
    }
    shown
}

#[test]
fn fences_of_markdown_are_found_at_any_indentation() {
    let text = "# A\n```python\nf(1)\n```\n- x\n\n    ```py title=\"a\"\n    if a:\n        g()\n\n    ```\n> ```{.ts .x}\n> h();\n> ```\n```\nno()\n```\n";
    assert_eq!(
        shown(text, Format::Markdown),
        "python:\n3:0 f(1)\npython:\n8:4 if a:\n9:4     g()\n10:0 \ntypescript:\n13:2 h();\n"
    );
    assert_eq!(shown("````md\n```py\nf()\n```\n````\n", Format::Markdown), "");
    assert_eq!(shown("~~~ tsx\n<A/>", Format::Markdown), "typescript:\n2:0 <A/>\n");
    assert_eq!(shown(">>> f()\n", Format::Markdown), "");
    assert_eq!(shown("```pycon\n>>> f(\n...   1)\n2\n>>>\n```\n", Format::Markdown), "python:\n2:4 f(\n3:4   1)\n");
}

#[test]
fn a_line_of_code_may_begin_with_the_mark_of_a_quotation() {
    let text = "```ts\nf<\n  A\n>(1)\n```\n> ```ts\n> g<\n> >(2)\n> ```\n";
    assert_eq!(
        shown(text, Format::Markdown),
        "typescript:\n2:0 f<\n3:0   A\n4:0 >(1)\ntypescript:\n7:2 g<\n8:2 >(2)\n"
    );
}

#[test]
fn blocks_of_restructured_text_are_found() {
    let text = "See::\n\n    f(1)\n\n    g()\n\nx\n.. code-block:: python\n   :caption: y\n\n   h()\n\n.. code:: c\n\n   z()\n";
    assert_eq!(
        shown(text, Format::ReStructuredText),
        "python?\n2:0 \n3:4 f(1)\n4:0 \n5:4 g()\n6:0 \npython:\n10:0 \n11:3 h()\n12:0 \n"
    );
    assert_eq!(shown(".. doctest::\n\n   >>> f()\n   1\n", Format::ReStructuredText), "python:\n3:7 f()\n");
    assert_eq!(shown("a ``b``::\nno()\n", Format::ReStructuredText), "");
}

#[test]
fn examples_in_docstrings_and_comments_are_found() {
    let text = "def f():\n    \"\"\"X.\n\n    >>> f(\n    ...     1)\n    3\n\n    ```python\n    g()\n    ```\n\n    Example:\n        h()\n    \"\"\"\n";
    assert_eq!(shown(text, Format::Docstrings), "python:\n4:8 f(\n5:8     1)\npython:\n9:4 g()\npython?\n13:8 h()\n");
    let text =
        "/**\n * X.\n * @example\n * f(1);\n *\n * g();\n * @returns y\n */\n/** a\n * ```ts\n * h();\n * ```\n */";
    assert_eq!(shown(text, Format::DocComments), "typescript?\n4:3 f(1);\n5:2 \n6:3 g();\ntypescript:\n11:3 h();\n");
    assert_eq!(shown("const a = `\n```\n`;\nx[1::\n", Format::Docstrings), "");
}

#[test]
fn a_page_keeps_the_places_of_its_code() {
    let text = "```ts\nf();\n```\nx\n- ```ts\n  g();\n  ```\n";
    let page = typescript_page(&blocks(text, Format::Markdown));
    assert_eq!((page.text.as_str(), page.blocks), ("\nf();\n\n\n\n  g();", vec![1..5, 9..15]));
    let (page, places) = python_page(&blocks("> ```py\n> f()\n> ```\n", Format::Markdown));
    assert_eq!((page.text.as_str(), page.blocks.len(), page.blocks[0].clone()), ("f()\n", 1, 0..4));
    assert_eq!((places[0].line, places[0].column), (2, 2));
}

#[test]
fn fences_without_an_end_hide_no_others() {
    let text = "````py\n~~~py\n```py\nf()\n```\n````py\n~~~~\ng()\n~~~~\n~~~\nh()\n";
    assert_eq!(shown(text, Format::Docstrings), "python:\n3:0 ```py\n4:0 f()\n5:0 ```\n6:0 ````py\n");
    let text = "````py\n```py\nf()\n```\n````py\n~~~py\ng()\n~~~\n~~~py\n";
    assert_eq!(shown(text, Format::Docstrings), "python:\n3:0 f()\npython:\n7:0 g()\n");
}

/// The scan of such a text takes minutes if each fence seeks its end again.
#[test]
fn many_fences_without_an_end_take_linear_time() {
    for format in [Format::Docstrings, Format::DocComments, Format::Markdown] {
        assert_eq!(shown(&"```a\n~~~~a\n".repeat(100_000), format), "");
    }
}

#[test]
fn a_text_of_any_content_is_scanned() {
    for text in [
        "```",
        "```py",
        ">",
        "> ```py\n>",
        "::",
        "a::\n\n",
        ">>>",
        ">>> \n...",
        ".. code::",
        " * @example",
        "é::\n\n é",
        "```py\n\té",
    ] {
        for format in [Format::Markdown, Format::ReStructuredText, Format::Docstrings, Format::DocComments] {
            shown(text, format);
            shown(&format!("{text}\r\n").repeat(50), format);
        }
    }
}
