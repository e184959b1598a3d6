//! The fields of one `package.json` that concern module resolution.

use compact_str::CompactString;

use rustc_hash::FxHashSet;

use super::{
    entries::exports_every_file,
    json::{JsonDocument, JsonObject, JsonValue, get, text},
    path::{folder_of, is_relative},
    pattern_table::PatternTable,
};
use apidisc_base::{
    diagnostic::Diagnostic, language::typescript::is_met_by_newest_compiler, nesting, sort::SharedSort as _,
};

/// The targets of one entry of `exports` or `imports`, the one most likely to be a source file first.
pub(super) type ExportTargets = Vec<CompactString>;

/// One `package.json`.
#[derive(Debug, Default)]
pub(super) struct PackageManifest {
    pub(super) folder: CompactString,
    /// The name; empty if the package has none.
    pub(super) name: CompactString,
    pub(super) is_private: bool,
    /// The entry points that are used if `exports` has none: `source`, `types`, `typings`, `module`, `main`.
    pub(super) mains: ExportTargets,
    /// `exports`, by subpath: `.`, `./below`.
    pub(super) exports: PatternTable<ExportTargets>,
    /// `imports`, by `#name`.
    pub(super) imports: PatternTable<ExportTargets>,
    /// The configuration file that `extends` finds under the package's name.
    pub(super) tsconfig: Option<CompactString>,
    /// The names of its dependencies of all kinds.
    pub(super) depends: Vec<CompactString>,
}

impl PackageManifest {
    /// Reads a `package.json`; `None` if it is not valid. `conditions` are those that a configuration of the sources
    /// names (`customConditions`).
    pub(super) fn read(
        path: &str,
        source: &str,
        conditions: &FxHashSet<&str>,
        problems: &mut Vec<Diagnostic>,
    ) -> Option<Self> {
        let document = JsonDocument::read(path, source, problems)?;
        let root = &document.root;
        let owned = |name: &str| text(root, name).map(CompactString::from);
        let mut depends = Vec::new();
        for kind in ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"] {
            if let Some(table) = get(root, kind).and_then(JsonValue::as_object) {
                depends.extend(table.properties.iter().map(|property| CompactString::from(property.name.as_str())));
            }
        }
        let mains = ["source", "types", "typings", "module", "main"];
        Some(Self {
            folder: CompactString::from(folder_of(path)),
            name: owned("name").unwrap_or_default(),
            is_private: get(root, "private").and_then(JsonValue::as_boolean_lit).is_some_and(|private| private.value),
            mains: mains.into_iter().filter_map(owned).collect(),
            exports: get(root, "exports").map(|value| read_exports(value, conditions)).unwrap_or_default(),
            imports: get(root, "imports")
                .and_then(JsonValue::as_object)
                .map(|entries| read_table(entries, conditions))
                .unwrap_or_default(),
            tsconfig: owned("tsconfig"),
            depends,
        })
    }

    /// True if the specifiers that other packages write for its files are paths in the package: it has no `exports`, or
    /// these export every file.
    pub(super) fn is_open(&self) -> bool {
        let mut starred = self.exports.starred().flat_map(|(_, _, targets)| targets);
        self.exports.is_empty() || starred.any(|target| exports_every_file(target))
    }

    /// True if other packages import the sources of the package, and not what a build writes: it is never published, or
    /// an entry point is a source.
    pub(super) fn offers_sources(&self) -> bool {
        self.is_private || !self.exports.is_empty() || self.mains.iter().any(|path| is_source(path))
    }

    /// True if other packages can import the package: it is published, or names an entry point.
    pub(super) fn is_offered(&self) -> bool {
        !self.is_private || self.names_entries()
    }

    /// True if the package names an entry point.
    pub(super) fn names_entries(&self) -> bool {
        !self.mains.is_empty() || !self.exports.is_empty()
    }
}

/// Reads `exports`: a table of subpaths, or the target of the only entry.
fn read_exports(value: &JsonValue, custom: &FxHashSet<&str>) -> PatternTable<ExportTargets> {
    match value {
        JsonValue::Object(entries) if entries.properties.iter().any(|property| is_relative(property.name.as_str())) => {
            read_table(entries, custom)
        }
        one => [(CompactString::from("."), sorted_targets(one, custom))].into_iter().collect(),
    }
}

fn read_table(entries: &JsonObject, custom: &FxHashSet<&str>) -> PatternTable<ExportTargets> {
    let entries = entries.properties.iter().map(|property| {
        let mut name = CompactString::from(property.name.as_str());
        let mut targets = sorted_targets(&property.value, custom);
        // A folder mapping, the deprecated form of `./folder/*`.
        if name.ends_with('/') {
            name.push('*');
            for target in &mut targets {
                target.push('*');
            }
        }
        (name, targets)
    });
    entries.collect()
}

/// The rank of a target, by the conditions around it. The least is the best.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct TargetRank {
    /// No condition is one that a configuration names.
    is_not_custom: bool,
    /// The target is no TypeScript source.
    is_no_source: bool,
    /// The target is under a condition that an `import` does not meet.
    is_other_condition: bool,
}

/// All targets of an entry, regardless of their conditions. Targets under `custom` conditions come first, then
/// TypeScript sources; within each group, targets under conditions that an `import` meets come first.
fn sorted_targets(value: &JsonValue, custom: &FxHashSet<&str>) -> ExportTargets {
    let mut found = Vec::new();
    let rank = TargetRank { is_not_custom: true, is_no_source: true, is_other_condition: false };
    collect_targets(value, custom, rank, &mut found);
    found.shared_sort_by_key(|(rank, _)| *rank);
    found.into_iter().map(|(_, path)| path).collect()
}

fn collect_targets(
    value: &JsonValue,
    custom: &FxHashSet<&str>,
    rank: TargetRank,
    found: &mut Vec<(TargetRank, CompactString)>,
) {
    let Some(_level) = nesting::descend() else { return };
    match value {
        JsonValue::StringLit(path) => {
            let rank = TargetRank { is_no_source: !is_source(&path.value), ..rank };
            found.push((rank, CompactString::from(&*path.value)));
        }
        JsonValue::Array(all) => all.elements.iter().for_each(|each| collect_targets(each, custom, rank, found)),
        JsonValue::Object(conditions) => {
            for property in &conditions.properties {
                let condition = property.name.as_str();
                // Types for older compilers are not those of the package.
                if condition.strip_prefix("types@").is_some_and(|range| !is_met_by_newest_compiler(range)) {
                    continue;
                }
                let is_custom = custom.contains(condition);
                let is_other_condition = rank.is_other_condition || !(is_custom || is_import_condition(condition));
                let rank = TargetRank { is_not_custom: rank.is_not_custom && !is_custom, is_other_condition, ..rank };
                collect_targets(&property.value, custom, rank, found);
            }
        }
        _ => {}
    }
}

/// The `exports` conditions that an `import` meets in TypeScript, or in a bundler that reads sources.
fn is_import_condition(condition: &str) -> bool {
    matches!(condition, "source" | "types" | "import" | "module" | "node" | "default")
        || condition.starts_with("types@")
}

/// True of a TypeScript file that is not a declaration file.
pub(super) fn is_source(path: &str) -> bool {
    let is_code = [".ts", ".tsx", ".mts", ".cts"].iter().any(|ending| path.ends_with(ending));
    is_code && ![".d.ts", ".d.mts", ".d.cts"].iter().any(|ending| path.ends_with(ending))
}
