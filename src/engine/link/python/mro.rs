//! The method resolution order (MRO) of classes, by C3 linearization (Barrett et al. 1996, adopted in Python 2.3).

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    linker::Linker,
    program::{ClassId, GlobalBinding, GlobalName},
    types::{Type, TypeId, TypeList},
};
use crate::link::memo::MemoSlot;

/// An entry of a method resolution order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ancestor {
    /// A class of the sources, with the type arguments that it is inherited with.
    Class(ClassId, TypeList),
    /// A class from outside the sources, by its dotted path.
    External(GlobalName),
    /// A base that cannot be resolved, by the class that names it.
    Unknown(ClassId),
}

impl Linker<'_> {
    /// The method resolution order of a class, the class itself first. `object` is left out.
    pub(crate) fn mro(&mut self, class: ClassId) -> Arc<[Ancestor]> {
        let class_alone = |this: &mut Self| Arc::from([Ancestor::Class(class, this.types.no_arguments())]);
        MemoSlot::get_or_compute(
            self,
            |this| &mut this.mros[class.index()],
            // A class that inherits from itself has no other ancestors.
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
                // `class C(Base[int])` with `Base` from outside the sources.
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

    /// True if `class` is `base` or inherits from it.
    pub(crate) fn inherits(&mut self, class: ClassId, base: ClassId) -> bool {
        self.mro(class).iter().any(|a| matches!(a, Ancestor::Class(c, _) if *c == base))
    }

    /// True if a class is an `enum`.
    pub(crate) fn is_enum(&mut self, class: ClassId) -> bool {
        self.mro(class).iter().any(|a| match a {
            Ancestor::External(path) => matches!(
                self.program.interner.text(*path),
                "enum.Enum" | "enum.IntEnum" | "enum.StrEnum" | "enum.Flag" | "enum.IntFlag"
            ),
            _ => false,
        })
    }
}

/// The merge step of C3. If the hierarchy has no consistent order, the first head is taken, so that every class
/// appears.
fn merge(order: &mut Vec<Ancestor>, mut sequences: Vec<Vec<Ancestor>>) {
    // With a single base there is nothing to merge; the last sequence lists the bases.
    if let [only, _] = &mut sequences[..] {
        order.append(only);
        return;
    }
    let sequences: Vec<Vec<(AncestorKey, Ancestor)>> = sequences
        .into_iter()
        .map(|ancestors| ancestors.into_iter().map(|a| (AncestorKey::of(&a), a)).collect())
        .collect();
    // Per ancestor, the number of sequences that contain it behind their head. C3 takes a head only if that number is
    // zero.
    let mut behind: FxHashMap<AncestorKey, u32> = FxHashMap::default();
    for (key, _) in sequences.iter().flat_map(|s| s.iter().skip(1)) {
        *behind.entry(*key).or_default() += 1;
    }
    let mut taken: FxHashSet<AncestorKey> = FxHashSet::default();
    let mut heads = vec![0; sequences.len()];
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
        let Some((key, ancestor)) = candidate.or(first) else { return };
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
