//! Linking of TypeScript: module resolution, name resolution, type inference, and the resolution of call sites.
//!
//! | module | purpose |
//! | --- | --- |
//! | `modules` | import specifiers to files |
//! | `program`, `name_interner` | the facts of all files under program-wide ids |
//! | `stars` | the graph of `export *` |
//! | `augmentations` | the declarations that modules add to other modules |
//! | `resolved_names`, `exports`, `ambient_modules` | the symbols that names resolve to, through imports and exports |
//! | `infer`, `computed_types` | inference on demand, and the types that are computed once |
//! | `types`, `type_interner`, `substitution_table`, `variable_set` | types, substitutions, and their interner |
//! | `budget` | the number of steps that one query may take |
//! | `annotations`, `infer_params` | type nodes to types |
//! | `substitute`, `conditional_types`, `mapped`, `renamed_keys`, `template_literals`, `intersections` | substitution, and the types that compute types |
//! | `symbol_types`, `variables` | the types of symbols and variables |
//! | `parameters`, `results` | the types of parameters and return values |
//! | `expressions`, `array_literals`, `growing_arrays`, `generators`, `this_and_super`, `held_values` | the types of expressions |
//! | `assigned_properties`, `literal_items` | the properties and items that assignments add to functions, prototypes, exports and arrays |
//! | `computed_names` | the names of properties that constants hold |
//! | `members`, `member_tables`, `wide_symbols`, `elements`, `heritage` | properties, elements, base types |
//! | `contextual`, `narrow` | contextual typing, control-flow narrowing |
//! | `callables`, `overloads`, `applicability`, `calls` | signatures, overload resolution, the results of calls |
//! | `overload_properties` | the properties of the object parameters of overloads |
//! | `constants`, `called_values` | constants, fields and properties with a function type |
//! | `unify`, `mapped_inference`, `rest_parameters`, `object_inference`, `assignable` | inference from arguments, assignability |
//! | `resolve`, `bind` | call sites to definitions, arguments to parameters |
//! | `passed_functions` | calls of parameters to the functions that callers pass |
//! | `passed_values` | the parameters of JavaScript functions to the types of what callers pass |
//! | `stored_arguments` | the properties in which constructors store their arguments |
//! | `bound_functions` | the results of `bind`, `call` and `apply` |
//! | `rows`, `primary_declarations` | the declarations that become definitions of the index |
//! | `reads` | property reads to definitions |
//! | `declaration_files` | the declarations of what JavaScript files define |
//! | `receiver_values` | a call → the earlier call whose result or variable it is made on |
//! | `fqns`, `publish` | the names of definitions, and which definitions are public |
//! | `describe`, `describe_classes` | the texts and base types of each definition |
//! | `signatures`, `certain_returns`, `indexed_texts` | the signatures of definitions, and the texts of their types |
//! | `unknown_constructors` | the arguments that calls pass to constructors which are not known |
//! | `http_calls`, `http_values`, `http_objects` | calls of HTTP APIs, and the literals, clients and routers in them |
//! | `http_routes`, `http_mounts`, `http_nest` | routes of servers, and the paths above them |
//! | `type_names`, `type_imports` | the types that their texts name |

mod ambient_modules;
mod annotations;
mod applicability;
mod array_literals;
mod assignable;
mod assigned_properties;
mod augmentations;
mod bind;
mod bound_functions;
mod budget;
mod callables;
mod called_values;
mod calls;
mod certain_returns;
mod computed_names;
mod computed_types;
mod conditional_types;
mod constants;
mod contextual;
mod declaration_files;
mod describe;
mod describe_classes;
mod elements;
mod explain;
mod exports;
mod expressions;
mod fqns;
mod generators;
mod growing_arrays;
mod held_values;
mod heritage;
mod http_calls;
mod http_mounts;
mod http_nest;
mod http_objects;
mod http_routes;
mod http_values;
mod indexed_texts;
mod infer;
mod infer_params;
mod intersections;
mod literal_items;
mod mapped;
mod mapped_inference;
mod member_positions;
mod member_tables;
mod members;
mod modules;
mod name_interner;
mod narrow;
mod narrow_by_type;
mod object_inference;
mod omitted;
mod overload_properties;
mod overload_tables;
mod overloads;
mod parameters;
mod passed_functions;
mod passed_values;
mod primary_declarations;
mod program;
mod publish;
mod reads;
mod receiver_values;
mod renamed_keys;
mod resolve;
mod resolved_names;
mod rest_parameters;
mod results;
mod rows;
mod signatures;
mod stars;
mod stored_arguments;
mod substitute;
mod substitution_table;
mod symbol_types;
mod template_literals;
mod this_and_super;
mod tuples;
mod type_imports;
mod type_interner;
mod type_names;
mod type_param_scopes;
mod types;
mod unify;
mod unknown_constructors;
mod variable_set;
mod variables;
mod weak_types;
mod wide_symbols;

use std::sync::OnceLock;

use compact_str::{CompactString, format_compact};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::linked::{Content, DefinitionRow, LinkedCall, LinkedDefinition, LinkedFile, LinkedProgram};
use crate::explanation::AskedCalls;
use apidisc_base::{
    control::StepCounter,
    language::{Language, Origin},
};
use apidisc_facts::{
    program::{OverloadChoice, ReceiverLink, UnresolvedReason},
    source::Roots,
    syntax::typescript::{
        self,
        facts::{CallExpr, CallExprId, CallExprKind, Expr, ExprId, FileFacts, FunctionKind},
    },
};
use declaration_files::DeclaredRows;
use infer::Linker;
use modules::ModuleResolver;
use program::{FileIndex, GlobalDef, ProgramFacts};
use receiver_values::receiver_links;
use resolve::ResolvedCall;
use rows::DefinitionRows;

/// One source file with its facts.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
pub struct SourceFile {
    /// The path relative to the source's root.
    #[serde(skip)]
    pub path: CompactString,
    /// The name of its module: the path without the ending.
    #[serde(skip)]
    pub module: CompactString,
    /// The kind of code: a file of code, quoted code of a documentation comment, or a document.
    pub content: Content,
    /// The origin of its call sites.
    #[serde(skip)]
    pub origin: Origin,
    /// See [`apidisc_base::language::is_auxiliary`].
    #[serde(skip)]
    pub is_auxiliary: bool,
    /// The facts of the file.
    pub facts: FileFacts,
}

impl SourceFile {
    /// A file with an empty path and module, the default origin and `is_auxiliary` false: the caller sets these fields,
    /// which depend on the path.
    pub fn new(content: Content, facts: FileFacts) -> Self {
        let (path, module) = (CompactString::default(), CompactString::default());
        Self { path, module, content, origin: Origin::default(), is_auxiliary: false, facts }
    }

    /// The path from which the file imports. No import leads to the path of quoted code.
    fn import_path(&self) -> CompactString {
        match self.content {
            Content::Examples => format_compact!("{}#examples", self.path),
            Content::Code | Content::Document => self.path.clone(),
        }
    }
}

/// A `package.json`, `tsconfig*.json` or `jsconfig*.json`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProjectFile {
    /// The path relative to the source's root.
    pub path: CompactString,
    /// The text of the file. It may be malformed.
    pub text: String,
}

/// Declarations of the parts of the JavaScript platform and of React that return values of the sources or pass them to
/// callbacks.
const PLATFORM: &str = include_str!("platform.d.ts");

fn platform() -> &'static FileFacts {
    static FACTS: OnceLock<FileFacts> = OnceLock::new();
    FACTS.get_or_init(|| typescript::read(PLATFORM, typescript::Dialect::TypeScript, true))
}

/// Links `files`, which have the names of their modules. The `project` files configure module resolution. Both are
/// sorted by path. The `asked` calls are explained. The result is empty if `steps` was cancelled.
pub fn link(
    files: &[SourceFile],
    project: &[ProjectFile],
    roots: &Roots,
    steps: StepCounter,
    asked: Option<&AskedCalls>,
) -> LinkedProgram {
    if files.is_empty() {
        return LinkedProgram::default();
    }
    let paths: Vec<CompactString> = files.iter().map(SourceFile::import_path).collect();
    let paths: Vec<&str> = paths.iter().map(CompactString::as_str).collect();
    let configuration: Vec<(&str, &str)> = project.iter().map(|p| (p.path.as_str(), p.text.as_str())).collect();
    let resolver = ModuleResolver::new(&paths, &configuration, roots);
    let facts = files.iter().map(|file| &file.facts).chain(std::iter::once(platform())).collect();
    let mut program = ProgramFacts::new(facts, files.iter().map(|file| roots.position(&file.path)).collect());
    for (at, pair) in files.windows(2).enumerate() {
        if pair[1].content == Content::Examples && pair[0].path == pair[1].path {
            program.add_names_of_examples(FileIndex::new(at + 1), FileIndex::new(at));
        }
    }
    let mut linker = Linker::new(program, resolver, steps);
    linker.link(files, asked)
}

impl Linker<'_> {
    fn link(&mut self, files: &[SourceFile], asked: Option<&AskedCalls>) -> LinkedProgram {
        let mut resolved: Vec<Vec<ResolvedCall>> = Vec::with_capacity(files.len());
        for (i, file) in files.iter().enumerate() {
            let sites = 0..file.facts.calls.len();
            resolved.push(sites.map(|site| self.resolve_call(FileIndex::new(i), CallExprId::new(site))).collect());
        }
        if self.budget.is_cancelled() {
            return LinkedProgram::default();
        }
        self.resolve_with_passed_values(files, &mut resolved);
        self.resolve_passed_functions(files, &mut resolved);
        let mut rows = self.definition_rows(files);
        let exports: Vec<_> = (0..files.len()).map(|i| self.file_exports(FileIndex::new(i))).collect();
        let imported =
            files.iter().flat_map(|file| file.facts.imports.iter().map(|row| file.facts.name(row.specifier)));
        let entries = self.resolver.entries(&imported.collect());
        let closed_packages = self.resolver.closed_packages(&entries);
        let declared = self.declared_rows(files, &rows, &exports, &entries);
        declared.redirect_calls(&mut resolved, &rows);
        declared.redirect_names(&mut rows);
        let objects = self.object_parameters(files, &resolved);
        let taken = self.taken_overloads(&resolved, &rows, &declared);
        let attribute_names = self.attribute_names(&rows);
        let modules: Vec<CompactString> = files.iter().map(|file| file.module.clone()).collect();
        let mut definitions: Vec<_> =
            (0..rows.all.len()).map(|at| self.describe(at, &rows, &modules, &objects)).collect();
        unknown_constructors::name_passed_arguments(files, &resolved, &rows, &mut definitions);
        let fqns: Vec<CompactString> = definitions.iter().map(|d| d.fqn.clone()).collect();
        for (row, names) in self.aliases(&exports, &modules, &rows.of_key, &fqns, &entries) {
            definitions[row as usize].aliases = names;
        }
        let packages = http_calls::known_packages(&entries);
        let mut known = http_objects::ProgramContext { packages, ..http_objects::ProgramContext::default() };
        let mut routes = self.http_routes(files.len(), &mut known, &rows);
        let mut requests = self.http_requests(&resolved, &known, &rows);
        let mut exported: FxHashSet<u32> = FxHashSet::default();
        let mut linked_files = Vec::with_capacity(files.len());
        for (i, file) in files.iter().enumerate() {
            let mut exported_rows = Vec::new();
            for &(name, resolved) in &exports[i] {
                if let Some(&row) = self.key_of_name(resolved).and_then(|target| rows.of_key.get(&target)) {
                    exported.insert(row);
                    exported_rows
                        .push((CompactString::new(self.program.names.text(name)), DefinitionRow::new(row as usize)));
                }
            }
            let mut order: Vec<CallExprId> = (0..file.facts.calls.len()).map(CallExprId::new).collect();
            order.retain(|site| file.facts.site(*site).line > 0);
            order.sort_by_key(|site| (file.facts.site(*site).line, file.facts.site(*site).col));
            let links = receiver_links(&file.facts, &order);
            let linked = |(&site, receiver_link): (&CallExprId, ReceiverLink)| {
                let at = site.index();
                let call = self.linked_call(i, site, &resolved[i][at], &rows, &definitions);
                let overload = taken[i].get(&at).copied().map(OverloadChoice::Taken);
                LinkedCall { overload, receiver_link, ..call }
            };
            let calls: Vec<LinkedCall> = order.iter().zip(links).map(linked).collect();
            let mut reads = self.linked_reads(FileIndex::new(i), &resolved[i], &attribute_names, &rows, &definitions);
            declared.redirect_reads(&mut reads);
            linked_files.push(LinkedFile {
                path: file.path.clone(),
                language: Language::TypeScript,
                content: file.content,
                origin: file.origin,
                is_auxiliary: file.is_auxiliary || self.resolver.is_unpublished(&file.path),
                is_internal: self.resolver.is_internal(i, &closed_packages),
                module: modules[i].clone(),
                exports: exported_rows,
                calls,
                reads,
                requests: std::mem::take(&mut requests[i]),
                routes: std::mem::take(&mut routes[i]),
            });
        }
        if self.budget.is_cancelled() {
            return LinkedProgram::default();
        }
        self.mark_public(&mut definitions, &rows, &exported, &declared);
        omitted::mark_omitted_parameters(&mut definitions, &linked_files);
        // If the entry point of a package is an `index` file, the module of the package is the folder of that file.
        let module_of_package = |file: usize| modules[file].strip_suffix("/index").unwrap_or(&modules[file]).into();
        let packages = entries.into_iter().map(|(name, file)| (name, module_of_package(file))).collect();
        let named = explain::NamedProgram { files, rows: &rows, definitions: &definitions };
        let explanations = asked.map(|asked| explain::explain(self, asked, &resolved, &named)).unwrap_or_default();
        let mut diagnostics = self.resolver.diagnostics().to_vec();
        diagnostics.extend(self.limits.diagnostics(|file| Some(&files.get(file)?.path)));
        LinkedProgram {
            files: linked_files,
            definitions,
            packages,
            diagnostics,
            explanations,
            ..LinkedProgram::default()
        }
    }

    /// The positions of the parameters that call sites pass object literals to, by function.
    fn object_parameters(
        &mut self,
        files: &[SourceFile],
        resolved: &[Vec<ResolvedCall>],
    ) -> FxHashMap<GlobalDef, SmallVec<[u16; 2]>> {
        let mut objects: FxHashMap<GlobalDef, SmallVec<[u16; 2]>> = FxHashMap::default();
        for (file, resolved) in files.iter().zip(resolved) {
            for (site, resolved) in file.facts.calls.iter().zip(resolved) {
                if site.arguments.iter().all(|argument| argument.keys.is_none()) {
                    continue;
                }
                self.budget.begin_query();
                if let Some(value) = resolved.value {
                    for signature in self.value_signatures(value) {
                        self.add_object_parameters(signature, 0, site, &mut objects);
                    }
                }
                let Some(&candidate) = resolved.candidates.first() else { continue };
                let Some(bound) = self.bound_function(candidate) else { continue };
                for signature in self.declared_signatures(bound) {
                    let own = self.program.function(bound).map_or(0, |function| function.params.len());
                    self.add_object_parameters(signature, own, site, &mut objects);
                }
                let declared = self.declarations_of_function(bound);
                // Overloads without an implementation are listed under the first one.
                let is_implementation = self.program.function(bound).is_some_and(|f| f.has_body);
                let bound = declared.first().copied().filter(|_| !is_implementation).unwrap_or(bound);
                for (at, argument) in site.arguments.iter().enumerate() {
                    if argument.is_spread {
                        break;
                    }
                    let has_parameter = |f: &typescript::facts::Function| f.params.get(at).is_some_and(|p| !p.is_rest);
                    let takes_object = |def: &GlobalDef| self.program.function(*def).is_some_and(has_parameter);
                    if argument.keys.is_some() && declared.iter().any(takes_object) {
                        let positions = objects.entry(bound).or_default();
                        if !positions.contains(&(at as u16)) {
                            positions.push(at as u16);
                        }
                    }
                }
            }
        }
        objects
    }

    /// Adds the positions, from `first` on, of the parameters of a signature that a call passes object literals to.
    fn add_object_parameters(
        &self,
        signature: GlobalDef,
        first: usize,
        site: &CallExpr,
        objects: &mut FxHashMap<GlobalDef, SmallVec<[u16; 2]>>,
    ) {
        let Some(function) = self.program.function(signature) else { return };
        let arguments = site.arguments.iter().enumerate().take_while(|(_, argument)| !argument.is_spread);
        for (at, _) in arguments.skip(first).filter(|(_, argument)| argument.keys.is_some()) {
            let takes_object = function.params.get(at).is_some_and(|parameter| !parameter.is_rest);
            let positions = objects.entry(signature).or_default();
            if takes_object && !positions.contains(&(at as u16)) {
                positions.push(at as u16);
            }
        }
    }

    /// The overloads that call sites take, by file and call site. A call with several candidates counts for none.
    fn taken_overloads(
        &mut self,
        resolved: &[Vec<ResolvedCall>],
        rows: &DefinitionRows,
        declared: &DeclaredRows,
    ) -> Vec<FxHashMap<usize, u16>> {
        let mut taken: Vec<FxHashMap<usize, u16>> = vec![FxHashMap::default(); resolved.len()];
        let mut listed: FxHashMap<GlobalDef, SmallVec<[GlobalDef; 2]>> = FxHashMap::default();
        for (file, resolved) in resolved.iter().enumerate() {
            for (site, resolved) in resolved.iter().enumerate() {
                let (overloads, is_declared) = match (&resolved.candidates[..], resolved.value) {
                    (&[callee], _) => {
                        let is_declared = rows.of_def.get(&callee).is_some_and(|row| declared.is_declaration(*row));
                        let overloads = listed.entry(callee).or_insert_with(|| self.listed_overloads(callee));
                        (overloads.clone(), is_declared)
                    }
                    ([], Some(value)) => (self.value_signatures(value), false),
                    _ => continue,
                };
                let (file, id) = (FileIndex::new(file), CallExprId::new(site));
                let overload = match self.taken_overload(file, id, &overloads) {
                    None if is_declared => self.accepting_overload(file, id, &overloads),
                    overload => overload,
                };
                if let Some(overload) = overload {
                    taken[file.index()].insert(site, overload);
                }
            }
        }
        taken
    }

    /// The function to whose parameters arguments are bound: the candidate itself, or its constructor if it is a class.
    fn bound_function(&mut self, candidate: GlobalDef) -> Option<GlobalDef> {
        if self.program.function(candidate).is_some() { Some(candidate) } else { self.constructor(candidate) }
    }

    /// The call site `site` of a file, with its candidates as rows and its arguments bound to parameters.
    fn linked_call(
        &self,
        file: usize,
        site: CallExprId,
        resolved: &ResolvedCall,
        rows: &DefinitionRows,
        definitions: &[LinkedDefinition],
    ) -> LinkedCall {
        let index = FileIndex::new(file);
        let facts = self.program.facts(index);
        let row = facts.site(site);
        let mut candidates: SmallVec<[DefinitionRow; 1]> = SmallVec::new();
        for candidate in &resolved.candidates {
            if let Some(&row) = rows.of_def.get(candidate)
                && !candidates.contains(&row)
            {
                candidates.push(row);
            }
        }
        let value = resolved.value.and_then(|value| value.row(rows));
        candidates.extend(value.filter(|row| definitions[row.index()].modifiers.is_constant));
        let declaring = candidates.first().and_then(|row| definitions[row.index()].parent);
        let receiver = resolved.receiver.and_then(|class| rows.of_def.get(&class).copied());
        let receiver = receiver.filter(|receiver| declaring.is_some_and(|declaring| declaring != *receiver));
        let signature = candidates.first().and_then(|row| definitions[row.index()].signature.as_ref());
        // The first argument of a tagged template, the array of its strings, is not written as an argument.
        let arguments = bind::bind(facts, &row.arguments, signature, resolved.bound);
        let arguments = match row.kind {
            CallExprKind::Template if !arguments.is_empty() => arguments.into_vec().split_off(1).into_boxed_slice(),
            _ => arguments,
        };
        let is_unknown = candidates.is_empty() && resolved.why == UnresolvedReason::UnknownReceiver;
        // The definitions in quoted code are outside the sources.
        let is_own = candidates.is_empty() && !resolved.candidates.is_empty();
        let why = if is_own { UnresolvedReason::External } else { resolved.why };
        LinkedCall {
            line: row.line,
            col: row.col,
            caller: row.caller.and_then(|def| self.caller_row(self.program.global_def(index, def), rows)),
            may_be_outside: resolved.may_be_other && candidates.len() == 1,
            candidates,
            receiver,
            overload: None,
            why,
            form: row.form,
            expects_error: row.expects_error,
            receiver_link: ReceiverLink::default(),
            arguments,
            unknown_method: is_unknown.then(|| self.method_name(index, row.callee)).flatten(),
        }
    }

    /// The row of a caller. The row of a constructor is that of its class.
    fn caller_row(&self, def: GlobalDef, rows: &DefinitionRows) -> Option<DefinitionRow> {
        let is_constructor = self.program.function(def).is_some_and(|f| f.kind == FunctionKind::Constructor);
        if is_constructor { self.enclosing_row(def, rows) } else { rows.of_def.get(&def).copied() }
    }

    /// The name of the called property; `None` if the callee is not a property access.
    fn method_name(&self, file: FileIndex, callee: ExprId) -> Option<CompactString> {
        let facts = self.program.facts(file);
        let mut callee = callee;
        loop {
            match facts.expr(callee) {
                Expr::Property { name, .. } => return Some(CompactString::new(facts.name(name))),
                Expr::Narrowed(inner, _) | Expr::NonNull(inner) | Expr::As(inner, _) => callee = inner,
                _ => return None,
            }
        }
    }
}
