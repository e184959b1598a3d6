//! `setup` adds the server to the files of a client, and takes it back.

use std::{fs, path::Path, process::Command};

use serde_json::{Value, json};

use crate::program::{Outcome, Project, command, outcome};

const CLIENTS: [&str; 6] = ["claude", "cursor", "vscode", "codex", "gemini", "zed"];

/// Runs `setup` with the words of a line, in the folder `project` of a home folder.
fn setup(home: &Project, line: &str) -> Outcome {
    outcome(&mut setup_command(home, line))
}

fn setup_command(home: &Project, line: &str) -> Command {
    let project = home.join("project");
    fs::create_dir_all(&project).unwrap();
    let mut command = command(["setup"].into_iter().chain(line.split_whitespace()));
    command.current_dir(project).env("HOME", home.path());
    for name in ["XDG_CONFIG_HOME", "CODEX_HOME", "CLAUDE_CONFIG_DIR"] {
        command.env_remove(name);
    }
    command
}

/// The paths of all files below a folder, with their contents.
fn files(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().display().to_string();
                found.push((name, fs::read_to_string(path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

fn names(folder: &Path) -> Vec<String> {
    files(folder).into_iter().map(|(name, _)| name).collect()
}

fn read(home: &Project, path: &str) -> String {
    fs::read_to_string(home.join(path)).unwrap()
}

#[test]
fn nothing_is_written_unless_it_is_asked_for() {
    let home = Project::empty();
    let shown = setup(&home, "claude");
    assert!(shown.stderr.ends_with("nothing is written; add --write to make these changes\n"), "{}", shown.stderr);
    let text = shown.success();
    assert!(
        text.contains("/.claude.json\n") && text.contains("/SKILL.md\n") && text.contains("+      \"args\": ["),
        "{text}"
    );
    // Nobody can be asked here.
    let asked = setup(&home, "claude --write");
    assert_eq!(asked.code, Some(1));
    assert!(asked.stderr.contains("add --yes"), "{}", asked.stderr);
    assert_eq!(files(home.path()), []);
}

#[test]
fn every_client_gets_its_own_form_for_the_user_and_for_a_project() {
    for (client, user, project) in [
        (
            "claude",
            [".claude.json", ".claude/skills/apidisc/SKILL.md"],
            [".claude/skills/apidisc/SKILL.md", ".mcp.json"],
        ),
        (
            "cursor",
            [".cursor/mcp.json", ".cursor/skills/apidisc/SKILL.md"],
            [".cursor/mcp.json", ".cursor/skills/apidisc/SKILL.md"],
        ),
        (
            "gemini",
            [".gemini/settings.json", ".gemini/skills/apidisc/SKILL.md"],
            [".gemini/settings.json", ".gemini/skills/apidisc/SKILL.md"],
        ),
        (
            "codex",
            [".agents/skills/apidisc/SKILL.md", ".codex/config.toml"],
            [".agents/skills/apidisc/SKILL.md", ".codex/config.toml"],
        ),
    ] {
        let home = Project::empty();
        setup(&home, &format!("{client} --write --yes")).success();
        assert_eq!(names(home.path()), user, "{client}");
        let home = Project::empty();
        setup(&home, &format!("{client} --write --yes --project")).success();
        assert_eq!(names(&home.join("project")), project, "{client}");
    }
    // The folders of settings differ from platform to platform.
    for (client, file, servers) in
        [("vscode", ".vscode/mcp.json", "servers"), ("zed", ".zed/settings.json", "context_servers")]
    {
        let home = Project::empty();
        setup(&home, &format!("{client} --write --yes --project")).success();
        let text: Value = serde_json::from_str(&read(&home, &format!("project/{file}"))).unwrap();
        assert_eq!(text[servers]["apidisc"]["args"][0], "serve", "{client}");
        setup(&home, &format!("{client} --write --yes")).success();
        assert!(names(home.path()).len() > 2, "{client}");
    }
}

#[test]
fn what_was_there_stays_to_the_byte_and_comes_back_to_the_byte() {
    let others = "{\r\n\t// mine\r\n\t\"mcpServers\" : {\"o\":{\"command\":\"o\"},},\r\n\t\"b\": [1,2]\r\n}";
    let toml = "model = \"m\" # mine\n\n[mcp_servers.o]\ncommand = \"o\"";
    let home = Project::with(".claude.json", others).and(".codex/config.toml", toml).and(".gemini/settings.json", "{}");
    let before = files(home.path());
    for client in ["claude", "codex", "gemini"] {
        setup(&home, &format!("{client} --write --yes")).success();
    }
    assert!(read(&home, ".claude.json").contains("\t// mine\r\n\t\"mcpServers\" : {"));
    assert!(read(&home, ".codex/config.toml").starts_with(toml));
    assert_eq!(read(&home, ".claude.json.before-apidisc"), others, "a copy stands beside it");
    let added = files(home.path());
    for client in ["claude", "codex", "gemini"] {
        let again = setup(&home, &format!("{client} --write --yes"));
        assert!(again.stderr.ends_with("everything is set up\n"), "{}", again.stderr);
        assert_eq!(again.success(), "");
    }
    assert_eq!(files(home.path()), added, "a second time changes nothing");
    for client in ["claude", "codex", "gemini"] {
        setup(&home, &format!("{client} --remove --yes")).success();
    }
    assert_eq!(files(home.path()), before);
    let again = setup(&home, "claude --remove --yes");
    assert!(again.stderr.ends_with("nothing is set up\n"), "{}", again.stderr);
}

#[test]
fn what_was_changed_since_stays_when_the_server_is_taken_back() {
    let home = Project::with(".gemini/settings.json", "{\n  \"theme\": \"a\"\n}\n");
    setup(&home, "gemini --write --yes").success();
    let text = read(&home, ".gemini/settings.json").replace("\"theme\": \"a\"", "\"theme\": \"b\"");
    let skill = read(&home, ".gemini/skills/apidisc/SKILL.md") + "My own rule.\n";
    let home = home.and(".gemini/settings.json", &text).and(".gemini/skills/apidisc/SKILL.md", &skill);
    let outcome = setup(&home, "gemini --remove --yes");
    assert!(outcome.stderr.contains("SKILL.md was changed by somebody, and stays"), "{}", outcome.stderr);
    outcome.success();
    assert_eq!(read(&home, ".gemini/settings.json"), "{\n  \"theme\": \"b\"\n}\n");
    assert_eq!(read(&home, ".gemini/skills/apidisc/SKILL.md"), skill);
}

#[test]
fn everything_that_all_clients_got_is_gone_afterwards() {
    let home = Project::empty();
    for options in ["--yes", "--yes --project"] {
        for client in CLIENTS {
            setup(&home, &format!("{client} --write {options}")).success();
        }
        for client in CLIENTS {
            setup(&home, &format!("{client} --remove {options}")).success();
        }
        assert_eq!(names(home.path()), Vec::<String>::new(), "{options}");
    }
}

#[test]
fn a_file_that_is_not_understood_is_left_as_it_is() {
    for (client, path, text) in [
        ("claude", ".claude.json", "{\"mcpServers\": "),
        ("claude", ".claude.json", "[]"),
        ("cursor", ".cursor/mcp.json", "{\"mcpServers\": []}"),
        ("codex", ".codex/config.toml", "a = \n"),
        ("codex", ".codex/config.toml", "mcp_servers = {}\n"),
        ("gemini", ".gemini/settings.json", "{\"mcpServers\": {\"apidisc\": {\"command\": \"another\"}}}"),
    ] {
        let home = Project::with(path, text);
        for action in ["--write", "--remove"] {
            if action == "--remove" && !text.contains("another") && !text.ends_with(": ") {
                continue;
            }
            let message = setup(&home, &format!("{client} {action} --yes")).failure();
            assert!(message.contains(path) && message.contains(';'), "{message}");
            assert_eq!(files(home.path()), [(path.to_owned(), text.to_owned())]);
        }
    }
}

#[test]
fn the_server_reads_the_folder_that_is_named() {
    let home = Project::with("project/code/a.py", "");
    setup(&home, "claude code --write --yes").success();
    let text: Value = serde_json::from_str(&read(&home, ".claude.json")).unwrap();
    let folder = home.join("project/code").canonicalize().unwrap();
    assert_eq!(text["mcpServers"]["apidisc"]["args"], json!(["serve", folder]));
    assert!(setup(&home, "claude nowhere --write --yes").failure().contains("nowhere"));
}

#[cfg(unix)]
#[test]
fn links_do_not_lead_out_and_modes_stay() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let outside = Project::with("target.json", "{}");
    // A project is of anybody: no part of the path may be a link.
    let home = Project::empty();
    fs::create_dir_all(home.join("project")).unwrap();
    symlink(outside.path(), home.join("project/.cursor")).unwrap();
    let message = setup(&home, "cursor --project --write --yes").failure();
    assert!(message.contains("link"), "{message}");
    // The user's own file may be a link within the home folder, and not out of it.
    symlink(outside.join("target.json"), home.join(".claude.json")).unwrap();
    let message = setup(&home, "claude --write --yes").failure();
    assert!(message.contains("out of the home folder"), "{message}");
    assert_eq!(files(outside.path()), [("target.json".to_owned(), "{}".to_owned())]);
    let home = Project::with("dotfiles/claude.json", "{}");
    fs::set_permissions(home.join("dotfiles/claude.json"), fs::Permissions::from_mode(0o600)).unwrap();
    symlink(home.join("dotfiles/claude.json"), home.join(".claude.json")).unwrap();
    setup(&home, "claude --write --yes").success();
    assert!(home.join(".claude.json").is_symlink());
    assert!(read(&home, "dotfiles/claude.json").contains("apidisc"));
    for file in ["dotfiles/claude.json", ".claude.json.before-apidisc"] {
        assert_eq!(fs::metadata(home.join(file)).unwrap().permissions().mode() & 0o777, 0o600, "{file}");
    }
}
