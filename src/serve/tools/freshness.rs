//! `check_index`: checks whether the index is stale.

use std::{sync::Arc, time::Duration};

use tokio::runtime::Handle;

use super::{CheckedCall, Tool, ToolAnswer};
use crate::{
    live::{self, IndexedContents},
    serve::schema::{Kind, Parameter},
};

/// The greatest number of modified, of added and of removed files that an answer names.
const MAX_FILES: usize = 100;

pub(super) const CHECK_INDEX: Tool = Tool {
    name: "check_index",
    title: "Check the index",
    description: "Whether the index is stale, and which files differ, as JSON of about 60 tokens. The files are read, \
                  not parsed. Changes are noticed as they happen, so other tools answer from the files as they are.",
    parameters: &[
        Parameter::optional("auto_refresh", Kind::Flag, "Make a stale index anew"),
        Parameter::optional(
            "max_age",
            Kind::Number { least: 0, most: u32::MAX as u64, default: 3600 },
            "How old an index may be, in seconds",
        ),
    ],
    is_usual: false,
    answer,
};

fn answer(call: &CheckedCall<'_>) -> Result<ToolAnswer, String> {
    let CheckedCall { arguments, snapshot, served, .. } = call;
    let indexed = IndexedContents { contents: Arc::clone(&snapshot.index.contents), time: snapshot.time };
    let max_age = Duration::from_secs(arguments.number("max_age") as u64);
    let freshness = live::check_index(&snapshot.source, Some(&indexed), max_age);
    let mut freshness = freshness.map_err(|error| error.to_string())?;
    if freshness.is_stale && arguments.flag("auto_refresh") {
        Handle::current().block_on(served.rebuilt(snapshot)).map_err(|why| why.to_string())?;
        freshness.refreshed = true;
    }
    let mut data = serde_json::to_value(&freshness).map_err(|error| error.to_string())?;
    for kind in ["modified_files", "added_files", "removed_files"] {
        if let Some(files) = data[kind].as_array_mut()
            && files.len() > MAX_FILES
        {
            let left_out = files.len() - MAX_FILES;
            files.truncate(MAX_FILES);
            data[format!("{kind}_left_out")] = left_out.into();
        }
    }
    Ok(ToolAnswer { text: data.to_string(), data: Some(data), ..ToolAnswer::default() })
}
