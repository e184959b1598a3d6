//! Makes the file `src/tui/highlight/grammars.dump`: of all the grammars that `two-face` collects, those of what the
//! explorer shows. All of them would be a twentieth of the program.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;
use syntect::{
    dumps::{dump_to_uncompressed_file, from_uncompressed_dump_file},
    parsing::{ParseState, ScopeStackOp, SyntaxDefinition, SyntaxSet, SyntaxSetBuilder},
};

use crate::program::Project;

/// Sources and documents of a repository, what stands in them, and what answers of models have beside them.
const WANTED: [&str; 28] = [
    "Plain Text",
    "Bourne Again Shell (bash)",
    "CSS",
    "Diff",
    "Dockerfile",
    "DotENV",
    "GraphQL",
    "HTML",
    "INI",
    "JSON",
    "JavaScript",
    "JavaScript (Babel)",
    "Markdown",
    "Python",
    "Regular Expressions (Javascript)",
    "Regular Expressions (Python)",
    "Requirements.txt",
    "SQL",
    "Shell-Unix-Generic",
    "Svelte",
    "TOML",
    "TypeScript",
    "TypeScriptReact",
    "Vue Component",
    "XML",
    "YAML",
    "commands-builtin-shell-bash",
    "reStructuredText",
];

/// The wanted grammars. Where one of them embeds another grammar, what it embeds is plain text.
fn made() -> SyntaxSet {
    let all = two_face::syntax::extra_newlines().into_builder();
    let all: Vec<Value> =
        all.syntaxes().iter().map(|grammar| serde_json::to_value(grammar).expect("a grammar is data")).collect();
    let name = |grammar: &Value| grammar["name"].as_str().map(str::to_owned).unwrap_or_default();
    let is_wanted = |grammar: &&Value| WANTED.contains(&name(grammar).as_str());
    let old: Vec<String> = all.iter().map(name).collect();
    let new: BTreeMap<String, usize> = all.iter().filter(is_wanted).map(name).zip(0..).collect();
    assert_eq!(new.len(), WANTED.len(), "every wanted grammar is there once");

    let plain = all.iter().find(|grammar| name(grammar) == "Plain Text").expect("plain text is wanted");
    // The contexts of a grammar are numbered in the order of their names.
    let mut contexts: Vec<&String> = plain["contexts"].as_object().expect("a map").keys().collect();
    contexts.sort();
    let main = contexts.iter().position(|context| *context == "main").expect("every grammar has it");
    let mut builder = SyntaxSetBuilder::new();
    for grammar in all.iter().filter(is_wanted) {
        let mut grammar = grammar.clone();
        each_reference(&mut grammar, &mut |syntax, context| {
            (*syntax, *context) =
                new.get(&old[*syntax]).map_or((new["Plain Text"], main), |syntax| (*syntax, *context));
        });
        builder.add(serde_json::from_value::<SyntaxDefinition>(grammar).expect("its numbers alone have changed"));
    }
    builder.build()
}

/// Calls `change` with each reference to a context: the numbers of its grammar and of the context in it.
fn each_reference(value: &mut Value, change: &mut dyn FnMut(&mut usize, &mut usize)) {
    match value {
        Value::Object(fields) => {
            let number = |name| fields.get(name).and_then(Value::as_u64).map(|number| number as usize);
            if let (Some(mut syntax), Some(mut context)) = (number("syntax_index"), number("context_index")) {
                change(&mut syntax, &mut context);
                fields["syntax_index"] = syntax.into();
                fields["context_index"] = context.into();
            }
            fields.values_mut().for_each(|value| each_reference(value, change));
        }
        Value::Array(values) => values.iter_mut().for_each(|value| each_reference(value, change)),
        _ => {}
    }
}

fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tui/highlight/grammars.dump")
}

/// To make the file anew: `UPDATE_GRAMMARS=1 cargo test --test cli grammars`
#[test]
fn the_grammars_of_the_program_are_those_of_two_face() {
    let made = made();
    if std::env::var_os("UPDATE_GRAMMARS").is_some() {
        dump_to_uncompressed_file(&made, path()).unwrap();
    }
    let folder = Project::empty();
    let new = folder.join("grammars.dump");
    dump_to_uncompressed_file(&made, &new).unwrap();
    let is_same = fs::read(path()).unwrap() == fs::read(new).unwrap();
    assert!(is_same, "the file differs: UPDATE_GRAMMARS=1 cargo test --test cli grammars");
}

#[test]
fn a_text_has_the_scopes_that_all_grammars_give_it() {
    let kept = from_uncompressed_dump_file(path()).unwrap();
    let all = two_face::syntax::extra_newlines();
    for (extension, text) in [
        ("py", include_str!("../../assets/demo/src/windvane/station.py")),
        ("ts", include_str!("../../assets/demo/packages/client/src/client.ts")),
        ("tsx", include_str!("../../assets/demo/packages/dashboard/src/components/Board.tsx")),
        ("js", "import { a } from './a.js';\nexport const b = (c) => a.test(/[a-z]+/g) ? `${c}` : null; // d\n"),
        (
            "vue",
            "<template>\n<a :b=\"c(1)\"/>\n</template>\n<script setup lang=\"ts\">\nconst c = 1 as number;\n</script>\n",
        ),
        ("svelte", "<script>\nlet a = 1;\n</script>\n{#if a}<b on:click={c}>{a}</b>{/if}\n"),
        ("md", "# a\n```python\ndef b(c: int) -> str: ...\n```\n```json\n{\"d\": [1, null]}\n```\n- *e* `f`\n"),
        ("rst", "a\n=\n\n.. code-block:: python\n\n    b = 1\n\n``c``\n"),
        ("json", "{\"a\": [1, true, \"b\\n\"]}\n"),
        ("yaml", "a:\n  - b: 1 # c\n    d: >\n      e\n"),
        ("toml", include_str!("../../themes/dark.toml")),
        ("sh", "for a in $(b); do echo \"$a\" | c --d; done\n"),
        ("html", "<p class=\"a\">b</p><script>let c = 1;</script>\n"),
        ("sql", "SELECT a, count(*) FROM b WHERE c = 'd';\n"),
    ] {
        assert_eq!(scopes(&kept, extension, text), scopes(&all, extension, text), "{extension}");
    }
}

fn scopes(grammars: &SyntaxSet, extension: &str, text: &str) -> Vec<(usize, ScopeStackOp)> {
    let grammar = grammars.find_syntax_by_extension(extension).expect(extension);
    let mut state = ParseState::new(grammar);
    text.split_inclusive('\n').flat_map(|line| state.parse_line(line, grammars).expect("it is parsed")).collect()
}
