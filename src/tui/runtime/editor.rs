//! Opening a definition in the person's own editor.

use std::{
    io,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context as _, bail};

use crate::{
    engine::{
        index::{DefinitionId, Index},
        source::Source,
    },
    tui::Content,
};

/// Where files of the index are to be found on this machine.
pub(super) enum Files {
    /// Below a folder.
    Folder(PathBuf),
    /// In memory; a file is put into a temporary folder when it is opened.
    Memory(Vec<(String, std::borrow::Cow<'static, [u8]>)>, Option<tempfile::TempDir>),
    /// Below the folder that the index names, where that is on this machine.
    Recorded,
}

impl Files {
    pub(super) fn of(content: &Content) -> Self {
        match content {
            Content::Source(Source::Folder(folder)) => Self::Folder(folder.clone()),
            Content::Source(Source::Memory { files, .. }) => Self::Memory(files.clone(), None),
            Content::Index(_) => Self::Recorded,
        }
    }

    /// The path of a definition's file, and the line.
    pub(super) fn place(&mut self, index: &Index, id: DefinitionId) -> anyhow::Result<(PathBuf, u32)> {
        let definition = index.definition(id);
        let place = definition.place;
        let Some(file) = index.files.get(place.file.index()) else {
            bail!("the index does not say where {} stands", definition.fqn);
        };
        let path = match self {
            Self::Folder(folder) if folder.is_file() => folder.clone(),
            Self::Folder(folder) => folder.join(file.path.as_str()),
            Self::Recorded => match index.sources.first() {
                Some(source) => Path::new(&source.url).join(file.path.as_str()),
                None => bail!("the index does not say where {} is", file.path),
            },
            Self::Memory(files, folder) => {
                let Some((_, content)) = files.iter().find(|(path, _)| *path == file.path) else {
                    bail!("{} is not there", file.path);
                };
                let folder = match folder {
                    Some(folder) => folder,
                    None => folder.insert(tempfile::Builder::new().prefix("apidisc-").tempdir()?),
                };
                let path = folder.path().join(file.path.as_str());
                if let Some(parent) = path.parent() {
                    std::fs::create_dir_all(parent)?;
                }
                std::fs::write(&path, content)?;
                path
            }
        };
        if !path.exists() {
            bail!("{} is not there", path.display());
        }
        Ok((path, place.line))
    }
}

/// Runs `$VISUAL` or `$EDITOR` and waits for it.
pub(super) fn open(editor: &str, path: &Path, line: u32) -> anyhow::Result<()> {
    let arguments = arguments(editor, path, line);
    let status = command(editor, &arguments).status().with_context(|| format!("`{editor}` cannot be started"))?;
    if !status.success() {
        bail!("`{editor}` ended with {status}");
    }
    Ok(())
}

/// The person's choice, as git reads it.
pub(super) fn chosen() -> anyhow::Result<String> {
    ["VISUAL", "EDITOR"]
        .into_iter()
        .filter_map(|name| std::env::var(name).ok())
        .find(|editor| !editor.trim().is_empty())
        .ok_or_else(|| io::Error::other("set $VISUAL or $EDITOR to open definitions").into())
}

/// The editor may have arguments of its own: the shell takes it apart.
#[cfg(unix)]
fn command(editor: &str, arguments: &[String]) -> Command {
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!("{editor} \"$@\"")).arg(editor).args(arguments);
    command
}

#[cfg(not(unix))]
fn command(editor: &str, arguments: &[String]) -> Command {
    let mut words = editor.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words).args(arguments);
    command
}

/// How that editor is told a line.
fn arguments(editor: &str, path: &Path, line: u32) -> Vec<String> {
    let program = editor.split_whitespace().next().unwrap_or_default();
    let name = Path::new(program).file_stem().and_then(|name| name.to_str()).unwrap_or_default();
    let path = path.display().to_string();
    match name {
        "code" | "code-insiders" | "codium" | "vscodium" | "cursor" | "windsurf" => {
            vec!["--goto".to_owned(), format!("{path}:{line}")]
        }
        "hx" | "helix" | "subl" | "sublime_text" | "zed" | "zeditor" | "lapce" => vec![format!("{path}:{line}")],
        "idea" | "pycharm" | "webstorm" | "rustrover" | "kate" | "mate" => {
            vec!["--line".to_owned(), line.to_string(), path]
        }
        _ => vec![format!("+{line}"), path],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_editor_is_told_the_line_in_its_own_way() {
        let told = |editor: &str| arguments(editor, Path::new("a b.py"), 7).join(" ");
        assert_eq!(told("vim"), "+7 a b.py");
        assert_eq!(told("/usr/bin/nano"), "+7 a b.py");
        assert_eq!(told("emacsclient -t"), "+7 a b.py");
        assert_eq!(told("code --wait"), "--goto a b.py:7");
        assert_eq!(told("hx"), "a b.py:7");
        assert_eq!(told("pycharm"), "--line 7 a b.py");
    }
}
