//! Type inference on demand: the linker with its memo tables, and the computation of one type.

mod ambient_modules;
mod annotations;
mod applicability;
mod array_literals;
mod assignable;
mod assigned_properties;
mod augmentations;
mod bound_functions;
mod budget;
mod callables;
mod called_values;
mod calls;
mod computed_names;
mod computed_types;
mod conditional_types;
mod constants;
mod contextual;
mod declared_functions;
mod elements;
mod exported_names;
mod exports;
mod expressions;
mod generators;
mod growing_arrays;
mod heritage;
mod infer_params;
mod intersections;
mod literal_items;
mod mapped;
mod mapped_inference;
mod member_tables;
mod members;
mod narrow;
mod narrow_by_type;
mod object_inference;
mod object_properties;
mod overload_tables;
mod overloads;
mod parameters;
mod passed_values;
mod renamed_keys;
mod resolved_names;
mod rest_parameters;
mod results;
mod stars;
mod stored_arguments;
mod substitute;
mod symbol_types;
mod template_literals;
mod this_and_super;
mod tuples;
mod unify;
mod variables;
mod weak_types;
mod wide_symbols;

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    modules::ModuleResolver,
    program::{FileIndex, GlobalDef, GlobalSymbol, InternedName, ProgramFacts},
    types::{InternedType, StringMapping, Substitution, TypeInterner, TypeKind},
};
use crate::{
    control::StepCounter,
    link::{
        limits::{LinkLimit, ReachedLimits},
        memo::{Memo, MemoSlot},
    },
    syntax::typescript::facts::{CallExprId, ExprId, ImportId, TypeId, VariableId},
};
use {
    assigned_properties::AssignedProperties,
    budget::{Budget, ComputedType},
    computed_types::{ExprType, ExprTypes, QueriedTypes},
    member_tables::MemberTable,
    object_inference::ObjectMember,
    overload_tables::OverloadTable,
    renamed_keys::RenamedKeys,
    stars::StarGraph,
    wide_symbols::WideSymbol,
};

#[cfg(test)]
pub(super) use budget::MAX_STEPS;
pub(super) use called_values::CalledValue;
pub(super) use exported_names::FileExports;
pub(super) use object_properties::{MAX_PROPERTIES, ObjectProperty};
pub(super) use passed_values::PassedType;
pub(super) use resolved_names::{ResolvedModule, ResolvedName};

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
    resolved_ambient_exports: Memo<(InternedName, InternedName), ResolvedName>,
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
    /// The properties that assignments add to functions, classes, object literals and their instances.
    assigned: AssignedProperties,
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

/// Symbols of the platform and names that inference itself refers to.
#[derive(Debug)]
struct WellKnownGlobals {
    array: Option<GlobalSymbol>,
    readonly_array: Option<GlobalSymbol>,
    promise: Option<GlobalSymbol>,
    generator: Option<GlobalSymbol>,
    async_generator: Option<GlobalSymbol>,
    iterator: Option<GlobalSymbol>,
    async_iterator: Option<GlobalSymbol>,
    iterator_result: Option<GlobalSymbol>,
    string: Option<GlobalSymbol>,
    number: Option<GlobalSymbol>,
    boolean: Option<GlobalSymbol>,
    function: Option<GlobalSymbol>,
    iterable: Option<GlobalSymbol>,
    this_type: Option<GlobalSymbol>,
    /// The type of the global object.
    window: Option<GlobalSymbol>,
    /// The types of which the platform's description lists all properties.
    described: Vec<GlobalSymbol>,
    string_mappings: [(StringMapping, Option<GlobalSymbol>); 4],
    default: InternedName,
    empty: InternedName,
    props: InternedName,
    then: InternedName,
    next: InternedName,
    value: InternedName,
    prototype: InternedName,
}

impl WellKnownGlobals {
    fn new(program: &mut ProgramFacts<'_>) -> Self {
        let mut symbol = |text: &str| {
            let name = program.names.intern(text);
            program.find_global(program.platform(), name)
        };
        let (array, readonly_array) = (symbol("Array"), symbol("ReadonlyArray"));
        let (promise, iterable) = (symbol("Promise"), symbol("Iterable"));
        let (generator, async_generator) = (symbol("Generator"), symbol("AsyncGenerator"));
        let (string, number, boolean) = (symbol("String"), symbol("Number"), symbol("Boolean"));
        let (iterator, async_iterator) = (symbol("Iterator"), symbol("AsyncIterator"));
        let iterator_result = symbol("IteratorResult");
        let (function, this_type, window) = (symbol("Function"), symbol("ThisType"), symbol("Window"));
        let described = [
            "Array",
            "ReadonlyArray",
            "Map",
            "ReadonlyMap",
            "Set",
            "ReadonlySet",
            "Promise",
            "PromiseLike",
            "Response",
        ];
        let described = described.into_iter().filter_map(&mut symbol).collect();
        let string_mappings = StringMapping::ALL.map(|(mapping, name)| (mapping, symbol(name)));
        let mut name = |text: &str| program.names.intern(text);
        Self {
            array,
            readonly_array,
            promise,
            generator,
            async_generator,
            iterator,
            async_iterator,
            iterator_result,
            string,
            number,
            boolean,
            function,
            iterable,
            this_type,
            window,
            described,
            string_mappings,
            default: name("default"),
            empty: name(""),
            props: name("props"),
            then: name("then"),
            next: name("next"),
            value: name("value"),
            prototype: name("prototype"),
        }
    }

    /// The mapping of strings that a symbol of the platform denotes.
    fn string_mapping(&self, symbol: GlobalSymbol) -> Option<StringMapping> {
        self.string_mappings.iter().find(|(_, known)| *known == Some(symbol)).map(|(mapping, _)| *mapping)
    }
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
    /// Unlike [`crate::link::memo::Recursion`], this ignores cycles that earlier, sibling computations have met.
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
