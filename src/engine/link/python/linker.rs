//! The state of linking: the program, and the memo tables of type inference.
//!
//! **Architecture invariant.** Inference is bounded. The type of every expression, binding and function is computed a
//! bounded number of times. A type that depends on itself, or that nests too deep, is unknown. Types are requested in
//! the order of classes, then of files and call sites, so that the result is deterministic.

use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::{
    constructors::ConstructorSearch,
    literal_items::DictTable,
    members::MemberLookup,
    mro_table::{MroId, MroTable},
    program::{ClassId, FileIndex, GlobalDef, GlobalName, ModuleNodeId, Program},
    star_imports::StarTables,
    types::{Type, TypeId, TypeInterner},
};
use crate::{
    limits::{LinkLimit, ReachedLimits},
    memo::{Memo, MemoRequest, MemoSlot, Recursion},
};
use apidisc_base::{
    control::StepCounter,
    nesting::{self, Level},
};
use apidisc_facts::syntax::python::facts::ExprId;

/// The maximum number of steps of one query. A query is a unit of work with a step budget of its own, such as the
/// resolution of one call or the description of one definition. Types that are needed after the last step are
/// [`TypeId::TOO_COMPLEX`].
const MAX_STEPS: u32 = 250_000;

/// A type that was computed inside a cycle is discarded, and the next request computes it again. After this many
/// discards the type is kept, so that the number of computations is bounded.
pub(super) const MAX_DISCARDS: u8 = 3;

/// A program with the types that were inferred so far. Lists are indexed by file and then by the id in the file, or by
/// global id.
pub(crate) struct Linker<'f> {
    pub(crate) program: Program<'f>,
    pub(crate) types: TypeInterner,
    /// Counts the nested computations, and tells whether linking is cancelled.
    pub(super) steps: StepCounter,
    /// The number of steps that the present query may still take.
    steps_left: u32,
    /// True if the present query needed a computation that nests deeper than [`nesting::MAX_LEVELS`], which is skipped.
    /// Not set if the query only uses a result that an earlier query left incomplete.
    is_too_deep: bool,
    /// The limits that files reach.
    pub(super) limits: ReachedLimits,
    pub(super) expr_types: Vec<Vec<MemoSlot<TypeId>>>,
    pub(super) binding_types: Vec<Vec<MemoSlot<TypeId>>>,
    pub(super) return_types: Vec<MemoSlot<TypeId>>,
    pub(super) decorated_types: Vec<MemoSlot<TypeId>>,
    pub(super) mro_table: MroTable,
    pub(super) mros: Vec<MemoSlot<MroId>>,
    pub(super) module_attributes: Memo<(ModuleNodeId, GlobalName), TypeId>,
    /// Names that star imports bind.
    pub(super) star_tables: StarTables,
    /// Per class, its first subclasses at any depth (see `subclasses`); `None` until the table is first needed.
    pub(super) subclasses: Option<FxHashMap<ClassId, Vec<ClassId>>>,
    pub(super) members: Memo<(ClassId, GlobalName), MemberLookup>,
    /// Members that were looked up from a checkpoint of a method resolution order.
    pub(super) members_from: FxHashMap<(MroId, GlobalName), MemberLookup>,
    /// Results of searches from a checkpoint of a method resolution order.
    pub(super) constructor_searches: FxHashMap<(MroId, ConstructorSearch), Option<MroId>>,
    pub(super) fixtures: FxHashMap<GlobalName, Vec<GlobalDef>>,
    /// The tests that pass values to fixtures, by the names of the fixtures: `parametrize` with `indirect`.
    pub(super) indirect_tests: FxHashMap<GlobalName, Vec<GlobalDef>>,
    /// Types of parameters without annotations, propagated from the calls of their functions. The key is the function
    /// and the position of the parameter; the receiver counts as a parameter.
    pub(super) propagated_types: FxHashMap<(GlobalDef, usize), TypeId>,
    /// True after the first propagation of types from arguments to parameters.
    pub(super) has_propagated: bool,
    /// The dict literals that all calls of a function pass to a parameter, by the same key.
    pub(super) passed_literals: FxHashMap<(GlobalDef, usize), (FileIndex, ExprId)>,
    /// For each function, with the number of receivers before its parameters: the positions of the parameters whose
    /// defaults no call has used so far.
    pub(super) unused_defaults: FxHashMap<(GlobalDef, usize), Vec<usize>>,
    /// The items of large dict literals by key, each dict by its first key.
    pub(super) dict_tables: FxHashMap<(FileIndex, ExprId), Arc<DictTable>>,
    pub(super) recursion: Recursion,
    /// The number of nested calls whose types `return_type_of_call` is inferring.
    pub(super) call_depth: u8,
}

impl<'f> Linker<'f> {
    pub(crate) fn new(mut program: Program<'f>, steps: StepCounter) -> Self {
        let expr_types =
            program.all_facts().par_iter().map(|facts| vec![MemoSlot::default(); facts.exprs.len()]).collect();
        let binding_types =
            program.all_facts().par_iter().map(|facts| vec![MemoSlot::default(); facts.bindings.len()]).collect();
        let types = TypeInterner::new(program.interner.intern("typing.Self"));
        let mut linker = Self {
            expr_types,
            binding_types,
            return_types: vec![MemoSlot::default(); program.all_def_count()],
            decorated_types: vec![MemoSlot::default(); program.all_def_count()],
            mro_table: MroTable::default(),
            mros: vec![MemoSlot::default(); program.all_class_count()],
            module_attributes: Memo::default(),
            star_tables: StarTables::default(),
            subclasses: None,
            members: Memo::default(),
            members_from: FxHashMap::default(),
            constructor_searches: FxHashMap::default(),
            fixtures: FxHashMap::default(),
            indirect_tests: FxHashMap::default(),
            propagated_types: FxHashMap::default(),
            has_propagated: false,
            passed_literals: FxHashMap::default(),
            unused_defaults: FxHashMap::default(),
            dict_tables: FxHashMap::default(),
            program,
            steps,
            steps_left: MAX_STEPS,
            is_too_deep: false,
            limits: ReachedLimits::default(),
            types,
            recursion: Recursion::NEW,
            call_depth: 0,
        };
        linker.collect_fixtures();
        linker
    }

    /// Frees the types of all expressions, bindings and functions, which take about as much memory as the code itself.
    /// Nothing can be inferred afterwards.
    pub(super) fn forget_types(&mut self) {
        (self.expr_types, self.binding_types, self.members) = (Vec::new(), Vec::new(), Memo::default());
        (self.return_types, self.decorated_types) = (Vec::new(), Vec::new());
        (self.star_tables, self.dict_tables) = (StarTables::default(), FxHashMap::default());
        (self.propagated_types, self.passed_literals) = (FxHashMap::default(), FxHashMap::default());
        (self.members_from, self.constructor_searches) = (FxHashMap::default(), FxHashMap::default());
        self.module_attributes = Memo::default();
        self.types = TypeInterner::new(self.program.interner.intern("typing.Self"));
        (self.mro_table, self.mros) = (MroTable::default(), Vec::new());
        (self.fixtures, self.subclasses) = (FxHashMap::default(), None);
    }

    /// Begins a query: gives the following computations [`MAX_STEPS`] steps.
    pub(super) fn begin_query(&mut self) {
        self.steps_left = MAX_STEPS;
        self.is_too_deep = false;
    }

    /// Notes the limits that the present query, about the code at a line of a file, has reached.
    pub(super) fn note_limits(&mut self, file: FileIndex, line: u32) {
        if self.is_exhausted() {
            self.limits.note(file.index(), LinkLimit::Steps(MAX_STEPS), line);
        } else if self.is_too_deep {
            self.limits.note(file.index(), LinkLimit::Nesting(nesting::MAX_LEVELS), line);
        }
    }

    /// True if the present query has reached a limit, so that its answer may be incomplete.
    pub(super) fn is_limited(&self) -> bool {
        self.is_too_deep || self.is_exhausted()
    }

    /// True if the present query has taken all its steps, so that its answer may be incomplete.
    pub(super) fn is_exhausted(&self) -> bool {
        self.steps_left == 0
    }

    /// Counts one step. Returns false if the query has no steps left, or if linking is cancelled.
    #[inline]
    fn step(&mut self) -> bool {
        self.steps_left = self.steps_left.saturating_sub(1);
        self.steps.step() && !self.is_exhausted()
    }

    /// Begins a level of recursion, as [`nesting::descend`] does, and takes a step of the present query. `None` if the
    /// level would be too deep, or if the query has no step left: its answer may be incomplete then.
    #[inline]
    pub(super) fn descend(&mut self) -> Option<Level> {
        if !self.step() {
            return None;
        }
        let level = nesting::descend();
        if level.is_none() {
            self.is_too_deep = true;
        }
        level
    }

    /// Runs a computation one level deeper. Returns the default value if the nesting is too deep, or if no steps are
    /// left.
    pub(super) fn nested<T: Default>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        let Some(_level) = self.descend() else { return T::default() };
        self.recursion.descend();
        let result = f(self);
        self.recursion.ascend();
        result
    }

    /// Runs a nested computation of a type.
    pub(super) fn nested_type(&mut self, f: impl FnOnce(&mut Self) -> TypeId) -> TypeId {
        self.nested(|this| Some(f(this))).unwrap_or(TypeId::TOO_COMPLEX)
    }

    /// Returns the type in a slot. On the first request `compute` computes it. The type is unknown in a cycle, and too
    /// complex if the nesting is too deep or no steps are left.
    #[inline]
    pub(super) fn memoized(
        &mut self,
        slot: impl Fn(&mut Self) -> &mut MemoSlot<TypeId>,
        compute: impl FnOnce(&mut Self) -> TypeId,
    ) -> TypeId {
        match self.request(&slot) {
            Some(ty) => ty,
            None => self.compute(slot, compute),
        }
    }

    /// Requests the type in a slot. The type is unknown in a cycle. If the result is `None`, the slot is marked as in
    /// progress, and the caller has to call [`Linker::compute`].
    #[inline]
    pub(super) fn request(&mut self, slot: impl Fn(&mut Self) -> &mut MemoSlot<TypeId>) -> Option<TypeId> {
        let depth = self.recursion.depth();
        match slot(self).request(depth) {
            MemoRequest::Computed(ty) => Some(ty),
            MemoRequest::InProgress { depth } => {
                self.recursion.note_cycle(depth);
                Some(TypeId::UNKNOWN)
            }
            MemoRequest::Started => None,
        }
    }

    /// Computes the type of a slot that [`Linker::request`] has marked. A type that was computed inside a cycle is kept
    /// only at the head of the cycle. A type for which no steps were left is computed again for another query, a
    /// bounded number of times.
    #[inline]
    pub(super) fn compute(
        &mut self,
        slot: impl Fn(&mut Self) -> &mut MemoSlot<TypeId>,
        compute: impl FnOnce(&mut Self) -> TypeId,
    ) -> TypeId {
        let depth = self.recursion.depth();
        // A type that is kept must not depend on the call that first needs it.
        let call_depth = std::mem::take(&mut self.call_depth);
        let ty = self.nested_type(compute);
        self.call_depth = call_depth;
        let is_exhausted = self.is_exhausted();
        let ty = if is_exhausted { TypeId::TOO_COMPLEX } else { ty };
        let is_provisional = self.recursion.end(depth) || is_exhausted;
        let slot = slot(self);
        if is_provisional {
            slot.discard(ty, MAX_DISCARDS);
        } else {
            slot.keep(ty);
        }
        ty
    }

    /// Forgets types with unknown parts and all members, so that they are computed again with the propagated types of
    /// parameters.
    pub(super) fn forget_unknown(&mut self) {
        let types = &self.types;
        let forget = |slot: &mut MemoSlot<TypeId>| {
            if matches!(slot, MemoSlot::Computed(ty) if types.has_unknown(*ty)) {
                slot.clear();
            }
        };
        self.expr_types
            .par_iter_mut()
            .chain(&mut self.binding_types)
            .for_each(|slots| slots.iter_mut().for_each(forget));
        self.return_types
            .iter_mut()
            .chain(&mut self.decorated_types)
            .chain(self.module_attributes.slots_mut())
            .for_each(forget);
        self.members.clear();
        self.members_from.clear();
    }

    /// The type of an instance of a class from outside the sources.
    pub(crate) fn external_instance(&mut self, path: &str, args: &[TypeId]) -> TypeId {
        let path = self.program.interner.intern(path);
        self.types.add(Type::ExternalInstance(path, args.into()))
    }

    /// The type of a module, class or function from outside the sources.
    pub(crate) fn external_name(&mut self, path: &str) -> TypeId {
        let path = self.program.interner.intern(super::standard_library::canonical(path));
        self.types.add(Type::ExternalName(path))
    }

    pub(crate) fn without_none(&mut self, ty: TypeId) -> TypeId {
        match self.types.get(ty).clone() {
            Type::Union(parts) => self.types.union(parts.iter().copied().filter(|&p| p != TypeId::NONE)),
            Type::None => TypeId::UNKNOWN,
            _ => ty,
        }
    }

    /// Applies `f` to every part of a union, or to the type itself, and returns the union of the results. If the type
    /// is too complex, so is the result.
    pub(super) fn map_union(&mut self, ty: TypeId, mut f: impl FnMut(&mut Self, TypeId) -> TypeId) -> TypeId {
        match self.types.get(ty) {
            Type::TooComplex => ty,
            Type::Union(parts) => {
                let parts = Arc::clone(parts);
                let results: Vec<TypeId> = parts.iter().map(|&part| f(self, part)).collect();
                self.types.union(results)
            }
            _ => f(self, ty),
        }
    }
}

impl Default for TypeId {
    fn default() -> Self {
        Self::UNKNOWN
    }
}
