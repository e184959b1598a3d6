//! `from m import *`: the names that a file has from its stars, and where each comes from.
//!
//! A package may star hundreds of modules that star others: what a file's stars bring is put together once, from what
//! those of the modules bring.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    infer::Linker,
    known,
    names::MODULE,
    program::{FileIndex, GlobalName, ModuleNodeId},
    types::TypeId,
};
use crate::syntax::python::facts::{BindingKind, ScopeId};

/// ModuleTree that star each other in a row.
const MAX_DEPTH: usize = 100;
/// Names that are passed on from one module to another, in the whole program.
const MAX_STAR_NAMES: usize = 8_000_000;

/// What the stars of a file bring.
#[derive(Debug, Default)]
struct StarNames {
    /// The module that a name comes from.
    names: FxHashMap<GlobalName, ModuleNodeId>,
    /// Names that may come from outside the sources.
    outside: FxHashSet<GlobalName>,
    /// Any name may.
    is_open: bool,
    /// Any name may that does not begin with `_`.
    is_open_to_public: bool,
}

impl StarNames {
    /// True where a name of that text may come from outside the sources.
    fn may_be_outside(&self, name: GlobalName, text: &str) -> bool {
        self.is_open || self.is_open_to_public && is_public(text) || self.outside.contains(&name)
    }
}

fn is_public(text: &str) -> bool {
    !text.starts_with('_')
}

/// StarNames that are followed, and what they bring.
#[derive(Debug, Default)]
pub(super) struct StarTables {
    known: FxHashMap<FileIndex, Arc<StarNames>>,
    /// What is known as long as the present question is open: there may be more, by way of the files that are followed.
    partial: FxHashMap<FileIndex, Arc<StarNames>>,
    /// Files whose stars are being followed, from the one that was asked for.
    open: Vec<FileIndex>,
    passed: usize,
}

/// What a module hands to those who star it.
enum StarExports {
    /// What `__all__` lists.
    Listed(FxHashSet<GlobalName>),
    /// What does not begin with `_`.
    Public,
}

impl Linker<'_> {
    /// A name that a file has from `from m import *`.
    pub(super) fn star_imported_type(&mut self, file: FileIndex, name: GlobalName) -> Option<TypeId> {
        let stars = self.star_names(file).0;
        if let Some(&node) = stars.names.get(&name) {
            return self.module_attribute(node, name);
        }
        let text = self.program.interner.text(name);
        (stars.may_be_outside(name, text) && !known::is_builtin(text)).then_some(TypeId::EXTERNAL)
    }

    /// What the stars of a file bring, and whether that is all: modules that star each other are followed once around.
    fn star_names(&mut self, file: FileIndex) -> (Arc<StarNames>, bool) {
        if let Some(known) = self.star_tables.known.get(&file) {
            return (Arc::clone(known), true);
        }
        if let Some(partial) = self.star_tables.partial.get(&file) {
            return (Arc::clone(partial), false);
        }
        let tables = &mut self.star_tables;
        if tables.open.contains(&file) || tables.open.len() > MAX_DEPTH || tables.passed > MAX_STAR_NAMES {
            return (Arc::default(), false);
        }
        tables.open.push(file);
        let (mut stars, mut is_whole) = (StarNames::default(), true);
        for node in self.starred_modules(file) {
            match node {
                Some(node) => is_whole &= self.add_star(&mut stars, node),
                None => stars.is_open = true,
            }
        }
        let stars = Arc::new(stars);
        let tables = &mut self.star_tables;
        tables.open.pop();
        if is_whole || tables.open.is_empty() {
            tables.known.insert(file, Arc::clone(&stars));
        } else {
            tables.partial.insert(file, Arc::clone(&stars));
        }
        if tables.open.is_empty() {
            tables.partial.clear();
        }
        (stars, is_whole)
    }

    /// The modules that the stars of a file name, the last one first: it hides the others. None for one outside.
    fn starred_modules(&mut self, file: FileIndex) -> Vec<Option<ModuleNodeId>> {
        let facts = self.program.facts(file);
        let star = self.program.interner.intern("*");
        let bindings = self.program.bindings(file, ScopeId::new(MODULE), star).iter().rev();
        let starred = bindings.filter_map(|binding| match facts.bindings[binding.index()].kind {
            BindingKind::ImportStar { module, level } => Some(self.import_source(file, level, facts.name(module))),
            _ => None,
        });
        starred.collect()
    }

    /// Adds what a module offers: its own names, those of its stars, the modules below it. False where there may be
    /// more.
    fn add_star(&mut self, stars: &mut StarNames, node: ModuleNodeId) -> bool {
        let row = self.program.modules.get(node);
        let files = [row.file, row.stub];
        let Some(offer) = files.into_iter().flatten().next().map(|file| self.star_exports(file)) else { return true };
        let mut is_whole = true;
        for file in files.into_iter().flatten() {
            let facts = self.program.facts(file);
            for binding in facts.bindings_in(ScopeId::new(MODULE)) {
                let name = self.program.global_name(file, facts.bindings[binding.index()].name);
                self.add_star_name(stars, &offer, name, node);
            }
        }
        for file in files.into_iter().flatten() {
            let (brought, is_all) = self.star_names(file);
            is_whole &= is_all;
            for (&name, &source) in &brought.names {
                self.add_star_name(stars, &offer, name, source);
            }
            let text = |name: &GlobalName| self.program.interner.text(*name);
            match &offer {
                StarExports::Listed(names) => {
                    stars.outside.extend(names.iter().filter(|name| brought.may_be_outside(**name, text(name))));
                }
                StarExports::Public => {
                    stars.is_open_to_public |= brought.is_open || brought.is_open_to_public;
                    stars.outside.extend(brought.outside.iter().filter(|name| is_public(text(name))));
                }
            }
        }
        for child in self.program.modules.children(node).to_vec() {
            let path = &self.program.modules.get(child).path;
            let name = path.rsplit_once('/').map_or(path.as_str(), |(_, name)| name);
            let name = self.program.interner.intern(name);
            self.add_star_name(stars, &offer, name, node);
        }
        is_whole
    }

    fn add_star_name(&mut self, stars: &mut StarNames, offer: &StarExports, name: GlobalName, source: ModuleNodeId) {
        let is_offered = match offer {
            StarExports::Listed(names) => names.contains(&name),
            StarExports::Public => is_public(self.program.interner.text(name)),
        };
        if is_offered {
            self.star_tables.passed += 1;
            stars.names.entry(name).or_insert(source);
        }
    }

    fn star_exports(&self, file: FileIndex) -> StarExports {
        match &self.program.facts(file).all {
            Some(all) => StarExports::Listed(all.iter().map(|&name| self.program.global_name(file, name)).collect()),
            None => StarExports::Public,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{control::Control, indexer::build, source::Source};

    #[test]
    fn names_come_through_hundreds_of_stars_and_around_circles() {
        let stars: Vec<String> = (0..400).map(|i| format!("from .m{i} import *\n")).collect();
        let mut files = vec![
            ("kit/__init__.py".to_owned(), "from .models import *\n".to_owned()),
            ("kit/models/__init__.py".to_owned(), stars.concat()),
            (
                "use.py".to_owned(),
                "from kit import Model0, Model7, Model399, hidden\nModel0(1)\nModel7(1)\nModel399(1)\nhidden()\n"
                    .to_owned(),
            ),
        ];
        for i in 0..400 {
            // Each stars the one after it too, and the last one the first.
            let text = format!("from ..m{} import *\nfrom .body import *\n", (i + 1) % 400);
            files.push((format!("kit/models/m{i}/__init__.py"), text));
            let body =
                format!("__all__ = ['Model{i}']\nclass Model{i}:\n    def __init__(self, a): ...\ndef hidden(): ...\n");
            files.push((format!("kit/models/m{i}/body.py"), body));
        }
        let files = files.into_iter().map(|(path, text)| (path, text.into_bytes().into())).collect();
        let source = Source::Memory { name: "kit".into(), files };
        let index = build(&source, &mut |_| Control::Continue).expect("a source").expect("an index");
        for (name, calls) in [("Model0", 1), ("Model7", 1), ("Model399", 1), ("hidden", 0)] {
            let found = index.definitions.iter().filter(|definition| definition.name.as_str() == name);
            assert_eq!(found.map(|definition| definition.usage.total_calls).sum::<u32>(), calls, "{name}");
        }
    }
}
