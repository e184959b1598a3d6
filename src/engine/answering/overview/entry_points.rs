//! The entry points of a scope: what examples and documents call first, the functions that run a file, and routes.

use std::cmp::Reverse;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{ReadSource, is_below, programs};
use apidisc_base::sort::SharedSort as _;
use apidisc_facts::{
    program::{DefinitionId, DefinitionKind, FileId},
    source::Origin,
};
use apidisc_indexing::index::{Definition, File, Index, Scope, lists_changes};

/// The greatest number of entry points of one kind.
const MAX_OF_A_KIND: usize = 5;

/// If fewer than one in this many examples begin with the same call, what runs by itself comes first.
const LEAST_AGREEMENT: u32 = 5;
/// So few examples need not agree.
const FEW: u32 = 2;
/// The greatest number of functions whose calls are read.
const MAX_READ: usize = 60;

/// Why a program starts there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// The first call of this many examples and documents, of so many that call the scope at all. Of a package: of
    /// files of the program.
    FirstCall {
        /// The examples and documents that call it first.
        files: u32,
        /// Those that call anything of the scope.
        of: u32,
    },
    /// The function that its file calls at its end: all calls of it stand in the file, outside of functions.
    Script,
    /// The function of a command that installing the program adds, by the name of the command.
    Installed(String),
    /// A file that Python runs as a program: `__main__.py` of a package, `manage.py`.
    Program(FileId),
    /// A script of `package.json` that starts the program: its name and its command line.
    PackageScript(String, String),
    /// A page or a route of Next.js, which the path of its file names.
    Page {
        /// The file.
        file: FileId,
        /// All pages and routes of the scope.
        of: u32,
    },
    /// The handler of a route of an HTTP server.
    Route {
        /// The position of its first route in the table of routes.
        route: usize,
        /// All routes of the scope.
        of: u32,
    },
}

/// A definition that a program starts from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryPoint {
    /// The definition; for a route its handler, if it has a name; `None` for a file and for a script.
    pub id: Option<DefinitionId>,
    /// Why a program starts there.
    pub start: Start,
}

/// The entry points of a scope whose members are `among`.
pub(super) fn entry_points(
    index: &Index,
    scope: Scope,
    among: &FxHashSet<DefinitionId>,
    read: &ReadSource<'_>,
) -> Vec<EntryPoint> {
    let called_first = called_first(index, among);
    if index.is_of_packages() {
        return called_first;
    }
    let started = programs::started(index, scope, read).into_iter();
    let run = started.chain(scripts(index, scope, read)).chain(routes(index, scope));
    // Examples that all begin otherwise do not say where to begin.
    let agree = called_first.first().is_some_and(|entry| match entry.start {
        Start::FirstCall { files, of } => files * LEAST_AGREEMENT >= of && (files > 1 || of <= FEW),
        _ => false,
    });
    if agree { called_first.into_iter().chain(run).collect() } else { run.chain(called_first).collect() }
}

/// The definitions that most examples and documents call first.
fn called_first(index: &Index, among: &FxHashSet<DefinitionId>) -> Vec<EntryPoint> {
    let mut files: FxHashMap<DefinitionId, u32> = FxHashMap::default();
    let mut of = 0;
    for at in 0..index.files.len() {
        let file = &index.files[at];
        // How a library is begun is seen in the code that uses it.
        let teaches = match file.origin {
            Origin::Docs | Origin::Examples => !lists_changes(&file.path),
            Origin::Src => index.is_of_packages(),
            Origin::Tests => false,
        };
        if !teaches {
            continue;
        }
        let calls = index.calls_of_file(FileId::new(at)).map(|at| &index.calls[at]);
        let mut called = calls.filter_map(|call| call.resolution.definition()).filter_map(|id| owner(index, id, among));
        if let Some(id) = called.next() {
            of += 1;
            *files.entry(id).or_default() += 1;
        }
    }
    let mut found: Vec<(DefinitionId, u32)> = files.into_iter().collect();
    found.shared_sort_by_key(|&(id, files)| (Reverse(files), id));
    let found = found.into_iter().take(MAX_OF_A_KIND);
    found.map(|(id, files)| EntryPoint { id: Some(id), start: Start::FirstCall { files, of } }).collect()
}

/// The member of the scope that a called definition is, or belongs to.
fn owner(index: &Index, id: DefinitionId, among: &FxHashSet<DefinitionId>) -> Option<DefinitionId> {
    let own = Some(id).filter(|id| among.contains(id));
    own.or_else(|| index.definition(id).parent.filter(|parent| among.contains(parent)))
}

/// The functions that only their own file calls, outside of functions and without keeping a result: `main` of a script.
/// Tests, examples and hidden folders are left out; files with the shortest paths come first.
fn scripts(index: &Index, scope: Scope, read: &ReadSource<'_>) -> Vec<EntryPoint> {
    let is_source = |file: FileId| {
        let is_visible = |file: &File| {
            file.origin == Origin::Src && !file.is_document() && !file.path.split('/').any(|part| part.starts_with('.'))
        };
        index.files.get(file.index()).is_some_and(is_visible) && !index.is_quoted_code(file)
    };
    let is_script = |(id, definition): &(DefinitionId, &Definition)| {
        let [call] = definition.usage.calls[..] else { return false };
        let call = index.call(call);
        definition.kind == DefinitionKind::Function
            && definition.parent.is_none()
            && call.caller.is_none()
            && call.file == definition.place.file
            && index.calls.arguments(call).is_empty()
            && is_source(call.file)
            && is_below(index, scope, definition.module)
            && calls_something(index, *id)
    };
    let mut ids: Vec<DefinitionId> = index.definitions_with_ids().filter(is_script).map(|(id, _)| id).collect();
    let path = |id: DefinitionId| &index.file(index.definition(id).place.file).path;
    ids.shared_sort_by_key(|&id| (path(id).matches('/').count(), path(id), id));
    let run = ids.into_iter().take(MAX_READ).filter(|id| drops_result(index, *id, read).unwrap_or(false));
    run.take(MAX_OF_A_KIND).map(|id| EntryPoint { id: Some(id), start: Start::Script }).collect()
}

/// True if the line of the only call of a function keeps no result: `main()`, `sys.exit(main())`.
fn drops_result(index: &Index, id: DefinitionId, read: &ReadSource<'_>) -> Option<bool> {
    let call = index.call(*index.usage(id).calls.first()?);
    let text = read(&index.file(call.file).path)?.source;
    let line = text.lines().nth(call.line.checked_sub(1)? as usize)?;
    let before = line.get(..call.col as usize)?;
    let compared = ["===", "!==", "==", "!=", "<=", ">="];
    let before = compared.iter().fold(before.to_owned(), |text, operator| text.replace(operator, ""));
    Some(!before.contains('=') && !before.trim_start().starts_with("export"))
}

/// True if the body of a function calls anything.
fn calls_something(index: &Index, id: DefinitionId) -> bool {
    let file = index.definition(id).place.file;
    index.calls_of_file(file).any(|at| index.calls[at].caller == Some(id))
}

/// The first routes of the HTTP servers of a scope.
fn routes(index: &Index, scope: Scope) -> Vec<EntryPoint> {
    let is_own = |file: FileId| {
        let file = index.file(file);
        file.origin == Origin::Src && is_below(index, scope, file.module)
    };
    let routes: Vec<usize> = (0..index.http.routes.len()).filter(|at| is_own(index.http.routes[*at].file)).collect();
    let of = routes.len() as u32;
    let first = routes.into_iter().take(MAX_OF_A_KIND);
    first.map(|route| EntryPoint { id: index.http.routes[route].handler, start: Start::Route { route, of } }).collect()
}

/// The name of a file's page or route in Next.js, or of its program in Python.
fn name_of_file(index: &Index, file: FileId) -> String {
    let path = &index.file(file).path;
    programs::page_name(path).unwrap_or_else(|| programs::program_name(index, file))
}

/// The method and path of a route: `GET /items/{id}`.
pub fn route_name(index: &Index, route: usize) -> String {
    let route = &index.http.routes[route];
    match &route.method {
        Some(method) => format!("{method} {}", route.path),
        None => route.path.to_string(),
    }
}

impl EntryPoint {
    /// The name of what is started, if it is no definition.
    pub fn name(&self, index: &Index) -> Option<String> {
        match &self.start {
            Start::FirstCall { .. } | Start::Script | Start::Installed(_) => None,
            Start::Program(file) | Start::Page { file, .. } => Some(name_of_file(index, *file)),
            Start::PackageScript(name, _) => {
                Some(if name == "start" { "npm start".into() } else { format!("npm run {name}") })
            }
            Start::Route { route, .. } => Some(route_name(index, *route)),
        }
    }

    /// The file that is started.
    pub fn file(&self) -> Option<FileId> {
        match self.start {
            Start::Program(file) | Start::Page { file, .. } => Some(file),
            _ => None,
        }
    }

    /// Why a program starts there, in words.
    pub fn why(&self, index: &Index) -> String {
        match &self.start {
            Start::FirstCall { files, of } if index.is_of_packages() => {
                format!("the first call in {files} of {of} files")
            }
            Start::FirstCall { files, of } => format!("the first call in {files} of {of} examples and documents"),
            Start::Script => {
                let file = self.id.and_then(|id| index.files.get(index.definition(id).place.file.index()));
                file.map_or_else(|| "run by its file".to_owned(), |file| format!("run by {}", file.path))
            }
            Start::Installed(name) => format!("the command {name}"),
            Start::Program(file) => index.file(*file).path.to_string(),
            Start::PackageScript(_, runs) => format!("runs {runs}"),
            Start::Page { of: 1, .. } => "the only page or route of Next.js".to_owned(),
            Start::Page { of, .. } => format!("one of {of} pages and routes of Next.js"),
            Start::Route { of, .. } => format!("one of {of} routes"),
        }
    }
}
