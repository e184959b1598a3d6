//! Parts of a program that are installed editably: members of a workspace, and the project itself. Their own files are
//! read, and the files of one belong to a package for the others.

use std::{collections::BTreeSet, path::Path};

use compact_str::{CompactString, format_compact};
use serde::{Deserialize, Serialize};

use apidisc_environment::{
    listing,
    python::{Distribution, Distributions, Environment, InstalledModules, ModuleFolderKind},
};
use apidisc_link::{linked::Content, python::LinkFile};

/// The parts of a program that are installed editably.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Members(Vec<Member>);

/// A module of a part.
#[derive(Debug, Serialize, Deserialize)]
struct Member {
    /// The folder of the package or the file of the module, as a path of the index.
    module: CompactString,
    /// The folder of the project that the module is a part of, as a path of the index; empty for the whole program.
    project: CompactString,
    /// The name of the distribution.
    package: String,
}

impl Members {
    /// The package that the file `called` belongs to for code in the file `caller`. `None` if it is not installed, or
    /// if both files belong to one project. Both are paths of the index.
    pub fn package_of(&self, called: &str, caller: &str) -> Option<&str> {
        let member = longest(self.0.iter().filter(|member| is_below(called, &member.module)), |member| &member.module)?;
        let project =
            longest(self.0.iter().filter(|member| is_below(caller, &member.project)), |member| &member.project);
        project.is_none_or(|project| project.project != member.project).then_some(member.package.as_str())
    }

    /// Adds the modules of `environment` that lie in `project`, the folder of the source `source`.
    pub(super) fn add(&mut self, source: &str, project: &Path, environment: &Environment, modules: &InstalledModules) {
        let project = listing::real_path(project).unwrap_or_else(|| project.to_owned());
        let in_index = |path: &Path| {
            let inner = listing::real_path(path)?.strip_prefix(&project).ok()?.to_str()?.replace('\\', "/");
            Some(match (source, inner.as_str()) {
                ("", inner) => CompactString::from(inner),
                (source, "") => source.into(),
                (source, inner) => format_compact!("{source}/{inner}"),
            })
        };
        let is_added = |folder: Option<usize>| {
            folder.is_none_or(|at| environment.module_folders[at].kind == ModuleFolderKind::Added)
        };
        let added: Vec<(&str, &Path, CompactString)> = modules
            .iter()
            .filter(|(_, module)| is_added(module.folder))
            .filter_map(|(name, module)| Some((name, module.path.as_path(), in_index(&module.path)?)))
            .collect();
        if added.is_empty() {
            return;
        }
        let editable = Distributions::editable(environment);
        let by_project = |path: &Path| {
            let of_project = |distribution: &&Distribution| {
                distribution.project.as_ref().is_some_and(|folder| path.starts_with(folder))
            };
            let depth = |distribution: &&Distribution| distribution.project.as_ref().map(|p| p.components().count());
            editable.iter().filter(of_project).max_by_key(depth)
        };
        // A search by name may read the lists of files of all distributions.
        let others = added.iter().filter(|(_, path, _)| by_project(path).is_none());
        let by_name = Distributions::of(environment, others.map(|(name, ..)| *name));
        for (name, path, module) in added {
            let by_project = by_project(path);
            let Some(distribution) = by_project.or_else(|| by_name.of_module(name).first()) else { continue };
            let folder = by_project.and_then(|distribution| distribution.project.as_deref());
            // Without the folder of the project: the folder around the modules, or around `src`.
            let around = path.parent().map(|folder| match folder.parent() {
                Some(outer) if folder.ends_with("src") => outer,
                _ => folder,
            });
            let project = folder.or(around).and_then(in_index).unwrap_or_default();
            self.0.push(Member { module, project, package: distribution.name.clone() });
        }
    }
}

impl Members {
    /// Adds the modules `own` of the program that have the names of distributions which are installed editably from
    /// folders that are not there any more: an environment may have been made elsewhere.
    pub(super) fn add_by_name(&mut self, environment: &Environment, own: &BTreeSet<CompactString>, files: &[LinkFile]) {
        for (name, distribution) in Distributions::editable_named(environment, own) {
            let is_gone = distribution.project.as_ref().is_none_or(|folder| !listing::is_folder(folder));
            let of_module = files.iter().find(|file| file.module == *name && file.content == Content::Code);
            let Some(file) = of_module.filter(|_| is_gone) else { continue };
            let module = file.path.strip_suffix("/__init__.py").unwrap_or(&file.path);
            if self.0.iter().any(|known| known.module == module) {
                continue;
            }
            let folder = module.rsplit_once('/').map_or("", |(folder, _)| folder);
            let project = folder.strip_suffix("src").map_or(folder, |outer| outer.trim_end_matches('/'));
            self.0.push(Member { module: module.into(), project: project.into(), package: distribution.name });
        }
    }
}

/// True for a path in a folder, for the folder itself, and for all paths if the folder is empty.
fn is_below(path: &str, folder: &str) -> bool {
    folder.is_empty() || path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn longest<'m>(
    members: impl Iterator<Item = &'m Member>,
    path: impl Fn(&Member) -> &CompactString,
) -> Option<&'m Member> {
    members.max_by_key(|member| path(member).len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_of_one_project_is_no_package_for_itself() {
        let member = |module: &str, project: &str, package: &str| Member {
            module: module.into(),
            project: project.into(),
            package: package.to_owned(),
        };
        let members = Members(vec![member("src/shop", "", "shop"), member("libs/till/till", "libs/till", "Till")]);
        assert_eq!(members.package_of("libs/till/till/a.py", "src/shop/main.py"), Some("Till"));
        assert_eq!(members.package_of("libs/till/till/a.py", "libs/till/tests/test_a.py"), None);
        assert_eq!(members.package_of("src/shop/main.py", "tests/test_main.py"), None);
        assert_eq!(members.package_of("src/shop/main.py", "libs/till/till/a.py"), Some("shop"));
        assert_eq!(members.package_of("src/shopping/main.py", "libs/till/till/a.py"), None);
    }
}
