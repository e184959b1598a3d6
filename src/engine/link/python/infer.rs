//! Types of expressions, found on demand and kept.
//!
//! **Architecture invariant.** Inference is bounded: every expression, binding and function is evaluated
//! once, a question that leads back to itself answers 'unknown', and so does one that nests too deep.
//! Questions are asked in the order of files and sites, so that answers do not depend on chance.

use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::{
    classes::Ancestor,
    members::Lookup,
    program::{ClassId, FileIndex, GlobalDef, NodeId, Program, Symbol},
    stars::StarTables,
    types::{Ty, Type, Types},
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
    pub(crate) types: Types,
    exprs: Vec<Vec<MemoSlot<Ty>>>,
    bindings: Vec<Vec<MemoSlot<Ty>>>,
    pub(super) returns: Vec<MemoSlot<Ty>>,
    pub(super) decorated: Vec<MemoSlot<Ty>>,
    pub(super) mros: Vec<MemoSlot<Arc<[Ancestor]>>>,
    pub(super) module_attributes: Memo<(NodeId, Symbol), Ty>,
    /// Where the names that a file only has from stars come from.
    pub(super) star_tables: StarTables,
    pub(super) members: Memo<(ClassId, Symbol), Lookup>,
    pub(super) fixtures: FxHashMap<Symbol, Vec<GlobalDef>>,
    /// What parameters without annotations are given by every call of their function.
    pub(super) given: FxHashMap<(GlobalDef, usize), Ty>,
    pub(super) recursion: Recursion,
}

impl<'f> Linker<'f> {
    pub(crate) fn new(program: Program<'f>) -> Self {
        let exprs = program.files.par_iter().map(|f| vec![MemoSlot::default(); f.facts.exprs.len()]).collect();
        let bindings = program.files.par_iter().map(|f| vec![MemoSlot::default(); f.facts.bindings.len()]).collect();
        let mut linker = Self {
            exprs,
            bindings,
            returns: vec![MemoSlot::default(); program.def_count()],
            decorated: vec![MemoSlot::default(); program.def_count()],
            mros: vec![MemoSlot::default(); program.classes.len()],
            module_attributes: Memo::default(),
            star_tables: StarTables::default(),
            members: Memo::default(),
            fixtures: FxHashMap::default(),
            given: FxHashMap::default(),
            program,
            types: Types::new(),
            recursion: Recursion::NEW,
        };
        linker.find_fixtures();
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
        slot: impl Fn(&mut Self) -> &mut MemoSlot<Ty>,
        compute: impl FnOnce(&mut Self) -> Ty,
    ) -> Ty {
        match self.request(&slot) {
            Some(ty) => ty,
            None => self.compute(slot, compute),
        }
    }

    /// Requests the type in a slot: unknown in a cycle. On `None` the slot is marked as in progress, and
    /// [`Linker::compute`] has to follow.
    #[inline]
    pub(super) fn request(&mut self, slot: impl Fn(&mut Self) -> &mut MemoSlot<Ty>) -> Option<Ty> {
        let depth = self.recursion.depth();
        match slot(self).request(depth) {
            MemoRequest::Computed(ty) => Some(ty),
            MemoRequest::InProgress { depth } => {
                self.recursion.note_cycle(depth);
                Some(Ty::UNKNOWN)
            }
            MemoRequest::Started => None,
        }
    }

    /// Computes the type of a slot that [`Linker::request`] has marked. A type that was computed inside a cycle is
    /// kept only at the head of the cycle.
    #[inline]
    pub(super) fn compute(
        &mut self,
        slot: impl Fn(&mut Self) -> &mut MemoSlot<Ty>,
        compute: impl FnOnce(&mut Self) -> Ty,
    ) -> Ty {
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
        let forget = |slot: &mut MemoSlot<Ty>| {
            if *slot == MemoSlot::Computed(Ty::UNKNOWN) {
                slot.clear();
            }
        };
        self.exprs.par_iter_mut().chain(&mut self.bindings).for_each(|slots| slots.iter_mut().for_each(forget));
        self.returns.iter_mut().chain(&mut self.decorated).chain(self.module_attributes.slots_mut()).for_each(forget);
        self.members.clear();
    }

    /// The type of an expression as a value.
    pub(crate) fn expr(&mut self, file: FileIndex, expr: ExprId) -> Ty {
        self.memoized(|this| &mut this.exprs[file.index()][expr.index()], |this| this.evaluate(file, expr))
    }

    fn evaluate(&mut self, file: FileIndex, expr: ExprId) -> Ty {
        let facts = self.program.facts(file);
        match facts.expr(expr) {
            Expr::Unknown | Expr::Slice => Ty::UNKNOWN,
            Expr::Ellipsis => Ty::EXTERNAL,
            Expr::None => Ty::NONE,
            Expr::Bool => self.outside_instance("bool", &[]),
            Expr::Int => self.outside_instance("int", &[]),
            Expr::Float => self.outside_instance("float", &[]),
            Expr::Str(_) => self.outside_instance("str", &[]),
            Expr::Bytes => self.outside_instance("bytes", &[]),
            Expr::Name { name, scope, reach } => {
                if reach.is_empty() {
                    self.lookup(file, scope, name)
                } else {
                    let bindings = facts.reach(reach);
                    if let [one] = bindings {
                        self.binding(file, *one)
                    } else {
                        let parts: Vec<Ty> = bindings.iter().map(|&b| self.binding(file, b)).collect();
                        self.types.union(parts)
                    }
                }
            }
            Expr::Attribute { value, name, reach } => {
                if !reach.is_empty() {
                    let parts: Vec<Ty> = facts.reach(reach).iter().map(|&b| self.binding(file, b)).collect();
                    let known = self.types.union(parts);
                    if known != Ty::UNKNOWN {
                        return known;
                    }
                }
                let receiver = self.expr(file, value);
                let symbol = self.program.symbol(file, name);
                self.attribute(receiver, symbol)
            }
            Expr::Call(site) => self.call_result(file, site),
            Expr::Subscript { value, index } => self.subscript(file, value, index),
            Expr::Tuple(list) => {
                let items: Vec<Ty> = facts.list(list).iter().map(|&e| self.expr(file, e)).collect();
                let starred = facts.list(list).iter().any(|&e| matches!(facts.expr(e), Expr::Starred(_)));
                if starred {
                    let item = self.types.union(items);
                    self.outside_instance("tuple", &[item])
                } else {
                    self.types.add(Type::Tuple(items.into()))
                }
            }
            Expr::List(list) => self.collection("list", file, facts.list(list)),
            Expr::Set(list) => self.collection("set", file, facts.list(list)),
            Expr::Dict(list) => {
                let items = facts.list(list);
                let keys: Vec<Ty> = items.iter().step_by(2).take(32).map(|&e| self.expr(file, e)).collect();
                let values: Vec<Ty> = items.iter().skip(1).step_by(2).take(32).map(|&e| self.expr(file, e)).collect();
                let key = self.types.union(keys);
                let value = self.types.union(values);
                self.outside_instance("dict", &[key, value])
            }
            Expr::ListOf(item) => {
                let item = self.expr(file, item);
                self.outside_instance("list", &[item])
            }
            Expr::SetOf(item) => {
                let item = self.expr(file, item);
                self.outside_instance("set", &[item])
            }
            Expr::GeneratorOf(item) => {
                let item = self.expr(file, item);
                self.outside_instance("Iterable", &[item])
            }
            Expr::DictOf(key, value) => {
                let args = [self.expr(file, key), self.expr(file, value)];
                self.outside_instance("dict", &args)
            }
            Expr::Binary { pipe, left, right } => {
                let left = self.expr(file, left);
                let right = self.expr(file, right);
                if pipe && (self.is_class_expression(left) || self.is_class_expression(right)) {
                    return self.types.union([left, right]);
                }
                self.binary(left, right)
            }
            Expr::Boolean { or, left, right } => {
                let left = self.expr(file, left);
                let right = self.expr(file, right);
                let left = if or { self.without_none(left) } else { left };
                self.types.union([left, right])
            }
            Expr::Either(yes, no) => {
                let parts = [self.expr(file, yes), self.expr(file, no)];
                self.types.union(parts)
            }
            Expr::Await(value) => {
                let value = self.expr(file, value);
                self.awaited(value)
            }
            Expr::Starred(value) => {
                let value = self.expr(file, value);
                self.iterated(value)
            }
            Expr::Lambda(def) => {
                let def = self.program.global(file, def);
                self.types.add(Type::Function(def))
            }
        }
    }

    fn collection(&mut self, path: &str, file: FileIndex, items: &[ExprId]) -> Ty {
        // Long literals are data: their first items tell what all are.
        let items: Vec<Ty> = items.iter().take(32).map(|&e| self.expr(file, e)).collect();
        let item = self.types.union(items);
        self.outside_instance(path, &[item])
    }

    /// True for what `|` makes a union type of.
    fn is_class_expression(&self, ty: Ty) -> bool {
        match self.types.get(ty) {
            Type::Class(..) | Type::Outside(_) | Type::OutsideClass(..) | Type::None | Type::Variable(_) => true,
            Type::Union(parts) => parts.iter().all(|&part| self.is_class_expression(part)),
            _ => false,
        }
    }

    /// Operators on the sources' own classes mostly give the same class; what a method says decides.
    fn binary(&mut self, left: Ty, right: Ty) -> Ty {
        match (self.types.get(left).clone(), self.types.get(right).clone()) {
            (Type::OutsideInstance(..), _) => left,
            (Type::Instance(..), _) => {
                let names = ["__truediv__", "__add__", "__or__", "__mul__", "__sub__", "__mod__", "__and__"];
                let mut found = Vec::new();
                for name in names {
                    let symbol = self.program.symbols.intern(name);
                    let method = self.attribute(left, symbol);
                    if matches!(self.types.get(method), Type::Method(..)) {
                        found.push(self.called(method));
                    }
                }
                // Which operator it was is not kept: only where all agree is the answer known.
                match found[..] {
                    [first, ref rest @ ..] if rest.iter().all(|ty| *ty == first) => first,
                    _ => Ty::UNKNOWN,
                }
            }
            (Type::External | Type::Outside(_), _) => Ty::EXTERNAL,
            _ => Ty::UNKNOWN,
        }
    }

    /// The type that a binding gives its name.
    pub(crate) fn binding(&mut self, file: FileIndex, binding: BindingId) -> Ty {
        self.memoized(|this| &mut this.bindings[file.index()][binding.index()], |this| this.bound(file, binding))
    }

    /// An instance of something outside.
    pub(crate) fn outside_instance(&mut self, path: &str, args: &[Ty]) -> Ty {
        let path = self.program.symbols.intern(path);
        self.types.add(Type::OutsideInstance(path, args.into()))
    }

    /// Something outside itself.
    pub(crate) fn outside(&mut self, path: &str) -> Ty {
        let path = self.program.symbols.intern(super::known::canonical(path));
        self.types.add(Type::Outside(path))
    }

    pub(crate) fn without_none(&mut self, ty: Ty) -> Ty {
        match self.types.get(ty).clone() {
            Type::Union(parts) => self.types.union(parts.iter().copied().filter(|&p| p != Ty::NONE)),
            Type::None => Ty::UNKNOWN,
            _ => ty,
        }
    }

    /// Applies `f` to every part of a type and unites the answers.
    pub(super) fn each_part(&mut self, ty: Ty, mut f: impl FnMut(&mut Self, Ty) -> Ty) -> Ty {
        match self.types.get(ty) {
            Type::Union(parts) => {
                let parts = Arc::clone(parts);
                let answers: Vec<Ty> = parts.iter().map(|&part| f(self, part)).collect();
                self.types.union(answers)
            }
            _ => f(self, ty),
        }
    }
}

impl Default for Ty {
    fn default() -> Self {
        Self::UNKNOWN
    }
}
