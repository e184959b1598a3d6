//! Tests of the search by intent over API documents beside code.

use std::sync::Arc;

use super::{
    UsedApis, find_operation,
    tests::{DOCUMENT, index, linked, memory},
};
use crate::openapi::ApiIndex;
use apidisc_answering::{
    answers::{Context, SymbolTable},
    discover::{self, Corpus, Discover, DiscoverResponse, Filter, ResultType, Searched, TypeFilter, discover},
};
use apidisc_indexing::index::Index;

fn corpus(index: Index) -> Corpus {
    Corpus::new(Arc::new(SymbolTable::new(Arc::new(index))), &|_| None)
}

fn found(documents: &[(&str, &str)], request: &Discover) -> DiscoverResponse {
    let index = index();
    let api = UsedApis::new(ApiIndex::read(&memory(documents)).expect("a source in memory"), &index);
    discover(Searched { corpus: &corpus(index), external: Some(&api) }, &|_| None, request).expect("results")
}

fn intent(text: &str, kind: TypeFilter) -> Discover {
    Discover { intent: text.into(), filter: Filter { kind, min_score: 0.0 }, ..Discover::default() }
}

#[test]
fn an_operation_is_found_beside_the_symbols_that_call_it() {
    let found = found(&[("ads.yaml", DOCUMENT)], &intent("create a campaign", TypeFilter::All));
    let operation = &found.results[0];
    assert_eq!(
        (operation.kind, operation.name.as_str(), operation.id.as_str(), operation.symbol_kind),
        (ResultType::Doc, "POST /campaigns", "ads.yaml:paths/campaigns/post", Some("operation")),
    );
    assert_eq!((operation.usage_count, operation.line), (Some(4), Some(7)));
    assert_eq!(operation.description, "Create a campaign");
    let handler = found.results.iter().find(|found| found.name.ends_with("create_campaign")).expect("the handler");
    assert!(handler.score > 0.3 && handler.score <= operation.score && operation.score <= 0.95, "{}", handler.score);
    assert!(found.results.is_sorted_by(|a, b| a.score >= b.score));
    assert_eq!(found.meta.total_found, found.meta.symbols_count + found.meta.recipes_count + found.meta.docs_count);
}

#[test]
fn the_name_of_a_result_names_its_operation() {
    let found = found(&[("ads.yaml", DOCUMENT)], &intent("campaign", TypeFilter::Doc));
    assert_eq!(found.meta.docs_count, found.results.len());
    let documents = ApiIndex::read(&memory(&[("ads.yaml", DOCUMENT)])).expect("a source in memory");
    let mut schemas = 0;
    for found in &found.results {
        assert!(documents.chunks.find(&found.id).is_some(), "{}", found.id);
        match found.symbol_kind {
            Some("operation") => assert!(find_operation(&documents.api, &found.name).is_ok(), "{}", found.name),
            kind => {
                assert_eq!(kind, Some("schema"));
                schemas += 1;
            }
        }
    }
    assert!(schemas >= 2, "{schemas}");
}

#[test]
fn without_documents_the_answer_is_that_of_the_corpus_alone() {
    let corpus = corpus(index());
    let symbols = Arc::clone(corpus.symbols());
    for text in ["create a campaign", "xyzzy", "CALLER"] {
        let request = intent(text, TypeFilter::All);
        assert_eq!(found(&[], &request), discover(&corpus, &|_| None, &request).expect("results"));
        let context = Context::new(&symbols, &|_: &str| None);
        let alone = discover::answer(&context, &corpus, &request, 800).expect("an answer");
        let searched = Searched { corpus: &corpus, external: Some(&UsedApis::default()) };
        assert_eq!(discover::answer(&context, searched, &request, 800).expect("an answer").text, alone.text);
    }
}

#[test]
fn a_deprecated_operation_stands_below_one_that_is_not() {
    let document = "openapi: 3.1.0\ninfo: {title: A}\npaths:\n  /old/keys: {get: {summary: List keys, deprecated: true}}\n  \
                    /keys: {get: {summary: List keys}}\n";
    let found = found(&[("a.yaml", document)], &intent("list keys", TypeFilter::Doc));
    let names: Vec<(&str, bool)> = found.results.iter().map(|f| (f.name.as_str(), f.is_deprecated)).collect();
    assert_eq!(names, [("GET /keys", false), ("GET /old/keys", true)]);
    assert!(found.results[1].score < 0.75 * found.results[0].score, "{}", found.results[1].score);
}

#[test]
fn of_several_sources_a_result_names_its_own() {
    let sources = |names: &[&str]| {
        let documents = ApiIndex::read(&linked(names, &[("ads.yaml", DOCUMENT)])).expect("sources in memory");
        let api = UsedApis { documents: Arc::new(documents), ..UsedApis::default() };
        let searched = Searched { corpus: &corpus(index()), external: Some(&api) };
        let found = discover(searched, &|_| None, &intent("create a campaign", TypeFilter::Doc)).expect("results");
        let mut sources: Vec<Option<String>> = found.results.into_iter().map(|found| found.server_id).collect();
        sources.sort();
        sources.dedup();
        sources
    };
    assert_eq!(sources(&["server", "client"]), [Some("client".to_owned()), Some("server".to_owned())]);
    assert_eq!(sources(&["server"]), [None]);
}
