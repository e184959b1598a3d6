//! What parameters without annotations are given by the calls of their function.
//!
//! Only where every call says it plainly: each is resolved, none spreads, and each argument is of a known
//! type of the sources. One argument that is not known leaves the parameter unknown. What a decorator is given
//! is left out: its wrapper's call stands for calls that are counted already.

use rustc_hash::FxHashMap;

use super::{
    bind::bind,
    infer::Linker,
    members::{ClassMember, MemberLookup},
    program::{FileIndex, GlobalDef},
    resolve::ResolvedCall,
    signatures::CallableSignature,
    types::{Type, TypeId},
};
use crate::{
    program::{ArgumentKind, BoundParameter},
    syntax::python::facts::Site,
};

/// Parameters by function and place, the receiver included.
type ParameterTypes = FxHashMap<(GlobalDef, usize), TypeId>;

impl Linker<'_> {
    /// Finds what parameters are given, and asks again what could not be answered without. False where that
    /// tells nothing new.
    pub(super) fn propagate_arguments(
        &mut self,
        resolved: &[Vec<ResolvedCall>],
        callables: &[CallableSignature],
    ) -> bool {
        let mut parts: FxHashMap<(GlobalDef, usize), Vec<TypeId>> = FxHashMap::default();
        for (i, file) in self.program.files.iter().enumerate() {
            let index = FileIndex::new(i);
            for (site, resolved) in file.facts.calls.iter().zip(&resolved[i]) {
                for candidate in &resolved.candidates {
                    let callable = &callables[candidate.def.index()];
                    self.collect_argument_types(
                        index,
                        site,
                        candidate.def,
                        callable,
                        candidate.explicit_receiver,
                        &mut parts,
                    );
                }
            }
        }
        let mut given = ParameterTypes::default();
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
    fn collect_argument_types(
        &mut self,
        file: FileIndex,
        site: &Site,
        def: GlobalDef,
        callable: &CallableSignature,
        explicit_receiver: bool,
        parts: &mut FxHashMap<(GlobalDef, usize), Vec<TypeId>>,
    ) {
        let Some(signature) = callable.signature.as_ref().filter(|s| !s.is_synthesized) else { return };
        let Some(function) = self.called_function(def) else { return };
        if !self.has_untyped_parameter(function) {
            return;
        }
        let shift = usize::from(signature.receiver.is_some());
        let is_spread = site.arguments.iter().any(|a| matches!(a.kind, ArgumentKind::Star | ArgumentKind::DoubleStar));
        if is_spread {
            for place in 0..signature.parameters.len() {
                parts.entry((function, place + shift)).or_default().push(TypeId::UNKNOWN);
            }
            return;
        }
        let bounds = bind(self.program.facts(file), &site.arguments, callable, explicit_receiver);
        for (argument, bound) in site.arguments.iter().zip(bounds) {
            if let BoundParameter::Parameter(place) = bound {
                let place = (function, place as usize + shift);
                if self.is_untyped_parameter(place.0, place.1) {
                    let ty = self.expr_type(file, argument.value);
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
        let init = self.program.interner.intern("__init__");
        match self.lookup_member(class, init) {
            MemberLookup::Found(ClassMember::Function { def, .. }) => Some(def),
            _ => None,
        }
    }

    fn has_untyped_parameter(&self, def: GlobalDef) -> bool {
        self.program
            .function(def)
            .is_some_and(|f| (0..f.parameters.len()).any(|place| self.is_untyped_parameter(def, place)))
    }

    /// True for a parameter that nothing but its calls can tell the type of.
    fn is_untyped_parameter(&self, def: GlobalDef, place: usize) -> bool {
        let is_receiver =
            place == 0 && self.program.owner(def).is_some() && !self.program.is_decorated(def, &["staticmethod"]);
        self.program
            .function(def)
            .and_then(|f| f.parameters.get(place))
            .is_some_and(|p| p.annotation.is_none() && p.default.is_none() && !is_receiver)
    }

    /// True for what the sources define.
    fn is_plain(&self, ty: TypeId) -> bool {
        match self.types.get(ty) {
            Type::Function(_) | Type::Method(..) | Type::Class(..) | Type::Instance(..) | Type::None => true,
            Type::Union(parts) => parts.iter().all(|&part| self.is_plain(part)),
            _ => false,
        }
    }
}
