//! Chunks of documents in memory: their ids, content and references, and how they are found and expanded.

use super::{ApiIndex, GetChunks, Retrieved, SearchChunks, get_chunks, search_chunks, tests::documents};
use apidisc_answering::answers::AnswerError;
use apidisc_tokens::Encoding;

fn index(files: &[(&str, &str)]) -> ApiIndex {
    ApiIndex::new(documents(files))
}

fn ids(index: &ApiIndex) -> Vec<&str> {
    index.chunks.all().iter().map(|chunk| &*chunk.id).collect()
}

fn content(index: &ApiIndex, id: &str) -> String {
    index.chunks.content(&index.api, index.chunks.find(id).unwrap_or_else(|| panic!("{id} in {:#?}", ids(index))))
}

fn references(index: &ApiIndex, id: &str) -> Vec<String> {
    index.ids(&index.chunks.chunk(index.chunks.find(id).expect("a chunk")).references)
}

fn get(index: &ApiIndex, request: &GetChunks) -> Retrieved {
    get_chunks(index, request, Encoding::default()).expect("chunks").data
}

const SHOP: &str = r"
openapi: 3.0.3
info: {title: Shop}
servers: [{url: /v1}]
security: [{key: []}]
tags: [{name: order}]
paths:
  /orders/{id}:
    parameters: [{$ref: '#/components/parameters/Id'}]
    get:
      operationId: getOrder
      summary: Find one order
      security: [{key: []}]
      responses:
        '200': {description: ok, content: {a/b: {schema: {$ref: '#/components/schemas/Order'}}}}
        '404': {$ref: 'errors.yml#/Gone'}
        default: {description: Odd}
    delete: {operationId: dropOrder, summary: Cancel, responses: {'204': {description: ok}}}
webhooks: {paid: {post: {responses: {'200': {description: ok}}}}}
components:
  securitySchemes: {key: {type: apiKey}}
  parameters: {Id: {name: id, in: path}}
  schemas:
    Order: {properties: {lines: {items: {$ref: '#/components/schemas/Line'}}, state: {$ref: '#/components/schemas/Line/properties/state'}}}
    Line: {properties: {order: {$ref: '#/components/schemas/Order'}, state: {type: string}}}
x-more: {$ref: '#/x-parts/One'}
";

const ERRORS: &str =
    "Gone: {description: Gone, content: {a/b: {schema: {$ref: '#/Problem'}}}}\nProblem: {type: object}\n";

fn shop() -> ApiIndex {
    index(&[("api/shop.yml", SHOP), ("api/errors.yml", ERRORS)])
}

#[test]
fn ids_are_those_of_the_contract() {
    let expected = [
        "api/shop.yml:info",
        "api/shop.yml:tags",
        "api/shop.yml:servers",
        "api/shop.yml:security",
        "api/shop.yml:paths/orders/{id}/get",
        "api/shop.yml:paths/orders/{id}/get:errors",
        "api/shop.yml:paths/orders/{id}/delete",
        "api/shop.yml:webhooks/paid/post",
        "api/shop.yml:components/securitySchemes/key",
        "api/shop.yml:components/parameters/Id",
        "api/shop.yml:components/schemas/Order",
        "api/shop.yml:components/schemas/Line",
        "api/errors.yml#/Gone",
        "api/errors.yml#/Problem",
    ];
    assert_eq!(ids(&shop()), expected);
    assert_eq!(ids(&shop()), ids(&shop()));
}

#[test]
fn an_operation_has_the_parameters_of_its_path_and_its_errors_apart() {
    let shop = shop();
    let get = content(&shop, "api/shop.yml:paths/orders/{id}/get");
    assert!(get.ends_with(
        r##""responses":{"200":{"description":"ok","content":{"a/b":{"schema":{"$ref":"#/components/schemas/Order"}}}}},"parameters":[{"$ref":"#/components/parameters/Id"}]}"##
    ), "{get}");
    let errors = r#"{"404":{"$ref":"errors.yml#/Gone"},"default":{"description":"Odd"}}"#;
    assert_eq!(content(&shop, "api/shop.yml:paths/orders/{id}/get:errors"), errors);
    assert_eq!(content(&shop, "api/shop.yml:info"), r#"{"openapi":"3.0.3","info":{"title":"Shop"}}"#);
}

#[test]
fn every_reference_is_an_edge() {
    let shop = shop();
    let order = "api/shop.yml:components/schemas/Order";
    assert_eq!(
        references(&shop, "api/shop.yml:paths/orders/{id}/get"),
        [
            order,
            "api/shop.yml:components/parameters/Id",
            "api/shop.yml:components/securitySchemes/key",
            "api/shop.yml:paths/orders/{id}/get:errors",
        ]
    );
    assert_eq!(references(&shop, "api/shop.yml:paths/orders/{id}/get:errors"), ["api/errors.yml#/Gone"]);
    // A reference into a component leads to the component.
    assert_eq!(references(&shop, order), ["api/shop.yml:components/schemas/Line"]);
    assert_eq!(references(&shop, "api/shop.yml:components/schemas/Line"), [order]);
    let referrers = shop.chunks.referrers();
    assert_eq!(shop.ids(&referrers[shop.chunks.find(order).expect("a chunk") as usize]).len(), 2);
}

#[test]
fn a_reference_to_a_whole_document_does_not_deliver_it_whole() {
    let text = "openapi: 3.1.0\ninfo: {title: A}\ncomponents:\n  schemas:\n    A: {$ref: '#'}\n    B: {not: {$recursiveRef: '#'}}\n    C: {$ref: '#/x'}\nx: 1\n";
    let index = index(&[("a.yml", text)]);
    assert_eq!(references(&index, "a.yml:components/schemas/A"), ["a.yml:info"]);
    assert_eq!(references(&index, "a.yml:components/schemas/B"), [""; 0]);
    assert_eq!(references(&index, "a.yml:components/schemas/C"), ["a.yml#/x"]);
}

#[test]
fn expansion_is_breadth_first_and_ends_in_circles() {
    let shop = shop();
    let request = |depth| GetChunks {
        chunk_ids: vec![
            "api/shop.yml:paths/orders/{id}/get".to_owned(),
            "api/shop.yml:paths/orders/{id}/gte".to_owned(),
        ],
        expand_depth: depth,
        ..GetChunks::default()
    };
    let all = get(&shop, &request(65));
    assert_eq!(all.expansion_stats.into_iter().collect::<Vec<_>>(), [(0, 1), (1, 4), (2, 2), (3, 1)]);
    assert!(!all.truncated && all.left_out.is_empty());
    assert_eq!((all.total_chunks, all.requested_chunks[0].source), (8, "requested"));
    assert!(all.expanded_chunks.windows(2).all(|pair| pair[0].expansion_depth <= pair[1].expansion_depth));
    assert_eq!(all.not_found[0].name, "api/shop.yml:paths/orders/{id}/gte");
    assert_eq!(get(&shop, &request(0)).total_chunks, 1);
    assert!(!get(&shop, &request(1)).truncated);
}

#[test]
fn a_chain_of_65_schemas_is_expanded_to_its_end() {
    let mut text = "openapi: 3.1.0\ncomponents:\n  schemas:\n".to_owned();
    for level in 0..65 {
        text.extend([format!("    S{level}: {{items: {{$ref: '#/components/schemas/S{}'}}}}\n", level + 1)]);
    }
    text.push_str("    S65: {type: string}\n");
    let index = index(&[("a.yml", &text)]);
    let ask = |expand_depth, max_total_chunks| {
        let chunk_ids = vec!["a.yml:components/schemas/S0".to_owned()];
        get(&index, &GetChunks { chunk_ids, expand_depth, max_total_chunks, ..GetChunks::default() })
    };
    let whole = ask(65, 100);
    assert_eq!((whole.total_chunks, whole.truncated, whole.expansion_stats.len()), (66, false, 66));
    let cut = ask(65, 10);
    assert_eq!(
        (cut.total_chunks, cut.truncated, &cut.left_out[..]),
        (10, true, &["a.yml:components/schemas/S10".to_owned()][..])
    );
}

#[test]
fn an_answer_stays_within_its_budget() {
    let shop = shop();
    let ask = |max_tokens| {
        let chunk_ids = vec!["api/shop.yml:paths/orders/{id}/get".to_owned()];
        get_chunks(&shop, &GetChunks { chunk_ids, max_tokens, ..GetChunks::default() }, Encoding::default())
    };
    let whole = ask(10_000).expect("chunks");
    assert!(!whole.data.truncated);
    let mut sizes = Vec::new();
    for max_tokens in 1..i64::try_from(whole.tokens).expect("a small number") {
        match ask(max_tokens) {
            Ok(answer) => {
                assert!(answer.tokens <= max_tokens as usize && answer.data.truncated, "{max_tokens}");
                sizes.push(answer.data.total_chunks);
            }
            Err(error) => {
                assert!(
                    matches!(error, AnswerError::BudgetTooSmall { .. }) && sizes.is_empty(),
                    "{max_tokens} {error}"
                );
            }
        }
    }
    assert!(sizes.contains(&1) && sizes.contains(&4), "{sizes:?}");
}

#[test]
fn long_components_have_their_examples_apart() {
    let long = "x".repeat(8_000);
    let text = format!(
        "openapi: 3.0.0\ninfo: {{title: A}}\ncomponents:\n  schemas:\n    A: {{type: string, example: {long}}}\n    B: {{description: {long}}}\n  \
         examples:\n    C: {{summary: s, value: {{$ref: {long}}}}}\n"
    );
    let index = index(&[("a.yml", &text)]);
    let found = ids(&index);
    assert_eq!(
        found[1..],
        [
            "a.yml:components/schemas/A",
            "a.yml:components/schemas/A:examples",
            "a.yml:components/schemas/B",
            "a.yml:components/examples/C",
            "a.yml:components/examples/C:examples",
        ]
    );
    assert_eq!(content(&index, "a.yml:components/schemas/A"), r#"{"type":"string"}"#);
    assert_eq!(content(&index, "a.yml:components/schemas/A:examples"), format!(r#"{{"/example":"{long}"}}"#));
    assert_eq!(references(&index, "a.yml:components/schemas/A"), ["a.yml:components/schemas/A:examples"]);
    assert_eq!(content(&index, "a.yml:components/examples/C"), r#"{"summary":"s"}"#);
}

fn search(index: &ApiIndex, query: &str, file_filter: Option<&str>) -> Vec<String> {
    let file_filter = file_filter.map(str::to_owned);
    let request = SearchChunks { query: query.to_owned(), file_filter, ..SearchChunks::default() };
    let answer = search_chunks(index, &request, Encoding::default()).expect("an answer");
    answer.data.chunks.into_iter().map(|chunk| chunk.chunk_id).collect()
}

#[test]
fn operations_are_found_by_words_methods_and_names() {
    let other =
        ("b/Other.json", r#"{"openapi": "3.0.0", "info": {"title": "Orders"}, "paths": {"/orders": {"get": {}}}}"#);
    let index = index(&[("api/shop.yml", SHOP), ("api/errors.yml", ERRORS), other]);
    let first = |query| search(&index, query, None).first().cloned().unwrap_or_default();
    assert_eq!(first("remove an order"), "api/shop.yml:paths/orders/{id}/delete");
    assert_eq!(first("list all orders"), "b/Other.json:paths/orders/get");
    assert_eq!(first("get_order"), "api/shop.yml:paths/orders/{id}/get");
    assert_eq!(first("DELETE /orders/{id}"), "api/shop.yml:paths/orders/{id}/delete");
    assert_eq!(first("Line"), "api/shop.yml:components/schemas/Line");
    assert!(search(&index, "order", Some("OTHER")).iter().all(|id| id.starts_with("b/Other.json:")));
    assert_eq!(search(&index, "order", Some("nothing")), [""; 0]);
    assert_eq!(search(&index, "xyzzy", None), [""; 0]);
}

#[test]
fn a_search_says_what_there_is() {
    let shop = shop();
    let request =
        SearchChunks { query: "order".to_owned(), include_references: true, max_chunks: 1, ..SearchChunks::default() };
    let data = search_chunks(&shop, &request, Encoding::default()).expect("an answer").data;
    assert_eq!(
        data.api_context,
        "- api/shop.yml: Shop (OpenAPI 3.0; 2 operations, 1 webhook, 2 schemas): orders, paid\n"
    );
    assert!(data.total_found > 1 && data.chunks.len() == 1 && !data.chunks[0].ref_ids.is_empty(), "{data:?}");
    assert_eq!((data.files_searched, data.chunks[0].relevance_score), (vec!["api/shop.yml".to_owned()], 1.0));
    let empty = SearchChunks { query: " ".to_owned(), ..request };
    assert!(search_chunks(&shop, &empty, Encoding::default()).is_err());
}

const TRACKER: &str = r"
openapi: 3.1.0
info: {title: Tracker}
paths:
  /issues:
    get: {operationId: issues/list, summary: List issues}
    post: {operationId: issues/create, summary: Create an issue}
  /issues/{id}:
    get: {operationId: issues/get, summary: Get an issue}
    delete: {operationId: issues/remove, summary: Delete an issue}
  /issues/{id}/comments:
    get: {operationId: issues/list-comments}
    post: {operationId: issues/create-comment, summary: Create an issue comment, description: Create a comment on an issue.}
  /issues/{id}/comments/{comment}: {delete: {operationId: issues/remove-comment}}
webhooks: {issue-created: {post: {summary: Create an issue}}}
";

#[test]
fn a_summary_is_a_name() {
    let index = index(&[("a.yml", TRACKER)]);
    for (query, best) in [
        ("create an issue", "a.yml:paths/issues/post"),
        ("Create an issue comment", "a.yml:paths/issues/{id}/comments/post"),
        ("webhook issue-created", "a.yml:webhooks/issue-created/post"),
    ] {
        assert_eq!(search(&index, query, None)[0], best, "{query}");
    }
}

#[test]
fn the_verb_and_the_last_part_of_the_path_decide() {
    let index = ApiIndex::with(documents(&[("a.yml", TRACKER)]), false);
    for (query, best) in [
        ("create an issue", "a.yml:paths/issues/post"),
        ("lists the issues", "a.yml:paths/issues/get"),
        ("delete an issue", "a.yml:paths/issues/{id}/delete"),
        ("delete a comment", "a.yml:paths/issues/{id}/comments/{comment}/delete"),
        ("list comments", "a.yml:paths/issues/{id}/comments/get"),
    ] {
        assert_eq!(search(&index, query, None)[0], best, "{query}");
    }
}

#[test]
fn a_schema_is_found_by_its_name_in_a_question() {
    let document = "openapi: 3.1.0\ninfo: {title: Ads, version: '1'}\ntags: []\npaths:\n  \
        /campaigns: {get: {summary: List campaigns, description: What each Campaign object has as properties}}\n  \
        /campaigns/{id}: {get: {summary: Get a campaign object}, put: {summary: Update the fields of a campaign}}\n\
        components:\n  schemas:\n    CampaignList: {properties: {campaign: {type: string}}}\n    \
        Campaign: {properties: {name: {type: string}}}\n    x-any: {type: string}\n    State: {type: string}\n";
    let ads = index(&[("ads.yml", document)]);
    let first = |query| search(&ads, query, None).first().cloned().unwrap_or_default();
    for query in ["Campaign schema", "What properties does the Campaign object have?", "fields of a campaign"] {
        assert_eq!(first(query), "ads.yml:components/schemas/Campaign", "{query}");
    }
    assert_eq!(first("update the fields of a campaign"), "ads.yml:paths/campaigns/{id}/put");
    // Only the fields of the list of components are extensions, and an empty list of tags says nothing.
    assert!(ids(&ads).contains(&"ads.yml:components/schemas/x-any") && !ids(&ads).contains(&"ads.yml:tags"));
}
