//! Makes an [`Index`] from a linked program.

use std::{iter, sync::Arc};

use arcstr::ArcStr;
use compact_str::CompactString;
use thin_vec::ThinVec;

use super::{compressed::drop_on_new_thread, interner::Interner, other_uses::collect_uses};
use crate::index::{Definition, File, Index, Module, counts, inherited, instances, names, public_api};
use apidisc_base::{
    control::StepCounter,
    diagnostic::Diagnostic,
    language::{Language, is_declaration_file},
};
use apidisc_facts::{
    program::{
        CallSite, Calls, CallsBuilder, DefinitionId, DefinitionPlace, FileId, HttpCall, HttpRoute, HttpUses, ModuleId,
        OtherUses, ReadSite, Resolution,
    },
    source::{Roots, SourceMeta},
};
use apidisc_link::linked::{
    Content, DefinitionRow, LinkedCall, LinkedDefinition, LinkedFile, LinkedProgram, LinkedRead, LinkedRequest,
    LinkedRoute,
};

/// Makes an index from a linked program. `diagnostics` are the problems of parsing. `None` if `steps` was cancelled.
pub(crate) fn assemble(
    sources: Vec<SourceMeta>,
    roots: &Roots,
    linked: LinkedProgram,
    mut diagnostics: Vec<Diagnostic>,
    mut steps: StepCounter,
) -> Option<Index> {
    let LinkedProgram { files, definitions, packages, used_names, diagnostics: project_diagnostics, explanations: _ } =
        linked;
    diagnostics.extend(project_diagnostics);
    diagnostics.sort();
    diagnostics.dedup();
    let mut index = Index { sources, diagnostics, ..Index::default() };
    add_modules(&mut index, roots, &files);
    add_packages(&mut index, &packages);
    let is_public = definitions.iter().map(|definition| definition.is_public).collect::<Vec<_>>();
    let is_public_member = definitions.iter().map(|definition| definition.is_public_member).collect::<Vec<_>>();
    let mut interner = Interner::default();
    let is_complete = add_definitions(&mut index, &definitions, &mut interner, &mut steps);
    drop_on_new_thread(definitions);
    if !is_complete {
        return None;
    }
    let of_calls = steps.clone();
    let sources: Vec<u32> = index.files.iter().map(|file| file.source).collect();
    let ((), (calls, other_uses, unknown_receiver_calls)) = rayon::join(
        || names::assign_names(&mut index, &is_public, &used_names, &steps),
        || collect_calls(&files, &sources, interner, of_calls),
    );
    index.calls = Arc::new(calls);
    index.reads = collect_reads(&files);
    index.other_uses = Arc::new(other_uses);
    index.http = Arc::new(collect_http(&files));
    drop_on_new_thread(files);
    if steps.is_cancelled() {
        return None;
    }
    inherited::add_inherited_members(&mut index, &is_public_member);
    index.unknown_receiver_calls = Arc::new(unknown_receiver_calls);
    instances::note_used_members(&mut index, |_| 1);
    counts::count(&mut index, &steps);
    (!steps.is_cancelled()).then_some(index)
}

/// The id of the definition at a row of the linked program. Definitions keep their order.
pub(super) fn id(row: DefinitionRow) -> DefinitionId {
    DefinitionId::new(row.index())
}

/// Adds all files, their modules, and the packages that contain the modules.
fn add_modules(index: &mut Index, roots: &Roots, files: &[LinkedFile]) {
    let mut names: Vec<(&str, Language)> = Vec::new();
    for file in files {
        let mut name = Some(file.module.as_str());
        while let Some(fqn) = name {
            names.push((fqn, file.language));
            name = file.language.parent_module(fqn);
        }
    }
    names.sort_unstable();
    names.dedup_by(|next, first| next.0 == first.0);
    for (i, &(fqn, _)) in names.iter().enumerate() {
        index.module_names.insert(fqn.into(), ModuleId::new(i));
    }
    for (fqn, language) in names {
        let parent = language.parent_module(fqn).and_then(|parent| index.module_names.get(parent).copied());
        index.modules.push(Module::new(fqn.into(), parent));
    }
    for i in 0..index.modules.len() {
        if let Some(parent) = index.modules[i].parent {
            index.modules[parent.index()].children.push(ModuleId::new(i));
            index.modules[parent.index()].is_package = true;
        }
    }
    for file in files {
        let module = index.module_names[&file.module];
        let id = FileId::new(index.files.len());
        index.files.push(File {
            path: file.path.clone(),
            source: roots.position(&file.path) as u32,
            origin: file.origin,
            is_auxiliary: file.is_auxiliary,
            is_apart: file.is_apart,
            is_internal: file.is_internal,
            language: file.language,
            module,
        });
        // The examples of a module are in the file of the module.
        if file.content == Content::Examples {
            continue;
        }
        set_module_file(&mut index.modules[module.index()], id, file);
        // A folder exports what its `index` file exports. A file with the folder's own name takes precedence.
        if let (Some(folder), true) = (index.modules[module.index()].parent, file.language.is_index_file(&file.path)) {
            let folder = &mut index.modules[folder.index()];
            let own = folder.file.filter(|own| !is_declaration_file(&index.files[own.index()].path));
            set_module_file(folder, id, file);
            folder.file = own.or(folder.file);
        }
    }
    public_api::set_aside_old_versions(&mut index.files);
}

/// Sets `file` as the file of a module, and adds the exports of the file.
fn set_module_file(module: &mut Module, id: FileId, file: &LinkedFile) {
    // A source file takes precedence over a declaration file of the same module.
    if module.file.is_none() || !is_declaration_file(&file.path) {
        module.file = Some(id);
    }
    module.is_package |= file.language.package_folder(&file.path).is_some();
    module.exports.extend(file.exports.iter().map(|(name, row)| (name.clone(), self::id(*row))));
    module.exports.sort();
    module.exports.dedup_by(|a, b| a.0 == b.0);
}

/// Adds the names by which packages are imported. Each comes with the FQN of the module.
fn add_packages(index: &mut Index, packages: &[(CompactString, CompactString)]) {
    for (name, fqn) in packages {
        if let Some(&module) = index.module_names.get(fqn) {
            index.add_import_name(name.clone(), module);
        }
    }
}

/// Adds all definitions to the index, without usage, and lists each one as a member of its class or module. Returns
/// false if `steps` is cancelled; the index then has only some of the definitions.
fn add_definitions(
    index: &mut Index,
    definitions: &[LinkedDefinition],
    interner: &mut Interner,
    steps: &mut StepCounter,
) -> bool {
    let no_usage = Arc::default();
    let files = &index.files;
    let size = definitions.len();
    let definitions = definitions.iter().take_while(|_| steps.step()).map(|linked| {
        let file = FileId::new(linked.file);
        let fqn = ArcStr::from(linked.fqn.as_str());
        let declared_by = linked.declared_by.iter().map(|base| base.map(id));
        Definition {
            alias: fqn.clone(),
            aliases: linked.aliases.iter().map(|alias| ArcStr::from(alias.as_str())).collect(),
            fqn,
            name: interner.text(&linked.name),
            kind: linked.kind,
            language: files[linked.file].language,
            module: files[linked.file].module,
            parent: linked.parent.map(id),
            members: ThinVec::new(),
            place: DefinitionPlace { file, line: linked.line, end_line: linked.end_line },
            summary: linked.summary.as_deref().map(ArcStr::from),
            documentation: linked.documentation.clone(),
            bases: linked.bases.iter().map(|base| interner.text(base)).collect(),
            ancestors: linked.ancestors.iter().copied().map(id).collect(),
            decorators: linked.decorators.iter().map(|decorator| interner.text(decorator)).collect(),
            signature: linked.signature.as_ref().map(|signature| interner.signature(signature, declared_by)),
            annotation: interner.optional_text(linked.annotation.as_deref()),
            value: interner.optional_text(linked.value.as_deref()),
            type_parameters: interner.optional_text(linked.type_parameters.as_deref()),
            modifiers: linked.modifiers,
            overloads: linked
                .overloads
                .iter()
                .map(|overload| interner.unshared_signature(overload, iter::empty()))
                .collect(),
            type_imports: linked
                .type_imports
                .iter()
                .map(|(name, source)| (interner.text(name), interner.text(source)))
                .collect(),
            type_names: linked.type_names.iter().map(|(name, row)| (interner.text(name), row.map(id))).collect(),
            signature_of: linked.signature_of.map(id),
            is_public: false,
            typical_call: None,
            used_members: ThinVec::new(),
            usage: Arc::clone(&no_usage),
        }
    });
    // Exactly the needed capacity is reserved, because definitions are large and are kept.
    index.definitions.reserve_exact(size);
    index.definitions.extend(definitions);
    if steps.is_cancelled() {
        return false;
    }
    // A parent may come after its member: if a class is defined several times, all members belong to the last one.
    for at in 0..index.definitions.len() {
        let id = DefinitionId::new(at);
        if let Some(parent) = index.definitions[at].parent {
            index.definitions[parent.index()].members.push(id);
        } else {
            let module = index.definitions[at].module;
            index.modules[module.index()].definitions.push(id);
        }
    }
    true
}

/// The tables of all call sites and of all other uses, and the numbers of calls on receivers of unknown type. They are
/// incomplete if `steps` is cancelled. `sources` has the source of each file.
fn collect_calls(
    files: &[LinkedFile],
    sources: &[u32],
    mut interner: Interner,
    mut steps: StepCounter,
) -> (Calls, OtherUses, counts::UnknownReceiverCalls) {
    let mut unknown_receiver_calls = counts::UnknownReceiverCalls::default();
    let mut calls = CallsBuilder::with_capacity(files.iter().map(|file| file.calls.len()).sum());
    for (i, file) in files.iter().enumerate() {
        for call in &file.calls {
            if !steps.step() {
                break;
            }
            if let Some(name) = &call.unknown_method {
                unknown_receiver_calls.add(name, sources[i], 1);
            }
            let site = call_site(FileId::new(i), call, &mut calls);
            calls.push(site, call.overload);
            if let Some(taken) = &call.taken {
                calls.set_taken((**taken).clone());
            }
            if !call.passed_keys.is_empty() {
                calls.set_passed_keys(call.passed_keys.as_slice().into());
            }
        }
    }
    let calls = calls.finish(|text| interner.text(text));
    (calls, collect_uses(files, &mut interner), unknown_receiver_calls)
}

/// The table of all read sites.
fn collect_reads(files: &[LinkedFile]) -> Arc<[ReadSite]> {
    let sites = files.iter().enumerate().flat_map(|(i, file)| {
        file.reads.iter().map(move |&LinkedRead { line, col, reader, attribute, receiver, through, form }| ReadSite {
            file: FileId::new(i),
            line,
            col,
            reader: reader.map(id),
            attribute: id(attribute),
            receiver: receiver.map(id),
            through: through.map(id),
            form,
        })
    });
    sites.collect()
}

/// The calls of HTTP APIs and the routes of all files.
fn collect_http(files: &[LinkedFile]) -> HttpUses {
    let calls = files.iter().enumerate().flat_map(|(i, file)| {
        file.requests.iter().map(move |LinkedRequest { line, col, caller, request }| HttpCall {
            file: FileId::new(i),
            line: *line,
            col: *col,
            caller: caller.map(id),
            request: request.clone(),
        })
    });
    let routes = files.iter().enumerate().flat_map(|(i, file)| {
        file.routes.iter().map(move |LinkedRoute { line, method, path, handler }| HttpRoute {
            file: FileId::new(i),
            line: *line,
            method: method.as_deref().map(ArcStr::from),
            path: path.as_str().into(),
            handler: handler.map(id),
        })
    });
    HttpUses { calls: calls.collect(), routes: routes.collect() }
}

fn call_site(file: FileId, call: &LinkedCall, calls: &mut CallsBuilder) -> CallSite {
    let resolution = match (call.resolved(), &call.candidates[..]) {
        (Some(row), _) => Resolution::Resolved(id(row)),
        (None, []) => Resolution::Unresolved(call.why),
        _ => Resolution::Ambiguous(calls.intern_candidates(call.candidates.iter().map(|&row| id(row)).collect())),
    };
    CallSite {
        file,
        line: call.line,
        col: call.col,
        caller: call.caller.map(id),
        receiver: call.receiver.map(id),
        through: call.through.map(id),
        resolution,
        syntax: call.syntax,
        receiver_link: call.receiver_link,
        arguments: calls.intern_arguments(&call.arguments),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::{LookupError, Scope};
    use apidisc_base::control::{Control, StepReports};
    use apidisc_facts::{program::DefinitionKind, source::Origin};

    /// An index with three parts:
    ///
    /// - the package `@acme/http` in `packages/http`: a class with a method, and a private function. The
    ///   package's `index` exports the class;
    /// - `packages/math`: two functions, one of which has the name of the function in `packages/http`;
    /// - a file at the root whose module name has a dot.
    fn index() -> Index {
        let files = [
            ("packages/http/src/client", "client.ts"),
            ("packages/http/src/index", "index.ts"),
            ("packages/math/src/point", "point.ts"),
            ("vite.config", "vite.config.ts"),
        ];
        let rows = [
            (0, "packages/http/src/client#Client", DefinitionKind::Class, None, true),
            (0, "packages/http/src/client#Client.get", DefinitionKind::Method, Some(DefinitionRow::new(0)), true),
            (0, "packages/http/src/client#twice", DefinitionKind::Function, None, false),
            (2, "packages/math/src/point#pointFrom", DefinitionKind::Function, None, true),
            (2, "packages/math/src/point#twice", DefinitionKind::Function, None, true),
        ];
        let aliases = ["@acme/http#Client", "packages/http/src/index#Client"];
        let definition =
            |(at, &(file, fqn, kind, parent, is_public)): (usize, &(usize, &str, _, _, bool))| LinkedDefinition {
                aliases: aliases.iter().filter(|_| at == 0).map(|&alias| alias.into()).collect(),
                parent,
                is_public: Some(is_public),
                ..LinkedDefinition::new(
                    file,
                    fqn.into(),
                    fqn.rsplit(['#', '.']).next().expect("a name").into(),
                    kind,
                    at as u32 + 1,
                )
            };
        let linked = LinkedProgram {
            definitions: rows.iter().enumerate().map(definition).collect(),
            files: files
                .iter()
                .map(|&(module, file)| LinkedFile {
                    path: format!(
                        "{}{file}",
                        module.rsplit_once('/').map_or(String::new(), |(at, _)| at.to_owned() + "/")
                    )
                    .into(),
                    language: Language::TypeScript,
                    content: Content::Code,
                    origin: Origin::Src,
                    is_auxiliary: false,
                    is_apart: false,
                    is_internal: false,
                    module: module.into(),
                    exports: if file == "index.ts" {
                        vec![("Client".into(), DefinitionRow::new(0))]
                    } else {
                        Vec::new()
                    },
                    calls: Vec::new(),
                    reads: Vec::new(),
                    uses: Vec::new(),
                    requests: Vec::new(),
                    routes: Vec::new(),
                })
                .collect(),
            packages: vec![("@acme/http".into(), "packages/http".into())],
            ..LinkedProgram::default()
        };
        assemble(Vec::new(), &Roots::default(), linked, Vec::new(), StepReports::new().0).expect("nobody cancels")
    }

    #[test]
    fn making_an_index_can_be_cancelled() {
        let linked = LinkedProgram {
            files: vec![LinkedFile {
                path: "a.py".into(),
                language: Language::Python,
                content: Content::Code,
                origin: Origin::Src,
                module: "a".into(),
                is_auxiliary: false,
                is_apart: false,
                is_internal: false,
                exports: Vec::new(),
                calls: Vec::new(),
                reads: Vec::new(),
                uses: Vec::new(),
                requests: Vec::new(),
                routes: Vec::new(),
            }],
            definitions: vec![LinkedDefinition::new(0, "a.f".into(), "f".into(), DefinitionKind::Function, 1)],
            ..LinkedProgram::default()
        };
        let (steps, reports) = StepReports::new();
        std::thread::scope(|scope| {
            let observer = scope.spawn(|| reports.follow(|_| Control::Cancel));
            while !steps.is_cancelled() {
                drop(steps.clone()); // A counter reports when it is dropped.
                std::thread::yield_now();
            }
            assert!(assemble(Vec::new(), &Roots::default(), linked, Vec::new(), steps).is_none());
            assert!(!observer.join().expect("no panic"));
        });
    }

    #[test]
    fn modules_are_folders_and_files() {
        let index = index();
        let names: Vec<&str> = index.modules.iter().map(|module| module.fqn.as_str()).collect();
        let parts = ["packages", "packages/http", "packages/http/src", "packages/http/src/client"];
        assert_eq!(names[..4], parts);
        assert_eq!(names.last(), Some(&"vite.config"));
        assert_eq!(index.root_modules().count(), 2);
        let folder = &index.modules[2];
        assert!(folder.is_package && folder.exports.len() == 1 && folder.file == Some(FileId::new(1)));
    }

    #[test]
    fn aliases_begin_with_the_name_of_the_package() {
        let index = index();
        let aliases: Vec<&str> = index.definitions.iter().map(|definition| definition.alias.as_str()).collect();
        assert_eq!(aliases[0], "@acme/http#Client");
        assert_eq!(aliases[1], "@acme/http#Client.get");
        assert_eq!(aliases[3], "packages/math/src/point#pointFrom");
        let public: Vec<bool> = index.definitions.iter().map(|definition| definition.is_public).collect();
        assert_eq!(public, [true, true, false, true, true]);
    }

    #[test]
    fn modules_and_definitions_are_found_by_suffix() {
        let index = index();
        let module = |name| {
            index.scope(Some(name), None).map(|scope| match scope {
                Scope::Module(id) => index.module(id).fqn.to_string(),
                other => panic!("{other:?}"),
            })
        };
        assert_eq!(module("packages/math").as_deref(), Ok("packages/math"));
        assert_eq!(module("math/src/point").as_deref(), Ok("packages/math/src/point"));
        assert_eq!(module("@acme/http").as_deref(), Ok("packages/http"));
        assert!(
            matches!(module("src/piont"), Err(LookupError::Unknown { nearest, .. }) if nearest[0] == "packages/math/src/point")
        );
        let definition = |module, name| match index.scope(module, Some(name)) {
            Ok(Scope::Definition(id)) => id.index(),
            other => panic!("{name}: {other:?}"),
        };
        for name in ["Client", "client#Client", "@acme/http#Client", "packages/http/src/client#Client"] {
            assert_eq!(definition(None, name), 0, "{name}");
        }
        assert_eq!(definition(None, "Client.constructor"), 0);
        assert_eq!(definition(None, "Client.get"), 1);
        assert_eq!(definition(None, "src/client#Client.get"), 1);
        assert_eq!(definition(None, "pointFrom"), 3);
        assert_eq!(definition(Some("http/src/client"), "twice"), 2);
        assert_eq!(definition(Some("@acme/http"), "Client"), 0);
        assert_eq!(definition(Some("packages/http/src"), "Client.get"), 1);
        assert_eq!(definition(Some("client#Client"), "get"), 1);
        assert!(index.scope(None, Some("vite")).is_err());
    }

    #[test]
    fn members_of_a_package_include_those_of_its_modules() {
        let index = index();
        let members = |name| index.members(index.scope(Some(name), None).expect("a module")).len();
        assert_eq!((members("packages"), members("packages/http/src"), members("point")), (3, 1, 2));
    }
}
