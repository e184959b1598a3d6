//! The tuples and dicts that functions return: their members, with types where code determines them.
//!
//! ```python
//! def measure(path):
//!     size = 0
//!     return size, {"mean": 1.5, "max": 3}
//! ```
//!
//! The items of a tuple have the names of the returned variables. The members of a dict are its keys, if the function
//! returns dict displays, directly or through a variable. A function with a declared tuple has its items, and one with
//! a declared dict the keys of the displays that it returns. A class of the sources, such as a `TypedDict` or a named
//! tuple, has members and uses of its own, so that a function which returns an instance has no members here.

use crate::linked::shared_text;
use std::sync::Arc;

use compact_str::{CompactString, format_compact};
use smallvec::SmallVec;

use super::{
    attribute_types::Alternatives,
    linker::Linker,
    names::MODULE,
    program::{FileIndex, GlobalDef},
    signatures::CallableSignature,
    types::{Type, TypeId},
};
use apidisc_facts::{
    program::{ArgumentKind, ResultShape, ReturnedMember, ReturnedObject},
    syntax::python::facts::{BindingKind, CallExprId, Expr, ExprId, Extraction, Function, NameId, ScopeId},
};

/// The greatest number of variables and conditional expressions between a `return` and the returned display.
const MAX_STEPS: u32 = 4;
/// The greatest number of members of one object. Further ones are left out.
const MAX_MEMBERS: usize = 64;
/// The greatest number of values that one function returns.
const MAX_VALUES: usize = 32;
/// The greatest length of the text of a member's type in bytes.
const MAX_LENGTH: usize = 60;

/// A member while it is collected.
struct Member {
    /// The name; `None` for an item of a tuple without a name.
    name: Option<CompactString>,
    /// The types that its values have. `None` if the type of one of them is not known.
    types: Option<Alternatives>,
    /// The number of returned objects that have it.
    count: u32,
}

/// The objects that a function returns, while they are collected.
#[derive(Default)]
struct Objects {
    /// The shape of all objects; `None` before the first one.
    shape: Option<ResultShape>,
    members: Vec<Member>,
    count: u32,
    is_open: bool,
    returns_none: bool,
}

/// The name and the value of one member of a display.
type Item = (Option<CompactString>, Option<ExprId>);

impl Linker<'_> {
    /// Adds the members of the returned tuples and dicts to the signatures of functions.
    pub(super) fn describe_results(&mut self, callables: &mut [CallableSignature]) {
        for (at, callable) in callables.iter_mut().enumerate() {
            let def = GlobalDef::new(at);
            let Some(function) = self.program.function(def) else { continue };
            let is_installed = self.program.files[self.program.file_of(def).index()].is_installed;
            let is_other = function.is_generator || function.is_lambda || is_installed;
            let Some(signature) = callable.signature.as_mut().filter(|_| !is_other && callable.overloads.is_empty())
            else {
                continue;
            };
            self.begin_query();
            let Some((object, returns)) = self.returned_object(def, function) else { continue };
            if signature.returns.is_none() && signature.inferred_returns.is_none() {
                signature.inferred_returns = returns.map(shared_text);
            }
            signature.result = Some(Arc::new(object));
        }
    }

    /// The tuple or dict that a function returns, and its type if none is declared. `None` if the function may return
    /// anything else than such objects and `None`, or if a decorator changes what it returns.
    fn returned_object(
        &mut self,
        def: GlobalDef,
        function: &Function,
    ) -> Option<(ReturnedObject, Option<CompactString>)> {
        let file = self.program.file_of(def);
        let mut objects = Objects { returns_none: function.falls_through, ..Objects::default() };
        let body = self.add_returned_values(file, function, &mut objects).filter(|()| objects.shape.is_some());
        let declared = match &function.returns {
            Some((annotation, _)) => Some(self.declared_shape(file, *annotation)?),
            None => None,
        };
        match declared {
            // The body only names the items of a declared tuple.
            Some(DeclaredShape::Tuple(len)) => {
                let is_same = objects.shape.is_some_and(|shape| shape != ResultShape::Object);
                if body.is_none() || !is_same || objects.members.len() != len {
                    let item = || Member { name: None, types: None, count: 1 };
                    objects = Objects { members: (0..len).map(|_| item()).collect(), count: 1, ..Objects::default() };
                }
                objects.shape = Some(ResultShape::Tuple);
            }
            Some(DeclaredShape::Dict) if body.is_none() || objects.shape != Some(ResultShape::Object) => return None,
            None if body.is_none() || function.is_declared => return None,
            Some(DeclaredShape::Dict) | None => {}
        }
        let is_property = self.program.is_decorated(def, &["property"]);
        if objects.members.is_empty() || is_property || !self.is_result_kept(def) {
            return None;
        }
        Some(objects.finish())
    }

    /// Adds the objects that the `return` statements of a function give. `None` if one gives something else.
    fn add_returned_values(&mut self, file: FileIndex, function: &Function, objects: &mut Objects) -> Option<()> {
        if function.return_values.len() > MAX_VALUES {
            return None;
        }
        for &value in &function.return_values {
            self.add_returned(file, value, MAX_STEPS, objects)?;
        }
        Some(())
    }

    /// Adds the object that an expression is. `None` if it may be something else.
    fn add_returned(&mut self, file: FileIndex, value: ExprId, steps: u32, objects: &mut Objects) -> Option<()> {
        let _level = self.descend()?;
        let steps = steps.checked_sub(1)?;
        let facts = self.program.facts(file);
        match facts.expr(value) {
            Expr::None => {
                objects.returns_none = true;
                Some(())
            }
            Expr::Conditional(yes, no) => {
                self.add_returned(file, yes, steps, objects)?;
                self.add_returned(file, no, steps, objects)
            }
            Expr::Tuple(list) => {
                let items = facts.list(list);
                let has_star = items.iter().any(|&item| matches!(facts.expr(item), Expr::Starred(_)));
                if has_star || items.is_empty() {
                    return None;
                }
                let items = items.iter().map(|&item| (self.label(file, item), Some(item))).collect();
                self.add_object(file, ResultShape::Tuple, items, objects)
            }
            Expr::Dict(list) => {
                objects.is_open |= facts.spreads_of(value).is_some();
                let mut items: Vec<Item> = Vec::new();
                for pair in facts.list(list).chunks_exact(2) {
                    match facts.expr(pair[0]) {
                        Expr::Str(Some(key)) => items.push((Some(facts.name(key).into()), Some(pair[1]))),
                        _ => objects.is_open = true,
                    }
                }
                self.add_object(file, ResultShape::Object, items, objects)
            }
            Expr::Call(site) => {
                let (shape, items) = match self.dict_call(file, site) {
                    Some(items) => (ResultShape::Object, items),
                    None => (ResultShape::NamedTuple, self.named_tuple_call(file, site)?),
                };
                self.add_object(file, shape, items, objects)
            }
            Expr::Name { name, scope, .. } => {
                let BindingKind::Assign { value: Some(held), unpack, extraction: Extraction::Value, .. } =
                    facts.only_binding(value)?
                else {
                    return None;
                };
                if !unpack.is_none() || !matches!(facts.expr(*held), Expr::Dict(_) | Expr::Tuple(_) | Expr::Call(_)) {
                    return None;
                }
                self.add_returned(file, *held, steps, objects)?;
                if objects.shape == Some(ResultShape::Object) {
                    // Code may add further keys in ways that are not visible.
                    objects.is_open = true;
                    self.add_assigned_keys(file, (name, scope), objects);
                }
                Some(())
            }
            _ => None,
        }
    }

    /// Adds the keys that the function assigns to the dict of a variable: `result["max"] = 3`.
    fn add_assigned_keys(&mut self, file: FileIndex, (name, scope): (NameId, ScopeId), objects: &mut Objects) {
        let facts = self.program.facts(file);
        for &binding in facts.bindings_in(scope) {
            let binding = &facts.bindings[binding.index()];
            let path = facts.name(binding.name).strip_prefix(facts.name(name));
            let key = path.and_then(|path| path.strip_prefix(".[\"")?.strip_suffix("\"]")).filter(|key| is_key(key));
            let Some(key) = key.filter(|_| objects.members.len() < MAX_MEMBERS) else { continue };
            if objects.members.iter().any(|member| member.name.as_deref() == Some(key)) {
                continue;
            }
            let value = match &binding.kind {
                BindingKind::Assign { value, unpack, extraction: Extraction::Value, .. } if unpack.is_none() => *value,
                _ => None,
            };
            let types = self.type_texts(file, value);
            objects.members.push(Member { name: Some(key.into()), types, count: 0 });
        }
    }

    /// Adds an object with these members. `None` if it has another shape than the objects before it.
    fn add_object(
        &mut self,
        file: FileIndex,
        shape: ResultShape,
        items: Vec<Item>,
        objects: &mut Objects,
    ) -> Option<()> {
        let is_first = objects.shape.is_none();
        let is_tuple = shape != ResultShape::Object;
        let is_other = objects.shape.is_some_and(|known| known != shape) || is_tuple && items.len() > MAX_MEMBERS;
        if is_other || !is_first && is_tuple && objects.members.len() != items.len() {
            return None;
        }
        objects.shape = Some(shape);
        objects.count += 1;
        for (at, (name, value)) in items.into_iter().enumerate() {
            let types = self.type_texts(file, value);
            let known = if is_tuple { Some(at) } else { objects.members.iter().position(|member| member.name == name) };
            let len = objects.members.len();
            match known.and_then(|at| objects.members.get_mut(at)) {
                Some(known) => {
                    known.count += 1;
                    if known.name != name {
                        known.name = None;
                    }
                    known.types = known.types.take().zip(types).map(|(mut known, types)| {
                        let is_new = |text: &CompactString| !known.contains(text);
                        let new: SmallVec<[CompactString; 2]> = types.into_iter().filter(is_new).collect();
                        known.extend(new);
                        known
                    });
                }
                None if len < MAX_MEMBERS => objects.members.push(Member { name, types, count: 1 }),
                None => objects.is_open = true,
            }
        }
        Some(())
    }

    fn type_texts(&mut self, file: FileIndex, value: Option<ExprId>) -> Option<Alternatives> {
        let mut found = Alternatives::new();
        self.certain_type_texts(file, value?, &mut found)?;
        Some(found)
    }

    /// The name of an item of a tuple: that of the returned variable or attribute.
    fn label(&self, file: FileIndex, item: ExprId) -> Option<CompactString> {
        let facts = self.program.facts(file);
        let (Expr::Name { name, .. } | Expr::Attribute { name, .. }) = facts.expr(item) else { return None };
        let name = facts.name(name).trim_start_matches('_');
        let is_name = !matches!(name, "self" | "cls") && name.starts_with(|first: char| first.is_alphabetic());
        is_name.then(|| name.into())
    }

    /// The keys of a call `dict(a=1, b=2)`. `None` for any other call.
    fn dict_call(&mut self, file: FileIndex, site: CallExprId) -> Option<Vec<Item>> {
        let facts = self.program.facts(file);
        let site = &facts.calls[site.index()];
        if !facts.is_named(site.callee, "dict")
            || site.arguments.iter().any(|argument| argument.kind != ArgumentKind::Keyword)
        {
            return None;
        }
        let callee = self.expr_type(file, site.callee);
        let is_dict =
            matches!(self.types.get(callee), Type::ExternalName(path) if self.program.interner.text(*path) == "dict");
        let item = |argument: &apidisc_facts::syntax::python::facts::Arg| {
            (argument.keyword.map(|keyword| facts.name(keyword).into()), Some(argument.value))
        };
        is_dict.then(|| site.arguments.iter().map(item).collect())
    }

    /// The fields of a call of a class that a call of the file declares: `Point = namedtuple("Point", "x y")`. `None`
    /// for any other call.
    fn named_tuple_call(&mut self, file: FileIndex, site: CallExprId) -> Option<Vec<Item>> {
        let facts = self.program.facts(file);
        let callee = facts.calls[site.index()].callee;
        let declaration = match facts.expr(callee) {
            Expr::Call(declaration) => declaration,
            Expr::Name { name, scope, reaching } => {
                let bindings = match facts.reaching(reaching) {
                    [] if facts.bindings_of(scope, name).is_empty() => facts.bindings_of(ScopeId::new(MODULE), name),
                    reaching => reaching,
                };
                let &[binding] = bindings else { return None };
                let BindingKind::Assign { value: Some(value), unpack, extraction: Extraction::Value, .. } =
                    &facts.bindings[binding.index()].kind
                else {
                    return None;
                };
                match facts.expr(*value) {
                    Expr::Call(declaration) if unpack.is_none() => declaration,
                    _ => return None,
                }
            }
            _ => return None,
        };
        let declaration = &facts.calls[declaration.index()];
        let function = self.expr_type(file, declaration.callee);
        let Type::ExternalName(path) = *self.types.get(function) else { return None };
        if !matches!(self.program.interner.text(path), "collections.namedtuple" | "typing.NamedTuple") {
            return None;
        }
        let fields = declaration.arguments.get(1).filter(|argument| argument.kind == ArgumentKind::Positional)?.value;
        let names: Vec<CompactString> = match facts.expr(fields) {
            Expr::Str(Some(names)) => {
                let names = facts.name(names).split([' ', ',']).filter(|name| !name.is_empty());
                names.map(CompactString::new).collect()
            }
            Expr::List(fields) | Expr::Tuple(fields) => {
                let name = |&field: &ExprId| {
                    let field = match facts.expr(field) {
                        Expr::Tuple(pair) => *facts.list(pair).first()?,
                        _ => field,
                    };
                    let Expr::Str(Some(name)) = facts.expr(field) else { return None };
                    Some(CompactString::new(facts.name(name)))
                };
                facts.list(fields).iter().map(name).collect::<Option<_>>()?
            }
            _ => return None,
        };
        let arguments = &facts.calls[site.index()].arguments;
        let value = |(at, name): (usize, &CompactString)| {
            let named = arguments.iter().find(|argument| argument.keyword.is_some_and(|key| facts.name(key) == name));
            let before = arguments.get(..=at).unwrap_or_default();
            let is_positional = before.iter().all(|argument| argument.kind == ArgumentKind::Positional);
            named.or_else(|| before.last().filter(|_| is_positional)).map(|argument| argument.value)
        };
        (!names.is_empty())
            .then(|| names.iter().enumerate().map(|(at, name)| (Some(name.clone()), value((at, name)))).collect())
    }

    /// What an annotation declares; `None` for anything else than a tuple of a known length, or a dict.
    fn declared_shape(&mut self, file: FileIndex, annotation: ExprId) -> Option<DeclaredShape> {
        let declared = self.annotation_type(file, annotation);
        let parts: SmallVec<[TypeId; 2]> =
            self.types.parts(declared).iter().copied().filter(|part| *part != TypeId::NONE).collect();
        let &[part] = &parts[..] else { return None };
        match self.types.get(part) {
            Type::Tuple(items) if !items.is_empty() && items.len() <= MAX_MEMBERS => {
                Some(DeclaredShape::Tuple(items.len()))
            }
            Type::ExternalInstance(path, _) => {
                let name = self.program.interner.text(*path).rsplit('.').next().unwrap_or_default();
                matches!(name, "dict" | "Dict" | "Mapping" | "MutableMapping").then_some(DeclaredShape::Dict)
            }
            _ => None,
        }
    }
}

/// What a return annotation declares.
enum DeclaredShape {
    /// A tuple of this length.
    Tuple(usize),
    Dict,
}

impl Objects {
    /// The object, and its type as a text.
    fn finish(self) -> (ReturnedObject, Option<CompactString>) {
        let shape = self.shape.unwrap_or_default();
        let is_unique = |at: usize| {
            let name = self.members[at].name.as_ref();
            self.members.iter().filter(|member| member.name.as_ref() == name).count() == 1
        };
        let text = |member: &Member| {
            let mut parts = member.types.clone()?;
            parts.sort_by_key(|text| text == "None");
            Some(CompactString::from(parts.join(" | "))).filter(|text| text.len() <= MAX_LENGTH)
        };
        let member = |(at, member): (usize, &Member)| ReturnedMember {
            name: match &member.name {
                Some(name) if is_unique(at) => name.as_str().into(),
                _ => format_compact!("{at}").as_str().into(),
            },
            annotation: text(member).map(|text| text.as_str().into()),
            is_optional: member.count < self.count,
        };
        let members: Box<[ReturnedMember]> = self.members.iter().enumerate().map(member).collect();
        let mut returns = match shape {
            ResultShape::Object => CompactString::const_new("dict"),
            ResultShape::Tuple if members.iter().any(|member| member.annotation.is_some()) => {
                let items: Vec<&str> =
                    members.iter().map(|member| member.annotation.as_deref().unwrap_or("Any")).collect();
                format_compact!("tuple[{}]", items.join(", "))
            }
            ResultShape::Tuple | ResultShape::NamedTuple => CompactString::const_new("tuple"),
        };
        if self.returns_none {
            returns.push_str(" | None");
        }
        let otherwise = self.returns_none.then(|| "None".into());
        (ReturnedObject { shape, members, is_open: self.is_open, otherwise }, Some(returns))
    }
}

/// True for a key that an access path has as a part of its own.
fn is_key(key: &str) -> bool {
    !key.is_empty() && !key.contains(['"', '.', '['])
}
