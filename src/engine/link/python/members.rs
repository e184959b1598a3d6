//! Members of classes: look-up along the method resolution order.

use smallvec::SmallVec;

use super::{
    limits::MAX_INHERITED,
    linker::Linker,
    mro_table::{Ancestor, MroId},
    program::{ClassId, FileIndex, GlobalDef, GlobalName},
    types::{Type, TypeId},
};
use crate::memo::MemoRequest;
use apidisc_facts::syntax::python::facts::{BindingId, BindingKind};

/// The declaration of a member in a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ClassMember {
    /// A method: the function that implements it.
    Function { owner: ClassId, def: GlobalDef },
    /// A property (`@property`, `@cached_property`): its getter.
    Property { owner: ClassId, def: GlobalDef },
    /// Any other attribute: its type, and whether the class body binds it. Only values of a class body can be
    /// descriptors.
    Value { owner: ClassId, ty: TypeId, in_body: bool },
}

/// The outcome of looking a member up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MemberLookup {
    Found(ClassMember),
    /// No class of the sources declares the member, but a base from outside the sources may.
    External,
    Missing,
}

impl Linker<'_> {
    /// Looks a member up in a class and its bases.
    pub(super) fn lookup_member(&mut self, class: ClassId, name: GlobalName) -> MemberLookup {
        let depth = self.recursion.depth();
        match self.members.slot((class, name)).request(depth) {
            MemoRequest::Computed(lookup) => return lookup,
            MemoRequest::InProgress { depth } => {
                self.recursion.note_cycle(depth);
                return MemberLookup::Missing;
            }
            MemoRequest::Started => {}
        }
        let mro = self.mro(class);
        let lookup = self.lookup_member_in(Some(mro), name);
        let is_final = self.recursion.is_outside_cycles(depth);
        let slot = self.members.slot((class, name));
        if is_final {
            slot.keep(lookup);
        } else {
            slot.clear();
        }
        lookup
    }

    /// Looks a member up in the classes of a method resolution order.
    pub(super) fn lookup_member_in(&mut self, mro: Option<MroId>, name: GlobalName) -> MemberLookup {
        let depth = self.recursion.depth();
        // Checkpoints that were passed, with the number of bases from outside the sources before each.
        let mut passed: SmallVec<[(MroId, u32); 4]> = SmallVec::new();
        let mut outside = 0;
        let mut at = mro;
        let mut found = None;
        while let Some(id) = at {
            let node = self.mro_table.get(id);
            let rest = node.rest;
            if node.is_checkpoint() {
                match self.members_from.get(&(id, name)) {
                    Some(MemberLookup::Missing) => break,
                    Some(MemberLookup::External) => {
                        outside += 1;
                        break;
                    }
                    Some(&known) => {
                        found = Some(known);
                        break;
                    }
                    None => passed.push((id, outside)),
                }
            }
            match node.ancestor {
                Ancestor::Class(class, _) => {
                    if let Some(member) = self.own_member(class, name, rest) {
                        found = Some(MemberLookup::Found(member));
                        break;
                    }
                }
                Ancestor::External(path) => {
                    outside += u32::from(!matches!(
                        self.program.interner.text(path),
                        "abc.ABC" | "typing.Protocol" | "typing_extensions.Protocol" | "typing.Generic"
                    ));
                }
                Ancestor::Unknown(_) => outside += 1,
            }
            at = rest;
        }
        let lookup_after = |before: u32| if outside > before { MemberLookup::External } else { MemberLookup::Missing };
        if self.recursion.is_outside_cycles(depth) {
            for (id, before) in passed {
                self.members_from.insert((id, name), found.unwrap_or_else(|| lookup_after(before)));
            }
        }
        found.unwrap_or_else(|| lookup_after(0))
    }

    /// The member `name` that the class itself declares in its body or assigns in its methods. `bases` is the rest of
    /// the method resolution order.
    fn own_member(&mut self, class: ClassId, name: GlobalName, bases: Option<MroId>) -> Option<ClassMember> {
        let (file, def, _) = self.program.class_facts(class);
        let facts = self.program.facts(file);
        let bindings = self.program.bindings(file, def.scope, name);
        if let Some(&last) = bindings.last()
            && let BindingKind::Def(function) = facts.bindings[last.index()].kind
        {
            let function = self.program.global_def(file, function);
            if self.program.function(function).is_some() {
                return Some(self.method_member(class, file, bindings, function));
            }
        }
        let assigned = self.program.attribute_assigns(class, name);
        let all: SmallVec<[BindingId; 8]> = bindings.iter().copied().chain(assigned).collect();
        let is_annotated = all
            .iter()
            .any(|b| matches!(facts.bindings[b.index()].kind, BindingKind::Assign { annotation: Some(_), .. }));
        let mut ty = if all.is_empty() { TypeId::UNKNOWN } else { self.declared_type(file, &all) };
        let in_stub =
            if is_annotated || !self.is_open_to_stub(ty) { None } else { self.attribute_in_stub(class, name) };
        if all.is_empty() && in_stub.is_none() {
            return None;
        }
        ty = in_stub.unwrap_or(ty);
        let is_declared = is_annotated || in_stub.is_some();
        // `push = press` in a class body is a method, whether the class, another one or a module defines `press`.
        if !is_declared
            && all.len() == bindings.len()
            && let Type::Function(def) = *self.types.get(ty)
            && (self.program.owner(def).is_some() || self.is_plain_function(def))
        {
            return Some(ClassMember::Function { owner: class, def });
        }
        // A method stays declared where only an instance replaces it: `self.run = self._run_fast`.
        if !is_declared
            && bindings.is_empty()
            && let Some(member) = self.inherited_method(bases, name)
        {
            return Some(member);
        }
        if !is_declared && let Some((base, inherited)) = self.inherited_declaration(bases, name) {
            // The declaration may name type variables of the base, which the class binds: `class C(Base[int])`.
            let none = self.types.no_arguments();
            let map = self.arguments_of(class, &none, base);
            ty = self.substitute(inherited, &map);
        }
        let is_function = matches!(self.types.get(ty), Type::Function(_)) || self.static_function(ty).is_some();
        if !bindings.is_empty() && self.is_enum(class) && !is_function {
            ty = self.types.instance(class);
        }
        Some(ClassMember::Value { owner: class, ty, in_body: !bindings.is_empty() })
    }

    /// True for a function that its decorators leave a function. An object in its place would not bind a receiver.
    fn is_plain_function(&mut self, def: GlobalDef) -> bool {
        let decorated = self.decorated_type(def);
        matches!(self.types.get(decorated), Type::Function(_))
    }

    /// The method without decorators that the first base which binds a name defines under it.
    fn inherited_method(&mut self, bases: Option<MroId>, name: GlobalName) -> Option<ClassMember> {
        let bases: SmallVec<[ClassId; 8]> = self.mro_table.classes(bases).take(MAX_INHERITED).collect();
        let binds = |this: &Self, class: &ClassId| {
            let (file, def, _) = this.program.class_facts(*class);
            !this.program.bindings(file, def.scope, name).is_empty()
        };
        let base = bases.into_iter().find(|class| binds(self, class))?;
        let (file, def, _) = self.program.class_facts(base);
        let bindings = self.program.bindings(file, def.scope, name);
        let BindingKind::Def(last) = self.program.facts(file).bindings[bindings.last()?.index()].kind else {
            return None;
        };
        let last = self.program.global_def(file, last);
        let is_plain = self.program.function(last).is_some() && self.program.def(last).decorators.is_empty();
        is_plain.then_some(ClassMember::Function { owner: base, def: last })
    }

    /// The base that declares a name which the class only assigns, and the declared type.
    pub(super) fn inherited_declaration(
        &mut self,
        bases: Option<MroId>,
        name: GlobalName,
    ) -> Option<(ClassId, TypeId)> {
        let bases: SmallVec<[ClassId; 8]> = self.mro_table.classes(bases).take(MAX_INHERITED).collect();
        for class in bases {
            let (file, def, _) = self.program.class_facts(class);
            let facts = self.program.facts(file);
            let bindings = self.program.bindings(file, def.scope, name);
            if let Some(BindingKind::Def(last)) = bindings.last().map(|b| facts.bindings[b.index()].kind.clone()) {
                let last = self.program.global_def(file, last);
                let ClassMember::Property { def, .. } = self.method_member(class, file, bindings, last) else {
                    return None;
                };
                let is_annotated = self.program.function(def).is_some_and(|f| f.returns.is_some());
                return if is_annotated { Some((class, self.return_type(def))) } else { None };
            }
            let all: SmallVec<[BindingId; 8]> = self
                .program
                .bindings(file, def.scope, name)
                .iter()
                .copied()
                .chain(self.program.attribute_assigns(class, name))
                .collect();
            let is_declared = all
                .iter()
                .any(|b| matches!(facts.bindings[b.index()].kind, BindingKind::Assign { annotation: Some(_), .. }));
            if is_declared {
                let ty = self.declared_type(file, &all);
                return (!ty.is_unknown()).then_some((class, ty));
            }
        }
        None
    }

    fn method_member(
        &mut self,
        class: ClassId,
        file: FileIndex,
        bindings: &[BindingId],
        last: GlobalDef,
    ) -> ClassMember {
        let facts = self.program.facts(file);
        // A property may have a getter, a setter and a deleter. Its type is the type of the getter.
        for &binding in bindings {
            let BindingKind::Def(def) = facts.bindings[binding.index()].kind else { continue };
            let def = self.program.global_def(file, def);
            if self.program.is_property(def) {
                return ClassMember::Property { owner: class, def };
            }
        }
        ClassMember::Function { owner: class, def: last }
    }
}
