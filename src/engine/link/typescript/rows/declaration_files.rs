//! Declaration files beside JavaScript: `typings/index.d.ts` declares what `lib/*.js` defines.
//!
//! Users of a package see its declarations, while its own tests and examples may import the JavaScript files. A class,
//! function or constant of both is one definition for users: the uses of the JavaScript definition count for the
//! declaration, and only the declaration is public.

use compact_str::CompactString;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::{DefinitionRows, RowDeclaration, keys::DefinitionKey};
use crate::linked::{DefinitionRow, LinkedRead, LinkedUse};
use crate::typescript::{
    infer::FileExports,
    modules::{ModuleResolver, is_javascript},
    program::{GlobalDef, ProgramFacts},
    source_file::SourceFile,
};
use apidisc_base::language::Origin;
use apidisc_facts::syntax::typescript::facts::{Expr, MemberKind};

/// The declaration of each definition of a JavaScript file that a declaration file declares.
#[derive(Debug, Default)]
pub(in crate::typescript) struct DeclaredRows {
    of_row: FxHashMap<DefinitionRow, DefinitionRow>,
    declarations: FxHashSet<DefinitionRow>,
}

impl DeclaredRows {
    /// Whether a row describes a definition of a JavaScript file that has a declaration.
    pub(in crate::typescript) fn is_declared(&self, row: DefinitionRow) -> bool {
        self.of_row.contains_key(&row)
    }

    /// Whether a row is the declaration of a definition of a JavaScript file.
    pub(in crate::typescript) fn is_declaration(&self, row: DefinitionRow) -> bool {
        self.declarations.contains(&row)
    }

    fn add(&mut self, definition: DefinitionRow, declaration: DefinitionRow) {
        self.of_row.insert(definition, declaration);
        self.declarations.insert(declaration);
    }

    /// Replaces the row of a JavaScript definition by the row of its declaration, for every name that resolves to the
    /// definition.
    pub(in crate::typescript) fn redirect_names(&self, rows: &mut DefinitionRows) {
        for row in rows.of_key.values_mut() {
            if let Some(declaration) = self.of_row.get(&DefinitionRow::new(*row as usize)) {
                *row = declaration.index() as u32;
            }
        }
    }

    /// True if no definition has a declaration.
    pub(in crate::typescript) fn is_empty(&self) -> bool {
        self.of_row.is_empty()
    }

    /// The declaration of a JavaScript definition, where the declaration is one of a class or function; else the
    /// definition itself.
    pub(in crate::typescript) fn declaring(&self, def: GlobalDef, rows: &DefinitionRows) -> GlobalDef {
        let declaration = rows.of_def.get(&def).and_then(|row| self.of_row.get(row));
        match declaration.map(|row| rows.all[row.index()].2) {
            Some(RowDeclaration::Def(declaring)) => declaring,
            _ => def,
        }
    }

    /// Makes reads of a JavaScript definition reads of the declaration in a `.d.ts` file, so that both count as one.
    pub(in crate::typescript) fn redirect_reads(&self, reads: &mut [LinkedRead]) {
        for read in reads {
            read.attribute = self.declaration(read.attribute);
            read.receiver = read.receiver.map(|receiver| self.declaration(receiver));
        }
    }

    /// Makes uses of a JavaScript definition uses of the declaration in a `.d.ts` file.
    pub(in crate::typescript) fn redirect_uses(&self, uses: &mut [LinkedUse]) {
        for found in uses {
            found.definition = self.declaration(found.definition);
        }
    }

    /// The row itself, if it has no declaration.
    fn declaration(&self, row: DefinitionRow) -> DefinitionRow {
        self.of_row.get(&row).copied().unwrap_or(row)
    }
}

/// The exported classes and functions of JavaScript files, or their exported constants, by the folder of their package
/// and by name.
type JavaScriptRows = FxHashMap<(CompactString, CompactString), SmallVec<[DefinitionRow; 1]>>;

/// The exported definitions of JavaScript files.
#[derive(Default)]
struct JavaScriptDefinitions {
    callables: JavaScriptRows,
    constants: JavaScriptRows,
}

/// Finds the declarations of JavaScript definitions.
pub(in crate::typescript) struct DeclarationFinder<'p, 'f> {
    pub(in crate::typescript) program: &'p ProgramFacts<'f>,
    pub(in crate::typescript) resolver: &'p ModuleResolver,
    pub(in crate::typescript) files: &'p [SourceFile],
    pub(in crate::typescript) rows: &'p DefinitionRows,
    /// The exports of each file.
    pub(in crate::typescript) exports: &'p [FileExports],
}

impl DeclarationFinder<'_, '_> {
    /// Finds the definitions that declaration files declare: an exported class, function or constant of a JavaScript
    /// file, if the entry point of its package is a declaration file that exports one of this name, and if no other
    /// JavaScript file of the package exports another one of the name.
    pub(in crate::typescript) fn declared_rows(&self, entries: &[(CompactString, usize)]) -> DeclaredRows {
        let mut declared = DeclaredRows::default();
        let entry_points: FxHashSet<usize> = entries.iter().map(|(_, file)| *file).collect();
        let mut entry_points: Vec<usize> =
            entry_points.into_iter().filter(|&file| self.files[file].facts.is_declaration).collect();
        if entry_points.is_empty() {
            return declared;
        }
        entry_points.sort_unstable();
        let definitions = self.javascript_definitions();
        for file in entry_points {
            let Some(folder) = self.resolver.package_folder(&self.files[file].path) else { continue };
            for &(_, resolved) in &self.exports[file] {
                let Some(declaration) =
                    DefinitionKey::of_name(self.program, resolved).and_then(|key| self.rows.of_key(key))
                else {
                    continue;
                };
                let (declaring_file, _, declaring) = self.rows.all[declaration.index()];
                let Some(name) = self.exported_row_name(declaring) else { continue };
                if !self.files[declaring_file.index()].facts.is_declaration {
                    continue;
                }
                let key = (folder.clone(), name);
                let named = match declaring {
                    RowDeclaration::Variable(..) => definitions.constants.get(&key),
                    _ => definitions.callables.get(&key),
                };
                let Some(&[definition]) = named.map(|named| &named[..]) else { continue };
                self.add_declared(definition, declaration, &mut declared);
            }
        }
        declared
    }

    /// Adds a JavaScript definition with its members, if the declaration of its name is one of the same kind.
    fn add_declared(&self, definition: DefinitionRow, declaration: DefinitionRow, declared: &mut DeclaredRows) {
        match (self.rows.all[definition.index()].2, self.rows.all[declaration.index()].2) {
            (RowDeclaration::Def(defining), RowDeclaration::Def(declaring)) => {
                let is_class = |def: GlobalDef| self.program.def(def).class().is_some();
                let is_function = |def: GlobalDef| self.program.function(def).is_some();
                // A class may be written as a function, which `new` calls.
                if is_class(declaring) || is_function(declaring) && is_function(defining) {
                    declared.add(definition, declaration);
                    self.add_declared_members(defining, declaring, declared);
                }
            }
            (RowDeclaration::Variable(..), RowDeclaration::Variable(..)) => declared.add(definition, declaration),
            _ => {}
        }
    }

    fn javascript_definitions(&self) -> JavaScriptDefinitions {
        let mut definitions = JavaScriptDefinitions::default();
        let is_implementation = |file: &SourceFile| {
            let is_own = file.origin == Origin::Src && !file.is_auxiliary && !file.content.is_quoted();
            is_own && is_javascript(&file.path)
        };
        for (at, file) in self.files.iter().enumerate().filter(|(_, file)| is_implementation(file)) {
            let Some(folder) = self.resolver.package_folder(&file.path) else { continue };
            for &(_, resolved) in &self.exports[at] {
                let Some(row) = DefinitionKey::of_name(self.program, resolved).and_then(|key| self.rows.of_key(key))
                else {
                    continue;
                };
                let (defining_file, _, defining) = self.rows.all[row.index()];
                let Some(name) = self.exported_row_name(defining) else { continue };
                if !is_implementation(&self.files[defining_file.index()]) {
                    continue;
                }
                let of_kind = match defining {
                    RowDeclaration::Variable(..) => &mut definitions.constants,
                    _ => &mut definitions.callables,
                };
                let named = of_kind.entry((folder.clone(), name)).or_default();
                if !named.contains(&row) {
                    named.push(row);
                }
            }
        }
        definitions
    }

    /// The name of a class, function or constant; `None` for any other declaration.
    fn exported_row_name(&self, declaration: RowDeclaration) -> Option<CompactString> {
        match declaration {
            RowDeclaration::Def(def) => {
                let is_callable = self.program.def(def).class().is_some() || self.program.function(def).is_some();
                is_callable.then(|| self.program.name_text(def))
            }
            RowDeclaration::Variable(file, variable) => {
                let facts = self.program.facts(file);
                Some(CompactString::new(facts.name(facts.variables[variable.index()].name)))
            }
            RowDeclaration::Member(..) | RowDeclaration::EnumMember(..) => None,
        }
    }

    /// Adds the members that a JavaScript class and its declaration have in common.
    fn add_declared_members(&self, defining: GlobalDef, declaring: GlobalDef, declared: &mut DeclaredRows) {
        if self.program.def(defining).class().is_none() {
            return;
        }
        let name = |holder: GlobalDef, at: usize| {
            let member = &self.program.members(holder)[at];
            Some((self.program.name(self.program.file_of(holder), member.name?), member.is_static))
        };
        let mut declarations = FxHashMap::default();
        for at in 0..self.program.members(declaring).len() {
            if let (Some(name), Some(row)) = (name(declaring, at), self.member_row(declaring, at)) {
                declarations.entry(name).or_insert(row);
            }
        }
        for at in 0..self.program.members(defining).len() {
            let declaration = name(defining, at).and_then(|name| declarations.get(&name).copied());
            if let (Some(row), Some(declaration)) = (self.member_row(defining, at), declaration) {
                declared.add(row, declaration);
            }
        }
    }

    /// The row of a member: its own, or that of the method or of the function that it holds.
    fn member_row(&self, holder: GlobalDef, at: usize) -> Option<DefinitionRow> {
        if let Some(&row) = self.rows.of_member.get(&(holder, at as u16)) {
            return Some(row);
        }
        let file = self.program.file_of(holder);
        let function = match self.program.members(holder)[at].kind {
            MemberKind::Function(function) => function,
            MemberKind::Property { value: Some((value, _)), .. } => {
                match self.program.facts(file).expr(self.program.held_value(file, value)?) {
                    Expr::Function(function) => function,
                    _ => return None,
                }
            }
            _ => return None,
        };
        self.rows.of_def.get(&self.program.global_def(file, function)).copied()
    }
}
