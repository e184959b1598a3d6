//! The tools that read the files of a project.

use std::{fmt::Write as _, path::Path, sync::Arc};

use apidisc::files::FileError;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    FILES, Project, SEARCH, SYSTEM,
    folder::{Below, pattern},
};
use crate::tool::Tool;

/// The size limit of a file that is read, in bytes.
const MAX_FILE: u64 = 8 << 20;
/// The greatest number of lines of one answer, unless more are asked for.
const LINES: usize = 500;
/// The greatest number of paths of one answer.
const MAX_PATHS: usize = 1000;

/// Reads a text file of the project, or some of its lines. Files of secrets and ignored files are not shown.
#[derive(Deserialize, JsonSchema)]
struct ReadProjectFile {
    /// The path of the file from the project's root, like src/app.py.
    name: String,
    /// The first line, from 1.
    #[serde(default = "first_line")]
    line: usize,
    /// The greatest number of lines.
    #[serde(default = "default_lines")]
    lines: usize,
}

fn first_line() -> usize {
    1
}

fn default_lines() -> usize {
    LINES
}

/// Lists the files and folders directly in one folder of the project.
#[derive(Deserialize, JsonSchema)]
struct ListProjectFiles {
    /// The folder from the project's root.
    #[serde(default)]
    folder: String,
    /// The names that are listed, like *.py.
    #[serde(default = "every_name")]
    pattern: String,
}

/// Lists the files below a folder of the project, without hidden folders, ignored files and files of secrets.
#[derive(Deserialize, JsonSchema)]
struct ListProjectFilesRecursive {
    /// The folder from the project's root.
    #[serde(default)]
    root_dir: String,
    /// The files that are listed, like *.py or src/**/*.ts.
    #[serde(default = "every_name")]
    pattern: String,
    /// The greatest depth of folders; 1 is the folder itself, 0 nothing.
    max_depth: Option<usize>,
}

fn every_name() -> String {
    "*".to_owned()
}

/// Finds the folder with the project's own files such as .git, pyproject.toml or package.json, from a path upwards.
#[derive(Deserialize, JsonSchema)]
struct FindProjectRoot {
    /// The folder to begin at, from the project's root.
    #[serde(default)]
    start_path: String,
}

/// Ends the run with a final message, which is the answer.
#[derive(Deserialize, JsonSchema)]
struct Terminate {
    /// The whole answer.
    message: String,
}

/// The tools of a project.
pub(super) fn all(project: &Arc<Project>) -> Vec<Tool> {
    let [reading, listing, walking, marked] = [(); 4].map(|()| Arc::clone(project));
    vec![
        Tool::new("read_project_file", move |it: ReadProjectFile| read(&reading, &it)).tagged(&[FILES, "read"]),
        Tool::new("list_project_files", move |it: ListProjectFiles| {
            let below = listing.folder(&it.folder)?;
            list(
                &listing,
                &Below { folder: &below, pattern: pattern(&it.pattern)?, depth: Some(1), with_folders: true },
            )
        })
        .tagged(&[FILES, "list"]),
        Tool::new("list_project_files_recursive", move |it: ListProjectFilesRecursive| {
            let below = walking.folder(&it.root_dir)?;
            let pattern = pattern(&it.pattern)?;
            list(&walking, &Below { folder: &below, pattern, depth: it.max_depth, with_folders: false })
        })
        .tagged(&[FILES, SEARCH, "recursive"]),
        Tool::new("find_project_root", move |it: FindProjectRoot| {
            let folder = marked.marked_folder(&marked.folder(&it.start_path)?);
            Ok::<_, String>(if folder == Path::new("") {
                ".".to_owned()
            } else {
                folder.to_string_lossy().into_owned()
            })
        })
        .tagged(&[FILES, SEARCH]),
    ]
}

/// The tool that ends a run.
pub(super) fn terminate() -> Tool {
    Tool::new("terminate", |it: Terminate| Ok::<_, String>(it.message)).tagged(&[SYSTEM]).terminal()
}

fn read(project: &Project, it: &ReadProjectFile) -> Result<String, String> {
    let path = project.relative(&it.name)?;
    let refused = |why: &str| {
        let path = path.display();
        format!("{} is not shown: {why}; the user can allow it with --allow-file {path}", it.name)
    };
    // Whether a file of secrets exists is not said either.
    if let Some(why) = project.refusal_by_name(&path) {
        return Err(refused(why));
    }
    let text = project.root.read_text(&path, MAX_FILE).map_err(|error| match error {
        FileError::NotText => format!("{} is no text", it.name),
        error => format!("{} cannot be read: {error}", it.name),
    })?;
    if let Some(why) = project.refusal_by_text(&path, &text) {
        return Err(refused(why));
    }
    let total = text.lines().count();
    if total > 0 && it.line > total {
        return Err(format!("{} has {total} lines, so none from line {} on", it.name, it.line));
    }
    let first = it.line.max(1);
    let lines: Vec<&str> = text.lines().skip(first - 1).take(it.lines.max(1)).collect();
    let last = first - 1 + lines.len();
    let mut part = lines.join("\n");
    if first > 1 || last < total {
        let _ = write!(part, "\n(lines {first} to {last} of {total})");
    }
    Ok(part)
}

/// Paths, a line each.
fn list(project: &Project, below: &Below<'_>) -> Result<String, String> {
    let (paths, total) = project.files(below, MAX_PATHS);
    if paths.is_empty() {
        return Err(
            "no file of the project matches; hidden folders, ignored files, and files of secrets, are left out"
                .to_owned(),
        );
    }
    let mut text = paths.join("\n");
    if total > paths.len() {
        let _ = write!(text, "\n(the first {} of {total}; take a folder or pattern that says more)", paths.len());
    }
    Ok(text)
}
