//! `route`: prints the route of a task, or with `--run` the context that the route gathers.

use std::{collections::BTreeSet, fmt::Write as _, sync::Arc};

use anyhow::Context as _;
use serde::Serialize;

use super::{Input, output, terminal_text::write_json};
use crate::cache::Cache;
use apidisc::{
    answers::{Context, SymbolTable},
    route::{Gathered, Router, RoutingDecision, gather},
    source::{Source, reread},
    unprintable::{escaped_json, escaped_line},
};

/// Prints the route of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintRoute {
    /// The task.
    pub task: String,
    /// The input in whose index names are looked up; `None` to route by the words of the task alone.
    pub input: Option<Input>,
    /// The cache of facts; `None` to go without.
    pub cache: Option<Cache>,
    /// The modules that exist, if they are given.
    pub modules: Option<BTreeSet<String>>,
    /// The budget in tokens of the context that is printed instead of the route; `None` to print the route.
    pub run: Option<usize>,
    /// Print JSON instead of lines for people.
    pub json: bool,
    /// Report every file that could not be read in full.
    pub verbose: bool,
}

/// The object that is printed as JSON: the keys of the decision; with `--run` also `context`, `tokens` and `left_out`,
/// and if no answer fits the budget, `smallest`.
#[derive(Serialize)]
struct RouteObject<'a> {
    #[serde(flatten)]
    decision: &'a RoutingDecision,
    #[serde(skip_serializing_if = "Option::is_none")]
    context: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tokens: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    left_out: Option<&'a [&'static str]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    smallest: Option<usize>,
}

impl PrintRoute {
    /// Indexes the input if there is one, routes the task, gathers the context if `run` is set, and prints.
    pub fn run(&self) -> anyhow::Result<()> {
        let Some(input) = &self.input else {
            let router = Router { available_modules: self.modules.as_ref(), context: None };
            return self.print(&router.route(&self.task), None);
        };
        input.check_order(&self.task)?;
        let (index, source) = input.load_with_source(self.cache.as_ref())?;
        if input.is_empty(&index) {
            anyhow::bail!(super::input::NOTHING_FOUND);
        }
        let index = Arc::new(index);
        let table = SymbolTable::new(Arc::clone(&index));
        let read = |path: &str| source.as_ref().and_then(|source: &Source| reread(source, path));
        let context = Context::new(&table, &read);
        let decision = Router { available_modules: self.modules.as_ref(), context: Some(context) }.route(&self.task);
        let gathered = self.run.map(|max_tokens| gather(&context, &decision, max_tokens)).transpose();
        self.print(&decision, gathered.context("the context of the task")?.as_ref())?;
        input.report(&index, self.verbose)
    }

    fn print(&self, decision: &RoutingDecision, gathered: Option<&Gathered>) -> anyhow::Result<()> {
        let object = RouteObject {
            decision,
            context: gathered.map(|gathered| gathered.text.as_str()),
            tokens: gathered.map(|gathered| gathered.tokens),
            left_out: gathered.map(|gathered| &gathered.left_out[..]),
            smallest: gathered.and_then(|gathered| gathered.smallest),
        };
        if let (Some(smallest), Some(max_tokens), false) = (object.smallest, self.run, self.json) {
            anyhow::bail!("the context takes {smallest} tokens at least; --max-tokens is {max_tokens}");
        }
        output::write(None, |out| match gathered {
            _ if self.json => {
                write_json(out, &object)?;
                out.write_all(b"\n")
            }
            Some(gathered) => out.write_all(gathered.text.as_bytes()),
            None => out.write_all(describe(decision)?.as_bytes()),
        })
    }
}

/// The decision in lines for people: the route with its reason, then a line per function.
fn describe(decision: &RoutingDecision) -> serde_json::Result<String> {
    let RoutingDecision { route_type, arguments, estimated_tokens, reasoning, .. } = decision;
    let route = serde_json::to_string(route_type)?;
    let route = route.trim_matches('"');
    let mut text = format!("{route}, {estimated_tokens} tokens: {}\n", escaped_line(reasoning));
    for call in arguments {
        let _ = writeln!(text, "{} {}", call.tool, escaped_json(serde_json::to_string(&call.arguments)?));
    }
    Ok(text)
}
