//! Examples of the definitions of packages, from clones of their repositories.

use std::sync::Arc;

use arcstr::ArcStr;
use rustc_hash::FxHashMap;

use super::{Definition, Index};
use crate::packages::Dependency;
use apidisc_base::language::Language;
use apidisc_facts::program::DefinitionId;

/// The greatest number of calls of the program beside which an example is shown.
const MAX_OWN_CALLS: u32 = 2;

/// A call of a definition in a document, an example or a test of its package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExampleCall {
    /// The language of the definition.
    pub language: Language,
    /// The fully qualified name of the definition.
    pub fqn: ArcStr,
    /// The shortest name by which it is imported.
    pub alias: ArcStr,
    /// The call on one line.
    pub call: String,
    /// The file and line of the call, such as `docs/first.md:12`.
    pub place: String,
}

/// A call of a definition of a package in a clone of the package's repository. It counts for nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackageExample {
    /// The call on one line.
    pub call: ArcStr,
    /// Where it stands: file and line, and the source.
    pub place: ArcStr,
}

/// The examples of an index of packages, by definition.
pub(crate) type PackageExamples = FxHashMap<DefinitionId, PackageExample>;

impl Index {
    /// Adds examples of the definitions of `packages`, from the source called `source`, where the program has few
    /// calls.
    pub fn add_examples(&mut self, source: &str, packages: &[&Dependency], examples: &[ExampleCall]) {
        let by_name: FxHashMap<_, &ExampleCall> = examples
            .iter()
            .rev()
            .flat_map(|example| [&example.alias, &example.fqn].map(|name| ((example.language, name), example)))
            .collect();
        let is_of_packages = |definition: &Definition| {
            let module = self.module_of_file(definition.place.file);
            module.is_some_and(|module| packages.iter().any(|package| package.holds(module)))
        };
        let mut found = PackageExamples::clone(&self.examples);
        for (id, definition) in self.every_definition() {
            if definition.usage.total_calls > MAX_OWN_CALLS || !is_of_packages(definition) {
                continue;
            }
            let of_name = |name| by_name.get(&(definition.language, name));
            let Some(example) = of_name(&definition.fqn).or_else(|| of_name(&definition.alias)) else { continue };
            let place = format!("{} of {source}", example.place);
            found.entry(id).or_insert(PackageExample { call: example.call.as_str().into(), place: place.into() });
        }
        self.examples = Arc::new(found);
    }

    /// An example of a definition of a package from a clone of the package's repository, where the program itself has
    /// few calls of it.
    pub fn example(&self, id: DefinitionId) -> Option<&PackageExample> {
        self.examples.get(&id)
    }
}
