//! Whether a version of an npm package has the names that a program writes, and the members of its types.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::{
    declarations::{Declarations, File},
    presence::Presence,
    types::Types,
    version::Version,
};
use apidisc_facts::{
    program::DefinitionId,
    source::NODE_MODULES,
    syntax::typescript::facts::{Decl, DefBody, SymbolId},
};
use apidisc_indexing::indexer::ExportState;

/// The names of npm packages in one version.
pub(crate) struct NpmNames<'v> {
    version: &'v Version<'v>,
    /// The texts of the declarations.
    pub(crate) declarations: Declarations<'v>,
    /// The definitions of npm packages by path, line and name; of those on one line with one name the outermost.
    by_line: FxHashMap<(&'v str, u32, &'v str), DefinitionId>,
}

impl<'v> NpmNames<'v> {
    pub(crate) fn new(version: &'v Version<'v>) -> Self {
        let mut by_line = FxHashMap::default();
        for (id, definition) in version.index.every_definition() {
            let path = version.index.file(definition.place.file).path.as_str();
            if path.starts_with(NODE_MODULES) {
                by_line.entry((path, definition.place.line, definition.name.as_str())).or_insert(id);
            }
        }
        Self { version, declarations: Declarations::new(version), by_line }
    }

    /// Whether a package has a name that the program writes; `None` if that is not known, and for other names.
    pub(crate) fn export(&self, name: &str) -> Option<Presence> {
        let begin = name.find('#')? + 1;
        let states = &self.version.libraries.node.names;
        match states.get(name) {
            Some(ExportState::Declared(path, line)) => {
                let declared = self.declared(path, *line, last_of(&name[begin..]));
                let declared = declared.map(|id| self.version.index.definition(id));
                let message = declared.and_then(|declared| declared.deprecation());
                Some(message.map_or(Presence::Present, |message| Presence::Deprecated(message.to_owned())))
            }
            Some(ExportState::Bound) => Some(Presence::Present),
            Some(ExportState::Unbound) => Some(Presence::Absent),
            // A name is gone if the module or namespace that contains it is gone.
            None => {
                let dots = name[begin..].match_indices('.').map(|(at, _)| begin + at);
                let is_gone = |end: usize| states.get(&name[..end]) == Some(&ExportState::Unbound);
                let is_gone = std::iter::once(begin).chain(dots).any(is_gone);
                if is_gone { Some(Presence::Absent) } else { self.contained(name) }
            }
        }
    }

    /// The definition on a line of a file that is exported under a name, which may differ from its own.
    fn declared(&self, path: &str, line: u32, name: &str) -> Option<DefinitionId> {
        if name.is_empty() {
            return None;
        }
        let known = |name: &str| self.by_line.get(&(path, line, name)).copied();
        known(name).or_else(|| {
            let (file, symbol) = self.declarations.symbol_at(path, line, name)?;
            known(file.facts.name(file.facts.symbol(symbol).name))
        })
    }

    /// Whether the constant or class that holds the last part of a name has that part.
    fn contained(&self, name: &str) -> Option<Presence> {
        let begin = name.find('#')? + 1;
        let (_, last) = name[begin..].rsplit_once('.')?;
        let holder = &name[..name.len() - last.len() - 1];
        let state = self.version.libraries.node.names.get(holder)?;
        let ExportState::Declared(path, line) = state else { return None };
        let (file, symbol) = self.declarations.symbol_at(path, *line, last_of(&holder[begin..]))?;
        let is_value = file.facts.symbol(symbol).decls.iter().all(|decl| match decl {
            Decl::Def(def) => matches!(file.facts.def(*def).body, DefBody::Class(_)),
            Decl::Variable(_) => true,
            _ => false,
        });
        is_value.then(|| self.typed_member(&file, symbol, last))
    }

    /// Whether a class or type of the index has a member.
    pub(crate) fn member(&self, class: DefinitionId, name: &str) -> Presence {
        let index = self.version.index;
        let definition = index.definition(class);
        let path = &index.file(definition.place.file).path;
        let found = self.declarations.symbol_at(path, definition.place.line, &definition.name);
        found.map_or(Presence::Unknown, |(file, symbol)| self.typed_member(&file, symbol, name))
    }

    /// Whether the values that a symbol stands for have a member.
    fn typed_member(&self, file: &Rc<File>, symbol: SymbolId, name: &str) -> Presence {
        let properties = Types::new(&self.declarations, &file.path).properties_of(file, symbol);
        match properties.names.get(name) {
            Some(property) => property.deprecation.clone().map_or(Presence::Present, Presence::Deprecated),
            None if properties.is_open || properties.names.is_empty() => Presence::Unknown,
            None => Presence::Absent,
        }
    }
}

/// The last of names with dots between them.
fn last_of(names: &str) -> &str {
    names.rsplit('.').next().unwrap_or(names)
}
