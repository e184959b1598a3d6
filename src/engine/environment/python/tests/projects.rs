//! Environments that do not fit their project, or only partly, and projects in their own environment.

use super::{
    super::{Distributions, Environment, InstalledModules, ModuleForm, Outcome, PythonVersion, Shell},
    Disk, SITE, taken,
};

#[test]
fn uv_and_poetry_keep_environments_in_the_project_or_where_they_are_told() {
    let uv = Disk::new(&[("app/uv.lock", ""), ("app/packages/member/main.py", "")]);
    uv.environment("elsewhere", &["flask"]);
    uv.environment("app/.venv", &["flask"]);
    // The workspace has one environment, beside its lock file.
    assert_eq!(uv.taken("app/packages/member", Shell::default()), taken("app/.venv", ".venv of the project"));
    let told = Shell { uv_project_environment: Some(uv.at("elsewhere")), ..Shell::default() };
    assert_eq!(uv.taken("app/packages/member", told), taken("elsewhere", "UV_PROJECT_ENVIRONMENT of the shell"));

    let poetry = Disk::new(&[("app/poetry.lock", ""), ("app/pyproject.toml", "[tool.poetry]\nname = \"shop\"\n")]);
    poetry.environment("app/.venv", &["flask"]);
    assert_eq!(poetry.taken("app", Shell::default()), taken("app/.venv", ".venv of the project"));
}

#[test]
fn conda_names_its_environment_in_the_shell_or_keeps_it_in_the_project() {
    let shell = Disk::new(&[("app/main.py", ""), ("conda/conda-meta/history", "")]);
    shell.write(&format!("conda/{SITE}/flask/__init__.py"), "");
    let prefix = Shell { conda_prefix: Some(shell.at("conda")), ..Shell::default() };
    assert_eq!(shell.taken("app", prefix), taken("conda", "CONDA_PREFIX of the shell"));

    let inside = Disk::new(&[("app/.conda/conda-meta/history", "")]);
    inside.write(&format!("app/.conda/{SITE}/flask/__init__.py"), "");
    assert_eq!(inside.taken("app", Shell::default()), taken("app/.conda", ".conda of the project"));
}

#[test]
fn a_requirement_says_which_versions_of_python_fit() {
    let version = |minor| PythonVersion { major: 3, minor };
    for requirement in
        [">=3.9", ">=3.9,<4", ">=3.9.2", "~=3.8", "==3.9.*", "==3.*", "!=3.9.1", "<3.9.5", ">=3", "", "odd"]
    {
        assert!(version(9).satisfies(requirement), "{requirement}");
    }
    for requirement in [">=3.10", "<3.9", "==3.10.*", "~=3.10", ">=4", "<3", "~=3.8.1", "<=3.8"] {
        assert!(!version(9).satisfies(requirement), "{requirement}");
    }
    let disk = Disk::new(&[("app/pyproject.toml", "[project]\nrequires-python = \">=3.13\"\n")]);
    disk.environment("app/.venv", &["flask"]);
    let found = disk.search("app", Shell::default());
    assert_eq!(found.required_python.as_deref(), Some(">=3.13"));
}

#[test]
fn a_namespace_package_has_parts_in_several_folders() {
    let site = |path: &str| format!("venv/{SITE}/{path}");
    let disk = Disk::new(&[
        (&site("space/one/__init__.py"), ""),
        (&site("more.pth"), "../../../../more\n"),
        ("more/space/two/__init__.py", ""),
    ]);
    let modules = InstalledModules::of(&Environment::read(&disk.at("venv")).expect("an environment"));
    let places: Vec<String> = modules.get("space").iter().map(|place| disk.relative(&place.path)).collect();
    assert_eq!(places, [site("space"), "more/space".to_owned()]);
    assert!(modules.get("space").iter().all(|place| place.form == ModuleForm::Namespace));
    assert!(!modules.is_installed("space"));
}

#[test]
fn an_editable_distribution_names_its_project() {
    let origin = "{\"url\": \"file:///home/me/my%20shop\", \"dir_info\": {\"editable\": true}}";
    let site = |path: &str| format!("venv/{SITE}/{path}");
    let disk = Disk::new(&[
        (&site("shop-1.dist-info/METADATA"), "Name: Shop\nVersion: 1\n"),
        (&site("shop-1.dist-info/direct_url.json"), origin),
        (&site("shop-1.dist-info/RECORD"), "__editable___shop_1_finder.py,,\nshop-1.dist-info/METADATA,,\n"),
        (&site("flask-3.dist-info/METADATA"), "Name: Flask\nVersion: 3\n"),
        (&site("flask-3.dist-info/direct_url.json"), "{\"url\": \"file:///x\", \"dir_info\": {}}"),
    ]);
    let environment = Environment::read(&disk.at("venv")).expect("an environment");
    let editable = Distributions::editable(&environment);
    let projects: Vec<_> = editable.iter().map(|found| (found.name.as_str(), found.project.clone())).collect();
    assert_eq!(projects, [("Shop", Some("/home/me/my shop".into()))]);
    // The hook is no module of the distribution.
    assert_eq!(Distributions::of(&environment, ["shop"]).of_module("shop").len(), 1);
    // A distribution whose modules are elsewhere is not half installed.
    let named = Distributions::named(&environment, [&"shop".into(), &"flask".into(), &"none".into()]);
    assert_eq!(named.iter().map(|(module, _)| module.as_str()).collect::<Vec<_>>(), ["flask"]);
}

#[test]
fn of_many_distributions_each_is_found() {
    let disk = Disk::new(&[("venv/pyvenv.cfg", "version = 3.12\n")]);
    let site = disk.at("venv").join(SITE);
    for at in 0..10_000 {
        std::fs::create_dir_all(site.join(format!("kit_{at}-1.{at}.dist-info"))).expect("a folder");
    }
    disk.write(&format!("venv/{SITE}/kit_9999/__init__.py"), "");
    let environment = Environment::read(&disk.at("venv")).expect("an environment");
    let found = Distributions::of(&environment, ["kit_9999", "kit_5"]);
    assert_eq!(found.of_module("kit_9999")[0].version, "1.9999");
    assert_eq!(found.of_module("kit_5")[0].version, "1.5");
}

#[cfg(unix)]
#[test]
fn an_environment_that_cannot_be_read_is_said() {
    use std::{fs, os::unix::fs::PermissionsExt as _};
    let disk = Disk::new(&[("app/main.py", ""), ("app/.venv/file", "")]);
    let set = |mode| fs::set_permissions(disk.at("app/.venv"), fs::Permissions::from_mode(mode)).expect("it is ours");
    set(0);
    let found = disk.search("app", Shell::default());
    // The superuser reads all folders.
    let expected = if fs::read_dir(disk.at("app/.venv")).is_ok() { Outcome::NoPackages } else { Outcome::Unreadable };
    set(0o700);
    assert_eq!(found.candidates.iter().map(|candidate| candidate.outcome).collect::<Vec<_>>(), [expected]);
}
