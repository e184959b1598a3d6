//! Two sections of a definition's page: the routes that the definition handles, and its decorators. Both show how code
//! elsewhere comes to run the definition without calling it by name.

use super::{ItemBody, PageItem, PageNameRow, SourcePlace, TextRole, card};
use crate::tui::{model::Catalog, widgets::grouped};
use apidisc::{overview::route_name, program::DefinitionId};

/// The greatest number of routes.
const MAX_ROUTES: usize = 20;

/// The sections of a function, or of a class whose methods handle routes; no row if there is nothing.
pub(super) fn sections(catalog: &Catalog, id: DefinitionId, width: u16, items: &mut Vec<PageItem>) {
    let index = &catalog.index;
    let is_own = |handler: DefinitionId| handler == id || index.definition(handler).parent == Some(id);
    let handled = index.http.routes.iter().enumerate().filter(|(_, route)| route.handler.is_some_and(is_own));
    let routes: Vec<usize> = handled.map(|(at, _)| at).collect();
    if !routes.is_empty() {
        let further = routes.len().saturating_sub(MAX_ROUTES);
        items.extend([PageItem::blank(), PageItem::heading("Registered for routes", grouped(routes.len()))]);
        items.extend(routes.into_iter().take(MAX_ROUTES).map(|at| {
            let route = &index.http.routes[at];
            let note = format!("{}:{}", index.file(route.file).path, route.line);
            let name = PageNameRow { kind: None, name: route_name(index, at), uses: 0, note };
            PageItem::new(ItemBody::Name(name)).shows(SourcePlace::Line(route.file, route.line))
        }));
        if further > 0 {
            items.push(PageItem::dim(format!("… {} more", grouped(further))));
        }
    }
    let decorators = &index.definition(id).decorators;
    if !decorators.is_empty() {
        items.extend([PageItem::blank(), PageItem::heading("Decorated", grouped(decorators.len()))]);
        for text in decorators {
            let text = format!("@{text}");
            let lines = card::wrapped(&text, width.saturating_sub(2));
            items.extend(lines.enumerate().map(|(at, line)| {
                let item = PageItem::new(ItemBody::Text(vec![(format!("  {line}"), TextRole::Text)]));
                if at == 0 { item.shows(SourcePlace::Definition(id)) } else { item }
            }));
        }
    }
}
