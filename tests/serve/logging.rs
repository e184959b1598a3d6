//! The log of requests, as a server writes it.

use std::{fs, path::Path};

use apidisc_tui::{
    places::Places,
    requests::{Follower, LogFolder, Request},
};
use serde_json::json;

use crate::client::{Era, Server, command};

/// A server on a folder, with its state in another one.
fn serve(era: Era, root: &Path, state: &Path) -> Server {
    let mut command = command([root]);
    command.env_remove("APIDISC_REQUESTS").env("XDG_STATE_HOME", state).env("HOME", state);
    Server::start_by(era, command)
}

fn logged(root: &Path, state: &Path) -> Vec<Request> {
    let nowhere = state.join("nowhere");
    let places =
        Places { config: nowhere.clone(), themes: nowhere.clone(), state: state.join("apidisc-tui"), cache: nowhere };
    let news = Follower::new(LogFolder::of(Some(&places), root).unwrap()).read();
    assert!(news.live.is_empty(), "the server has ended");
    news.requests.into_iter().map(|logged| logged.request).collect()
}

fn library() -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("api.py"), "def first(alpha, beta=1): ...\nfirst(1)\n").unwrap();
    root
}

/// The folder of state is where it is on Linux.
#[test]
#[cfg(target_os = "linux")]
fn every_answer_is_logged_with_its_bytes_and_its_tokens() {
    for era in Era::BOTH {
        let (root, state) = (library(), tempfile::tempdir().unwrap());
        let mut server = serve(era, root.path(), state.path());
        let help = server.call("get_module_help", json!({"module_name": "api"}));
        let wrong = server.problem("get_symbol", json!({"hash": "frist"}));
        server.ask("resources/read", json!({"uri": "apidisc://overview"}));
        assert!(server.close());
        let requests = logged(root.path(), state.path());
        let [first, second, third] = &requests[..] else { panic!("{requests:?}") };
        assert_eq!(first.answer, help["content"][0]["text"].as_str().unwrap());
        assert_eq!(json!(first.tokens), help["_meta"]["apidisc-tui/tokens"]);
        assert_eq!((first.client.as_str(), first.tool.as_str()), ("test 1", "get_module_help"));
        assert_eq!(
            (json!(first.arguments), &first.delivered[..]),
            (json!({"module_name": "api"}), &["api.first".to_owned()][..])
        );
        assert_eq!((second.is_error, &second.answer), (true, &wrong));
        assert_eq!(third.tool, "apidisc://overview");
    }
}

#[test]
fn a_log_that_cannot_be_written_disturbs_no_answer() {
    let (root, state) = (library(), tempfile::tempdir().unwrap());
    let path = state.path().join("a file in the way");
    fs::write(&path, "").unwrap();
    let mut server = serve(Era::Modern, root.path(), &path);
    assert!(server.text("get_module_help", json!({"module_name": "api"})).contains("def first"));
    assert!(server.close());
}
