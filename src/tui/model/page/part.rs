//! The page of a part of API documents: its name and description, its calls and its handler in the code, its arguments
//! with bars, the parts to which it refers, and those that refer to it.

use super::{ItemBody, PageItem, PageSubject, ShareRow, SourcePlace, TextRole, card, words};
use crate::tui::{
    model::{ApiPart, Catalog, PartKind, Topic, legend, shown, without_links},
    widgets::{grouped, width as text_width},
};
use apidisc::{
    http::OperationArgument,
    openapi::{ChunkKind, Operation},
    program::HttpCall,
};

/// The greatest number of rows of a section.
const MAX_ROWS: usize = 1_000;
/// Up to this number of arguments, all of them are listed. Of more, those inside of other arguments are listed only if
/// calls pass them: a schema that refers to a dozen others has hundreds of arguments, and the section of references
/// leads to those schemas.
const MAX_WITH_INNER: usize = 60;
/// The greatest width of the column of names.
const MAX_NAME_WIDTH: usize = 28;
/// The greatest number of lines of a description.
const MAX_LINES: usize = 12;
/// The greatest length of a description that is wrapped into lines, in characters.
const MAX_TEXT: usize = 4_000;

/// All rows of the page. `arguments` are `None` until they are read.
pub(super) fn items(
    catalog: &Catalog,
    part: &ApiPart,
    arguments: Option<&[OperationArgument]>,
    width: u16,
) -> Vec<PageItem> {
    let mut items = head(part, width);
    let operation = part.api.operation(part.at);
    if operation.is_some() {
        uses(catalog, part, &mut items);
    }
    self::arguments(part, arguments, &mut items);
    calls(catalog, part, &mut items);
    if let Some(operation) = operation {
        responses(operation, &mut items);
    }
    if part.chunk().kind == ChunkKind::Info {
        contents(part, &mut items);
    }
    section(part, "Refers to", part.api.references(part.at), &mut items);
    section(part, "Referred to by", part.api.referrers(part.at), &mut items);
    items
}

/// The rows of the preview beside the finder.
pub(in crate::tui) fn preview(part: &ApiPart, width: u16) -> Vec<PageItem> {
    let mut items = head(part, width);
    section(part, "Refers to", part.api.references(part.at), &mut items);
    items
}

/// The rows with the kind, name, place and description of the part; for a whole document, title, server and description
/// of the API.
fn head(part: &ApiPart, width: u16) -> Vec<PageItem> {
    let api = &part.api;
    let chunk = part.chunk();
    let name = vec![(format!("{} ", part.word()), TextRole::Dim), (part.name(), TextRole::Text)];
    let file = &api.apis.documents.api.files.file(chunk.place.file).path;
    let line = api.apis.documents.api.files.node(&chunk.place).map_or(1, |node| node.line);
    let place = SourcePlace::Part(part.at);
    let place = PageItem::dim(format!("{}:{line}", shown(file))).shows(place);
    let mut items = vec![PageItem::new(ItemBody::Text(name)), place];
    let (mut texts, mut is_deprecated) = (vec![api.note(part.at)], false);
    if let Some(operation) = api.operation(part.at) {
        is_deprecated = operation.is_deprecated;
        texts.extend(operation.description.as_deref().map(beginning));
    }
    if let Some(document) = chunk.document.filter(|_| chunk.kind == ChunkKind::Info) {
        let document = &api.apis.documents.api.documents[document];
        texts = vec![format!("{} {}", document.title, document.api_version)];
        texts.extend(document.servers.first().cloned());
        texts.extend(document.description.as_deref().map(beginning));
    }
    if is_deprecated {
        items.push(PageItem::new(ItemBody::Text(vec![("deprecated".to_owned(), TextRole::Required)])));
    }
    texts.dedup();
    for text in texts.iter().filter(|text| !text.trim().is_empty()) {
        let lines = text.lines().flat_map(|line| card::wrapped(line, width).collect::<Vec<_>>());
        items.extend(lines.take(MAX_LINES).map(PageItem::dim));
    }
    items
}

/// The beginning of a description, without the targets of its links.
fn beginning(text: &str) -> String {
    without_links(text).chars().take(MAX_TEXT).collect()
}

/// True if the calls of the documents were counted in the index of this catalogue.
fn is_of(catalog: &Catalog, part: &ApiPart) -> bool {
    part.api.code_generation == catalog.generation
}

/// The section of the uses of an operation: the number of its calls, and the function that handles its requests.
fn uses(catalog: &Catalog, part: &ApiPart, items: &mut Vec<PageItem>) {
    let (calls, route) = part.api.uses(part.at).map_or((0, None), |uses| (uses.total_calls, uses.route));
    let number = if calls == 0 { "not called".to_owned() } else { words::calls(calls) };
    items.extend([PageItem::blank(), PageItem::heading("Used", number)]);
    let code = &part.api.code;
    let Some(route) = route.and_then(|at| code.http.routes.get(at as usize)) else { return };
    let place = format!("{}:{}", code.file(route.file).path, route.line);
    let mut row = vec![("handler ".to_owned(), TextRole::Dim)];
    row.extend(route.handler.map(|id| (format!("{}  ", code.definition(id).alias), TextRole::Text)));
    row.push((place, TextRole::Dim));
    let item = PageItem::new(ItemBody::Text(row));
    items.push(match route.handler {
        _ if !is_of(catalog, part) => item,
        Some(id) => item.link_to(Topic::Definition(id)).shows(SourcePlace::Definition(id)),
        None => item.shows(SourcePlace::Line(route.file, route.line)),
    });
}

/// The section of parameters and properties.
fn arguments(part: &ApiPart, arguments: Option<&[OperationArgument]>, items: &mut Vec<PageItem>) {
    let Some(arguments) = arguments.filter(|arguments| !arguments.is_empty()) else { return };
    let is_counted = part.api.calls(part.at) > 0;
    let title = if part.kind() == PartKind::Schema { "Properties" } else { "Arguments" };
    items.extend([PageItem::blank(), PageItem::heading(title, grouped(arguments.len()))]);
    let is_short = arguments.len() <= MAX_WITH_INNER;
    let is_listed = |argument: &&OperationArgument| is_short || argument.depth == 0 || argument.count > 0;
    let listed: Vec<&OperationArgument> = arguments.iter().filter(is_listed).collect();
    let widths = Widths::of(&listed);
    for argument in listed.iter().take(MAX_ROWS) {
        items.push(if is_counted { share(argument) } else { plain(argument, widths) });
    }
    more(listed.len(), items);
    if listed.len() < arguments.len() {
        let inner = grouped(arguments.len() - listed.len());
        items.push(PageItem::dim(format!("… {inner} inside of these, which the list of arguments shows")));
    }
}

/// The widths of the columns of arguments without bars.
#[derive(Clone, Copy)]
struct Widths {
    name: usize,
    part: usize,
}

impl Widths {
    fn of(arguments: &[&OperationArgument]) -> Self {
        let names = arguments.iter().map(|argument| text_width(&indented(argument)));
        let parts = arguments.iter().filter_map(|argument| argument.part).map(str::len);
        Self { name: names.max().unwrap_or_default().min(MAX_NAME_WIDTH), part: parts.max().unwrap_or_default() }
    }
}

/// The name of an argument, indented by the objects around it.
fn indented(argument: &OperationArgument) -> String {
    format!("{}{}", "  ".repeat(argument.depth), shown(&argument.name))
}

/// An argument with a bar.
fn share(argument: &OperationArgument) -> PageItem {
    PageItem::share(ShareRow {
        name: indented(argument),
        role: if argument.is_required { TextRole::Required } else { TextRole::Text },
        part: argument.count,
        whole: argument.known.unwrap_or_default(),
        is_unseen: argument.known == Some(0),
        note: typed(argument, 0),
    })
}

/// An argument without a bar.
fn plain(argument: &OperationArgument, widths: Widths) -> PageItem {
    let mark = if argument.is_required { legend::REQUIRED } else { " " };
    let name = indented(argument);
    let room = " ".repeat(widths.name.saturating_sub(text_width(&name)));
    PageItem::new(ItemBody::Text(vec![
        (format!("{mark} "), TextRole::Required),
        (name, TextRole::Text),
        (format!("{room}  {}", typed(argument, widths.part)), TextRole::Dim),
    ]))
}

/// The part of the request in a column of this width, the type with its default, and the description of the argument in
/// the document.
fn typed(argument: &OperationArgument, width: usize) -> String {
    let mut text = argument.part.map(|part| format!("{part:width$}  ")).unwrap_or_default();
    text.push_str(&shown(&argument.type_text));
    if let Some(default) = &argument.default {
        text.push_str(" = ");
        text.push_str(&shown(default));
    }
    if let Some(description) = &argument.description {
        text.push_str("  ");
        text.push_str(&shown(&without_links(description)));
    }
    text
}

/// The section of the calls of an operation, in the order of their places.
fn calls(catalog: &Catalog, part: &ApiPart, items: &mut Vec<PageItem>) {
    let code = &part.api.code;
    let positions = part.api.uses(part.at).map_or(&[][..], |uses| &uses.calls);
    if positions.is_empty() {
        return;
    }
    items.extend([PageItem::blank(), PageItem::heading("Calls", grouped(positions.len()))]);
    let row = |call: &HttpCall| {
        let place = format!("{}:{}", code.file(call.file).path, call.line);
        let caller = call.caller.map(|id| (format!("  in {}", code.definition(id).alias), TextRole::Dim));
        let row = std::iter::once((place, TextRole::Text)).chain(caller).collect();
        let item = PageItem::new(ItemBody::Text(row));
        if !is_of(catalog, part) {
            return item;
        }
        let item = item.shows(SourcePlace::Line(call.file, call.line));
        match call.caller {
            Some(caller) => item.link_to(Topic::Definition(caller)),
            None => item,
        }
    };
    items.extend(positions.iter().take(MAX_ROWS).filter_map(|at| code.http.calls.get(*at as usize)).map(row));
    more(positions.len(), items);
}

/// The section of responses.
fn responses(operation: &Operation, items: &mut Vec<PageItem>) {
    if operation.responses.is_empty() {
        return;
    }
    items.extend([PageItem::blank(), PageItem::heading("Responses", grouped(operation.responses.len()))]);
    items.extend(operation.responses.iter().take(MAX_ROWS).map(|response| {
        let description = response.description.as_deref().map(|text| shown(&without_links(text)));
        let description = description.unwrap_or_default();
        PageItem::new(ItemBody::Text(vec![
            (shown(&response.status), TextRole::Value),
            (format!("  {description}"), TextRole::Dim),
        ]))
    }));
}

/// The sections of the parts that a document lists.
fn contents(part: &ApiPart, items: &mut Vec<PageItem>) {
    let module = part.chunk().document.and_then(|document| part.api.modules.get(document));
    let parts = module.map_or(&[][..], |module| &module.parts);
    for kind in PartKind::LISTED {
        let of_kind: Vec<u32> = parts.iter().copied().filter(|at| part.other(*at).kind() == kind).collect();
        section(part, legend::plural(kind), &of_kind, items);
    }
}

/// A section with a row for each of some other parts. Each row leads to the page of its part.
fn section(part: &ApiPart, title: &str, others: &[u32], items: &mut Vec<PageItem>) {
    if others.is_empty() {
        return;
    }
    items.extend([PageItem::blank(), PageItem::heading(title, grouped(others.len()))]);
    items.extend(others.iter().take(MAX_ROWS).map(|at| {
        let other = part.other(*at);
        let mut note = other.api.note(*at);
        let calls = other.api.calls(*at);
        if calls > 0 {
            note = format!("{} · {note}", words::calls(calls));
        }
        let item = PageItem::new(ItemBody::Text(vec![
            (format!("{} ", legend::part_sign(other.kind())), TextRole::Value),
            (other.name(), TextRole::Text),
            (format!("  {note}"), TextRole::Dim),
        ]));
        PageItem { link: Some(PageSubject::Part(other)), ..item }.shows(SourcePlace::Part(*at))
    }));
    more(others.len(), items);
}

/// The row with the number of rows that a section has left out.
fn more(all: usize, items: &mut Vec<PageItem>) {
    if all > MAX_ROWS {
        items.push(PageItem::dim(format!("… {} more", grouped(all - MAX_ROWS))));
    }
}
