//! What linking finds out: every definition's names, signature and fields, every call site's candidates.

use compact_str::CompactString;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::{
    aliases::ModuleExports,
    classes::Ancestor,
    infer::Linker,
    program::{ClassId, FileIndex, GlobalDef, LinkFile, Program},
    resolve::ResolvedCall,
    signatures::CallableSignature,
};
use crate::{
    program::{DefinitionKind, UnresolvedReason},
    syntax::python::facts::{BindingKind, Def, DefId, Field, NameId, ScopeId, ScopeKind},
};

/// Analysis for a whole program; rows of definitions are in the order of [`GlobalDef`], rows of files in theirs.
pub(super) struct Analysis {
    pub(super) fqns: Vec<CompactString>,
    pub(super) parents: Vec<Option<GlobalDef>>,
    pub(super) callables: Vec<CallableSignature>,
    pub(super) aliases: FxHashMap<GlobalDef, Vec<CompactString>>,
    pub(super) exports: Vec<ModuleExports>,
    /// Attributes and constants that are definitions of their own.
    pub(super) fields: Vec<Vec<FieldRef>>,
    /// In the order of each file's call sites.
    pub(super) resolved: Vec<Vec<ResolvedCall>>,
}

/// A field of a class or a constant of a module.
#[derive(Clone, Copy, Debug)]
pub(super) struct FieldRef {
    pub(super) file: FileIndex,
    pub(super) class: Option<ClassId>,
    at: u32,
}

impl<'f> Linker<'f> {
    /// A linker for `files`, which are sorted by path.
    pub(super) fn for_files(files: &'f [LinkFile]) -> Self {
        Self::new(Program::new(files))
    }

    /// Asks everything that is handed on of the whole program.
    pub(super) fn analyze(&mut self) -> Analysis {
        let files = self.program.files;
        let mut resolved: Vec<Vec<ResolvedCall>> = Vec::with_capacity(files.len());
        for (i, file) in files.iter().enumerate() {
            resolved.push(file.facts.calls.iter().map(|site| self.resolve_call(FileIndex::new(i), site)).collect());
        }
        let defs = (0..self.program.def_count()).map(GlobalDef::new);
        let callables: Vec<CallableSignature> = defs.clone().map(|def| self.callable_signature(def)).collect();
        if self.propagate_arguments(&resolved, &callables) {
            for (i, file) in files.iter().enumerate() {
                for (site, resolved) in file.facts.calls.iter().zip(&mut resolved[i]) {
                    if resolved.candidates.is_empty() && resolved.why != UnresolvedReason::External {
                        *resolved = self.resolve_call(FileIndex::new(i), site);
                    }
                }
            }
        }
        let parents = defs.map(|def| self.named_parent(def)).collect();
        let fqns = self.fqns();
        let exports = self.exports();
        let aliases = self.aliases(&exports, &fqns);
        let fields = (0..files.len()).map(|i| self.fields_of(FileIndex::new(i), &callables, &exports[i])).collect();
        Analysis { fqns, parents, callables, aliases, exports, fields, resolved }
    }

    /// Fields that are shown as attributes: those that are no constructor parameter already. Of a module,
    /// the names that `__all__` lists or that are written as constants.
    fn fields_of(&self, file: FileIndex, callables: &[CallableSignature], exports: &ModuleExports) -> Vec<FieldRef> {
        let facts = self.program.facts(file);
        let mut fields = Vec::new();
        let mut seen = FxHashSet::default();
        for (at, field) in facts.constants.iter().enumerate() {
            let name = facts.name(field.name);
            let listed = facts.all.as_ref().is_some_and(|all| all.contains(&field.name));
            let is_alias = exports.iter().any(|(export, _)| export == name);
            if (listed || is_constant(name)) && !is_alias && seen.insert(field.name) {
                fields.push(FieldRef { file, class: None, at: at as u32 });
            }
        }
        for (d, def) in facts.definitions.iter().enumerate() {
            let Some(class) = def.class() else { continue };
            let id = self.program.global(file, DefId::new(d));
            let parameters = callables[id.index()].signature.as_ref().map_or(&[][..], |s| &s.parameters);
            let mut seen = FxHashSet::default();
            for (at, field) in class.fields.iter().enumerate() {
                let name = facts.name(field.name);
                let is_parameter = parameters.iter().any(|p| p.name == name);
                if !name.starts_with('_') && !is_parameter && name != "model_config" && seen.insert(field.name) {
                    fields.push(FieldRef { file, class: self.program.class_of(id), at: at as u32 });
                }
            }
        }
        fields
    }

    pub(super) fn field(&self, field: FieldRef) -> &'f Field {
        let fields = match field.class {
            Some(class) => &self.program.class_facts(class).2.fields,
            None => &self.program.facts(field.file).constants,
        };
        &fields[field.at as usize]
    }

    pub(super) fn field_name(&self, field: FieldRef) -> &'f str {
        self.program.facts(field.file).name(self.field(field).name)
    }

    /// Functions and classes of a file, lambdas left out, in the order of their facts.
    fn definitions_of(&self, file: usize) -> impl Iterator<Item = GlobalDef> + '_ {
        let file = FileIndex::new(file);
        let defs = &self.program.facts(file).definitions;
        defs.iter()
            .enumerate()
            .filter(|(_, def)| !def.function().is_some_and(|f| f.is_lambda))
            .map(move |(i, _)| self.program.global(file, DefId::new(i)))
    }

    /// Functions and classes of a file, lambdas left out, each with the definition that stands for all of its
    /// name in a module or class body: a property's getter, the implementation of overloads, the last of those
    /// on several branches.
    pub(super) fn primaries_of(&self, file: usize) -> Vec<(GlobalDef, GlobalDef)> {
        let facts = self.program.facts(FileIndex::new(file));
        let mut known: FxHashMap<(ScopeId, NameId), GlobalDef> = FxHashMap::default();
        self.definitions_of(file)
            .map(|def| {
                let row = self.program.def(def);
                if facts.scopes[row.outer.index()].kind == ScopeKind::Function {
                    return (def, def);
                }
                let primary = known.entry((row.outer, row.name)).or_insert_with(|| self.primary(def));
                (def, *primary)
            })
            .collect()
    }

    fn primary(&self, def: GlobalDef) -> GlobalDef {
        let file = self.program.file_of(def);
        let facts = self.program.facts(file);
        let row = self.program.def(def);
        let all = facts.bindings_of(row.outer, row.name).iter().filter_map(|b| match facts.bindings[b.index()].kind {
            BindingKind::Def(def) => Some((self.program.global(file, def), facts.bindings[b.index()].is_fallback)),
            _ => None,
        });
        let all: SmallVec<[(GlobalDef, bool); 4]> = all.collect();
        let getter = all.iter().find(|(d, _)| self.program.is_property(*d));
        let implementations = || all.iter().rev().filter(|(d, _)| !self.program.is_decorated(*d, &["overload"]));
        let implementation = implementations().find(|(_, is_fallback)| !is_fallback).or(implementations().next());
        getter.or(implementation).or(all.last()).map_or(def, |(d, _)| *d)
    }

    pub(super) fn def(&self, def: GlobalDef) -> &'f Def {
        self.program.def(def)
    }

    pub(super) fn line(&self, def: GlobalDef) -> u32 {
        self.program.def(def).line
    }

    /// The classes of the sources that a class inherits from, in the order of search.
    pub(super) fn ancestors(&mut self, def: GlobalDef) -> Vec<GlobalDef> {
        let Some(class) = self.program.class_of(def) else { return Vec::new() };
        let mro = self.mro(class);
        let known = mro.iter().skip(1).filter_map(|ancestor| match ancestor {
            Ancestor::Class(class, _) => Some(self.class_def(*class)),
            Ancestor::External(_) | Ancestor::Unknown(_) => None,
        });
        known.collect()
    }

    pub(super) fn class_def(&self, class: ClassId) -> GlobalDef {
        self.program.class_def(class)
    }

    pub(super) fn global_def(&self, file: usize, def: DefId) -> GlobalDef {
        self.program.global(FileIndex::new(file), def)
    }

    pub(super) fn kind(&self, def: GlobalDef) -> DefinitionKind {
        let is = |names: &[&str]| self.program.is_decorated(def, names);
        if self.program.class_of(def).is_some() {
            DefinitionKind::Class
        } else if self.program.owner(def).is_none() {
            DefinitionKind::Function
        } else if is(&["property", "cached_property", "abstractproperty", "setter", "getter", "deleter"]) {
            DefinitionKind::Property
        } else if is(&["staticmethod"]) {
            DefinitionKind::StaticMethod
        } else if is(&["classmethod"]) {
            DefinitionKind::ClassMethod
        } else {
            DefinitionKind::Method
        }
    }
}

/// `MAX_SIZE`
fn is_constant(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
}
