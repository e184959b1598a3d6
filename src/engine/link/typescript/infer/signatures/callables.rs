//! The signatures of callable types, the overloads of functions, and the constructors of classes.

use smallvec::SmallVec;

use crate::typescript::{
    infer::Linker,
    program::GlobalDef,
    types::{InternedType, Substitution, TypeKind},
};
use apidisc_base::nesting;
use apidisc_facts::syntax::typescript::facts::{FunctionKind, MemberKind};

/// A call or construct signature: the function `def` that declares it, and the substitution for the type parameters in
/// scope around that function. For a class without any constructor, `def` is the class.
#[derive(Clone, Copy, Debug)]
pub(in crate::typescript) struct CallableSignature {
    pub(in crate::typescript) def: GlobalDef,
    pub(in crate::typescript) substitution: Substitution,
    /// For a construct signature of a class: the class that `new` instantiates.
    pub(in crate::typescript) class: Option<GlobalDef>,
}

/// The greatest number of signatures of one callee.
const MAX_SIGNATURES: usize = 64;

impl Linker<'_> {
    /// The call signatures of a type; the construct signatures if `is_new`.
    pub(in crate::typescript) fn signatures(
        &mut self,
        callee: InternedType,
        is_new: bool,
    ) -> SmallVec<[CallableSignature; 2]> {
        let mut all = SmallVec::new();
        self.add_signatures(callee, is_new, &mut all, 0);
        all
    }

    fn add_signatures(
        &mut self,
        callee: InternedType,
        is_new: bool,
        all: &mut SmallVec<[CallableSignature; 2]>,
        depth: u32,
    ) {
        if depth > 8 || all.len() >= MAX_SIGNATURES {
            return;
        }
        let Some(_level) = self.descend() else { return };
        match self.types.kind(callee).clone() {
            TypeKind::Function(def, substitution) => {
                let kind = self.program.function(def).map(|f| f.kind);
                let constructs = matches!(kind, Some(FunctionKind::ConstructorType | FunctionKind::ConstructSignature));
                if constructs == is_new || kind == Some(FunctionKind::Declaration) {
                    let overloads = self.overloads(def);
                    all.extend(overloads.into_iter().map(|def| CallableSignature { def, substitution, class: None }));
                }
            }
            TypeKind::ClassConstructor(def, substitution) if is_new => {
                let constructors = self.constructors(def, 0);
                if constructors.is_empty() {
                    all.push(CallableSignature { def, substitution, class: Some(def) });
                }
                all.extend(constructors.into_iter().map(|c| CallableSignature {
                    def: c,
                    substitution,
                    class: Some(def),
                }));
            }
            TypeKind::Union(constituents) | TypeKind::Intersection(constituents) => {
                for constituent in constituents {
                    self.add_signatures(constituent, is_new, all, depth + 1);
                }
            }
            TypeKind::TypeParameter(_) | TypeKind::IndexedAccess(..) | TypeKind::Conditional(..) => {
                if let Some(constraint) = self.constraint(callee) {
                    self.add_signatures(constraint, is_new, all, depth + 1);
                }
            }
            TypeKind::Anonymous(def, substitution) => self.add_member_signatures(def, substitution, is_new, all),
            TypeKind::Reference(symbol, args) => {
                for def in self.program.definitions(symbol) {
                    let substitution = self.substitution_of(def, &args, Some(callee));
                    self.add_member_signatures(def, substitution, is_new, all);
                    if all.is_empty() {
                        for base in self.base_types(def) {
                            let base = self.substitute(base, substitution);
                            self.add_signatures(base, is_new, all, depth + 1);
                        }
                    }
                }
            }
            _ => {}
        }
    }

    pub(in crate::typescript) fn add_member_signatures(
        &mut self,
        def: GlobalDef,
        substitution: Substitution,
        is_new: bool,
        all: &mut SmallVec<[CallableSignature; 2]>,
    ) {
        let file = self.program.file_of(def);
        let expected = if is_new { FunctionKind::ConstructSignature } else { FunctionKind::CallSignature };
        for member in self.program.members(def) {
            if let MemberKind::Function(function) = member.kind {
                let function = self.program.global_def(file, function);
                if self.program.function(function).is_some_and(|f| f.kind == expected) {
                    all.push(CallableSignature { def: function, substitution, class: None });
                }
            }
        }
    }

    /// The constructors of a class: its own, else those of its base class. If there are overloads, the implementation
    /// is left out.
    pub(in crate::typescript) fn constructors(&mut self, class: GlobalDef, depth: u32) -> SmallVec<[GlobalDef; 1]> {
        self.instantiated_constructors(class, Substitution::EMPTY, depth)
    }

    /// The constructors of a class in a generic function, with the type arguments of that function.
    fn instantiated_constructors(
        &mut self,
        class: GlobalDef,
        substitution: Substitution,
        depth: u32,
    ) -> SmallVec<[GlobalDef; 1]> {
        let Some(_level) = nesting::descend() else { return SmallVec::new() };
        let file = self.program.file_of(class);
        if self.program.function(class).is_some() {
            return self.overloads(class).into_iter().collect();
        }
        let mut all: SmallVec<[GlobalDef; 1]> = SmallVec::new();
        for member in self.program.members(class) {
            if let MemberKind::Function(function) = member.kind {
                let function = self.program.global_def(file, function);
                if self.program.function(function).is_some_and(|f| f.kind == FunctionKind::Constructor) {
                    all.push(function);
                }
            }
        }
        if all.len() > 1 {
            all.retain(|def| !self.program.function(*def).is_some_and(|f| f.has_body));
        }
        if (all.is_empty() || self.passes_all_arguments(class, &all))
            && depth < 16
            && let Some((base, substitution)) = self.base_class(class, substitution)
        {
            return self.instantiated_constructors(base, substitution, depth + 1);
        }
        all
    }

    /// Whether a class is a mixin whose constructor takes any arguments, `(...args: any[])`: the class then has the
    /// constructors of the class that it is given (TypeScript 2.2, "Support for Mix-in classes").
    fn passes_all_arguments(&mut self, class: GlobalDef, constructors: &[GlobalDef]) -> bool {
        let [constructor] = constructors else { return false };
        let takes_any =
            self.program.function(*constructor).is_some_and(|f| matches!(&f.params[..], [one] if one.is_rest));
        let Some((base, ..)) = self.program.def(class).class().and_then(|class| class.extends.as_ref()) else {
            return false;
        };
        let base = self.expr_type(self.program.file_of(class), *base);
        takes_any && matches!(self.types.kind(base), TypeKind::TypeParameter(_))
    }

    /// The class that a class extends, with the type arguments of the function around it. `substitution` has those of
    /// the function around the class itself.
    pub(in crate::typescript) fn base_class(
        &mut self,
        class: GlobalDef,
        substitution: Substitution,
    ) -> Option<(GlobalDef, Substitution)> {
        let (base, ..) = self.program.def(class).class().and_then(|class| class.extends.as_ref())?;
        let value = self.expr_type(self.program.file_of(class), *base);
        let value = self.substitute(value, substitution);
        let parts = match self.types.kind(value) {
            TypeKind::Intersection(parts) => parts.clone(),
            _ => self.types.constituents(value),
        };
        parts.into_iter().find_map(|part| match *self.types.kind(part) {
            TypeKind::ClassConstructor(base, substitution) => Some((base, substitution)),
            TypeKind::Function(base, _) => Some((base, Substitution::EMPTY)),
            _ => None,
        })
    }

    /// The declarations of a function that callers see: its overloads, else the function itself.
    pub(in crate::typescript) fn overloads(&self, def: GlobalDef) -> SmallVec<[GlobalDef; 2]> {
        let all = self.program.declarations_of_function(def);
        let is_overload = |def: &GlobalDef| self.program.function(*def).is_some_and(|f| !f.has_body);
        let overloads: SmallVec<[GlobalDef; 2]> = all.iter().copied().filter(is_overload).collect();
        if overloads.is_empty() { SmallVec::from_slice(&[def]) } else { overloads }
    }

    /// The constructor that the arguments of `new` are bound to.
    pub(in crate::typescript) fn constructor(&mut self, class: GlobalDef) -> Option<GlobalDef> {
        let first = self.constructors(class, 0).first().copied()?;
        Some(self.program.implementation(first)).filter(|def| !self.program.is_platform(*def))
    }
}
