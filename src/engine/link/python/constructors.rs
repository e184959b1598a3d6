//! The effective constructor of a class: `__init__` or `__new__` along the method resolution order, or the signature
//! that dataclasses, pydantic, attrs, `NamedTuple` and `TypedDict` synthesize.

use compact_str::CompactString;
use smallvec::SmallVec;

use super::{
    doubt::ConstructorDoubt,
    fields::ConstructorStyle,
    limits::MAX_FIELD_CLASSES,
    linker::Linker,
    mro_table::{Ancestor, MroId},
    program::{ClassId, GlobalDef, decorator_name},
    signatures::CallableSignature,
    types::Type,
};
use crate::linked::{LinkedParameter, LinkedSignature};
use apidisc_facts::{program::ParameterKind, syntax::python::facts::BindingKind};

pub(super) const PYDANTIC_BASES: &[&str] = &["BaseModel", "BaseSettings", "RootModel", "GenericModel", "SQLModel"];
const DATACLASS_DECORATORS: &[&str] = &["dataclass", "define", "mutable", "frozen", "attrs"];

/// The target of a search along a method resolution order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum ConstructorSearch {
    /// An ancestor that may determine the constructor.
    Decisive,
    /// A class with a `__new__`.
    New,
    /// A class with `dataclass_transform` (PEP 681).
    DataclassTransform,
}

impl Linker<'_> {
    /// The signature that calls of a class are bound to.
    pub(super) fn constructor(&mut self, class: ClassId) -> CallableSignature {
        let mro = self.mro(class);
        let node = self.mro_table.get(mro);
        let (is_named_tuple, is_typed_dict) = (node.is_named_tuple(), node.is_typed_dict());
        let inherits_source = node.rest.is_some_and(|rest| self.mro_table.get(rest).is_pydantic_source());
        let is_pydantic = node.is_pydantic() || inherits_source;
        let is_enum = node.is_enum();
        if is_named_tuple && self.method(class, "__new__").is_none() {
            match self.named_tuple_base(class) {
                None => {
                    let owner = self.mro_table.classes(mro).find(|&c| self.has_base(c, &["NamedTuple"]));
                    return self.field_constructor(class, &[owner.unwrap_or(class)], ConstructorStyle::NamedTuple);
                }
                Some((file, base)) if self.inherited_new(mro).is_none() => {
                    return self.declared_constructor(file, base);
                }
                // The search below finds the `__new__` of a base.
                Some(_) => {}
            }
        }
        if is_typed_dict {
            let chain = self.chain(mro);
            return self.field_constructor(class, &chain, ConstructorStyle::TypedDict);
        }
        let mut at = self.first_in_mro(Some(mro), ConstructorSearch::Decisive);
        while let Some(id) = at {
            let node = self.mro_table.get(id);
            let rest = node.rest;
            match node.ancestor {
                Ancestor::Class(ancestor, _) => {
                    if is_pydantic && ancestor != class && self.is_pydantic_source_class(ancestor) {
                        return self.pydantic_constructor(class, mro, false);
                    }
                    if let Some(init) = self.method(ancestor, "__init__") {
                        return self.method_constructor(class, ancestor, init);
                    }
                    if let Some(style) = self.dataclass_style(ancestor)
                        && self.decorator_flag(ancestor, "init") != Some(false)
                    {
                        let mut dataclasses = self.chain(id);
                        dataclasses.retain(|&c| self.dataclass_style(c).is_some());
                        let mut callable = self.field_constructor(class, &dataclasses, style);
                        callable.takes_any_keyword = self.inherits_unknown_fields(id);
                        return callable;
                    }
                }
                Ancestor::External(path) => {
                    let path = self.program.interner.text(path);
                    let module = path.split('.').next().unwrap_or(path);
                    let is_builtin = module == path || matches!(module, "typing" | "enum");
                    if is_pydantic && !is_builtin {
                        let takes_any_keyword = !is_pydantic_path(path);
                        return self.pydantic_constructor(class, mro, takes_any_keyword);
                    }
                    return self.external_constructor(class, mro, is_enum);
                }
                Ancestor::Unknown(_) => {
                    if is_pydantic {
                        return self.pydantic_constructor(class, mro, true);
                    }
                    return self.external_constructor(class, mro, is_enum);
                }
            }
            at = self.first_in_mro(rest, ConstructorSearch::Decisive);
        }
        if let Some((owner, new)) = self.inherited_new(mro) {
            return self.method_constructor(class, owner, new);
        }
        if self.first_in_mro(Some(mro), ConstructorSearch::DataclassTransform).is_some() {
            let chain = self.chain(mro);
            return self.field_constructor(class, &chain, ConstructorStyle::Dataclass);
        }
        if is_pydantic {
            return self.pydantic_constructor(class, mro, false);
        }
        match self.constructor_doubt(mro) {
            ConstructorDoubt::Certain => CallableSignature::unknown_constructor(),
            doubt => CallableSignature {
                signature: Some(Box::default()),
                is_doubtful: doubt == ConstructorDoubt::UntilArgumentsArePassed,
                ..CallableSignature::default()
            },
        }
    }

    /// The classes of the sources in a method resolution order, base first: the nearest [`MAX_FIELD_CLASSES`].
    fn chain(&self, mro: MroId) -> Vec<ClassId> {
        let mut chain: Vec<ClassId> = self.mro_table.classes(mro).take(MAX_FIELD_CLASSES).collect();
        chain.reverse();
        chain
    }

    /// The first ancestor of a method resolution order that a search accepts.
    fn first_in_mro(&mut self, mro: Option<MroId>, search: ConstructorSearch) -> Option<MroId> {
        let mut passed: SmallVec<[MroId; 4]> = SmallVec::new();
        let mut at = mro;
        while let Some(id) = at {
            let node = self.mro_table.get(id);
            let (ancestor, rest) = (node.ancestor.clone(), node.rest);
            if node.is_checkpoint() {
                if let Some(&known) = self.constructor_searches.get(&(id, search)) {
                    at = known;
                    break;
                }
                passed.push(id);
            }
            if self.is_accepted(&ancestor, search) {
                break;
            }
            at = rest;
        }
        self.constructor_searches.extend(passed.into_iter().map(|id| ((id, search), at)));
        at
    }

    fn is_accepted(&mut self, ancestor: &Ancestor, search: ConstructorSearch) -> bool {
        match (ancestor, search) {
            (&Ancestor::Class(class, _), ConstructorSearch::Decisive) => {
                self.is_pydantic_source_class(class)
                    || self.method(class, "__init__").is_some()
                    || self.dataclass_style(class).is_some()
            }
            (Ancestor::External(path), ConstructorSearch::Decisive) => !matches!(
                self.program.interner.text(*path),
                "abc.ABC" | "typing.Generic" | "typing.Protocol" | "typing_extensions.Protocol"
            ),
            (Ancestor::Unknown(_), ConstructorSearch::Decisive) => true,
            (&Ancestor::Class(class, _), ConstructorSearch::New) => self.method(class, "__new__").is_some(),
            (&Ancestor::Class(class, _), ConstructorSearch::DataclassTransform) => self.has_dataclass_transform(class),
            _ => false,
        }
    }

    /// The `__new__` that a class has or inherits, with its class.
    pub(super) fn inherited_new(&mut self, mro: MroId) -> Option<(ClassId, GlobalDef)> {
        let found = self.first_in_mro(Some(mro), ConstructorSearch::New)?;
        let owner = self.mro_table.classes(found).next()?;
        Some((owner, self.method(owner, "__new__")?))
    }

    /// The signature of a class whose constructor comes from outside the sources.
    fn external_constructor(&mut self, class: ClassId, mro: MroId, is_enum: bool) -> CallableSignature {
        if is_enum {
            let signature = single_parameter_signature("value");
            return CallableSignature { signature: Some(Box::new(signature)), ..CallableSignature::default() };
        }
        match self.inherited_new(mro) {
            Some((owner, new)) => self.method_constructor(class, owner, new),
            None => CallableSignature::unknown_constructor(),
        }
    }

    fn method_constructor(&mut self, class: ClassId, owner: ClassId, method: GlobalDef) -> CallableSignature {
        let signature = self.written_signature(method, true);
        let by = (owner != class).then_some(owner);
        let declared_by = vec![by; signature.parameters.len()];
        let overloads = self.overload_signatures(method);
        CallableSignature {
            signature: Some(Box::new(signature)),
            constructor: Some(method),
            declared_by,
            overloads,
            ..CallableSignature::default()
        }
    }

    /// The class that a call of `method` by its own name constructs, as `super().__init__(x)` does: the class that
    /// declares the method, if calls of the class are bound to this method. `None` for any other method.
    pub(super) fn constructed_class(&self, method: GlobalDef, callables: &[CallableSignature]) -> Option<GlobalDef> {
        let owner = self.program.owner(method)?;
        let class = self.program.class_def(owner);
        let constructor = callables[class.index()].constructor?;
        // Overloads, and definitions on other branches, have the name of the constructor.
        let is_own = self.program.owner(constructor) == Some(owner);
        (is_own && self.program.name_of(constructor) == self.program.name_of(method)).then_some(class)
    }

    fn pydantic_constructor(&mut self, class: ClassId, mro: MroId, takes_any_keyword: bool) -> CallableSignature {
        let mut chain = self.chain(mro);
        let own_classes: SmallVec<[ClassId; 2]> =
            chain.iter().copied().filter(|&c| self.is_pydantic_source_class(c)).collect();
        // Version 2 renamed the methods of models.
        let is_early =
            !own_classes.is_empty() && own_classes.iter().all(|&class| self.method(class, "model_validate").is_none());
        chain.retain(|c| !own_classes.contains(c));
        if chain.iter().any(|&c| self.has_base(c, &["RootModel"])) {
            let signature = single_parameter_signature("root");
            return CallableSignature {
                signature: Some(Box::new(signature)),
                takes_camel_case: true,
                ..CallableSignature::default()
            };
        }
        let style = if is_early { ConstructorStyle::EarlyPydantic } else { ConstructorStyle::Pydantic };
        let mut callable = self.field_constructor(class, &chain, style);
        callable.takes_camel_case = true;
        callable.takes_any_keyword = takes_any_keyword;
        callable
    }

    /// The method `name` in the body of the class itself; of an overloaded method, the implementation.
    pub(super) fn method(&mut self, class: ClassId, name: &str) -> Option<GlobalDef> {
        let global_name = self.program.interner.intern(name);
        let (file, def, _) = self.program.class_facts(class);
        let facts = self.program.facts(file);
        let functions: Vec<GlobalDef> = self
            .program
            .bindings(file, def.scope, global_name)
            .iter()
            .filter_map(|b| match facts.bindings[b.index()].kind {
                BindingKind::Def(def) => Some(self.program.global_def(file, def)),
                _ => None,
            })
            .filter(|&def| self.program.function(def).is_some())
            .collect();
        let implementation = functions.iter().rev().find(|&&def| !self.program.is_decorated(def, &["overload"]));
        implementation.or(functions.first()).copied()
    }

    /// True if the last name of a base is one of `names`: qualifiers and type arguments are ignored.
    pub(super) fn has_base(&self, class: ClassId, names: &[&str]) -> bool {
        let (_, _, body) = self.program.class_facts(class);
        body.bases.iter().any(|(_, text)| {
            let head = text.split('[').next().unwrap_or(text);
            names.contains(&head.rsplit('.').next().unwrap_or(head))
        })
    }

    /// True for pydantic's own model classes, if pydantic itself is among the sources.
    pub(super) fn is_pydantic_source_class(&self, class: ClassId) -> bool {
        let def = self.program.class_def(class);
        let file = self.program.source_file(self.program.file_of(def));
        file.is_some_and(|file| file.module.starts_with("pydantic."))
            && PYDANTIC_BASES.contains(&self.program.name_of(def))
    }

    pub(super) fn dataclass_style(&self, class: ClassId) -> Option<ConstructorStyle> {
        let def = self.program.class_def(class);
        let (file, decorators) = (self.program.file_of(def), &self.program.def(def).decorators);
        let path = |text: &str| match self.program.decorator_aliases.get(file, text) {
            Some(alias) => CompactString::const_new(alias.name),
            None => CompactString::new(text.split('(').next().unwrap_or(text).trim()),
        };
        let paths: SmallVec<[CompactString; 2]> = decorators.iter().map(|(_, text)| path(text)).collect();
        let is_dataclass = |path: &str| {
            DATACLASS_DECORATORS.contains(&decorator_name(path)) || matches!(path, "attr.s" | "attr.dataclass")
        };
        let is_attrs = |path: &str| {
            matches!(path, "attr" | "attrs")
                || path.starts_with("attr.")
                || path.starts_with("attrs.")
                || matches!(decorator_name(path), "define" | "mutable" | "frozen")
        };
        paths.iter().any(|path| is_dataclass(path)).then(|| {
            if paths.iter().any(|path| is_attrs(path)) { ConstructorStyle::Attrs } else { ConstructorStyle::Dataclass }
        })
    }

    /// True if the class or its metaclass is decorated with `dataclass_transform` (PEP 681).
    fn has_dataclass_transform(&mut self, class: ClassId) -> bool {
        if self.program.is_decorated(self.program.class_def(class), &["dataclass_transform"]) {
            return true;
        }
        let (file, _, body) = self.program.class_facts(class);
        let facts = self.program.facts(file);
        let Some((_, meta)) = body.keywords.iter().find(|(k, _)| facts.name(*k) == "metaclass") else { return false };
        let meta = self.expr_type(file, *meta);
        match *self.types.get(meta) {
            Type::Class(meta, _) => self.program.is_decorated(self.program.class_def(meta), &["dataclass_transform"]),
            _ => false,
        }
    }
}

/// A synthesized signature with one required parameter.
fn single_parameter_signature(name: &'static str) -> LinkedSignature {
    let parameter = LinkedParameter {
        name: CompactString::const_new(name),
        kind: ParameterKind::Standard,
        annotation: None,
        meaning: None,
        default: None,
        required: true,
        within: None,
        summary: None,
    };
    LinkedSignature { parameters: vec![parameter], is_synthesized: true, ..LinkedSignature::default() }
}

pub(super) fn is_pydantic_path(path: &str) -> bool {
    ["pydantic.", "pydantic_settings.", "sqlmodel."].iter().any(|prefix| path.starts_with(prefix))
}
