//! `discover`: what serves an intent.

use serde_json::{Value, json};

use crate::program::{Project, command, outcome};

fn project() -> Project {
    Project::with(
        "net.py",
        "class Client:\n    \"\"\"Sends requests.\"\"\"\n\n    def __init__(self, url, timeout=5): ...\n\n    def close(self):\n        \
         \"\"\"Releases all sockets.\"\"\"\n\n\ndef remove_tree(path):\n    \"\"\"Erases a directory.\"\"\"\n",
    )
    .and("a.py", "from net import Client\nc = Client(\"a\", timeout=1)\nc.close()\n")
    .and("b.py", "from net import Client\nc = Client(\"b\", timeout=2)\nc.close()\n")
}

/// Runs `discover` with an intent, the project and further arguments.
fn discover(project: &Project, intent: &str, line: &str) -> crate::program::Outcome {
    let path = project.path().display().to_string();
    outcome(&mut command(["discover", intent, &path].into_iter().chain(line.split_whitespace())))
}

#[test]
fn people_and_programs_read_the_same_results() {
    let project = project();
    let text = discover(&project, "delete a folder", "").success();
    let first = text.lines().find(|line| line.starts_with("0.")).unwrap();
    assert!(first.contains("net.remove_tree") && first.ends_with("function · net.py:10"), "{text}");
    assert!(text.contains("\n      Erases a directory.\n"), "{text}");
    let answer: Value =
        serde_json::from_str(&discover(&project, "delete a folder", "--format json").success()).unwrap();
    assert_eq!(answer["results"][0]["name"], "net.remove_tree");
    assert_eq!(answer["meta"]["query"], "delete a folder");
    assert_eq!(answer["meta"]["returned_count"], answer["results"].as_array().unwrap().len());
    let page = discover(&project, "client with a timeout", "--type recipe --format markdown").success();
    assert!(page.contains("  ```python\n") && page.contains("timeout="), "{page}");
    let related = discover(&project, "client", "--related --limit 1").success();
    assert!(related.contains("often after: net.Client.close"), "{related}");
    assert!(related.starts_with("1 of "), "{related}");
}

#[test]
fn code_of_a_document_is_fenced_in_its_language() {
    let project =
        project().and("README.md", "# Use\n\n```python\nfrom net import Client\nClient(\"c\", timeout=3)\n```\n");
    let page = discover(&project, "client with a timeout", "--type recipe --limit 1 --format markdown").success();
    assert!(page.contains("README.md:5") && page.contains("  ```python\n"), "{page}");
}

/// The bytes of a file of tensors with one table of numbers.
fn table(name: &str, rows: usize, values: &[f32]) -> Vec<u8> {
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    let tensor = json!({"dtype": "F32", "shape": [rows, values.len() / rows], "data_offsets": [0, bytes.len()]});
    let header = json!({ name: tensor }).to_string();
    [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), &bytes].concat()
}

#[test]
fn a_model_of_the_user_says_which_words_are_near() {
    let tokens = json!({"[UNK]": 0, "balloon": 1, "remove": 2, "tree": 3, "erases": 4, "client": 5});
    let tokenizer = json!({
        "version": "1.0", "added_tokens": [], "pre_tokenizer": {"type": "Whitespace"},
        "model": {"type": "WordLevel", "vocab": tokens, "unk_token": "[UNK]"}
    });
    let model = Project::with("tokenizer.json", tokenizer.to_string());
    let folder = model.path();
    let with_model = format!("--model {}", folder.display());
    let project = project();
    assert!(
        discover(&project, "balloon", &with_model).failure().contains("there is no model.safetensors in it; name"),
        "a folder without a model"
    );
    let values = [0.0, 0.0, 1.0, 0.1, 1.0, 0.0, 1.0, 0.0, 1.0, 0.2, 0.0, 1.0];
    std::fs::write(folder.join("model.safetensors"), table("embeddings", 6, &values)).unwrap();
    // No word of the project is `balloon`, and the model that comes with the program knows no relative of it there.
    assert!(discover(&project, "balloon", "").success().starts_with("nothing here has a word of `balloon`"));
    for _ in 0..2 {
        let found = discover(&project, "balloon", &with_model).success();
        assert!(found.contains("net.remove_tree") && !found.contains("net.Client "), "{found}");
    }
    std::fs::write(folder.join("model.safetensors"), table("weights", 6, &values)).unwrap();
    let refused = discover(&project, "balloon", &with_model).failure();
    assert!(refused.contains("it has no tensor `embeddings`, only: weights; take a static model"), "{refused}");
}

#[test]
fn empty_answers_have_a_reason_and_wrong_requests_a_remedy() {
    let project = project();
    assert_eq!(discover(&project, "xyzzyx", "").success(), "nothing here has a word of `xyzzyx`\n");
    assert!(discover(&project, "sockets", "--type doc").success().contains("there are no documents here"));
    assert!(discover(&project, "sockets", "--min-score 0.95").success().contains("the best is `net.Client.close`"));
    assert!(discover(&project, " ", "").failure().contains("the intent is empty"));
    let message = discover(&project, "a", "--min-score 7").usage_error();
    assert!(message.contains("--min-score") && message.contains("between 0 and 1"), "{message}");
    assert!(!message.contains("min_score"), "{message}");
    for limit in ["0", "-1", "1000000000"] {
        assert!(discover(&project, "a", &format!("--limit {limit}")).usage_error().contains("1..=50"));
    }
}

#[test]
fn operations_of_documents_are_found_beside_symbols_or_in_a_folder_apart() {
    let document = "openapi: 3.0.3\ninfo: {title: Ads}\npaths:\n  /campaigns: {post: {summary: Create a campaign}}\n";
    let code = "import requests\n\ndef begin(name):\n    requests.post('/campaigns', json={'name': name})\n";
    let both = Project::with("api.yaml", document).and("app.py", code);
    let found = discover(&both, "create a campaign", "--type doc").success();
    assert!(found.contains("POST /campaigns") && found.contains("operation · api.yaml:4 · 1 use"), "{found}");
    assert!(found.contains("chunk api.yaml:paths/campaigns/post"), "{found}");
    let (apart, code) = (Project::with("api.yaml", document), Project::with("app.py", code));
    let option = format!("--docs {}", apart.path().display());
    assert_eq!(discover(&code, "create a campaign", &(option.clone() + " --type doc")).success(), found);
    assert!(!discover(&code, "create a campaign", "").success().contains("POST /campaigns"));
    let missing = discover(&apart, "create a campaign", &format!("--docs {}", code.path().display()));
    assert!(missing.failure().contains("no OpenAPI or Swagger document was found"));
}
