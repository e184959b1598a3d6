//! Opens a file in the user's editor.

use std::{io, path::Path, process::Command};

use anyhow::{Context as _, bail};

/// Opens a file at a line, counted from 1, in `editor`, and waits until the editor ends.
pub(super) fn open(editor: &str, path: &Path, line: u32) -> anyhow::Result<()> {
    let arguments = arguments(editor, path, line);
    let status = command(editor, &arguments).status().with_context(|| format!("`{editor}` cannot be started"))?;
    match status.code() {
        Some(0) => Ok(()),
        // The shell's exit codes for a program that does not exist or cannot be run.
        Some(126 | 127) => bail!("`{editor}` cannot be started; set $VISUAL or $EDITOR to another editor"),
        _ => bail!("`{editor}` ended with {status}"),
    }
}

/// The editor in `$VISUAL`, else in `$EDITOR`, as git chooses it.
pub(super) fn chosen() -> anyhow::Result<String> {
    ["VISUAL", "EDITOR"]
        .into_iter()
        .filter_map(|name| std::env::var(name).ok())
        .find(|editor| !editor.trim().is_empty())
        .ok_or_else(|| io::Error::other("set $VISUAL or $EDITOR to open definitions").into())
}

/// The command that starts the editor. `editor` may contain arguments, so the shell parses it.
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

/// The arguments that open a file at a line, in the syntax of `editor`.
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
    fn every_editor_gets_the_line_in_its_own_syntax() {
        let joined = |editor: &str| arguments(editor, Path::new("a b.py"), 7).join(" ");
        assert_eq!(joined("vim"), "+7 a b.py");
        assert_eq!(joined("/usr/bin/nano"), "+7 a b.py");
        assert_eq!(joined("emacsclient -t"), "+7 a b.py");
        assert_eq!(joined("code --wait"), "--goto a b.py:7");
        assert_eq!(joined("hx"), "a b.py:7");
        assert_eq!(joined("pycharm"), "--line 7 a b.py");
    }
}
