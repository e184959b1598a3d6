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
    program::{FileIndex, NodeId, Symbol},
    types::Ty,
};
use crate::syntax::python::facts::{BindingKind, ScopeId};

/// Modules that star each other in a row.
const MAX_DEPTH: usize = 100;
/// Names that are passed on from one module to another, in the whole program.
const MAX_PASSED: usize = 8_000_000;

/// What the stars of a file bring.
#[derive(Debug, Default)]
struct Stars {
    /// The module that a name comes from.
    names: FxHashMap<Symbol, NodeId>,
    /// Names that may come from outside the sources.
    outside: FxHashSet<Symbol>,
    /// Any name may.
    is_open: bool,
    /// Any name may that does not begin with `_`.
    is_open_to_public: bool,
}

impl Stars {
    /// True where a name of that text may come from outside the sources.
    fn may_be_outside(&self, name: Symbol, text: &str) -> bool {
        self.is_open || self.is_open_to_public && is_public(text) || self.outside.contains(&name)
    }
}

fn is_public(text: &str) -> bool {
    !text.starts_with('_')
}

/// Stars that are followed, and what they bring.
#[derive(Debug, Default)]
pub(super) struct StarTables {
    known: FxHashMap<FileIndex, Arc<Stars>>,
    /// What is known as long as the present question is open: there may be more, by way of the files that are followed.
    partial: FxHashMap<FileIndex, Arc<Stars>>,
    /// Files whose stars are being followed, from the one that was asked for.
    open: Vec<FileIndex>,
    passed: usize,
}

/// What a module hands to those who star it.
enum Offer {
    /// What `__all__` lists.
    Listed(FxHashSet<Symbol>),
    /// What does not begin with `_`.
    Public,
}

impl Linker<'_> {
    /// A name that a file has from `from m import *`.
    pub(super) fn star_imported(&mut self, file: FileIndex, name: Symbol) -> Option<Ty> {
        let stars = self.stars(file).0;
        if let Some(&node) = stars.names.get(&name) {
            return self.module_attribute(node, name);
        }
        let text = self.program.symbols.text(name);
        (stars.may_be_outside(name, text) && !known::is_builtin(text)).then_some(Ty::EXTERNAL)
    }

    /// What the stars of a file bring, and whether that is all: modules that star each other are followed once around.
    fn stars(&mut self, file: FileIndex) -> (Arc<Stars>, bool) {
        if let Some(known) = self.star_tables.known.get(&file) {
            return (Arc::clone(known), true);
        }
        if let Some(partial) = self.star_tables.partial.get(&file) {
            return (Arc::clone(partial), false);
        }
        let tables = &mut self.star_tables;
        if tables.open.contains(&file) || tables.open.len() > MAX_DEPTH || tables.passed > MAX_PASSED {
            return (Arc::default(), false);
        }
        tables.open.push(file);
        let (mut stars, mut is_whole) = (Stars::default(), true);
        for node in self.starred(file) {
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
    fn starred(&mut self, file: FileIndex) -> Vec<Option<NodeId>> {
        let facts = self.program.facts(file);
        let star = self.program.symbols.intern("*");
        let bindings = self.program.bindings(file, ScopeId::new(MODULE), star).iter().rev();
        let starred = bindings.filter_map(|binding| match facts.bindings[binding.index()].kind {
            BindingKind::ImportStar { module, level } => Some(self.import_source(file, level, facts.name(module))),
            _ => None,
        });
        starred.collect()
    }

    /// Adds what a module offers: its own names, those of its stars, the modules below it. False where there may be
    /// more.
    fn add_star(&mut self, stars: &mut Stars, node: NodeId) -> bool {
        let row = self.program.modules.get(node);
        let files = [row.file, row.stub];
        let Some(offer) = files.into_iter().flatten().next().map(|file| self.offer(file)) else { return true };
        let mut is_whole = true;
        for file in files.into_iter().flatten() {
            let facts = self.program.facts(file);
            for binding in facts.bindings_in(ScopeId::new(MODULE)) {
                let name = self.program.symbol(file, facts.bindings[binding.index()].name);
                self.pass(stars, &offer, name, node);
            }
        }
        for file in files.into_iter().flatten() {
            let (brought, is_all) = self.stars(file);
            is_whole &= is_all;
            for (&name, &source) in &brought.names {
                self.pass(stars, &offer, name, source);
            }
            let text = |name: &Symbol| self.program.symbols.text(*name);
            match &offer {
                Offer::Listed(names) => {
                    stars.outside.extend(names.iter().filter(|name| brought.may_be_outside(**name, text(name))));
                }
                Offer::Public => {
                    stars.is_open_to_public |= brought.is_open || brought.is_open_to_public;
                    stars.outside.extend(brought.outside.iter().filter(|name| is_public(text(name))));
                }
            }
        }
        for child in self.program.modules.children(node).to_vec() {
            let path = &self.program.modules.get(child).path;
            let name = path.rsplit_once('/').map_or(path.as_str(), |(_, name)| name);
            let name = self.program.symbols.intern(name);
            self.pass(stars, &offer, name, node);
        }
        is_whole
    }

    fn pass(&mut self, stars: &mut Stars, offer: &Offer, name: Symbol, source: NodeId) {
        let is_offered = match offer {
            Offer::Listed(names) => names.contains(&name),
            Offer::Public => is_public(self.program.symbols.text(name)),
        };
        if is_offered {
            self.star_tables.passed += 1;
            stars.names.entry(name).or_insert(source);
        }
    }

    fn offer(&self, file: FileIndex) -> Offer {
        match &self.program.facts(file).all {
            Some(all) => Offer::Listed(all.iter().map(|&name| self.program.symbol(file, name)).collect()),
            None => Offer::Public,
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
