//! The members that public classes and interfaces inherit from bases that are not public, and the members of instances
//! of classes that are not public, if a public constant holds the instance: `export const log = new Logger()`.
//!
//! A user of the API finds such a member only on the public class, so it is a definition of its own there: with the
//! name, the parent and the usage that it has in the public class, and the signature and the place of its declaration
//! in the base.
//!
//! # Attribution
//! A call resolves to the declaration, whose usage counts every call. Besides, a call counts for at most one inherited
//! member, so that sums over public classes count each call once:
//!
//! 1. Of the classes that precede the declaring base in the method resolution order of the receiver, the call counts
//!    for the first public one that inherits the declared member. If none of the public ones does, because one
//!    overrides the member, the call counts for the declaration alone.
//! 2. If none of these classes is public, the receiver may be an instance of any subclass of its static class. The call
//!    counts for the subclass on which most other calls are made; ties are broken by name.
//!
//! A constant with an instance of a class is treated as a subclass of that class, whose only instance it is: a call
//! counts for it by the first rule, if it names the constant.

use std::{cmp::Reverse, ops::Range, sync::Arc};

use arcstr::ArcStr;
use compact_str::CompactString;
use rustc_hash::{FxHashMap, FxHashSet};
use thin_vec::ThinVec;

use super::{Definition, Index, names::is_public_identifier};
use apidisc_base::{
    diagnostic::{Diagnostic, Problem},
    language::{Language, QualifiedName},
    sort::SharedSort as _,
};
use apidisc_facts::program::{CallSite, DefinitionId, DefinitionKind, ReadSite, Signature};

/// The greatest number of inherited members of all classes together, as a multiple of the number of definitions.
/// Further ones are left out: chains of classes would otherwise take memory that grows with the square of their length.
pub(super) const MAX_PER_DEFINITION: usize = 2;
/// The greatest number of classes that are considered for a call whose receiver may be an instance of several.
const MAX_ASSUMED: usize = 64;

/// The inherited members of an index. Their ids follow those of [`Index::definitions`].
#[derive(Clone, Debug, Default)]
pub struct InheritedMembers {
    /// Grouped by class, in the order of the classes.
    definitions: Vec<Definition>,
    /// The declaration of each inherited member.
    declarations: Vec<DefinitionId>,
    /// The positions of the inherited members of each class.
    of_class: FxHashMap<DefinitionId, Range<u32>>,
    /// The inherited members of each declaration, in descending order of the uses on their classes; ties by name.
    of_declaration: FxHashMap<DefinitionId, Vec<DefinitionId>>,
    /// The inherited member of each class and declaration.
    by_class: FxHashMap<(DefinitionId, DefinitionId), DefinitionId>,
}

/// The inherited member that a call counts for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Attribution {
    /// The inherited member of the receiver's class, or of the nearest base of that class that has the member.
    Receiver(DefinitionId),
    /// The receiver may be an instance of several classes. Of the inherited members of these classes, this member has
    /// the most uses.
    Assumed(DefinitionId),
    /// No inherited member.
    None,
}

impl Attribution {
    fn member(self) -> Option<DefinitionId> {
        match self {
            Self::Receiver(id) | Self::Assumed(id) => Some(id),
            Self::None => None,
        }
    }
}

impl InheritedMembers {
    /// The inherited member at a position.
    pub(super) fn definition(&self, position: usize) -> &Definition {
        &self.definitions[position]
    }

    pub(super) fn definitions_mut(&mut self) -> &mut [Definition] {
        &mut self.definitions
    }

    /// The number of inherited members.
    pub fn len(&self) -> usize {
        self.definitions.len()
    }

    /// The declaration of the inherited member at a position.
    pub(super) fn declaration(&self, position: usize) -> DefinitionId {
        self.declarations[position]
    }
}

impl Index {
    /// The members that a class inherits from bases that are not public. Each is a definition
    /// whose parent is the class, with the signature and the place of its declaration.
    pub fn inherited_members(&self, class: DefinitionId) -> impl Iterator<Item = DefinitionId> + use<> {
        let range = self.inherited.of_class.get(&class).cloned().unwrap_or_default();
        let first = self.definitions.len();
        range.map(move |position| DefinitionId::new(first + position as usize))
    }

    /// The members of a definition that other code finds on it: its own, and the inherited ones.
    pub fn members_of(&self, id: DefinitionId) -> impl Iterator<Item = DefinitionId> {
        self.definition(id).members.iter().copied().chain(self.inherited_members(id))
    }

    /// The public members that a class or interface inherits from public bases, nearest base first. Members that a
    /// nearer base or the class itself overrides are left out.
    pub fn members_of_public_bases(&self, class: DefinitionId) -> Vec<DefinitionId> {
        let mut seen: FxHashSet<(&ArcStr, bool)> = FxHashSet::default();
        let mut found = Vec::new();
        for base in [class].into_iter().chain(bases_of(self, class)) {
            let is_public_base = base != class && shows_members(self.definition(base));
            for id in self.members_of(base) {
                let member = self.definition(id);
                if seen.insert(member_key(member)) && is_public_base && member.is_public && is_inheritable(member) {
                    found.push(id);
                }
            }
        }
        found
    }

    /// The definition in the sources: for an inherited member its declaration, else the definition itself.
    pub fn declaration(&self, id: DefinitionId) -> DefinitionId {
        match id.index().checked_sub(self.definitions.len()) {
            Some(position) => self.inherited.declaration(position),
            None => id,
        }
    }

    /// The inherited member through which users of the API reach a declaration: of several, the one with the most uses.
    /// `None` if no public class inherits the declaration from a base that is not public.
    pub fn inherited_as(&self, declaration: DefinitionId) -> Option<DefinitionId> {
        self.inherited.of_declaration.get(&declaration)?.first().copied()
    }

    /// All definitions, and after them all inherited members.
    pub fn every_definition(&self) -> impl Iterator<Item = (DefinitionId, &Definition)> {
        self.definitions_with_ids().chain(self.inherited_with_ids())
    }

    /// All inherited members with their ids.
    pub fn inherited_with_ids(&self) -> impl Iterator<Item = (DefinitionId, &Definition)> {
        let ids = (self.definitions.len()..).map(DefinitionId::new);
        ids.zip(&self.inherited.definitions)
    }

    /// The inherited member that a resolved call counts for, besides the declaration that it resolves to.
    pub fn inherited_callee(&self, call: &CallSite) -> Option<DefinitionId> {
        self.attribution(call.resolution.definition()?, call.receiver).member()
    }

    /// The constant through which a resolved call calls a definition, and for which the call counts besides: `Row` in
    /// `Row()` after `const Row = memo(Inner)`.
    pub fn called_constant(&self, call: &CallSite) -> Option<DefinitionId> {
        let receiver = call.receiver.filter(|_| call.resolution.definition().is_some())?;
        let definition = self.definition(receiver);
        (definition.kind == DefinitionKind::Function && definition.modifiers.is_constant).then_some(receiver)
    }

    /// The constant or field by which a call reaches what it calls: the called one, whatever function it holds, or the
    /// instance on which a method is called, such as `log` of `log.info(…)`.
    pub fn reached_through(&self, call: &CallSite) -> Option<DefinitionId> {
        let is_installed = |id: DefinitionId| self.module_of_file(self.definition(id).place.file).is_some();
        let is_held = |id: &DefinitionId| {
            let definition = self.definition(*id);
            // A constant may be called by a signature that a package declares.
            definition.modifiers.is_constant && !is_installed(*id) || definition.signature_of.is_some_and(is_installed)
        };
        let is_constant = |id: &DefinitionId| {
            let definition = self.definition(*id);
            definition.kind == DefinitionKind::Constant || definition.modifiers.is_constant
        };
        let called = self.calls.candidates(call).first().copied().filter(is_held);
        called.or(call.through).or(call.receiver.filter(is_constant))
    }

    /// The definitions that a call counts for: the one that it resolves to, the inherited member, and the constant
    /// through which it is called.
    pub fn counted_for(&self, call: &CallSite) -> impl Iterator<Item = DefinitionId> {
        let resolved = call.resolution.definition();
        [resolved, self.inherited_callee(call), self.called_constant(call)].into_iter().flatten()
    }

    /// The inherited member that a read counts for, besides the declaration that it resolves to.
    pub fn inherited_attribute(&self, read: &ReadSite) -> Option<DefinitionId> {
        self.attribution(read.attribute, read.receiver).member()
    }

    fn attribution(&self, id: DefinitionId, receiver: Option<DefinitionId>) -> Attribution {
        let Some(members) = self.inherited.of_declaration.get(&id) else { return Attribution::None };
        let Some(base) = self.definition(id).parent else { return Attribution::None };
        let receiver = receiver.unwrap_or(base);
        let mut has_public_class = false;
        let order = [receiver].into_iter().chain(self.definition(receiver).ancestors.iter().copied());
        for class in order.take_while(|&class| class != base) {
            if let Some(&member) = self.inherited.by_class.get(&(class, id)) {
                return Attribution::Receiver(member);
            }
            has_public_class |= self.definition(class).is_public;
        }
        if has_public_class {
            return Attribution::None;
        }
        let is_meant = |member: &&DefinitionId| {
            let class = self.definition(**member).parent.map(|class| self.definition(class));
            class.is_some_and(|class| class.kind != DefinitionKind::Constant && class.ancestors.contains(&receiver))
        };
        members
            .iter()
            .take(MAX_ASSUMED)
            .find(is_meant)
            .map_or(Attribution::None, |&member| Attribution::Assumed(member))
    }

    /// Sets the typical call of a definition or of an inherited member.
    pub(crate) fn set_typical_call(&mut self, id: DefinitionId, call: ArcStr) {
        let first = self.definitions.len();
        let definition = match self.definitions.get_mut(id.index()) {
            Some(definition) => definition,
            None => &mut self.inherited.definitions_mut()[id.index() - first],
        };
        definition.typical_call = Some(call);
    }

    /// Sets the signatures of a definition and of the inherited members that it declares.
    pub(crate) fn set_signatures(
        &mut self,
        id: DefinitionId,
        signature: &Arc<Signature>,
        overloads: &ThinVec<Signature>,
    ) {
        let first = self.definitions.len();
        let inherited = self.inherited.of_declaration.get(&id).cloned().unwrap_or_default();
        for id in [id].into_iter().chain(inherited) {
            let definition = match self.definitions.get_mut(id.index()) {
                Some(definition) => definition,
                None => &mut self.inherited.definitions_mut()[id.index() - first],
            };
            definition.signature = Some(Arc::clone(signature));
            definition.overloads.clone_from(overloads);
        }
    }

    /// Adds inherited members, each with the class that inherits it and its declaration. Members of one class must be
    /// adjacent.
    pub(crate) fn add_inherited(&mut self, members: Vec<(DefinitionId, DefinitionId, Definition)>) {
        for (class, declaration, definition) in members {
            let position = self.inherited.len() as u32;
            let id = DefinitionId::new(self.definitions.len() + self.inherited.len());
            self.inherited.of_class.entry(class).or_insert(position..position).end = position + 1;
            self.inherited.of_declaration.entry(declaration).or_default().push(id);
            self.inherited.by_class.insert((class, declaration), id);
            self.inherited.declarations.push(declaration);
            self.inherited.definitions.push(definition);
        }
    }
}

/// Finds the inherited members of all public classes and interfaces, and sorts those of each declaration by their uses.
/// The argument `is_public_member` holds, for each definition, whether linking found it to be a public member; if it is
/// `None`, the name decides.
pub(crate) fn add_inherited_members(index: &mut Index, is_public_member: &[Option<bool>]) {
    let most = MAX_PER_DEFINITION * index.definitions.len();
    let mut members = Vec::new();
    let mut crowded = None;
    for (class, definition) in index.definitions_with_ids() {
        if definition.ancestors.is_empty() || !definition.is_public {
            continue;
        }
        for declaration in inherited_by(index, class, is_public_member) {
            members.push((class, declaration, inherited_member(definition, class, index.definition(declaration))));
        }
        if members.len() > most {
            let file = definition.place.file;
            crowded = index.files.get(file.index()).map(|file| too_many(&file.path));
            members.truncate(most);
            break;
        }
    }
    index.diagnostics.extend(crowded);
    index.diagnostics.sort();
    index.diagnostics.dedup();
    index.add_inherited(members);
    sort_by_uses(index);
}

/// The declarations of the members that a class inherits from bases that are not public, in method resolution order.
/// Members that a public base inherits are left out: the base shows them.
fn inherited_by(index: &Index, class: DefinitionId, is_public_member: &[Option<bool>]) -> Vec<DefinitionId> {
    let definition = index.definition(class);
    let mut found = Vec::new();
    let mut shown_on_bases: FxHashSet<DefinitionId> = FxHashSet::default();
    for base in bases_of(index, class) {
        // The ancestors of an ancestor are in the set already, since lists of ancestors are complete.
        if shows_members(index.definition(base)) && !shown_on_bases.contains(&base) {
            shown_on_bases.extend(&index.definition(base).ancestors);
        }
    }
    let is_shown = |base: DefinitionId| shows_members(index.definition(base)) || shown_on_bases.contains(&base);
    if !can_inherit(definition) || bases_of(index, class).all(is_shown) {
        return found;
    }
    let is_instance = definition.kind == DefinitionKind::Constant;
    let mut seen: FxHashSet<(&ArcStr, bool)> = FxHashSet::default();
    for base in [class].into_iter().chain(bases_of(index, class)) {
        let declaring = index.definition(base);
        let is_shown = is_shown(base);
        for &id in &declaring.members {
            let member = index.definition(id);
            let is_new = seen.insert(member_key(member));
            let is_public = is_public_member[id.index()].unwrap_or_else(|| is_public_identifier(&member.name));
            // An instance has no static members.
            let is_of_class = is_instance && member_key(member).1;
            if is_new && is_public && !is_shown && !is_of_class && is_inheritable(member) {
                found.push(id);
            }
        }
    }
    found
}

/// The classes or interfaces whose members a definition inherits, in method resolution order.
fn bases_of(index: &Index, id: DefinitionId) -> impl Iterator<Item = DefinitionId> {
    let definition = index.definition(id);
    // A class does not inherit from an interface that it implements.
    let is_base = |id: &DefinitionId| {
        definition.kind != DefinitionKind::Class || index.definition(*id).kind == DefinitionKind::Class
    };
    definition.ancestors.iter().copied().filter(is_base)
}

/// The key of a member within its class: its name, and whether it is static. In TypeScript a static member and a member
/// of instances may have the same name.
fn member_key(member: &Definition) -> (&ArcStr, bool) {
    let is_static = member.modifiers.is_static || member.kind == DefinitionKind::StaticMethod;
    (&member.name, is_static && member.language == Language::TypeScript)
}

/// True for a public base that a derived type names in its `extends` clause. In a stub, the `extends` clause of an
/// interface names no type aliases, so the interface itself shows the members of the aliases that it extends.
fn shows_members(base: &Definition) -> bool {
    base.is_public && base.kind != DefinitionKind::TypeAlias
}

fn can_inherit(definition: &Definition) -> bool {
    matches!(definition.kind, DefinitionKind::Class | DefinitionKind::Interface | DefinitionKind::Constant)
}

/// True for a member that a stub can write in the body of a class that inherits it: any member but constructors and
/// nested classes.
fn is_inheritable(member: &Definition) -> bool {
    use DefinitionKind::{Attribute, ClassMethod, Method, Property, StaticMethod};
    matches!(member.kind, Attribute | ClassMethod | Method | Property | StaticMethod) && !member.is_constructor()
}

/// The member that a class inherits from a declaration; `id` is the id of the class. The member has the usage of the
/// declaration until its own uses are counted.
pub(super) fn inherited_member(class: &Definition, id: DefinitionId, declaration: &Definition) -> Definition {
    let below = |class_name: &str| QualifiedName::join(class_name, &declaration.name, class.language);
    let fqn = ArcStr::from(below(&class.fqn).as_str());
    let has_alias = class.alias != class.fqn;
    Definition {
        alias: if has_alias { ArcStr::from(below(&class.alias).as_str()) } else { fqn.clone() },
        fqn,
        aliases: ThinVec::new(),
        module: class.module,
        parent: Some(id),
        members: ThinVec::new(),
        is_public: true,
        ..declaration.clone()
    }
}

/// The diagnostic for the first file with a class whose inherited members are not all in the index.
fn too_many(path: &CompactString) -> Diagnostic {
    let message = "classes inherit too many members from bases that are not public; the members of this file's classes \
                   and of later ones are not listed in full";
    Diagnostic { path: path.clone(), problem: Problem::TooComplex, message: message.to_owned() }
}

/// Sorts the inherited members of each declaration by the number of uses whose receiver is an instance of their class,
/// most used first; ties by name.
fn sort_by_uses(index: &mut Index) {
    if index.inherited.len() == 0 {
        return;
    }
    let mut uses = vec![0u32; index.inherited.len()];
    let sites = index.calls.iter().filter_map(|call| Some((call.resolution.definition()?, call.receiver)));
    let sites = sites.chain(index.reads.iter().map(|read| (read.attribute, read.receiver)));
    for (declaration, receiver) in sites {
        if let Attribution::Receiver(id) = index.attribution(declaration, receiver) {
            uses[id.index() - index.definitions.len()] += 1;
        }
    }
    let first = index.definitions.len();
    let InheritedMembers { definitions, of_declaration, .. } = &mut *index.inherited;
    for members in of_declaration.values_mut() {
        let position = |id: &DefinitionId| id.index() - first;
        members.shared_sort_by_key(|id| (Reverse(uses[position(id)]), definitions[position(id)].alias.clone()));
    }
}

apidisc_base::packed::packed_structs! {
    InheritedMembers { definitions, declarations, of_class, of_declaration, by_class }
}
