//! `docs`: API documents from the command line.

use serde_json::Value;

use crate::program::{Outcome, Project, command, outcome};

fn project() -> Project {
    Project::with(
        "shop.yml",
        "openapi: 3.0.3\ninfo: {title: Shop, version: '2'}\npaths:\n  /orders:\n    post:\n      operationId: addOrder\n      summary: Place \
         an order\n      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}}\n      responses: \
         {'201': {description: ok}, '400': {$ref: '#/gone'}}\ncomponents:\n  schemas:\n    Order: {type: object}\n",
    )
    .and("notes.json", "{}")
}

/// Runs `docs` with an action, the project and further arguments.
fn docs(project: &Project, action: &str, further: &[&str]) -> Outcome {
    let path = project.path().display().to_string();
    outcome(&mut command(["docs", action, &path].into_iter().chain(further.iter().copied())))
}

#[test]
fn people_and_programs_read_what_there_is() {
    let project = project();
    let context = "- shop.yml: Shop 2 (OpenAPI 3.0; 1 operation, 1 schema): orders\n";
    assert_eq!(docs(&project, "context", &[]).success(), context);
    let text = docs(&project, "index", &[]).success();
    assert!(text.starts_with(context) && text.contains("4 chunks and 2 references in 1 file\n"), "{text}");
    assert!(text.ends_with("shop.yml: line 9: the reference `#/gone` leads nowhere\n"), "{text}");
    let index: Value = serde_json::from_str(&docs(&project, "index", &["--format", "json"]).success()).unwrap();
    assert_eq!((&index["documents"][0]["operations"], &index["problems"][0]["path"]), (&1.into(), &"shop.yml".into()));
}

#[test]
fn a_search_leads_to_chunks_with_their_schemas() {
    let project = project();
    let found: Value =
        serde_json::from_str(&docs(&project, "search", &["--query", "create an order", "--format", "json"]).success())
            .unwrap();
    let id = found["chunks"][0]["chunk_id"].as_str().unwrap();
    assert_eq!((id, &found["chunks"][0]["chunk_type"]), ("shop.yml:paths/orders/post", &"operation".into()));
    let got: Value = serde_json::from_str(&docs(&project, "get", &["--id", id, "--format", "json"]).success()).unwrap();
    assert_eq!(got["expanded_chunks"][0]["chunk_id"], "shop.yml:components/schemas/Order");
    assert_eq!((&got["total_chunks"], &got["truncated"]), (&3.into(), &false.into()));
    let text = docs(&project, "get", &["--id", id, "--id", "shop.yml:paths/order", "--expand-depth", "0"]).success();
    assert!(
        text.contains("no chunk has the id `shop.yml:paths/order`; the nearest: shop.yml:paths/orders/post"),
        "{text}"
    );
    let page = docs(&project, "get", &["--id", id, "--format", "markdown"]).success();
    assert!(
        page.starts_with("## `shop.yml:paths/orders/post`\n\nPOST /orders: Place an order\n\n```json\n{\n"),
        "{page}"
    );
}

#[test]
fn what_is_missing_is_said() {
    let project = project();
    assert!(docs(&project, "search", &[]).usage_error().contains("--query"));
    assert!(docs(&project, "get", &[]).usage_error().contains("--id"));
    let empty = Project::with("a.json", "{}");
    assert!(docs(&empty, "index", &[]).failure().contains("no OpenAPI or Swagger document was found"));
    let broken = Project::with("a.yml", "openapi: 3.0.0\npaths: [");
    assert!(docs(&broken, "index", &[]).failure().contains("a.yml: not valid YAML"));
}
