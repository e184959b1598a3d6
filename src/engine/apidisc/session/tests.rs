//! Tests of the scopes, of the ledger, and of the storages.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use serde_json::{Value, json};

use super::*;
use apidisc_answering::answers::{Delivered, symbol_hash};

/// A file in memory that several storages share.
#[derive(Clone, Default)]
struct SharedText(Arc<Mutex<Option<String>>>);

impl StateFile for SharedText {
    fn read(&self) -> Result<Option<String>, StorageError> {
        Ok(self.0.lock().expect("no panic").clone())
    }

    fn update(&mut self, change: &mut TextChange<'_>) -> Result<(), StorageError> {
        let mut text = self.0.lock().expect("no panic");
        *text = Some(change(text.clone())?);
        Ok(())
    }
}

#[derive(Default)]
struct Dictionary(BTreeMap<String, Value>);

impl KeyValueStore for Dictionary {
    fn get(&self, key: &str) -> Result<Option<Value>, StorageError> {
        Ok(self.0.get(key).cloned())
    }

    fn set(&mut self, key: &str, value: Option<Value>) -> Result<(), StorageError> {
        match value {
            Some(value) => _ = self.0.insert(key.to_owned(), value),
            None => _ = self.0.remove(key),
        }
        Ok(())
    }

    fn keys(&self) -> Result<Vec<String>, StorageError> {
        Ok(self.0.keys().rev().cloned().collect())
    }
}

fn storages() -> Vec<Box<dyn Storage>> {
    vec![
        Box::new(MemoryStorage::default()),
        Box::new(FileStorage::new(SharedText::default())),
        Box::new(KeyValueStorage(Dictionary::default())),
    ]
}

#[test]
fn a_task_ends_and_the_conversation_goes_on_in_every_storage() {
    for storage in storages() {
        let mut session = Session::new(storage);
        session.start_invocation();
        session.set("temp:note", json!(1)).expect("set");
        session.set("user:repo_overview:/a", json!("…")).expect("set");
        session.set("user:repo_overview:/b", json!("…")).expect("set");
        session.record_fetch("search_symbols", &json!({ "query": "login" }), 400).expect("recorded");
        session.record_fetch("search_symbols", &json!({ "query": "user" }), 400).expect("recorded");
        session.record_fetch("get_symbols", &json!({ "hashes": ["a", "b", "a"] }), 1050).expect("recorded");
        assert!(!session.should_fetch_symbol("a") && session.should_fetch_symbol("c"));
        let usage = session.get_session_token_usage().expect("the usage");
        assert_eq!(json!(usage), json!({ "search_symbols": 800, "get_symbols": 1050 }));
        assert_eq!(session.get_total_tokens_used(), Ok(1850));
        assert_eq!(
            json!(session.get_context_summary().expect("a summary")),
            json!({
                "temp": { "current_symbols_count": 2, "has_routing_decision": false },
                "session": { "viewed_symbols": 0, "search_history": 2, "total_tokens": 1850 },
                "user": { "cached_repos": 2 },
            })
        );
        session.end_invocation().expect("the end");
        assert!(session.should_fetch_symbol("a"));
        assert_eq!(session.get("temp:note"), Ok(None));
        assert_eq!(session.get("viewed_symbols"), Ok(Some(json!(["a", "b"]))));
        let summary = session.get_context_summary().expect("a summary");
        assert_eq!((summary.temp.current_symbols_count, summary.session.viewed_symbols), (0, 2));
    }
}

#[test]
fn only_what_lasts_reaches_the_file_and_processes_share_it() {
    let file = SharedText::default();
    let mut one = Session::new(Box::new(FileStorage::new(file.clone())));
    let mut two = Session::new(Box::new(FileStorage::new(file.clone())));
    one.set("temp:secret", json!("t")).expect("set");
    one.set("conversation", json!("c")).expect("set");
    one.record_fetch("get_symbol", &json!({ "hash": "h" }), 3).expect("recorded");
    assert_eq!(file.read(), Ok(None));
    one.set("user:theme", json!("dark")).expect("set");
    two.set("app:version", json!(2)).expect("set");
    assert_eq!(file.read(), Ok(Some(r#"{"app:version":2,"user:theme":"dark"}"#.to_owned())));
    assert_eq!(two.get("user:theme"), Ok(Some(json!("dark"))));
    assert_eq!((two.get("conversation"), two.get("temp:secret")), (Ok(None), Ok(None)));
}

#[test]
fn a_damaged_file_is_an_error_and_stays_as_it_is() {
    let file = SharedText::default();
    *file.0.lock().expect("no panic") = Some("{\"user:a\": ".to_owned());
    let mut session = Session::new(Box::new(FileStorage::new(file.clone())));
    assert!(session.set("user:b", json!(1)).is_err() && session.get("user:a").is_err());
    assert_eq!(file.read(), Ok(Some("{\"user:a\": ".to_owned())));
}

#[test]
fn delivered_symbols_are_kept_with_their_contents() {
    let mut session = Session::new(Box::new(MemoryStorage::default()));
    let hash = symbol_hash("a.b");
    let delivered = Delivered { hash: hash.clone(), content: "c".to_owned(), tokens: 3, has_source: false };
    session.record_delivered(std::slice::from_ref(&delivered)).expect("recorded");
    assert_eq!(session.held().get(&hash), Some(&delivered));
    assert!(!session.should_fetch_symbol("a.b") && !session.should_fetch_symbol(&hash));
    session.end_invocation().expect("the end");
    assert_eq!(session.held().len(), 1);
}

#[test]
fn an_equal_answer_is_spared_until_it_changes() {
    let mut session = Session::new(Box::new(MemoryStorage::default()));
    let arguments = json!({ "module_name": "m" });
    let mut ask = |arguments: &Value, text: &str| session.spare_answer("get_module_help", arguments, text);
    assert_eq!(ask(&arguments, "one"), None);
    assert!(
        ask(&arguments, "one").is_some_and(|line| line.starts_with("get_module_help: ") && line.lines().count() == 1)
    );
    assert_eq!(ask(&arguments, "two"), None);
    assert_eq!(ask(&json!({ "module_name": "n" }), "two"), None);
}
