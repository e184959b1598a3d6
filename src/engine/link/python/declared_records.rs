//! Named tuples and typed dicts that a call declares: `NamedTuple("P", [("x", int)])`, `TypedDict("T", {"a": int})`
//! (PEP 484, PEP 589), `collections.namedtuple("P", "x y")`.
//!
//! Such a class is a class from outside the sources. Its type arguments are the names and the types of its fields in
//! alternation; `collections.namedtuple` declares no types. A class of the sources may extend such a class.

use arcstr::ArcStr;
use compact_str::CompactString;

use super::{
    calls::PassedArguments,
    limits::MAX_INHERITED,
    linker::Linker,
    program::{ClassId, FileIndex, GlobalName},
    signatures::CallableSignature,
    types::{Type, TypeId},
};
use crate::linked::{LinkedParameter, LinkedSignature};
use apidisc_facts::{
    program::ParameterKind,
    syntax::python::facts::{Expr, ExprId},
};

const NAMED_TUPLE: &str = "typing.NamedTuple";
const TYPED_DICT: &str = "typing.TypedDict";
const UNTYPED_NAMED_TUPLE: &str = "collections.namedtuple";

/// The greatest number of fields of a declared class. Further ones are left out.
const MAX_FIELDS: usize = 64;

impl Linker<'_> {
    /// The class that a call of the function `path` declares. `None` for any other function, and if the fields are no
    /// display.
    pub(super) fn declared_record(&mut self, path: &str, passed: Option<PassedArguments>) -> Option<TypeId> {
        let path = match path.rsplit_once('.') {
            Some(("typing" | "typing_extensions", "NamedTuple")) => NAMED_TUPLE,
            Some(("typing" | "typing_extensions", "TypedDict")) => TYPED_DICT,
            Some(("collections", "namedtuple")) => return Some(self.external_class(UNTYPED_NAMED_TUPLE, &[])),
            _ => return None,
        };
        let passed = passed?;
        let facts = self.program.facts(passed.file);
        let fields: Vec<(ExprId, ExprId)> = match facts.expr(passed.arguments.get(1)?.value) {
            Expr::Dict(pairs) if path == TYPED_DICT => {
                facts.list(pairs).chunks_exact(2).map(|pair| (pair[0], pair[1])).collect()
            }
            Expr::List(fields) | Expr::Tuple(fields) if path == NAMED_TUPLE => {
                let pair = |&field: &ExprId| match facts.expr(field) {
                    Expr::Tuple(pair) => match *facts.list(pair) {
                        [name, annotation] => Some((name, annotation)),
                        _ => None,
                    },
                    _ => None,
                };
                facts.list(fields).iter().map(pair).collect::<Option<_>>()?
            }
            _ => return None,
        };
        let mut args = Vec::with_capacity(2 * fields.len());
        for (name, annotation) in fields.into_iter().take(MAX_FIELDS) {
            let Expr::Str(Some(name)) = facts.expr(name) else { return None };
            let name = self.program.global_name(passed.file, name);
            args.push(self.types.add(Type::ExternalName(name)));
            args.push(self.annotation_type(passed.file, annotation));
        }
        Some(self.external_class(path, &args))
    }

    /// The type of the field `name` of an instance of a named tuple declared by a call, such as
    /// `P = NamedTuple("P", [("x", int)])`.
    pub(super) fn declared_attribute(&self, instance: TypeId, name: GlobalName) -> Option<TypeId> {
        self.declared_field(instance, NAMED_TUPLE, name)
    }

    /// The type of the item with the key `index` of an instance of a typed dict that a call declares.
    pub(super) fn declared_item(&self, instance: TypeId, file: FileIndex, index: ExprId) -> Option<TypeId> {
        let Expr::Str(Some(key)) = self.program.facts(file).expr(index) else { return None };
        self.declared_field(instance, TYPED_DICT, self.program.global_name(file, key))
    }

    fn declared_field(&self, instance: TypeId, path: &str, name: GlobalName) -> Option<TypeId> {
        let fields = self.declared_fields(instance, path)?;
        let is_named = |field: &&[TypeId]| *self.types.get(field[0]) == Type::ExternalName(name);
        fields.chunks_exact(2).find(is_named).map(|field| field[1])
    }

    /// The tuple type of an instance of a named tuple that a call declares.
    pub(super) fn declared_tuple(&mut self, instance: TypeId) -> Option<TypeId> {
        let items = self.declared_fields(instance, NAMED_TUPLE)?.iter().skip(1).step_by(2).copied().collect();
        Some(self.types.add(Type::Tuple(items)))
    }

    /// The names and types of the fields of an instance of a declared class, in alternation.
    fn declared_fields(&self, instance: TypeId, path: &str) -> Option<&[TypeId]> {
        match self.types.get(instance) {
            Type::ExternalInstance(class, fields) => {
                (!fields.is_empty() && self.program.interner.text(*class) == path).then_some(&fields[..])
            }
            _ => None,
        }
    }

    /// The call that declares the named tuple which a class of the sources extends, with its file:
    /// `class P(namedtuple("Q", "x y"))`.
    pub(super) fn named_tuple_base(&mut self, class: ClassId) -> Option<(FileIndex, ExprId)> {
        let mro = self.mro(class);
        if !self.mro_table.get(mro).is_named_tuple() {
            return None;
        }
        let classes: Vec<ClassId> = self.mro_table.classes(mro).take(MAX_INHERITED).collect();
        for ancestor in classes {
            let (file, _, body) = self.program.class_facts(ancestor);
            for &(base, _) in &body.bases {
                if !matches!(self.program.facts(file).expr(base), Expr::Call(_)) {
                    continue;
                }
                let ty = self.expr_type(file, base);
                if let Type::ExternalClass(path, _) = self.types.get(ty)
                    && matches!(self.program.interner.text(*path), NAMED_TUPLE | UNTYPED_NAMED_TUPLE)
                {
                    return Some((file, base));
                }
            }
        }
        None
    }

    /// The type of the field `name` of an instance of a class that extends a declared named tuple.
    pub(super) fn inherited_declared_attribute(&mut self, class: ClassId, name: GlobalName) -> Option<TypeId> {
        let (file, base) = self.named_tuple_base(class)?;
        let instance = self.annotation_type(file, base);
        self.declared_attribute(instance, name)
    }

    /// The constructor of a class that extends the named tuple which the call `base` declares.
    pub(super) fn declared_constructor(&self, file: FileIndex, base: ExprId) -> CallableSignature {
        let Some(parameters) = self.declared_parameters(file, base) else {
            return CallableSignature::unknown_constructor();
        };
        let signature = LinkedSignature {
            parameters,
            is_synthesized: true,
            receiver: Some(ArcStr::from(CompactString::const_new("self").as_str())),
            ..LinkedSignature::default()
        };
        CallableSignature { signature: Some(Box::new(signature)), ..CallableSignature::default() }
    }

    /// The parameters of a declared named tuple. `None` if their names are no literals.
    fn declared_parameters(&self, file: FileIndex, base: ExprId) -> Option<Vec<LinkedParameter>> {
        let facts = self.program.facts(file);
        let Expr::Call(site) = facts.expr(base) else { return None };
        let arguments = &facts.calls[site.index()].arguments;
        let name_of = |field: ExprId| match facts.expr(field) {
            Expr::Str(Some(name)) => Some(CompactString::new(facts.name(name))),
            Expr::Tuple(pair) => match facts.expr(*facts.list(pair).first()?) {
                Expr::Str(Some(name)) => Some(CompactString::new(facts.name(name))),
                _ => None,
            },
            _ => None,
        };
        let names: Vec<CompactString> = match facts.expr(arguments.get(1)?.value) {
            Expr::Str(Some(names)) => {
                let names = facts.name(names).split([',', ' ']).filter(|name| !name.is_empty());
                names.map(CompactString::new).collect()
            }
            Expr::List(fields) | Expr::Tuple(fields) => {
                facts.list(fields).iter().map(|&field| name_of(field)).collect::<Option<_>>()?
            }
            _ => return None,
        };
        let mut defaults = 0;
        for argument in arguments.iter().skip(2) {
            match (argument.keyword.map(|keyword| facts.name(keyword)), facts.expr(argument.value)) {
                (Some("defaults"), Expr::List(values) | Expr::Tuple(values)) => defaults = facts.list(values).len(),
                (Some("module"), _) => {}
                _ => return None,
            }
        }
        let required = names.len().saturating_sub(defaults);
        let parameters = names.into_iter().take(MAX_FIELDS).enumerate().map(|(at, name)| LinkedParameter {
            name,
            kind: ParameterKind::Standard,
            annotation: None,
            meaning: None,
            default: (at >= required).then(|| arcstr::literal!("...")),
            required: at < required,
            within: None,
            summary: None,
        });
        Some(parameters.collect())
    }
}
