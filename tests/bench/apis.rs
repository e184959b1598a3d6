//! API documents: their size in chunks and references, time and memory beside a plain parse, and how well the summary
//! of an operation finds it in an index without summaries.
//!
//! `cargo bench --bench apis -- PATH…`, each a folder or a file.

use std::{collections::VecDeque, fs, path::Path, time::Instant};

use apidisc::{
    openapi::{ApiDocuments, ApiIndex, ChunkKind, rank_chunks},
    source::Source,
};

/// The number of times that each side of a comparison is measured, in turns.
const ROUNDS: usize = 5;

fn main() {
    let paths: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    for path in &paths {
        measure(Path::new(path));
    }
    if paths.is_empty() {
        println!("name API documents: cargo bench --bench apis -- PATH…");
    }
}

fn measure(path: &Path) {
    let source = Source::Folder(path.to_owned());
    let index = ApiIndex::read(&source).expect("documents");
    let api = &index.api;
    let folder = if path.is_file() { path.parent().unwrap_or(path) } else { path };
    let (mut ours, mut plain) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let read = ApiIndex::read(&source).expect("documents");
        ours = ours.min(start.elapsed().as_secs_f64());
        drop(read);
        plain = plain.min(parse(folder, api));
    }
    let operations = api.operations().filter(|(_, operation)| !operation.is_webhook).count();
    let webhooks = api.operations().count() - operations;
    let schemas =
        api.documents.iter().flat_map(|document| &document.components).filter(|c| c.kind == "schemas").count();
    let components: usize = api.documents.iter().map(|document| document.components.len()).sum();
    let references: usize = index.chunks.all().iter().map(|chunk| chunk.references.len()).sum();
    println!("{}", path.display());
    println!(
        "  {} documents, {} files, {operations} operations, {webhooks} webhooks, {components} components, {schemas} schemas",
        api.documents.len(),
        api.files.iter().count()
    );
    let (depth, reached) = deepest(&index);
    println!(
        "  {} chunks, {references} edges, deepest expansion {depth}, most chunks of an operation {reached}, {} problems",
        index.chunks.all().len(),
        api.diagnostics.len()
    );
    println!(
        "  {:.1} ms, a plain parse {:.1} ms: {:.2} times (the best of {ROUNDS} each)",
        ours * 1e3,
        plain * 1e3,
        ours / plain
    );
    for problem in api.diagnostics.iter().take(3) {
        println!("  {problem}");
    }
    let held_out = ApiIndex::with(ApiDocuments::read(&source).expect("documents"), false);
    retrieval(&held_out);
}

/// The seconds that a plain parse of the same files takes. They are parsed one after the other and held until the end,
/// as the values of the index are.
fn parse(folder: &Path, api: &ApiDocuments) -> f64 {
    let start = Instant::now();
    let (mut json, mut yaml) = (Vec::new(), Vec::new());
    for (_, file) in api.files.iter() {
        let text = fs::read_to_string(folder.join(&file.path)).unwrap_or_default();
        if file.path.ends_with(".json") {
            json.extend(serde_json::from_str::<serde_json::Value>(&text).ok());
        } else {
            yaml.extend(serde_yaml::from_str::<serde_yaml::Value>(&text).ok());
        }
    }
    start.elapsed().as_secs_f64()
}

/// The greatest depth of the expansion of an operation, and the most chunks that one reaches.
fn deepest(index: &ApiIndex) -> (usize, usize) {
    let chunks = index.chunks.all();
    let mut most = (0, 0);
    for (at, _) in
        chunks.iter().enumerate().filter(|(_, c)| matches!(c.kind, ChunkKind::Operation | ChunkKind::Webhook))
    {
        let mut depths = vec![usize::MAX; chunks.len()];
        depths[at] = 0;
        let mut waiting = VecDeque::from([at]);
        let mut reached = 0;
        while let Some(at) = waiting.pop_front() {
            reached += 1;
            most.0 = most.0.max(depths[at]);
            for to in chunks[at].references.iter().map(|to| *to as usize) {
                if depths[to] == usize::MAX {
                    depths[to] = depths[at] + 1;
                    waiting.push_back(to);
                }
            }
        }
        most.1 = most.1.max(reached);
    }
    most
}

/// Asks for each operation with its summary, and prints how far up it stands: among all chunks, and among operations.
fn retrieval(index: &ApiIndex) {
    let (mut asked, mut first, mut all, mut among) = (0, 0, 0.0, 0.0);
    for (document, operation) in index.api.operations().filter(|(_, operation)| !operation.is_webhook) {
        let Some(summary) = &operation.summary else { continue };
        let id = apidisc::openapi::operation_id(&index.api.files.file(document.file).path, operation);
        let Some(wanted) = index.chunks.find(&id) else { continue };
        let ranked = rank_chunks(index, summary);
        asked += 1;
        let Some(place) = ranked.iter().position(|at| *at == wanted) else { continue };
        let is_operation = |at: &&u32| index.chunks.chunk(**at).kind == ChunkKind::Operation;
        let among_operations = ranked[..place].iter().filter(is_operation).count();
        first += usize::from(among_operations == 0);
        all += 1.0 / (place + 1) as f64;
        among += 1.0 / (among_operations + 1) as f64;
    }
    let count = f64::from(asked.max(1));
    println!(
        "  {asked} summaries: MRR among operations {:.3} (first {:.3}), among all chunks {:.3}",
        among / count,
        first as f64 / count,
        all / count
    );
}
