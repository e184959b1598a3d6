//! The visibility of definitions: exported definitions and their public members are public, and so are the protected
//! members that subclasses use.

use rustc_hash::FxHashSet;

use crate::linked::{DefinitionRow, LinkedDefinition, LinkedFile};
use crate::typescript::{
    program::{GlobalDef, ProgramFacts},
    rows::{DeclaredRows, DefinitionRows, RowDeclaration},
};
use apidisc_facts::{
    program::DefinitionKind,
    syntax::typescript::facts::{Access, DefBody},
};

/// Reads the visibility of definitions from the facts of a program.
pub(in crate::typescript) struct Visibility<'p, 'f> {
    pub(in crate::typescript) program: &'p ProgramFacts<'f>,
    pub(in crate::typescript) rows: &'p DefinitionRows,
    /// The rows that files export.
    pub(in crate::typescript) exported: &'p FxHashSet<u32>,
    pub(in crate::typescript) declared: &'p DeclaredRows,
    /// The protected members that belong to the API of subclasses; see [`members_for_subclasses`].
    pub(in crate::typescript) for_subclasses: &'p FxHashSet<DefinitionRow>,
}

/// The protected members that are a part of what the author of a subclass uses: the abstract ones, which a subclass has
/// to declare, and those that a class uses which does not declare them.
pub(in crate::typescript) fn members_for_subclasses(
    definitions: &[LinkedDefinition],
    files: &[LinkedFile],
) -> FxHashSet<DefinitionRow> {
    let is_protected = |row: DefinitionRow| definitions[row.index()].modifiers.is_protected;
    let class_around = |row: DefinitionRow| {
        let around = std::iter::successors(Some(row), |row| definitions[row.index()].parent);
        around.take(MAX_PARENTS).find(|row| definitions[row.index()].kind == DefinitionKind::Class)
    };
    let is_of_subclass = |user: Option<DefinitionRow>, member: DefinitionRow| {
        user.and_then(class_around).is_some_and(|class| definitions[member.index()].parent != Some(class))
    };
    let mut members: FxHashSet<DefinitionRow> = (0..definitions.len()).map(DefinitionRow::new).collect();
    members.retain(|&row| is_protected(row) && definitions[row.index()].modifiers.is_abstract);
    for file in files {
        let called = file.calls.iter().filter_map(|call| Some((call.caller, *call.candidates.first()?)));
        let read = file.reads.iter().map(|read| (read.reader, read.attribute));
        let used = called.chain(read).filter(|&(user, member)| is_protected(member) && is_of_subclass(user, member));
        members.extend(used.map(|(_, member)| member));
    }
    members
}

/// The greatest number of definitions around a definition that are visited.
const MAX_PARENTS: usize = 64;

impl Visibility<'_, '_> {
    /// Marks every definition as public or not: a definition that a file exports is public, and so are its public
    /// members.
    pub(in crate::typescript) fn mark_public(&self, definitions: &mut [LinkedDefinition]) {
        for (at, definition) in definitions.iter_mut().enumerate() {
            let (file, _, declaration) = self.rows.all[at];
            let is_top_level = definition.parent.is_none();
            let facts = self.program.facts(file);
            let is_public = match declaration {
                RowDeclaration::Def(def) if is_top_level => {
                    self.exported.contains(&(at as u32))
                        || self.is_in_exported_namespace(def)
                        || (!facts.is_module && facts.is_declaration && self.program.outer(def).is_none())
                }
                RowDeclaration::Variable(file, variable) => {
                    let is_exported = match self.program.namespace_of_variable(file, variable) {
                        // A namespace of a declaration file offers all that it declares.
                        Some(namespace) => {
                            let row = self.rows.of_def.get(&namespace).map(|row| row.index() as u32);
                            facts.is_declaration && row.is_some_and(|row| self.exported.contains(&row))
                        }
                        None => self.program.is_exported(file, variable),
                    };
                    is_exported && !self.declared.is_declared(DefinitionRow::new(at))
                }
                RowDeclaration::Def(def) => {
                    let outer = self.program.outer(def);
                    let member = self.program.member_holding(def);
                    let access = member.map_or(Access::Public, |m| m.access);
                    let is_member = outer.is_some_and(|outer| self.program.is_class(outer)) && member.is_some();
                    match outer.map(|outer| &self.program.def(outer).body) {
                        None => false,
                        // Declarations inside a function are local to it, unless they are members of a class that is
                        // written as a function.
                        Some(DefBody::Function(_)) if !is_member => false,
                        Some(DefBody::Namespace) => self.is_exported_in_namespace(def),
                        _ => self.is_offered(access, at) && !self.program.name_text(def).starts_with('#'),
                    }
                }
                RowDeclaration::Member(holder, position) => {
                    let member = &self.program.members(holder)[position as usize];
                    self.is_offered(member.access, at) && !definition.name.starts_with('#')
                }
                RowDeclaration::EnumMember(..) => true,
            };
            definition.is_public = Some(is_public);
            definition.is_public_member = Some(is_public);
        }
        // A member is public only if every definition around it is. The row of a parent may come after the rows of its
        // members, so the whole chain of parents is visited for each row.
        for at in 0..definitions.len() {
            let mut parent = definitions[at].parent;
            for _ in 0..MAX_PARENTS {
                let Some(row) = parent else { break };
                if definitions[row.index()].is_public != Some(true) {
                    definitions[at].is_public = Some(false);
                    break;
                }
                parent = definitions[row.index()].parent;
            }
        }
    }

    /// True for a member with this access, at a row, that users or authors of subclasses reach.
    fn is_offered(&self, access: Access, row: usize) -> bool {
        match access {
            Access::Public => true,
            Access::Protected => self.for_subclasses.contains(&DefinitionRow::new(row)),
            Access::Private => false,
        }
    }

    /// True for an export of a namespace that merges with an exported definition.
    fn is_in_exported_namespace(&self, def: GlobalDef) -> bool {
        let outer = self.program.outer(def).filter(|_| self.is_exported_in_namespace(def));
        let row = outer.and_then(|outer| self.rows.of_def.get(&outer));
        row.is_some_and(|row| self.exported.contains(&(row.index() as u32)))
    }

    fn is_exported_in_namespace(&self, def: GlobalDef) -> bool {
        let file = self.program.file_of(def);
        let facts = self.program.facts(file);
        let Some(outer) = self.program.def(def).outer else { return false };
        let Some(name) = self.program.def(def).name else { return false };
        let symbol = facts.symbol_in(facts.def(outer).scope, name);
        symbol.is_none_or(|symbol| facts.symbol(symbol).is_exported || self.program.def(def).is_ambient)
    }
}
