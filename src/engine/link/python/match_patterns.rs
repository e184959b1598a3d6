//! The parts of a value that the patterns of `match` match (PEP 634).

use super::{
    limits::MAX_INHERITED,
    linker::Linker,
    program::{ClassId, FileIndex, GlobalName},
    types::{Type, TypeId},
};
use apidisc_facts::{
    program::ParameterKind,
    syntax::python::facts::{Expr, ExprId, UnpackStep},
};

/// The built-in classes whose class pattern matches the value itself with its one positional pattern: `str(x)`.
const SELF_MATCHING: &[&str] =
    &["bool", "bytearray", "bytes", "dict", "float", "frozenset", "int", "list", "set", "str", "tuple"];

/// Classes from outside the sources whose instances a sequence pattern never matches.
const NO_SEQUENCES: &[&str] =
    &["bool", "bytearray", "bytes", "dict", "float", "frozenset", "int", "set", "str", "Callable", "type"];

impl Linker<'_> {
    /// The type of the part of a value that `step` reaches. The parts of a union that the pattern cannot match are left
    /// out.
    pub(super) fn matched_part(&mut self, file: FileIndex, ty: TypeId, step: UnpackStep) -> TypeId {
        match step {
            UnpackStep::Sequence { len, is_open } => {
                let parts = self.types.parts(ty);
                let len = usize::from(len);
                let kept: Vec<TypeId> =
                    parts.iter().copied().filter(|&part| self.may_be_sequence(part, len, is_open)).collect();
                if kept.len() == parts.len() { ty } else { self.types.union(kept) }
            }
            UnpackStep::Instance(class) => self.narrowed_to_class(file, ty, class),
            UnpackStep::Attribute(name) => {
                let name = self.program.global_name(file, name);
                self.attribute_type(ty, name)
            }
            UnpackStep::MatchArgument(position) => {
                self.map_union(ty, |this, part| this.match_argument(part, usize::from(position)))
            }
            UnpackStep::Key(key) => self.map_union(ty, |this, part| this.value_of_key(file, part, key)),
            UnpackStep::OtherKeys => self.map_union(ty, |this, part| {
                if this.arguments_of_dict(part).is_some() { part } else { this.external_instance("dict", &[]) }
            }),
            UnpackStep::Item(_) | UnpackStep::ItemFromEnd(_) | UnpackStep::Rest { .. } => ty,
        }
    }

    /// True if a sequence pattern of `len` patterns, or more if it is open, may match a value of the type.
    fn may_be_sequence(&mut self, ty: TypeId, len: usize, is_open: bool) -> bool {
        let tuple = self.tuple_of_instance(ty).unwrap_or(ty);
        match self.types.get(tuple) {
            Type::Tuple(items) => items.len() == len || is_open && items.len() > len,
            Type::ExternalInstance(path, _) => !NO_SEQUENCES.contains(&self.program.interner.text(*path)),
            Type::None | Type::Class(..) | Type::Function(_) | Type::Method(..) => false,
            _ => true,
        }
    }

    /// The type of the value that the positional pattern at a position of a class pattern matches in an instance.
    fn match_argument(&mut self, instance: TypeId, position: usize) -> TypeId {
        match self.types.get(instance).clone() {
            Type::Instance(class, _) => match self.match_argument_name(class, position) {
                Some(name) => self.attribute_type(instance, name),
                None => TypeId::UNKNOWN,
            },
            Type::ExternalInstance(path, _) if SELF_MATCHING.contains(&self.program.interner.text(path)) => instance,
            Type::Tuple(_) => instance,
            Type::External | Type::ExternalInstance(..) => TypeId::EXTERNAL,
            _ => TypeId::UNKNOWN,
        }
    }

    /// The name in `__match_args__` at a position: in the tuple that the class or its nearest base assigns, else the
    /// name of the field of a dataclass or named tuple.
    fn match_argument_name(&mut self, class: ClassId, position: usize) -> Option<GlobalName> {
        let mro = self.mro(class);
        let classes: Vec<ClassId> = self.mro_table.classes(mro).take(MAX_INHERITED).collect();
        for class in classes {
            let (file, _, body) = self.program.class_facts(class);
            let facts = self.program.facts(file);
            let declaration = body.fields.iter().rfind(|field| facts.name(field.name) == "__match_args__");
            let Some((value, _)) = declaration.and_then(|field| field.value.as_ref()) else { continue };
            let Expr::Tuple(names) = facts.expr(*value) else { return None };
            let Expr::Str(Some(name)) = facts.expr(*facts.list(names).get(position)?) else { return None };
            return Some(self.program.global_name(file, name));
        }
        let signature = self.constructor(class).signature.filter(|signature| signature.is_synthesized)?;
        let parameter = signature.parameters.get(position)?;
        let is_positional = parameter.kind == ParameterKind::Standard;
        is_positional.then(|| self.program.interner.intern(&parameter.name))
    }

    /// The type of the value of a key of a mapping; unknown for a value that is no mapping.
    fn value_of_key(&mut self, file: FileIndex, mapping: TypeId, key: ExprId) -> TypeId {
        match self.types.get(mapping) {
            Type::Instance(..) => self.subscript_part(file, mapping, key),
            Type::External => TypeId::EXTERNAL,
            _ => self.arguments_of_dict(mapping).map_or(TypeId::UNKNOWN, |(_, value)| value),
        }
    }
}
