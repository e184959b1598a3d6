//! What a file needs of the modules that it imports: what has to be read of installed packages so that the calls of a
//! program can be resolved. All answers are made of the facts of single files, before anything is linked.
//!
//! Of a class, an interface, a namespace or an object type only the members are followed whose names are used: the
//! program reads or calls a property of the name, or a type names it.

mod exports;
mod follow;
mod written;

use compact_str::{CompactString, format_compact};
use rustc_hash::FxHashSet;

use super::source_file::SourceFile;
use apidisc_facts::syntax::typescript::facts::{
    Decl, DefBody, ExportKind, Expr, FileFacts, ImportKind, MemberKind, NameId, PatternStep, TypeNode,
};

pub use exports::{ExportedName, exported_name};
pub use follow::FollowedFile;
pub use written::{WrittenName, WrittenPlace, written_names};

/// What is needed of a module.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NeededNames {
    /// One export.
    Export(CompactString),
    /// One export that the module may have: another one exports everything of the module.
    Starred(CompactString),
    /// The exports whose names are used: the module is imported as a namespace.
    Used,
    /// A global name, which the file may declare.
    Global(CompactString),
}

/// A need of a file: the module, as the file names it, and what of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ModuleNeed {
    /// The module specifier.
    pub specifier: CompactString,
    /// What is needed of the module.
    pub names: NeededNames,
}

/// The names of the members that are used. The set only grows.
#[derive(Debug, Default)]
pub struct UsedNames(FxHashSet<CompactString>);

impl UsedNames {
    /// Adds the names that a file of the program uses as names of members or exports.
    pub fn add_file(&mut self, file: &SourceFile) {
        let facts = &file.facts;
        for expr in &facts.exprs {
            if let Expr::Property { name, .. } = expr {
                self.add(facts.name(*name));
            }
        }
        for step in facts.variables.iter().flat_map(|variable| &variable.path) {
            if let PatternStep::Property(name) = step {
                self.add(facts.name(*name));
            }
        }
        for node in &facts.types {
            if let TypeNode::Ref { path, .. } | TypeNode::Import { path, .. } = node {
                path.iter().for_each(|name| self.add(facts.name(*name)));
            }
        }
        for import in &facts.imports {
            if let ImportKind::Named(name) = import.kind {
                self.add(facts.name(name));
            }
        }
        for def in &facts.definitions {
            let DefBody::Object(members) = &def.body else { continue };
            let names_of_functions = members.iter().filter(|member| matches!(member.kind, MemberKind::Function(_)));
            names_of_functions.filter_map(|member| member.name).for_each(|name| self.add(facts.name(name)));
            // The value of a property of an object literal may be a function, whose parameters the type declares.
            let names = members.iter().filter_map(|member| match &member.kind {
                MemberKind::Property { value: Some((value, _)), .. } => {
                    matches!(facts.expr(*value), Expr::Function(_) | Expr::Object(_)).then_some(member.name?)
                }
                _ => None,
            });
            names.for_each(|name| self.add(facts.name(name)));
        }
    }

    /// The number of names.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True if no name is used.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn add(&mut self, name: &str) {
        if !self.0.contains(name) {
            self.0.insert(name.into());
        }
    }

    fn contains(&self, name: &str) -> bool {
        self.0.contains(name)
    }
}

/// What a file of the program needs of the modules that it names, sorted.
pub fn imports(file: &SourceFile) -> Vec<ModuleNeed> {
    let facts = &file.facts;
    let mut needs: Vec<ModuleNeed> = Vec::new();
    for import in &facts.imports {
        match import.kind {
            ImportKind::Named(name) => needs.push(export_of(facts, import.specifier, name)),
            ImportKind::Namespace | ImportKind::Required => needs.push(used_of(facts, import.specifier)),
            ImportKind::Entity | ImportKind::Local(_) => {}
        }
    }
    for export in &facts.exports {
        match export.kind {
            ExportKind::From(module, name) => needs.push(export_of(facts, module, name)),
            ExportKind::Star(module) | ExportKind::Namespace(module) => needs.push(used_of(facts, module)),
            ExportKind::Symbol(_) | ExportKind::Value(_) | ExportKind::Assign(_) => {}
        }
    }
    for expr in &facts.exprs {
        if let Expr::Import(module) | Expr::Require(module) | Expr::Namespace(module) = *expr {
            needs.push(used_of(facts, module));
        }
    }
    for node in &facts.types {
        if let TypeNode::Import { specifier, path, .. } = node {
            needs.push(
                path.first().map_or_else(|| used_of(facts, *specifier), |name| export_of(facts, *specifier, *name)),
            );
        }
    }
    needs.sort();
    needs.dedup();
    needs
}

/// The global names that a file uses and does not declare.
pub fn global_names(file: &SourceFile) -> FxHashSet<CompactString> {
    let facts = &file.facts;
    let values = facts.exprs.iter().filter_map(|expr| match expr {
        Expr::Name { name, symbol: None } => Some(*name),
        _ => None,
    });
    let types = facts.types.iter().filter_map(|node| match node {
        TypeNode::Ref { symbol: None, path, .. } => path.first().copied(),
        _ => None,
    });
    let names: FxHashSet<NameId> = values.chain(types).collect();
    names.into_iter().map(|name| facts.name(name).into()).collect()
}

/// The calls whose callees begin with an imported name: the line (from 1) and the column (from 0, in bytes) of each
/// call with the specifier of the import and the names that the callee writes, `zod#z.object`; sorted.
pub fn called_imports(file: &SourceFile) -> Vec<((u32, u32), CompactString)> {
    let facts = &file.facts;
    let mut called: Vec<((u32, u32), CompactString)> = Vec::new();
    for call in &facts.calls {
        let mut root = facts.without_guards(call.callee);
        let mut names: Vec<&str> = Vec::new();
        while let Expr::Property { object, name, .. } = facts.expr(root) {
            names.push(facts.name(name));
            root = facts.without_guards(object);
        }
        let specifier = match facts.expr(root) {
            Expr::Name { symbol: Some(symbol), .. } => facts.symbol(symbol).decls.iter().find_map(|decl| match decl {
                Decl::Import(import) => {
                    let import = &facts.imports[import.index()];
                    if let ImportKind::Named(name) = import.kind {
                        names.push(facts.name(name));
                    }
                    Some(facts.name(import.specifier)).filter(|specifier| !specifier.is_empty())
                }
                _ => None,
            }),
            _ => None,
        };
        names.reverse();
        let name = specifier.map(|specifier| format_compact!("{specifier}#{}", names.join(".")));
        called.extend(name.map(|name| ((call.line, call.col), name)));
    }
    called.sort_unstable();
    called
}

/// True if a file may declare global names.
pub fn declares_global_names(facts: &FileFacts) -> bool {
    !facts.is_module || !facts.global_augmentations.is_empty()
}

fn export_of(facts: &FileFacts, module: NameId, name: NameId) -> ModuleNeed {
    ModuleNeed { specifier: facts.name(module).into(), names: NeededNames::Export(facts.name(name).into()) }
}

fn used_of(facts: &FileFacts, module: NameId) -> ModuleNeed {
    ModuleNeed { specifier: facts.name(module).into(), names: NeededNames::Used }
}
