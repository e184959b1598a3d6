//! The method resolution order (MRO) of classes, by C3 linearization (Barrett et al. 1996, adopted in Python 2.3).
//!
//! The order of a class with one base is the class, followed by the order of the base. So orders are lists that share
//! their tails: a chain of n classes needs n nodes.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::{
    limits::MAX_COPIED,
    linker::Linker,
    mro_table::{Ancestor, MroId},
    program::{ClassId, GlobalBinding, GlobalName},
    types::{Type, TypeId},
};
use crate::memo::MemoSlot;

impl Linker<'_> {
    /// The method resolution order of a class, the class itself first. `object` is left out.
    pub(crate) fn mro(&mut self, class: ClassId) -> MroId {
        MemoSlot::get_or_compute(
            self,
            |this| &mut this.mros[class.index()],
            // A class that inherits from itself has no other ancestors.
            |this| this.prepend_class(class, None),
            |this| {
                if let Some(mro) = this.nested(|this| Some(this.linearize(class))) {
                    return mro;
                }
                let (file, def, _) = this.program.class_facts(class);
                this.note_limits(file, def.line);
                let unknown = this.prepend(Ancestor::Unknown(class), None);
                this.prepend_class(class, Some(unknown))
            },
        )
    }

    /// Computes the orders of all classes. Each computation is a query of its own (see [`Linker::begin_query`]),
    /// so that no order is incomplete because an earlier computation has used up the steps.
    pub(super) fn compute_mros(&mut self) {
        for class in 0..self.program.class_count() {
            self.begin_query();
            self.mro(ClassId::new(class));
        }
    }

    /// The order that begins with `class` and goes on with `rest`.
    fn prepend_class(&mut self, class: ClassId, rest: Option<MroId>) -> MroId {
        let none = self.types.no_arguments();
        self.prepend(Ancestor::Class(class, none), rest)
    }

    fn prepend_all(&mut self, ancestors: Vec<Ancestor>, rest: Option<MroId>) -> Option<MroId> {
        ancestors.into_iter().rev().fold(rest, |rest, ancestor| Some(self.prepend(ancestor, rest)))
    }

    fn linearize(&mut self, class: ClassId) -> MroId {
        let (file, _, body) = self.program.class_facts(class);
        let mut orders: SmallVec<[MroId; 4]> = SmallVec::new();
        for (base, _) in &body.bases {
            let ty = self.expr_type(file, *base);
            let mut ty = self.types.parts(ty)[0];
            // A declaration file names classes of libraries by their paths.
            if self.program.source_file(file).is_none()
                && let Some((base, args)) = self.library_class(ty)
            {
                ty = self.types.add(Type::Class(base, args));
            }
            let order = match self.types.get(ty).clone() {
                Type::Class(base, _) if base == class => continue,
                Type::Class(base, args) => self.order_with_arguments(base, &args),
                Type::ExternalName(path) => {
                    if matches!(self.program.interner.text(path), "object" | "typing.Generic") {
                        continue;
                    }
                    self.prepend(Ancestor::External(path), None)
                }
                Type::ExternalClass(path, _)
                    if matches!(self.program.interner.text(path), "typing.Generic" | "typing_extensions.Generic") =>
                {
                    continue;
                }
                // A class that the call `type("B", (Base,), {})` makes.
                Type::ExternalInstance(path, args) if self.program.interner.text(path) == "type" => {
                    match args.first().map(|instance| self.types.get(*instance).clone()) {
                        Some(Type::Instance(base, args)) if base != class => self.order_with_arguments(base, &args),
                        _ => self.prepend(Ancestor::Unknown(class), None),
                    }
                }
                // `class C(Base[int])` with `Base` from outside the sources.
                Type::ExternalInstance(path, _) | Type::ExternalClass(path, _) => {
                    self.prepend(Ancestor::External(path), None)
                }
                _ => self.prepend(Ancestor::Unknown(class), None),
            };
            orders.push(order);
        }
        let rest = match orders[..] {
            [] => None,
            [only] => Some(only),
            _ => self.merged(class, &orders),
        };
        self.prepend_class(class, rest)
    }

    /// The order of a base that is inherited with type arguments.
    fn order_with_arguments(&mut self, base: ClassId, args: &super::types::TypeList) -> MroId {
        let mro = self.mro(base);
        let args = self.with_default_arguments(base, args.clone());
        if args.is_empty() {
            return mro;
        }
        let parameters = self.type_parameters(base);
        let map: FxHashMap<GlobalBinding, TypeId> = parameters.iter().copied().zip(args.iter().copied()).collect();
        let changes = |this: &Self, (variable, ty): (&GlobalBinding, &TypeId)| {
            let is_itself = matches!(this.types.get(*ty), Type::Variable(other) if other == variable);
            !is_itself
        };
        let mut at = self.mro_table.get(mro).rest;
        let mut copied = Vec::new();
        if map.iter().any(|entry| changes(self, entry)) {
            while let Some(id) = at
                && self.mro_table.get(id).has_variable()
                // Beyond this number type variables stay as they are.
                && copied.len() < MAX_COPIED
            {
                let node = self.mro_table.get(id);
                at = node.rest;
                copied.push(match node.ancestor.clone() {
                    Ancestor::Class(class, inner) => {
                        let inner = inner.iter().map(|&ty| self.substitute(ty, &map)).collect();
                        Ancestor::Class(class, inner)
                    }
                    other => other,
                });
            }
        }
        let rest = self.prepend_all(copied, at);
        self.prepend(Ancestor::Class(base, args), rest)
    }

    /// The merge of the orders of several bases.
    fn merged(&mut self, class: ClassId, orders: &[MroId]) -> Option<MroId> {
        // If all orders share a tail, only the entries before the common tail have to be merged. The last base may be
        // in the tail, since all others precede it.
        if let Some(tail) = self.mro_table.common_tail(orders) {
            let heads: Vec<Vec<Ancestor>> = orders.iter().map(|&order| self.mro_table.before(order, tail)).collect();
            let (last, others) = heads.split_last()?;
            if last.is_empty() && others.len() == 1 {
                return Some(orders[0]);
            }
            if others.iter().all(|ancestors| !ancestors.is_empty()) {
                let mut order = Vec::new();
                if merge(&mut order, heads) {
                    return self.limited(class, order, Some(tail));
                }
            }
        }
        let mut order = Vec::new();
        merge(&mut order, orders.iter().map(|&order| self.mro_table.iter(order).cloned().collect()).collect());
        self.limited(class, order, None)
    }

    /// The list `order` followed by `tail`. If it is too long, its end is unknown.
    fn limited(&mut self, class: ClassId, mut order: Vec<Ancestor>, tail: Option<MroId>) -> Option<MroId> {
        if order.len() <= MAX_COPIED {
            return self.prepend_all(order, tail);
        }
        order.truncate(MAX_COPIED);
        order.push(Ancestor::Unknown(class));
        self.prepend_all(order, None)
    }

    /// True if `class` is `base` or inherits from it.
    pub(crate) fn inherits(&mut self, class: ClassId, base: ClassId) -> bool {
        let mro = self.mro(class);
        self.mro_table.iter(mro).any(|a| matches!(a, Ancestor::Class(c, _) if *c == base))
    }

    /// True if a class inherits from the class `base` from outside the sources. Instances of a `TypedDict` are `dict`s,
    /// and those of a `NamedTuple` are `tuple`s.
    pub(super) fn inherits_external(&mut self, class: ClassId, base: GlobalName) -> bool {
        let mro = self.mro(class);
        let node = self.mro_table.get(mro);
        match self.program.interner.text(base) {
            "dict" if node.is_typed_dict() => true,
            "tuple" if node.is_named_tuple() => true,
            _ => self.mro_table.iter(mro).any(|a| matches!(a, Ancestor::External(path) if *path == base)),
        }
    }

    /// True if a class is an `enum`.
    pub(crate) fn is_enum(&mut self, class: ClassId) -> bool {
        let mro = self.mro(class);
        self.mro_table.get(mro).is_enum()
    }
}

/// The merge step of C3 for the orders of all bases. If the hierarchy has no consistent order, the first head is taken,
/// so that every class appears; the result is then false.
fn merge(order: &mut Vec<Ancestor>, mut sequences: Vec<Vec<Ancestor>>) -> bool {
    let bases = sequences.iter().filter_map(|sequence| sequence.first().cloned()).collect();
    sequences.push(bases);
    let sequences: Vec<Vec<(AncestorKey, Ancestor)>> = sequences
        .into_iter()
        .map(|ancestors| ancestors.into_iter().map(|a| (AncestorKey::of(&a), a)).collect())
        .collect();
    // Per ancestor, the number of sequences that contain the ancestor after their first entry. C3 takes the head of a
    // sequence only if this number is zero for it.
    let mut behind: FxHashMap<AncestorKey, u32> = FxHashMap::default();
    for (key, _) in sequences.iter().flat_map(|s| s.iter().skip(1)) {
        *behind.entry(*key).or_default() += 1;
    }
    let mut taken: FxHashSet<AncestorKey> = FxHashSet::default();
    let mut heads = vec![0; sequences.len()];
    let mut is_consistent = true;
    loop {
        let mut first = None;
        let mut candidate = None;
        for (sequence, &head) in sequences.iter().zip(&heads) {
            let Some(entry) = sequence.get(head) else { continue };
            first = first.or(Some(entry));
            if behind.get(&entry.0).is_none_or(|&n| n == 0) {
                candidate = Some(entry);
                break;
            }
        }
        is_consistent &= candidate.is_some() || first.is_none();
        let Some((key, ancestor)) = candidate.or(first) else { return is_consistent };
        order.push(ancestor.clone());
        taken.insert(*key);
        for (sequence, head) in sequences.iter().zip(&mut heads) {
            while let Some((key, _)) = sequence.get(*head)
                && taken.contains(key)
            {
                *head += 1;
                if let Some((next, _)) = sequence.get(*head)
                    && let Some(count) = behind.get_mut(next)
                {
                    *count -= 1;
                }
            }
        }
    }
}

/// The identity of an ancestor: type arguments are ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum AncestorKey {
    Class(ClassId),
    External(GlobalName),
    Unknown(ClassId),
}

impl AncestorKey {
    fn of(ancestor: &Ancestor) -> Self {
        match ancestor {
            Ancestor::Class(class, _) => Self::Class(*class),
            Ancestor::External(path) => Self::External(*path),
            Ancestor::Unknown(class) => Self::Unknown(*class),
        }
    }
}
