//! Classes: bases, the order in which they are searched, type arguments.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    infer::Linker,
    program::{ClassId, GlobalBinding, Symbol},
    types::{Ty, Type, Tys},
};
use crate::link::memo::MemoSlot;

/// One place in the method resolution order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ancestor {
    /// A class of the sources, with the type arguments it is inherited with.
    Class(ClassId, Tys),
    /// A class from outside, by its path.
    Outside(Symbol),
    /// A base of that class that is not known.
    Unknown(ClassId),
}

impl Linker<'_> {
    /// The class itself and what it inherits from, in the order of search; `object` is left out.
    pub(crate) fn mro(&mut self, class: ClassId) -> Arc<[Ancestor]> {
        let class_alone = |this: &mut Self| Arc::from([Ancestor::Class(class, this.types.none())]);
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
            let ty = self.expr(file, *base);
            let ty = self.types.parts(ty)[0];
            match self.types.get(ty).clone() {
                Type::Class(base, _) if base == class => {}
                Type::Class(base, args) => {
                    let mro = self.mro(base);
                    let parameters = self.type_parameters(base);
                    let map: FxHashMap<GlobalBinding, Ty> =
                        parameters.iter().copied().zip(args.iter().copied()).collect();
                    let mro: Vec<Ancestor> = mro
                        .iter()
                        .enumerate()
                        .map(|(i, ancestor)| match ancestor {
                            Ancestor::Class(c, _) if i == 0 => Ancestor::Class(*c, Arc::clone(&args)),
                            Ancestor::Class(_, inner) if inner.is_empty() => ancestor.clone(),
                            Ancestor::Class(c, inner) => {
                                let inner: Vec<Ty> = inner.iter().map(|&ty| self.substituted(ty, &map)).collect();
                                Ancestor::Class(*c, inner.into())
                            }
                            other => other.clone(),
                        })
                        .collect();
                    bases.push(mro[0].clone());
                    sequences.push(mro);
                }
                Type::Outside(path) => {
                    if !matches!(self.program.symbols.text(path), "object" | "typing.Generic") {
                        bases.push(Ancestor::Outside(path));
                        sequences.push(vec![Ancestor::Outside(path)]);
                    }
                }
                // `Base[int]` of a class from outside.
                Type::OutsideInstance(path, _) => {
                    bases.push(Ancestor::Outside(path));
                    sequences.push(vec![Ancestor::Outside(path)]);
                }
                _ => {
                    bases.push(Ancestor::Unknown(class));
                    sequences.push(vec![Ancestor::Unknown(class)]);
                }
            }
        }
        sequences.push(bases);
        let mut order = vec![Ancestor::Class(class, self.types.none())];
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
                let ty = self.expr(file, item);
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
    pub(super) fn substituted(&mut self, ty: Ty, map: &FxHashMap<GlobalBinding, Ty>) -> Ty {
        if map.is_empty() {
            return ty;
        }
        let all = |this: &mut Self, items: &Tys| -> Tys {
            items.iter().map(|&item| this.nested(|this| this.substituted(item, map))).collect::<Vec<_>>().into()
        };
        let replaced = match self.types.get(ty).clone() {
            Type::Variable(variable) => return map.get(&variable).copied().unwrap_or(ty),
            Type::Union(parts) => {
                let parts = all(self, &parts);
                return self.types.union(parts.iter().copied());
            }
            Type::OutsideInstance(path, args) if !args.is_empty() => Type::OutsideInstance(path, all(self, &args)),
            Type::Instance(class, args) if !args.is_empty() => Type::Instance(class, all(self, &args)),
            Type::Class(class, args) if !args.is_empty() => Type::Class(class, all(self, &args)),
            Type::Tuple(items) => Type::Tuple(all(self, &items)),
            _ => return ty,
        };
        self.types.add(replaced)
    }

    /// What type variables stand for in an instance, for a member that `owner` declares.
    pub(super) fn arguments_of(&mut self, class: ClassId, args: &Tys, owner: ClassId) -> FxHashMap<GlobalBinding, Ty> {
        let mut map: FxHashMap<GlobalBinding, Ty> = FxHashMap::default();
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
                let inherited: Vec<Ty> = inherited.iter().map(|&ty| self.substituted(ty, &map)).collect();
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
    let sequences: Vec<Vec<(Place, Ancestor)>> =
        sequences.into_iter().map(|ancestors| ancestors.into_iter().map(|a| (Place::of(&a), a)).collect()).collect();
    // How often each stands behind the first place of a sequence.
    let mut behind: FxHashMap<Place, u32> = FxHashMap::default();
    for (place, _) in sequences.iter().flat_map(|s| s.iter().skip(1)) {
        *behind.entry(*place).or_default() += 1;
    }
    let mut taken: FxHashSet<Place> = FxHashSet::default();
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
enum Place {
    Class(ClassId),
    Outside(Symbol),
    Unknown(ClassId),
}

impl Place {
    fn of(ancestor: &Ancestor) -> Self {
        match ancestor {
            Ancestor::Class(class, _) => Self::Class(*class),
            Ancestor::Outside(path) => Self::Outside(*path),
            Ancestor::Unknown(class) => Self::Unknown(*class),
        }
    }
}
