//! The effective constructor of a class: `__init__` or `__new__` along the method resolution order, or the signature
//! that dataclasses, pydantic, attrs, `NamedTuple` and `TypedDict` synthesize.

use compact_str::CompactString;

use super::{
    fields::ConstructorStyle,
    linker::Linker,
    mro::Ancestor,
    program::{ClassId, GlobalDef, decorator_name},
    signatures::CallableSignature,
    types::Type,
};
use crate::{
    link::linked::{LinkedParameter, LinkedSignature},
    program::ParameterKind,
    syntax::python::facts::BindingKind,
};

const PYDANTIC_BASES: &[&str] = &["BaseModel", "BaseSettings", "RootModel", "GenericModel", "SQLModel"];
const DATACLASS_DECORATORS: &[&str] = &["dataclass", "define", "mutable", "frozen", "attrs", "dataclass_transform"];

impl Linker<'_> {
    /// The signature that calls of a class are bound to.
    pub(super) fn constructor(&mut self, class: ClassId) -> CallableSignature {
        let mro = self.mro(class);
        let classes: Vec<ClassId> = mro
            .iter()
            .filter_map(|a| match a {
                Ancestor::Class(c, _) => Some(*c),
                _ => None,
            })
            .collect();
        let external_bases: Vec<String> = mro
            .iter()
            .filter_map(|a| match a {
                Ancestor::External(path) => Some(self.program.interner.text(*path).to_owned()),
                _ => None,
            })
            .collect();
        let inherits = |names: &[&str]| external_bases.iter().any(|path| names.contains(&path.as_str()));
        if inherits(&["typing.NamedTuple", "typing_extensions.NamedTuple"]) && self.method(class, "__new__").is_none() {
            let owner = classes.iter().copied().find(|&c| self.has_base(c, &["NamedTuple"])).unwrap_or(class);
            return self.field_constructor(class, &[owner], ConstructorStyle::NamedTuple);
        }
        if inherits(&["typing.TypedDict", "typing_extensions.TypedDict"]) {
            let chain: Vec<ClassId> = classes.iter().rev().copied().collect();
            return self.field_constructor(class, &chain, ConstructorStyle::TypedDict);
        }
        let is_pydantic = external_bases.iter().any(|p| is_pydantic_path(p))
            || classes.iter().any(|&c| self.has_base(c, PYDANTIC_BASES))
            || classes.iter().skip(1).any(|&c| self.is_pydantic_source_class(c));
        let is_enum = self.is_enum(class);
        for (index, ancestor) in mro.iter().enumerate() {
            match ancestor {
                Ancestor::Class(ancestor, _) => {
                    let ancestor = *ancestor;
                    if is_pydantic && ancestor != class && self.is_pydantic_source_class(ancestor) {
                        return self.pydantic_constructor(class, &classes, false);
                    }
                    if let Some(init) = self.method(ancestor, "__init__") {
                        return self.method_constructor(class, ancestor, init);
                    }
                    if let Some(style) = self.dataclass_style(ancestor) {
                        if self.decorator_flag(ancestor, "init") == Some(false) {
                            continue;
                        }
                        let dataclasses: Vec<ClassId> = mro[index..]
                            .iter()
                            .rev()
                            .filter_map(|a| match a {
                                Ancestor::Class(c, _) if self.dataclass_style(*c).is_some() => Some(*c),
                                _ => None,
                            })
                            .collect();
                        return self.field_constructor(class, &dataclasses, style);
                    }
                }
                Ancestor::External(path) => {
                    let path = self.program.interner.text(*path);
                    let module = path.split('.').next().unwrap_or(path);
                    if matches!(path, "abc.ABC" | "typing.Generic" | "typing.Protocol" | "typing_extensions.Protocol") {
                        continue;
                    }
                    let is_builtin = module == path || matches!(module, "typing" | "enum");
                    if is_pydantic && !is_builtin {
                        let takes_any_keyword = !is_pydantic_path(path);
                        return self.pydantic_constructor(class, &classes, takes_any_keyword);
                    }
                    return self.external_constructor(class, &classes, is_enum);
                }
                Ancestor::Unknown(_) => {
                    if is_pydantic {
                        return self.pydantic_constructor(class, &classes, true);
                    }
                    return self.external_constructor(class, &classes, is_enum);
                }
            }
        }
        if let Some((owner, new)) = classes.iter().find_map(|&c| Some((c, self.method(c, "__new__")?))) {
            return self.method_constructor(class, owner, new);
        }
        if classes.iter().any(|&c| self.has_dataclass_transform(c)) {
            let chain: Vec<ClassId> = classes.iter().rev().copied().collect();
            return self.field_constructor(class, &chain, ConstructorStyle::Dataclass);
        }
        if is_pydantic {
            return self.pydantic_constructor(class, &classes, false);
        }
        CallableSignature { signature: Some(LinkedSignature::default()), ..CallableSignature::default() }
    }

    /// The signature of a class whose constructor comes from outside the sources.
    fn external_constructor(&mut self, class: ClassId, classes: &[ClassId], is_enum: bool) -> CallableSignature {
        if is_enum {
            let signature = single_parameter_signature("value");
            return CallableSignature { signature: Some(signature), ..CallableSignature::default() };
        }
        match classes.iter().find_map(|&c| Some((c, self.method(c, "__new__")?))) {
            Some((owner, new)) => self.method_constructor(class, owner, new),
            None => CallableSignature::default(),
        }
    }

    fn method_constructor(&mut self, class: ClassId, owner: ClassId, method: GlobalDef) -> CallableSignature {
        let signature = self.written_signature(method, true);
        let by = (owner != class).then_some(owner);
        let declared_by = vec![by; signature.parameters.len()];
        CallableSignature { signature: Some(signature), declared_by, ..CallableSignature::default() }
    }

    fn pydantic_constructor(
        &mut self,
        class: ClassId,
        classes: &[ClassId],
        takes_any_keyword: bool,
    ) -> CallableSignature {
        let chain: Vec<ClassId> =
            classes.iter().rev().copied().filter(|&c| !self.is_pydantic_source_class(c)).collect();
        if chain.iter().any(|&c| self.has_base(c, &["RootModel"])) {
            let signature = single_parameter_signature("root");
            return CallableSignature {
                signature: Some(signature),
                takes_camel_case: true,
                ..CallableSignature::default()
            };
        }
        let mut callable = self.field_constructor(class, &chain, ConstructorStyle::Pydantic);
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
    fn has_base(&self, class: ClassId, names: &[&str]) -> bool {
        let (_, _, body) = self.program.class_facts(class);
        body.bases.iter().any(|(_, text)| {
            let head = text.split('[').next().unwrap_or(text);
            names.contains(&head.rsplit('.').next().unwrap_or(head))
        })
    }

    /// True for pydantic's own model classes, if pydantic itself is among the sources.
    fn is_pydantic_source_class(&self, class: ClassId) -> bool {
        let def = self.program.class_def(class);
        let module = &self.program.files[self.program.file_of(def).index()].module;
        module.starts_with("pydantic.") && PYDANTIC_BASES.contains(&self.program.name_of(def))
    }

    fn dataclass_style(&self, class: ClassId) -> Option<ConstructorStyle> {
        let decorators = &self.program.def(self.program.class_def(class)).decorators;
        let paths = || decorators.iter().map(|(_, text)| text.split('(').next().unwrap_or(text).trim());
        let is_dataclass = |path: &str| {
            DATACLASS_DECORATORS.contains(&decorator_name(path)) || matches!(path, "attr.s" | "attr.dataclass")
        };
        let is_attrs = |path: &str| {
            matches!(path, "attr" | "attrs")
                || path.starts_with("attr.")
                || path.starts_with("attrs.")
                || matches!(decorator_name(path), "define" | "mutable" | "frozen")
        };
        paths()
            .any(is_dataclass)
            .then(|| if paths().any(is_attrs) { ConstructorStyle::Attrs } else { ConstructorStyle::Dataclass })
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
        default: None,
        required: true,
        within: None,
    };
    LinkedSignature { parameters: vec![parameter], is_synthesized: true, ..LinkedSignature::default() }
}

fn is_pydantic_path(path: &str) -> bool {
    ["pydantic.", "pydantic_settings.", "sqlmodel."].iter().any(|prefix| path.starts_with(prefix))
}
