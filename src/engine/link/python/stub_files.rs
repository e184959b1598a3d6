//! Stub files beside the modules that they describe: `core.pyi` beside `core.py` (PEP 484).
//!
//! Definitions, their parameters and the calls in them are those of the module. The stub gives the types that the
//! module itself does not show: of parameters without annotation, and of results and attributes whose type is unknown
//! or comes from outside the sources. A class that a stub names is the class of the module.

use rustc_hash::FxHashMap;

use super::{
    linker::Linker,
    names::MODULE,
    program::{ClassId, FileIndex, GlobalDef, GlobalName, Program},
    types::TypeId,
};
use apidisc_facts::syntax::python::facts::{BindingId, BindingKind, ExprId, ScopeId};

/// The functions and classes that a module and its stub both define. The definitions of one name match in their order;
/// if the stub has another number of them, as for overloads, none matches.
#[derive(Debug, Default)]
pub(super) struct StubFiles {
    /// The declarations in stubs, by the definitions in modules.
    declarations: FxHashMap<GlobalDef, GlobalDef>,
    /// The definitions in modules, by the declarations in stubs.
    definitions: FxHashMap<GlobalDef, GlobalDef>,
}

/// A scope of a module, and the scope of the stub that describes it.
type Scopes = [(FileIndex, ScopeId); 2];

impl StubFiles {
    /// Matches the definitions of all modules that have a stub.
    pub(super) fn new(program: &Program<'_>) -> Self {
        let mut found = Self::default();
        let mut open: Vec<Scopes> = Vec::new();
        for at in 0..program.files.len() {
            let stub = FileIndex::new(at);
            let node = program.modules.get(program.modules.node_of_file(stub));
            if let (Some(file), true) = (node.file, node.stub == Some(stub)) {
                open.push([file, stub].map(|file| (file, ScopeId::new(MODULE))));
            }
        }
        while let Some(scopes) = open.pop() {
            found.match_scopes(program, scopes, &mut open);
        }
        found
    }

    /// Matches the definitions of two scopes, and adds the scopes of classes to `open`.
    fn match_scopes(&mut self, program: &Program<'_>, scopes: Scopes, open: &mut Vec<Scopes>) {
        let [module, stub] = scopes;
        for name in program.names_in(stub.0, stub.1) {
            let [defined, declared] = [module, stub].map(|(file, scope)| definitions(program, file, scope, name));
            if defined.len() != declared.len() {
                continue;
            }
            for (definition, declaration) in defined.into_iter().zip(declared) {
                if program.class_of(definition).is_some() != program.class_of(declaration).is_some() {
                    continue;
                }
                self.declarations.insert(definition, declaration);
                self.definitions.insert(declaration, definition);
                if program.class_of(definition).is_some() {
                    open.push([definition, declaration].map(|def| (program.file_of(def), program.def(def).scope)));
                }
            }
        }
    }

    /// True if no module has a stub.
    fn is_empty(&self) -> bool {
        self.declarations.is_empty()
    }

    /// The definition of the module that a declaration in its stub describes; any other definition itself.
    pub(super) fn definition_of(&self, def: GlobalDef) -> GlobalDef {
        self.definitions.get(&def).copied().unwrap_or(def)
    }

    /// The declaration that the stub of a module has for a definition of the module.
    pub(super) fn declaration_of(&self, def: GlobalDef) -> Option<GlobalDef> {
        self.declarations.get(&def).copied()
    }
}

/// The functions and classes of a name in a scope, in the order of the code.
fn definitions(program: &Program<'_>, file: FileIndex, scope: ScopeId, name: GlobalName) -> Vec<GlobalDef> {
    let facts = program.facts(file);
    let definition = |binding: &BindingId| match facts.bindings[binding.index()].kind {
        BindingKind::Def(def) => Some(program.global_def(file, def)),
        _ => None,
    };
    program.bindings(file, scope, name).iter().filter_map(definition).collect()
}

impl<'f> Linker<'f> {
    /// The annotation of a parameter, with its text and file: that of the function, or else that of the function's
    /// declaration in a stub.
    pub(super) fn parameter_annotation(&self, def: GlobalDef, position: usize) -> Option<(FileIndex, ExprId, &'f str)> {
        let own = &self.program.function(def)?.parameters[position];
        if let Some((annotation, text)) = &own.annotation {
            return Some((self.program.file_of(def), *annotation, text));
        }
        let declaration = self.program.stub_files.declaration_of(def)?;
        let (file, stub) = (self.program.file_of(def), self.program.file_of(declaration));
        let declared = self.program.function(declaration)?.parameters.iter().find(|declared| {
            self.program.global_name(stub, declared.name) == self.program.global_name(file, own.name)
        })?;
        let (annotation, text) = declared.annotation.as_ref().filter(|_| declared.kind == own.kind)?;
        Some((stub, *annotation, text))
    }

    /// True for the type of a result or attribute that leaves the word to a stub, if there is one: the module shows no
    /// class or function of the sources.
    pub(super) fn is_open_to_stub(&self, ty: TypeId) -> bool {
        let is_shown = |part: &TypeId| *part != TypeId::NONE && self.is_defined_in_sources(*part);
        !self.program.stub_files.is_empty() && !self.types.parts(ty).iter().any(is_shown)
    }

    /// The type of the result of a function without a declared result that a stub declares.
    pub(super) fn result_in_stub(&mut self, def: GlobalDef) -> Option<TypeId> {
        let declaration = self.declared_result(def)?;
        let ty = self.return_type(declaration);
        (!ty.is_unknown()).then_some(ty)
    }

    /// The declaration in a stub that declares the result of a function, if the function itself does not.
    pub(super) fn declared_result(&self, def: GlobalDef) -> Option<GlobalDef> {
        let is_open = |def| self.program.function(def).is_some_and(|function| function.returns.is_none());
        let declaration = self.program.stub_files.declaration_of(def)?;
        (is_open(def) && !is_open(declaration)).then_some(declaration)
    }

    /// The type that a stub declares for an attribute of a class.
    pub(super) fn attribute_in_stub(&mut self, class: ClassId, name: GlobalName) -> Option<TypeId> {
        let declaration = self.program.stub_files.declaration_of(self.program.class_def(class))?;
        let (file, scope) = (self.program.file_of(declaration), self.program.def(declaration).scope);
        let facts = self.program.facts(file);
        let annotation = self.program.bindings(file, scope, name).iter().rev().find_map(|binding| {
            match facts.bindings[binding.index()].kind {
                BindingKind::Assign { annotation, .. } => annotation,
                _ => None,
            }
        })?;
        let ty = self.annotation_type(file, annotation);
        (!ty.is_unknown()).then_some(ty)
    }
}
