//! A small repository with an API document, a program that calls the API, and the server that answers.

use apidisc::{control::Control, index::Index, indexer, source::Source};

use super::drive::Explorer;

pub const DOCUMENT: &str = r##"openapi: 3.1.0
info: {title: Ads 広告, version: "1", description: Campaigns and what they cost.}
servers: [{url: "https://ads.example.com/v1"}]
paths:
  /campaigns:
    post:
      operationId: createCampaign
      summary: Create a campaign
      description: Draft until it is started.
      parameters:
        - {name: dry_run, in: query, schema: {type: boolean, default: false}, description: Check only.}
        - {name: X-Key, in: header, required: true, schema: {type: string}}
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: "#/components/schemas/NewCampaign"}}}
      responses:
        "201": {description: Created, content: {application/json: {schema: {$ref: "#/components/schemas/Campaign"}}}}
        "400": {description: Bad}
  /campaigns/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get:
      operationId: readCampaign
      summary: "\e[31mRead\u202E a 広告\ncampaign"
      responses: {"200": {description: OK, content: {application/json: {schema: {$ref: "#/components/schemas/Campaign"}}}}}
  /reports:
    get: {operationId: listReports, deprecated: true, responses: {"200": {description: OK}}}
components:
  schemas:
    NewCampaign:
      type: object
      description: What a customer asks for.
      required: [name, budget]
      properties:
        name: {type: string}
        note: {type: string}
        tags: {type: array, items: {$ref: "#/components/schemas/Tag"}}
        budget:
          type: object
          required: [amount]
          properties: {amount: {type: number}, currency: {type: string}}
    Tag: {type: object, required: [key], properties: {key: {type: string}, value: {type: string}}}
    Campaign:
      allOf:
        - {$ref: "#/components/schemas/NewCampaign"}
        - {type: object, properties: {created: {type: string, format: date-time}, parent: {$ref: "#/components/schemas/Campaign"}}}
"##;

pub const CALLER: &str = r#"import requests

BASE = "https://ads.example.com/v1"


def create(name, key, tag, rest):
    requests.post(f"{BASE}/campaigns", json={"name": name, "tags": [tag]}, headers={"X-Key": key})
    requests.post(f"{BASE}/campaigns", json={"name": name, "budget": {"amount": 1, "currency": "EUR"}})
    requests.post(f"{BASE}/campaigns", params={"dry_run": True}, json={"name": name, "tags": [{"key": "a"}]})
    requests.post(f"{BASE}/campaigns", json=rest)
    requests.get(f"{BASE}/campaigns/{name}")
"#;

pub const SERVER: &str = r#"from fastapi import APIRouter

router = APIRouter(prefix="/campaigns")


@router.post("")
def create_campaign(): ...


create_campaign()
"#;

/// The files of the repository, with this document.
pub fn source(document: &str) -> Source {
    let files = [("caller.py", CALLER), ("openapi.yaml", document), ("server.py", SERVER)];
    let files = files.map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec().into())).to_vec();
    Source::Memory { name: "ads".to_owned(), files }
}

pub fn index(source: &Source) -> Index {
    indexer::build(source, &mut |_| Control::Continue).unwrap().unwrap()
}

/// The explorer on the repository.
pub fn explorer(columns: u16, rows: u16) -> Explorer {
    let mut explorer = Explorer::new(columns, rows);
    let source = source(DOCUMENT);
    let index = index(&source);
    explorer.source = Some(source);
    explorer.index(index);
    explorer
}

/// The explorer with the document selected, and the list of its parts focused.
pub fn in_document(columns: u16, rows: u16) -> Explorer {
    let mut explorer = explorer(columns, rows);
    explorer.keys("G<Enter>");
    explorer
}
