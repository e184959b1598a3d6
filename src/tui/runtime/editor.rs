//! Opens a file in the user's editor.

use std::{
    ffi::OsString,
    io,
    path::{Component, Path},
    process::Command,
};

use anyhow::{Context as _, bail};

/// Opens a file at a line, counted from 1, in `editor`, and waits until the editor ends. `path` is absolute.
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
fn command(editor: &str, arguments: &[OsString]) -> Command {
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!("{editor} \"$@\"")).arg(editor).args(arguments);
    command
}

#[cfg(not(unix))]
fn command(editor: &str, arguments: &[OsString]) -> Command {
    let mut words = editor.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words).args(arguments);
    command
}

/// The arguments that open a file at a line, in the syntax of `editor`. `path` is absolute, so that it begins with a
/// character that no editor takes for an option, a command or an address.
fn arguments(editor: &str, path: &Path, line: u32) -> Vec<OsString> {
    let program = editor.split_whitespace().next().unwrap_or_default();
    let name = Path::new(program).file_stem().and_then(|name| name.to_str()).unwrap_or_default();
    // After a path with a colon, these editors would take a part of the path for the line.
    let has_colon = path.components().any(|part| part.as_os_str().to_string_lossy().contains(':') && is_name(&part));
    let path = path.as_os_str().to_owned();
    let with_line = || {
        let mut with_line = path.clone();
        with_line.push(format!(":{line}"));
        with_line
    };
    match name {
        "code" | "code-insiders" | "codium" | "vscodium" | "cursor" | "windsurf" => {
            if has_colon {
                vec![path]
            } else {
                vec!["--goto".into(), with_line()]
            }
        }
        "hx" | "helix" | "subl" | "sublime_text" | "zed" | "zeditor" | "lapce" => {
            vec![if has_colon { path } else { with_line() }]
        }
        "idea" | "pycharm" | "webstorm" | "rustrover" | "kate" | "mate" => {
            vec!["--line".into(), line.to_string().into(), path]
        }
        // The editors that are known to end their options at `--`.
        "vi" | "vim" | "nvim" | "gvim" | "mvim" | "view" | "nano" => vec![format!("+{line}").into(), "--".into(), path],
        _ => vec![format!("+{line}").into(), path],
    }
}

/// True for a part of a path that is the name of a file or folder, and not the prefix of a drive.
fn is_name(part: &Component<'_>) -> bool {
    matches!(part, Component::Normal(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    const EDITORS: [&str; 24] = [
        "code",
        "code-insiders",
        "codium",
        "vscodium",
        "cursor",
        "windsurf",
        "hx",
        "helix",
        "subl",
        "sublime_text",
        "zed",
        "zeditor",
        "lapce",
        "idea",
        "pycharm",
        "kate",
        "vi",
        "vim",
        "nvim",
        "gvim",
        "view",
        "nano",
        "emacs",
        "unknown",
    ];

    fn strings(editor: &str, path: &str) -> Vec<String> {
        arguments(editor, Path::new(path), 7).into_iter().map(|word| word.into_string().expect("a text")).collect()
    }

    #[test]
    fn every_editor_gets_the_line_in_its_own_syntax() {
        let joined = |editor: &str| strings(editor, "/a b.py").join(" ");
        assert_eq!(joined("vim"), "+7 -- /a b.py");
        assert_eq!(joined("/usr/bin/nano"), "+7 -- /a b.py");
        assert_eq!(joined("emacsclient -t"), "+7 /a b.py");
        assert_eq!(joined("code --wait"), "--goto /a b.py:7");
        assert_eq!(joined("hx"), "/a b.py:7");
        assert_eq!(joined("pycharm"), "--line 7 /a b.py");
    }

    #[test]
    fn no_editor_takes_a_name_for_an_option_a_command_or_a_line() {
        let options = ["--goto", "--line", "7", "+7", "--"];
        for name in ["-c:!x", "+!x", "--cmd=!x", "-", "a\n+!x", "a.py:12", "a.py:12:3", "$(x)", "`x`", "scp:x"] {
            let path = format!("/root/{name}");
            for editor in EDITORS {
                let words = strings(editor, &path);
                let (last, before) = words.split_last().expect("a path");
                assert!(before.iter().all(|word| options.contains(&word.as_str())), "{editor}: {words:?}");
                let is_with_line = !name.contains(':') && *last == format!("{path}:7");
                assert!(*last == path || is_with_line, "{editor}: {words:?}");
            }
        }
    }
}
