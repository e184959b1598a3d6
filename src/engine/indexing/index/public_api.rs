//! The public API of a repository: which public definitions its users import.

use rustc_hash::FxHashMap;

use super::{Definition, File, Index};
use apidisc_base::language::{Language, QualifiedName, is_auxiliary_path};
use apidisc_facts::{program::DefinitionId, source::Origin};

impl Index {
    /// The definitions of [`super::Scope::Repository`], in the order of the index.
    pub(super) fn public_api(&self) -> Vec<DefinitionId> {
        if self.is_of_packages() {
            return self.public_ids().collect();
        }
        let library: Vec<DefinitionId> = self.public_ids().filter(|&id| self.origin(id) == Origin::Src).collect();
        let is_api = |id: &DefinitionId| {
            let definition = self.definition(*id);
            let (is_auxiliary, is_internal) =
                self.file_of(definition).map_or((false, false), |file| (file.is_auxiliary, file.is_internal));
            let is_reached = || !is_auxiliary && self.is_reached_without_import(definition);
            !(is_auxiliary || is_internal) || self.is_offered_by_library(definition) || is_reached()
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

    /// True for a definition of an internal file that users reach through a value, without an import of the definition.
    /// The evidence is one of these uses:
    ///
    /// - an example or a document uses it or a member of it;
    /// - a test uses a member of it other than the constructor. A test that uses the definition itself may import it
    ///   from the internal file.
    fn is_reached_without_import(&self, definition: &Definition) -> bool {
        let uses = |definition: &Definition, origins: &[Origin]| {
            origins.iter().any(|&origin| definition.usage.origins[origin as usize] > 0)
        };
        let member_is_used = |id: &DefinitionId| {
            let member = self.definition(*id);
            uses(member, &[Origin::Examples, Origin::Docs])
                || member.name != "constructor" && uses(member, &[Origin::Tests])
        };
        uses(definition, &[Origin::Examples, Origin::Docs]) || definition.members.iter().any(member_is_used)
    }

    /// True if a file of the library that users can import offers the definition.
    fn is_offered_by_library(&self, definition: &Definition) -> bool {
        definition.aliases.iter().any(|name| {
            let offers = definition.language == Language::TypeScript || self.is_offered_as(definition, name);
            offers && self.is_in_library(name, definition.language)
        })
    }

    /// True for a name in a module of the library that users can import.
    pub(super) fn is_in_library(&self, name: &str, language: Language) -> bool {
        let file = self.module_of_name(name, language).and_then(|module| module.file);
        let file = file.and_then(|file| self.files.get(file.index()));
        file.is_some_and(|file| file.origin == Origin::Src && !file.is_auxiliary && !file.is_internal)
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
        file.is_apart |= is_old;
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
    use apidisc_facts::program::ModuleId;

    #[test]
    fn old_versions_beside_newer_ones_are_auxiliary() {
        let paths =
            ["src/v3/types.ts", "src/v4/classic/schemas.ts", "src/v4-mini/index.ts", "api/v1/routes.ts", "src/a.ts"];
        let mut files = paths.map(|path| File {
            source: 0,
            path: path.into(),
            origin: Origin::Src,
            is_auxiliary: false,
            is_apart: false,
            is_internal: false,
            language: Language::TypeScript,
            module: ModuleId::new(0),
        });
        set_aside_old_versions(&mut files);
        assert_eq!(files.map(|file| file.is_auxiliary), [true, false, false, false, false]);
    }

    /// The names of the public API of a repository with these files.
    fn api(files: &[(&str, &str)]) -> Vec<String> {
        let files = files.iter().map(|&(path, text)| (path.to_owned(), text.as_bytes().to_vec().into())).collect();
        let source = apidisc_facts::source::Source::Memory { name: "m".to_owned(), files };
        let index = crate::indexer::build(&source, &mut |_| apidisc_base::control::Control::Continue);
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
            ("package.json", r#"{"name": "store", "private": true, "main": "./src/index.ts"}"#),
            ("src/index.ts", "export function create() {}\n"),
            ("rollup.config.mjs", "export default function bundle() {}\nexport const entries = [];\n"),
            ("jest.setup.ts", "export function prepare() {}\n"),
        ];
        assert_eq!(api(&files), ["store#create"]);
        assert_eq!(api(&files[3..]), ["jest.setup#prepare"]);
    }

    #[test]
    fn an_outermost_package_with_exports_is_published_though_it_is_private() {
        let files = [
            ("package.json", r#"{"name": "client", "private": true, "exports": "./src/index.ts"}"#),
            ("src/index.ts", "export function send() {}\n"),
            ("codemods/package.json", r#"{"name": "codemods", "version": "1.0.0", "main": "index.ts"}"#),
            ("codemods/index.ts", "export function migrate() {}\n"),
        ];
        assert_eq!(api(&files), ["client#send", "codemods#migrate"]);
    }

    #[test]
    fn internal_files_of_a_package_are_no_api_unless_a_listed_file_offers_them_or_users_reach_them() {
        let api_of = |exports: &str| {
            let package = format!(r#"{{"name": "kit", "exports": {exports}}}"#);
            api(&[
                ("package.json", &package),
                ("README.md", "```ts\nimport { open } from 'kit';\nopen().retry();\n```\n"),
                (
                    "src/index.ts",
                    "import { Handle } from './inner';\nexport { join } from './inner';\n\
                     export function open() { return new Handle(); }\n",
                ),
                (
                    "src/inner.ts",
                    "export function join() {}\nexport function hide() {}\n\
                     export class Handle { retry() {} }\nexport class Spare { constructor() {} }\n",
                ),
                ("src/testing.ts", "export function check() {}\n"),
                ("tests/inner.test.ts", "import { hide, Spare } from '../src/inner';\nhide();\nnew Spare();\n"),
            ])
        };
        assert_eq!(api_of(r#""./dist/index.js""#), ["kit#join", "kit#open", "src/inner#Handle"]);
        let listed = r#"{".": "./dist/index.js", "./testing": "./dist/testing.js", "./style.css": "./style.css"}"#;
        assert_eq!(api_of(listed), ["kit#join", "kit#open", "kit/testing#check", "src/inner#Handle"]);
        let starred = r#"{".": "./dist/index.js", "./*": "./src/*.ts", "./inner": null}"#;
        assert_eq!(api_of(starred), ["kit#join", "kit#open", "kit/testing#check", "src/inner#Handle"]);
        // A listed file is not known, or all files are listed.
        for open in
            [r#"{".": "./dist/index.js", "./more": "./dist/more.js"}"#, r#"{".": "./dist/index.js", "./*": "./*"}"#]
        {
            let all = ["kit#join", "kit#open", "src/inner#Handle", "src/inner#Spare", "src/inner#hide"];
            assert_eq!(api_of(open), [&all[..], &["src/testing#check"]].concat());
        }
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
