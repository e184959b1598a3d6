//! Texts in each style, and texts that are hostile.

use super::{Documentation, parse_comment, parse_docstring};
use apidisc_base::unprintable::is_unprintable;

/// The descriptions that are found in a text, one item a line.
fn shown(documentation: Option<Box<Documentation>>) -> Vec<String> {
    let Some(documentation) = documentation else { return Vec::new() };
    let mut shown: Vec<String> =
        documentation.parameters.iter().map(|parameter| format!("{}: {}", parameter.name, parameter.text)).collect();
    shown.extend(documentation.returns.iter().map(|text| format!("returns {text}")));
    shown.extend(documentation.raises.iter().map(|error| format!("raises {}: {}", error.name, error.text)));
    shown.extend(documentation.deprecated.iter().map(|text| format!("deprecated {text}")));
    shown.extend(documentation.default.iter().map(|text| format!("default {text}")));
    shown.extend(documentation.example.iter().map(|text| format!("example {text:?}")));
    shown
}

#[test]
fn the_text_after_the_first_paragraph_is_kept() {
    let text = "Gets\n    a page.\n\n    It waits,\n    if it must.\n\n    - one\n      more\n    - two\n\n    >>> get(1)\n    2\n\n    Args:\n        a: One.\n\n    At the end.\n";
    let details = |documentation: Option<Box<Documentation>>| documentation.and_then(|found| found.details);
    let expected = "It waits, if it must.\n- one more\n- two\nAt the end.";
    assert_eq!(details(parse_docstring(text)).as_deref(), Some(expected));
    let text = "/**\n * Gets.\n *\n * It waits.\n * ```ts\n * get(1)\n * ```\n *\n * @param a One.\n */";
    assert_eq!(details(parse_comment(text)).as_deref(), Some("It waits."));
    assert_eq!(details(parse_docstring("Gets.\n- one\n- two\n")), None);
    assert!(
        details(parse_docstring(&format!("Gets.\n\n{}", "word ".repeat(1000)))).is_some_and(|text| text.len() < 2_010)
    );
}

#[test]
fn the_style_of_google() {
    let text = "Gets.\n\n    Args:\n        url (str, optional): The address\n            of the page.\n        *args: More.\n        timeout: Seconds: many.\n        low, *high (int): Bounds.\n        not, a name: x\n\n    Returns:\n        The page.\n\n    Raises:\n        ValueError: If it is bad.\n\n    Example:\n        get(1)\n\n    Other text: here.\n";
    let expected = [
        "url: The address of the page.",
        "args: More.",
        "timeout: Seconds: many.",
        "low: Bounds. not, a name: x",
        "high: Bounds. not, a name: x",
        "returns The page.",
        "raises ValueError: If it is bad.",
        "example \"get(1)\"",
    ];
    assert_eq!(shown(parse_docstring(text)), expected);
}

#[test]
fn a_deprecated_parameter_is_no_deprecated_definition() {
    let text =
        "Makes.\n\nArgs:\n    hash: Old.\n\n.. deprecated:: 24.1.0 *hash* is deprecated in favor of *unsafe_hash*.\n";
    let expected = ["hash: Old. Deprecated: 24.1.0 *hash* is deprecated in favor of *unsafe_hash*."];
    assert_eq!(shown(parse_docstring(text)), expected);
    let of_argument = "Makes.\n\nArgs:\n    hash: Old.\n\n.. deprecated:: 2 The *hash* argument is deprecated.\n";
    assert_eq!(shown(parse_docstring(of_argument)), ["hash: Old. Deprecated: 2 The *hash* argument is deprecated."]);
    let text = "Makes.\n\n.. deprecated:: 2 Use *make*.\n";
    assert_eq!(shown(parse_docstring(text)), ["deprecated 2 Use *make*."]);
}

#[test]
fn a_deprecated_form_of_a_call_is_no_deprecated_definition() {
    let of_calls = [
        "1.4 It requires one argument;\n   calling it with no arguments is deprecated.",
        "2 Passing texts is deprecated.",
    ];
    for text in of_calls {
        let documentation = parse_docstring(&format!("Makes.\n\n.. deprecated:: {text}\n")).unwrap();
        assert_eq!(documentation.deprecated, None);
        assert!(documentation.details.unwrap().ends_with("is deprecated."));
    }
    for text in ["2 It is deprecated. Pass the argument to *make*.", "2 Use the option *x* of *make*.", "3.1"] {
        let documentation = parse_docstring(&format!("Makes.\n\n.. deprecated:: {text}\n")).unwrap();
        assert_eq!(documentation.deprecated.as_deref(), Some(text));
    }
}

#[test]
fn the_style_of_numpy() {
    let text = "Gets.\n\nParameters\n----------\na, b : int\n    Two numbers.\nc : {'x', 'y'}, optional\n    One\n    of two.\n\nReturns\n-------\nout : array\n    The result.\n\nRaises\n------\nTypeError\n    Always.\n\nNotes\n-----\nz : none\n";
    let expected =
        ["a: Two numbers.", "b: Two numbers.", "c: One of two.", "returns The result.", "raises TypeError: Always."];
    assert_eq!(shown(parse_docstring(text)), expected);
}

#[test]
fn the_styles_of_sphinx_and_epytext() {
    let text = "Gets.\n\n:param str url: The address\n    of the page.\n:keyword timeout: Seconds.\n:returns: The page.\n:raises ValueError: If it is bad.\n:type url: str\n\n.. deprecated:: 2.0\n   Use :func:`post`.\n";
    let expected = [
        "url: The address of the page.",
        "timeout: Seconds.",
        "returns The page.",
        "raises ValueError: If it is bad.",
        "deprecated 2.0 Use `post`.",
    ];
    assert_eq!(shown(parse_docstring(text)), expected);
    assert_eq!(shown(parse_docstring("@param a: One.\n@return: Two.")), ["a: One.", "returns Two."]);
    let of_parameter = "Gets.\n\n:param a: One.\n\n    .. deprecated:: 2.0\n:param b: Two.\n";
    assert_eq!(shown(parse_docstring(of_parameter)), ["a: One.", "b: Two."]);
}

#[test]
fn lists_of_markdown() {
    let text = "Gets.\n\n## Parameters\n\n- `url`: The address.\n- **timeout** (int): Seconds.\n\n**Returns:**\n\n* The page.\n\nText.\n";
    assert_eq!(shown(parse_docstring(text)), ["url: The address.", "timeout: Seconds.", "returns The page."]);
    let text = "Gets.\n\n    **Parameters:**\n\n    * **url** - *(optional)* The address\n    of the page.\n    * **headers** - More.\n\n    Text: that follows.\n";
    assert_eq!(shown(parse_docstring(text)), ["url: The address of the page.", "headers: More."]);
}

#[test]
fn documentation_comments() {
    let text = "/**\n * Gets.\n *\n * @param {string} url - The address\n *   of the page.\n * @param options.timeout Seconds, see {@link Timeout | here}.\n * @param [retries=3] Times.\n * @returns {Promise<{a: 1}>} The page.\n * @throws {TypeError} If bad.\n * @deprecated Use {@link post}.\n * @default `3`\n * @example\n * ```ts\n * get(1);\n * ```\n */";
    let expected = [
        "url: The address of the page.",
        "options.timeout: Seconds, see here.",
        "retries: Times.",
        "returns The page.",
        "raises TypeError: If bad.",
        "deprecated Use post.",
        "default 3",
        "example \"get(1);\"",
    ];
    assert_eq!(shown(parse_comment(text)), expected);
    assert_eq!(shown(parse_comment("/** @deprecated */")), ["deprecated "]);
    assert_eq!(
        shown(parse_comment("/**\n * @throws\n * @throws {E}\n * @throws If bad.\n */")),
        ["raises E: ", "raises : If bad."]
    );
    assert_eq!(shown(parse_comment("/** @throws */")), [""; 0]);
    assert_eq!(shown(parse_comment("/** Plain. */")), [""; 0]);
}

#[test]
fn a_text_that_describes_nothing_is_not_kept() {
    for text in
        ["", "One line.", "Two.\n\n```\nthat\n```\n", "See:\n  it\n", "a\n---\n", "Args:", ":x", "@", "Returns:"]
    {
        assert_eq!(parse_docstring(text), None, "{text}");
    }
}

#[test]
fn a_hostile_text_is_cut_and_has_no_control_characters() {
    let text = format!("X.\n\nArgs:\n    a: \u{1b}[31m\u{202e}red {}\n", "x ".repeat(2_000));
    let documentation = parse_docstring(&text).expect("a parameter");
    let described = documentation.parameter("a").expect("a text");
    assert!(described.len() <= 310 && !described.contains(is_unprintable), "{described:?}");
    let google = (0..1_000).fold("X.\n\nArgs:\n".to_owned(), |many, i| format!("{many}    a{i}: b\n"));
    let numpy = (0..1_000).fold("X.\n\nParameters\n---\n".to_owned(), |many, i| format!("{many}a{i} : int\n    b\n"));
    for text in [google, numpy] {
        let documentation = parse_docstring(&text).expect("parameters");
        let last = &documentation.parameters[super::MAX_ITEMS - 1];
        assert_eq!((documentation.parameters.len(), last.name.as_str(), last.text.as_str()), (128, "a127", "b"));
    }
    for text in
        ["é\n é:", "Args:\n\té: ü", ":é", ":param é: ü", "/**é", "/** @param é ü", "/** @param {", "é::\n---\nü"]
    {
        parse_docstring(text);
        parse_comment(text);
    }
}
