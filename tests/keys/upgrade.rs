//! Another version of a package: asking for it, its marks, going through what it breaks.

use std::sync::Arc;

use apidisc::breaks::report::{Finding, Report, Rule, Verdict};
use apidisc_tui::tui::{
    message::Message,
    model::{ReadUpgrade, UpgradeQuestion, VersionPlace, Versioned},
};

use crate::support::{
    drive::Explorer,
    packages::{compared, packages, program, question, read},
};

fn explorer() -> Explorer {
    let mut explorer = Explorer::new(130, 36);
    explorer.index(program());
    read(&mut explorer, packages());
    explorer.keys("D");
    explorer
}

/// The explorer with a comparison.
fn with_upgrade() -> Explorer {
    let mut explorer = explorer();
    explorer.keys("jBkit-3.0.whl<Enter>");
    compared(&mut explorer, "kit-3.0.whl");
    explorer
}

#[test]
fn the_other_version_is_chosen_by_its_path() {
    let mut explorer = explorer();
    explorer.keys("jB");
    assert_eq!(explorer.performed, ["listed versions at ``"]);
    let places = vec![
        VersionPlace { path: ".venv-new".to_owned(), what: "environment", is_folder: false },
        VersionPlace { path: "wheels".to_owned(), what: "folder", is_folder: true },
    ];
    explorer.send(Message::VersionsListed { typed: String::new(), places: places.clone() });
    let text = explorer.text();
    assert!(text.contains("Other version") && text.contains(".venv-new") && text.contains("wheels"), "{text}");
    // A folder is completed, and what is in it is listed.
    explorer.keys("<Down><Enter>");
    assert_eq!(explorer.performed.last().unwrap(), "listed versions at `wheels/`");
    // An answer that comes too late is dropped.
    explorer.send(Message::VersionsListed { typed: String::new(), places });
    explorer.keys("kit.whl<Enter>");
    assert_eq!(explorer.performed.last().unwrap(), "compared kit with wheels/kit.whl");
    assert!(explorer.text().contains("kit is compared with wheels/kit.whl"), "{}", explorer.text());
}

#[test]
fn a_folder_that_is_typed_as_a_whole_is_taken() {
    let mut explorer = explorer();
    explorer.keys("jBother");
    let places = vec![VersionPlace { path: "other".to_owned(), what: "folder", is_folder: true }];
    explorer.send(Message::VersionsListed { typed: "other".to_owned(), places });
    explorer.keys("<Enter>");
    assert_eq!(explorer.performed.last().unwrap(), "compared kit with other");
    // So is one in which no version is listed.
    explorer.keys("Bother/");
    explorer.send(Message::VersionsListed { typed: "other/".to_owned(), places: Vec::new() });
    explorer.keys("<Enter>");
    assert_eq!(explorer.performed.last().unwrap(), "compared kit with other/");
}

#[test]
fn without_a_comparison_the_next_key_says_how_to_make_one() {
    let mut explorer = explorer();
    explorer.keys("n");
    assert!(explorer.text().contains("no other version is compared; B asks"), "{}", explorer.text());
}

#[test]
fn the_code_is_compared_with_a_revision_of_itself() {
    let mut explorer = Explorer::new(130, 36);
    explorer.index(program());
    explorer.keys("B");
    let text = explorer.text();
    assert!(text.contains("Changes since a revision") && text.contains("HEAD for what is not committed"), "{text}");
    let tag = |name: &str| VersionPlace { path: name.to_owned(), what: "tag", is_folder: false };
    let revisions = ["v2.0", "v1.0"].map(tag).to_vec();
    explorer.send(Message::VersionsListed { typed: String::new(), places: revisions });
    explorer.keys("<Down><Enter>");
    assert_eq!(explorer.performed.last().unwrap(), "compared the code with v1.0");
    let question = UpgradeQuestion { of: Versioned::Code, other: "v1.0".to_owned() };
    let finding = Finding {
        rule: Some(Rule::RemovedParameter),
        param: Some("port".to_owned()),
        adapted: Some(false),
        ..Finding::new("app.py", 4, 4, "app.run", Verdict::Break)
    };
    let read = |explorer: &mut Explorer| {
        let index = explorer.model.catalog.as_ref().unwrap().index.clone();
        let other = explorer.catalog((*index).clone());
        let (title, summary) =
            ("v1.0 → the files as they are".to_owned(), "0 of 1 uses of the code still work".to_owned());
        let report = Report { findings: vec![finding.clone()] };
        let read = Ok(Arc::new(ReadUpgrade { question: question.clone(), title, summary, report, other }));
        explorer.send(Message::UpgradeRead { question: question.clone(), read });
    };
    read(&mut explorer);
    let text = explorer.text();
    assert!(text.contains("v1.0 → the files as they are") && text.contains("app.run(port)"), "{text}");
    // An edit is compared, too, and the page stays.
    explorer.index(program());
    assert_eq!(explorer.performed.last().unwrap(), "compared the code with v1.0");
    read(&mut explorer);
    assert!(explorer.text().contains("app.run(port)"), "{}", explorer.text());
}

#[test]
fn a_version_that_cannot_be_read_is_told() {
    let mut explorer = explorer();
    explorer.keys("jBnowhere<Enter>");
    let why = "nowhere is not there; name an environment, the folder of a package, or an archive".to_owned();
    // The answer to another question is dropped.
    explorer.send(Message::UpgradeRead { question: question("elsewhere"), read: Err("other".to_owned()) });
    explorer.send(Message::UpgradeRead { question: question("nowhere"), read: Err(why.clone()) });
    assert!(explorer.text().contains(&why), "{}", explorer.text());
    assert!(explorer.model.upgrade.marks.is_none());
}

#[test]
fn each_use_is_listed_with_its_place_and_the_next_key_goes_on() {
    let mut explorer = with_upgrade();
    let text = explorer.text();
    for part in [
        "kit 2.1 → 3.0",
        "1 of 3 uses of kit still work",
        "break  kit.net.Client(timeout)  removed-parameter → wait",
        "app.py:6",
        "deprecated  kit.net.Client.get",
        "app.py:8",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // The page opens with the first one.
    explorer.keys("o");
    assert_eq!(explorer.performed.last().unwrap(), "opened app.py:6");
    explorer.keys("no");
    assert_eq!(explorer.performed.last().unwrap(), "opened app.py:8");
    // Behind the last one the first one comes again.
    explorer.keys("no");
    assert_eq!(explorer.performed.last().unwrap(), "opened app.py:6");
    // The page of the symbol says it, too; from there the key goes on.
    explorer.keys("<Enter>");
    let text = explorer.text();
    assert!(text.contains("Upgrade") && text.contains("removed-parameter → wait"), "{text}");
    explorer.keys("no");
    assert_eq!(explorer.performed.last().unwrap(), "opened app.py:8");
}

#[test]
fn modules_symbols_and_arguments_have_marks() {
    let mut explorer = with_upgrade();
    explorer.keys("q");
    assert!(explorer.text().contains("!1"), "{}", explorer.text());
    explorer.keys("fclient kind:class<Enter>");
    explorer.keys("<Tab>");
    let text = explorer.text();
    let line = |part: &str| text.lines().find(|line| line.contains(part)).unwrap().to_owned();
    assert!(line("timeout").contains("!1"), "{text}");
    // The code has no marks.
    explorer.keys("D");
    assert!(!explorer.text().contains("!1"), "{}", explorer.text());
}

#[test]
fn marks_follow_the_packages() {
    let mut explorer = with_upgrade();
    explorer.performed.clear();
    read(&mut explorer, packages());
    assert_eq!(explorer.performed, ["compared kit with kit-3.0.whl"]);
    assert!(explorer.text().contains("1 of 3 uses of kit still work"), "{}", explorer.text());
}

#[test]
fn stubs_of_both_versions_are_beside_each_other() {
    let mut explorer = with_upgrade();
    explorer.keys("qjC3.0<Enter>");
    let text = explorer.text();
    assert!(text.contains("kit 2.1 → 3.0: ") && text.contains("+         timeout=1"), "{text}");
}
