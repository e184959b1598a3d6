//! Clones of repositories on this machine, through `file://`.

use std::{fs, path::Path, process::Command};

use apidisc::source::reread;

use super::*;

fn git(folder: &Path, words: &[&str]) -> String {
    let who = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=trunk"];
    let output = Command::new("git").arg("-C").arg(folder).args(who).args(words).output().expect("git");
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("a text").trim().to_owned()
}

struct Setup {
    cache: tempfile::TempDir,
    remote: tempfile::TempDir,
}

impl Setup {
    fn new() -> Self {
        let remote = tempfile::tempdir().expect("a folder");
        git(remote.path(), &["init", "-q"]);
        let setup = Self { cache: tempfile::tempdir().expect("a folder"), remote };
        setup.commit("x = 1\n");
        setup
    }

    fn commit(&self, text: &str) -> String {
        fs::write(self.remote.path().join("a.py"), text).expect("a file");
        git(self.remote.path(), &["add", "."]);
        git(self.remote.path(), &["commit", "-qm", "x"]);
        git(self.remote.path(), &["rev-parse", "HEAD"])
    }

    fn fetch(&self, branch: Option<&str>, refresh: BranchRefresh) -> Result<Source, String> {
        let url = format!("file://{}", self.remote.path().display());
        let location = Location::parse(&url, Path::new("/")).expect("a URL");
        let clones = Clones { folder: self.cache.path().join("clones"), refresh, runs: None };
        clones.fetch(&[Fetch { location, branch: branch.map(str::to_owned) }], &|_, _| {}).remove(0)
    }

    fn text(&self, branch: Option<&str>, refresh: BranchRefresh) -> Result<String, String> {
        let source = self.fetch(branch, refresh)?;
        apidisc::indexer::build(&source, &mut |_| apidisc::control::Control::Continue).expect("a source");
        Ok(reread(&source, "a.py").expect("a file").source)
    }
}

#[test]
fn a_branch_is_looked_up_hourly_now_or_never() {
    let setup = Setup::new();
    let never = setup.text(None, BranchRefresh::Never).expect_err("no clone");
    assert!(never.contains("without --offline"), "{never}");
    assert_eq!(setup.text(None, BranchRefresh::Hourly).as_deref(), Ok("x = 1\n"));
    setup.commit("x = 2\n");
    assert_eq!(setup.text(None, BranchRefresh::Hourly).as_deref(), Ok("x = 1\n"));
    assert_eq!(setup.text(None, BranchRefresh::Always).as_deref(), Ok("x = 2\n"));
    // A branch called `main` comes before the one that is checked out.
    git(setup.remote.path(), &["branch", "main"]);
    setup.commit("x = 3\n");
    assert_eq!(setup.text(None, BranchRefresh::Always).as_deref(), Ok("x = 2\n"));
    assert_eq!(setup.text(Some("trunk"), BranchRefresh::Hourly).as_deref(), Ok("x = 3\n"));
    // Without the remote repository the last commit is used.
    fs::rename(setup.remote.path().join(".git"), setup.remote.path().join("gone")).expect("renamed");
    assert_eq!(setup.text(Some("trunk"), BranchRefresh::Always).as_deref(), Ok("x = 3\n"));
    assert!(setup.text(Some("other"), BranchRefresh::Always).is_err());
}

#[test]
fn tags_and_commits_are_cloned_and_what_is_gone_is_said() {
    let setup = Setup::new();
    git(setup.remote.path(), &["tag", "-a", "-m", "x", "v1"]);
    let first = git(setup.remote.path(), &["rev-parse", "HEAD"]);
    git(setup.remote.path(), &["config", "uploadpack.allowAnySHA1InWant", "true"]);
    setup.commit("x = 2\n");
    assert_eq!(setup.text(Some("v1"), BranchRefresh::Hourly).as_deref(), Ok("x = 1\n"));
    assert_eq!(setup.text(Some(&first), BranchRefresh::Hourly).as_deref(), Ok("x = 1\n"));
    git(setup.remote.path(), &["tag", "-d", "v1"]);
    let gone = setup.text(Some("v1"), BranchRefresh::Always).expect_err("no tag");
    assert!(gone.contains("no branch or tag `v1`"), "{gone}");
}

#[test]
fn nothing_half_made_stays_and_processes_share_a_clone() {
    let setup = Setup::new();
    let texts: Vec<_> = thread::scope(|scope| {
        let fetch = || setup.text(None, BranchRefresh::Always);
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(fetch)).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    assert!(texts.iter().all(|text| text.as_deref() == Ok("x = 1\n")), "{texts:?}");
    let clones = setup.cache.path().join("clones");
    let folder = fs::read_dir(&clones).expect("clones").next().expect("one").expect("one").path();
    let mut names: Vec<String> = fs::read_dir(&folder)
        .expect("a folder")
        .flatten()
        .map(|e| e.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert_eq!(names.len(), 2, "{names:?}");
    // A clone that is cut off is made anew.
    let clone = names
        .iter()
        .find(|name| std::path::Path::new(name).extension().is_some_and(|ending| ending == "git"))
        .expect("a clone");
    fs::remove_dir_all(folder.join(clone).join("objects")).expect("removed");
    fs::create_dir(folder.join(clone).join("objects")).expect("made");
    assert_eq!(setup.text(None, BranchRefresh::Hourly).as_deref(), Ok("x = 1\n"));
}

#[test]
fn the_settings_and_hooks_of_a_remote_repository_run_nothing() {
    let setup = Setup::new();
    let proof = setup.cache.path().join("proof");
    let touch = format!("touch {}", proof.display());
    for (key, value) in [
        ("core.fsmonitor", touch.as_str()),
        ("core.sshCommand", &touch),
        ("filter.x.smudge", &touch),
        ("include.path", "/x"),
    ] {
        git(setup.remote.path(), &["config", key, value]);
    }
    fs::write(setup.remote.path().join(".git/hooks/post-checkout"), format!("#!/bin/sh\n{touch}\n")).expect("a hook");
    assert_eq!(setup.text(None, BranchRefresh::Always).as_deref(), Ok("x = 1\n"));
    assert!(!proof.exists());
}

#[test]
fn secrets_of_a_url_are_in_no_error_and_in_no_file() {
    let setup = Setup::new();
    let url = "https://user:s3cr3t-w0rd@127.0.0.1:9/owner/kit";
    let location = Location::parse(url, Path::new("/")).expect("a URL");
    let clones = Clones { folder: setup.cache.path().join("clones"), refresh: BranchRefresh::Always, runs: None };
    let said = Mutex::new(String::new());
    let observe =
        |name: &str, report: Report<'_>| said.lock().expect("a lock").extend([name, &format!(" {report:?}\n")]);
    let error = clones.fetch(&[Fetch { location, branch: None }], &observe).remove(0).expect_err("no server");
    let said = said.into_inner().expect("a text");
    assert!(!format!("{error}{said}").contains("s3cr3t"), "{error} {said}");
    assert!(!error.contains('\n') && !error.is_empty(), "{error}");
}

/// The pack of the only clone in the cache.
fn pack(setup: &Setup) -> PathBuf {
    let find = |folder: &Path, ending: &str| {
        let entries = fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path());
        entries.into_iter().find(|path| path.to_string_lossy().ends_with(ending)).expect("an entry")
    };
    let folder = find(&setup.cache.path().join("clones"), "");
    find(&find(&folder, ".git").join("objects/pack"), ".pack")
}

fn overwrite(path: &Path, bytes: &[u8]) {
    // Git makes packs read-only.
    fs::remove_file(path).expect("removed");
    fs::write(path, bytes).expect("written");
}

#[test]
fn a_damaged_pack_never_gives_another_text_and_is_cloned_anew_when_it_is_looked_up() {
    let setup = Setup::new();
    let text = (0..200).map(|line| format!("x{line} = {}", line * line)).collect::<Vec<_>>().join("\n");
    setup.commit(&text);
    let reads = |refresh| {
        let Ok(source) = setup.fetch(None, refresh) else { return None };
        let built = apidisc::indexer::build(&source, &mut |_| apidisc::control::Control::Continue);
        built.ok().and_then(|_| reread(&source, "a.py")).map(|file| file.source)
    };
    assert_eq!(reads(BranchRefresh::Always).as_deref(), Some(text.as_str()));
    let path = pack(&setup);
    let whole = fs::read(&path).expect("a pack");
    let cuts = (0..whole.len()).step_by(whole.len() / 10).map(|length| whole[..length].to_vec());
    let flips = (0..whole.len()).step_by(whole.len() / 20).map(|at| {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        bytes
    });
    for damaged in cuts.chain(flips) {
        overwrite(&path, &damaged);
        let read = reads(BranchRefresh::Hourly);
        assert!(read.is_none() || read.as_deref() == Some(text.as_str()), "{read:?}");
        assert_eq!(reads(BranchRefresh::Always).as_deref(), Some(text.as_str()));
        assert!(fs::read(&path).expect("a pack") == whole);
    }
}

#[test]
fn a_folder_that_cannot_be_written_is_one_line() {
    let setup = Setup::new();
    fs::write(setup.cache.path().join("clones"), "a file").expect("a file");
    let error = setup.text(None, BranchRefresh::Always).expect_err("no folder");
    assert!(error.contains("clones") && !error.contains('\n'), "{error}");
}
