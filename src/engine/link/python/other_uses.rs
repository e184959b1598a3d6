//! Resolution of mentioned names to the definitions of the sources: uses that are neither calls nor reads.
//!
//! A name resolves by its bindings, through imports, to a function, a class or a constant. An attribute resolves by the
//! type of its receiver to a method or a nested class, or to what a module defines. A name that may be a definition
//! from outside the sources, or one of several definitions, resolves to none.

use rustc_hash::FxHashSet;

use super::{
    analysis::FieldRef,
    bound_names::{BoundNames, Named, seen_bindings},
    linker::Linker,
    members::{ClassMember, MemberLookup},
    module_constants::ModuleConstant,
    names::MODULE,
    program::{FileIndex, GlobalDef, GlobalName},
    types::{Type, TypeId},
};
use apidisc_facts::syntax::python::facts::{
    BindingId, BindingKind, Expr, ExprId, Mention, MentionPlace, NameId, ScopeId,
};

/// The greatest number of modules through which a name is imported.
const MAX_IMPORTS: usize = 8;

/// The definition that a mention names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mentioned {
    Def(GlobalDef),
    Constant(ModuleConstant),
}

/// A mention that resolves to a definition.
#[derive(Clone, Copy, Debug)]
pub(super) struct ResolvedMention {
    pub(super) mention: Mention,
    pub(super) mentioned: Mentioned,
}

/// The names of functions, classes and constants.
pub(super) struct MentionTable {
    /// By [`GlobalName`], whether a function or class has this name. An attribute of any other name is skipped before
    /// its receiver is inferred.
    is_name: Vec<bool>,
    /// The constants of modules that are definitions.
    constants: FxHashSet<ModuleConstant>,
}

impl MentionTable {
    pub(super) fn is_constant(&self, constant: ModuleConstant) -> bool {
        self.constants.contains(&constant)
    }
}

impl Linker<'_> {
    /// The table of all functions and classes, and of the constants in `fields`.
    pub(super) fn mention_table(&self, fields: &[Vec<FieldRef>]) -> MentionTable {
        let mut table = MentionTable { is_name: Vec::new(), constants: FxHashSet::default() };
        let mut note = |name: GlobalName| {
            let len = table.is_name.len().max(name.index() + 1);
            table.is_name.resize(len, false);
            table.is_name[name.index()] = true;
        };
        for def in (0..self.program.def_count()).map(GlobalDef::new) {
            if self.program.function(def).is_none_or(|function| !function.is_lambda) {
                note(self.program.global_name(self.program.file_of(def), self.def(def).name));
            }
        }
        for &field in fields.iter().flatten().filter(|field| field.class.is_none()) {
            let name = self.field(field).name;
            note(self.program.global_name(field.file, name));
            table.constants.insert((field.file, name));
        }
        table
    }

    /// The mentions of a file that resolve to a definition.
    pub(super) fn resolve_mentions(&mut self, file: FileIndex, table: &MentionTable) -> Vec<ResolvedMention> {
        let facts = self.program.facts(file);
        let is_package = self.program.files[file.index()].path.rsplit('/').next().is_some_and(is_package_file);
        let mut resolved = Vec::new();
        let mut known = BoundNames::default();
        for &mention in &facts.mentions {
            if matches!(mention.place, MentionPlace::Imported { is_offered: false }) && !is_package {
                continue;
            }
            self.begin_query();
            let mentioned = self.mentioned(file, mention.expr, table, &mut known).filter(|_| !self.is_exhausted());
            if let Some(mentioned) = mentioned.filter(|mentioned| self.is_use(file, mention.place, *mentioned)) {
                resolved.push(ResolvedMention { mention, mentioned });
            }
        }
        resolved
    }

    /// True if a definition that is named at `place` is used there.
    fn is_use(&self, file: FileIndex, place: MentionPlace, mentioned: Mentioned) -> bool {
        // A constant may hold an error or a class.
        let (own_file, is_function) = match mentioned {
            Mentioned::Def(def) => (self.program.file_of(def), self.program.class_of(def).is_none()),
            Mentioned::Constant((file, _)) => (file, false),
        };
        match place {
            MentionPlace::Raised | MentionPlace::Base => !is_function,
            MentionPlace::Listed | MentionPlace::Imported { .. } => own_file != file,
            _ => true,
        }
    }

    /// The definition that a name or attribute names.
    fn mentioned(
        &mut self,
        file: FileIndex,
        expr: ExprId,
        table: &MentionTable,
        known: &mut BoundNames,
    ) -> Option<Mentioned> {
        let facts = self.program.facts(file);
        match facts.expr(expr) {
            Expr::Name { .. } => {
                let Some(bindings) = seen_bindings(facts, expr) else { return self.mentioned_by_type(file, expr) };
                match self.named_by(file, bindings, table, known) {
                    Named::One(mentioned) => Some(mentioned),
                    // `view = cached(view)` after `def view`: the last binding of a module counts, as for calls.
                    Named::Several => self.mentioned_by_type(file, expr),
                    Named::Nothing | Named::Unknown => None,
                }
            }
            Expr::Attribute { value, name, .. } => {
                let name = self.program.global_name(file, name);
                if !table.is_name.get(name.index()).is_some_and(|is_name| *is_name) {
                    return None;
                }
                let receiver = self.expr_type(file, value);
                match *self.types.get(receiver) {
                    Type::Module(node) => {
                        if let Some((file, name)) = self.name_in_module(node, name) {
                            return self.mentioned_in_module(file, name, table);
                        }
                        let ty = self.module_attribute(node, name)?;
                        self.definition_of_type(ty)
                    }
                    Type::Class(class, _) | Type::Instance(class, _) => {
                        let lookup = self.lookup_member(class, name);
                        self.mentioned_member(lookup, name)
                    }
                    Type::Super(class, receiver) => {
                        let lookup = self.lookup_above(class, receiver, name);
                        self.mentioned_member(lookup, name)
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The definition of a name in a module. Imports are followed.
    pub(super) fn mentioned_in_module(
        &mut self,
        file: FileIndex,
        name: NameId,
        table: &MentionTable,
    ) -> Option<Mentioned> {
        let mut next = (file, name);
        for _ in 0..MAX_IMPORTS {
            let (file, name) = next;
            if table.is_constant(next) {
                return Some(Mentioned::Constant(next));
            }
            let facts = self.program.facts(file);
            let bindings = facts.bindings_of(ScopeId::new(MODULE), name);
            let (&last, rest) = bindings.split_last()?;
            let kind = |binding: &BindingId| &facts.bindings[binding.index()].kind;
            let is_import = |binding: &BindingId| matches!(kind(binding), BindingKind::ImportFrom { .. });
            match *kind(&last) {
                // The name may be imported from outside the sources.
                BindingKind::Def(_) if rest.iter().any(is_import) => return self.mentioned_by_binding_type(file, last),
                BindingKind::Def(def) => return Some(Mentioned::Def(self.program.global_def(file, def))),
                BindingKind::ImportFrom { level, module, name } if rest.is_empty() => {
                    next = self.name_of_import(file, level, module, name)?;
                }
                BindingKind::Assign { .. } => return self.mentioned_by_binding_type(file, last),
                _ => return None,
            }
        }
        None
    }

    /// The function or class that an expression is: a name that a star import binds, or that has several bindings.
    pub(super) fn mentioned_by_type(&mut self, file: FileIndex, expr: ExprId) -> Option<Mentioned> {
        let ty = self.expr_type(file, expr);
        self.definition_of_type(ty)
    }

    /// The function or class that a binding of a module holds under another name: `Agent = LlmAgent`.
    pub(super) fn mentioned_by_binding_type(&mut self, file: FileIndex, binding: BindingId) -> Option<Mentioned> {
        let ty = self.binding_type(file, binding);
        self.definition_of_type(ty)
    }

    /// The function or class that a type is of.
    fn definition_of_type(&self, ty: TypeId) -> Option<Mentioned> {
        let def = match *self.types.get(ty) {
            Type::Class(class, _) => self.program.class_def(class),
            Type::Function(def) | Type::Method(def, _) => def,
            _ => return None,
        };
        let is_own = !self.program.is_declared_by_library(def);
        let is_lambda = self.program.function(def).is_some_and(|function| function.is_lambda);
        (is_own && !is_lambda).then_some(Mentioned::Def(def))
    }

    /// The method or nested class that is a member of a class. Attributes and properties are read.
    fn mentioned_member(&mut self, lookup: MemberLookup, name: GlobalName) -> Option<Mentioned> {
        match lookup {
            MemberLookup::Found(ClassMember::Function { def, .. }) if !self.program.is_declared_by_library(def) => {
                (!self.is_descriptor(def)).then_some(Mentioned::Def(def))
            }
            MemberLookup::Found(ClassMember::Value { ty, in_body: true, .. }) => {
                let Type::Class(class, _) = *self.types.get(ty) else { return None };
                let def = self.program.class_def(class);
                let is_nested = self.program.owner(def).is_some()
                    && self.program.global_name(self.program.file_of(def), self.def(def).name) == name;
                (is_nested && !self.program.is_declared_by_library(def)).then_some(Mentioned::Def(def))
            }
            _ => None,
        }
    }

    /// True for a method that a decorator of the sources makes a descriptor: its name reads the value that `__get__`
    /// returns.
    fn is_descriptor(&mut self, def: GlobalDef) -> bool {
        if self.def(def).decorators.is_empty() {
            return false;
        }
        let decorated = self.decorated_type(def);
        let Type::Instance(class, _) = *self.types.get(decorated) else { return false };
        let name = self.program.interner.intern("__get__");
        matches!(self.lookup_member(class, name), MemberLookup::Found(_))
    }
}

/// True for the file of a package, which offers what it imports.
fn is_package_file(name: &str) -> bool {
    matches!(name, "__init__.py" | "__init__.pyi")
}
