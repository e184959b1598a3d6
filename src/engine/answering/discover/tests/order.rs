//! What comes first, and how many results a class has.

use super::*;

#[test]
fn a_class_lists_its_public_members_that_are_used() {
    let class = "class Pool:\n    def fill_bucket(self): ...\n    def drain_bucket(self): ...\n    def _bucket(self): ...\n    \
                 def bucket_size(self):\n        return self._bucket()\n";
    let app = "from pool import Pool\np = Pool()\np.fill_bucket()\np.bucket_size()\n";
    let searched = SearchedSources::of(&[("pool.py", class), ("app.py", app)]);
    let discover = |limit| {
        let request = Discover { intent: "pool bucket".into(), limit, ..Discover::default() };
        searched.discover(&request).expect("results").results
    };
    let first = discover(1);
    let all: Vec<&str> = first.iter().flat_map(DiscoverResult::listed_symbols).collect();
    assert!(all.iter().any(|name| ["fill_bucket", "bucket_size"].contains(name)), "{all:?}");
    assert!(!all.contains(&"_bucket") && !all.contains(&"drain_bucket"), "{all:?}");
    // Members that are results are not listed again.
    let results = discover(10);
    let of_pool: Vec<&DiscoverResult> = results.iter().filter(|found| found.name.starts_with("pool.")).collect();
    let listed: Vec<&String> = of_pool.iter().flat_map(|found| &found.symbols).collect();
    assert!(of_pool.iter().all(|found| !listed.contains(&&found.name)), "{results:?}");
    let repetitions: Vec<f64> = of_pool.iter().map(|found| found.score_parts.repetition).collect();
    assert!(repetitions.len() == 3 && repetitions.windows(2).all(|pair| pair[0] > pair[1]), "{repetitions:?}");
}

#[test]
fn conditions_on_types_leave_the_symbols_that_meet_them() {
    let text = "class Link:\n    def send(self): ...\n\nclass Letter: ...\n\ndef open_link(host) -> Link:\n    \
                \"\"\"Opens it.\"\"\"\n\ndef seal(letter: Letter) -> Letter: ...\n\n\
                def post(letter: Letter) -> Link: ...\n";
    let searched = SearchedSources::of(&[("m.py", text)]);
    assert_eq!(searched.names("makes:Link open"), ["m.open_link", "m.post"]);
    assert_eq!(searched.names("Letter -> Link"), ["m.post"]);
    assert_eq!(searched.names("takes:Letter makes:Letter"), ["m.seal"]);
    let none = searched.discover(&Discover { intent: "takes:Link".into(), ..Discover::default() }).expect("an answer");
    assert_eq!(none.meta.reason.as_deref(), Some("no symbol takes `Link`"));
    // What names no type is text.
    assert_eq!(searched.names("open host -> link")[0], "m.open_link");
}

#[test]
fn an_intent_that_begins_with_the_verb_of_a_name_finds_it_first() {
    let text = "def pause_queue(name):\n    \"\"\"A queue stands still.\"\"\"\n\n\
                def queue_pause_state(name):\n    \"\"\"A queue stands still.\"\"\"\n";
    let searched = SearchedSources::of(&[("q.py", text)]);
    assert_eq!(searched.names("pause what waits in a queue")[0], "q.pause_queue");
}

#[test]
fn code_without_documentation_is_found_by_what_it_does() {
    let text = "def cleanup(path):\n    for entry in expired(path):\n        entry.unlink()\n\ndef other(path):\n    \
                return path\n";
    assert_eq!(SearchedSources::of(&[("m.py", text)]).names("what has expired")[0], "m.cleanup");
}
