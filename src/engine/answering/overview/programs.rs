//! What a program starts from that is no function: commands of `pyproject.toml`, modules that Python runs, scripts of
//! `package.json`, pages and routes of Next.js.

use super::{EntryPoint, ReadSource, Start, is_below};
use apidisc_base::unprintable::escaped_line;
use apidisc_facts::{program::FileId, source::Origin};
use apidisc_indexing::index::{Index, Scope};

/// The greatest number of entry points of one kind.
const MAX_OF_A_KIND: usize = 5;
/// The tables of `pyproject.toml` with the commands that are installed.
const COMMANDS: [&str; 3] = ["[project.scripts]", "[project.gui-scripts]", "[tool.poetry.scripts]"];
/// The script of `package.json` that an application has, and those that are said beside it.
const SCRIPTS: [&str; 3] = ["start", "dev", "serve"];

/// What starts a scope. Files in the root are read for the whole repository alone.
pub(super) fn started(index: &Index, scope: Scope, read: &ReadSource<'_>) -> Vec<EntryPoint> {
    let mut found = Vec::new();
    if scope == Scope::Repository {
        found.extend(commands(index, read));
        found.extend(package_scripts(read));
    }
    found.extend(programs(index, scope));
    found.extend(pages(index, scope));
    found
}

/// The commands of `pyproject.toml` whose functions the index has.
fn commands(index: &Index, read: &ReadSource<'_>) -> Vec<EntryPoint> {
    let Some(text) = read("pyproject.toml") else { return Vec::new() };
    let mut found = Vec::new();
    let mut is_wanted = false;
    for line in text.source.lines().map(str::trim) {
        if line.starts_with('[') {
            is_wanted = COMMANDS.contains(&line);
            continue;
        }
        let Some((name, target)) = line.split_once('=').filter(|_| is_wanted) else { continue };
        let bare = |text: &str| text.trim().trim_matches(['"', '\'']).to_owned();
        let (name, target) = (bare(name), bare(target));
        let function = target.split_once(':').map(|(module, function)| format!("{module}.{function}"));
        let id = function.and_then(|function| index.definition_of(&function));
        found.extend(
            id.map(|id| EntryPoint { id: Some(id), start: Start::Installed(escaped_line(&name).into_owned()) }),
        );
    }
    found.truncate(MAX_OF_A_KIND);
    found
}

/// The scripts of an application: a `package.json` with the script `start`.
fn package_scripts(read: &ReadSource<'_>) -> Vec<EntryPoint> {
    let text = read("package.json").map(|text| text.source);
    let package: Option<serde_json::Value> = text.and_then(|text| serde_json::from_str(&text).ok());
    let line = |name: &str| Some(escaped_line(package.as_ref()?.get("scripts")?.get(name)?.as_str()?).into_owned());
    if line("start").is_none() {
        return Vec::new();
    }
    let script = |name: &&str| Some(Start::PackageScript((*name).to_owned(), line(name)?));
    SCRIPTS.iter().filter_map(script).map(|start| EntryPoint { id: None, start }).collect()
}

/// The files that Python runs as programs, those with the shortest paths first.
fn programs(index: &Index, scope: Scope) -> Vec<EntryPoint> {
    let is_program = |path: &str| {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        name == "__main__.py" || name == "manage.py" && !folder.contains('/')
    };
    let mut files: Vec<FileId> = own_files(index, scope).filter(|file| is_program(&index.file(*file).path)).collect();
    files.sort_by_key(|file| (index.file(*file).path.matches('/').count(), *file));
    let files = files.into_iter().take(MAX_OF_A_KIND);
    files.map(|file| EntryPoint { id: None, start: Start::Program(file) }).collect()
}

/// How a file is run: `python -m package`, `python src/manage.py`.
pub(super) fn program_name(index: &Index, file: FileId) -> String {
    let file = index.file(file);
    let module = &index.module(file.module).fqn;
    match module.strip_suffix(".__main__") {
        Some(package) => format!("python -m {package}"),
        None => format!("python {}", file.path),
    }
}

/// The pages of Next.js, then its other routes, those with the shortest names first.
fn pages(index: &Index, scope: Scope) -> Vec<EntryPoint> {
    let is_settings = |path: &str| path.rsplit('/').next().is_some_and(|name| name.starts_with("next.config."));
    if !index.contents.files().iter().any(|(path, _)| is_settings(path)) {
        return Vec::new();
    }
    let named = |file: FileId| Some((page_name(&index.file(file).path)?, file));
    let mut found: Vec<(String, FileId)> = own_files(index, scope).filter_map(named).collect();
    let of = found.len() as u32;
    found.sort_by_key(|(name, file)| (name.starts_with("/api"), name.matches('/').count(), name.len(), *file));
    let first = found.into_iter().take(MAX_OF_A_KIND);
    first.map(|(_, file)| EntryPoint { id: None, start: Start::Page { file, of } }).collect()
}

/// The path of the page or route that a file of Next.js defines: of `src/app/(main)/items/[id]/page.tsx` it is
/// `/items/{id}`. `None` for other files.
pub(super) fn page_name(path: &str) -> Option<String> {
    let (folder, name) = path.rsplit_once('/')?;
    let (stem, ending) = name.split_once('.')?;
    if !["ts", "tsx", "js", "jsx"].contains(&ending) {
        return None;
    }
    let parts: Vec<&str> = folder.split('/').collect();
    let at = parts.iter().position(|part| matches!(*part, "app" | "pages"))?;
    let is_app = parts[at] == "app";
    if is_app != matches!(stem, "page" | "route") || !is_app && stem.starts_with('_') {
        return None;
    }
    let last = (!is_app && stem != "index").then_some(stem);
    let parts = parts[at + 1..].iter().copied().chain(last);
    // A part in parentheses groups files, and one that begins with `@` is a slot of a layout.
    let parts = parts.filter(|part| !part.starts_with(['(', '@']));
    let parts = parts.map(|part| match part.trim_matches(['[', ']']) {
        name if name.len() < part.len() => format!("{{{}}}", name.trim_start_matches("...")),
        name => name.to_owned(),
    });
    Some(format!("/{}", parts.collect::<Vec<_>>().join("/")))
}

/// The files of sources in a scope.
fn own_files(index: &Index, scope: Scope) -> impl Iterator<Item = FileId> + '_ {
    let files = (0..index.files.len()).map(FileId::new);
    files.filter(move |file| {
        let row = index.file(*file);
        row.origin == Origin::Src && !index.is_quoted_code(*file) && is_below(index, scope, row.module)
    })
}

#[cfg(test)]
mod tests {
    use super::page_name;

    #[test]
    fn the_path_of_a_file_names_a_page() {
        let cases = [
            ("src/app/page.tsx", Some("/")),
            ("src/app/(main)/items/[id]/page.tsx", Some("/items/{id}")),
            ("app/api/[...slug]/route.ts", Some("/api/{slug}")),
            ("src/app/items/ItemPage.tsx", None),
            ("pages/api/send.ts", Some("/api/send")),
            ("pages/index.tsx", Some("/")),
            ("pages/_app.tsx", None),
            ("src/lib/page.ts", None),
        ];
        for (path, name) in cases {
            assert_eq!(page_name(path).as_deref(), name, "{path}");
        }
    }
}
