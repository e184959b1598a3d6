//! No unprintable character of the sources reaches an output, and no text of the sources leaves its place in one.

use std::sync::Arc;

use apidisc::{
    delivery::{Format, StubRequest},
    index::{
        Index,
        metadata::{MetadataOptions, read, write},
    },
    language::Language,
    strategy::Strategy,
    unprintable::is_unprintable,
};
use proptest::{prelude::*, sample::select, strategy::Strategy as _};

use crate::{chance::cases, linking::index_bytes};

/// Characters that change how text is displayed, are displayed as nothing, or end a comment, string or fence.
const CHARACTERS: &str = "\u{1}\u{7f}\u{85}\u{9b}\u{9d}\u{ad}\u{34f}\u{61c}\u{115f}\u{1160}\u{180e}\u{200b}\u{200c}\u{200d}\
                          \u{200e}\u{200f}\u{2028}\u{2029}\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}\u{2060}\u{2066}\u{2067}\
                          \u{2068}\u{2069}\u{3164}\u{fe00}\u{fe0f}\u{feff}\u{ffa0}\u{fff9}\u{e0001}\u{e0041}\u{e0100}\
                          \u{e01ef}aé✓'\"`*/\\#{}$";

/// Characters of [`CHARACTERS`] that are syntax.
const SYNTAX: &str = "'\"`*/\\#{}$";

fn text() -> impl proptest::strategy::Strategy<Value = String> {
    prop::collection::vec(select(CHARACTERS.chars().collect::<Vec<_>>()), 0..12).prop_map(String::from_iter)
}

/// A program in both languages with these texts as summaries, descriptions, reasons of deprecation, examples, values,
/// defaults, arguments, types and parts of names.
fn program(texts: &[String; 6]) -> Arc<Index> {
    let [doc, value, default, name, ty, path] = texts;
    let literal = |text: &str| format!("'{}'", text.replace(['\'', '\\'], ""));
    let (value, default) = (literal(value), literal(default));
    let name: String = name.chars().filter(|c| !SYNTAX.contains(*c)).collect();
    let path: String = path.chars().filter(|c| !"/\\".contains(*c)).collect();
    let python = format!(
        "X{name} = {value}\nclass C{name}:\n    '''{doc}.'''\n    a{name}: {ty} = {default}\n    \
         def m(self, a=1, b{name}={default}):\n        '''{doc}.\n\n        Args:\n            a: {doc}\n        \
         Raises:\n            E: {doc}\n        Example:\n            {doc}\n        .. deprecated:: {doc}\n        '''\nC{name}().m({value})\nC{name}().m({value}, b{name}=2)\n\
         def f{name}(a: {ty}, b={default}): ...\nf{name}({value})\n"
    );
    let template = ty.replace(['`', '\\'], "");
    let typescript = format!(
        "/** {doc}.\n * @param x {doc}\n * @throws {doc}\n * @example\n * {doc}\n * @deprecated {doc}\n */\nexport class C{name} {{ 'x{name}': {default} = {default}; m(a = {default}, o: {{ {default}: string }}) {{}} }}\n\
         export type T = `{template}` | {value};\nnew C{name}().m({value}, {{ {default}: {value} }});\n/** {doc} */\n\
         export function f{name}(a: {ty}, b = {default}) {{}}\nf{name}({value});\n"
    );
    let files = [(format!("p/a{path}.py"), python), (format!("q/b{path}.ts"), typescript)];
    Arc::new(index_bytes(files.into_iter().map(|(path, text)| (path, text.into_bytes()))))
}

/// A request for every definition and module.
fn requests(index: &Index) -> Vec<StubRequest> {
    let symbols = index.definitions.iter().map(|definition| (None, Some(definition.fqn.to_string())));
    let modules = index.modules.iter().map(|module| (Some(module.fqn.to_string()), None));
    let request =
        |(module, symbol)| StubRequest { module, symbol, strategy: Strategy::Exhaustive, ..StubRequest::default() };
    symbols.chain(modules).map(request).collect()
}

/// Asserts that data in an envelope is what the index holds.
fn check_data(index: &Index, stub: &str, read: &serde_json::Value) {
    assert_eq!(read["stub"].as_str(), Some(stub));
    for symbol in read["symbols"].as_array().into_iter().flatten() {
        let fqn = symbol["fqn"].as_str().unwrap_or_default();
        assert!(index.definition_of(fqn).is_some(), "{fqn:?} is no FQN");
    }
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn no_output_has_unprintable_characters(texts in prop::array::uniform6(text())) {
        let index = program(&texts);
        for request in requests(&index) {
            for format in [Format::Stub, Format::Markdown, Format::Json, Format::Yaml] {
                let Ok(delivery) = (StubRequest { format, ..request.clone() }).deliver(&index) else { continue };
                let found = delivery.text.chars().find(|&c| is_unprintable(c) && c != '\n');
                prop_assert!(found.is_none(), "{found:?} in {:?} of {request:?}", delivery.text);
                match format {
                    Format::Json => {
                        check_data(&index, delivery.stub(), &serde_json::from_str(&delivery.text).expect("JSON"));
                    }
                    Format::Yaml => {
                        check_data(&index, delivery.stub(), &serde_yaml::from_str(&delivery.text).expect("YAML"));
                    }
                    Format::Markdown => {
                        let mut lines = delivery.text.lines().skip_while(|line| !line.starts_with("```"));
                        let opening = lines.next().unwrap_or_default();
                        let fence: String = opening.chars().take_while(|c| *c == '`').collect();
                        let ends = lines.filter(|line| line.trim_start().starts_with(&fence));
                        prop_assert_eq!(ends.count(), 1, "the fence ends once: {}", delivery.text);
                    }
                    Format::Stub => {}
                }
            }
        }
        let options = MetadataOptions { min_usage_threshold: 0, ..MetadataOptions::default() };
        let file = write(&index, &options).expect("a text");
        prop_assert!(!file.contains(|c| is_unprintable(c) && c != '\n'), "{file:?}");
        let again = write(&read(&file).expect("our own file"), &options).expect("a text");
        prop_assert_eq!(file, again);
    }
}

/// The text without comments and docstrings, which end as the language says.
fn without_comments(text: &str, language: Language) -> String {
    let (opening, closing, mark) =
        if language == Language::Python { ("\"\"\"", "\"\"\"", "#") } else { ("/**", "*/", "//") };
    let mut code = String::new();
    let mut rest = text;
    while let Some(start) = [opening, mark].into_iter().filter_map(|sign| rest.find(sign)).min() {
        let is_line = rest[start..].starts_with(mark);
        let inner = &rest[start + if is_line { mark.len() } else { opening.len() }..];
        let end = if is_line { inner.find('\n') } else { inner.find(closing).map(|end| end + closing.len()) };
        code.push_str(&rest[..start]);
        rest = end.map_or("", |end| &inner[end..]);
    }
    code + rest
}

#[test]
fn no_documentation_ends_its_comment_or_docstring() {
    let mut found = 0;
    for hostile in ["```\n``` evil", "*/ evil();", "x \\\"\"\" evil", "a\u{2028}evil()", "a\u{2029}evil", "evil\\"] {
        let index = program(&[hostile, "", "", "", "int", ""].map(str::to_owned));
        for request in requests(&index) {
            let Ok(delivery) = request.deliver(&index) else { continue };
            let code = without_comments(&delivery.text, delivery.language);
            assert!(!code.contains("evil"), "text of the sources outside of a comment: {}", delivery.text);
            found += delivery.text.matches("evil").count();
        }
    }
    assert!(found >= 10, "{found} texts are shown");
}
