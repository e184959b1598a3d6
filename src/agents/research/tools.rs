//! The tools of [`apidisc::tools`], with the descriptions, parameters and answers that a server gives.

use std::sync::Arc;

use apidisc::{
    StubRequest,
    delivery::Delivery,
    discover::Corpus,
    http::UsedApis,
    packages::Dependency,
    tools::{self, CheckedCall, problem},
};
use serde_json::Value;

use super::{INDEX, IndexedCode};
use crate::tool::Tool;

/// Every tool that the sources have something for.
pub(super) fn all(sources: &IndexedCode) -> Vec<Tool> {
    let has_documents = sources.apis().is_some();
    let checks = sources.freshness.is_some();
    let is_offered = |tool: &&tools::Tool| {
        (has_documents || !tool.needs_documents())
            && (checks || tool.name != tools::CHECK_INDEX)
            && !tool.needs_packages()
    };
    tools::ALL.iter().filter(is_offered).map(|tool| of(tool, sources.clone())).collect()
}

fn of(tool: &'static tools::Tool, sources: IndexedCode) -> Tool {
    let schema = Value::Object(tool.schema(&[]));
    let function = move |given: Value| {
        let Value::Object(given) = given else { return Err("the arguments are no JSON object".to_owned()) };
        let arguments = tool.arguments(&[], given)?;
        let answer = sources.with_context(|context| {
            tool.answer(&CheckedCall { arguments: &arguments, context: *context, data: &sources })
        })?;
        Ok(answer.data.unwrap_or(Value::String(answer.text)))
    };
    Tool::from_schema(tool.name, tool.description, schema, function).checking_arguments().tagged(&[INDEX])
}

impl tools::ToolData for IndexedCode {
    fn corpus(&self) -> &Corpus {
        &self.corpus
    }

    fn apis(&self) -> Result<UsedApis, String> {
        Ok(self.apis.clone())
    }

    fn packages(&self) -> Result<Arc<[Dependency]>, String> {
        Err("installed packages are not read here".to_owned())
    }

    fn deliver(&self, request: &StubRequest) -> Result<Delivery, String> {
        request.deliver(self.corpus.symbols().index()).map_err(|error| problem::of_request(&error))
    }

    fn freshness(&self, max_age: u64, makes_anew: bool) -> Result<Value, String> {
        let check = self.freshness.as_ref().ok_or("these sources cannot be checked")?;
        check(max_age, makes_anew)
    }
}
