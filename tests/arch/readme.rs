//! The README and the pages in `docs` say what the program does.

use std::{
    fs,
    path::{Path, PathBuf},
};

use apidisc::{strategy::Strategy, tokens::Encoding};
use apidisc_tui::tui::command;

/// The page with the table of keys.
const KEYS: &str = "docs/explorer.md";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The paths of the README and of the pages in `docs`, from the root.
fn pages() -> Vec<PathBuf> {
    let docs = fs::read_dir(root().join("docs")).unwrap();
    let pages = docs.map(|entry| Path::new("docs").join(entry.unwrap().file_name()));
    let pages = pages.filter(|page| page.extension().is_some_and(|ending| ending == "md"));
    std::iter::once("README.md".into()).chain(pages).collect()
}

fn read(page: impl AsRef<Path>) -> String {
    fs::read_to_string(root().join(page)).unwrap()
}

/// Mends the table when it is run with `UPDATE_README=1`.
#[test]
fn the_keys_are_those_of_the_command_table() {
    let text = read(KEYS);
    let (before, rest) = text.split_once("<!-- keys -->\n").unwrap();
    let (table, after) = rest.split_once("<!-- /keys -->\n").unwrap();
    let expected = command::markdown();
    if std::env::var_os("UPDATE_README").is_some() {
        let text = format!("{before}<!-- keys -->\n{expected}<!-- /keys -->\n{after}");
        fs::write(root().join(KEYS), text).unwrap();
        return;
    }
    assert_eq!(table, expected, "run: UPDATE_README=1 cargo test --test arch");
}

#[test]
fn every_strategy_and_every_encoding_is_named() {
    let text = read("docs/stubs.md");
    let strategies = [
        Strategy::default(),
        Strategy::Threshold { min_frequency: 0.2 },
        Strategy::Coverage { target: 0.95 },
        Strategy::Exhaustive,
    ];
    let names = strategies.map(Strategy::name).into_iter().chain(Encoding::ALL.map(Encoding::name));
    for name in names {
        assert!(text.contains(&format!("`{name}`")), "{name}");
    }
}

#[test]
fn a_fresh_machine_needs_two_commands() {
    let text = read("README.md");
    let block = text.split("```sh\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    assert_eq!(block, "cargo run -- --demo\ncargo test\n");
}

#[test]
fn links_lead_to_files_and_headings_that_exist() {
    for page in pages() {
        let text = read(&page);
        for link in links(&text).filter(|link| !link.contains("://")) {
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if path.is_empty() { page.clone() } else { page.with_file_name("").join(path) };
            assert!(root().join(&target).exists(), "{}: {link}", page.display());
            let is_heading = |line: &str| line.starts_with('#') && slug(line) == anchor;
            assert!(anchor.is_empty() || read(&target).lines().any(is_heading), "{}: {link}", page.display());
        }
    }
}

/// The folders whose paths a text names from the root.
const FOLDERS: [&str; 6] = ["src/", "tests/", "docs/", "assets/", "themes/", ".ci/"];

/// The paths between backticks, without those of the example of a third language: `ruby` and `LANGUAGE` stand for one.
fn paths(text: &str) -> impl Iterator<Item = &str> {
    let code = text.split('`').skip(1).step_by(2).filter_map(|code| code.split_whitespace().next());
    let is_path = |path: &&str| FOLDERS.iter().any(|folder| path.starts_with(folder));
    let is_example = |path: &&str| path.split(['/', '.']).any(|part| part == "ruby" || part == "LANGUAGE");
    code.filter(is_path).filter(move |path| !is_example(path))
}

#[test]
fn paths_in_the_guide_exist() {
    let text = read("CONTRIBUTING.md");
    let missing: Vec<&str> = paths(&text).filter(|path| !root().join(path).exists()).collect();
    assert_eq!(missing, Vec::<&str>::new());
    assert!(
        paths("see `src/a.rs` and `tests/b/run.sh 60`, `c.rs`, `src/link/LANGUAGE`, `src/ruby.rs`")
            .eq(["src/a.rs", "tests/b/run.sh"])
    );
}

/// The targets of the links of a page. Text between backticks is code and has no links, as `table[key](value)`.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let prose: Vec<&str> = text.split('`').step_by(2).collect();
    prose.into_iter().flat_map(|part| part.split("](").skip(1)).filter_map(|rest| rest.split(')').next())
}

#[test]
fn code_has_no_links() {
    assert!(
        links("`table[key](value)` [`name`](page.md) and ```sh\na[b](c)\n``` [more](other.md#top)")
            .eq(["page.md", "other.md#top"])
    );
}

/// The anchor of a heading, as GitHub makes it.
fn slug(heading: &str) -> String {
    let words = heading.trim_start_matches('#').trim().to_lowercase();
    let is_kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    words.chars().filter(is_kept).map(|c| if c == ' ' { '-' } else { c }).collect()
}
