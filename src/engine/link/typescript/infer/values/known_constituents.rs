//! Functions that are expected as one constituent of a union with external constituents: `URL | Handler`. A union with
//! an external type is external as a whole; but what the compiler knows of a function's parameters comes from the
//! constituents with signatures.

use crate::typescript::{
    infer::{Linker, names::ResolvedName},
    program::FileIndex,
    types::{InternedType, InternedTypes, Substitution, TypeBindings, TypeKind, TypeVariable},
};
use apidisc_facts::syntax::typescript::facts::{
    CallExprId, DefBody, DefId, ExprId, ExpressionContext, MemberKind, TypeId, TypeNode,
};

/// The greatest nesting of unions and type aliases that is looked through.
const MAX_DEPTH: u32 = 6;

/// A type node of a file, and the type arguments with which it is used.
type WrittenType = (FileIndex, TypeId, Substitution);

impl Linker<'_> {
    /// The contextual type of a function expression whose contextual type is external: the union of those constituents
    /// of the written type that are known.
    pub(in super::super) fn known_contextual_type(&mut self, file: FileIndex, expr: ExprId) -> InternedType {
        let facts = self.program.facts(file);
        let written = match facts.context(expr) {
            ExpressionContext::Typed(ty) => Some((file, ty, Substitution::EMPTY)),
            ExpressionContext::Argument(site, at) => self.written_type_of_argument(file, site, at),
            ExpressionContext::Property(object, at) => return self.known_contextual_property_type(file, object, at),
            _ => None,
        };
        self.union_of_known(written)
    }

    /// The same for a member of an object literal.
    pub(in super::super) fn known_contextual_property_type(
        &mut self,
        file: FileIndex,
        object: DefId,
        at: u16,
    ) -> InternedType {
        let written = self.written_type_of_property(file, object, at);
        self.union_of_known(written)
    }

    fn union_of_known(&mut self, written: Option<WrittenType>) -> InternedType {
        written.and_then(|written| self.known_constituents(written, 0)).unwrap_or(InternedType::EXTERNAL)
    }

    /// The type that the parameter for an argument is declared with.
    fn written_type_of_argument(&mut self, file: FileIndex, site: CallExprId, at: u16) -> Option<WrittenType> {
        let (signature, substitution) = self.resolved_signature(file, site, at)?;
        let param = self.program.function(signature.def)?.params.get(usize::from(at)).filter(|param| !param.is_rest)?;
        let (ty, _) = param.annotation.as_ref()?;
        Some((self.program.file_of(signature.def), *ty, substitution))
    }

    /// The type that the property for a member of an object literal is declared with.
    fn written_type_of_property(&mut self, file: FileIndex, object: DefId, at: u16) -> Option<WrittenType> {
        let expr = self.program.facts(file).def(object).expr?;
        let expected = self.contextual_type_before(file, expr, (object, at));
        let name = self.member_name(self.program.global_def(file, object), usize::from(at))?;
        let (declaring, position) = self.find_property(expected, name)?.member?;
        let member = &self.program.members(declaring)[usize::from(position)];
        let MemberKind::Property { annotation: Some((ty, _)), .. } = &member.kind else { return None };
        let substitution = match self.types.kind(expected).clone() {
            TypeKind::Anonymous(def, substitution) if def == declaring => substitution,
            TypeKind::Reference(symbol, args) if self.program.definitions(symbol).contains(&declaring) => {
                self.substitution_of(declaring, &args, Some(expected))
            }
            _ if self.program.def(declaring).type_params().is_empty() => Substitution::EMPTY,
            _ => return None,
        };
        Some((self.program.file_of(declaring), *ty, substitution))
    }

    /// The union of the known constituents of a written union, also behind type aliases. `None` for any other type, and
    /// if no constituent is known.
    fn known_constituents(&mut self, (file, ty, substitution): WrittenType, depth: u32) -> Option<InternedType> {
        let _level = self.descend()?;
        if depth > MAX_DEPTH {
            return None;
        }
        match self.program.facts(file).ty(ty) {
            TypeNode::Union(list) => {
                let mut known = InternedTypes::new();
                for &part in self.program.facts(file).type_list(*list) {
                    let generic = self.type_from_node(file, part);
                    let constituent = self.substitute(generic, substitution);
                    if constituent == InternedType::EXTERNAL {
                        known.extend(self.known_constituents((file, part, substitution), depth + 1));
                    } else {
                        known.push(constituent);
                    }
                }
                Some(self.types.union(known)).filter(|union| union.is_known())
            }
            TypeNode::Ref { symbol: Some(symbol), path, args, .. } if path.len() == 1 => {
                let ResolvedName::Symbol(symbol) = self.resolve_symbol(file, *symbol) else { return None };
                let def = *self.program.definitions(symbol).first()?;
                let DefBody::TypeAlias(alias) = &self.program.def(def).body else { return None };
                let declaring = self.program.file_of(def);
                let mut bindings = TypeBindings::new();
                for (param, &arg) in alias.type_params.iter().zip(self.program.facts(file).type_list(*args)) {
                    let generic = self.type_from_node(file, arg);
                    let param = self.program.global_param(declaring, *param);
                    bindings.push((TypeVariable::Parameter(param), self.substitute(generic, substitution)));
                }
                let substitution = self.types.intern_substitution(bindings);
                self.known_constituents((declaring, alias.ty, substitution), depth + 1)
            }
            _ => None,
        }
    }
}
