//! The core: what names and types are, inferred on demand.
//!
//! [`Linker`] holds the facts of the program, the interner of types and the memo tables. It computes a type when
//! something asks for the type, and keeps what it has computed. Every answer that inference itself needs is a method
//! here; answers that only readers need are in `callees` and the folders after it.
//!
//! # What may call what
//!
//! | file or folder | answers | may call |
//! | --- | --- | --- |
//! | `budget`, `computed_types`, `well_known` | steps of a query, tables of computed types, symbols of the platform | nothing |
//! | `names` | names to symbols, through imports and exports | `names` |
//! | `nodes` | type nodes to types, and the types that compute types | all |
//! | `members` | properties, elements and base types of a type | all |
//! | `relations` | assignability, and inference of type arguments | all |
//! | `signatures` | overloads, and the types of parameters and results | all |
//! | `values` | the types of expressions and variables, contextual types, narrowing | all |
//!
//! The last five form one circle of calls, as in every checker of TypeScript: the type node `typeof f` asks for the
//! type of an expression, an expression may be a call, a call compares types, and types have members that are written
//! as type nodes. The other rows are outside the circle. `tests/arch/circles.rs` bounds the lines of the circle, and
//! `tests/arch/typescript.rs` keeps `names` out of it.
//!
//! # How recursion ends
//!
//! - A type that is asked for while it is being computed is `any` there: [`Linker::expr_type`] and [`Linker::query`]
//!   mark what is in progress. A result that rests on such an `any` is provisional, and computed again later.
//! - A function that may come back to itself without these two begins a level, [`Linker::descend`]: `nesting` limits
//!   the depth of levels, and `budget` the steps of the query. `tests/arch/recursion.rs` names functions that begin
//!   none.
//! - A query that has taken all its steps gets `any` for every further type; its reader says so.
//!
//! # An example
//!
//! The call `load().save()` in `const load = () => new Store()`:
//!
//! 1. `call_sites::resolve` begins a query and asks for [`Linker::expr_type`] of the callee, `load().save`.
//! 2. `values::expressions` sees a property. It asks for the type of the object, `load()`, which is a call:
//!    `signatures::calls` asks for the type of `load`. `names` finds the variable, `values::variables` its type, which
//!    is that of the arrow function. `signatures::results` asks for the type of what the function returns,
//!    `new Store()`, a reference to the class `Store`.
//! 3. `members::properties` finds `save` in `Store`, with the type of one function: the definition of the method.
//! 4. `call_sites::resolve` takes this definition as the candidate, and `call_sites::linked_calls` its row.
//!
//! # Where a change belongs
//!
//! - A rule of narrowing: `values/narrow.rs`, or `values/narrow_by_type.rs` for a test that compares with a type. The
//!   parser, in `facts/syntax/typescript`, says which tests guard an expression.
//! - An HTTP client: the table in `crate::http`. A new way to hold a client: `../http/objects.rs`.
//! - What a library or the platform returns: a declaration in `../declarations`. The stubs that are shown to people
//!   are rendered from the index, and know nothing of inference.

mod budget;
mod computed_types;
mod members;
mod names;
mod nodes;
mod relations;
mod signatures;
mod values;
mod well_known;

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    modules::ModuleResolver,
    program::{AmbientModuleId, FileIndex, GlobalDef, GlobalSymbol, InternedName, ProgramFacts},
    types::{InternedType, Substitution, TypeInterner, TypeKind},
};
use crate::{
    limits::{LinkLimit, ReachedLimits},
    memo::{Memo, MemoSlot},
};
use apidisc_base::control::StepCounter;
use apidisc_facts::syntax::typescript::facts::{CallExprId, ExprId, ImportId, TypeId, VariableId};
use {
    budget::{Budget, ComputedType},
    computed_types::{ExprType, ExprTypes, QueriedTypes},
    members::AssignedProperties,
    members::MemberTable,
    members::PrototypeSearches,
    members::WideSymbol,
    names::StarGraph,
    nodes::RenamedKeys,
    relations::ObjectMember,
    signatures::OverloadTable,
    well_known::WellKnownGlobals,
};

#[cfg(test)]
pub(super) use budget::MAX_STEPS;
pub(super) use names::FileExports;
pub(super) use names::{ResolvedModule, ResolvedName};
pub(super) use signatures::{CallableSignature, PassedType};

/// The key of a type that is computed once and kept in [`QueriedTypes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum TypeQuery {
    /// The type that a type node denotes.
    TypeNode(FileIndex, TypeId),
    Variable(FileIndex, VariableId),
    /// The type of a symbol used as a value.
    Symbol(GlobalSymbol),
    /// The right-hand side of a type alias, with its type parameters free.
    Alias(GlobalSymbol),
    /// The type of the n-th parameter of a function.
    Parameter(GlobalDef, u16),
    /// The return type of a function.
    Return(GlobalDef),
    /// The type of the n-th member of a declaration.
    Member(GlobalDef, u16),
    /// The contextual type of an expression.
    Contextual(FileIndex, ExprId),
    /// The instance type of the class that a class extends.
    BaseClass(GlobalDef),
}

/// The number of times that a provisional type is discarded before it is kept.
const MAX_DISCARDS: u8 = 2;

/// Links a program: the facts of its files, the interners, and the memo tables of inference.
#[derive(Debug)]
pub(super) struct Linker<'f> {
    pub(super) program: ProgramFacts<'f>,
    pub(super) types: TypeInterner,
    pub(super) resolver: ModuleResolver,
    pub(super) budget: Budget,
    well_known: WellKnownGlobals,
    queried_types: QueriedTypes,
    expr_types: ExprTypes,
    /// The chosen overload of each call, as a position in the callee's signatures, with its type arguments. The last
    /// part of the key is the `stop` of [`Linker::resolved_signature`].
    resolved_signatures: Memo<(FileIndex, CallExprId, u16), (u16, Substitution)>,
    /// The type arguments of calls of generic functions by which the members of object literals are typed.
    substitutions_before_members: Memo<(FileIndex, ObjectMember), Substitution>,
    resolved_exports: Memo<(FileIndex, InternedName), Option<ResolvedName>>,
    /// The resolution of each name in each ambient module, by the names of both.
    resolved_ambient_exports: Memo<(AmbientModuleId, InternedName), ResolvedName>,
    /// The resolutions of the export assignments of files.
    export_assignments: Memo<FileIndex, Option<ResolvedName>>,
    stars: StarGraph,
    resolved_imports: Memo<(FileIndex, ImportId), ResolvedName>,
    substituted: Memo<(InternedType, Substitution), InternedType>,
    /// The names of the properties of mapped types that rename keys; `None` if not all keys are known.
    renamed_keys: Memo<(FileIndex, TypeId, Substitution), Option<Arc<RenamedKeys>>>,
    /// For each declaration: the positions of its members by name and by whether they are static.
    member_tables: FxHashMap<GlobalDef, MemberTable>,
    /// The properties of classes and interfaces with many declarations or base types.
    wide_symbols: FxHashMap<GlobalSymbol, Arc<WideSymbol>>,
    /// The symbols whose tables are being made.
    described_symbols: FxHashSet<GlobalSymbol>,
    /// The signatures of callees with many, by the type of the callee and whether `new` calls it.
    overload_tables: FxHashMap<(InternedType, bool), Arc<OverloadTable>>,
    /// The properties that assignments add to functions, classes and object literals.
    assigned: AssignedProperties,
    prototype_searches: PrototypeSearches,
    /// The types of parameters of JavaScript functions, by what calls pass.
    pub(super) passed_types: FxHashMap<(GlobalDef, u16), PassedType>,
    /// The results of structural comparisons in the current query about assignability that are not final, by depth.
    compared: FxHashMap<(InternedType, InternedType, u32), bool>,
    /// The number of uses of results in [`Self::compared`]. An answer that depends on such a result is not final.
    used_unfinished: u64,
    /// The answers to queries about assignability: whether the first type may be assigned to the second one.
    assignable: FxHashMap<(InternedType, InternedType), bool>,
    /// The results of structural comparisons of types, by depth.
    structurally_assignable: FxHashMap<(InternedType, InternedType, u32), bool>,
    /// The limits that files reach.
    pub(super) limits: ReachedLimits,
    /// The number of nested computations.
    depth: u32,
    /// The least depth of a computation in progress whose type was requested during the current computation;
    /// `u32::MAX` if there is none.
    cycle_head: u32,
}

impl<'f> Linker<'f> {
    pub(super) fn new(mut program: ProgramFacts<'f>, resolver: ModuleResolver, steps: StepCounter) -> Self {
        let well_known = WellKnownGlobals::new(&mut program);
        let assigned = AssignedProperties::new(&program);
        let mut linker = Self {
            queried_types: QueriedTypes::new(&program),
            expr_types: ExprTypes::new(&program),
            types: TypeInterner::new(Arc::clone(&program.type_variable_scopes)),
            program,
            resolver,
            budget: Budget::new(steps),
            well_known,
            resolved_signatures: Memo::default(),
            substitutions_before_members: Memo::default(),
            resolved_exports: Memo::default(),
            resolved_ambient_exports: Memo::default(),
            export_assignments: Memo::default(),
            stars: StarGraph::default(),
            resolved_imports: Memo::default(),
            substituted: Memo::default(),
            renamed_keys: Memo::default(),
            member_tables: FxHashMap::default(),
            wide_symbols: FxHashMap::default(),
            described_symbols: FxHashSet::default(),
            overload_tables: FxHashMap::default(),
            assigned,
            prototype_searches: PrototypeSearches::default(),
            passed_types: FxHashMap::default(),
            compared: FxHashMap::default(),
            used_unfinished: 0,
            assignable: FxHashMap::default(),
            structurally_assignable: FxHashMap::default(),
            limits: ReachedLimits::default(),
            depth: 0,
            cycle_head: u32::MAX,
        };
        linker.stars = linker.star_graph();
        linker.merge_augmentations();
        linker
    }

    /// The type of a query, computed by `compute` on the first request. A request from within the computation of the
    /// same type gets `any`. If the result is then `any` too, the result is provisional, and a later request computes
    /// it again.
    fn query(&mut self, query: TypeQuery, compute: impl FnOnce(&mut Self) -> InternedType) -> InternedType {
        let slot = self.queried_types.slot(&self.program, query);
        match *slot {
            MemoSlot::Computed(ty) => {
                self.budget.use_computed(ComputedType::Query(query));
                return ty;
            }
            MemoSlot::InProgress { depth, .. } => {
                self.cycle_head = self.cycle_head.min(depth);
                return InternedType::ANY;
            }
            MemoSlot::Vacant { .. } => {}
        }
        let Some(_level) = self.descend() else { return InternedType::ANY };
        self.queried_types.slot(&self.program, query).request(self.depth + 1);
        let cuts = self.budget.cuts();
        let (ty, is_provisional) = self.compute_nested(compute);
        self.budget.end_computation(ComputedType::Query(query), cuts);
        let slot = self.queried_types.slot(&self.program, query);
        if is_provisional && ty == InternedType::ANY {
            slot.discard(ty, MAX_DISCARDS);
        } else {
            slot.keep(ty);
        }
        ty
    }

    /// The type of an expression.
    pub(super) fn expr_type(&mut self, file: FileIndex, expr: ExprId) -> InternedType {
        match self.expr_types.get(file, expr) {
            ExprType::Unknown => {}
            ExprType::InProgress { depth } => {
                self.cycle_head = self.cycle_head.min(depth);
                return InternedType::ANY;
            }
            ExprType::Computed(ty) => {
                self.budget.use_computed(ComputedType::Expression(file, expr));
                return ty;
            }
        }
        let Some(_level) = self.descend() else { return InternedType::ANY };
        self.expr_types.set(file, expr, ExprType::InProgress { depth: self.depth + 1 });
        let cuts = self.budget.cuts();
        let (ty, is_provisional) = self.compute_nested(|linker| linker.find_expr_type(file, expr));
        self.budget.end_computation(ComputedType::Expression(file, expr), cuts);
        // Discards of expression types are not counted, because the queries that an expression depends on count their
        // own.
        let is_kept = !(is_provisional && ty == InternedType::ANY);
        self.expr_types.set(file, expr, if is_kept { ExprType::Computed(ty) } else { ExprType::Unknown });
        ty
    }

    /// Forgets the types of some files, marked in `scripts`, which parameters that are known by now may change.
    pub(super) fn forget_types(&mut self, scripts: &[bool]) {
        let program = &self.program;
        let is_kept = |file: FileIndex| !scripts.get(file.index()).copied().unwrap_or_default();
        self.expr_types.retain(is_kept);
        self.queried_types.retain(|query| match *query {
            TypeQuery::TypeNode(..) | TypeQuery::Alias(_) => true,
            TypeQuery::Variable(file, _) | TypeQuery::Contextual(file, _) => is_kept(file),
            TypeQuery::Symbol(symbol) => is_kept(program.symbol(symbol).0),
            TypeQuery::Parameter(def, _)
            | TypeQuery::Return(def)
            | TypeQuery::Member(def, _)
            | TypeQuery::BaseClass(def) => is_kept(program.file_of(def)),
        });
        self.resolved_signatures.retain(|(file, ..)| is_kept(*file));
        self.substitutions_before_members.retain(|(file, _)| is_kept(*file));
    }

    /// Runs a computation one level deeper. Returns the computed type, and whether the type is provisional. A type is
    /// provisional if `any` was used for the type of an enclosing computation that is still in progress.
    ///
    /// Unlike [`crate::memo::Recursion`], this ignores cycles that earlier, sibling computations have met.
    fn compute_nested(&mut self, compute: impl FnOnce(&mut Self) -> InternedType) -> (InternedType, bool) {
        self.depth += 1;
        let depth = self.depth;
        let outer_head = std::mem::replace(&mut self.cycle_head, u32::MAX);
        let ty = compute(self);
        let is_provisional = self.cycle_head < depth;
        self.cycle_head = if is_provisional { outer_head.min(self.cycle_head) } else { outer_head };
        self.depth -= 1;
        (ty, is_provisional)
    }

    /// Runs a computation. Returns its result, and whether the result is final: it depends on no cut type, on no
    /// computation that is still in progress, and on no answer that is not final.
    fn watch_dependencies<T>(&mut self, compute: impl FnOnce(&mut Self) -> T) -> (T, bool) {
        let (cuts, outer_head) = (self.budget.cuts(), std::mem::replace(&mut self.cycle_head, u32::MAX));
        let used_unfinished = self.used_unfinished;
        let result = compute(self);
        let rests_on_final = self.cycle_head == u32::MAX && self.used_unfinished == used_unfinished;
        let is_final = rests_on_final && self.budget.cuts() == cuts && !self.budget.is_exhausted();
        self.cycle_head = self.cycle_head.min(outer_head);
        (result, is_final)
    }

    /// A type of the platform with its type arguments; external if the platform's description lacks it.
    fn platform_type(&mut self, symbol: Option<GlobalSymbol>, args: &[InternedType]) -> InternedType {
        match symbol {
            Some(symbol) => self.types.intern(TypeKind::Reference(symbol, args.iter().copied().collect())),
            None => InternedType::EXTERNAL,
        }
    }

    /// Notes that a definition reaches a limit.
    pub(super) fn note_limit(&mut self, def: GlobalDef, limit: LinkLimit) {
        let line = self.program.def(def).line;
        self.limits.note(self.program.file_of(def).index(), limit, line);
    }
}
