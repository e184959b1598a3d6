//! Calls of HTTP APIs and routes with the rows of their definitions.

use super::emit::{Emitter, place_in_file};
use crate::linked::{LinkedRequest, LinkedRoute};
use apidisc_base::sort::SharedSort as _;

impl Emitter<'_> {
    /// The calls of a file that send HTTP requests.
    pub(super) fn emit_requests(&self, file: usize) -> Vec<LinkedRequest> {
        let facts = &self.files[file].facts;
        let places = self.files[file].places.as_deref();
        let mut requests = Vec::with_capacity(self.analysis.requests[file].len());
        for (site, parts) in &self.analysis.requests[file] {
            let site = &facts.calls[site.index()];
            let place = place_in_file(places, site.line);
            requests.push(LinkedRequest {
                line: place.line,
                col: place.column + site.col,
                caller: site.caller.and_then(|def| self.row(self.linker.global_def(file, def))),
                request: parts.clone().request(),
            });
        }
        requests.shared_sort_by_key(|request| (request.line, request.col));
        requests
    }

    /// The routes of a file.
    pub(super) fn emit_routes(&self, file: usize) -> Vec<LinkedRoute> {
        let places = self.files[file].places.as_deref();
        let emit = |route: &super::http_routes::FoundRoute| LinkedRoute {
            line: place_in_file(places, route.line).line,
            method: route.method.clone(),
            path: route.path.clone(),
            handler: route.handler.and_then(|def| self.row(def)),
        };
        self.analysis.routes[file].iter().map(emit).collect()
    }
}
