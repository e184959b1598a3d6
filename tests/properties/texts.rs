//! Random and corrupted input texts: each is read, or rejected with a line and a message, and nothing panics.

use apidisc_tui::tui::{
    complaint::Complaint,
    config::UserConfig,
    theme::{ColourDepth, Themes, UserTheme},
};
use proptest::{collection::vec, prelude::*, sample::Index, sample::select};

use crate::{
    chance::cases,
    linking::{assert_consistent, index_bytes},
};

/// Tokens of TypeScript, and characters that make a program invalid.
const TOKENS: [&str; 76] = [
    "function",
    "class",
    "interface",
    "type",
    "enum",
    "namespace",
    "declare",
    "abstract",
    "const",
    "let",
    "export",
    "default",
    "import",
    "from",
    "'./other'",
    "require",
    "f",
    "A",
    "T",
    "x",
    "this",
    "super",
    "new",
    "extends",
    "implements",
    "keyof",
    "typeof",
    "infer",
    "is",
    "as",
    "satisfies",
    "in",
    "instanceof",
    "async",
    "await",
    "yield",
    "get",
    "set",
    "static",
    "readonly",
    "if",
    "else",
    "switch",
    "case",
    "return",
    "for",
    "of",
    "=>",
    "=",
    "===",
    "?",
    "?.",
    "??",
    "!",
    ":",
    ";",
    ",",
    ".",
    "...",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    "</",
    "/>",
    "|",
    "&",
    "`${",
    "`",
    "\n",
    "/*",
    "1",
];

const OTHER: &str =
    "export class A<T> { m(o: { a: T, b?: number }) { return o } }\nexport const f = (x: A<string>) => x\n";

const TSCONFIG: &str = r#"{
  // of the project
  "extends": ["./base.json", "@scope/config/tsconfig.json"],
  "compilerOptions": {
    "baseUrl": ".", "rootDir": "src", "outDir": "dist", "rootDirs": ["src", "made"], "jsx": "react-jsx",
    "paths": { "@/*": ["./src/*", "made/*"], "other": ["src/other.ts"] },
  },
  "include": ["src/**/*"], "exclude": ["**/*.test.ts"], "files": ["src/main.ts"],
  "references": [{ "path": "./packages/one" }],
}"#;

const PACKAGE: &str = r##"{ "name": "@scope/whole", "main": "./dist/main.js", "types": "dist/main.d.ts", "private": false,
  "exports": { ".": { "types": "./dist/main.d.ts", "import": ["./dist/main.js"] }, "./*": "./src/*.ts" },
  "imports": { "#other": "./src/other.ts" }, "workspaces": ["packages/*"] }"##;

/// The text with one to three random parts replaced by other text.
fn corrupted(text: &str) -> impl Strategy<Value = String> + use<> {
    let whole: Vec<char> = text.chars().collect();
    let odd = select(
        &["", "{", "}", "[", "]", "\"", "'''", "\\u", "null", "-1", "1e999", "\u{0}", "\u{feff}", "=", "\n"][..],
    );
    let replacement = prop_oneof![odd.prop_map(str::to_owned), "\\PC{0,12}"];
    vec((any::<Index>(), 0..40_usize, replacement), 1..4).prop_map(move |changes| {
        let mut chars = whole.clone();
        for (at, length, replacement) in changes {
            let at = at.index(chars.len() + 1);
            let end = (at + length).min(chars.len());
            chars.splice(at..end, replacement.chars());
        }
        chars.into_iter().collect()
    })
}

/// Asserts that every complaint has a line of the file and a message.
fn assert_complaints_are_clear(complaints: &[Complaint], text: &str) {
    for complaint in complaints {
        let Complaint { line, message, .. } = complaint;
        assert!(*line <= text.split('\n').count(), "line {line} of {text:?}");
        assert!(!message.is_empty());
        assert!(!complaint.to_string().contains(char::is_control), "{complaint}");
    }
}

proptest! {
    #![proptest_config(cases(96))]

    #[test]
    fn any_tokens_of_typescript_are_read(
        tokens in vec(select(&TOKENS[..]), 0..120),
        ending in select(&["ts", "tsx", "js", "d.ts"][..]),
    ) {
        let files = [(format!("main.{ending}"), tokens.join(" ")), ("other.ts".to_owned(), OTHER.to_owned())];
        assert_consistent(&index_bytes(files.into_iter().map(|(path, text)| (path, text.into_bytes()))));
    }

    #[test]
    fn any_bytes_of_typescript_are_read(bytes in vec(any::<u8>(), 0..400)) {
        assert_consistent(&index_bytes([("main.tsx".to_owned(), bytes)].into_iter()));
    }

    #[test]
    fn any_project_files_are_read(config in corrupted(TSCONFIG), package in corrupted(PACKAGE)) {
        let main = "import { f } from '@/other'\nimport { A } from '#other'\nf(new A<string>())\n";
        let files = [
            ("tsconfig.json", config.as_str()),
            ("base.json", config.as_str()),
            ("package.json", package.as_str()),
            ("packages/one/package.json", package.as_str()),
            ("src/main.ts", main),
            ("src/other.ts", OTHER),
        ];
        let files = files.into_iter().map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec()));
        assert_consistent(&index_bytes(files));
    }

    #[test]
    fn any_configuration_is_read(text in corrupted(&UserConfig::default().to_toml())) {
        let (config, complaints) = UserConfig::read("config.toml", &text);
        assert_complaints_are_clear(&complaints, &text);
        let (again, complaints) = UserConfig::read("config.toml", &config.to_toml());
        prop_assert!(complaints.is_empty(), "what is printed is right: {complaints:?}");
        prop_assert_eq!(again.to_toml(), config.to_toml());
    }

    #[test]
    fn any_theme_is_read(text in corrupted(include_str!("../../themes/dark.toml"))) {
        let own = UserTheme { name: "mine".to_owned(), file: "mine.toml".to_owned(), text: text.clone() };
        for depth in [ColourDepth::True, ColourDepth::Palette, ColourDepth::Sixteen, ColourDepth::None] {
            if let Ok((_, complaints)) = Themes::new(vec![own.clone()], depth).load("mine") {
                assert_complaints_are_clear(&complaints, &text);
            }
        }
    }
}
