//! `route`: how the context of a task is gathered.

use serde_json::{Value, json};

use crate::program::{Project, command, outcome, run};

/// Runs `route` with a task and further arguments.
fn route(task: &str, line: &str) -> String {
    outcome(&mut command(["route", task].into_iter().chain(line.split_whitespace()))).success()
}

#[test]
fn without_a_source_the_words_of_the_task_decide() {
    let text = route("Show me the API endpoints", "--modules api,components,lib --format json");
    let answer: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (&answer["route_type"], &answer["tool_sequence"], &answer["estimated_tokens"]),
        (&json!("MODULE_BROWSE"), &json!(["list_symbols", "get_symbol"]), &json!(1150))
    );
    assert_eq!(
        route("Fix \u{1b}[31m src/auth/login.ts:45", ""),
        "DIRECT_FILE, 400 tokens: the task names the file src/auth/login.ts:45\n\
         get_symbol_source {\"file_path\":\"src/auth/login.ts\",\"start_line\":45,\"end_line\":45,\"context\":20}\n"
    );
}

#[test]
fn with_a_source_names_are_looked_up_and_the_context_is_printed() {
    let project = Project::with(
        "shop.py",
        "class Invoice:\n    \"\"\"What is owed.\"\"\"\n\n    def __init__(self, total): ...\n",
    )
    .and("a.py", "from shop import Invoice\nInvoice(total=5)\n");
    let path = project.path().display().to_string();
    let text = route("how is an invoice made", &path);
    assert!(text.starts_with("SYMBOL_SEARCH, ") && text.contains("get_symbol {\"hash\":\"shop.Invoice\"}"), "{text}");
    let context = route("how is an invoice made", &format!("{path} --run --max-tokens 300"));
    assert!(context.contains("class Invoice") && context.contains("Invoice(total=5)"), "{context}");
    let json = route("how is an invoice made", &format!("{path} --run --format json"));
    let answer: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(answer["context"], json!(context));
    for budget in [0, 5] {
        let line = format!("{path} --run --max-tokens {budget}");
        let error =
            outcome(&mut command(["route", "how is an invoice made"].into_iter().chain(line.split_whitespace())));
        let error = error.failure();
        let least = error.split(" tokens at least").next().and_then(|text| text.rsplit(' ').next()).unwrap();
        assert!(error.contains(&format!("--max-tokens is {budget}")), "{error}");
        assert!(!route("how is an invoice made", &format!("{path} --run --max-tokens {least}")).is_empty());
    }
}

#[test]
fn a_budget_needs_a_run() {
    assert!(run("route task --max-tokens 5").usage_error().contains("--run"));
}
