//! The definition that the bindings of a name give it.
//!
//! A test such as `if handler:` binds the name to what it was before the test. In a loop, such bindings may lead back
//! to themselves, and many of them may follow one another. So a list of bindings is answered by a work list that visits
//! each list and each binding of a file once.

use rustc_hash::FxHashMap;

use super::{
    linker::Linker,
    other_uses::{MentionTable, Mentioned},
    program::FileIndex,
};
use apidisc_facts::syntax::python::facts::{BindingId, BindingKind, Expr, ExprId, FileFacts, ScopeKind};

/// What a list of bindings gives a name. Later variants win over earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Named {
    /// No binding.
    Nothing,
    /// The same definition by every binding.
    One(Mentioned),
    /// One of several definitions.
    Several,
    /// Perhaps no definition of the sources.
    Unknown,
}

impl From<Option<Mentioned>> for Named {
    fn from(mentioned: Option<Mentioned>) -> Self {
        mentioned.map_or(Self::Unknown, Self::One)
    }
}

/// What the names of a file are bound to, as far as that was asked.
#[derive(Default)]
pub(super) struct BoundNames {
    lists: FxHashMap<ListKey, Named>,
    bindings: FxHashMap<BindingId, Named>,
}

/// The address and the length of a list of bindings in the facts of a file.
type ListKey = (usize, usize);

fn key(list: &[BindingId]) -> ListKey {
    (list.as_ptr().addr(), list.len())
}

/// The bindings that a read of a name sees: those that reach it, else those of the next scope with the name.
pub(super) fn seen_bindings(facts: &FileFacts, read: ExprId) -> Option<&[BindingId]> {
    let Expr::Name { name, scope, reaching } = facts.expr(read) else { return None };
    match facts.reaching(reaching) {
        [] => facts.scopes_binding(scope, name).next().map(|(_, outer)| outer),
        bindings => Some(bindings),
    }
}

impl Linker<'_> {
    /// What a list of bindings of a file gives its name.
    pub(super) fn named_by(
        &mut self,
        file: FileIndex,
        bindings: &[BindingId],
        table: &MentionTable,
        known: &mut BoundNames,
    ) -> Named {
        if let Some(&named) = known.lists.get(&key(bindings)) {
            return named;
        }
        let facts = self.program.facts(file);
        let mut lists = vec![bindings];
        let mut positions = FxHashMap::from_iter([(key(bindings), 0)]);
        let mut named: Vec<Named> = Vec::new();
        // For each list, the positions of those with a test of a name that has the list.
        let mut testing: Vec<Vec<usize>> = vec![Vec::new()];
        while let Some(&list) = lists.get(named.len()) {
            let at = named.len();
            let mut found = Named::Nothing;
            for &id in list {
                let before = match facts.bindings[id.index()].kind {
                    BindingKind::Narrow { before, .. } => seen_bindings(facts, before),
                    _ => None,
                };
                let by_binding = match before {
                    None => self.named_by_binding(file, id, table, known),
                    Some(before) => known.lists.get(&key(before)).copied().unwrap_or_else(|| {
                        let position = *positions.entry(key(before)).or_insert(lists.len());
                        if position == lists.len() {
                            lists.push(before);
                            testing.push(Vec::new());
                        }
                        testing[position].push(at);
                        Named::Nothing
                    }),
                };
                found = self.named_by_both(found, by_binding);
            }
            named.push(found);
        }
        let mut changed: Vec<usize> = (0..lists.len()).rev().collect();
        while let Some(at) = changed.pop() {
            for &test in &testing[at] {
                let joined = self.named_by_both(named[test], named[at]);
                if joined != named[test] {
                    named[test] = joined;
                    changed.push(test);
                }
            }
        }
        known.lists.extend(lists.into_iter().map(key).zip(named.iter().copied()));
        named[0]
    }

    /// What a binding that is no test of a bound name gives its name.
    fn named_by_binding(
        &mut self,
        file: FileIndex,
        id: BindingId,
        table: &MentionTable,
        known: &mut BoundNames,
    ) -> Named {
        if let Some(&named) = known.bindings.get(&id) {
            return named;
        }
        self.begin_query();
        let facts = self.program.facts(file);
        let binding = &facts.bindings[id.index()];
        let mentioned = match binding.kind {
            BindingKind::Def(def) => Some(Mentioned::Def(self.program.global_def(file, def))),
            // The name is bound outside the file: by a star import.
            BindingKind::Narrow { before, .. } => self.mentioned_by_type(file, before),
            BindingKind::ImportFrom { level, module, name } => self
                .name_of_import(file, level, module, name)
                .and_then(|(file, name)| self.mentioned_in_module(file, name, table)),
            BindingKind::Assign { .. } if facts.scopes[binding.scope.index()].kind == ScopeKind::Module => {
                let constant = (file, binding.name);
                if table.is_constant(constant) {
                    Some(Mentioned::Constant(constant))
                } else {
                    self.mentioned_by_binding_type(file, id)
                }
            }
            _ => None,
        };
        let named = Named::from(mentioned.filter(|_| !self.is_exhausted()));
        known.bindings.insert(id, named);
        named
    }

    fn named_by_both(&self, a: Named, b: Named) -> Named {
        match (a, b) {
            (Named::Unknown, _) | (_, Named::Unknown) => Named::Unknown,
            (Named::Nothing, named) | (named, Named::Nothing) => named,
            (Named::One(first), Named::One(other)) if self.is_same(other, first) => a,
            _ => Named::Several,
        }
    }

    /// True for one definition, and for definitions of one name on several branches.
    fn is_same(&self, a: Mentioned, b: Mentioned) -> bool {
        match (a, b) {
            (Mentioned::Def(a), Mentioned::Def(b)) if a != b => {
                let (file, other) = (self.program.file_of(a), self.program.file_of(b));
                let (a, b) = (self.def(a), self.def(b));
                file == other && a.outer == b.outer && a.name == b.name
            }
            _ => a == b,
        }
    }
}
