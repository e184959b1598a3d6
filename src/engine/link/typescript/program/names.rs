//! The names of definitions.

use compact_str::CompactString;

use super::{FileIndex, GlobalDef, ProgramFacts};
use apidisc_facts::syntax::typescript::facts::{Decl, Def, DefBody, DefId, NameId, VariableId};

impl ProgramFacts<'_> {
    /// The namespace that declares a variable; `None` for a variable that is none of a namespace.
    pub(in crate::typescript) fn namespace_of_variable(
        &self,
        file: FileIndex,
        variable: VariableId,
    ) -> Option<GlobalDef> {
        let facts = self.facts(file);
        let name = facts.variables[variable.index()].name;
        let declares = |scope| {
            let symbol = facts.symbol_in(scope, name);
            symbol.is_some_and(|symbol| facts.symbol(symbol).decls.contains(&Decl::Variable(variable)))
        };
        if declares(facts.file_scope()) {
            return None;
        }
        let is_holder = |def: &Def| matches!(def.body, DefBody::Namespace) && declares(def.scope);
        let at = facts.definitions.iter().position(is_holder)?;
        Some(self.global_def(file, DefId::new(at)))
    }

    /// Gives an anonymous function the name of the constant that holds it.
    pub(in crate::typescript) fn name_wrapped(&mut self, function: GlobalDef, name: NameId) {
        self.names_of_wrapped.insert(function, name);
    }

    /// The name that a definition has of its own, or of the constant to which a wrapper returns it.
    pub(in crate::typescript) fn name_of(&self, def: GlobalDef) -> Option<NameId> {
        self.def(def).name.or_else(|| self.names_of_wrapped.get(&def).copied())
    }

    /// The name of a definition; empty if it is anonymous.
    pub(in crate::typescript) fn name_text(&self, def: GlobalDef) -> CompactString {
        let facts = self.facts(self.file_of(def));
        self.name_of(def).map_or_else(CompactString::default, |name| CompactString::new(facts.name(name)))
    }

    /// The dotted name of a definition in its file: the names of the enclosing definitions, outermost first, and its
    /// own. `declare module "lib"` has the name `lib`. Names that are not identifiers are left out.
    pub(in crate::typescript) fn dotted_name(&self, def: GlobalDef) -> CompactString {
        let mut parts: Vec<&str> = Vec::new();
        let mut at = Some(def);
        while let Some(here) = at {
            let facts = self.facts(self.file_of(here));
            let local = self.local_def(here);
            let module = || facts.ambient_modules.iter().find(|module| module.namespace == local);
            // What a function declares that a wrapper returns belongs to the definition around it: the function has its
            // name only from the constant.
            let name = if here == def { self.name_of(here) } else { self.def(here).name };
            match name.or_else(|| module().map(|module| module.name)) {
                Some(name) if is_identifier(facts.name(name)) => parts.push(facts.name(name)),
                None if facts.global_augmentations.contains(&local) => parts.push("global"),
                _ => {}
            }
            at = self.outer(here);
        }
        parts.reverse();
        CompactString::from(parts.join("."))
    }
}

/// Whether the text is an identifier, with or without a leading `#`.
pub(in crate::typescript) fn is_identifier(text: &str) -> bool {
    let mut chars = text.chars();
    let first = chars.next();
    first.is_some_and(|c| c == '#' || c == '$' || c == '_' || c.is_alphabetic())
        && chars.all(|c| c == '$' || c == '_' || c.is_alphanumeric())
}
