//! Servers write and a reader follows the log; a damaged line or file is skipped alone.

use std::{fs, path::Path};

use serde_json::json;

use super::{Follower, LogFolder, Request, writer::Writer};

fn folder() -> (tempfile::TempDir, LogFolder) {
    let root = tempfile::tempdir().unwrap();
    let log = LogFolder { folder: root.path().join("requests/here"), repository: "/here".to_owned() };
    (root, log)
}

fn request(time: u64, answer: &str) -> Request {
    Request { time, tool: "search_symbols".to_owned(), answer: answer.to_owned(), ..Request::default() }
}

fn answers(follower: &mut Follower) -> Vec<String> {
    follower.read().requests.into_iter().map(|logged| logged.request.answer).collect()
}

fn names(folder: &Path, ending: &str) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.ends_with(ending)).collect()
}

#[test]
fn two_servers_and_a_reader_share_the_log() {
    let (_root, log) = folder();
    let mut follower = Follower::new(log.clone());
    assert_eq!(follower.read().requests, []);
    let mut first = Writer::named(log.clone(), "1-1", 1 << 20);
    let mut second = Writer::named(log.clone(), "2-2", 1 << 20);
    first.append(request(3, "c\n"));
    second.append(request(2, "b\u{202e}\u{1b}"));
    let news = follower.read();
    assert_eq!(news.requests.iter().map(|r| r.request.time).collect::<Vec<_>>(), [2, 3]);
    assert_eq!(news.requests[0].request, request(2, "b\u{202e}\u{1b}"), "the answer comes back as it was");
    assert_eq!(news.live.iter().collect::<Vec<_>>(), ["1-1", "2-2"]);
    assert_eq!(answers(&mut follower), [""; 0], "nothing is read twice");
    first.append(request(4, "d"));
    drop(second);
    let news = follower.read();
    assert_eq!((news.requests.len(), news.live.into_iter().collect::<Vec<_>>()), (1, vec!["1-1".to_owned()]));
    let text = fs::read_to_string(log.folder.join("2-2.0.jsonl")).unwrap();
    assert!(text.bytes().all(|byte| byte == b'\n' || (b' '..=b'~').contains(&byte)), "only printable bytes: {text}");
}

#[test]
fn half_a_line_and_a_broken_line_are_skipped() {
    let (_root, log) = folder();
    let path = log.folder.join("1-1.0.jsonl");
    let mut writer = Writer::named(log.clone(), "1-1", 1 << 20);
    let mut follower = Follower::new(log);
    writer.append(request(1, "a"));
    let whole = fs::read_to_string(&path).unwrap();
    let half = whole.lines().next_back().unwrap().replace("\"a\"", "\"half\"");
    fs::write(&path, format!("{whole}no json\n{}", &half[..half.len() / 2])).unwrap();
    assert_eq!(answers(&mut follower), ["a"]);
    fs::write(&path, format!("{whole}no json\n{half}\n")).unwrap();
    assert_eq!(answers(&mut follower), ["half"], "the line is read once it is whole");
}

#[test]
fn a_log_of_another_version_is_ignored_and_counted() {
    let (_root, log) = folder();
    Writer::named(log.clone(), "1-1", 1 << 20).append(request(1, "a"));
    let path = log.folder.join("1-1.0.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(log.folder.join("2-1.0.jsonl"), text.replacen("\"version\":1", "\"version\":2", 1)).unwrap();
    fs::write(log.folder.join("3-1.0.jsonl"), "something else\n").unwrap();
    let mut follower = Follower::new(log);
    let news = follower.read();
    assert_eq!((news.requests.len(), news.other_versions), (1, 2));
    assert_eq!(follower.read().other_versions, 2);
}

#[test]
fn files_follow_each_other_and_old_ones_are_removed() {
    let (_root, log) = folder();
    let mut writer = Writer::named(log.clone(), "1-1", 1000);
    let mut follower = Follower::new(log.clone());
    let mut read = Vec::new();
    for time in 0..40 {
        writer.append(request(time, &"x".repeat(900)));
        read.extend(follower.read().requests.into_iter().map(|logged| logged.request.time));
    }
    assert_eq!(read, (0..40).collect::<Vec<_>>());
    assert!(names(&log.folder, ".jsonl").len() <= 17, "{:?}", names(&log.folder, ".jsonl"));
    // A file that has vanished is begun again.
    for name in names(&log.folder, ".jsonl") {
        fs::remove_file(log.folder.join(name)).unwrap();
    }
    writer.append(request(41, "again"));
    assert_eq!(answers(&mut follower), ["again"]);
}

#[test]
fn what_is_too_long_is_cut() {
    let (_root, log) = folder();
    let long = "é".repeat(1 << 20);
    let arguments = json!({"name": long, "list": vec!["x"; 1000], "deep": {"a": [1]}});
    let mut asked = request(1, &long);
    asked.arguments = Request::bounded_arguments(arguments.as_object().unwrap());
    asked.delivered = vec![long.clone(); 200];
    Writer::named(log.clone(), "1-1", 1 << 20).append(asked);
    let logged = Follower::new(log).read().requests.remove(0).request;
    assert_eq!(logged.answer.len() + logged.left_out, long.len());
    assert!(serde_json::to_string(&logged).unwrap().len() < 1 << 20);
    assert_eq!((logged.delivered.len(), logged.arguments["list"].as_array().unwrap().len()), (100, 100));
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    #[test]
    fn only_the_user_may_read_the_log() {
        let (_root, log) = folder();
        Writer::named(log.clone(), "1-1", 1 << 20).append(request(1, "a"));
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&log.folder), mode(&log.folder.join("1-1.0.jsonl"))), (0o700, 0o600));
    }

    #[test]
    fn a_folder_that_cannot_be_made_costs_the_log_alone() {
        let (root, log) = folder();
        fs::write(root.path().join("requests"), "a file in the way").unwrap();
        let mut writer = Writer::named(log.clone(), "1-1", 1 << 20);
        writer.append(request(1, "lost"));
        fs::remove_file(root.path().join("requests")).unwrap();
        writer.append(request(2, "kept"));
        assert_eq!(answers(&mut Follower::new(log)), ["kept"]);
    }

    /// `/dev/full` takes no byte: so does a full disk.
    #[test]
    #[cfg(target_os = "linux")]
    fn a_full_disk_costs_the_log_alone() {
        let (_root, log) = folder();
        fs::create_dir_all(&log.folder).unwrap();
        let path = log.folder.join("1-1.0.jsonl");
        symlink("/dev/full", &path).unwrap();
        let mut writer = Writer::named(log.clone(), "1-1", 1 << 20);
        writer.append(request(1, "lost"));
        assert_eq!(answers(&mut Follower::new(log.clone())), [""; 0]);
        let _ = fs::remove_file(&path);
        writer.append(request(2, "kept"));
        assert_eq!(answers(&mut Follower::new(log)), ["kept"]);
    }
}
