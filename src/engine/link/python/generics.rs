//! Type variables: what arguments say they are.

use rustc_hash::FxHashMap;

use super::{
    infer::Linker,
    members::{Lookup, Member},
    program::{ClassId, GlobalBinding, GlobalDef},
    results::Passed,
    types::{Ty, Type},
};
use crate::program::ArgumentKind;

impl Linker<'_> {
    /// Replaces a function's type variables by what the arguments say they are.
    pub(super) fn solved(
        &mut self,
        result: Ty,
        def: GlobalDef,
        bound: bool,
        mut map: FxHashMap<GlobalBinding, Ty>,
        passed: Option<Passed>,
    ) -> Ty {
        if !self.mentions_variable(result) {
            return result;
        }
        if let Some(passed) = passed {
            self.solve_arguments(def, bound, passed, &mut map);
        }
        self.substituted(result, &map)
    }

    fn solve_arguments(&mut self, def: GlobalDef, bound: bool, passed: Passed, map: &mut FxHashMap<GlobalBinding, Ty>) {
        let file = self.program.file_of(def);
        let Some(function) = self.program.function(def) else { return };
        let mut position = usize::from(bound);
        for argument in passed.arguments {
            let parameter = match argument.kind {
                ArgumentKind::Positional => {
                    position += 1;
                    function.parameters.get(position - 1)
                }
                ArgumentKind::Keyword => {
                    let name = argument.keyword.map(|k| self.program.symbol(passed.file, k));
                    function.parameters.iter().find(|p| Some(self.program.symbol(file, p.name)) == name)
                }
                _ => None,
            };
            let Some((annotation, _)) = parameter.and_then(|p| p.annotation.as_ref()) else { continue };
            let annotation = self.annotation(file, *annotation);
            if self.mentions_variable(annotation) {
                let given = self.expr(passed.file, argument.value);
                self.solve(annotation, given, map);
            }
        }
        if let Some(given) = passed.extra
            && let Some((annotation, _)) = function.parameters.get(position).and_then(|p| p.annotation.as_ref())
        {
            let annotation = self.annotation(file, *annotation);
            self.solve(annotation, given, map);
        }
    }

    /// Type arguments of an instance that a constructor's arguments give away.
    pub(super) fn solved_arguments(&mut self, class: ClassId, passed: Option<Passed>) -> Vec<Ty> {
        let Some(passed) = passed else { return Vec::new() };
        let parameters = self.type_parameters(class);
        if parameters.is_empty() {
            return Vec::new();
        }
        let init = self.program.symbols.intern("__init__");
        let mut map = FxHashMap::default();
        if let Lookup::Found(Member::Function { def, .. }) = self.member(class, init) {
            self.solve_arguments(def, true, passed, &mut map);
        }
        if map.is_empty() {
            return Vec::new();
        }
        parameters.into_iter().map(|p| map.get(&p).copied().unwrap_or_default()).collect()
    }

    pub(super) fn mentions_variable(&self, ty: Ty) -> bool {
        match self.types.get(ty) {
            Type::Variable(_) => true,
            Type::Union(items)
            | Type::Tuple(items)
            | Type::OutsideInstance(_, items)
            | Type::Instance(_, items)
            | Type::Class(_, items)
            | Type::OutsideClass(_, items) => items.iter().any(|&i| self.mentions_variable(i)),
            _ => false,
        }
    }

    /// Finds what the type variables of `pattern` stand for in `given`.
    pub(super) fn solve(&mut self, pattern: Ty, given: Ty, map: &mut FxHashMap<GlobalBinding, Ty>) {
        if given == Ty::UNKNOWN || given == Ty::EXTERNAL {
            return;
        }
        match (self.types.get(pattern).clone(), self.types.get(given).clone()) {
            (Type::Variable(variable), _) => {
                map.entry(variable).or_insert(given);
            }
            (Type::Union(parts), _) => {
                let given = self.without_none(given);
                for &part in parts.iter() {
                    self.solve(part, given, map);
                }
            }
            (Type::OutsideInstance(a, pattern), Type::OutsideInstance(b, items)) => {
                let iterable = self.program.symbols.text(a) == "Iterable";
                if a == b || iterable {
                    for (&p, &g) in pattern.iter().zip(items.iter()) {
                        self.solve(p, g, map);
                    }
                }
            }
            (Type::OutsideInstance(a, pattern), Type::Class(..) | Type::Function(_) | Type::Method(..))
                if self.program.symbols.text(a) == "Callable" =>
            {
                let result = self.called(given);
                if let [p] = pattern[..] {
                    self.solve(p, result, map);
                }
            }
            (Type::OutsideInstance(a, pattern), Type::Class(class, args)) if self.program.symbols.text(a) == "type" => {
                let instance = self.types.add(Type::Instance(class, args));
                if let [p] = pattern[..] {
                    self.solve(p, instance, map);
                }
            }
            (Type::Instance(a, pattern), Type::Instance(b, items)) if a == b => {
                for (&p, &g) in pattern.iter().zip(items.iter()) {
                    self.solve(p, g, map);
                }
            }
            (Type::Tuple(pattern), Type::Tuple(items)) => {
                for (&p, &g) in pattern.iter().zip(items.iter()) {
                    self.solve(p, g, map);
                }
            }
            _ => {}
        }
    }

    /// Replaces `Self` by the receiver.
    pub(super) fn with_self(&mut self, ty: Ty, receiver: Ty) -> Ty {
        match self.types.get(ty).clone() {
            Type::OutsideInstance(path, args) => {
                if self.program.symbols.text(path) == "typing.Self" {
                    return match self.types.get(receiver) {
                        Type::Class(..) => self.instantiated(receiver),
                        _ => receiver,
                    };
                }
                if args.is_empty() {
                    return ty;
                }
                let args: Vec<Ty> = args.iter().map(|&arg| self.with_self(arg, receiver)).collect();
                self.types.add(Type::OutsideInstance(path, args.into()))
            }
            Type::Union(parts) => {
                let parts: Vec<Ty> = parts.iter().map(|&part| self.with_self(part, receiver)).collect();
                self.types.union(parts)
            }
            _ => ty,
        }
    }
}
