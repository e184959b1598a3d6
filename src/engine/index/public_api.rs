//! The public API of a repository: which public definitions its users import.

use rustc_hash::FxHashMap;

use super::{Definition, File, Index};
use crate::{
    language::{Language, QualifiedName, is_auxiliary_path},
    program::DefinitionId,
    source::Origin,
};

impl Index {
    /// The definitions of [`super::Scope::Repository`], in the order of the index.
    pub(super) fn public_api(&self) -> Vec<DefinitionId> {
        let library: Vec<DefinitionId> = self.public_ids().filter(|&id| self.origin(id) == Origin::Src).collect();
        let is_api = |id: &DefinitionId| {
            let definition = self.definition(*id);
            !self.file_of(definition).is_some_and(|file| file.is_auxiliary) || self.is_offered_by_library(definition)
        };
        let api: Vec<DefinitionId> = library.iter().copied().filter(is_api).collect();
        if !api.is_empty() {
            return api;
        }
        // If the repository publishes no package, all its packages are the API, without the settings of its tools.
        let is_for_users =
            |id: &DefinitionId| !self.file_of(self.definition(*id)).is_some_and(|file| is_auxiliary_path(&file.path));
        let for_users: Vec<DefinitionId> = library.iter().copied().filter(is_for_users).collect();
        if for_users.is_empty() { library } else { for_users }
    }

    /// True if a file of the library that is not auxiliary offers the definition.
    fn is_offered_by_library(&self, definition: &Definition) -> bool {
        definition.aliases.iter().any(|name| {
            let offers = definition.language == Language::TypeScript || self.is_offered_as(definition, name);
            offers && self.is_in_library(name, definition.language)
        })
    }

    /// True for a name in a module of the library that is not auxiliary.
    pub(super) fn is_in_library(&self, name: &str, language: Language) -> bool {
        let file = self.module_of_name(name, language).and_then(|module| module.file);
        let file = file.and_then(|file| self.files.get(file.index()));
        file.is_some_and(|file| file.origin == Origin::Src && !file.is_auxiliary)
    }

    /// The innermost module that contains the definition with this name.
    fn module_of_name(&self, name: &str, language: Language) -> Option<&super::Module> {
        let mut containers = QualifiedName::new(name, language).containers().rev();
        containers.find_map(|module| self.module_names.get(module)).map(|&id| self.module(id))
    }

    /// The file of a definition; `None` in an index that was read without files.
    pub(super) fn file_of(&self, definition: &Definition) -> Option<&File> {
        self.files.get(definition.place.file.index())
    }
}

/// Marks the files of old major versions as auxiliary: those below a folder such as `v3`, beside which there is a
/// folder of a higher version such as `v4`.
pub(crate) fn set_aside_old_versions(files: &mut [File]) {
    let mut newest: FxHashMap<String, u32> = FxHashMap::default();
    for file in files.iter().filter(|file| file.origin == Origin::Src) {
        for (parent, version) in versions(&file.path) {
            let known = newest.entry(parent.to_owned()).or_default();
            *known = version.max(*known);
        }
    }
    for file in files {
        let is_old = versions(&file.path).any(|(parent, version)| newest.get(parent).is_some_and(|&v| version < v));
        file.is_auxiliary |= is_old;
    }
}

/// The folders of a path whose names are versions, such as `v3`, each as the path of its parent and the number.
fn versions(path: &str) -> impl Iterator<Item = (&str, u32)> {
    path.match_indices('/').filter_map(|(end, _)| {
        let start = path[..end].rfind('/').map_or(0, |slash| slash + 1);
        let digits = path[start..end].strip_prefix('v').filter(|digits| digits.len() <= 2)?;
        Some((&path[..start], digits.parse().ok()?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::ModuleId;

    #[test]
    fn old_versions_beside_newer_ones_are_auxiliary() {
        let paths =
            ["src/v3/types.ts", "src/v4/classic/schemas.ts", "src/v4-mini/index.ts", "api/v1/routes.ts", "src/a.ts"];
        let mut files = paths.map(|path| File {
            source: 0,
            path: path.into(),
            origin: Origin::Src,
            is_auxiliary: false,
            language: Language::TypeScript,
            module: ModuleId::new(0),
        });
        set_aside_old_versions(&mut files);
        assert_eq!(files.map(|file| file.is_auxiliary), [true, false, false, false, false]);
    }

    /// The names of the public API of a repository with these files.
    fn api(files: &[(&str, &str)]) -> Vec<String> {
        let files = files.iter().map(|&(path, text)| (path.to_owned(), text.as_bytes().to_vec().into())).collect();
        let source = crate::Source::Memory { name: "m".to_owned(), files };
        let index = crate::indexer::build(&source, &mut |_| crate::control::Control::Continue);
        let index = index.expect("a source").expect("an index");
        let mut names: Vec<String> =
            index.public_api().into_iter().map(|id| index.definition(id).alias.to_string()).collect();
        names.sort();
        names
    }

    #[test]
    fn scripts_and_vendored_code_are_no_api_unless_the_library_offers_them() {
        let files = [
            ("setup.py", "def read(): ...\n"),
            ("kit/__init__.py", "from kit._vendor.urls import Url\nfrom kit.client import Client\n"),
            ("kit/client.py", "from kit._vendor.urls import parse\nclass Client: ...\n"),
            ("kit/_vendor/__init__.py", ""),
            ("kit/_vendor/urls.py", "class Url: ...\ndef parse(): ...\n"),
            ("kit/vendor/__init__.py", ""),
            ("kit/vendor/json.py", "def loads(): ...\n"),
        ];
        assert_eq!(api(&files), ["kit.Client", "kit.Url"]);
        assert_eq!(api(&files[..1]), ["setup.read"]);
    }

    #[test]
    fn the_settings_of_tools_are_no_api_of_a_repository_whose_only_package_is_private() {
        let files = [
            ("package.json", r#"{"name": "store", "private": true, "exports": "./src/index.ts"}"#),
            ("src/index.ts", "export function create() {}\n"),
            ("rollup.config.mjs", "export default function bundle() {}\nexport const entries = [];\n"),
            ("jest.setup.ts", "export function prepare() {}\n"),
        ];
        assert_eq!(api(&files), ["store#create"]);
        assert_eq!(api(&files[3..]), ["jest.setup#prepare"]);
    }

    #[test]
    fn packages_that_are_not_published_are_no_api_unless_a_published_one_offers_them() {
        let files = [
            ("package.json", r#"{"name": "root", "private": true, "workspaces": ["packages/*"]}"#),
            ("packages/kit/package.json", r#"{"name": "kit", "exports": "./index.ts"}"#),
            ("packages/kit/index.ts", "export { join } from '@kit/internal';\nexport function open() {}\n"),
            ("packages/internal/package.json", r#"{"name": "@kit/internal", "private": true, "main": "index.ts"}"#),
            ("packages/internal/index.ts", "export function join() {}\nexport function hide() {}\n"),
            ("build.ts", "export function build() {}\n"),
        ];
        assert_eq!(api(&files), ["kit#join", "kit#open"]);
    }
}
