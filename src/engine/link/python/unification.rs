//! Unification: the types of type variables, by matching the annotations of parameters and fields against the arguments
//! of a call (PEP 484).

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::{
    calls::PassedArguments,
    linker::Linker,
    members::{ClassMember, MemberLookup},
    program::{ClassId, GlobalBinding, GlobalDef},
    types::{Type, TypeId},
};
use apidisc_facts::{
    program::{ArgumentKind, ParameterKind},
    syntax::python::facts::{Arg, BindingKind, Expr},
};

/// The greatest number of members of a protocol that are matched.
const MAX_PROTOCOL_MEMBERS: usize = 16;

/// The progress of a unification.
#[derive(Default)]
struct Unification {
    /// The pairs that were unified before: unifying a pair again adds nothing.
    pairs: FxHashSet<(TypeId, TypeId)>,
    /// True for a parameter of a declaration file. Its protocols match any value with their methods (PEP 544), and a
    /// variable that several arguments bind stands for the union of their types.
    is_library: bool,
}

impl Linker<'_> {
    /// Replaces the type variables in the result of a call by their types. The types come from `map`, and from the
    /// unification of the parameters with the call's arguments.
    pub(super) fn specialize_result(
        &mut self,
        result: TypeId,
        def: GlobalDef,
        is_bound: bool,
        mut map: FxHashMap<GlobalBinding, TypeId>,
        passed: Option<PassedArguments>,
    ) -> TypeId {
        if !self.types.has_variable(result) {
            return result;
        }
        if let Some(passed) = passed {
            self.unify_arguments(def, is_bound, passed, &mut map);
            self.add_defaults(result, def, &mut map);
        }
        if self.program.is_declared_by_library(def) {
            self.bind_unknown(result, &mut map);
        }
        self.substitute(result, &map)
    }

    /// The types of the type variables in the parameters of a function, by the receiver and the arguments of a call.
    pub(super) fn type_arguments_of_call(
        &mut self,
        callee: TypeId,
        def: GlobalDef,
        is_bound: bool,
        passed: PassedArguments,
    ) -> FxHashMap<GlobalBinding, TypeId> {
        let mut map = match *self.types.get(callee) {
            Type::Method(_, receiver) | Type::ExternalMethod(_, receiver) => self.arguments_of_receiver(receiver, def),
            _ => FxHashMap::default(),
        };
        self.unify_arguments(def, is_bound, passed, &mut map);
        map
    }

    /// The type arguments of the class that has a method, by the type of the receiver.
    pub(super) fn arguments_of_receiver(
        &mut self,
        receiver: TypeId,
        method: GlobalDef,
    ) -> FxHashMap<GlobalBinding, TypeId> {
        let Some(owner) = self.program.owner(method) else { return FxHashMap::default() };
        let class = match self.types.get(receiver).clone() {
            Type::Instance(class, args) | Type::Class(class, args) => Some((class, args)),
            _ if self.program.is_declared_by_library(method) => self.library_class(receiver),
            _ => None,
        };
        class.map_or_else(FxHashMap::default, |(class, args)| self.arguments_of(class, &args, owner))
    }

    fn unify_arguments(
        &mut self,
        def: GlobalDef,
        is_bound: bool,
        passed: PassedArguments,
        map: &mut FxHashMap<GlobalBinding, TypeId>,
    ) {
        let file = self.program.file_of(def);
        let Some(function) = self.program.function(def) else { return };
        let is_library = self.program.is_declared_by_library(def);
        self.bind_variadic(def, is_bound, passed, map);
        let matched = self.matched_parameters(def, is_bound, passed);
        let count = |kind| passed.arguments.iter().filter(|argument| argument.kind == kind).count();
        let position = usize::from(is_bound) + count(ArgumentKind::Positional);
        let is_spread = count(ArgumentKind::Star) + count(ArgumentKind::DoubleStar) > 0;
        let (mut passed_variables, mut of_lambdas) = (Vec::new(), Vec::new());
        for (at, (argument, parameter)) in passed.arguments.iter().zip(&matched).enumerate() {
            let parameter = parameter.map(|position| &function.parameters[position]);
            let Some((annotation, _)) = parameter.and_then(|p| p.annotation.as_ref()) else { continue };
            let annotation = self.annotation_type(file, *annotation);
            if self.types.has_variable(annotation) {
                let actual = self.passed_type(passed, at);
                let unification = &mut Unification { is_library, ..Unification::default() };
                self.unify_parts(annotation, actual, map, unification);
                self.collect_variables(annotation, &mut passed_variables);
                if matches!(self.program.facts(passed.file).expr(argument.value), Expr::Lambda(_)) {
                    self.collect_variables(annotation, &mut of_lambdas);
                }
            }
        }
        if let Some(actual) = passed.decorated_function
            && let Some((annotation, _)) = function.parameters.get(position).and_then(|p| p.annotation.as_ref())
        {
            let annotation = self.annotation_type(file, *annotation);
            let unification = &mut Unification { is_library, ..Unification::default() };
            self.unify_parts(annotation, actual, map, unification);
        }
        // A declaration gives no values of defaults, and an unknown argument leaves a variable its default.
        if is_library {
            return;
        }
        // The result of a lambda may become known when the types of its parameters are propagated.
        for variable in of_lambdas {
            map.entry(variable).or_insert(TypeId::UNKNOWN);
        }
        // A variable has its default only where no argument may bind it.
        if is_spread || passed.decorated_function.is_some() {
            for (annotation, _) in function.parameters.iter().filter_map(|p| p.annotation.as_ref()) {
                let annotation = self.annotation_type(file, *annotation);
                self.collect_variables(annotation, &mut passed_variables);
            }
        }
        for variable in passed_variables.into_iter().filter(|variable| self.has_default(*variable)) {
            map.entry(variable).or_insert(TypeId::UNKNOWN);
        }
        if is_spread || passed.decorated_function.is_some() {
            return;
        }
        // A parameter without an argument has the type of its default: `def make(cls: type[T] = Agent) -> T`.
        for (at, parameter) in function.parameters.iter().enumerate().skip(position) {
            if let (Some((annotation, _)), Some((default, _))) = (&parameter.annotation, &parameter.default)
                && !matched.contains(&Some(at))
            {
                let annotation = self.annotation_type(file, *annotation);
                if self.types.has_variable(annotation) && self.program.facts(file).expr(*default) != Expr::None {
                    let actual = self.expr_type(file, *default);
                    self.unify(annotation, actual, map);
                }
            }
        }
    }

    /// The position of the parameter that each argument of a call is matched with.
    pub(super) fn matched_parameters(
        &self,
        def: GlobalDef,
        is_bound: bool,
        passed: PassedArguments,
    ) -> SmallVec<[Option<usize>; 4]> {
        let file = self.program.file_of(def);
        let parameters = self.program.function(def).map_or(&[][..], |function| &function.parameters);
        let is_library = self.program.is_declared_by_library(def);
        let rest = parameters.iter().position(|parameter| parameter.kind == ParameterKind::VarPositional);
        let mut position = usize::from(is_bound);
        let mut is_spread = false;
        let parameter_of = |argument: &Arg| match argument.kind {
            // The positions after `*args` are not known.
            ArgumentKind::Positional | ArgumentKind::Decorated if is_library && is_spread => None,
            ArgumentKind::Positional | ArgumentKind::Decorated => {
                position += 1;
                let at = position - 1;
                let at = if is_library { rest.map_or(at, |rest| at.min(rest)) } else { at };
                (at < parameters.len()).then_some(at)
            }
            ArgumentKind::Keyword => {
                let name = argument.keyword.map(|k| self.program.global_name(passed.file, k));
                parameters.iter().position(|p| Some(self.program.global_name(file, p.name)) == name)
            }
            ArgumentKind::Star | ArgumentKind::DoubleStar => {
                is_spread = true;
                None
            }
        };
        passed.arguments.iter().map(parameter_of).collect()
    }

    /// The type arguments of an instance, inferred from the arguments of the constructor call.
    pub(super) fn inferred_type_arguments(&mut self, class: ClassId, passed: Option<PassedArguments>) -> Vec<TypeId> {
        let Some(passed) = passed else { return Vec::new() };
        let parameters = self.type_parameters(class);
        if parameters.is_empty() {
            return Vec::new();
        }
        let init = self.program.interner.intern("__init__");
        let mut map = FxHashMap::default();
        let lookup = self.lookup_member(class, init);
        if let MemberLookup::Found(ClassMember::Function { def, owner }) = lookup {
            self.unify_arguments(def, true, passed, &mut map);
            if owner != class && !map.is_empty() {
                // The base binds its type variables to type variables of the class: `class C(Base[T])`.
                let none = self.types.no_arguments();
                for (inherited, argument) in self.arguments_of(class, &none, owner) {
                    if let (&Type::Variable(own), Some(&bound)) = (self.types.get(argument), map.get(&inherited)) {
                        map.entry(own).or_insert(bound);
                    }
                }
            }
        } else {
            self.unify_fields(class, passed, &mut map);
        }
        // A constructor from outside the sources may bind the variables.
        let has_defaults = lookup != MemberLookup::External && parameters.iter().any(|&p| self.has_default(p));
        if map.is_empty() && !has_defaults {
            return Vec::new();
        }
        let mut arguments = Vec::new();
        for parameter in parameters {
            let argument = match map.get(&parameter) {
                Some(&bound) => bound,
                None if has_defaults && self.has_default(parameter) => self.default_of(parameter, &map),
                None => TypeId::UNKNOWN,
            };
            map.insert(parameter, argument);
            arguments.push(argument);
        }
        arguments
    }

    /// Matches the annotations of the fields of a class with a synthesized constructor against the arguments of a call.
    fn unify_fields(&mut self, class: ClassId, passed: PassedArguments, map: &mut FxHashMap<GlobalBinding, TypeId>) {
        let Some(signature) = self.constructor(class).signature.filter(|signature| signature.is_synthesized) else {
            return;
        };
        let (file, _, body) = self.program.class_facts(class);
        for (at, argument) in passed.arguments.iter().enumerate() {
            let name = match (argument.kind, argument.keyword) {
                (ArgumentKind::Positional, _) => signature.parameters.get(at).map(|p| p.name.as_str()),
                (ArgumentKind::Keyword, Some(keyword)) => Some(self.program.facts(passed.file).name(keyword)),
                _ => return,
            };
            let facts = self.program.facts(file);
            let field = body.fields.iter().find(|field| Some(facts.name(field.name)) == name);
            let Some((annotation, _)) = field.and_then(|field| field.annotation.as_ref()) else { continue };
            let annotation = self.annotation_type(file, *annotation);
            if self.types.has_variable(annotation) {
                let actual = self.expr_type(passed.file, argument.value);
                self.unify(annotation, actual, map);
                let mut variables = Vec::new();
                self.collect_variables(annotation, &mut variables);
                for variable in variables.into_iter().filter(|variable| self.has_default(*variable)) {
                    map.entry(variable).or_insert(TypeId::UNKNOWN);
                }
            }
        }
    }

    /// Matches `actual` against `pattern`, and adds to `map` the type that each type variable of `pattern` stands for.
    /// A variable that is already in `map` keeps its type.
    pub(super) fn unify(&mut self, pattern: TypeId, actual: TypeId, map: &mut FxHashMap<GlobalBinding, TypeId>) {
        self.unify_parts(pattern, actual, map, &mut Unification::default());
    }

    /// Implements [`Self::unify`].
    fn unify_parts(
        &mut self,
        pattern: TypeId,
        actual: TypeId,
        map: &mut FxHashMap<GlobalBinding, TypeId>,
        unified: &mut Unification,
    ) {
        if actual.is_unknown() || !self.types.has_variable(pattern) {
            return;
        }
        if actual == TypeId::EXTERNAL {
            // The parts of a value from outside the sources are from outside too.
            if unified.is_library {
                let mut variables = Vec::new();
                self.collect_variables(pattern, &mut variables);
                for variable in variables {
                    self.join(variable, actual, map);
                }
            }
            return;
        }
        let is_variable = matches!(self.types.get(pattern), Type::Variable(_));
        if !is_variable && !unified.pairs.insert((pattern, actual)) {
            return;
        }
        let Some(_level) = self.descend() else { return };
        if unified.is_library
            && let Some((part, value)) = self.protocol_part(pattern, actual)
        {
            return self.unify_parts(part, value, map, unified);
        }
        match (self.types.get(pattern).clone(), self.types.get(actual).clone()) {
            (Type::Variable(variable), _) if unified.is_library => self.join(variable, actual, map),
            (Type::Variable(variable), _) => {
                map.entry(variable).or_insert(actual);
            }
            (Type::Union(parts), _) => {
                let actual = self.without_none(actual);
                let (variables, others): (Vec<TypeId>, Vec<TypeId>) =
                    parts.iter().partition(|&&part| matches!(self.types.get(part), Type::Variable(_)));
                // In `T | list[T]`, a variable alone stands for what no other part matches.
                let mut rest = Vec::new();
                for &value in self.types.parts(actual).iter() {
                    let known = map.len();
                    for &other in &others {
                        self.unify_parts(other, value, map, unified);
                    }
                    if map.len() == known && !others.contains(&value) {
                        rest.push(value);
                    }
                }
                let rest = self.types.union(rest);
                for variable in variables {
                    self.unify_parts(variable, rest, map, unified);
                }
            }
            (Type::ExternalInstance(a, pattern), Type::ExternalInstance(..))
                if self.program.interner.text(a) == "Callable" && self.behind_partial(actual).is_some() =>
            {
                let result = self.call_type(actual);
                if let [p, ..] = pattern[..] {
                    self.unify_parts(p, result, map, unified);
                }
            }
            (Type::ExternalInstance(a, pattern), Type::ExternalInstance(b, items)) => {
                let iterable = self.program.interner.text(a) == "Iterable";
                if a == b || iterable {
                    for (&p, &g) in pattern.iter().zip(items.iter()) {
                        self.unify_parts(p, g, map, unified);
                    }
                }
            }
            (Type::ExternalInstance(a, pattern), Type::Class(..) | Type::Function(_) | Type::Method(..))
                if self.program.interner.text(a) == "Callable" =>
            {
                let result = self.call_type(actual);
                if let [p, ..] = pattern[..] {
                    self.unify_parts(p, result, map, unified);
                }
            }
            (Type::ExternalInstance(a, pattern), Type::Class(class, args))
                if self.program.interner.text(a) == "type" =>
            {
                let instance = self.types.add(Type::Instance(class, args));
                if let [p] = pattern[..] {
                    self.unify_parts(p, instance, map, unified);
                }
            }
            (Type::ExternalInstance(a, pattern), Type::ExternalName(_) | Type::ExternalClass(..))
                if self.program.interner.text(a) == "type" =>
            {
                let instance = self.instance_of_class(actual);
                if let [p] = pattern[..] {
                    self.unify_parts(p, instance, map, unified);
                }
            }
            (Type::Instance(a, pattern), Type::Instance(b, items)) if a == b => {
                for (&p, &g) in pattern.iter().zip(items.iter()) {
                    self.unify_parts(p, g, map, unified);
                }
            }
            (Type::Instance(a, pattern), Type::Instance(b, items)) if self.inherits(b, a) => {
                let inherited = self.arguments_of(b, &items, a);
                for (p, parameter) in pattern.iter().zip(self.type_parameters(a)) {
                    if let Some(&g) = inherited.get(&parameter) {
                        self.unify_parts(*p, g, map, unified);
                    }
                }
            }
            (Type::Instance(protocol, _), Type::Instance(..) | Type::Function(_) | Type::Method(..))
                if self.has_base(protocol, &["Protocol"]) =>
            {
                self.unify_protocol(protocol, (pattern, actual), map, unified);
            }
            (Type::ExternalInstance(a, pattern), Type::Tuple(items))
                if matches!(self.program.interner.text(a), "tuple" | "Iterable") =>
            {
                let item = self.types.union(items.iter().copied());
                if let [p] = pattern[..] {
                    self.unify_parts(p, item, map, unified);
                }
            }
            (Type::Tuple(pattern), Type::Tuple(items)) => {
                for (&p, &g) in pattern.iter().zip(items.iter()) {
                    self.unify_parts(p, g, map, unified);
                }
            }
            _ => {}
        }
    }

    /// Adds a type to those that a variable of a declaration file stands for.
    fn join(&mut self, variable: GlobalBinding, ty: TypeId, map: &mut FxHashMap<GlobalBinding, TypeId>) {
        let known = map.get(&variable).copied().unwrap_or_default();
        map.insert(variable, self.types.union([known, ty]));
    }

    /// The type argument of a protocol, and the type of what the method of the protocol gives for a value: the item of
    /// an `Iterable`, the result of a `Callable`. `None` if the pattern is no protocol.
    fn protocol_part(&mut self, pattern: TypeId, actual: TypeId) -> Option<(TypeId, TypeId)> {
        let Type::ExternalInstance(path, arguments) = self.types.get(pattern) else { return None };
        let &part = arguments.first()?;
        if !self.types.has_variable(part) {
            return Some((part, TypeId::UNKNOWN));
        }
        let value = match self.program.interner.text(*path) {
            "Iterable" => self.iteration_type(actual),
            "AsyncIterable" => self.async_iteration_type(actual),
            "Awaitable" => self.awaited_type(actual),
            "ContextManager" => self.enter_type(actual, "__enter__"),
            "AsyncContextManager" => self.enter_type(actual, "__aenter__"),
            "Callable" => self.call_type(actual),
            "type" => self.instance_of_class(actual),
            _ => return None,
        };
        Some((part, value))
    }

    /// Binds the variables that are left in the result of a declared function: each to its default, or to the unknown
    /// type.
    pub(super) fn bind_unknown(&mut self, result: TypeId, map: &mut FxHashMap<GlobalBinding, TypeId>) {
        let mut variables = Vec::new();
        self.collect_variables(result, &mut variables);
        for variable in variables {
            if !map.contains_key(&variable) {
                let ty = if self.has_default(variable) { self.default_of(variable, map) } else { TypeId::UNKNOWN };
                map.insert(variable, ty);
            }
        }
    }

    /// Matches the results of the methods of a protocol, and the types of its properties, against those of a value that
    /// does not inherit from the protocol (PEP 544).
    fn unify_protocol(
        &mut self,
        protocol: ClassId,
        (pattern, actual): (TypeId, TypeId),
        map: &mut FxHashMap<GlobalBinding, TypeId>,
        unified: &mut Unification,
    ) {
        if matches!(self.types.get(actual), Type::Function(_) | Type::Method(..)) {
            let (declared, result) = (self.call_type(pattern), self.call_type(actual));
            return self.unify_parts(declared, result, map, unified);
        }
        let (file, def, _) = self.program.class_facts(protocol);
        let facts = self.program.facts(file);
        let bindings = facts.bindings_in(def.scope).iter().map(|binding| &facts.bindings[binding.index()]);
        let members = bindings.filter(|binding| matches!(binding.kind, BindingKind::Def(_)));
        for member in members.take(MAX_PROTOCOL_MEMBERS) {
            let name = self.program.global_name(file, member.name);
            let mut declared = self.attribute_type(pattern, name);
            let mut found = self.attribute_type(actual, name);
            if matches!(self.types.get(declared), Type::Method(..)) {
                declared = self.call_type(declared);
                found = self.call_type(found);
            }
            self.unify_parts(declared, found, map, unified);
        }
    }
}
