//! Fully qualified names (FQNs) of definitions, and their aliases.

use compact_str::{CompactString, format_compact};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    infer::Linker,
    name_interner::InternedName,
    program::{FileIndex, GlobalDef, GlobalSymbol},
    resolved_names::ResolvedName,
    stars::MAX_STARS,
};
use crate::limits::LinkLimit;
use apidisc_facts::syntax::typescript::facts::{DefBody, ExportKind, Expr, FunctionKind};

/// The greatest number of files through which `module.exports = require("./other")` is followed.
const MAX_ASSIGNED: u32 = 8;

/// The exports of a file: names with their resolutions, sorted by name.
pub(super) type FileExports = Vec<(InternedName, ResolvedName)>;

/// The key under which [`super::rows::DefinitionRows`] finds a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum DefinitionKey {
    /// All declarations of a symbol.
    Symbol(GlobalSymbol),
    /// A definition that no scope declares, such as a method or an arrow function.
    Def(GlobalDef),
}

impl Linker<'_> {
    /// The dotted name of a definition in its file: the names of the enclosing definitions, outermost first, and its
    /// own. `declare module "lib"` has the name `lib`. Names that are not identifiers are left out.
    pub(super) fn dotted_name(&self, def: GlobalDef) -> CompactString {
        let mut parts: Vec<&str> = Vec::new();
        let mut at = Some(def);
        while let Some(here) = at {
            let row = self.program.def(here);
            let facts = self.program.facts(self.program.file_of(here));
            let local = self.program.local_def(here);
            let module = || facts.ambient_modules.iter().find(|module| module.namespace == local);
            match row.name.or_else(|| module().map(|module| module.name)) {
                Some(name) if is_identifier(facts.name(name)) => parts.push(facts.name(name)),
                None if facts.global_augmentations.contains(&local) => parts.push("global"),
                _ => {}
            }
            at = self.program.outer(here);
        }
        parts.reverse();
        CompactString::from(parts.join("."))
    }

    /// All exports of a file, with re-exports followed, sorted by name. A chain of `export *` is followed to a length
    /// of [`MAX_STARS`].
    pub(super) fn file_exports(&mut self, file: FileIndex) -> FileExports {
        let mut names = FxHashSet::default();
        self.collect_own_export_names(file, &mut names);
        let mut assigned = self.file_of_exports(file);
        for _ in 0..MAX_ASSIGNED {
            let Some(other) = assigned else { break };
            self.collect_own_export_names(other, &mut names);
            assigned = self.file_of_exports(other);
        }
        let is_barrel = !self.stars.targets(file).is_empty();
        let reach = if is_barrel { self.stars.reach(&self.program, file) } else { 1 };
        let mut seen = FxHashSet::from_iter([file]);
        let mut level = vec![file];
        let mut below = FxHashSet::default();
        for _ in 0..MAX_STARS {
            if seen.len() == reach {
                break;
            }
            let mut next = Vec::new();
            for file in level {
                if seen.len() == reach {
                    break;
                }
                next.extend(self.stars.targets(file).iter().copied().filter(|target| seen.insert(*target)));
            }
            for file in &next {
                self.collect_own_export_names(*file, &mut below);
            }
            level = next;
        }
        if is_barrel && (seen.len() < reach || self.stars.is_cut(&self.program, file)) {
            self.limits.note(file.index(), LinkLimit::Stars(MAX_STARS), 0);
        }
        below.remove(&self.well_known.default);
        names.extend(below);
        let mut names: Vec<InternedName> = names.into_iter().collect();
        names.sort_unstable_by(|a, b| self.program.names.text(*a).cmp(self.program.names.text(*b)));
        names.into_iter().filter_map(|name| Some((name, self.resolve_export(file, name)?))).collect()
    }

    /// Adds the names that a file exports to `names`, without those of `export *`.
    fn collect_own_export_names(&self, file: FileIndex, names: &mut FxHashSet<InternedName>) {
        for export in &self.program.facts(file).exports {
            match export.kind {
                ExportKind::Star(_) => {}
                ExportKind::Assign(value) => {
                    let facts = self.program.facts(file);
                    match facts.expr(value) {
                        // `module.exports = { … }`: the properties are exports.
                        Expr::Object(def) => {
                            let members = facts.def(def).members().iter();
                            names.extend(members.filter_map(|m| m.name).map(|n| self.program.name(file, n)));
                        }
                        // `export = name`: the exports of a namespace of this name are exports.
                        Expr::Name { symbol: Some(symbol), .. } => {
                            let symbol = self.program.global_symbol(file, symbol);
                            names.extend(self.program.namespace_exports(symbol));
                        }
                        _ => {}
                    }
                    names.insert(self.well_known.default);
                }
                _ => {
                    let name = self.program.name(file, export.name);
                    if name != self.well_known.empty {
                        names.insert(name);
                    }
                }
            }
        }
    }

    /// The key of the definition that a name resolves to; `None` for modules and for values that are not definitions.
    pub(super) fn key_of_name(&mut self, resolved: ResolvedName) -> Option<DefinitionKey> {
        match resolved {
            ResolvedName::Symbol(symbol) => Some(DefinitionKey::Symbol(symbol)),
            ResolvedName::Expression(file, value) => match self.program.facts(file).expr(value) {
                Expr::Function(def) | Expr::Class(def) | Expr::Object(def) => {
                    Some(DefinitionKey::Def(self.program.global_def(file, def)))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The aliases of definitions, by row. An alias comes from a barrel file that re-exports the definition, or from a
    /// package whose entry point exports it.
    pub(super) fn aliases(
        &mut self,
        exports: &[FileExports],
        modules: &[CompactString],
        rows: &FxHashMap<DefinitionKey, u32>,
        fqns: &[CompactString],
        entries: &[(CompactString, usize)],
    ) -> FxHashMap<u32, Vec<CompactString>> {
        let mut aliases: FxHashMap<u32, Vec<CompactString>> = FxHashMap::default();
        let packages = entries.iter().map(|(name, file)| (name, *file));
        let modules_with_files: Vec<(&CompactString, usize)> =
            modules.iter().enumerate().map(|(file, module)| (module, file)).chain(packages).collect();
        for (module, file) in modules_with_files {
            let Some(exports) = exports.get(file) else { continue };
            for &(name, resolved) in exports {
                let text = self.program.names.text(name).to_owned();
                if let Some(&row) = self.key_of_name(resolved).and_then(|target| rows.get(&target)) {
                    let alias = format_compact!("{module}#{text}");
                    if alias != fqns[row as usize] {
                        aliases.entry(row).or_default().push(alias);
                    }
                }
            }
        }
        for (at, inner) in namespace_reexports(exports, modules.len()) {
            let names: Vec<CompactString> = std::iter::once(modules[at.0].clone())
                .chain(entries.iter().filter(|(_, file)| *file == at.0).map(|(name, _)| name.clone()))
                .collect();
            for &(name, resolved) in &exports[inner] {
                let Some(&row) = self.key_of_name(resolved).and_then(|target| rows.get(&target)) else { continue };
                for module in &names {
                    let (outer, name) = (self.program.names.text(at.1), self.program.names.text(name));
                    aliases.entry(row).or_default().push(format_compact!("{module}#{outer}.{name}"));
                }
            }
        }
        for names in aliases.values_mut() {
            names.sort_unstable();
            names.dedup();
        }
        aliases
    }

    /// The key of a definition: its symbol if a scope declares it, else the definition itself.
    pub(super) fn definition_key(&self, def: GlobalDef) -> DefinitionKey {
        let body = &self.program.def(def).body;
        let is_declared = match body {
            DefBody::Function(function) => function.kind == FunctionKind::Declaration,
            DefBody::Object(_) | DefBody::TypeLiteral(_) => false,
            _ => true,
        };
        match self.program.symbol_of(def) {
            Some(symbol) if is_declared => DefinitionKey::Symbol(symbol),
            _ => DefinitionKey::Def(def),
        }
    }
}

/// Whether the text is an identifier, with or without a leading `#`.
pub(super) fn is_identifier(text: &str) -> bool {
    let mut chars = text.chars();
    let first = chars.next();
    first.is_some_and(|c| c == '#' || c == '$' || c == '_' || c.is_alphabetic())
        && chars.all(|c| c == '$' || c == '_' || c.is_alphanumeric())
}

/// The namespace re-exports (`export * as z from "./z"`): for each, the exporting file with the exported name, and the
/// file whose namespace is exported.
fn namespace_reexports(exports: &[FileExports], files: usize) -> Vec<((usize, InternedName), usize)> {
    let mut all = Vec::new();
    for (file, names) in exports.iter().enumerate() {
        for &(name, resolved) in names {
            if let ResolvedName::File(inner) = resolved
                && inner.index() < files
            {
                all.push(((file, name), inner.index()));
            }
        }
    }
    all
}
