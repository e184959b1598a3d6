//! Tests on a small API, its server and its callers.

use std::borrow::Cow;

use super::{
    ApiUses, MatchLedger, OperationError, OperationStub, find_operation, operation_arguments, operation_stub,
    schema_arguments,
};
use crate::openapi::ApiDocuments;
use apidisc_base::control::Control;
use apidisc_facts::source::{LinkedSources, NamedSource, Source};
use apidisc_indexing::{index::Index, indexer};
use apidisc_tokens::{Encoding, Tokenizer};

pub(super) const DOCUMENT: &str = r##"
openapi: 3.1.0
info: {title: Ads, version: "1"}
servers: [{url: "https://ads.example.com/v1"}]
paths:
  /campaigns:
    post:
      operationId: createCampaign
      summary: Create a campaign
      description: Draft until it is started. It costs nothing until then.
      parameters:
        - {name: dry_run, in: query, schema: {type: boolean, default: false}, description: Check only.}
        - {name: trace, in: query, schema: {type: string}}
        - {name: X-Key, in: header, required: true, schema: {type: string}}
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: "#/components/schemas/NewCampaign"}
            example: {name: x, budget: {amount: 1}, note: hello}
      responses:
        "201": {description: Created, content: {application/json: {schema: {$ref: "#/components/schemas/Campaign"}}}}
        "400": {description: Bad}
  /campaigns/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: readCampaign, summary: Read a campaign, responses: {"200": {description: OK}}}
  /campaigns/mine:
    get: {operationId: readOwn, responses: {"200": {description: OK}}}
components:
  schemas:
    NewCampaign:
      type: object
      required: [name, budget]
      properties:
        id: {type: string, readOnly: true}
        labels: {type: array, items: {type: string}}
        tags: {type: array, items: {oneOf: [{type: string}, {$ref: "#/components/schemas/Tag"}]}}
        note: {type: string}
        old: {type: string, deprecated: true}
        state: {enum: [draft, live, null], description: "The state. Live ones cost."}
        name: {type: string}
        parent: {$ref: "#/components/schemas/NewCampaign"}
        budget:
          type: object
          required: [amount]
          properties: {amount: {type: number}, currency: {type: string}}
    Tag: {type: object, required: [key], properties: {key: {type: string}, value: {type: string}}}
    Campaign:
      allOf:
        - {$ref: "#/components/schemas/NewCampaign"}
        - {type: object, properties: {created: {type: string, format: date-time}}}
"##;

const CALLER: &str = r#"
import requests

BASE = "https://ads.example.com/v1"

def create(name, key, tag, rest):
    requests.post(f"{BASE}/campaigns", json={"name": name, "tags": [tag]}, headers={"X-Key": key})
    requests.post(f"{BASE}/campaigns", json={"name": name, "budget": {"amount": 1, "currency": "EUR"}})
    requests.post(f"{BASE}/campaigns", params={"dry_run": True}, json={"name": name, "tags": [{"key": "a"}]})
    requests.post(f"{BASE}/campaigns", json=rest)
    requests.get(f"{BASE}/campaigns/{name}")
    requests.get("https://elsewhere.example.org/campaigns/1")
    requests.get(f"{BASE}/nothing")
"#;

const SERVER: &str = r#"
from fastapi import APIRouter

router = APIRouter(prefix="/campaigns")

@router.post("")
def create_campaign(): ...

@router.get("/{campaign}")
def read_campaign(campaign): ...
"#;

pub(super) fn memory(files: &[(&str, &str)]) -> Source {
    let file = |(path, text): &(&str, &str)| ((*path).to_owned(), Cow::Owned(text.as_bytes().to_vec()));
    Source::Memory { name: "ads".to_owned(), files: files.iter().map(file).collect() }
}

/// Sources with these names, each with the same files.
pub(super) fn linked(names: &[&str], files: &[(&str, &str)]) -> Source {
    let named = |name: &&str| NamedSource::new(*name, memory(files));
    Source::Linked(LinkedSources::new(names.iter().map(named).collect()))
}

fn documents() -> ApiDocuments {
    ApiDocuments::read(&memory(&[("ads.yaml", DOCUMENT)])).expect("a source in memory")
}

pub(super) fn index() -> Index {
    let source = memory(&[("caller.py", CALLER), ("server.py", SERVER)]);
    indexer::build(&source, &mut |_| Control::Continue).expect("a source").expect("not cancelled")
}

fn stub(name: &str, max_tokens: Option<usize>) -> Result<OperationStub, OperationError> {
    let (documents, index) = (documents(), index());
    let uses = ApiUses::new(&documents, &index);
    let id = find_operation(&documents, name).expect("an operation");
    let tokenizer = Tokenizer::load(Encoding::O200kBase);
    operation_stub(&documents, id, Some((&index, &uses)), max_tokens, &tokenizer)
}

#[test]
fn calls_and_routes_belong_to_the_operations_that_they_match_best() {
    let (documents, index) = (documents(), index());
    let uses = ApiUses::new(&documents, &index);
    assert_eq!(uses.ledgers, [MatchLedger { matched: 5, ambiguous: 0, unmatched: 2, routes: 2 }]);
    let of = |name: &str| uses.of(find_operation(&documents, name).expect("an operation")).expect("its uses").clone();
    let create = of("createCampaign");
    assert_eq!(create.total_calls, 4);
    // One call does not show its body: it counts neither as passing tags nor as leaving them out.
    assert_eq!((create.body.count(&["tags"]), create.body.share(&["tags"], 4)), (2, Some(2.0 / 3.0)));
    assert_eq!(create.body.count(&["tags", "key"]), 1);
    assert_eq!((create.query.count(&["dry_run"]), create.query.share(&["dry_run"], 4)), (1, Some(0.25)));
    assert_eq!(create.headers.count(&["x-key"]), 1);
    assert_eq!(of("readCampaign").total_calls, 1);
    let handler = index.http.routes[create.route.expect("a route") as usize].handler.expect("a handler");
    assert_eq!(index.definition(handler).fqn, "server.create_campaign");
}

#[test]
fn a_stub_shows_what_is_required_then_what_is_used_then_the_rest() {
    let whole = stub("POST /campaigns", None).expect("no budget");
    let expected = "\
// POST /campaigns: Create a campaign
// https://ads.example.com/v1, createCampaign, 4 calls, e.g. caller.py:7, handler server.create_campaign server.py:6
// Draft until it is started
query {
  dry_run?: boolean = false  // 25%, Check only
  trace?: string
}
headers { X-Key: string }
body {
";
    assert!(whole.text.starts_with(expected), "{}", whole.text);
    assert_eq!(whole.hidden, 0);
    assert!(
        whole.text.contains("\n  tags?: (string | {  // 67%\n    key: string\n    value?: string\n  })[]\n"),
        "{}",
        whole.text
    );
    assert!(whole.text.contains("\n  state?: \"draft\" | \"live\" | null  // The state\n"), "{}", whole.text);
    assert!(!whole.text.contains("id?: "), "what only responses have is left out: {}", whole.text);
    assert!(whole.text.contains("\n201 { id, labels, tags, note, "), "{}", whole.text);
    assert!(whole.text.ends_with("// errors: 400\n"), "{}", whole.text);
    // A schema is not written again inside itself.
    assert!(whole.text.contains("\n  parent?: NewCampaign\n"), "{}", whole.text);

    let small = stub("POST /campaigns", Some(150)).expect("enough").text;
    for shown in ["X-Key: string", "name: string", "amount: number", "tags?: ", "dry_run?: boolean"] {
        assert!(small.contains(shown), "{shown} is not in\n{small}");
    }
    assert!(!small.contains("labels") && small.contains(" hidden\n"), "{small}");
}

#[test]
fn a_stub_never_exceeds_its_budget_and_a_larger_budget_shows_at_least_as_much() {
    let (documents, index) = (documents(), index());
    let uses = ApiUses::new(&documents, &index);
    let id = find_operation(&documents, "createCampaign").expect("an operation");
    let tokenizer = Tokenizer::load(Encoding::O200kBase);
    let stub = |max_tokens| operation_stub(&documents, id, Some((&index, &uses)), max_tokens, &tokenizer);
    let Err(OperationError::BudgetTooSmall { smallest, .. }) = stub(Some(1)) else { panic!("one token is enough") };
    assert!(stub(Some(smallest - 1)).is_err());
    let whole = stub(None).expect("no budget");
    let mut shown = 0;
    for budget in smallest..=whole.tokens + 1 {
        let stub = stub(Some(budget)).expect("at least the smallest");
        assert!(stub.tokens <= budget, "{budget}: {}", stub.tokens);
        assert!(stub.shown >= shown, "{budget}: {} after {shown}", stub.shown);
        assert_eq!(stub.shown + stub.hidden, whole.shown);
        shown = stub.shown;
    }
    assert_eq!(stub(Some(whole.tokens)).map(|stub| stub.text), Ok(whole.text));
}

#[test]
fn arguments_have_the_numbers_of_calls_that_pass_them() {
    let (documents, index) = (documents(), index());
    let uses = ApiUses::new(&documents, &index);
    let rows = |name: &str, is_counted: bool| {
        let id = find_operation(&documents, name).expect("an operation");
        let arguments = operation_arguments(&documents, id, uses.of(id).filter(|_| is_counted));
        let row = |a: super::OperationArgument| (a.part.unwrap_or_default(), a.path, a.count, a.known);
        arguments.into_iter().map(row).collect::<Vec<_>>()
    };
    let create = rows("createCampaign", true);
    let row = |part, path: &str, count, known| (part, path.to_owned(), count, known);
    // What is required comes first, and the properties of an object after it. One of four calls hides its body.
    let first: Vec<_> = create.iter().take(5).cloned().collect();
    assert_eq!(
        first,
        [
            row("body", "name", 3, Some(3)),
            row("body", "budget", 1, Some(3)),
            row("body", "budget.amount", 1, Some(3)),
            row("body", "budget.currency", 1, Some(3)),
            row("headers", "X-Key", 1, Some(4)),
        ],
        "{create:#?}"
    );
    assert!(create.contains(&row("query", "dry_run", 1, Some(4))), "{create:#?}");
    assert!(create.contains(&row("body", "tags.key", 1, Some(3))), "{create:#?}");
    assert_eq!(rows("readCampaign", true), [row("path", "id", 1, Some(1))]);
    assert!(rows("createCampaign", false).iter().all(|(.., count, known)| (*count, *known) == (0, None)));
    let tag = documents.documents[0].components.iter().find(|component| component.name == "Tag").expect("a schema");
    let tag = documents.files.node(&tag.place).expect("its value");
    let names: Vec<String> = schema_arguments(&documents, &tag).into_iter().map(|a| a.path).collect();
    assert_eq!(names, ["key", "value"]);
}

#[test]
fn an_operation_is_named_by_title_id_or_chunk() {
    let documents = documents();
    let first = find_operation(&documents, "createCampaign");
    for name in ["POST /campaigns", "post /campaigns/", "ads.yaml:paths/campaigns/post"] {
        assert_eq!(find_operation(&documents, name), first, "{name}");
    }
    assert_eq!(find_operation(&documents, "GET /campaigns/{any}"), find_operation(&documents, "readCampaign"));
    let unknown = find_operation(&documents, "createCampain").expect_err("no such operation");
    assert_eq!(unknown.nearest[0], "createCampaign");
    assert!(find_operation(&documents, "DELETE /campaigns").is_err());
}

#[test]
fn texts_of_a_document_stay_on_their_lines() {
    let hostile = DOCUMENT.replace("Create a campaign", "\"a\\n}\\u001b[31m // b\"");
    let documents = ApiDocuments::read(&memory(&[("ads.yaml", &hostile)])).expect("a source in memory");
    let id = find_operation(&documents, "createCampaign").expect("an operation");
    let tokenizer = Tokenizer::load(Encoding::O200kBase);
    let stub = operation_stub(&documents, id, None, None, &tokenizer).expect("no budget");
    let first = stub.text.lines().next().expect("a line");
    assert!(first.starts_with("// POST /campaigns: a }\\u{1b}") && !first.contains('\u{1b}'), "{first:?}");
}
