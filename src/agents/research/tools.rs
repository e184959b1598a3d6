//! The tools of [`apidisc::tools`], with the descriptions, parameters and answers that a server gives.

use std::sync::Arc;

use apidisc::{
    StubRequest,
    answers::SymbolTable,
    delivery::Delivery,
    discover::Corpus,
    http::UsedApis,
    packages::Dependency,
    tools::{
        self, Arguments, CheckedCall, ToolAnswer,
        packages::{self, TwoSides},
        problem,
        upgrade::CheckedUpgrade,
    },
};
use serde_json::Value;

use super::{INDEX, IndexedCode};
use crate::tool::Tool;

/// Why nothing is known of packages.
const NOT_READ: &str = "installed packages are not read here";

/// Every tool that the sources have something for.
pub(super) fn all(sources: &IndexedCode) -> Vec<Tool> {
    let has_documents = sources.apis().is_some();
    let checks = sources.freshness.is_some();
    let is_offered = |tool: &&tools::Tool| {
        (has_documents || !tool.needs_documents())
            // The sources know one version of their packages.
            && tool.name != tools::CHECK_UPGRADE
            && (checks || tool.name != tools::CHECK_INDEX)
            && (sources.has_packages() || !tool.needs_packages())
    };
    tools::ALL.iter().filter(is_offered).map(|tool| of(tool, sources.clone())).collect()
}

fn of(tool: &'static tools::Tool, sources: IndexedCode) -> Tool {
    let schema = Value::Object(tool.schema(&[]));
    let function = move |given: Value| {
        let Value::Object(given) = given else { return Err("the arguments are no JSON object".to_owned()) };
        let arguments = tool.arguments(&[], given)?;
        let answer = packages::answer_from(&sources, tool, &arguments)?;
        Ok(answer.data.unwrap_or(Value::String(answer.text)))
    };
    Tool::from_schema(tool.name, tool.description, schema, function).checking_arguments().tagged(&[INDEX])
}

impl TwoSides for IndexedCode {
    fn symbols(&self) -> &SymbolTable {
        self.corpus.symbols()
    }

    fn symbols_of_packages(&self, reads: bool) -> Result<Arc<SymbolTable>, String> {
        if self.corpus.symbols().index().is_of_packages() {
            return Ok(Arc::clone(self.corpus.symbols()));
        }
        let packages = self.packages.as_ref().ok_or(NOT_READ)?;
        let code = if reads { Some(packages.code()) } else { packages.known() };
        Ok(Arc::clone(code.ok_or(NOT_READ)?.as_ref().map_err(String::clone)?.corpus.symbols()))
    }

    fn answer(&self, tool: &tools::Tool, arguments: &Arguments, of_packages: bool) -> Result<ToolAnswer, String> {
        let answer = |code: &Self| {
            code.with_context(|context| tool.answer(&CheckedCall { arguments, context: *context, data: code }))
        };
        if !of_packages || self.corpus.symbols().index().is_of_packages() {
            return answer(self);
        }
        let packages = self.packages.as_ref().ok_or(NOT_READ)?;
        answer(packages.code().as_ref().map_err(String::clone)?)
    }
}

impl tools::ToolData for IndexedCode {
    fn corpus(&self) -> &Corpus {
        &self.corpus
    }

    fn apis(&self) -> Result<UsedApis, String> {
        Ok(self.apis.clone())
    }

    fn packages(&self) -> Result<Arc<[Dependency]>, String> {
        let symbols = self.symbols_of_packages(true)?;
        Ok(symbols.index().packages.clone().unwrap_or_default())
    }

    fn upgrade(&self, _: &str, _: &str) -> Result<CheckedUpgrade, String> {
        Err("versions of packages are not compared here".to_owned())
    }

    fn change(&self, _: &str) -> Result<CheckedUpgrade, String> {
        Err("revisions are not compared here".to_owned())
    }

    fn deliver(&self, request: &StubRequest) -> Result<Delivery, String> {
        request.deliver(self.corpus.symbols().index()).map_err(|error| problem::of_request(&error))
    }

    fn freshness(&self, max_age: u64, makes_anew: bool) -> Result<Value, String> {
        let check = self.freshness.as_ref().ok_or("these sources cannot be checked")?;
        check(max_age, makes_anew)
    }
}
