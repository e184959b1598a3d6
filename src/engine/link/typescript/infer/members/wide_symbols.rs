//! Look-up of properties in classes and interfaces with many declarations or many base types.
//!
//! Otherwise a property is looked for in one declaration after the other and in one base type after the other, so that
//! looking every property up would take time that grows with the square of their number. Tables by name avoid that.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::properties::{FoundProperty, FutileBases};
use crate::typescript::{
    infer::Linker,
    program::{GlobalDef, GlobalSymbol, InternedName},
    types::{InternedType, InternedTypes, TypeKind},
};
use apidisc_facts::syntax::typescript::facts::{DefBody, MemberKind};

/// A symbol with more declarations, or with more base types in one of them, is wide.
const MANY: usize = 8;

/// The greatest number of names that are collected from one base type. In a chain of interfaces that each extend many
/// of those before, the tables of all take a multiple of this number.
const MAX_NAMES: usize = 512;

/// The properties of a wide class or interface by name.
#[derive(Debug, Default)]
pub(in super::super) struct WideSymbol {
    /// The members of its declarations: of several with one name, that of the first declaration.
    members: FxHashMap<InternedName, (GlobalDef, u16)>,
    /// The base types in order, each with the declaration that extends it.
    bases: Vec<(GlobalDef, InternedType)>,
    /// The positions of the base types that may have a property of a name.
    bases_by_name: FxHashMap<InternedName, SmallVec<[u32; 1]>>,
    /// The positions of the base types that may have properties of any name.
    open_bases: Vec<u32>,
    /// The declarations with an index signature.
    indexed: Vec<GlobalDef>,
    /// True if a declaration is one of the platform.
    is_platform: bool,
}

impl WideSymbol {
    /// All names of its properties; `None` if it may have others.
    fn names(&self) -> Option<impl Iterator<Item = InternedName>> {
        let is_closed = self.open_bases.is_empty() && self.indexed.is_empty() && !self.is_platform;
        is_closed.then(|| self.members.keys().chain(self.bases_by_name.keys()).copied())
    }
}

impl Linker<'_> {
    /// The tables of a symbol whose tables were made before.
    #[inline]
    pub(super) fn known_wide_symbol(&self, symbol: GlobalSymbol) -> Option<Arc<WideSymbol>> {
        if self.wide_symbols.is_empty() { None } else { self.wide_symbols.get(&symbol).map(Arc::clone) }
    }

    /// Makes the tables of a symbol with these declarations; `None` if it is not wide.
    pub(super) fn wide_symbol(&mut self, symbol: GlobalSymbol, defs: &[GlobalDef]) -> Option<Arc<WideSymbol>> {
        let has_many_bases = |def: &GlobalDef| match &self.program.def(*def).body {
            DefBody::Interface(interface) => interface.extends.len() > MANY,
            _ => false,
        };
        if defs.len() <= MANY && !defs.iter().any(has_many_bases) {
            return None;
        }
        // A class or interface that extends itself is described without its own tables.
        let _level = self.descend()?;
        if !self.described_symbols.insert(symbol) {
            return None;
        }
        let wide = self.describe_wide_symbol(defs).map(Arc::new);
        self.described_symbols.remove(&symbol);
        let wide = wide?;
        self.wide_symbols.insert(symbol, Arc::clone(&wide));
        Some(wide)
    }

    /// `None` if the type of a base is not known, maybe because it is being computed.
    fn describe_wide_symbol(&mut self, defs: &[GlobalDef]) -> Option<WideSymbol> {
        let mut wide = WideSymbol::default();
        for &def in defs {
            wide.is_platform |= self.program.is_platform(def);
            let has_index = |member: &_| matches!(member, MemberKind::Index { .. });
            if self.program.members(def).iter().any(|member| has_index(&member.kind)) {
                wide.indexed.push(def);
            }
            for base in self.base_types(def) {
                if base == InternedType::ANY {
                    return None;
                }
                wide.bases.push((def, base));
            }
            for &((name, is_static), at) in self.member_table(def) {
                if !is_static {
                    wide.members.entry(name).or_insert((def, at));
                }
            }
        }
        for (at, &(_, base)) in wide.bases.iter().enumerate() {
            match self.names_of_base(base) {
                Some(names) => {
                    for name in names {
                        wide.bases_by_name.entry(name).or_default().push(at as u32);
                    }
                }
                None => wide.open_bases.push(at as u32),
            }
        }
        (!self.budget.is_exhausted()).then_some(wide)
    }

    /// All names of properties that a base type may have; `None` if it may have others.
    fn names_of_base(&mut self, base: InternedType) -> Option<FxHashSet<InternedName>> {
        let mut names = FxHashSet::default();
        let (mut seen, mut seen_symbols) = (FxHashSet::default(), FxHashSet::default());
        let mut pending = vec![base];
        while let Some(ty) = pending.pop() {
            let defs = match self.types.kind(ty).clone() {
                TypeKind::Reference(symbol, _) => {
                    if !seen_symbols.insert(symbol) {
                        continue;
                    }
                    let defs = self.program.definitions(symbol);
                    // The tables of a wide base have the names of its own bases.
                    if let Some(wide) = self.known_wide_symbol(symbol).or_else(|| self.wide_symbol(symbol, &defs)) {
                        names.extend(wide.names()?);
                        if names.len() > MAX_NAMES {
                            return None;
                        }
                        continue;
                    }
                    defs
                }
                TypeKind::Anonymous(def, _) if matches!(self.program.def(def).body, DefBody::TypeLiteral(_)) => {
                    SmallVec::from_slice(&[def])
                }
                TypeKind::Intersection(constituents) => {
                    pending.extend(constituents);
                    continue;
                }
                _ => return None,
            };
            if !self.budget.step() {
                return None;
            }
            for def in defs {
                if !seen.insert(def) {
                    continue;
                }
                if self.program.is_platform(def) {
                    return None;
                }
                let file = self.program.file_of(def);
                for member in self.program.members(def) {
                    match (&member.kind, member.name) {
                        (MemberKind::Index { .. } | MemberKind::Spread(_), _) => return None,
                        (_, Some(name)) => names.insert(self.program.name(file, name)),
                        (_, None) => continue,
                    };
                }
                if names.len() > MAX_NAMES {
                    return None;
                }
                pending.extend(self.base_types(def));
            }
        }
        Some(names)
    }

    /// The property `name` of a reference to a wide symbol, found as [`Linker::find_property`] finds those of others.
    pub(super) fn wide_property(
        &mut self,
        wide: &WideSymbol,
        args: &InternedTypes,
        name: InternedName,
        receiver: InternedType,
        futile: &mut FutileBases,
        depth: u32,
    ) -> Option<FoundProperty> {
        if let Some(&(def, at)) = wide.members.get(&name) {
            return Some(self.declared_property((def, at), args, receiver));
        }
        let named = wide.bases_by_name.get(&name).into_iter().flatten();
        let mut positions: Vec<u32> = wide.open_bases.iter().chain(named).copied().collect();
        positions.sort_unstable();
        let bases: Vec<_> = positions.into_iter().map(|at| wide.bases[at as usize]).collect();
        match self.property_of_bases(&bases, args, name, receiver, futile, depth) {
            Ok(declared) => return Some(declared),
            Err(Some(outside)) => return Some(outside),
            Err(None) => {}
        }
        if let Some(&def) = wide.indexed.first()
            && let Some(found) = self.indexed_property(def, args, receiver)
        {
            return Some(found);
        }
        wide.is_platform.then(|| FoundProperty::undeclared(InternedType::EXTERNAL))
    }
}
