//! Requests that clients send, and routes that servers hold.
//!
//! | file | content |
//! | --- | --- |
//! | `values` | the values of arguments, as far as literals and constants show them |
//! | `objects` | the client or router that an expression holds |
//! | `calls` | calls that send requests, and calls of functions that wrap one |
//! | `mounts` | where routers and plugins are mounted |
//! | `routes` | routes of Express, Fastify, Koa and Hono |
//! | `nest` | routes of `NestJS` |
//!
//! Which packages hold clients and routers stands in [`crate::http`], for all languages.

mod calls;
mod mounts;
mod nest;
mod objects;
mod routes;
mod values;

use compact_str::CompactString;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    call_sites::ResolvedCall,
    infer::Linker,
    program::{FileIndex, GlobalDef},
    rows::DefinitionRows,
};
use crate::linked::{LinkedRequest, LinkedRoute};

/// The packages whose files are taken for the package itself if they are among the sources.
const PACKAGES: [&str; 8] = ["axios", "ky", "got", "express", "fastify", "hono", "@koa/router", "koa-router"];

/// The files of the sources that the specifiers of known packages name.
fn known_packages<'a>(
    entries: impl Iterator<Item = &'a (CompactString, usize)>,
) -> FxHashMap<FileIndex, CompactString> {
    let known = entries.filter(|(specifier, _)| PACKAGES.contains(&specifier.as_str()));
    known.map(|(specifier, file)| (FileIndex::new(*file), specifier.clone())).collect()
}

/// Reads the requests and routes of a program. The routes come first: they find the plugins.
pub(super) struct HttpReader<'l, 'f> {
    linker: &'l mut Linker<'f>,
    rows: &'l DefinitionRows,
    /// The specifiers of known packages by the files of the sources that they name.
    packages: FxHashMap<FileIndex, CompactString>,
    /// The functions that are registered as plugins of Fastify. Their first parameter is the server.
    plugins: FxHashSet<GlobalDef>,
}

impl<'l, 'f> HttpReader<'l, 'f> {
    /// A reader for a program with these entry points of packages: the specifier and the file of each.
    pub(super) fn new<'a>(
        linker: &'l mut Linker<'f>,
        rows: &'l DefinitionRows,
        entries: impl Iterator<Item = &'a (CompactString, usize)>,
    ) -> Self {
        Self { linker, rows, packages: known_packages(entries), plugins: FxHashSet::default() }
    }

    /// The routes and the requests of all files, with the rows of their handlers and callers.
    pub(super) fn routes_and_requests(
        &mut self,
        resolved: &[Vec<ResolvedCall>],
    ) -> (Vec<Vec<LinkedRoute>>, Vec<Vec<LinkedRequest>>) {
        let routes = self.http_routes(resolved.len());
        (routes, self.http_requests(resolved))
    }
}
