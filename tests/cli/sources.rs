//! `--config`: several sources that a file lists, linked together.

use std::{
    fs,
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use crate::program::{Outcome, Project, command, git, outcome, run_on};

const LIBRARY: &str = "def get(url, timeout=5): ...\n\n\ndef put(url): ...\n";
const CALLS: &str = "import kit\nkit.get('a', timeout=1)\nkit.get('b')\nkit.get('c')\n";

/// A library, and two applications that call it, with a file that lists them.
fn three(config: &str) -> Project {
    let project = Project::with("clones/lib-0a1b/src/kit/__init__.py", LIBRARY);
    for (path, text) in [("app/main.py", CALLS), ("other/main.py", "from kit import get\nget('d')\n")] {
        fs::create_dir_all(project.join(path).parent().unwrap()).unwrap();
        fs::write(project.join(path), text).unwrap();
    }
    fs::write(project.join("sources.yaml"), config).unwrap();
    project
}

const THREE: &str = "sources:\n  - url: clones/lib-0a1b\n    name: kit\n  - url: app\n  - url: other\n";

#[test]
fn a_call_in_one_source_counts_for_a_definition_of_another() {
    let project = three(THREE);
    let config = project.join("sources.yaml");
    let rows = run_on("calls --config", &config).success();
    let rows: Vec<serde_json::Value> = rows.lines().map(|row| serde_json::from_str(row).unwrap()).collect();
    let shown: Vec<(&str, &str, &str)> = rows
        .iter()
        .map(|row| {
            let text = |key: &str| row[key].as_str().unwrap();
            (text("path"), text("callee"), text("def_path"))
        })
        .collect();
    assert_eq!(shown[0], ("app/main.py", "kit.get", "kit/src/kit/__init__.py"));
    assert_eq!(shown[3], ("other/main.py", "kit.get", "kit/src/kit/__init__.py"));
    let stub = run_on("--export --symbol kit.get --config", &config).success();
    assert!(stub.contains("timeout: int = 5") || stub.contains("timeout=5"), "{stub}");
    // The applications both have a module `main`, which the first one defines.
    let said = run_on("index -o - -v --config", &config);
    assert!(said.stderr.contains("app defines main, too"), "{}", said.stderr);
}

#[test]
fn index_writes_the_file_that_the_list_names_and_weighs_each_source() {
    let keys = "output_path: out/stats.yaml\nmin_usage_threshold: 0\n";
    let project = three(&format!("{THREE}    weight: 3\n{keys}"));
    fs::create_dir(project.join("out")).unwrap();
    assert_eq!(run_on("index --config", &project.join("sources.yaml")).success(), "");
    let yaml = fs::read_to_string(project.join("out/stats.yaml")).unwrap();
    let document: serde_json::Value = serde_yaml::from_str(&yaml).unwrap();
    // Three calls of the first application, and one of the other, which counts three times.
    assert_eq!(document["kit.get"]["total_calls"], 6);
    assert_eq!(document["kit.get"]["args"]["timeout"]["count"], 1);
    assert_eq!(document["kit.put"]["total_calls"], 0);
    let sources = document["$meta"]["sources"].as_array().unwrap();
    let names: Vec<&str> = sources.iter().map(|source| source["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["kit", "app", "other"]);
    assert!(sources[0]["url"].as_str().unwrap().ends_with("clones/lib-0a1b"));
    // What is read back gives the same stub.
    let direct = run_on("--export --symbol kit.get --config", &project.join("sources.yaml")).success();
    assert_eq!(run_on("--export --symbol kit.get --index", &project.join("out/stats.yaml")).success(), direct);
    // A file that was written without a source counts the source again, and keeps the weights of the others.
    fs::write(
        project.join("none.yaml"),
        format!("{THREE}    weight: 0\noutput_path: none.out.yaml\nmin_usage_threshold: 0\n"),
    )
    .unwrap();
    run_on("index --config", &project.join("none.yaml")).success();
    let read_back = |weights: &[&str]| {
        let words = ["--export", "--format", "json", "--symbol", "kit.get"].into_iter().chain(weights.iter().copied());
        let file = project.join("none.out.yaml");
        let stub = outcome(command(words).arg("--index").arg(file)).success();
        serde_json::from_str::<serde_json::Value>(&stub).unwrap()["symbols"][0]["total_calls"].clone()
    };
    assert_eq!(read_back(&[]), 3);
    assert_eq!(read_back(&["--weights", "source:other=1"]), 4);
    assert_eq!(read_back(&["--weights", "source:app=2"]), 6);
    // A weight on the command line comes before that of the file.
    let weighed = |weights: &str| {
        let words = ["--export", "--format", "json", "--symbol", "kit.get", "--weights", weights, "--config"];
        let stub = outcome(command(words).arg(project.join("sources.yaml"))).success();
        serde_json::from_str::<serde_json::Value>(&stub).unwrap()["symbols"][0]["total_calls"].clone()
    };
    assert_eq!([weighed("source:app=0"), weighed("source:other=1"), weighed("source:other=0,source:app=2")], [3, 4, 6]);
}

#[test]
fn included_and_excluded_paths_are_relative_to_their_source() {
    let project = three(THREE);
    for path in ["app/examples/a.py", "app/examples/gen/b.py", "app/tests/c.py"] {
        fs::create_dir_all(project.join(path).parent().unwrap()).unwrap();
        fs::write(project.join(path), CALLS).unwrap();
    }
    let list = "    include_paths: [examples, '*.py']\n    exclude_paths: [examples/gen]\n";
    let config = project.join("sources.yaml");
    fs::write(&config, THREE.replace("  - url: other\n", "").replace("url: app\n", &format!("url: app\n{list}")))
        .unwrap();
    let rows = run_on("calls --config", &config).success();
    let count = |path: &str| rows.matches(&format!("\"path\":\"{path}\"")).count();
    let paths = ["app/main.py", "app/examples/a.py", "app/examples/gen/b.py", "app/tests/c.py"];
    assert_eq!(paths.map(count), [3, 3, 0, 0], "{rows}");
}

#[test]
fn a_source_that_is_missing_does_not_stop_the_others() {
    let project = three(&THREE.replace("url: other", "url: gone"));
    let outcome = run_on("calls --config", &project.join("sources.yaml"));
    assert_eq!((outcome.code, outcome.stdout.lines().count()), (Some(1), 3), "{outcome:?}");
    let last = outcome.stderr.lines().last().unwrap();
    assert!(last.contains("1 of 3 sources left out: gone: ") && last.contains("does not exist"), "{last}");
    // An only source that is missing is a failure like that of a folder.
    fs::write(project.join("sources.yaml"), "sources: [{url: gone}]").unwrap();
    assert!(run_on("calls --config", &project.join("sources.yaml")).failure().contains("does not exist"));
}

#[test]
fn a_mistake_in_the_list_is_one_line_that_says_where_it_is() {
    let project = three(THREE);
    let config = project.join("sources.yaml");
    for (text, said) in [
        ("", "sources"),
        ("sources: []\n", "there are no sources"),
        ("sources:\n  - url: app\n  - path: other\n", "line 3: "),
        ("sources:\n  - {url: app, weight: 11}\n", "11 is too much"),
        ("sources:\n  - {url: app, name: a/b}\n", "is no name for a source"),
        ("sources:\n  - {url: app, name: x}\n  - {url: other, name: x}\n", "two sources are called `x`"),
        ("sources:\n  - {url: app, include_paths: [../other]}\n", "leads out of the source"),
        ("sources:\n  - url: '--upload-pack=touch x'\n", "begins with a dash"),
        ("sources:\n  - url: 'ext::sh -c touch% x'\n", "the protocol `ext` is not used"),
        ("sources:\n  - url: http://example.org/a/b\n", "the protocol `http` is not used"),
        ("sources:\n  - {url: app, branch: '-x'}\n", "is no branch"),
        ("sources: [{url: app}]\nsource: 1\n", "source"),
    ] {
        fs::write(&config, text).unwrap();
        let line = run_on("calls --config", &config).failure();
        assert!(line.contains(said) && line.contains("sources.yaml"), "{text:?}: {line}");
    }
    assert!(run_on("calls --config", &project.join("none.yaml")).failure().contains("none.yaml"));
}

/// A project whose library is a git repository on the branch `trunk`, with a tag `v1` of an older version.
fn with_repository() -> Project {
    let project = three(THREE);
    let library = project.join("clones/lib-0a1b");
    git(&library, &["init", "-q", "-b", "trunk"]);
    for (text, tag) in [("def get(url): ...\n", "v1"), (LIBRARY, "v2")] {
        fs::write(library.join("src/kit/__init__.py"), text).unwrap();
        git(&library, &["add", "."]);
        git(&library, &["commit", "-qm", tag]);
        git(&library, &["tag", tag]);
    }
    project
}

/// `calls --config` with a list whose library has this URL and these further keys, and a cache of its own.
fn calls_command(project: &Project, library: &str, more: &[&str]) -> Command {
    let config = project.join("sources.yaml");
    fs::write(&config, THREE.replace("url: clones/lib-0a1b", &format!("url: {library}"))).unwrap();
    let words = [&["calls", "--config"][..], &[config.to_str().unwrap()], more].concat();
    let mut command = command(words);
    command.env("HOME", project.path()).env("XDG_CACHE_HOME", project.join("cache")).current_dir(project.path());
    command
}

fn calls(project: &Project, library: &str, more: &[&str]) -> Outcome {
    outcome(&mut calls_command(project, library, more))
}

#[test]
fn a_kill_at_any_moment_leaves_no_part_of_a_clone_that_is_used() {
    let project = with_repository();
    let url = format!("file://{}", project.join("clones/lib-0a1b").display());
    let rows = calls(&project, "clones/lib-0a1b\n    branch: trunk", &[]).success();
    for moment in 0..20 {
        // Three processes begin with a cold cache, and all are killed.
        let _ = fs::remove_dir_all(project.join("cache"));
        let mut killed: Vec<_> = (0..3)
            .map(|_| {
                let mut command = calls_command(&project, &url, &[]);
                command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
            })
            .collect();
        thread::sleep(Duration::from_millis(moment * 5));
        for child in &mut killed {
            child.kill().unwrap();
            child.wait().unwrap();
        }
        assert_eq!(calls(&project, &url, &[]).success(), rows);
    }
}

#[test]
fn a_git_url_is_cloned_into_the_cache_and_read_from_its_objects() {
    let project = with_repository();
    let url = format!("file://{}", project.join("clones/lib-0a1b").display());
    assert!(calls(&project, &url, &["--offline"]).stderr.contains("run once without --offline"));
    let rows = calls(&project, &url, &[]).success();
    assert_eq!(rows.matches("\"callee\":\"kit.get\"").count(), 4, "{rows}");
    assert!(rows.contains("\"def_path\":\"kit/src/kit/__init__.py\""), "{rows}");
    assert_eq!(calls(&project, &url, &["--offline"]).success(), rows);
    // A tag of a remote repository, and a branch of a folder.
    let tagged = calls(&project, &format!("{url}\n    branch: v1"), &[]).success();
    assert!(tagged.contains("{\"param\":null,\"kind\":\"keyword\"") || !tagged.contains("\"timeout\""), "{tagged}");
    assert_eq!(calls(&project, "clones/lib-0a1b\n    branch: trunk", &[]).success(), rows);
    // A branch that is gone stops the others as little as a URL that leads nowhere.
    for (library, said) in
        [(format!("{url}\n    branch: gone"), "no branch or tag `gone`"), ("file:///no/where".to_owned(), "git says")]
    {
        let outcome = calls(&project, &library, &["--refresh"]);
        let last = outcome.stderr.lines().last().unwrap();
        assert!(
            outcome.code == Some(1) && last.contains("1 of 3 sources left out") && last.contains(said),
            "{outcome:?}"
        );
        assert_eq!(outcome.stdout.lines().count(), 4, "{outcome:?}");
    }
}

#[test]
fn a_revision_is_read_from_the_objects_of_a_repository() {
    let project = with_repository();
    let library = project.join("clones/lib-0a1b");
    let exported = |rev: &str| {
        let words = ["--export", "--symbol", "get", "--strategy", "exhaustive", "--rev", rev];
        outcome(command(words).arg(&library))
    };
    assert!(!exported("v1").success().contains("timeout"));
    let newest = exported("trunk").success();
    assert!(newest.contains("timeout"));
    // What lies in the folder does not matter.
    fs::remove_dir_all(library.join("src")).unwrap();
    assert_eq!(exported("trunk").success(), newest);
    assert!(exported("gone").failure().contains("no branch, tag or commit `gone`"));
    assert!(exported("HEAD~1").failure().contains("is no branch, tag or commit"));
    fs::write(library.join(".git/config"), "[include]\n\tpath = /etc/passwd\n").unwrap();
    assert!(exported("trunk").failure().contains("make a plain clone"));
    fs::remove_dir_all(library.join(".git")).unwrap();
    assert!(exported("trunk").failure().contains("no git repository"));
}

/// A program called `git` that notes its arguments and what git's own credential helpers answer for a host, and fails.
#[cfg(unix)]
fn git_that_notes(project: &Project) -> std::ffi::OsString {
    use std::os::unix::fs::PermissionsExt as _;
    let bin = project.join("bin");
    fs::create_dir_all(&bin).unwrap();
    let path = std::env::var("PATH").unwrap();
    let script = format!(
        "#!/bin/sh\necho \"$@\" >> {0}/arguments\ncase \" $* \" in *ls-remote*) for host in example.org other.example; do\n\
         echo \"$host:\"; printf 'protocol=https\\nhost=%s\\n\\n' $host | PATH='{path}' git credential fill 2>&1\ndone >> {0}/answers\n\
         echo 'fatal: unable to look up u and t0ken and u:w0rd' >&2; exit 1;; esac\nexit 1\n",
        project.path().display()
    );
    fs::write(bin.join("git"), script).unwrap();
    fs::set_permissions(bin.join("git"), fs::Permissions::from_mode(0o755)).unwrap();
    let mut found = bin.into_os_string();
    found.push(format!(":{path}"));
    found
}

#[cfg(unix)]
#[test]
fn secrets_of_a_url_reach_git_and_not_the_list_of_processes() {
    for (url, answered, said) in [
        ("https://u:w0rd@example.org/a/kit", "username=u\npassword=w0rd\n", "unable to look up u and t0ken and ***"),
        ("https://t0ken@example.org/a/kit", "username=t0ken\npassword=\n", "unable to look up u and *** and u:w0rd"),
        ("https://u:w0rd%40x@example.org/a/kit", "username=u\npassword=w0rd@x\n", "u and t0ken and u:w0rd"),
    ] {
        let project = three(THREE);
        let mut command = calls_command(&project, url, &[]);
        command.env("PATH", git_that_notes(&project)).env("GIT_CONFIG_NOSYSTEM", "1");
        let outcome = outcome(&mut command);
        assert!(outcome.stderr.contains(said), "{outcome:?}");
        let noted = |name: &str| fs::read_to_string(project.join(name)).unwrap();
        let (arguments, answers) = (noted("arguments"), noted("answers"));
        assert!(arguments.contains("https://example.org/a/kit"), "{arguments}");
        assert!(!arguments.contains("w0rd") && !arguments.contains("t0ken"), "{arguments}");
        let (here, elsewhere) = answers.split_once("other.example:").unwrap();
        assert!(here.contains(answered), "{answers}");
        assert!(!elsewhere.contains("w0rd") && !elsewhere.contains("t0ken"), "{answers}");
    }
}

#[cfg(unix)]
#[test]
fn a_query_is_refused_and_a_password_of_ssh_is_left_out_with_a_word() {
    let project = three(THREE);
    let run = |url: &str| {
        let mut command = calls_command(&project, url, &[]);
        outcome(command.env("PATH", git_that_notes(&project)))
    };
    let refused = run("https://example.org/a/kit?access_token=t0ken");
    assert!(
        refused.stderr.contains("its URL has a query") && refused.stderr.contains("https://TOKEN@HOST/PATH"),
        "{refused:?}"
    );
    assert!(!project.join("arguments").exists() && !refused.stderr.contains("t0ken"), "{refused:?}");
    let ssh = run("ssh://git:w0rd@example.org:2222/a/kit");
    assert!(ssh.stderr.contains("the password in its URL is not used") && !ssh.stderr.contains("w0rd@"), "{ssh:?}");
    let arguments = fs::read_to_string(project.join("arguments")).unwrap();
    assert!(arguments.contains(" ssh://git@example.org:2222/a/kit ") && !arguments.contains("w0rd"), "{arguments}");
    let short = run("git:w0rd@example.org:a/kit");
    assert!(short.stderr.contains("a URL of ssh holds no password; write git@example.org:a/kit"), "{short:?}");
    assert!(!short.stderr.contains("w0rd"), "{short:?}");
}
