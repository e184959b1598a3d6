//! Fully qualified names, and every further name that leads to a definition.

use compact_str::{CompactString, format_compact};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    infer::Linker,
    name_interner::InternedName,
    program::{FileIndex, GlobalDef, GlobalSymbol},
    resolved_names::ResolvedName,
};
use crate::syntax::typescript::facts::{DefBody, ExportKind, Expr};

/// Names that a file offers, with what they lead to.
pub(super) type FileExports = Vec<(InternedName, ResolvedName)>;

impl Linker<'_> {
    /// The dotted name of a definition in its file: of every named thing around it, outermost first. Names that are no
    /// identifiers add nothing.
    pub(super) fn dotted_name(&self, def: GlobalDef) -> CompactString {
        let mut parts: Vec<&str> = Vec::new();
        let mut at = Some(def);
        while let Some(here) = at {
            let row = self.program.def(here);
            let facts = self.program.facts(self.program.file_of(here));
            match row.name {
                Some(name) if is_identifier(facts.name(name)) => parts.push(facts.name(name)),
                None if facts.global_augmentations.contains(&self.program.local_def(here)) => parts.push("global"),
                _ => {}
            }
            at = self.program.outer(here);
        }
        parts.reverse();
        CompactString::from(parts.join("."))
    }

    /// Everything that a file offers under a name, re-exports followed, sorted by name.
    pub(super) fn file_exports(&mut self, file: FileIndex) -> FileExports {
        let mut names = FxHashSet::default();
        let mut seen = FxHashSet::default();
        self.collect_export_names(file, &mut names, &mut seen, 0);
        let mut names: Vec<InternedName> = names.into_iter().collect();
        names.sort_unstable_by(|a, b| self.program.names.text(*a).cmp(self.program.names.text(*b)));
        names.into_iter().filter_map(|name| Some((name, self.resolve_export(file, name)?))).collect()
    }

    fn collect_export_names(
        &mut self,
        file: FileIndex,
        names: &mut FxHashSet<InternedName>,
        seen: &mut FxHashSet<FileIndex>,
        depth: u32,
    ) {
        if depth > 32 || !seen.insert(file) {
            return;
        }
        for export in &self.program.facts(file).exports {
            match export.kind {
                ExportKind::Star(specifier) => {
                    if let ResolvedName::File(target) = self.resolve_namespace_import(file, specifier) {
                        let mut below = FxHashSet::default();
                        self.collect_export_names(target, &mut below, seen, depth + 1);
                        below.remove(&self.well_known.default);
                        names.extend(below);
                    }
                }
                ExportKind::Assign(value) => {
                    // The properties of what CommonJS exports are its names.
                    if let Expr::Object(def) = self.program.facts(file).expr(value) {
                        let members = self.program.facts(file).def(def).members();
                        names.extend(members.iter().filter_map(|m| m.name).map(|n| self.program.name(file, n)));
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

    /// The definition that a name leads to: what can be called or written as a type.
    pub(super) fn key_of_name(&mut self, meaning: ResolvedName) -> Option<DefinitionKey> {
        match meaning {
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

    /// Further names of definitions: through barrels, and through the packages that files are the entries of.
    pub(super) fn aliases(
        &mut self,
        offered: &[FileExports],
        modules: &[CompactString],
        rows: &FxHashMap<DefinitionKey, u32>,
        fqns: &[CompactString],
        entries: &[(CompactString, usize)],
    ) -> FxHashMap<u32, Vec<CompactString>> {
        let mut aliases: FxHashMap<u32, Vec<CompactString>> = FxHashMap::default();
        let packages = entries.iter().map(|(name, file)| (name, *file));
        let places: Vec<(&CompactString, usize)> =
            modules.iter().enumerate().map(|(file, module)| (module, file)).chain(packages).collect();
        for (module, file) in places {
            let Some(offered) = offered.get(file) else { continue };
            for &(name, meaning) in offered {
                let text = self.program.names.text(name).to_owned();
                if let Some(&row) = self.key_of_name(meaning).and_then(|target| rows.get(&target)) {
                    let alias = format_compact!("{module}#{text}");
                    if alias != fqns[row as usize] {
                        aliases.entry(row).or_default().push(alias);
                    }
                }
            }
        }
        for (at, inner) in namespaces(offered, modules.len()) {
            let names: Vec<CompactString> = std::iter::once(modules[at.0].clone())
                .chain(entries.iter().filter(|(_, file)| *file == at.0).map(|(name, _)| name.clone()))
                .collect();
            for &(name, meaning) in &offered[inner] {
                let Some(&row) = self.key_of_name(meaning).and_then(|target| rows.get(&target)) else { continue };
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
}

/// What a row of the index is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum DefinitionKey {
    /// Every declaration of one name.
    Symbol(GlobalSymbol),
    /// A definition without a name of its own in a scope.
    Def(GlobalDef),
}

impl Linker<'_> {
    /// What stands for a definition: the first declaration of its name, else itself.
    pub(super) fn definition_key(&self, def: GlobalDef) -> DefinitionKey {
        let body = &self.program.def(def).body;
        let is_declared = match body {
            DefBody::Function(function) => function.kind == crate::syntax::typescript::facts::FunctionKind::Declaration,
            DefBody::Object(_) | DefBody::TypeLiteral(_) => false,
            _ => true,
        };
        match self.program.symbol_of(def) {
            Some(symbol) if is_declared => DefinitionKey::Symbol(symbol),
            _ => DefinitionKey::Def(def),
        }
    }
}

/// A name that can stand in a dotted name.
pub(super) fn is_identifier(text: &str) -> bool {
    let mut chars = text.chars();
    let first = chars.next();
    first.is_some_and(|c| c == '#' || c == '$' || c == '_' || c.is_alphabetic())
        && chars.all(|c| c == '$' || c == '_' || c.is_alphanumeric())
}

/// `export * as z from "./z"`: which file offers which other under which name.
fn namespaces(offered: &[FileExports], files: usize) -> Vec<((usize, InternedName), usize)> {
    let mut all = Vec::new();
    for (file, names) in offered.iter().enumerate() {
        for &(name, meaning) in names {
            if let ResolvedName::File(inner) = meaning
                && inner.index() < files
            {
                all.push(((file, name), inner.index()));
            }
        }
    }
    all
}
