//! Completion of names.

use std::cmp::Reverse;

use apidisc::index::Index;
use rmcp::model::CompletionInfo;

/// The names that contain `typed`, regardless of case: first the names that begin with `typed`, then the names whose
/// last part begins with `typed`, then the others. Each group is sorted by uses, the most used name first. They are
/// names of modules if `is_module`, else of public definitions.
pub(super) fn names(index: &Index, typed: &str, is_module: bool) -> CompletionInfo {
    let typed = typed.to_lowercase();
    let mut found: Vec<(u8, Reverse<u32>, &str)> = Vec::new();
    let offer = |name: &'_ str, uses: u32| -> Option<(u8, Reverse<u32>)> {
        let lower = name.to_lowercase();
        let last = lower.rsplit(['.', '/', '#']).next().unwrap_or(&lower);
        let rank = if lower.starts_with(&typed) {
            0
        } else if last.starts_with(&typed) {
            1
        } else if lower.contains(&typed) {
            2
        } else {
            return None;
        };
        Some((rank, Reverse(uses)))
    };
    if is_module {
        for module in &index.modules {
            if let Some((rank, uses)) = offer(&module.fqn, module.uses()) {
                found.push((rank, uses, &module.fqn));
            }
        }
    } else {
        let every = index.definitions_with_ids().filter(|(_, definition)| definition.is_public);
        for (_, definition) in every {
            if let Some((rank, uses)) = offer(&definition.alias, definition.usage.uses()) {
                found.push((rank, uses, &definition.alias));
            }
        }
    }
    found.sort_unstable();
    found.dedup_by_key(|(.., name)| *name);
    let total = found.len();
    found.truncate(CompletionInfo::MAX_VALUES);
    let values: Vec<String> = found.into_iter().map(|(.., name)| name.to_owned()).collect();
    let has_more = values.len() < total;
    let mut info = CompletionInfo::default();
    (info.values, info.total, info.has_more) = (values, Some(total as u32), Some(has_more));
    info
}
