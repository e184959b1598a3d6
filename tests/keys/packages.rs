//! The two sides of the explorer: the code, and the packages that it uses.

use apidisc::{control::Control, indexer::build, source::Source};
use apidisc_tui::tui::message::Message;

use crate::support::{
    drive::Explorer,
    packages::{packages, program, read},
};

fn explorer() -> Explorer {
    let mut explorer = Explorer::new(110, 30);
    explorer.index(program());
    explorer
}

fn with_packages() -> Explorer {
    let mut explorer = explorer();
    read(&mut explorer, packages());
    explorer
}

#[test]
fn the_packages_are_read_once_the_code_is_shown_and_a_row_leads_to_them() {
    let mut explorer = explorer();
    assert_eq!(explorer.package_requests, 1);
    assert!(!explorer.text().contains("1 package"), "{}", explorer.text());
    read(&mut explorer, packages());
    assert!(explorer.text().contains("2 packages (D)"), "{}", explorer.text());
    explorer.keys("G<Enter>");
    let text = explorer.text();
    for part in
        ["Packages", "all packages", "kit 2.1", "the code again (D)", "3 calls of 2 packages · 1 not installed (d)"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    explorer.keys("G<Right>");
    assert!(explorer.text().contains("2 packages (D)"), "{}", explorer.text());
}

#[test]
fn the_page_of_all_packages_lists_packages_that_are_not_installed_too() {
    let mut explorer = with_packages();
    explorer.keys("Dd");
    let text = explorer.text();
    for part in
        ["Packages  2", "kit  2.1 · 2 definitions used · imported by 1 file · 1 deprecated", "gone  not installed"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn a_key_that_comes_too_early_shows_the_packages_once_they_are_read() {
    let mut explorer = explorer();
    explorer.keys("D");
    assert!(explorer.text().contains("the packages are being read"), "{}", explorer.text());
    read(&mut explorer, packages());
    assert!(explorer.text().contains("all packages"), "{}", explorer.text());
}

#[test]
fn stubs_of_packages_leave_out_what_nobody_passes() {
    let mut explorer = with_packages();
    explorer.keys("Djs<Tab><Tab><Tab>");
    let text = explorer.text();
    assert!(text.contains("timeout") && text.contains("retries"), "{text}");
    assert!(!text.contains("unused=") && !text.contains("proxy="), "{text}");
}

#[test]
fn each_side_remembers_where_one_was() {
    let mut explorer = with_packages();
    explorer.keys("j<Tab>");
    let code = explorer.text();
    assert!(code.contains("run"), "{code}");
    explorer.keys("Dj<Tab>");
    let packages = explorer.text();
    assert!(packages.contains("Client"), "{packages}");
    explorer.keys("D");
    assert_eq!(explorer.text(), code);
    explorer.keys("D");
    assert_eq!(explorer.text(), packages);
}

#[test]
fn going_back_crosses_the_sides() {
    let mut explorer = with_packages();
    explorer.keys("frun<Enter>D");
    explorer.keys("fget<Enter>d[");
    assert!(explorer.text().contains("get"), "{}", explorer.text());
    explorer.keys("[[");
    assert!(explorer.model.packages.code.is_none(), "{}", explorer.text());
}

#[test]
fn the_finder_finds_names_of_packages() {
    let mut explorer = with_packages();
    explorer.keys("fpkg:lient<Enter>");
    let text = explorer.text();
    assert!(text.contains("all packages") && text.contains("class Client"), "{text}");
    // Names of the code are not found there.
    explorer.keys("fpkg:run");
    assert!(!explorer.text().contains("app.run"), "{}", explorer.text());
}

#[test]
fn a_change_of_the_code_is_noted_on_both_sides() {
    let mut explorer = with_packages();
    explorer.keys("D");
    explorer.index(program());
    assert_eq!(explorer.package_requests, 2);
    assert!(explorer.text().contains("all packages"), "{}", explorer.text());
    explorer.keys("D");
    explorer.index(program());
    assert_eq!(explorer.package_requests, 2);
    explorer.keys("D");
    assert_eq!(explorer.package_requests, 3);
    read(&mut explorer, packages());
    assert!(explorer.text().contains("all packages"), "{}", explorer.text());
}

#[test]
fn without_packages_the_key_says_why() {
    let mut explorer = explorer();
    read(&mut explorer, packages().split_off(1));
    explorer.keys("D");
    assert!(explorer.text().contains("nothing is known of gone: name their environment"), "{}", explorer.text());
    explorer.send(Message::PackagesRead(Err("packages are left out by --no-deps".to_owned())));
    explorer.keys("D");
    assert!(explorer.text().contains("left out by --no-deps"), "{}", explorer.text());
}

#[test]
fn the_command_that_prints_a_stub_names_the_package() {
    let mut explorer = with_packages();
    let mut command = |keys: &str| {
        explorer.keys(keys).keys("w");
        let text = explorer.text();
        explorer.keys("<Esc>");
        text.lines().find_map(|line| Some(line[line.find("apidisc-tui --export")?..].trim_end().to_owned()))
    };
    assert_eq!(command("D"), None);
    assert!(command("j").unwrap().starts_with("apidisc-tui --export ~/src/station --package kit"));
    let inner = command("lj").unwrap();
    assert!(inner.starts_with("apidisc-tui --export ~/src/station --package kit --module kit.net"), "{inner}");
    let symbol = command("<Tab>").unwrap();
    assert!(symbol.contains("--package kit --symbol kit.net.Client"), "{symbol}");
}

#[test]
fn a_profile_of_a_library_names_its_package() {
    let mut explorer = with_packages();
    explorer.keys("DjP<C-u>kit<Enter>");
    let saved = explorer.model.stub_request().unwrap();
    assert_eq!((saved.package.as_deref(), saved.module.as_deref()), (Some("kit"), Some("kit")));
    explorer.keys("<Esc>D");
    assert_eq!(explorer.model.stub_request().unwrap().package, None);
}

#[test]
fn reading_again_finds_what_was_installed_meanwhile() {
    let mut explorer = with_packages();
    explorer.keys("R");
    assert_eq!(explorer.package_requests, 1);
    explorer.keys("D");
    assert_eq!(explorer.package_requests, 2);
    read(&mut explorer, packages());
    // The packages that are shown are read again once the code is found unchanged.
    explorer.keys("R").send(Message::Unchanged);
    assert_eq!(explorer.package_requests, 3);
}

#[test]
fn hits_are_those_of_the_side_that_the_query_names() {
    let mut explorer = with_packages();
    explorer.keys("fpkg:lient");
    assert!(explorer.text().contains("Client"), "{}", explorer.text());
    explorer.keys("<Home><Delete>");
    explorer.keys("<Esc>fpkg:run<C-u>run");
    assert!(explorer.text().contains("run"), "{}", explorer.text());
    // The packages arrive while their names are searched for.
    let mut explorer = self::explorer();
    explorer.keys("fpkg:lient");
    assert!(explorer.text().contains("the packages are not read yet"), "{}", explorer.text());
    read(&mut explorer, packages());
    explorer.keys("<Enter>");
    assert!(explorer.text().contains("class Client"), "{}", explorer.text());
}

#[test]
fn pins_belong_to_their_side() {
    let mut explorer = with_packages();
    explorer.keys("j<Tab>p");
    assert_eq!(explorer.model.overrides.all().pinned.len(), 1);
    explorer.keys("Dj");
    assert!(explorer.text().contains("class Client"), "{}", explorer.text());
    assert!(explorer.model.overrides.all().is_empty());
    explorer.keys("<Tab>pD");
    assert!(explorer.text().contains("def run"), "{}", explorer.text());
    assert_eq!(explorer.model.overrides.all().pinned.len(), 1);
}

#[test]
fn packages_that_arrive_late_do_not_close_what_is_open() {
    let mut explorer = explorer();
    explorer.keys("Dd");
    read(&mut explorer, packages());
    assert!(explorer.model.page.is_some() && explorer.model.packages.code.is_none());
    assert!(explorer.text().contains("the packages are read: D"), "{}", explorer.text());
}

#[test]
fn private_definitions_of_the_code_are_not_among_those_of_packages() {
    let mut explorer = with_packages();
    explorer.keys("aD");
    let text = explorer.text();
    assert!(text.contains("Client") && text.contains("+private") && !text.contains("ƒ run"), "{text}");
}

#[test]
fn turning_over_is_a_step_of_the_history() {
    let mut explorer = with_packages();
    let code = explorer.text();
    explorer.keys("AD");
    assert!(explorer.model.agents.is_none(), "{}", explorer.text());
    explorer.keys("[");
    assert!(explorer.model.packages.code.is_none());
    explorer.keys("A");
    assert_eq!(explorer.text(), code);
}

#[test]
fn a_profile_is_of_one_library() {
    let mut explorer = with_packages();
    explorer.keys("DP");
    assert!(explorer.text().contains("a profile is of one package"), "{}", explorer.text());
}

#[test]
fn the_ledger_leads_to_packages_and_back_to_the_code() {
    let mut explorer = with_packages();
    explorer.keys("i/installed packages<Enter><Enter>");
    assert!(explorer.text().contains("Calls of installed packages"), "{}", explorer.text());
    explorer.keys("<Enter>");
    let text = explorer.text();
    assert!(explorer.model.packages.code.is_some() && explorer.model.page.is_none(), "{text}");
    assert!(text.contains("▌▸ kit") || text.contains("▌▾ kit") || text.contains("▌  kit"), "{text}");
    explorer.keys("i/this code<Enter><Enter>");
    assert!(explorer.model.packages.code.is_none(), "{}", explorer.text());
}

#[test]
fn the_ledger_counts_own_code_and_packages_apart() {
    let mut explorer = explorer();
    explorer.keys("i");
    assert!(!explorer.text().contains("installed packages"), "{}", explorer.text());
    read(&mut explorer, packages());
    for keys in ["", "<Esc>Di"] {
        explorer.keys(keys);
        let text = explorer.text();
        for line in ["1   20%  this code", "3   60%  installed packages", "packages that are not installed"] {
            assert!(text.contains(line), "{line}: {text}");
        }
        assert!(!text.contains("machine code"), "{text}");
    }
}

#[test]
fn files_for_developers_are_told_from_the_code_of_a_program_that_nobody_publishes() {
    let files = [
        ("package.json", "{ \"name\": \"site\", \"private\": true }"),
        ("src/a.ts", "export function go(a: number) {}\n\ngo(1)\n"),
        ("scripts/make.ts", "import { go } from '../src/a'\n\ngo(2)\ngo(3)\n"),
    ];
    let files = files.map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec().into()));
    let source = Source::Memory { name: "site".to_owned(), files: files.into() };
    let mut explorer = Explorer::new(110, 30);
    explorer.index(build(&source, &mut |_| Control::Continue).unwrap().unwrap());
    explorer.keys("i");
    let text = explorer.text();
    assert!(text.contains("2   67%  in 1 file of others or for developers"), "{text}");
    explorer.keys("/of others<Enter><Enter>");
    let text = explorer.text();
    assert!(text.contains("1 file, with the calls in each") && text.contains("scripts/make.ts"), "{text}");
    assert!(!text.contains("src/a.ts"), "{text}");
}
