//! Types of expressions, found on demand and kept.
//!
//! **Architecture invariant.** Inference is bounded: every expression, binding and function is evaluated
//! once, a question that leads back to itself answers 'unknown', and so does one that nests too deep.
//! Questions are asked in the order of files and sites, so that answers do not depend on chance.

use super::{
    classes::Mro,
    program::{FileIndex, GlobalDef, NodeId, Program, Symbol},
    stars::StarTables,
    types::{Ty, Type, Types},
};
use crate::syntax::python::facts::{BindingId, Expr, ExprId};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// Questions nested deeper than this answer 'unknown'.
const MAX_DEPTH: u32 = 250;

/// How often an answer that was found inside a circle of questions is thrown away, to be asked for anew from
/// outside of it.
const MAX_RETRIES: u8 = 3;

/// A question's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    /// Not answered, after that many answers that did not hold.
    Unasked(u8),
    /// Being answered, at that depth.
    Busy { depth: u32, retries: u8 },
    /// Answered.
    Known(Ty),
}

impl Slot {
    pub(super) const NEW: Self = Self::Unasked(0);
}

/// What asking a slot comes to.
pub(super) enum Asked {
    /// The answer is there.
    Answer(Ty),
    /// It has to be found, and given to [`Linker::settle`] with this.
    Open(Slot),
}

/// The program with what has been inferred of it so far.
pub(crate) struct Linker<'f> {
    pub(crate) program: Program<'f>,
    pub(crate) types: Types,
    exprs: Vec<Vec<Slot>>,
    bindings: Vec<Vec<Slot>>,
    pub(super) returns: Vec<Slot>,
    pub(super) decorated: Vec<Slot>,
    pub(super) mros: Vec<Mro>,
    pub(super) module_attributes: FxHashMap<(NodeId, Symbol), Slot>,
    /// Where the names that a file only has from stars come from.
    pub(super) star_tables: StarTables,
    pub(super) members: FxHashMap<(super::program::ClassId, Symbol), super::members::MemberSlot>,
    pub(super) fixtures: FxHashMap<Symbol, Vec<GlobalDef>>,
    /// What parameters without annotations are given by every call of their function.
    pub(super) given: FxHashMap<(GlobalDef, usize), Ty>,
    depth: u32,
    /// The smallest depth of a question that was met again while it was being answered: answers of
    /// questions nested deeper were found without it, and do not hold.
    circle: u32,
}

impl<'f> Linker<'f> {
    pub(crate) fn new(program: Program<'f>) -> Self {
        let exprs = program.files.par_iter().map(|f| vec![Slot::NEW; f.facts.exprs.len()]).collect();
        let bindings = program.files.par_iter().map(|f| vec![Slot::NEW; f.facts.bindings.len()]).collect();
        let mut linker = Self {
            exprs,
            bindings,
            returns: vec![Slot::NEW; program.def_count()],
            decorated: vec![Slot::NEW; program.def_count()],
            mros: vec![Mro::Unasked; program.classes.len()],
            module_attributes: FxHashMap::default(),
            star_tables: StarTables::default(),
            members: FxHashMap::default(),
            fixtures: FxHashMap::default(),
            given: FxHashMap::default(),
            program,
            types: Types::new(),
            depth: 0,
            circle: u32::MAX,
        };
        linker.find_fixtures();
        linker
    }

    /// Runs a nested question; too deep a one answers with the default.
    pub(super) fn nested<T: Default>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        if self.depth >= MAX_DEPTH {
            return T::default();
        }
        self.depth += 1;
        let answer = f(self);
        self.depth -= 1;
        answer
    }

    /// Looks at a slot: its answer, or the slot to mark it busy with.
    pub(super) fn ask(&mut self, slot: Slot) -> Asked {
        match slot {
            Slot::Known(ty) => Asked::Answer(ty),
            Slot::Busy { depth, .. } => {
                self.circle = self.circle.min(depth);
                Asked::Answer(Ty::UNKNOWN)
            }
            Slot::Unasked(retries) => Asked::Open(Slot::Busy { depth: self.depth, retries }),
        }
    }

    /// The slot that keeps an answer: an answer found inside a circle is kept only where the circle begins.
    pub(super) fn settle(&mut self, busy: Slot, answer: Ty) -> Slot {
        let Slot::Busy { depth, retries } = busy else { return Slot::Known(answer) };
        if self.circle >= depth {
            self.circle = u32::MAX;
            return Slot::Known(answer);
        }
        if retries < MAX_RETRIES { Slot::Unasked(retries + 1) } else { Slot::Known(answer) }
    }

    /// Forgets every answer 'unknown': more is known now.
    pub(super) fn reopen(&mut self) {
        let reopen = |slot: &mut Slot| {
            if *slot == Slot::Known(Ty::UNKNOWN) {
                *slot = Slot::NEW;
            }
        };
        self.exprs.par_iter_mut().chain(&mut self.bindings).for_each(|slots| slots.iter_mut().for_each(reopen));
        self.returns.iter_mut().chain(&mut self.decorated).chain(self.module_attributes.values_mut()).for_each(reopen);
        self.members.clear();
    }

    pub(super) fn depth(&self) -> u32 {
        self.depth
    }

    /// Notes that a question at `depth` was met again.
    pub(super) fn note_circle(&mut self, depth: u32) {
        self.circle = self.circle.min(depth);
    }

    /// True where what was found at `depth` rests on no question that is still open.
    pub(super) fn holds(&self, depth: u32) -> bool {
        self.circle > depth
    }

    /// The type of an expression as a value.
    pub(crate) fn expr(&mut self, file: FileIndex, expr: ExprId) -> Ty {
        let busy = match self.ask(self.exprs[file.index()][expr.index()]) {
            Asked::Answer(ty) => return ty,
            Asked::Open(busy) => busy,
        };
        self.exprs[file.index()][expr.index()] = busy;
        let ty = self.nested(|this| this.evaluate(file, expr));
        self.exprs[file.index()][expr.index()] = self.settle(busy, ty);
        ty
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
        let busy = match self.ask(self.bindings[file.index()][binding.index()]) {
            Asked::Answer(ty) => return ty,
            Asked::Open(busy) => busy,
        };
        self.bindings[file.index()][binding.index()] = busy;
        let ty = self.nested(|this| this.bound(file, binding));
        self.bindings[file.index()][binding.index()] = self.settle(busy, ty);
        ty
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
                let parts = std::sync::Arc::clone(parts);
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
