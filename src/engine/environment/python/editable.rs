//! What `.pth` files add to a folder of packages: the folders of editable installations and of members of a workspace.
//!
//! The interpreter executes a line of a `.pth` file that begins with `import`. Such a line is never executed here. The
//! import hook that setuptools writes for an editable installation keeps its table of modules as a literal, which is
//! read as text.

use std::path::{Component, Path, PathBuf};

use crate::listing;

/// The greatest number of `.pth` files of a folder that are read.
const MAX_FILES: usize = 2_000;

/// What the `.pth` files of a folder add.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Added {
    /// The folders in which modules are looked for, too.
    pub(super) folders: Vec<PathBuf>,
    /// Modules by name, each with its folder or file.
    pub(super) mapped: Vec<(String, PathBuf)>,
    /// The names of distributions whose import hooks cannot be read.
    pub(super) hooks: Vec<String>,
}

/// Reads the `.pth` files of a folder of packages.
pub(super) fn read(site: &Path) -> Added {
    let mut added = Added::default();
    let files = listing::entries(site).into_iter().filter(|entry| !entry.is_folder);
    for file in files.filter(|file| file.has_extension(&["pth"])).take(MAX_FILES) {
        let Some(text) = listing::text(&site.join(&file.name)) else { continue };
        for line in text.lines() {
            if let Some(hook) = line.strip_prefix("import ") {
                read_hook(site, &file.name, hook, &mut added);
            } else if let Some(folder) = named_folder(site, line) {
                added.folders.push(folder);
            }
        }
    }
    added
}

/// The folder that a line of a `.pth` file names, if it is there.
fn named_folder(site: &Path, line: &str) -> Option<PathBuf> {
    let line = line.trim_end();
    let is_path = !line.is_empty() && !line.starts_with(['#', ' ', '\t']) && !line.starts_with("import");
    let folder = is_path.then(|| without_dots(&site.join(line)))?;
    listing::is_folder(&folder).then_some(folder)
}

/// The path without `.` and `..`, as the interpreter writes it.
fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

/// Reads the hook of an editable installation, whose `.pth` file imports it.
fn read_hook(site: &Path, pth: &str, line: &str, added: &mut Added) {
    // Other hooks measure coverage, start debuggers or patch the interpreter; they bring no modules.
    let Some(distribution) =
        pth.strip_prefix("__editable__.").and_then(|name| name.strip_suffix(".pth")).or_else(|| {
            // meson-python and scikit-build-core.
            pth.strip_suffix("-editable.pth").or_else(|| pth.strip_prefix('_')?.strip_suffix("_editable.pth"))
        })
    else {
        return;
    };
    let module = line.split([';', ' ', ',']).next().unwrap_or_default();
    let is_name = module.chars().all(|c| c.is_alphanumeric() || c == '_');
    let mapping = is_name
        .then(|| listing::text(&site.join(format!("{module}.py"))))
        .flatten()
        .and_then(|hook| mapping(&hook))
        .unwrap_or_default();
    if mapping.is_empty() {
        added.hooks.push(distribution.to_owned());
    }
    added.mapped.extend(mapping.into_iter().filter_map(|(name, path)| Some((name, existing(PathBuf::from(path))?))));
}

/// The folder of a package, or the file of a module, that a hook names without its extension.
fn existing(path: PathBuf) -> Option<PathBuf> {
    let file = path.with_extension("py");
    if listing::is_folder(&path) { Some(path) } else { listing::is_file(&file).then_some(file) }
}

/// The table `MAPPING: dict[str, str] = {'name': 'path', …}` of setuptools' hook.
fn mapping(hook: &str) -> Option<Vec<(String, String)>> {
    let line = hook.lines().find(|line| line.starts_with("MAPPING"))?;
    let (_, table) = line.split_once('=')?;
    let mut rest = table.trim().strip_prefix('{')?;
    let mut entries = Vec::new();
    loop {
        rest = rest.trim_start_matches([',', ' ']);
        if rest.starts_with('}') {
            return Some(entries);
        }
        let (name, after) = literal(rest)?;
        let (path, after) = literal(after.trim_start().strip_prefix(':')?.trim_start())?;
        entries.push((name, path));
        rest = after;
    }
}

/// The string literal at the beginning of a text, and the text after it.
fn literal(text: &str) -> Option<(String, &str)> {
    let quote = text.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    let mut value = String::new();
    let mut characters = text.char_indices().skip(1);
    while let Some((at, c)) = characters.next() {
        match c {
            c if c == quote => return Some((value, &text[at + c.len_utf8()..])),
            '\\' => value.push(characters.next()?.1),
            c => value.push(c),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_a_hook_is_read_as_text() {
        let hook = "import sys\nMAPPING: dict[str, str] = {'shop': '/home/me/shop/src/shop', \"it's\": 'C:\\\\x'}\n";
        let expected = [("shop", "/home/me/shop/src/shop"), ("it's", "C:\\x")];
        assert_eq!(mapping(hook), Some(expected.map(|(name, path)| (name.to_owned(), path.to_owned())).to_vec()));
        for broken in ["MAPPING = {'a': ", "MAPPING = build()", "MAPPING = {'a' 'b'}", "MAPPING = {'a': open('x')}"] {
            assert_eq!(mapping(broken), None, "{broken}");
        }
    }
}
