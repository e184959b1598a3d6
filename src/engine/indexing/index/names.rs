//! Completes the names of definitions: further aliases, the name that is shown, and whether a definition is public.

use std::{cmp::Reverse, iter};

use arcstr::ArcStr;
use compact_str::CompactString;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use thin_vec::ThinVec;

use super::{Definition, Index};
use apidisc_base::{
    control::StepCounter,
    language::{Language, QualifiedName},
};
use apidisc_facts::program::{DefinitionKind, ModuleId};

/// The number of example and documentation files that import or read a definition under a name, by qualified name.
type UsedNames = FxHashMap<CompactString, u32>;

/// Sets `aliases`, `alias` and `is_public` of every definition. The argument `is_public` holds, for each definition,
/// whether linking found it public; if it is `None`, the names decide.
/// Stops early if `steps` is cancelled.
pub(crate) fn assign_names(index: &mut Index, is_public: &[Option<bool>], used: &UsedNames, steps: &StepCounter) {
    for positions in positions_by_depth(index) {
        let name = |steps: &mut StepCounter, at: &usize| steps.step().then(|| names(index, *at, is_public[*at], used));
        let named: Option<Vec<AssignedNames>> = positions.par_iter().map_init(|| steps.clone(), name).collect();
        let Some(names) = named else { return };
        for (at, AssignedNames { aliases, alias, is_public }) in positions.into_iter().zip(names) {
            let definition = &mut index.definitions[at];
            definition.is_public = is_public;
            if let Some(aliases) = aliases {
                definition.aliases = aliases;
            }
            if let Some(alias) = alias {
                definition.alias = alias;
            }
        }
    }
    publish_private_modules(index, is_public);
}

/// If no definition is public, makes those public whose own names and containers are public, whatever the names of
/// their modules: a user who indexes only private modules, such as `_client.py`, wants to see their definitions.
/// Definitions in a folder that cannot be imported stay private.
fn publish_private_modules(index: &mut Index, is_public: &[Option<bool>]) {
    if index.definitions.iter().any(|definition| definition.is_public) {
        return;
    }
    for at in positions_by_depth(index).into_iter().flatten() {
        let definition = &index.definitions[at];
        let is_importable =
            QualifiedName::new(&definition.fqn, definition.language).identifiers().all(|part| !part.is_empty());
        let is_named_public = is_public_identifier(&definition.name)
            && is_importable
            && definition
                .parent
                .map(|parent| &index.definitions[parent.index()])
                .is_none_or(|parent| parent.is_public && has_reachable_members(parent));
        index.definitions[at].is_public = is_public[at].unwrap_or(is_named_public);
    }
}

/// The result of naming one definition.
struct AssignedNames {
    /// All aliases, if there are more than linking found.
    aliases: Option<ThinVec<ArcStr>>,
    /// The name to show, if there is a choice.
    alias: Option<ArcStr>,
    is_public: bool,
}

/// Names a definition whose parent is named already.
fn names(index: &Index, at: usize, is_public: Option<bool>, used: &UsedNames) -> AssignedNames {
    let definition = &index.definitions[at];
    let all_aliases = aliases_through_parent(index, definition);
    let aliases = all_aliases.as_ref().unwrap_or(&definition.aliases);
    let names = || iter::once(&definition.fqn).chain(aliases);
    let is_public = is_public.unwrap_or_else(|| is_named_public(index, definition, names()));
    // A member is shown below the name of its parent, so that both have the same module.
    let below_parent = |name: &&ArcStr| {
        let parent = definition.parent.map(|parent| &index.definitions[parent.index()].alias);
        parent.is_some_and(|parent| QualifiedName::join(parent, &definition.name, definition.language) == name.as_str())
    };
    // The alias of a definition without aliases is its FQN already.
    let best = if aliases.is_empty() {
        None
    } else {
        let best = || names().min_by_key(|&name| display_order(index, definition, name, used));
        names().find(below_parent).or_else(best)
    };
    let alias = best.cloned();
    AssignedNames { aliases: all_aliases, alias, is_public }
}

/// The positions of definitions by their nesting depth, so that parents are named before their members.
fn positions_by_depth(index: &Index) -> Vec<Vec<usize>> {
    let definitions = &index.definitions;
    let depth = |at: usize| iter::successors(definitions[at].parent, |p| definitions[p.index()].parent).count();
    let mut levels: Vec<Vec<usize>> = Vec::new();
    for at in 0..definitions.len() {
        let depth = depth(at);
        if levels.len() <= depth {
            levels.resize_with(depth + 1, Vec::new);
        }
        levels[depth].push(at);
    }
    levels
}

/// All aliases of a definition: its own aliases, and the aliases that follow from aliases of its parent. `None` if the
/// parent adds no alias.
fn aliases_through_parent(index: &Index, definition: &Definition) -> Option<ThinVec<ArcStr>> {
    let parent = &index.definitions[definition.parent?.index()];
    if parent.aliases.is_empty() || !has_reachable_members(parent) {
        return None;
    }
    let member = |parent_name: &ArcStr| {
        ArcStr::from(QualifiedName::join(parent_name, &definition.name, parent.language).as_str())
    };
    let mut names: ThinVec<ArcStr> =
        definition.aliases.iter().cloned().chain(parent.aliases.iter().map(member)).collect();
    if definition.language == Language::TypeScript {
        names.sort_unstable();
        names.dedup();
    }
    Some(names)
}

/// True if other code can reach the members of a definition by name: those of a class, not those of a function.
fn has_reachable_members(definition: &Definition) -> bool {
    match definition.language {
        Language::Python => definition.kind == DefinitionKind::Class,
        Language::TypeScript => !matches!(
            definition.kind,
            DefinitionKind::Function
                | DefinitionKind::Method
                | DefinitionKind::ClassMethod
                | DefinitionKind::StaticMethod
                | DefinitionKind::Property
        ),
    }
}

/// True for a top-level definition with at least one public name, and for a member with a public name of a public
/// class.
fn is_named_public<'n>(index: &Index, definition: &Definition, mut names: impl Iterator<Item = &'n ArcStr>) -> bool {
    match definition.parent.map(|parent| &index.definitions[parent.index()]) {
        Some(parent) => parent.is_public && has_reachable_members(parent) && is_public_identifier(&definition.name),
        None => names.any(|name| !is_private(name, definition.language)),
    }
}

/// The order in which names are preferred for display, best first. Each rule decides between names that are equal by
/// the rules before it:
///
/// 1. public names;
/// 2. names that the definition's own module exports;
/// 3. names whose module part is the name by which files import the module, not its path;
/// 4. for a definition in an auxiliary or internal file, names in modules of the library;
/// 5. names that an example or document uses, or under which the library offers the definition;
/// 6. names that more examples and documents use;
/// 7. names with fewer parts, then shorter names, then the order of the alphabet.
fn display_order<'n>(index: &Index, definition: &Definition, name: &'n str, used: &UsedNames) -> impl Ord + use<'n> {
    let is_hidden = index.file_of(definition).is_some_and(|file| file.is_auxiliary || file.is_internal);
    let uses = used.get(name).copied().unwrap_or_default();
    (
        is_private(name, definition.language),
        is_local(index, definition, name),
        !is_import_name(index, definition, name),
        is_hidden && !index.is_in_library(name, definition.language),
        uses == 0 && !index.is_offered_as(definition, name),
        Reverse(uses),
        QualifiedName::new(name, definition.language).depth(),
        name.len(),
        name,
    )
}

/// True for the FQN of a TypeScript definition that its own module exports only under other names, as by
/// `export { _enum as enum }`.
fn is_local(index: &Index, definition: &Definition, name: &str) -> bool {
    let exports = &index.module(definition.module).exports;
    let is_exported = || exports.binary_search_by(|(exported, _)| exported.as_str().cmp(&definition.name)).is_ok();
    definition.language == Language::TypeScript
        && definition.parent.is_none()
        && name == definition.fqn
        && !is_exported()
}

/// True for a name whose module part is a name by which files import the module, and not its path in the sources. Most
/// Python modules are imported by their paths; [`apidisc_link::linked::LinkedProgram::packages`] has the others.
fn is_import_name(index: &Index, definition: &Definition, name: &str) -> bool {
    match definition.language {
        Language::TypeScript => is_package_name(index, name),
        Language::Python => index.import_names.contains(index.module_part(definition, name)),
    }
}

/// True for a TypeScript name whose module part is the name by which a package is imported.
pub(super) fn is_package_name(index: &Index, name: &str) -> bool {
    let module = name.split_once('#').map_or(name, |(module, _)| module);
    index.import_names.contains(module) || !index.module_names.contains_key(module)
}

/// True for a name that no package can have: `~/lib/files`, `@/lib/files`, `#lib/files`.
fn is_of_a_program(name: &str) -> bool {
    name.starts_with(['~', '#']) || name.starts_with("@/")
}

fn is_private(name: &str, language: Language) -> bool {
    !QualifiedName::new(name, language).identifiers().all(is_public_identifier)
}

/// True for an identifier without a leading `_` (PEP 8), and for names such as `__init__`. The empty identifier, from
/// the folder of a hidden module, is not public.
pub(super) fn is_public_identifier(identifier: &str) -> bool {
    let is_dunder = identifier.len() > 4 && identifier.starts_with("__") && identifier.ends_with("__");
    !identifier.is_empty() && !identifier.starts_with('_') || is_dunder
}

impl Index {
    /// Adds a name by which a module is imported. A module whose FQN is this name keeps the name: the folder `orm` has
    /// the name of the package `orm` inside it.
    pub(crate) fn add_import_name(&mut self, name: CompactString, module: ModuleId) {
        self.module_names.entry(name.clone()).or_insert(module);
        self.import_names.insert(name);
    }

    /// True if the library offers `definition` under `name`: the module in `name` is the definition's own module or a
    /// package above that module. Other modules have the name because they import the definition for themselves.
    pub fn is_offered_as(&self, definition: &Definition, name: &str) -> bool {
        let own_module = self.module(definition.module).fqn.as_str();
        let language = definition.language;
        let module = if let Some((module, _)) = QualifiedName::new(name, language).module_and_path() {
            let entry = self.module_names.get(module).map_or(module, |&id| &self.module(id).fqn);
            // A package offers what the folder of its entry file contains, whatever the name of that file. An `index`
            // module stands for the folder that contains it.
            let folder = entry.rsplit_once('/').map_or("", |(folder, _)| folder);
            if self.import_names.contains(module) { folder } else { entry.strip_suffix("/index").unwrap_or(entry) }
        } else {
            let module = self.module_part(definition, name);
            self.module_names.get(module).map_or(module, |&id| &self.module(id).fqn)
        };
        own_module == module || module.is_empty() || QualifiedName::new(own_module, language).is_below(module)
    }

    /// True for a definition with a name by which code outside of the definition's package imports it. Every Python
    /// definition is importable, since the modules of Python can all be imported. If the sources have no package, every
    /// definition is. A name that the settings of a program alone give, such as `~/lib/files`, is none.
    pub fn is_importable(&self, definition: &Definition) -> bool {
        let mut names = std::iter::once(&definition.alias).chain(&definition.aliases);
        definition.language == Language::Python
            || self.import_names.is_empty()
            || names.any(|name| is_package_name(self, name) && !is_of_a_program(name))
    }

    /// The module part of a name of a Python definition. The rest of the name has as many components as the rest of the
    /// FQN after its module.
    fn module_part<'n>(&self, definition: &Definition, name: &'n str) -> &'n str {
        let own_module = &self.module(definition.module).fqn;
        let inner = definition.fqn.matches('.').count().saturating_sub(own_module.matches('.').count());
        name.rsplitn(inner + 1, '.').last().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use crate::indexer::build;
    use apidisc_base::control::Control;
    use apidisc_facts::source::Source;

    /// The displayed names of the definitions in a repository with these files that are called `name`.
    fn aliases(name: &str, files: &[(&str, &str)]) -> Vec<String> {
        let files = files.iter().map(|&(path, text)| (path.to_owned(), text.as_bytes().to_vec().into())).collect();
        let source = Source::Memory { name: "m".to_owned(), files };
        let index = build(&source, &mut |_| Control::Continue).expect("a source").expect("an index");
        let named = index.definitions.iter().filter(|definition| definition.name == name);
        named.map(|definition| definition.alias.to_string()).collect()
    }

    #[test]
    fn a_class_has_the_name_under_which_examples_import_it() {
        let library = [
            ("kit/__init__.py", "from kit.agents import Agent, LlmAgent\n"),
            ("kit/agents.py", "class LlmAgent:\n    def run(self): ...\n\nAgent = LlmAgent\n"),
        ];
        assert_eq!(aliases("LlmAgent", &library), ["kit.Agent"]);
        let examples = [
            ("examples/a.py", "from kit import LlmAgent\nLlmAgent().run()\n"),
            ("examples/b.py", "from kit import LlmAgent\n"),
            ("examples/c.py", "from kit import Agent\n"),
        ];
        let files = [&library[..], &examples].concat();
        assert_eq!(aliases("LlmAgent", &files), ["kit.LlmAgent"]);
        assert_eq!(aliases("run", &files), ["kit.LlmAgent.run"]);
        let document = [("docs/a.md", "```python\nfrom kit import LlmAgent\n```\n")];
        assert_eq!(aliases("LlmAgent", &[&library[..], &document].concat()), ["kit.LlmAgent"]);
    }

    #[test]
    fn a_class_has_the_name_under_which_examples_read_it() {
        let library = [
            ("kit/__init__.py", ""),
            ("kit/web_app.py", "__all__ = ['App', 'Hook']\nclass App:\n    def run(self): ...\nclass Hook: ...\n"),
            ("kit/web.py", "from .web_app import App, Hook\n__all__ = ('App', 'Hook')\n"),
        ];
        assert_eq!(aliases("App", &library), ["kit.web_app.App"]);
        let example = [("examples/a.py", "from kit import web\napp = web.App()\napp.run()\n")];
        let files = [&library[..], &example].concat();
        assert_eq!(aliases("App", &files), ["kit.web.App"]);
        assert_eq!(aliases("run", &files), ["kit.web.App.run"]);
        assert_eq!(aliases("Hook", &files), ["kit.web_app.Hook"]);
    }

    #[test]
    fn a_definition_has_the_name_of_the_package_whatever_the_name_of_its_entry_file() {
        let package =
            r#"{"name": "kit", "source": "src/kit.ts", "exports": {".": "./dist/kit.js", "./src/*": "./src/*"}}"#;
        let files = [
            ("packages/kit/package.json", package),
            ("packages/kit/src/kit.ts", "export { open } from './api/open';\n"),
            ("packages/kit/src/api/open.ts", "export function open() {}\nexport function hide() {}\n"),
        ];
        assert_eq!(aliases("open", &files), ["kit#open"]);
        assert_eq!(aliases("hide", &files), ["kit/src/api/open#hide"]);
    }

    #[test]
    fn a_definition_has_the_name_of_the_package_if_only_paths_lead_from_that_name_to_its_sources() {
        let files = [
            (
                "tsconfig.base.json",
                r#"{"compilerOptions": {"paths": {"kit": ["./packages/kit/src/public/index.ts"], "kit/*": ["./packages/kit/src/public/*"]}}}"#,
            ),
            ("tsconfig.json", r#"{"extends": "./tsconfig.base.json"}"#),
            (
                "packages/kit/package.json",
                r#"{"name": "kit", "exports": {".": "./dist/index.js", "./node": "./dist/node.js"}}"#,
            ),
            ("packages/kit/src/public/index.ts", "export { open } from '../api/open';\n"),
            ("packages/kit/src/public/node.ts", "export function start() {}\n"),
            ("packages/kit/src/api/open.ts", "export function open() {}\n"),
        ];
        assert_eq!(aliases("open", &files), ["kit#open"]);
        assert_eq!(aliases("start", &files), ["kit/node#start"]);
    }

    #[test]
    fn a_package_inside_a_namespace_has_the_name_that_begins_at_the_root() {
        let files = [
            ("a/src/space/json/__init__.py", "class Encoder: ...\n"),
            ("a/src/space/core.py", "import json\njson.dumps({})\n"),
        ];
        assert_eq!(aliases("Encoder", &files), ["space.json.Encoder"]);
    }

    #[test]
    fn a_package_in_a_folder_of_its_project_has_the_name_by_which_it_is_imported() {
        let files = [
            ("kit-core/python/kit_core/__init__.py", "from kit_core.schema import Schema\ndef load(): ...\n"),
            ("kit-core/python/kit_core/schema.py", "class Schema: ...\ndef text(): ...\n"),
            ("kit/__init__.py", "from kit_core import Schema\n"),
        ];
        assert_eq!(aliases("Schema", &files), ["kit_core.Schema"]);
        assert_eq!(aliases("load", &files), ["kit_core.load"]);
        assert_eq!(aliases("text", &files), ["kit_core.schema.text"]);
    }
}
