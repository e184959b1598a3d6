//! `check_index`: whether the index is stale. The sources check: this module reads no file and no clock.

use super::{Kind, Parameter, Tool, ToolAnswer};

/// The greatest number of files that an answer names in each of its three lists: modified, added and removed files.
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
    answer: |call| {
        let arguments = call.arguments;
        let mut data = call.data.freshness(arguments.number("max_age") as u64, arguments.flag("auto_refresh"))?;
        for kind in ["modified_files", "added_files", "removed_files"] {
            if let Some(files) = data.get_mut(kind).and_then(|files| files.as_array_mut())
                && files.len() > MAX_FILES
            {
                let left_out = files.len() - MAX_FILES;
                files.truncate(MAX_FILES);
                data[format!("{kind}_left_out")] = left_out.into();
            }
        }
        Ok(ToolAnswer { text: data.to_string(), data: Some(data), ..ToolAnswer::default() })
    },
};
