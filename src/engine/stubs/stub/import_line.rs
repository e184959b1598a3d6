//! Import statements for the definitions of the sources, in code that a reader writes.

use compact_str::CompactString;

use super::{display, renderer::ImportPath, text::sanitized};
use crate::exports::{exported, exported_by};
use apidisc_base::language::{Language, Origin, typescript::module_of_path};
use apidisc_facts::program::{DefinitionId, FileId};
use apidisc_indexing::{
    index::Index,
    snippet::{Example, ExampleImport, ImportedName},
};

/// The import of a definition under its public name; for a member, the import of the class or function around the
/// member. `None` if no module that code can import exports the definition.
pub fn import_of(index: &Index, id: DefinitionId) -> Option<ExampleImport> {
    let outermost = std::iter::successors(Some(id), |&id| index.definition(id).parent).last()?;
    let definition = index.definition(outermost);
    let ImportPath { module, name, inner } = display::import_path(index, outermost, None);
    let module = sanitized(&module);
    if !display::is_importable(index, outermost, &module) {
        return None;
    }
    Some(match definition.language {
        Language::Python => ExampleImport { local: name.clone(), module, name: ImportedName::Named(name) },
        Language::TypeScript => {
            // A member of a namespace is reached through the namespace.
            let first = inner.split('.').next().unwrap_or(&inner);
            let imported = if first == "default" { ImportedName::Default } else { ImportedName::Named(first.into()) };
            let local = if first == "default" { name } else { CompactString::new(first) };
            let module = package_of(index, outermost, &module, first).map_or(module, str::to_owned);
            ExampleImport { local, module, name: imported }
        }
    })
}

/// The name of a package that exports a definition as `name`, for a module that only files of the sources can import,
/// by its path. A package may declare what another file defines, so that names are compared; every module may have a
/// default export, so that of a default export the own name is compared.
fn package_of<'i>(index: &'i Index, id: DefinitionId, module: &str, name: &str) -> Option<&'i str> {
    let is_path = index.module_names.contains_key(module) && !index.import_names.contains(module);
    if !is_path {
        return None;
    }
    let own_name = &index.definition(id).name;
    let is_same = |package: &&str| {
        let other = exported(index, index.module_names[*package], name);
        name != "default" || other.is_some_and(|other| other == id || index.definition(other).name == *own_name)
    };
    let packages = packages_exporting(index, name).filter(is_same);
    packages.min_by_key(|package| (package.len(), *package))
}

/// The names of the packages that export `name`. What calls show of packages that cannot be read is no export.
fn packages_exporting<'i>(index: &'i Index, name: &str) -> impl Iterator<Item = &'i str> {
    let file = |package: &str| index.module(index.module_names[package]).file;
    let packages = index.import_names.iter().map(CompactString::as_str);
    let packages = packages.filter(move |package| !file(package).is_some_and(|file| index.is_absent_file(file)));
    packages.filter(move |package| exported(index, index.module_names[*package], name).is_some())
}

/// The import that a user of the library writes in place of an import by a relative path or from a private module.
/// `None` if the sources do not define the imported name, if the definition has no public name, or if users reach it
/// through a namespace. Any other import stays as it is.
fn public_import(index: &Index, file: FileId, import: &ExampleImport) -> Option<ExampleImport> {
    let is_private = import.module.split('.').any(|part| part.starts_with('_'));
    if !import.module.starts_with('.') && !is_private {
        let module = index.module_names.get(import.module.as_str()).map(|&module| index.module(module));
        // Nobody but the tests can import their helpers.
        let is_of_tests = module.and_then(|module| module.file).map(|file| index.file(file).origin == Origin::Tests);
        return (is_of_tests != Some(true)).then(|| import.clone());
    }
    let id = imported_definition(index, file, import)?;
    let definition = index.definition(id);
    let is_nested = definition.alias.split_once('#').is_some_and(|(_, inner)| inner.contains('.'));
    let public = import_of(index, id).filter(|_| definition.is_public && !is_nested)?;
    Some(ExampleImport { local: import.local.clone(), ..public })
}

/// The imports that a user of the library writes for an example of calls of some definitions, and the names that remain
/// without a binding. `file` is the file of the example.
pub fn imports_of_example(
    index: &Index,
    called: &[DefinitionId],
    file: Option<FileId>,
    example: &Example,
) -> (Vec<ExampleImport>, Vec<CompactString>) {
    let own: Vec<(DefinitionId, ExampleImport)> =
        called.iter().filter_map(|&id| Some((id, import_of(index, id)?))).collect();
    let (mut imports, mut missing) = (Vec::new(), Vec::new());
    let text = example.lines.join("\n");
    for import in &example.imports {
        let is_root = example.root.as_ref() == Some(&import.local);
        // If the files of a package import a name from the package itself, the package exports the name.
        let of_package = || {
            let (_, own) = own.first().filter(|_| is_root)?;
            let package = index.module_names.get(own.module.as_str())?;
            let names = modules_meant(index, file?, &import.module);
            let is_of_package = names.iter().any(|name| index.module_names.get(name.as_str()) == Some(package));
            is_of_package.then(|| ExampleImport { module: own.module.clone(), ..import.clone() })
        };
        let of_module = || module_import(index, file?, import, &text);
        let public = file.and_then(|file| public_import(index, file, import));
        match public.or_else(of_package).or_else(of_module) {
            Some(public) => imports.push(public),
            None => missing.push(import.local.clone()),
        }
    }
    for name in &example.unbound {
        let is_root = example.root.as_ref() == Some(name);
        if let Some(import) = file.and_then(|file| import_from_file(index, file, name)) {
            if !imports.contains(&import) {
                imports.push(import);
            }
            continue;
        }
        // Documents leave imports out; a file of code has a binding of the name, which another module may not have.
        let is_document = file.is_none_or(|file| index.is_quoted_code(file));
        let own = if is_document { &own[..] } else { own_names(&own, name) };
        match own.iter().find_map(|(id, own)| import_for(index, *id, own, name, is_root, &text)) {
            Some(import) if imports.contains(&import) => {}
            Some(import) => imports.push(import),
            None => missing.push(name.clone()),
        }
    }
    missing.extend(example.given.iter().cloned());
    (imports, missing)
}

/// The import of a module that a file imports by a relative path: `import * as api from "../src/api"` becomes an import
/// of the module that offers all members of `api` which the example `text` uses, and `from . import core` names the
/// package. `None` if there is no such module.
fn module_import(index: &Index, file: FileId, import: &ExampleImport, text: &str) -> Option<ExampleImport> {
    let meant = modules_meant(index, file, &import.module);
    if let ImportedName::Named(name) = &import.name {
        let is_module = |package: &&String| index.module_names.contains_key(format!("{package}.{name}").as_str());
        let package = meant.iter().find(is_module).filter(|_| index.file(file).language == Language::Python)?;
        let is_public =
            package.split('.').chain([name.as_str()]).all(|part| !part.is_empty() && !part.starts_with('_'));
        return is_public.then(|| ExampleImport { module: package.clone(), ..import.clone() });
    }
    let module = meant.iter().find_map(|name| index.module_names.get(name.as_str()).copied())?;
    let mut offering: Option<String> = None;
    for member in members_used(text, &import.local) {
        let own = import_of(index, exported(index, module, member)?)?;
        let is_alike = own.name == ImportedName::Named(member.into());
        let is_same = offering.as_ref().is_none_or(|module| *module == own.module);
        offering = Some(own.module).filter(|_| is_alike && is_same && import.name == ImportedName::Module);
        offering.as_ref()?;
    }
    Some(ExampleImport { module: offering?, ..import.clone() })
}

/// The names behind the dots in `local.name`.
fn members_used<'t>(text: &'t str, local: &str) -> impl Iterator<Item = &'t str> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    let found = text.match_indices(local).filter(move |(at, _)| !text[..*at].ends_with(|c| is_part(c) || c == '.'));
    found.filter_map(move |(at, found)| {
        let after = text[at + found.len()..].strip_prefix('.')?;
        let end = after.find(|c| !is_part(c)).unwrap_or(after.len());
        Some(&after[..end]).filter(|name| !name.is_empty())
    })
}

/// The import of a definition by its own name, if one of the called definitions has the name.
fn own_names<'o>(own: &'o [(DefinitionId, ExampleImport)], name: &str) -> &'o [(DefinitionId, ExampleImport)] {
    own.iter().position(|(_, import)| import.local == name).map_or(&[], |at| &own[at..=at])
}

/// The import of a public definition that the file of an example defines or imports at its top level as `name`.
fn import_from_file(index: &Index, file: FileId, name: &str) -> Option<ExampleImport> {
    let id = exported(index, index.file(file).module, name)?;
    let definition = index.definition(id);
    let public = import_of(index, id)
        .filter(|_| definition.is_public && index.file(definition.place.file).origin != Origin::Tests)?;
    Some(ExampleImport { local: name.into(), ..public })
}

/// The import that binds a name which an example uses without an import. `own` is the import of the called definition.
fn import_for(
    index: &Index,
    id: DefinitionId,
    own: &ExampleImport,
    name: &str,
    is_root: bool,
    text: &str,
) -> Option<ExampleImport> {
    if own.local == name {
        return Some(own.clone());
    }
    let definition = index.definition(id);
    let module =
        |module: &str| ExampleImport { local: name.into(), module: module.to_owned(), name: ImportedName::Module };
    if definition.language == Language::Python
        && own.module.split('.').next() == Some(name)
        && is_module_in(index, name, text)
    {
        let is_whole = text.contains(&format!("{}.", own.module));
        return Some(module(if is_whole { &own.module } else { name }));
    }
    // `np.array(…)`: the name is taken to be the module.
    let is_module = is_root && definition.parent.is_none() && text.contains(&format!("{name}.{}", definition.name));
    let named =
        || ExampleImport { local: name.into(), module: own.module.clone(), name: ImportedName::Named(name.into()) };
    let of_package = || {
        let package = packages_exporting(index, name).min_by_key(|package| (package.len(), *package))?;
        let id = exported_by(index, package, name)?;
        let is_known = definition.language == Language::TypeScript && index.definition(id).is_public;
        is_known.then(|| ExampleImport { module: package.to_owned(), ..named() })
    };
    let of_module = exported_by(index, &own.module, name).map(|_| named());
    of_module.or_else(|| is_module.then(|| module(&own.module))).or_else(of_package)
}

/// True if a code uses the package `name` as a module: each name behind it is one of the package. A variable of the
/// same name, such as `huey = Huey()` of another example, has other members.
fn is_module_in(index: &Index, name: &str, text: &str) -> bool {
    let is_member = |member: &str| {
        exported_by(index, name, member).is_some()
            || index.module_names.contains_key(format!("{name}.{member}").as_str())
    };
    let mut members = members_used(text, name).peekable();
    members.peek().is_some() && members.all(is_member)
}

/// The definition that a file imports. `None` for the import of a whole module, and if the sources do not define the
/// name.
fn imported_definition(index: &Index, file: FileId, import: &ExampleImport) -> Option<DefinitionId> {
    let name = match &import.name {
        ImportedName::Module => return None,
        ImportedName::Default => "default",
        ImportedName::Named(name) => name,
    };
    let names = modules_meant(index, file, &import.module);
    let module = names.iter().find_map(|name| index.module_names.get(name.as_str()).copied())?;
    exported(index, module, name)
}

/// The names of the modules that `written` may mean in a file, most likely first.
fn modules_meant(index: &Index, file: FileId, written: &str) -> Vec<String> {
    let file = index.file(file);
    if !written.starts_with('.') {
        return vec![written.to_owned()];
    }
    match file.language {
        Language::Python => {
            let module = index.module(file.module);
            let dots = written.bytes().take_while(|&byte| byte == b'.').count();
            // One dot is the package of the module.
            let up = dots - usize::from(module.is_package);
            let parts: Vec<&str> = module.fqn.split('.').collect();
            let Some(kept) = parts.len().checked_sub(up) else { return Vec::new() };
            let below = Some(&written[dots..]).filter(|below| !below.is_empty());
            vec![parts[..kept].iter().copied().chain(below).collect::<Vec<_>>().join(".")]
        }
        Language::TypeScript => {
            let mut parts: Vec<&str> = file.path.split('/').collect();
            parts.pop();
            for part in written.split('/') {
                match part {
                    "." | "" => {}
                    ".." => {
                        if parts.pop().is_none() {
                            return Vec::new();
                        }
                    }
                    part => parts.push(part),
                }
            }
            let path = parts.join("/");
            let index_file = if path.is_empty() { "index".to_owned() } else { format!("{path}/index") };
            // `./client.js` stands for `client.ts`.
            vec![path.clone(), module_of_path(&path).to_owned(), index_file]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use apidisc_base::control::Control;
    use apidisc_facts::source::Source;
    use apidisc_indexing::indexer;

    #[test]
    fn a_variable_with_the_name_of_a_package_is_no_module() {
        let files = [
            ("pkg/__init__.py", "from .client import Client\n"),
            ("pkg/client.py", "class Client:\n    def get(self): ...\n"),
        ];
        let files = files.map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec().into()));
        let source = Source::Memory { name: "m".to_owned(), files: files.into() };
        let index = indexer::build(&source, &mut |_| Control::Continue).expect("files").expect("an index");
        assert!(is_module_in(&index, "pkg", "pkg.Client().get()"));
        assert!(is_module_in(&index, "pkg", "pkg.client.Client().get()"));
        assert!(!is_module_in(&index, "pkg", "pkg.get()") && !is_module_in(&index, "pkg", "run(pkg)"));
    }

    #[test]
    fn imports_lead_to_public_names() {
        let files = [
            ("pkg/__init__.py", "from .client import Client\nfrom ._inner import Pool\n"),
            ("pkg/_inner.py", "class Pool: ...\n"),
            ("pkg/client.py", "class Client:\n    def get(self): ...\n"),
            ("pkg/sub/__init__.py", ""),
            ("pkg/sub/a.py", ""),
            ("web/package.json", "{\"name\": \"@acme/web\", \"main\": \"src/index.ts\"}"),
            (
                "web/src/index.ts",
                "export { open } from './open.js';\nexport declare function make(): void;\nexport default function build() {}\n",
            ),
            ("web/src/open.ts", "export function open() {}\n"),
            ("web/lib/b.js", "export function make() {}\n"),
            ("web/test/a.ts", ""),
        ];
        let files = files.map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec().into()));
        let source = Source::Memory { name: "m".to_owned(), files: files.into() };
        let index = indexer::build(&source, &mut |_| Control::Continue).expect("files").expect("an index");
        let check = |file: &str, module: &str, name: ImportedName, expected: Option<&str>| {
            let local = if let ImportedName::Named(name) = &name { name.clone() } else { "make".into() };
            let file = FileId::new(index.files.iter().position(|other| other.path == file).expect("a file"));
            let import = ExampleImport { local, module: module.to_owned(), name };
            let found = public_import(&index, file, &import);
            let line = found.and_then(|found| ExampleImport::lines(&[found], index.file(file).language).pop());
            assert_eq!(line.as_deref(), expected, "{module}");
        };
        let named = |name: &str| ImportedName::Named(name.into());
        let client = Some("from pkg import Client");
        check("pkg/sub/a.py", "..client", named("Client"), client);
        check("pkg/sub/__init__.py", "..", named("Client"), client);
        check("pkg/client.py", ".", named("Client"), client);
        check("pkg/sub/a.py", "pkg.client", named("Client"), Some("from pkg.client import Client"));
        check("pkg/sub/a.py", "pkg._inner", named("Pool"), Some("from pkg import Pool"));
        check("pkg/sub/a.py", ".....client", named("Client"), None);
        check("pkg/sub/a.py", "..client", ImportedName::Module, None);
        check("web/test/a.ts", "../lib/b", named("make"), Some("import { make } from \"@acme/web\""));
        let open = Some("import { open } from \"@acme/web\"");
        check("web/test/a.ts", "../src/open", named("open"), open);
        check("web/test/a.ts", "../src/open.js", named("open"), open);
        check("web/test/a.ts", "../src", named("open"), open);
        check("web/test/a.ts", "@acme/web", named("open"), open);
        check("web/test/a.ts", "../src", ImportedName::Default, Some("import make from \"@acme/web\""));
        check("web/test/a.ts", "../../../../x", named("open"), None);
    }
}
