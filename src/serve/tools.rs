//! The tools of the server: those of [`apidisc::tools`], which answer from the present index.
//!
//! Every tool can be called. By default only the usual ones are listed, since a model chooses better among few;
//! `--tools` lists others. The list has a fixed order, so clients always get the same bytes.

use std::{sync::Arc, time::Duration};

use anyhow::bail;
use apidisc::{
    StubRequest,
    answers::{Context, Held, SymbolTable},
    delivery::Delivery,
    discover::Corpus,
    http::UsedApis,
    index::Index,
    overrides::Overrides,
    packages::Dependency,
    source,
    tools::{
        self, DEPRECATED,
        packages::{self, TwoSides},
        problem,
        upgrade::CheckedUpgrade,
    },
};
use rmcp::model::{JsonObject, Tool as ProtocolTool, ToolAnnotations};
use serde_json::Value;
use tokio::runtime::Handle;

use super::{
    served_index::{ServedIndex, Snapshot},
    served_packages::{Asker, ServedPackages},
    served_upgrade,
};
use crate::live::{self, IndexedContents, PackerKey};

pub(super) use apidisc::tools::{
    ALL, Arguments, Kind, MAX_TOKENS, Parameter, ROUTE, Tool, ToolAnswer, USUAL_BUDGET, beginning, count,
};

/// The parameter for an answer that the session holds.
pub(super) const AGAIN: &str = "again";
/// The parameter for the handle of the session.
pub(super) const SESSION: &str = "session";

/// The parameters of every tool. Over stdio the process is the session, so [`SESSION`] is not listed there.
const SHARED: &[Parameter] = &[
    Parameter::optional(AGAIN, Kind::Flag, "Repeat what the session holds unchanged"),
    Parameter::optional(SESSION, Kind::Text, "The session: a handle, or new"),
];

/// The tools that are listed.
pub(super) struct Tools {
    without_documents: Vec<ProtocolTool>,
    beside_documents: Vec<ProtocolTool>,
}

impl Tools {
    /// Lists the tools with these names: the usual ones if there is no name, all of them if one name is `all`. Those
    /// for API documents are among them if there are documents, or by their names.
    ///
    /// # Errors
    /// If a name is unknown.
    pub(super) fn listing(names: &[String], over_http: bool) -> anyhow::Result<Self> {
        if let Some(unknown) = names.iter().find(|name| *name != "all" && find(name).is_err()) {
            bail!("there is no tool `{}`; there are all, {}", beginning(unknown), all_names());
        }
        let is_listed = |tool: &Tool, documents: bool| match names {
            [] => tool.is_usual || (documents && tool.needs_documents()),
            names => {
                names.iter().any(|name| name == tool.name || (name == "all" && (documents || !tool.needs_documents())))
            }
        };
        let listed = |documents: bool| {
            let tools = ALL.iter().filter(|tool| is_listed(tool, documents));
            tools.map(|tool| for_protocol(tool, over_http)).collect()
        };
        Ok(Self { without_documents: listed(false), beside_documents: listed(true) })
    }

    /// The tools that are listed if there are API documents, or if there are none.
    pub(super) fn listed(&self, has_documents: bool) -> &[ProtocolTool] {
        if has_documents { &self.beside_documents } else { &self.without_documents }
    }
}

/// The tool with this name, listed or not. Deprecated tools are found too, though no list has them.
///
/// # Errors
/// A message with the names of all tools.
pub(super) fn find(name: &str) -> Result<&'static Tool, String> {
    ALL.iter()
        .chain(DEPRECATED)
        .find(|tool| tool.name == name)
        .ok_or_else(|| format!("there is no tool `{}`; there are {}", beginning(name), all_names()))
}

fn all_names() -> String {
    ALL.iter().map(|tool| tool.name).collect::<Vec<_>>().join(", ")
}

/// Checks the arguments of a call, and those about the session.
///
/// # Errors
/// See [`Arguments::read`].
pub(super) fn arguments(tool: &Tool, given: JsonObject) -> Result<Arguments, String> {
    tool.arguments(SHARED, given)
}

/// Answers a call from a snapshot. `held` are the symbols that the session holds; `None` without a session.
///
/// # Errors
/// The reason for which there is no answer.
pub(super) fn answer(
    tool: &Tool,
    arguments: &Arguments,
    served: &ServedIndex,
    snapshot: &Snapshot,
    asker: &Arc<Asker>,
    held: Option<&Held>,
) -> Result<ToolAnswer, String> {
    packages::answer_from(&ServedSides { served, snapshot, asker, held }, tool, arguments)
}

/// The indexes of the server, for one request.
struct ServedSides<'a> {
    served: &'a ServedIndex,
    snapshot: &'a Snapshot,
    /// The request.
    asker: &'a Arc<Asker>,
    /// The symbols that the session holds; `None` without a session.
    held: Option<&'a Held>,
}

impl TwoSides for ServedSides<'_> {
    fn symbols(&self) -> &SymbolTable {
        &self.snapshot.symbols
    }

    fn symbols_of_packages(&self, reads: bool) -> Result<Arc<SymbolTable>, String> {
        let packages = if reads { Some(self.snapshot.packages(self.asker)?) } else { self.snapshot.known_packages() };
        Ok(Arc::clone(&packages.ok_or("packages were not asked about yet")?.symbols))
    }

    fn answer(&self, tool: &Tool, arguments: &Arguments, of_packages: bool) -> Result<ToolAnswer, String> {
        let Self { served, snapshot, asker, held } = *self;
        let data = &SnapshotData { served, snapshot, asker, packages: None };
        if !of_packages {
            let answer = |context: &Context<'_>| {
                tool.answer(&tools::CheckedCall { arguments, context: Context { held, ..*context }, data })
            };
            return with_context(snapshot, answer);
        }
        let packages = &*snapshot.packages(asker)?;
        let read = |path: &str| source::reread_allowing(&packages.source, path, &snapshot.allowed);
        let context = Context { held, ..Context::new(&packages.symbols, &read) };
        let data = &SnapshotData { packages: Some(packages), ..*data };
        tool.answer(&tools::CheckedCall { arguments, context, data })
    }
}

/// Calls `work` with the inputs of the functions of the engine.
pub(super) fn with_context<T>(snapshot: &Snapshot, work: impl FnOnce(&Context<'_>) -> T) -> T {
    let read = |path: &str| source::reread_allowing(&snapshot.source, path, &snapshot.allowed);
    work(&Context::new(&snapshot.symbols, &read))
}

/// The data of tools, from a snapshot of the index.
struct SnapshotData<'a> {
    served: &'a ServedIndex,
    snapshot: &'a Snapshot,
    /// The request that is answered.
    asker: &'a Arc<Asker>,
    /// The packages that the answer is about; `None` for the code.
    packages: Option<&'a ServedPackages>,
}

impl tools::ToolData for SnapshotData<'_> {
    fn corpus(&self) -> &Corpus {
        self.packages.map_or_else(|| self.snapshot.corpus(), ServedPackages::corpus)
    }

    fn apis(&self) -> Result<UsedApis, String> {
        // Documents and their uses belong to the code.
        if self.packages.is_some() { Ok(UsedApis::default()) } else { self.snapshot.documents() }
    }

    fn packages(&self) -> Result<Arc<[Dependency]>, String> {
        self.snapshot.packages(self.asker).map(|known| known.packages())
    }

    fn upgrade(&self, package: &str, other: &str) -> Result<CheckedUpgrade, String> {
        served_upgrade::check(self.snapshot, self.asker, package, other)
    }

    fn change(&self, revisions: &str) -> Result<CheckedUpgrade, String> {
        served_upgrade::check_change(self.snapshot, self.asker, revisions)
    }

    fn deliver(&self, request: &StubRequest) -> Result<Delivery, String> {
        let weights = self.snapshot.weights.clone();
        let request = StubRequest { weights, ..request.clone() };
        match self.packages {
            None => deliver(self.served, self.snapshot, &request),
            Some(packages) => deliver_from(self.served, packages.symbols.index(), packages.generation, &request),
        }
    }

    fn freshness(&self, max_age: u64, makes_anew: bool) -> Result<Value, String> {
        let snapshot = self.snapshot;
        let indexed = IndexedContents { contents: Arc::clone(&snapshot.index.contents), time: snapshot.time };
        let freshness = live::check_index(&snapshot.source, Some(&indexed), Duration::from_secs(max_age));
        let mut freshness = freshness.map_err(|error| error.to_string())?;
        if freshness.is_stale && makes_anew {
            Handle::current().block_on(self.served.rebuilt(snapshot)).map_err(|why| why.to_string())?;
            freshness.refreshed = true;
        }
        serde_json::to_value(&freshness).map_err(|error| error.to_string())
    }
}

/// Makes the stub of a request. The packer of a scope is kept for later requests of this scope.
///
/// # Errors
/// The reason for which there is no stub, with the names or budgets that are possible.
pub(super) fn deliver(served: &ServedIndex, snapshot: &Snapshot, request: &StubRequest) -> Result<Delivery, String> {
    if snapshot.index.files.is_empty() {
        return Err("no Python, TypeScript or JavaScript files were found".to_owned());
    }
    deliver_from(served, &snapshot.index, snapshot.generation, request)
}

/// Makes the stub of a request from an index.
fn deliver_from(
    served: &ServedIndex,
    index: &Arc<Index>,
    generation: u64,
    request: &StubRequest,
) -> Result<Delivery, String> {
    if request.intent.is_some() {
        return request.deliver(index).map_err(|error| problem::of_request(&error));
    }
    let scope = index.scope_meant(request.module.as_deref(), request.symbol.as_deref());
    let (scope, _) = scope.map_err(|error| problem::of_lookup(&error))?;
    let key = PackerKey { generation, scope, encoding: request.encoding, revision: 0 };
    let packer = served.packers().packer(index, key, &Overrides::default());
    let delivery = packer.and_then(|packer| packer.deliver_in(request.style(), &request.strategy, request.format));
    delivery.map_err(|error| problem::of_request(&error.into()))
}

fn for_protocol(tool: &Tool, over_http: bool) -> ProtocolTool {
    let shared = if over_http { SHARED } else { &SHARED[..1] };
    let annotations = ToolAnnotations::new().read_only(true).idempotent(true).destructive(false).open_world(false);
    ProtocolTool::new(tool.name, tool.description, Arc::new(tool.schema(shared)))
        .with_title(tool.title)
        .with_annotations(annotations)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list_beside(names: &[&str], documents: bool) -> String {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        serde_json::to_string(Tools::listing(&names, true).unwrap().listed(documents)).unwrap()
    }

    fn list(names: &[&str]) -> String {
        list_beside(names, false)
    }

    #[test]
    fn the_lists_are_short_and_always_the_same() {
        let (usual, all) = (list(&[]), list(&["all"]));
        assert!(count(&usual) <= 1500, "{}", count(&usual));
        // API documents bring two tools.
        let with_documents = list_beside(&[], true);
        assert!(count(&with_documents) <= 2000, "{}", count(&with_documents));
        assert!(count(&all) <= 4500, "{}", count(&all));
        assert_eq!(list(&["all"]), all);
        // Over stdio the process is the session.
        let over_stdio = serde_json::to_string(Tools::listing(&[], false).unwrap().listed(false)).unwrap();
        assert!(usual.contains(r#""session""#) && !over_stdio.contains(r#""session""#));
        assert!(list(&["check_index"]).contains("check_index") && !list(&["check_index"]).contains("get_module_help"));
        assert!(Tools::listing(&["nothing".to_owned()], true).is_err());
    }

    #[test]
    fn every_tool_says_what_strict_clients_need() {
        for tool in ALL {
            let listed = serde_json::to_value(for_protocol(tool, true)).unwrap();
            assert_eq!(listed["annotations"]["readOnlyHint"], true, "{}", tool.name);
            assert_eq!(listed["annotations"]["idempotentHint"], true, "{}", tool.name);
            assert!(!listed["title"].as_str().unwrap().is_empty());
            let schema = &listed["inputSchema"];
            assert_eq!(schema["additionalProperties"], false);
            for (name, property) in schema["properties"].as_object().unwrap() {
                assert!(property["type"].is_string(), "{}: {name}", tool.name);
                for word in ["format", "$ref", "anyOf", "$schema"] {
                    assert!(property.get(word).is_none(), "{}: {name}: {word}", tool.name);
                }
                let all = || tool.parameters.iter().chain(SHARED);
                let names: Vec<&str> = all().map(|parameter| parameter.name).collect();
                let parameter = all().find(|parameter| parameter.name == name).unwrap();
                assert!(parameter.aliases.iter().all(|alias| !names.contains(alias)), "{}: {name}", tool.name);
            }
        }
    }
}
