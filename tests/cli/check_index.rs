//! `check-index`: whether an index is stale.

use std::{fs, time::Duration};

use serde_json::{Value, json};

use crate::{
    cache::{cached, run_cached},
    program::{Project, outcome, run},
};

fn project() -> Project {
    let project = Project::with("pkg/__init__.py", "").and("pkg/one.py", "def f(a, b=1): ...\nf(1)\nf(1, b=2)\n");
    project.and("pkg/two.py", "from pkg.one import f\nf(1)\n").and("pkg/notes.txt", "1")
}

/// Runs the command, asks for JSON, and takes the age out of the answer, which nobody can foresee.
fn checked(line: &str, home: &Project) -> Value {
    let text = run_cached(&format!("check-index --format json {line}"), home.path()).success();
    let mut answer: Value = serde_json::from_str(&text).unwrap();
    answer.as_object_mut().unwrap().remove("age_seconds").unwrap();
    answer
}

/// An answer without the age.
fn answer(is_stale: bool, [modified, added, removed]: [&[&str]; 3], refreshed: bool) -> Value {
    json!({
        "is_stale": is_stale, "modified_files": modified, "added_files": added, "removed_files": removed,
        "refreshed": refreshed,
    })
}

fn change(project: &Project) {
    fs::write(project.join("pkg/one.py"), "def f(a, b=1, c=2): ...\nf(1, c=3)\nf(1)\n").unwrap();
    fs::write(project.join("README.md"), "# Three\n").unwrap();
    fs::write(project.join("pkg/notes.txt"), "2").unwrap();
    fs::remove_file(project.join("pkg/two.py")).unwrap();
}

const CHANGES: [&[&str]; 3] = [&["pkg/one.py"], &["README.md"], &["pkg/two.py"]];
const NONE: [&[&str]; 3] = [&[]; 3];

#[test]
fn the_kept_index_of_a_folder_is_checked_by_content() {
    let (home, project) = (Project::empty(), project());
    let path = project.path().display();
    let all: [&[&str]; 3] = [&[], &["pkg/__init__.py", "pkg/one.py", "pkg/two.py"], &[]];
    assert_eq!(checked(&format!("{path}"), &home), answer(true, all, false));
    run_cached(&format!("--export {path}"), home.path()).success();
    assert_eq!(checked(&format!("{path}"), &home), answer(false, NONE, false));
    change(&project);
    assert_eq!(checked(&format!("{path}"), &home), answer(true, CHANGES, false));
    assert_eq!(checked(&format!("{path} --auto-refresh"), &home), answer(true, CHANGES, true));
    assert_eq!(checked(&format!("{path} --auto-refresh"), &home), answer(false, NONE, false));
    let text = run_cached(&format!("check-index {path}"), home.path()).success();
    assert!(text.starts_with("fresh: 0 files modified, 0 added, 0 removed; the index is "), "{text}");
}

#[test]
fn an_index_file_knows_what_it_was_made_from() {
    let (home, project) = (Project::empty(), project());
    let file = home.join("api_metadata.yaml");
    let path = project.path().display();
    run(&format!("index {path} --min-usage-threshold 1 -o {}", file.display())).success();
    let check = |options: &str| checked(&format!("{} {options}", file.display()), &home);
    assert_eq!(check(""), answer(false, NONE, false));
    // Copying a file again changes no content.
    fs::write(project.join("pkg/one.py"), fs::read(project.join("pkg/one.py")).unwrap()).unwrap();
    assert_eq!(check(""), answer(false, NONE, false));
    change(&project);
    assert_eq!(check(""), answer(true, CHANGES, false));
    assert_eq!(check("--auto-refresh"), answer(true, CHANGES, true));
    assert_eq!(check(""), answer(false, NONE, false));
    let expected = run(&format!("index {path} --min-usage-threshold 1")).success();
    assert_eq!(fs::read_to_string(&file).unwrap(), expected);
}

#[test]
fn the_index_of_several_sources_is_checked_by_their_list() {
    let (home, project) = (Project::empty(), project());
    let list =
        format!("sources:\n  - {{url: {0}, name: lib}}\n  - {{url: {0}/pkg, name: app}}\n", project.path().display());
    let home = home.and("sources.yaml", list);
    let (config, file) = (home.join("sources.yaml"), home.join("api_metadata.yaml"));
    run_cached(&format!("index --config {}", config.display()), home.path()).success();
    let kept = format!("--config {}", config.display());
    let written = format!("{} --config {}", file.display(), config.display());
    assert_eq!(
        [checked(&kept, &home), checked(&written, &home)],
        [answer(false, NONE, false), answer(false, NONE, false)]
    );
    fs::write(project.join("pkg/one.py"), "def f(): ...\n").unwrap();
    let changes: [&[&str]; 3] = [&["app/one.py", "lib/pkg/one.py"], &[], &[]];
    assert_eq!(checked(&kept, &home), answer(true, changes, false));
    assert_eq!(checked(&format!("{written} --auto-refresh"), &home), answer(true, changes, true));
    // Making the file anew has also parsed what the cache keeps.
    assert_eq!(
        [checked(&kept, &home), checked(&written, &home)],
        [answer(false, NONE, false), answer(false, NONE, false)]
    );
    let message = run_cached(&format!("check-index {}", file.display()), home.path()).failure();
    assert!(message.contains("--config FILE"), "{message}");
    run_cached(&format!("check-index {kept} {}", project.path().display()), home.path()).usage_error();
}

#[test]
fn an_old_index_is_stale_although_no_file_differs() {
    let (home, project) = (Project::empty(), project());
    let file = home.join("api_metadata.yaml");
    run(&format!("index {} -o {}", project.path().display(), file.display())).success();
    let hours_ago = |hours| std::time::SystemTime::now() - Duration::from_hours(hours);
    fs::File::options().write(true).open(&file).unwrap().set_modified(hours_ago(3)).unwrap();
    let check = |options: &str| checked(&format!("{} {options}", file.display()), &home);
    assert_eq!(check(""), answer(true, NONE, false));
    assert_eq!(check("--max-age 100000"), answer(false, NONE, false));
    let text = run_cached(&format!("check-index {}", file.display()), home.path()).success();
    assert!(text.starts_with("stale: 0 files modified") && text.contains(" s old, more than 3600 s\n"), "{text}");
    assert_eq!(check("--auto-refresh"), answer(true, NONE, true));
    assert_eq!(check(""), answer(false, NONE, false));
}

#[test]
fn what_cannot_be_checked_is_said_in_a_line() {
    let (home, project) = (Project::empty(), project());
    let file = home.join("api_metadata.yaml");
    let message = |line: &str| run_cached(&format!("check-index {line}"), home.path()).failure();
    assert!(message("nowhere/at/all").contains("does not exist"));
    assert!(message(&format!("{}", file.display())).contains("cannot read"));
    fs::write(&file, "a.f: {total_calls: 2}\n").unwrap();
    assert!(message(&format!("{}", file.display())).contains("does not say what it was made from"));
    run(&format!("index {} -o {}", project.path().display(), file.display())).success();
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace(project.path().to_str().unwrap(), "/nowhere/at/all")).unwrap();
    assert!(message(&format!("{}", file.display())).contains("made from /nowhere/at/all, of whose files"));
    // A folder that happens to have the name of the source is another one.
    fs::write(&file, text.replace(project.path().to_str().unwrap(), ".")).unwrap();
    assert!(message(&format!("{} --auto-refresh", file.display())).contains("go to the folder where"));
    let hash = text.lines().find_map(|line| line.trim().strip_prefix("one.py: ")).unwrap();
    fs::write(&file, text.replace(hash, "12")).unwrap();
    assert!(message(&format!("{}", file.display())).contains("16 hexadecimal digits"));
    let without = outcome(cached("check-index", home.path()).env("APIDISC_CACHE", "off")).failure();
    assert!(without.contains("there is no cache"), "{without}");
    assert!(run_cached("check-index . --max-age soon", home.path()).usage_error().contains("--max-age"));
}
