//! `--package`: the part of an installed package that the code uses.

use anyhow::bail;

use apidisc::{
    delivery::StubRequest,
    dependencies::{Dependency, DependencyState, InstalledModule, dependencies},
    environment::python::EnvironmentSetting,
    index::Index,
    indexer::Libraries,
    overrides::{OverrideTarget, Overrides},
    unprintable::escaped_line,
};

/// An installed package whose use is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportedPackage {
    /// The name of the distribution, or of a module that is imported.
    pub name: String,
    /// Which environment.
    pub environment: EnvironmentSetting,
    /// Show the optional parameters that no call passes, too.
    pub unused: bool,
}

impl ExportedPackage {
    /// Narrows a request to the package: its module, and without the optional parameters that no call passes.
    ///
    /// # Errors
    /// If the code uses no package of the name, or one that cannot be read.
    pub(super) fn narrow(&self, request: &mut StubRequest, index: &Index, libraries: &Libraries) -> anyhow::Result<()> {
        let packages = dependencies(index, libraries);
        let Some(package) = packages.iter().find(|package| self.names(package)) else {
            let used: Vec<&str> = packages.iter().map(|package| package.package.as_str()).take(8).collect();
            let used = if used.is_empty() { "none".to_owned() } else { used.join(", ") };
            bail!("the code uses no package {}; it uses {}", escaped_line(&self.name), escaped_line(&used));
        };
        let name = escaped_line(&package.package);
        match package.state {
            DependencyState::NotInstalled => {
                bail!("{name} is not installed in an environment that was found; name one with --env, such as .venv")
            }
            DependencyState::Compiled => bail!("{name} is installed as machine code only, which cannot be read"),
            DependencyState::Installed => {}
        }
        // Of several modules, the one that most definitions are used of.
        let definitions_of = |module: &String| {
            let path = |definition: &apidisc::index::Definition| &index.file(definition.place.file).path;
            index
                .definitions
                .iter()
                .filter(|d| InstalledModule::of_file(path(d)).is_some_and(|of| of.name() == module))
                .count()
        };
        let module = package.modules.iter().rev().max_by_key(|module| definitions_of(module));
        request.module = module.cloned();
        if !self.unused {
            request.overrides.banned.extend(unused_parameters(index, &request.overrides));
        }
        Ok(())
    }

    /// True for the name of the distribution in any spelling (PEP 503), and for that of a module.
    fn names(&self, package: &Dependency) -> bool {
        let normalized = |name: &str| name.to_lowercase().replace(['_', '.'], "-");
        normalized(&package.package) == normalized(&self.name) || package.modules.contains(&self.name)
    }
}

/// The optional parameters of definitions of packages that no call passes and that are not pinned.
fn unused_parameters(index: &Index, overrides: &Overrides) -> Vec<OverrideTarget> {
    let mut unused = Vec::new();
    for definition in &index.definitions {
        let is_installed = InstalledModule::of_file(&index.file(definition.place.file).path).is_some();
        let Some(signature) = definition.signature.as_ref().filter(|_| is_installed) else { continue };
        for (position, parameter) in signature.parameters.iter().enumerate() {
            let usage = definition.usage.parameters.get(position);
            if parameter.required
                || parameter.kind.is_variadic()
                || usage.is_some_and(|usage| usage.count + usage.unknown > 0)
            {
                continue;
            }
            let target = OverrideTarget::of(definition, Some(position));
            // A parameter that another one needs, or of a definition that no stub shows, cannot be banned.
            let alone = Overrides { banned: [target.clone()].into(), ..Overrides::default() };
            if target.parameter.is_some() && !overrides.pinned.contains(&target) && alone.problem(index).is_none() {
                unused.push(target);
            }
        }
    }
    unused
}
