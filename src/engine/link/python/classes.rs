//! Classes: bases, the order in which they are searched, type arguments.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    infer::Linker,
    program::{ClassId, GlobalBinding, GlobalName},
    types::{Type, TypeId, TypeList},
};
use crate::link::memo::MemoSlot;

/// One place in the method resolution order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ancestor {
    /// A class of the sources, with the type arguments it is inherited with.
    Class(ClassId, TypeList),
    /// A class from outside, by its path.
    External(GlobalName),
    /// A base of that class that is not known.
    Unknown(ClassId),
}

impl Linker<'_> {
    /// The class itself and what it inherits from, in the order of search; `object` is left out.
    pub(crate) fn mro(&mut self, class: ClassId) -> Arc<[Ancestor]> {
        let class_alone = |this: &mut Self| Arc::from([Ancestor::Class(class, this.types.no_arguments())]);
        MemoSlot::get_or_compute(
            self,
            |this| &mut this.mros[class.index()],
            // A class that inherits from itself.
            class_alone,
            |this| {
                let mro = this.nested(|this| this.linearize(class));
                if mro.is_empty() { class_alone(this) } else { mro.into() }
            },
        )
    }

    fn linearize(&mut self, class: ClassId) -> Vec<Ancestor> {
        let (file, _, body) = self.program.class_facts(class);
        let mut sequences: Vec<Vec<Ancestor>> = Vec::new();
        let mut bases = Vec::new();
        for (base, _) in &body.bases {
            let ty = self.expr_type(file, *base);
            let ty = self.types.parts(ty)[0];
            match self.types.get(ty).clone() {
                Type::Class(base, _) if base == class => {}
                Type::Class(base, args) => {
                    let mro = self.mro(base);
                    let parameters = self.type_parameters(base);
                    let map: FxHashMap<GlobalBinding, TypeId> =
                        parameters.iter().copied().zip(args.iter().copied()).collect();
                    let mro: Vec<Ancestor> = mro
                        .iter()
                        .enumerate()
                        .map(|(i, ancestor)| match ancestor {
                            Ancestor::Class(c, _) if i == 0 => Ancestor::Class(*c, Arc::clone(&args)),
                            Ancestor::Class(_, inner) if inner.is_empty() => ancestor.clone(),
                            Ancestor::Class(c, inner) => {
                                let inner: Vec<TypeId> = inner.iter().map(|&ty| self.substitute(ty, &map)).collect();
                                Ancestor::Class(*c, inner.into())
                            }
                            other => other.clone(),
                        })
                        .collect();
                    bases.push(mro[0].clone());
                    sequences.push(mro);
                }
                Type::ExternalName(path) => {
                    if !matches!(self.program.interner.text(path), "object" | "typing.Generic") {
                        bases.push(Ancestor::External(path));
                        sequences.push(vec![Ancestor::External(path)]);
                    }
                }
                // `Base[int]` of a class from outside.
                Type::ExternalInstance(path, _) => {
                    bases.push(Ancestor::External(path));
                    sequences.push(vec![Ancestor::External(path)]);
                }
                _ => {
                    bases.push(Ancestor::Unknown(class));
                    sequences.push(vec![Ancestor::Unknown(class)]);
                }
            }
        }
        sequences.push(bases);
        let mut order = vec![Ancestor::Class(class, self.types.no_arguments())];
        merge(&mut order, sequences);
        order
    }

    /// The type variables of a class in order: those of `Generic[…]` or `Protocol[…]`, else of its bases.
    pub(super) fn type_parameters(&mut self, class: ClassId) -> Vec<GlobalBinding> {
        use crate::syntax::python::facts::Expr;
        let (file, _, body) = self.program.class_facts(class);
        let facts = self.program.facts(file);
        let mut found: Vec<GlobalBinding> = Vec::new();
        for (base, text) in &body.bases {
            let Expr::Subscript { index, .. } = facts.expr(*base) else { continue };
            let mut here = Vec::new();
            let items: Vec<_> = match facts.expr(index) {
                Expr::Tuple(list) => facts.list(list).to_vec(),
                _ => vec![index],
            };
            for item in items {
                let ty = self.expr_type(file, item);
                if let Type::Variable(variable) = self.types.get(ty) {
                    here.push(*variable);
                }
            }
            let head = text.split('[').next().unwrap_or(text);
            if matches!(head.rsplit('.').next(), Some("Generic" | "Protocol")) {
                return here;
            }
            for variable in here {
                if !found.contains(&variable) {
                    found.push(variable);
                }
            }
        }
        found
    }

    /// True where `class` is `base` or inherits from it.
    pub(crate) fn inherits(&mut self, class: ClassId, base: ClassId) -> bool {
        self.mro(class).iter().any(|a| matches!(a, Ancestor::Class(c, _) if *c == base))
    }

    /// Replaces type variables by what they stand for.
    pub(super) fn substitute(&mut self, ty: TypeId, map: &FxHashMap<GlobalBinding, TypeId>) -> TypeId {
        if map.is_empty() {
            return ty;
        }
        let all = |this: &mut Self, items: &TypeList| -> TypeList {
            items.iter().map(|&item| this.nested(|this| this.substitute(item, map))).collect::<Vec<_>>().into()
        };
        let replaced = match self.types.get(ty).clone() {
            Type::Variable(variable) => return map.get(&variable).copied().unwrap_or(ty),
            Type::Union(parts) => {
                let parts = all(self, &parts);
                return self.types.union(parts.iter().copied());
            }
            Type::ExternalInstance(path, args) if !args.is_empty() => Type::ExternalInstance(path, all(self, &args)),
            Type::Instance(class, args) if !args.is_empty() => Type::Instance(class, all(self, &args)),
            Type::Class(class, args) if !args.is_empty() => Type::Class(class, all(self, &args)),
            Type::Tuple(items) => Type::Tuple(all(self, &items)),
            _ => return ty,
        };
        self.types.add(replaced)
    }

    /// What type variables stand for in an instance, for a member that `owner` declares.
    pub(super) fn arguments_of(
        &mut self,
        class: ClassId,
        args: &TypeList,
        owner: ClassId,
    ) -> FxHashMap<GlobalBinding, TypeId> {
        let mut map: FxHashMap<GlobalBinding, TypeId> = FxHashMap::default();
        if !args.is_empty() {
            map.extend(self.type_parameters(class).into_iter().zip(args.iter().copied()));
        }
        if owner != class {
            let mro = self.mro(class);
            let inherited = mro.iter().find_map(|a| match a {
                Ancestor::Class(c, args) if *c == owner && !args.is_empty() => Some(Arc::clone(args)),
                _ => None,
            });
            if let Some(inherited) = inherited {
                let inherited: Vec<TypeId> = inherited.iter().map(|&ty| self.substitute(ty, &map)).collect();
                map.extend(self.type_parameters(owner).into_iter().zip(inherited));
            }
        }
        map
    }
}

/// Python's C3 merge. Where the hierarchy has no consistent order, the first candidate is taken.
fn merge(order: &mut Vec<Ancestor>, mut sequences: Vec<Vec<Ancestor>>) {
    // What comes from one base alone is in order already; the last sequence lists the bases.
    if let [only, _] = &mut sequences[..] {
        order.append(only);
        return;
    }
    let sequences: Vec<Vec<(AncestorKey, Ancestor)>> = sequences
        .into_iter()
        .map(|ancestors| ancestors.into_iter().map(|a| (AncestorKey::of(&a), a)).collect())
        .collect();
    // How often each stands behind the first place of a sequence.
    let mut behind: FxHashMap<AncestorKey, u32> = FxHashMap::default();
    for (place, _) in sequences.iter().flat_map(|s| s.iter().skip(1)) {
        *behind.entry(*place).or_default() += 1;
    }
    let mut taken: FxHashSet<AncestorKey> = FxHashSet::default();
    let mut heads = vec![0; sequences.len()];
    loop {
        let mut first = None;
        let mut candidate = None;
        for (sequence, &head) in sequences.iter().zip(&heads) {
            let Some(row) = sequence.get(head) else { continue };
            first = first.or(Some(row));
            if behind.get(&row.0).is_none_or(|&n| n == 0) {
                candidate = Some(row);
                break;
            }
        }
        let Some((place, ancestor)) = candidate.or(first) else { return };
        order.push(ancestor.clone());
        taken.insert(*place);
        for (sequence, head) in sequences.iter().zip(&mut heads) {
            while let Some((place, _)) = sequence.get(*head)
                && taken.contains(place)
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

/// What an ancestor is told apart by: type arguments do not count.
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
