//! Type variables: what arguments say they are.

use rustc_hash::FxHashMap;

use super::{
    infer::Linker,
    members::{ClassMember, MemberLookup},
    program::{ClassId, GlobalBinding, GlobalDef},
    results::PassedArguments,
    types::{Type, TypeId},
};
use crate::program::ArgumentKind;

impl Linker<'_> {
    /// Replaces a function's type variables by what the arguments say they are.
    pub(super) fn specialize_result(
        &mut self,
        result: TypeId,
        def: GlobalDef,
        bound: bool,
        mut map: FxHashMap<GlobalBinding, TypeId>,
        passed: Option<PassedArguments>,
    ) -> TypeId {
        if !self.has_type_variable(result) {
            return result;
        }
        if let Some(passed) = passed {
            self.unify_arguments(def, bound, passed, &mut map);
        }
        self.substitute(result, &map)
    }

    fn unify_arguments(
        &mut self,
        def: GlobalDef,
        bound: bool,
        passed: PassedArguments,
        map: &mut FxHashMap<GlobalBinding, TypeId>,
    ) {
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
                    let name = argument.keyword.map(|k| self.program.global_name(passed.file, k));
                    function.parameters.iter().find(|p| Some(self.program.global_name(file, p.name)) == name)
                }
                _ => None,
            };
            let Some((annotation, _)) = parameter.and_then(|p| p.annotation.as_ref()) else { continue };
            let annotation = self.annotation_type(file, *annotation);
            if self.has_type_variable(annotation) {
                let given = self.expr_type(passed.file, argument.value);
                self.unify(annotation, given, map);
            }
        }
        if let Some(given) = passed.decorated_function
            && let Some((annotation, _)) = function.parameters.get(position).and_then(|p| p.annotation.as_ref())
        {
            let annotation = self.annotation_type(file, *annotation);
            self.unify(annotation, given, map);
        }
    }

    /// Type arguments of an instance that a constructor's arguments give away.
    pub(super) fn inferred_type_arguments(&mut self, class: ClassId, passed: Option<PassedArguments>) -> Vec<TypeId> {
        let Some(passed) = passed else { return Vec::new() };
        let parameters = self.type_parameters(class);
        if parameters.is_empty() {
            return Vec::new();
        }
        let init = self.program.interner.intern("__init__");
        let mut map = FxHashMap::default();
        if let MemberLookup::Found(ClassMember::Function { def, .. }) = self.lookup_member(class, init) {
            self.unify_arguments(def, true, passed, &mut map);
        }
        if map.is_empty() {
            return Vec::new();
        }
        parameters.into_iter().map(|p| map.get(&p).copied().unwrap_or_default()).collect()
    }

    pub(super) fn has_type_variable(&self, ty: TypeId) -> bool {
        match self.types.get(ty) {
            Type::Variable(_) => true,
            Type::Union(items)
            | Type::Tuple(items)
            | Type::ExternalInstance(_, items)
            | Type::Instance(_, items)
            | Type::Class(_, items)
            | Type::ExternalClass(_, items) => items.iter().any(|&i| self.has_type_variable(i)),
            _ => false,
        }
    }

    /// Finds what the type variables of `pattern` stand for in `given`.
    pub(super) fn unify(&mut self, pattern: TypeId, given: TypeId, map: &mut FxHashMap<GlobalBinding, TypeId>) {
        if given == TypeId::UNKNOWN || given == TypeId::EXTERNAL {
            return;
        }
        match (self.types.get(pattern).clone(), self.types.get(given).clone()) {
            (Type::Variable(variable), _) => {
                map.entry(variable).or_insert(given);
            }
            (Type::Union(parts), _) => {
                let given = self.without_none(given);
                for &part in parts.iter() {
                    self.unify(part, given, map);
                }
            }
            (Type::ExternalInstance(a, pattern), Type::ExternalInstance(b, items)) => {
                let iterable = self.program.interner.text(a) == "Iterable";
                if a == b || iterable {
                    for (&p, &g) in pattern.iter().zip(items.iter()) {
                        self.unify(p, g, map);
                    }
                }
            }
            (Type::ExternalInstance(a, pattern), Type::Class(..) | Type::Function(_) | Type::Method(..))
                if self.program.interner.text(a) == "Callable" =>
            {
                let result = self.call_type(given);
                if let [p] = pattern[..] {
                    self.unify(p, result, map);
                }
            }
            (Type::ExternalInstance(a, pattern), Type::Class(class, args))
                if self.program.interner.text(a) == "type" =>
            {
                let instance = self.types.add(Type::Instance(class, args));
                if let [p] = pattern[..] {
                    self.unify(p, instance, map);
                }
            }
            (Type::Instance(a, pattern), Type::Instance(b, items)) if a == b => {
                for (&p, &g) in pattern.iter().zip(items.iter()) {
                    self.unify(p, g, map);
                }
            }
            (Type::Tuple(pattern), Type::Tuple(items)) => {
                for (&p, &g) in pattern.iter().zip(items.iter()) {
                    self.unify(p, g, map);
                }
            }
            _ => {}
        }
    }

    /// Replaces `Self` by the receiver.
    pub(super) fn bind_self_type(&mut self, ty: TypeId, receiver: TypeId) -> TypeId {
        match self.types.get(ty).clone() {
            Type::ExternalInstance(path, args) => {
                if self.program.interner.text(path) == "typing.Self" {
                    return match self.types.get(receiver) {
                        Type::Class(..) => self.instantiated(receiver),
                        _ => receiver,
                    };
                }
                if args.is_empty() {
                    return ty;
                }
                let args: Vec<TypeId> = args.iter().map(|&arg| self.bind_self_type(arg, receiver)).collect();
                self.types.add(Type::ExternalInstance(path, args.into()))
            }
            Type::Union(parts) => {
                let parts: Vec<TypeId> = parts.iter().map(|&part| self.bind_self_type(part, receiver)).collect();
                self.types.union(parts)
            }
            _ => ty,
        }
    }
}
