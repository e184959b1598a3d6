//! The analysis of a whole program: names, signatures and fields of all definitions, candidates of all call sites, and
//! the attributes that are read.

use arcstr::ArcStr;
use compact_str::CompactString;
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::{
    aliases::ModuleExports,
    hidden_fields::{HiddenFields, is_hidden},
    http_routes::FoundRoute,
    limits::{MAX_ANCESTORS, MAX_INHERITED},
    linker::Linker,
    module_constants::ModuleConstants,
    other_uses::ResolvedMention,
    program::{ClassId, FileIndex, GlobalDef, GlobalName, LinkFile, Program},
    propagation::PassedTypes,
    reads::ResolvedRead,
    resolve::ResolvedCall,
    signatures::CallableSignature,
};
use crate::{http::FileRequests, project_file::ProjectFile};
use apidisc_base::control::StepCounter;
use apidisc_facts::{
    program::{DefinitionKind, OverloadChoice, UnresolvedReason},
    source::Roots,
    syntax::python::facts::{BindingKind, CallExprId, Def, DefId, ExprId, Field, NameId, ScopeId, ScopeKind},
};

/// The greatest number of times that types are propagated from arguments to parameters. Each time reaches one level of
/// calls further.
const MAX_ROUNDS: usize = 3;

/// Results for a whole program. Lists of definitions are indexed by [`GlobalDef`], lists of files by [`FileIndex`].
pub(super) struct Analysis {
    pub(super) fqns: Vec<CompactString>,
    pub(super) parents: Vec<Option<GlobalDef>>,
    pub(super) callables: Vec<CallableSignature>,
    /// See [`Linker::import_names`].
    pub(super) import_names: Vec<(CompactString, CompactString)>,
    pub(super) aliases: FxHashMap<GlobalDef, Vec<CompactString>>,
    pub(super) exports: Vec<ModuleExports>,
    /// The constants of modules that are definitions because of their values, and the calls that use them.
    pub(super) constants: ModuleConstants,
    /// Attributes and constants that become definitions.
    pub(super) fields: Vec<Vec<FieldRef>>,
    /// The inferred types of attributes without annotation, as text.
    pub(super) attribute_types: FxHashMap<(ClassId, GlobalName), CompactString>,
    /// Per file, its call sites in the order of the facts.
    pub(super) resolved: Vec<Vec<ResolvedCall>>,
    /// Per file, the overloads that calls take, by call site.
    pub(super) taken: Vec<FxHashMap<usize, OverloadChoice>>,
    /// Per file, its resolved reads.
    pub(super) reads: Vec<Vec<ResolvedRead>>,
    /// Per file, the mentions that resolve to a definition.
    pub(super) mentions: Vec<Vec<ResolvedMention>>,
    /// Per file, its calls that send HTTP requests.
    pub(super) requests: Vec<FileRequests<CallExprId>>,
    /// Per file, the routes that it defines.
    pub(super) routes: Vec<Vec<FoundRoute>>,
}

/// An attribute of a class, or a constant of a module if `class` is `None`.
#[derive(Clone, Copy, Debug)]
pub(super) struct FieldRef {
    pub(super) file: FileIndex,
    pub(super) class: Option<ClassId>,
    source: FieldSource,
    /// True if the constructor of the class has a parameter for the attribute, with the default that the source writes.
    is_parameter: bool,
}

/// The facts that a field is made from.
#[derive(Clone, Copy, Debug)]
enum FieldSource {
    /// A row of `Class::fields` or of `FileFacts::constants`.
    Declared(u32),
    /// A row of `FileFacts::attribute_assigns`.
    Assigned(u32),
}

/// The parts of an attribute or constant as written.
pub(super) struct FieldFacts<'f> {
    pub(super) name: NameId,
    /// The line of its name, from 1.
    pub(super) line: u32,
    pub(super) annotation: Option<&'f ArcStr>,
    pub(super) value: Option<&'f ArcStr>,
}

impl<'f> Linker<'f> {
    /// Creates a linker for `files`, which are sorted by path.
    pub(super) fn for_files(files: &'f [LinkFile], project: &[ProjectFile], roots: &Roots, steps: StepCounter) -> Self {
        Self::new(Program::new(files, project, roots), steps)
    }

    /// Resolves all call sites and reads, and describes all definitions.
    pub(super) fn analyze(&mut self) -> Analysis {
        let files = self.program.files;
        self.compute_mros();
        let mut resolved: Vec<Vec<ResolvedCall>> = Vec::with_capacity(files.len());
        for (i, file) in files.iter().enumerate() {
            let calls = if file.is_installed { &[][..] } else { &file.facts.calls };
            resolved.push(calls.iter().map(|site| self.resolve_call(FileIndex::new(i), site)).collect());
        }
        let defs = (0..self.program.def_count()).map(GlobalDef::new);
        let mut callables: Vec<CallableSignature> = defs.clone().map(|def| self.callable_signature(def)).collect();
        let mut passed = PassedTypes::default();
        let mut sites: Vec<(usize, usize)> =
            resolved.iter().enumerate().flat_map(|(i, calls)| (0..calls.len()).map(move |at| (i, at))).collect();
        for _ in 0..MAX_ROUNDS {
            if !self.propagate_arguments(&sites, &resolved, &callables, &mut passed) {
                break;
            }
            sites.clear();
            for (i, file) in files.iter().enumerate() {
                for (at, (site, resolved)) in file.facts.calls.iter().zip(&mut resolved[i]).enumerate() {
                    if resolved.candidates.is_empty() && resolved.unresolved_reason != UnresolvedReason::External {
                        *resolved = self.resolve_call(FileIndex::new(i), site);
                        // The callee may be a lambda, which is never a candidate.
                        if !resolved.candidates.is_empty() || resolved.unresolved_reason == UnresolvedReason::Dynamic {
                            sites.push((i, at));
                        }
                    }
                }
            }
        }
        let taken = resolved.iter().enumerate();
        let taken = taken.map(|(i, calls)| self.taken_overloads(FileIndex::new(i), calls, &callables)).collect();
        self.describe_results(&mut callables);
        let parents = defs.map(|def| self.named_parent(def)).collect();
        let fqns = self.fqns();
        let exports = self.exports();
        let import_names = self.import_names();
        let aliases = self.aliases(&exports, &fqns, &import_names);
        let constants = self.module_constants(&resolved);
        let hidden = self.hidden_fields();
        let fields_of = |i| self.fields_of(FileIndex::new(i), &callables, &exports[i], &constants, &hidden);
        let fields: Vec<Vec<FieldRef>> = (0..files.len()).map(fields_of).collect();
        let attribute_types = self.attribute_types(&fields);
        let table = self.attribute_table(&fields);
        let reads_of = |i: usize| {
            let is_installed = files[i].is_installed;
            if is_installed { Vec::new() } else { self.resolve_reads(FileIndex::new(i), &table, &constants) }
        };
        let reads = (0..files.len()).map(reads_of).collect();
        let table = self.mention_table(&fields);
        let mentions_of = |i: usize| {
            let is_installed = files[i].is_installed;
            if is_installed { Vec::new() } else { self.resolve_mentions(FileIndex::new(i), &table) }
        };
        let mentions = (0..files.len()).map(mentions_of).collect();
        let requests = self.http_requests(&resolved, &fqns);
        self.count_for_constructed_classes(&mut resolved, &callables);
        let routes = self.http_routes(&fqns);
        Analysis {
            fqns,
            parents,
            callables,
            import_names,
            aliases,
            exports,
            constants,
            fields,
            attribute_types,
            resolved,
            taken,
            reads,
            mentions,
            requests,
            routes,
        }
    }

    /// Lets the calls of constructors by their own names, as `super().__init__(x)`, count for the classes that they
    /// construct.
    fn count_for_constructed_classes(&self, resolved: &mut [Vec<ResolvedCall>], callables: &[CallableSignature]) {
        for (file, calls) in self.program.files.iter().zip(resolved) {
            let by_name = file.facts.calls.iter().zip(calls).filter(|(site, _)| site.syntax.names_constructor);
            for candidate in by_name.flat_map(|(_, call)| &mut call.candidates) {
                if let Some(class) = self.constructed_class(candidate.def, callables) {
                    candidate.def = class;
                    candidate.receiver = None;
                }
            }
        }
    }

    /// The fields and constants that become definitions:
    /// - Attributes that a class declares or that its methods assign become definitions if they are public, or in
    ///   `hidden`. The items of a `TypedDict` are no attributes.
    /// - Constants of a module become definitions if their names are in `__all__` or in capital letters, or for their
    ///   values: see [`ModuleConstants`].
    fn fields_of(
        &mut self,
        file: FileIndex,
        callables: &[CallableSignature],
        exports: &ModuleExports,
        constants: &ModuleConstants,
        hidden: &HiddenFields,
    ) -> Vec<FieldRef> {
        let facts = self.program.facts(file);
        let mut fields = Vec::new();
        if self.program.files[file.index()].content.is_quoted() {
            return fields;
        }
        let mut seen = FxHashSet::default();
        for (index, field) in facts.constants.iter().enumerate() {
            let name = facts.name(field.name);
            let listed = facts.all.as_ref().is_some_and(|all| all.contains(&field.name));
            let is_alias = exports.iter().any(|(export, _)| export == name);
            let is_used = constants.held.contains_key(&(file, field.name));
            if (listed || is_used || is_constant(name)) && !is_alias && seen.insert(field.name) {
                let source = FieldSource::Declared(index as u32);
                fields.push(FieldRef { file, class: None, source, is_parameter: false });
            }
        }
        for (d, def) in facts.definitions.iter().enumerate() {
            let Some(body) = def.class() else { continue };
            let id = self.program.global_def(file, DefId::new(d));
            let Some(class) = self.program.class_of(id) else { continue };
            let synthesized = callables[id.index()].signature.as_ref().filter(|s| s.is_synthesized);
            let parameters = synthesized.map_or(&[][..], |s| &s.parameters);
            let mut seen = FxHashSet::default();
            for (index, field) in body.fields.iter().enumerate() {
                let name = facts.name(field.name);
                let is_parameter = parameters.iter().any(|p| p.name == name && !p.is_variadic());
                let is_item = is_parameter && self.is_typed_dict(class);
                let is_shown = !name.starts_with('_') || self.is_hidden_field(file, class, field.name, hidden);
                if is_shown && !is_item && name != "model_config" && seen.insert(field.name) {
                    let source = FieldSource::Declared(index as u32);
                    fields.push(FieldRef { file, class: Some(class), source, is_parameter });
                }
            }
        }
        fields.extend(self.assigned_fields(file, hidden));
        fields
    }

    /// The attributes that only methods assign, each with the assignment that declares it: an annotated one, else one
    /// in `__init__`, else the first. An attribute that a base declares or assigns is left out.
    fn assigned_fields(&mut self, file: FileIndex, hidden: &HiddenFields) -> Vec<FieldRef> {
        let facts = self.program.facts(file);
        let mut best: IndexMap<(ClassId, NameId), (bool, bool, u32), FxBuildHasher> = IndexMap::default();
        for (at, assign) in facts.attribute_assigns.iter().enumerate() {
            let method = self.program.global_def(file, assign.method);
            let is_shown = |class: &ClassId| {
                !facts.name(assign.name).starts_with('_') || self.is_hidden_field(file, *class, assign.name, hidden)
            };
            let Some(class) = self.program.owner(method).filter(is_shown) else { continue };
            let rank = (assign.annotation.is_none(), self.program.name_of(method) != "__init__", at as u32);
            let least = best.entry((class, assign.name)).or_insert(rank);
            *least = rank.min(*least);
        }
        best.retain(|&(class, name), _| {
            let name = self.program.global_name(file, name);
            self.program.bindings(file, self.program.class_facts(class).1.scope, name).is_empty()
                && !self.is_inherited(class, name)
        });
        let field = |((class, _), (_, _, at)): ((ClassId, NameId), (bool, bool, u32))| FieldRef {
            file,
            class: Some(class),
            source: FieldSource::Assigned(at),
            is_parameter: false,
        };
        best.into_iter().map(field).collect()
    }

    /// Whether a class has the attribute `_x` for its subclasses.
    fn is_hidden_field(&self, file: FileIndex, class: ClassId, name: NameId, hidden: &HiddenFields) -> bool {
        is_hidden(self.program.facts(file).name(name))
            && hidden.contains(&(class, self.program.global_name(file, name)))
    }

    fn is_typed_dict(&mut self, class: ClassId) -> bool {
        let mro = self.mro(class);
        self.mro_table.get(mro).is_typed_dict()
    }

    /// True if a base of the sources declares or assigns the attribute `name`.
    fn is_inherited(&mut self, class: ClassId, name: GlobalName) -> bool {
        self.begin_query();
        let mro = self.mro(class);
        let has_own = |base: ClassId| {
            let (file, def, _) = self.program.class_facts(base);
            !self.program.bindings(file, def.scope, name).is_empty()
                || self.program.attribute_assigns(base, name).next().is_some()
        };
        self.mro_table.classes(mro).skip(1).take(MAX_INHERITED).any(has_own)
    }

    pub(super) fn field(&self, field: FieldRef) -> FieldFacts<'f> {
        let facts = self.program.facts(field.file);
        let text = |source: &'f Option<(ExprId, ArcStr)>| source.as_ref().map(|(_, text)| text);
        match field.source {
            FieldSource::Declared(index) => {
                let declared = match field.class {
                    Some(class) => &self.program.class_facts(class).2.fields[..],
                    None => &facts.constants[..],
                };
                let Field { name, line, annotation, value } = &declared[index as usize];
                let value = text(value).filter(|_| !field.is_parameter);
                FieldFacts { name: *name, line: *line, annotation: text(annotation), value }
            }
            FieldSource::Assigned(index) => {
                let assign = &facts.attribute_assigns[index as usize];
                let (name, line, annotation) = (assign.name, assign.line, assign.annotation.as_ref());
                FieldFacts { name, line, annotation, value: None }
            }
        }
    }

    pub(super) fn field_name(&self, field: FieldRef) -> &'f str {
        self.program.facts(field.file).name(self.field(field).name)
    }

    /// Functions and classes of a file in the order of the facts; lambdas are left out.
    fn definitions_of(&self, file: usize) -> impl Iterator<Item = GlobalDef> + '_ {
        let file = FileIndex::new(file);
        let defs = &self.program.facts(file).definitions;
        defs.iter()
            .enumerate()
            .filter(|(_, def)| !def.function().is_some_and(|f| f.is_lambda))
            .map(move |(i, _)| self.program.global_def(file, DefId::new(i)))
    }

    /// The functions (without lambdas) and classes of a file, each with the primary definition of its name in the same
    /// module or class body. The primary definition is:
    /// - the getter of a property;
    /// - the implementation of overloads;
    /// - else the last definition of the name, for example in the last of several branches.
    pub(super) fn primaries_of(&self, file: usize) -> Vec<(GlobalDef, GlobalDef)> {
        let facts = self.program.facts(FileIndex::new(file));
        let mut primaries: FxHashMap<(ScopeId, NameId), GlobalDef> = FxHashMap::default();
        self.definitions_of(file)
            .map(|def| {
                let def_facts = self.program.def(def);
                if facts.scopes[def_facts.outer.index()].kind == ScopeKind::Function {
                    return (def, def);
                }
                let primary = primaries.entry((def_facts.outer, def_facts.name)).or_insert_with(|| self.primary(def));
                (def, *primary)
            })
            .collect()
    }

    fn primary(&self, def: GlobalDef) -> GlobalDef {
        let file = self.program.file_of(def);
        let facts = self.program.facts(file);
        let def_facts = self.program.def(def);
        let candidates = facts.bindings_of(def_facts.outer, def_facts.name).iter().filter_map(|b| {
            match facts.bindings[b.index()].kind {
                BindingKind::Def(def) => {
                    Some((self.program.global_def(file, def), facts.bindings[b.index()].is_fallback))
                }
                _ => None,
            }
        });
        let candidates: SmallVec<[(GlobalDef, bool); 4]> = candidates.collect();
        let getter = candidates.iter().find(|(d, _)| self.program.is_property(*d));
        let implementations = || candidates.iter().rev().filter(|(d, _)| !self.program.is_decorated(*d, &["overload"]));
        let implementation = implementations().find(|(_, is_fallback)| !is_fallback).or(implementations().next());
        getter.or(implementation).or(candidates.last()).map_or(def, |(d, _)| *d)
    }

    pub(super) fn def(&self, def: GlobalDef) -> &'f Def {
        self.program.def(def)
    }

    pub(super) fn line(&self, def: GlobalDef) -> u32 {
        self.program.def(def).line
    }

    /// The classes of the sources in the method resolution order of a class, the class itself left out: the nearest
    /// [`MAX_ANCESTORS`].
    pub(super) fn ancestors(&mut self, def: GlobalDef) -> Vec<GlobalDef> {
        let Some(class) = self.program.class_of(def) else { return Vec::new() };
        self.begin_query();
        let mro = self.mro(class);
        let ancestors = self.mro_table.classes(mro).skip(1).take(MAX_ANCESTORS);
        ancestors.map(|class| self.class_def(class)).collect()
    }

    pub(super) fn class_def(&self, class: ClassId) -> GlobalDef {
        self.program.class_def(class)
    }

    pub(super) fn global_def(&self, file: usize, def: DefId) -> GlobalDef {
        self.program.global_def(FileIndex::new(file), def)
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

/// True for a name in capital letters, such as `MAX_SIZE` (PEP 8).
fn is_constant(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
}
