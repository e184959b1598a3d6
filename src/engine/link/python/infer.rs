//! TypeInterner of expressions, found on demand and kept.
//!
//! **Architecture invariant.** Inference is bounded: every expression, binding and function is evaluated
//! once, a question that leads back to itself answers 'unknown', and so does one that nests too deep.
//! Questions are asked in the order of files and sites, so that answers do not depend on chance.

use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::{
    classes::Ancestor,
    members::MemberLookup,
    program::{ClassId, FileIndex, GlobalDef, GlobalName, ModuleNodeId, Program},
    stars::StarTables,
    types::{Type, TypeId, TypeInterner},
};
use crate::{
    link::memo::{Memo, MemoRequest, MemoSlot, Recursion},
    syntax::python::facts::{BindingId, Expr, ExprId},
};

/// Questions nested deeper than this answer 'unknown'.
const MAX_DEPTH: u32 = 250;

/// How often a type that was computed inside a cycle is discarded, to be computed again from outside of the cycle.
pub(super) const MAX_DISCARDS: u8 = 3;

/// The program with what has been inferred of it so far.
pub(crate) struct Linker<'f> {
    pub(crate) program: Program<'f>,
    pub(crate) types: TypeInterner,
    expr_types: Vec<Vec<MemoSlot<TypeId>>>,
    binding_types: Vec<Vec<MemoSlot<TypeId>>>,
    pub(super) return_types: Vec<MemoSlot<TypeId>>,
    pub(super) decorated_types: Vec<MemoSlot<TypeId>>,
    pub(super) mros: Vec<MemoSlot<Arc<[Ancestor]>>>,
    pub(super) module_attributes: Memo<(ModuleNodeId, GlobalName), TypeId>,
    /// Where the names that a file only has from stars come from.
    pub(super) star_tables: StarTables,
    pub(super) members: Memo<(ClassId, GlobalName), MemberLookup>,
    pub(super) fixtures: FxHashMap<GlobalName, Vec<GlobalDef>>,
    /// What parameters without annotations are given by every call of their function.
    pub(super) given: FxHashMap<(GlobalDef, usize), TypeId>,
    pub(super) recursion: Recursion,
}

impl<'f> Linker<'f> {
    pub(crate) fn new(program: Program<'f>) -> Self {
        let expr_types = program.files.par_iter().map(|f| vec![MemoSlot::default(); f.facts.exprs.len()]).collect();
        let binding_types =
            program.files.par_iter().map(|f| vec![MemoSlot::default(); f.facts.bindings.len()]).collect();
        let mut linker = Self {
            expr_types,
            binding_types,
            return_types: vec![MemoSlot::default(); program.def_count()],
            decorated_types: vec![MemoSlot::default(); program.def_count()],
            mros: vec![MemoSlot::default(); program.classes.len()],
            module_attributes: Memo::default(),
            star_tables: StarTables::default(),
            members: Memo::default(),
            fixtures: FxHashMap::default(),
            given: FxHashMap::default(),
            program,
            types: TypeInterner::new(),
            recursion: Recursion::NEW,
        };
        linker.collect_fixtures();
        linker
    }

    /// Runs a nested question; too deep a one answers with the default.
    pub(super) fn nested<T: Default>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        if !self.recursion.descend(MAX_DEPTH) {
            return T::default();
        }
        let answer = f(self);
        self.recursion.ascend();
        answer
    }

    /// Returns the type in a slot, computed by `compute` on the first request. In a cycle, and nested too deep, the
    /// type is unknown.
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

    /// Requests the type in a slot: unknown in a cycle. On `None` the slot is marked as in progress, and
    /// [`Linker::compute`] has to follow.
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

    /// Computes the type of a slot that [`Linker::request`] has marked. A type that was computed inside a cycle is
    /// kept only at the head of the cycle.
    #[inline]
    pub(super) fn compute(
        &mut self,
        slot: impl Fn(&mut Self) -> &mut MemoSlot<TypeId>,
        compute: impl FnOnce(&mut Self) -> TypeId,
    ) -> TypeId {
        let depth = self.recursion.depth();
        let ty = self.nested(compute);
        let is_provisional = self.recursion.end(depth);
        let slot = slot(self);
        if is_provisional {
            slot.discard(ty, MAX_DISCARDS);
        } else {
            slot.keep(ty);
        }
        ty
    }

    /// Forgets every unknown type and every member, because more has become known.
    pub(super) fn forget_unknown(&mut self) {
        let forget = |slot: &mut MemoSlot<TypeId>| {
            if *slot == MemoSlot::Computed(TypeId::UNKNOWN) {
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
    }

    /// The type of an expression as a value.
    pub(crate) fn expr_type(&mut self, file: FileIndex, expr: ExprId) -> TypeId {
        self.memoized(|this| &mut this.expr_types[file.index()][expr.index()], |this| this.infer_expr(file, expr))
    }

    fn infer_expr(&mut self, file: FileIndex, expr: ExprId) -> TypeId {
        let facts = self.program.facts(file);
        match facts.expr(expr) {
            Expr::Unknown | Expr::Slice => TypeId::UNKNOWN,
            Expr::Ellipsis => TypeId::EXTERNAL,
            Expr::None => TypeId::NONE,
            Expr::Bool => self.external_instance("bool", &[]),
            Expr::Int => self.external_instance("int", &[]),
            Expr::Float => self.external_instance("float", &[]),
            Expr::Str(_) => self.external_instance("str", &[]),
            Expr::Bytes => self.external_instance("bytes", &[]),
            Expr::Name { name, scope, reach } => {
                if reach.is_empty() {
                    self.lookup_name(file, scope, name)
                } else {
                    let bindings = facts.reach(reach);
                    if let [one] = bindings {
                        self.binding_type(file, *one)
                    } else {
                        let parts: Vec<TypeId> = bindings.iter().map(|&b| self.binding_type(file, b)).collect();
                        self.types.union(parts)
                    }
                }
            }
            Expr::Attribute { value, name, reach } => {
                if !reach.is_empty() {
                    let parts: Vec<TypeId> = facts.reach(reach).iter().map(|&b| self.binding_type(file, b)).collect();
                    let known = self.types.union(parts);
                    if known != TypeId::UNKNOWN {
                        return known;
                    }
                }
                let receiver = self.expr_type(file, value);
                let global_name = self.program.global_name(file, name);
                self.attribute_type(receiver, global_name)
            }
            Expr::Call(site) => self.call_expr_type(file, site),
            Expr::Subscript { value, index } => self.subscript_type(file, value, index),
            Expr::Tuple(list) => {
                let items: Vec<TypeId> = facts.list(list).iter().map(|&e| self.expr_type(file, e)).collect();
                let starred = facts.list(list).iter().any(|&e| matches!(facts.expr(e), Expr::Starred(_)));
                if starred {
                    let item = self.types.union(items);
                    self.external_instance("tuple", &[item])
                } else {
                    self.types.add(Type::Tuple(items.into()))
                }
            }
            Expr::List(list) => self.collection("list", file, facts.list(list)),
            Expr::Set(list) => self.collection("set", file, facts.list(list)),
            Expr::Dict(list) => {
                let items = facts.list(list);
                let keys: Vec<TypeId> = items.iter().step_by(2).take(32).map(|&e| self.expr_type(file, e)).collect();
                let values: Vec<TypeId> =
                    items.iter().skip(1).step_by(2).take(32).map(|&e| self.expr_type(file, e)).collect();
                let key = self.types.union(keys);
                let value = self.types.union(values);
                self.external_instance("dict", &[key, value])
            }
            Expr::ListComprehension(item) => {
                let item = self.expr_type(file, item);
                self.external_instance("list", &[item])
            }
            Expr::SetComprehension(item) => {
                let item = self.expr_type(file, item);
                self.external_instance("set", &[item])
            }
            Expr::Generator(item) => {
                let item = self.expr_type(file, item);
                self.external_instance("Iterable", &[item])
            }
            Expr::DictComprehension(key, value) => {
                let args = [self.expr_type(file, key), self.expr_type(file, value)];
                self.external_instance("dict", &args)
            }
            Expr::Binary { is_union, left, right } => {
                let left = self.expr_type(file, left);
                let right = self.expr_type(file, right);
                if is_union && (self.is_class_expression(left) || self.is_class_expression(right)) {
                    return self.types.union([left, right]);
                }
                self.binary(left, right)
            }
            Expr::Boolean { is_or, left, right } => {
                let left = self.expr_type(file, left);
                let right = self.expr_type(file, right);
                let left = if is_or { self.without_none(left) } else { left };
                self.types.union([left, right])
            }
            Expr::Conditional(yes, no) => {
                let parts = [self.expr_type(file, yes), self.expr_type(file, no)];
                self.types.union(parts)
            }
            Expr::Await(value) => {
                let value = self.expr_type(file, value);
                self.awaited_type(value)
            }
            Expr::Starred(value) => {
                let value = self.expr_type(file, value);
                self.iteration_type(value)
            }
            Expr::Lambda(def) => {
                let def = self.program.global(file, def);
                self.types.add(Type::Function(def))
            }
        }
    }

    fn collection(&mut self, path: &str, file: FileIndex, items: &[ExprId]) -> TypeId {
        // Long literals are data: their first items tell what all are.
        let items: Vec<TypeId> = items.iter().take(32).map(|&e| self.expr_type(file, e)).collect();
        let item = self.types.union(items);
        self.external_instance(path, &[item])
    }

    /// True for what `|` makes a union type of.
    fn is_class_expression(&self, ty: TypeId) -> bool {
        match self.types.get(ty) {
            Type::Class(..) | Type::ExternalName(_) | Type::ExternalClass(..) | Type::None | Type::Variable(_) => true,
            Type::Union(parts) => parts.iter().all(|&part| self.is_class_expression(part)),
            _ => false,
        }
    }

    /// Operators on the sources' own classes mostly give the same class; what a method says decides.
    fn binary(&mut self, left: TypeId, right: TypeId) -> TypeId {
        match (self.types.get(left).clone(), self.types.get(right).clone()) {
            (Type::ExternalInstance(..), _) => left,
            (Type::Instance(..), _) => {
                let names = ["__truediv__", "__add__", "__or__", "__mul__", "__sub__", "__mod__", "__and__"];
                let mut found = Vec::new();
                for name in names {
                    let global_name = self.program.interner.intern(name);
                    let method = self.attribute_type(left, global_name);
                    if matches!(self.types.get(method), Type::Method(..)) {
                        found.push(self.call_type(method));
                    }
                }
                // Which operator it was is not kept: only where all agree is the answer known.
                match found[..] {
                    [first, ref rest @ ..] if rest.iter().all(|ty| *ty == first) => first,
                    _ => TypeId::UNKNOWN,
                }
            }
            (Type::External | Type::ExternalName(_), _) => TypeId::EXTERNAL,
            _ => TypeId::UNKNOWN,
        }
    }

    /// The type that a binding gives its name.
    pub(crate) fn binding_type(&mut self, file: FileIndex, binding: BindingId) -> TypeId {
        self.memoized(
            |this| &mut this.binding_types[file.index()][binding.index()],
            |this| this.infer_binding(file, binding),
        )
    }

    /// An instance of something outside.
    pub(crate) fn external_instance(&mut self, path: &str, args: &[TypeId]) -> TypeId {
        let path = self.program.interner.intern(path);
        self.types.add(Type::ExternalInstance(path, args.into()))
    }

    /// Something outside itself.
    pub(crate) fn external_name(&mut self, path: &str) -> TypeId {
        let path = self.program.interner.intern(super::known::canonical(path));
        self.types.add(Type::ExternalName(path))
    }

    pub(crate) fn without_none(&mut self, ty: TypeId) -> TypeId {
        match self.types.get(ty).clone() {
            Type::Union(parts) => self.types.union(parts.iter().copied().filter(|&p| p != TypeId::NONE)),
            Type::None => TypeId::UNKNOWN,
            _ => ty,
        }
    }

    /// Applies `f` to every part of a type and unites the answers.
    pub(super) fn map_union(&mut self, ty: TypeId, mut f: impl FnMut(&mut Self, TypeId) -> TypeId) -> TypeId {
        match self.types.get(ty) {
            Type::Union(parts) => {
                let parts = Arc::clone(parts);
                let answers: Vec<TypeId> = parts.iter().map(|&part| f(self, part)).collect();
                self.types.union(answers)
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
