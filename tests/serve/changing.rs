//! Sources that change, vanish or cannot be opened while the server runs.

use std::{fs, thread, time::Duration};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::client::{Era, Server};

/// Asks until the text is in the answer.
#[track_caller]
fn wait_for(server: &mut Server, arguments: &Value, text: &str) {
    for _ in 0..300 {
        let result = server.call("get_module_help", arguments.clone());
        if result["content"][0]["text"].as_str().unwrap().contains(text) {
            return;
        }
        thread::sleep(Duration::from_millis(100));
    }
    panic!("`{text}` never came");
}

#[test]
fn an_edit_is_in_a_later_answer() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("shop.py");
    fs::write(&path, "def buy(item): ...\nbuy('tea')\n").unwrap();
    let mut server = Server::start(Era::Modern, [folder.path()]);
    let arguments = json!({"module_name": "shop"});
    wait_for(&mut server, &arguments, "def buy(");
    fs::write(&path, "def sell(item): ...\nsell('tea')\n").unwrap();
    wait_for(&mut server, &arguments, "def sell(");
    let fresh = server.text("check_index", json!({}));
    assert!(fresh.contains(r#""is_stale":false"#), "{fresh}");
}

#[cfg(unix)]
#[test]
fn sources_do_not_come_through_links_out_of_the_repository() {
    let (folder, other) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    fs::write(other.path().join("secret.py"), "SECRET = 'hidden'\ndef secret(): ...\n").unwrap();
    fs::write(folder.path().join("shop.py"), "def buy(item): ...\nbuy('tea')\n").unwrap();
    std::os::unix::fs::symlink(other.path().join("secret.py"), folder.path().join("linked.py")).unwrap();
    let mut server = Server::start(Era::Modern, [folder.path()]);
    let result = server.call("get_symbol_source", json!({"file_path": "linked.py"}));
    assert!(!result.to_string().contains("hidden"), "{result}");
    // A file of the index that becomes a link is not followed, either.
    assert!(server.text("get_symbol_source", json!({"file_path": "shop.py"})).contains("def buy("));
    fs::remove_file(folder.path().join("shop.py")).unwrap();
    std::os::unix::fs::symlink(other.path().join("secret.py"), folder.path().join("shop.py")).unwrap();
    let result = server.call("get_symbol_source", json!({"file_path": "shop.py"}));
    assert!(!result.to_string().contains("hidden"), "{result}");
}

#[test]
fn a_symbol_that_is_gone_is_told_with_the_nearest_one() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("shop.py");
    fs::write(&path, "def buy_tea(item): ...\nbuy_tea('tea')\n").unwrap();
    let mut server = Server::start(Era::Modern, [folder.path()]);
    assert!(server.text("get_symbol", json!({"hash": "shop.buy_tea"})).contains("buy_tea"));
    fs::write(&path, "def buy_teas(item): ...\nbuy_teas('tea')\n").unwrap();
    wait_for(&mut server, &json!({"module_name": "shop"}), "def buy_teas(");
    assert!(server.problem("get_symbol", json!({"hash": "shop.buy_tea"})).contains("shop.buy_teas"));
}

#[test]
fn subscribers_are_told_of_what_changed() {
    for era in Era::BOTH {
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join("shop.py"), "def buy(item): ...\nbuy('tea')\n").unwrap();
        fs::write(folder.path().join("other.py"), "def rest(): ...\nrest()\n").unwrap();
        let mut server = Server::start(era, [folder.path()]);
        let uris = ["apidisc://module/shop", "apidisc://module/other"];
        // The index is there before the subscription.
        for uri in uris {
            assert!(server.ask("resources/read", json!({ "uri": uri }))["result"].is_object());
        }
        match era {
            Era::Legacy => {
                for uri in uris {
                    assert!(server.ask("resources/subscribe", json!({ "uri": uri }))["result"].is_object());
                }
            }
            Era::Modern => {
                server.send("subscriptions/listen", json!({"notifications": {"resourceSubscriptions": uris}}));
                let acknowledged = server.next();
                assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged", "{acknowledged}");
            }
        }
        // The texts to compare with are made right after the subscription: edits follow until one is noticed.
        let told = (0..300).find_map(|number| {
            let text = format!("def buy(item, n{number}=1): ...\nbuy('tea')\n");
            fs::write(folder.path().join("shop.py"), text).unwrap();
            thread::sleep(Duration::from_millis(300));
            server.text("check_index", json!({}));
            let is_update = |message: &&Value| message["method"] == "notifications/resources/updated";
            server.notifications.iter().find(is_update).cloned()
        });
        let told = told.expect("a notification");
        assert_eq!(told["params"]["uri"], "apidisc://module/shop");
    }
}

#[test]
fn a_repository_may_vanish_and_come_back() {
    let parent = TempDir::new().unwrap();
    let folder = parent.path().join("shop");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("shop.py"), "def buy(item): ...\nbuy('tea')\n").unwrap();
    let mut server = Server::start(Era::Legacy, [&folder]);
    let arguments = json!({"module_name": "shop"});
    wait_for(&mut server, &arguments, "def buy(");
    fs::remove_dir_all(&folder).unwrap();
    for _ in 0..300 {
        if server.call("get_module_help", arguments.clone())["isError"] == true {
            break;
        }
        thread::sleep(Duration::from_millis(100));
    }
    let problem = server.problem("get_module_help", arguments.clone());
    assert!(!problem.contains("def buy("), "{problem}");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("shop.py"), "def sell(item): ...\nsell('tea')\n").unwrap();
    wait_for(&mut server, &arguments, "def sell(");
}

#[test]
fn a_folder_that_is_not_there_is_told_in_the_answer() {
    let parent = TempDir::new().unwrap();
    let mut server = Server::start(Era::Modern, [parent.path().join("nothing")]);
    let tools = server.ask("tools/list", json!({}));
    assert!(tools["result"]["tools"].is_array());
    assert!(!server.problem("get_module_help", json!({})).is_empty());
}

#[test]
fn a_request_during_the_first_build_waits_with_progress() {
    let folder = TempDir::new().unwrap();
    for number in 0..120 {
        let text = format!("def f{number}(a, b=1): ...\n{}", format!("f{number}(1, b=2)\n").repeat(200));
        fs::write(folder.path().join(format!("m{number}.py")), text).unwrap();
    }
    let mut server = Server::start(Era::Legacy, [folder.path()]);
    let id = server.send(
        "tools/call",
        json!({"name": "get_module_help", "arguments": {"module_name": "m7"}, "_meta": {"progressToken": "p"}}),
    );
    let answer = server.answer(id);
    assert!(answer["result"]["content"][0]["text"].as_str().unwrap().contains("def f7("), "{answer}");
    let progress: Vec<f64> = server
        .notifications
        .iter()
        .filter(|message| message["method"] == "notifications/progress")
        .map(|message| message["params"]["progress"].as_f64().unwrap())
        .collect();
    assert!(!progress.is_empty());
    assert!(progress.is_sorted_by(|a, b| a < b), "{progress:?}");
}
