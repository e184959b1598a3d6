//! `--export --docs FILE`: the stub of an operation of an API document, and the content of its other parts.

use serde_json::Value;

use crate::program::{Outcome, Project, command, outcome};

const DOCUMENT: &str = "\
openapi: 3.0.3
info: {title: Ads, version: '1'}
paths:
  /campaigns:
    post:
      operationId: createCampaign
      requestBody:
        content:
          application/json:
            schema: {type: object, required: [name], properties: {name: {type: string}, tag: {type: string}}}
      responses: {'201': {description: Created}}
components:
  schemas:
    Tag: {type: object, properties: {key: {type: string}}}
";

const CALLER: &str = "import requests\n\nrequests.post('/campaigns', json={'name': 'a', 'tag': 'b'})\n";

fn export(options: &[&str]) -> Outcome {
    let project = Project::with("api.yaml", DOCUMENT).and("src/caller.py", CALLER);
    let mut command = command(["--export", "--docs", "api.yaml"]);
    outcome(command.current_dir(project.path()).args(options).arg("src"))
}

#[test]
fn an_operation_is_exported_with_its_uses_in_the_sources() {
    let stub = export(&["--symbol", "POST /campaigns", "--max-tokens", "200"]).success();
    assert_eq!(
        stub,
        "// POST /campaigns\n// createCampaign, 1 call, e.g. caller.py:3\n\
         body? {\n  name: string\n  tag?: string  // 100%\n}\n201\n"
    );
    let json = export(&["--symbol", "createCampaign", "--max-tokens", "200", "--format", "json"]).success();
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["stub"], &json["total_calls"], &json["hidden"]), (&stub.into(), &1.into(), &0.into()));
}

#[test]
fn a_schema_is_exported_as_a_whole() {
    let text = export(&["--symbol", "Tag"]).success();
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap()["properties"]["key"]["type"], "string");
    assert_eq!(export(&["--symbol", "api.yaml:components/schemas/Tag", "--strategy", "exhaustive"]).success(), text);
    let json: Value = serde_json::from_str(&export(&["--symbol", "Tag", "--format", "json"]).success()).unwrap();
    assert_eq!((&json["stub"], &json["chunk_id"]), (&text.into(), &"api.yaml:components/schemas/Tag".into()));
    let small = export(&["--symbol", "Tag", "--max-tokens", "3"]).failure();
    assert!(small.contains("use --max-tokens "), "{small}");
}

#[test]
fn a_mistake_is_answered_with_a_remedy() {
    let unknown = export(&["--symbol", "createCampain"]).failure();
    assert!(unknown.contains("did you mean createCampaign?"), "{unknown}");
    let small = export(&["--symbol", "createCampaign", "--max-tokens", "3"]).failure();
    assert!(small.contains("use --max-tokens "), "{small}");
    assert!(export(&[]).usage_error().contains("--symbol"));
    assert!(export(&["--symbol", "x", "--min-frequency", "0.5"]).usage_error().contains("--docs FILE"));
}
