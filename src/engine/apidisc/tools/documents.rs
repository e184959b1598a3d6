//! `search_chunks` and `get_chunks`: API documents.

use apidisc_apis::{
    http::UsedApis,
    openapi::{self, GetChunks, MAX_CHUNKS, MAX_DEPTH, MAX_FOUND, SearchChunks},
};
use apidisc_tokens::Encoding;

use super::{CheckedCall, Kind, Parameter, Tool, ToolAnswer, problem, symbols};

pub(super) const SEARCH_CHUNKS: Tool = Tool {
    name: "search_chunks",
    title: "Search API documents",
    description: "Finds operations, schemas and other parts of the OpenAPI documents by words, operation ids, paths or \
                  names of schemas, best first; about 30 tokens each. get_chunks gives their content.",
    parameters: &[
        Parameter::required("query", Kind::Text, "Words, an operation id, or POST /path")
            .or(&["intent", "name", "q", "text"]),
        Parameter::optional(
            "max_chunks",
            Kind::Number { least: 1, most: MAX_FOUND as u64, default: 25 },
            "The most results",
        )
        .or(&["limit"]),
        Parameter::optional("file_filter", Kind::Text, "Only files whose path has this part").or(&["file"]),
        Parameter::optional("include_references", Kind::Flag, "Name what each refers to"),
        symbols::budget(2_000),
    ],
    is_usual: false,
    answer: |call| {
        let request: SearchChunks = call.arguments.request()?;
        let answer = openapi::search_chunks(&apis(call)?.documents, &request, Encoding::default());
        let apidisc_answering::answers::Answer { text, tokens, data, .. } =
            answer.map_err(|error| problem::of_answer(&error))?;
        let names = data.chunks.into_iter().map(|chunk| chunk.chunk_id).collect();
        Ok(ToolAnswer { text, tokens: Some(tokens), names, ..ToolAnswer::default() })
    },
};

pub(super) const GET_CHUNKS: Tool = Tool {
    name: "get_chunks",
    title: "Parts of API documents",
    description: "Parts of the OpenAPI documents by the ids that search_chunks gives, with the schemas and other parts \
                  to which they refer, breadth first. expand_depth 0 gives these parts \
                  alone.",
    parameters: &[
        Parameter::required("chunk_ids", Kind::Texts { most: 100 }, "Ids").or(&["chunk_id", "ids", "id"]),
        Parameter::optional(
            "expand_depth",
            Kind::Number { least: 0, most: MAX_DEPTH as u64, default: 3 },
            "References to follow",
        )
        .or(&["depth"]),
        Parameter::optional(
            "max_total_chunks",
            Kind::Number { least: 1, most: MAX_CHUNKS as u64, default: 100 },
            "The most parts",
        )
        .or(&["limit"]),
        symbols::budget(10_000),
    ],
    is_usual: false,
    answer: |call| {
        let request: GetChunks = call.arguments.request()?;
        let answer = openapi::get_chunks(&apis(call)?.documents, &request, Encoding::default());
        let apidisc_answering::answers::Answer { text, tokens, data, .. } =
            answer.map_err(|error| problem::of_answer(&error))?;
        let chunks = data.requested_chunks.into_iter().chain(data.expanded_chunks);
        let names = chunks.map(|chunk| chunk.chunk_id).collect();
        Ok(ToolAnswer { text, tokens: Some(tokens), names, ..ToolAnswer::default() })
    },
};

/// True for a tool that is listed only if there are API documents.
pub(super) fn needs_documents(tool: &Tool) -> bool {
    [SEARCH_CHUNKS.name, GET_CHUNKS.name].contains(&tool.name)
}

/// The API documents.
///
/// # Errors
/// A message if there are none.
fn apis(call: &CheckedCall<'_>) -> Result<UsedApis, String> {
    let apis = call.data.apis()?;
    if apis.documents.api.is_empty() {
        return Err("there are no OpenAPI documents here; `--docs DIR` names a folder that has some".to_owned());
    }
    Ok(apis)
}
