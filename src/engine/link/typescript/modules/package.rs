//! What one `package.json` says of modules.

use compact_str::CompactString;

use super::{
    json::{Document, Object, Value, get, text},
    path::{folder_of, is_relative},
    patterns::Patterns,
};
use crate::diagnostic::Diagnostic;

/// What a name leads to, the likeliest source first.
pub(super) type Targets = Vec<CompactString>;

/// One package.
#[derive(Debug, Default)]
pub(super) struct Package {
    pub(super) folder: CompactString,
    /// Empty where it has none.
    pub(super) name: CompactString,
    pub(super) is_private: bool,
    /// What its own name may lead to where `exports` does not say: `source`, `types`, `module`, `main`.
    pub(super) mains: Targets,
    /// `exports`, by `.` and `./below`.
    pub(super) exports: Patterns<Targets>,
    /// `imports`, by `#name`.
    pub(super) imports: Patterns<Targets>,
    /// The configuration that it offers to `extends`.
    pub(super) tsconfig: Option<CompactString>,
    /// The packages that it depends on.
    pub(super) depends: Vec<CompactString>,
}

impl Package {
    /// None where the file cannot be read.
    pub(super) fn read(path: &str, source: &str, problems: &mut Vec<Diagnostic>) -> Option<Self> {
        let document = Document::read(path, source, problems)?;
        let root = &document.root;
        let owned = |name: &str| text(root, name).map(CompactString::from);
        let mut depends = Vec::new();
        for kind in ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"] {
            if let Some(table) = get(root, kind).and_then(Value::as_object) {
                depends.extend(table.properties.iter().map(|property| CompactString::from(property.name.as_str())));
            }
        }
        let mains = ["source", "types", "typings", "module", "main"];
        Some(Self {
            folder: CompactString::from(folder_of(path)),
            name: owned("name").unwrap_or_default(),
            is_private: get(root, "private").and_then(Value::as_boolean_lit).is_some_and(|private| private.value),
            mains: mains.into_iter().filter_map(owned).collect(),
            exports: get(root, "exports").map(exports).unwrap_or_default(),
            imports: get(root, "imports").and_then(Value::as_object).map(table).unwrap_or_default(),
            tsconfig: owned("tsconfig"),
            depends,
        })
    }
}

/// `exports` is a table of entries, or what the one entry leads to.
fn exports(value: &Value) -> Patterns<Targets> {
    match value {
        Value::Object(entries) if entries.properties.iter().any(|property| is_relative(property.name.as_str())) => {
            table(entries)
        }
        one => [(CompactString::from("."), targets(one))].into_iter().collect(),
    }
}

fn table(entries: &Object) -> Patterns<Targets> {
    let entries = entries.properties.iter().map(|property| {
        let mut name = CompactString::from(property.name.as_str());
        let mut targets = targets(&property.value);
        // The old form of `./folder/*`.
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

/// A target with what tells how likely a source is found there.
struct Ranked {
    is_other_condition: bool,
    path: CompactString,
}

/// Everything that an entry leads to, whatever the conditions: TypeScript sources first, and each time what TypeScript
/// would choose before the rest.
fn targets(value: &Value) -> Targets {
    let mut found = Vec::new();
    collect(value, false, &mut found);
    found.sort_by_key(|target: &Ranked| (!is_source(&target.path), target.is_other_condition));
    found.into_iter().map(|target| target.path).collect()
}

fn collect(value: &Value, is_other_condition: bool, found: &mut Vec<Ranked>) {
    match value {
        Value::StringLit(path) => found.push(Ranked { is_other_condition, path: CompactString::from(&*path.value) }),
        Value::Array(all) => all.elements.iter().for_each(|each| collect(each, is_other_condition, found)),
        Value::Object(conditions) => {
            for property in &conditions.properties {
                let is_other = !is_chosen(property.name.as_str());
                collect(&property.value, is_other_condition || is_other, found);
            }
        }
        _ => {}
    }
}

/// The conditions that hold when TypeScript, or a bundler that reads sources, follows an `import`.
fn is_chosen(condition: &str) -> bool {
    matches!(condition, "source" | "types" | "import" | "module" | "node" | "default")
        || condition.starts_with("types@")
}

/// True of TypeScript that is no declaration.
pub(super) fn is_source(path: &str) -> bool {
    let is_code = [".ts", ".tsx", ".mts", ".cts"].iter().any(|ending| path.ends_with(ending));
    is_code && ![".d.ts", ".d.mts", ".d.cts"].iter().any(|ending| path.ends_with(ending))
}
