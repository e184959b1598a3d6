//! The page as a whole: its head, the start page, the list of symbols, and an article for each symbol.

use std::collections::BTreeSet;

use super::{
    html::Html,
    symbols::{article, uses},
};
use apidisc::{
    answers::{QuotedRow, RepoOverview, symbol_hash},
    first_call::FirstCalls,
    index::{Index, Scope},
    language::QualifiedName,
    program::DefinitionId,
};

/// The size of all articles in bytes from which on further ones are short: their symbols are the least used ones.
const WHOLE_BYTES: usize = 1_200_000;

/// The page of an index as HTML, with the `most` used public symbols. `name` is what the page is about.
pub(super) fn page(
    name: &str,
    index: &Index,
    overview: &RepoOverview,
    first_calls: &mut FirstCalls<'_>,
    most: usize,
) -> String {
    let mut symbols = index.members(Scope::Repository);
    symbols.sort_by_cached_key(|id| std::cmp::Reverse(uses(index, *id)));
    let all = symbols.len();
    symbols.truncate(most);
    let mut html = Html::default();
    head(&mut html, name);
    list(&mut html, index, &symbols, all);
    html.markup("<main>\n");
    let shown: BTreeSet<String> = symbols.iter().map(|id| symbol_hash(&index.definition(*id).fqn)).collect();
    start(&mut html, name, overview, &shown);
    html.markup("<section aria-label=\"Symbols\">\n<h2>Symbols</h2>\n");
    let before = html.len();
    for id in symbols {
        let is_whole = html.len() - before < WHOLE_BYTES;
        article(&mut html, index, is_whole.then_some(&mut *first_calls), id);
    }
    html.markup("</section>\n</main>\n<script>\n").markup(include_str!("page.js")).markup("</script>\n</html>\n");
    html.into_string()
}

/// Nothing is loaded from elsewhere, whatever a repository writes.
fn head(html: &mut Html, name: &str) {
    html.markup("<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n");
    html.markup("<meta name=\"viewport\" content=\"width=device-width\">\n");
    html.markup("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; ");
    html.markup("style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n<title>").text(name);
    html.markup(": the API as it is used</title>\n<style>\n").markup(include_str!("page.css")).markup("</style>\n");
}

/// The symbols with their uses, and the field that searches their names.
fn list(html: &mut Html, index: &Index, symbols: &[DefinitionId], all: usize) {
    html.markup("<nav aria-label=\"Symbols\">\n<input type=\"search\" id=\"query\" aria-label=\"Find a symbol\" ");
    html.markup("placeholder=\"Find a symbol  /\">\n<ol id=\"symbols\">\n");
    for id in symbols {
        let definition = index.definition(*id);
        let module = QualifiedName::new(&definition.alias, definition.language).container_and_name().0;
        html.markup("<li><a href=\"#s-").text(&symbol_hash(&definition.fqn)).markup("\" title=\"");
        html.text(module).markup("\">").element("code", definition.public_name());
        html.markup("<small>").text(&uses(index, *id).to_string()).markup("</small></a>\n");
    }
    html.markup("</ol>\n");
    if all > symbols.len() {
        html.markup("<p class=dim>").text(&(all - symbols.len()).to_string()).markup(" less used ones left out\n");
    }
    html.markup("</nav>\n");
}

/// What a reader should see first: the answer of `get_repo_overview`. `shown` are the hashes of symbols with articles.
fn start(html: &mut Html, name: &str, overview: &RepoOverview, shown: &BTreeSet<String>) {
    html.element("h1", name).markup("<p class=dim>");
    let RepoOverview { definitions, files, resolved_calls, internal_calls, .. } = overview;
    html.text(&format!(
        "{definitions} definitions in {files} files; {resolved_calls} of {internal_calls} calls resolved"
    ));
    html.markup("\n");
    for line in overview.summary.iter().flat_map(|summary| &summary.lines) {
        html.element("p", line).markup("\n");
    }
    quoted(html, "First example", overview.example.as_ref());
    if !overview.entry_points.is_empty() {
        html.markup("<h2>Starts from</h2>\n<ul>\n");
        for entry in &overview.entry_points {
            html.markup("<li>").element("code", &entry.name).markup(" <small>").text(&entry.why);
            html.markup("</small>\n");
        }
        html.markup("</ul>\n");
    }
    if !overview.concepts.is_empty() {
        html.markup("<h2>Concepts</h2>\n<dl>\n");
        for concept in &overview.concepts {
            html.markup("<dt>");
            if shown.contains(&concept.symbol.hash) {
                html.markup("<a href=\"#s-").text(&concept.symbol.hash).markup("\">");
                html.element("code", &concept.symbol.alias).markup("</a>");
            } else {
                html.element("code", &concept.symbol.alias);
            }
            html.markup(" <small>").text(&concept.uses.to_string());
            html.markup(" uses</small></dt>\n<dd>").text(concept.symbol.summary.as_deref().unwrap_or_default());
            related(html, "made by", &concept.made_by);
            related(html, "passed to", &concept.passed_to);
            html.markup("</dd>\n");
        }
        html.markup("</dl>\n");
    }
    if !overview.top_modules.is_empty() {
        html.markup("<details><summary>Modules</summary>\n<ul>\n");
        for module in &overview.top_modules {
            html.markup("<li>").element("code", &module.fqn).markup(" <small>");
            html.text(&(module.calls + module.reads).to_string()).markup(" uses</small>\n");
        }
        html.markup("</ul></details>\n");
    }
    if !overview.deprecated.is_empty() {
        html.markup("<h2>Deprecated</h2>\n<ul>\n");
        for row in &overview.deprecated {
            html.markup("<li>").element("code", &row.name).markup(" ").text(&row.message).markup("\n");
        }
        html.markup("</ul>\n");
    }
    if let Some(changes) = &overview.changes {
        html.markup("<h2>Newest changes</h2>\n");
        for line in &changes.lines {
            html.element("p", line).markup("\n");
        }
    }
}

fn related(html: &mut Html, words: &'static str, names: &[String]) {
    if !names.is_empty() {
        html.markup("<div><small>").markup(words).markup(" ").text(&names.join(", ")).markup("</small></div>");
    }
}

fn quoted(html: &mut Html, title: &'static str, quoted: Option<&QuotedRow>) {
    let Some(quoted) = quoted else { return };
    html.markup("<h2>").markup(title).markup("</h2>\n").code_block(quoted.lines.iter().map(String::as_str));
    if let Some(place) = &quoted.place {
        html.markup("<p class=dim>").text(place).markup("\n");
    }
}
