//! What parameters without annotations are given by the calls of their function.
//!
//! Only where every call says it plainly: each is resolved, none spreads, and each argument is of a known
//! type of the sources. One argument that is not known leaves the parameter unknown. What a decorator is given
//! is left out: its wrapper's call stands for calls that are counted already.

use rustc_hash::FxHashMap;

use super::{
    bind::bind,
    infer::Linker,
    members::{Lookup, Member},
    program::{FileIndex, GlobalDef},
    resolve::Resolved,
    signatures::Callable,
    types::{Ty, Type},
};
use crate::{
    program::{ArgumentKind, BoundParameter},
    syntax::python::facts::Site,
};

/// Parameters by function and place, the receiver included.
type Given = FxHashMap<(GlobalDef, usize), Ty>;

impl Linker<'_> {
    /// Finds what parameters are given, and asks again what could not be answered without. False where that
    /// tells nothing new.
    pub(super) fn give_parameters(&mut self, resolved: &[Vec<Resolved>], callables: &[Callable]) -> bool {
        let mut parts: FxHashMap<(GlobalDef, usize), Vec<Ty>> = FxHashMap::default();
        for (i, file) in self.program.files.iter().enumerate() {
            let index = FileIndex::new(i);
            for (site, resolved) in file.facts.calls.iter().zip(&resolved[i]) {
                for candidate in &resolved.candidates {
                    let callable = &callables[candidate.def.index()];
                    self.note_arguments(index, site, candidate.def, callable, candidate.explicit_receiver, &mut parts);
                }
            }
        }
        let mut given = Given::default();
        for (place, parts) in parts {
            if parts.iter().all(|&part| self.is_plain(part)) {
                given.insert(place, self.types.union(parts));
            }
        }
        if given.is_empty() {
            return false;
        }
        self.given = given;
        self.forget_unknown();
        true
    }

    /// Notes the types of a call's arguments for the parameters that are otherwise unknown.
    fn note_arguments(
        &mut self,
        file: FileIndex,
        site: &Site,
        def: GlobalDef,
        callable: &Callable,
        explicit_receiver: bool,
        parts: &mut FxHashMap<(GlobalDef, usize), Vec<Ty>>,
    ) {
        let Some(signature) = callable.signature.as_ref().filter(|s| !s.is_synthesized) else { return };
        let Some(function) = self.called_function(def) else { return };
        if !self.has_open_parameter(function) {
            return;
        }
        let shift = usize::from(signature.receiver.is_some());
        let is_spread = site.arguments.iter().any(|a| matches!(a.kind, ArgumentKind::Star | ArgumentKind::DoubleStar));
        if is_spread {
            for place in 0..signature.parameters.len() {
                parts.entry((function, place + shift)).or_default().push(Ty::UNKNOWN);
            }
            return;
        }
        let bounds = bind(self.program.facts(file), &site.arguments, callable, explicit_receiver);
        for (argument, bound) in site.arguments.iter().zip(bounds) {
            if let BoundParameter::Parameter(place) = bound {
                let place = (function, place as usize + shift);
                if self.is_open(place.0, place.1) {
                    let ty = self.expr(file, argument.value);
                    let seen = parts.entry(place).or_default();
                    if !seen.contains(&ty) {
                        seen.push(ty);
                    }
                }
            }
        }
    }

    /// The function whose parameters a call of a definition gives: of a class its `__init__`.
    fn called_function(&mut self, def: GlobalDef) -> Option<GlobalDef> {
        let Some(class) = self.program.class_of(def) else { return Some(def) };
        let init = self.program.symbols.intern("__init__");
        match self.member(class, init) {
            Lookup::Found(Member::Function { def, .. }) => Some(def),
            _ => None,
        }
    }

    fn has_open_parameter(&self, def: GlobalDef) -> bool {
        self.program.function(def).is_some_and(|f| (0..f.parameters.len()).any(|place| self.is_open(def, place)))
    }

    /// True for a parameter that nothing but its calls can tell the type of.
    fn is_open(&self, def: GlobalDef, place: usize) -> bool {
        let is_receiver =
            place == 0 && self.program.owner(def).is_some() && !self.program.is_decorated(def, &["staticmethod"]);
        self.program
            .function(def)
            .and_then(|f| f.parameters.get(place))
            .is_some_and(|p| p.annotation.is_none() && p.default.is_none() && !is_receiver)
    }

    /// True for what the sources define.
    fn is_plain(&self, ty: Ty) -> bool {
        match self.types.get(ty) {
            Type::Function(_) | Type::Method(..) | Type::Class(..) | Type::Instance(..) | Type::None => true,
            Type::Union(parts) => parts.iter().all(|&part| self.is_plain(part)),
            _ => false,
        }
    }
}
