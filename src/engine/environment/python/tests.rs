//! Layouts of environments, one test for each tool.

mod projects;

use std::{
    fs,
    path::{Path, PathBuf},
};

use tempfile::TempDir;

use super::{
    Candidate, Distributions, Environment, EnvironmentSetting, FoundBy, InstalledModules, ModuleForm, Outcome,
    PythonVersion, Search, Shell, search,
};

const SITE: &str = "lib/python3.12/site-packages";

/// A folder with files of the test's own.
struct Disk(TempDir);

impl Disk {
    fn new(files: &[(&str, &str)]) -> Self {
        let disk = Self(tempfile::tempdir().expect("a folder"));
        for (path, text) in files {
            disk.write(path, text);
        }
        disk
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.at(path);
        fs::create_dir_all(path.parent().expect("a folder above")).expect("folders");
        fs::write(path, text).expect("a file");
    }

    fn at(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    /// An environment with the modules `names`.
    fn environment(&self, folder: &str, names: &[&str]) {
        self.write(&format!("{folder}/pyvenv.cfg"), "home = /nowhere/bin\nversion = 3.12.4\n");
        for name in names {
            self.write(&format!("{folder}/{SITE}/{name}/__init__.py"), "");
        }
    }

    /// The search for the project in `project`, which imports `flask` and `yaml`. The home folder is `home`.
    fn search(&self, project: &str, shell: Shell) -> Search {
        let shell = Shell { home: Some(self.at("home")), ..shell };
        search(&self.at(project), self.0.path(), &EnvironmentSetting::Auto, &shell, &["flask", "yaml"])
    }

    /// The taken environment, from the root of the disk, and what named it.
    fn taken(&self, project: &str, shell: Shell) -> Option<(String, String)> {
        let found = self.search(project, shell);
        let is_taken = |candidate: &&Candidate| matches!(candidate.outcome, Outcome::Taken { .. });
        let taken = found.candidates.iter().find(is_taken)?;
        let (environment, _) = found.taken.as_ref()?;
        assert_eq!(environment.folder, taken.folder);
        Some((self.relative(&taken.folder), taken.found_by.to_string()))
    }

    fn relative(&self, path: &Path) -> String {
        path.strip_prefix(self.0.path()).unwrap_or(path).display().to_string()
    }
}

#[expect(clippy::unnecessary_wraps, reason = "it is compared with what a search has found, or not")]
fn taken(path: &str, found_by: &str) -> Option<(String, String)> {
    Some((path.to_owned(), found_by.to_owned()))
}

#[test]
fn venv_and_uv_lie_in_the_project_or_above_it() {
    let disk = Disk::new(&[("app/service/main.py", "")]);
    disk.environment("app/.venv", &["flask"]);
    assert_eq!(disk.taken("app/service", Shell::default()), taken("app/.venv", ".venv of the project"));
}

#[test]
fn a_file_names_the_environment() {
    let disk = Disk::new(&[("app/.venv", "../environments/app\n")]);
    disk.environment("environments/app", &["flask"]);
    assert_eq!(disk.taken("app", Shell::default()), taken("app/../environments/app", ".venv of the project"));
}

#[test]
fn poetry_pipenv_and_hatch_name_environments_by_the_path_of_the_project() {
    let hash = |path: &Path| {
        use base64::{Engine as _, engine::general_purpose::URL_SAFE};
        use sha2::Digest as _;
        URL_SAFE.encode(sha2::Sha256::digest(path.to_str().expect("a path").as_bytes()))[..8].to_owned()
    };

    let poetry = Disk::new(&[("app/pyproject.toml", "[tool.poetry]\nname = \"My Shop\"\n")]);
    let folder = format!("home/.cache/pypoetry/virtualenvs/my_shop-{}-py3.12", hash(&poetry.at("app")));
    poetry.environment(&folder, &["flask"]);
    assert_eq!(poetry.taken("app", Shell::default()), taken(&folder, "where poetry keeps it"));

    let pipenv = Disk::new(&[("app/Pipfile", "")]);
    let folder = format!("home/.local/share/virtualenvs/app-{}", hash(&pipenv.at("app/Pipfile")));
    pipenv.environment(&folder, &["flask"]);
    assert_eq!(pipenv.taken("app", Shell::default()), taken(&folder, "where pipenv keeps it"));

    let hatch =
        Disk::new(&[("app/pyproject.toml", "[project]\nname = \"my_shop\"\n[tool.hatch.version]\npath = \"x\"\n")]);
    let folder = format!("home/.local/share/hatch/env/virtual/my-shop/{}/my-shop", hash(&hatch.at("app")));
    hatch.environment(&folder, &["flask"]);
    assert_eq!(hatch.taken("app", Shell::default()), taken(&folder, "where hatch keeps it"));
}

#[test]
fn pdm_names_an_interpreter_or_keeps_the_packages_in_the_project() {
    let disk = Disk::new(&[]);
    disk.environment("environments/app", &["flask"]);
    disk.write("app/.pdm-python", &format!("{}\n", disk.at("environments/app/bin/python").display()));
    assert_eq!(disk.taken("app", Shell::default()), taken("environments/app", ".pdm-python of the project"));

    let flat = Disk::new(&[
        ("app/__pypackages__/3.12/lib/flask/__init__.py", ""),
        ("app/__pypackages__/3.12/lib/flask-3.0.dist-info/METADATA", "Name: Flask\nVersion: 3.0\n"),
    ]);
    let expected = taken("app/__pypackages__/3.12/lib", "__pypackages__/3.12 of the project");
    assert_eq!(flat.taken("app", Shell::default()), expected);
}

#[test]
fn pixi_and_conda_bring_their_own_interpreter() {
    let pixi = Disk::new(&[
        (&format!("app/.pixi/envs/default/{SITE}/flask/__init__.py"), ""),
        ("app/.pixi/envs/default/lib/python3.12/abc.py", ""),
        (&format!("app/.pixi/envs/test/{SITE}/flask/__init__.py"), ""),
    ]);
    let expected = taken("app/.pixi/envs/default", ".pixi/envs/default of the project");
    assert_eq!(pixi.taken("app", Shell::default()), expected);
    let (environment, _) = pixi.search("app", Shell::default()).taken.expect("an environment");
    assert_eq!(environment.standard_library, Some(pixi.at("app/.pixi/envs/default/lib/python3.12")));

    let conda = Disk::new(&[
        ("app/environment.yml", "name: shop\ndependencies: [flask]\n"),
        ("home/miniforge3/envs/shop/conda-meta/history", ""),
        (&format!("home/miniforge3/envs/shop/{SITE}/flask/__init__.py"), ""),
    ]);
    assert_eq!(conda.taken("app", Shell::default()), taken("home/miniforge3/envs/shop", "where conda keeps it"));
}

#[test]
fn settings_of_type_checkers_come_first_and_the_shell_last() {
    let disk = Disk::new(&[("app/pyproject.toml", "[tool.pyright]\nvenvPath = \"..\"\nvenv = \"chosen\"\n")]);
    disk.environment("chosen", &["pip"]);
    disk.environment("app/.venv", &["flask"]);
    assert_eq!(disk.taken("app", Shell::default()), taken("app/../chosen", "named by [tool.pyright]"));

    let shell = Disk::new(&[("app/main.py", "")]);
    shell.environment("shells", &["flask", "yaml"]);
    let variable = Shell { virtual_env: Some(shell.at("shells")), ..Shell::default() };
    assert_eq!(shell.taken("app", variable.clone()), taken("shells", "VIRTUAL_ENV of the shell"));
    shell.environment("app/.venv", &["flask"]);
    assert_eq!(shell.taken("app", variable), taken("app/.venv", ".venv of the project"));
}

#[test]
fn an_environment_that_holds_little_of_what_is_imported_is_passed() {
    let disk = Disk::new(&[("app/main.py", "")]);
    disk.environment("app/.venv", &["pip"]);
    disk.environment("shells", &["flask", "yaml"]);
    let found = disk.search("app", Shell { virtual_env: Some(disk.at("shells")), ..Shell::default() });
    let outcomes: Vec<_> = found.candidates.iter().map(|candidate| candidate.outcome).collect();
    assert_eq!(outcomes, [Outcome::Passed { held: 0 }, Outcome::Taken { held: 2 }]);
}

#[test]
fn a_place_that_cannot_be_taken_is_said() {
    let disk = Disk::new(&[("app/empty/file", ""), ("app/pyrightconfig.json", "{\"venv\": \"gone\"}")]);
    let found = disk.search("app", Shell { virtual_env: Some(disk.at("app/empty")), ..Shell::default() });
    let outcomes: Vec<_> = found.candidates.iter().map(|candidate| (&candidate.found_by, candidate.outcome)).collect();
    let expected = [
        (&FoundBy::Setting("pyrightconfig.json".into()), Outcome::Missing),
        (&FoundBy::Variable("VIRTUAL_ENV".into()), Outcome::NoPackages),
    ];
    assert_eq!(outcomes, expected);
    assert!(found.taken.is_none());
}

#[test]
fn the_folder_of_the_version_is_taken_and_an_older_one_is_not() {
    let disk = Disk::new(&[
        ("venv/pyvenv.cfg", "home = /nowhere/bin\nversion = 3.12.4\n"),
        ("venv/lib/python3.9/site-packages/old.py", ""),
        ("venv/lib/python3.12/site-packages/new.py", ""),
    ]);
    let environment = Environment::read(&disk.at("venv")).expect("an environment");
    assert_eq!(environment.version, Some(PythonVersion { major: 3, minor: 12 }));
    let modules = InstalledModules::of(&environment);
    assert!(modules.holds("new") && !modules.holds("old"));
}

#[test]
fn system_packages_and_extended_environments_are_included_after_the_own_ones() {
    let disk = Disk::new(&[
        ("usr/lib/python3.12/site-packages/shared.py", ""),
        ("usr/lib/python3/dist-packages/debian.py", ""),
        ("usr/lib/python3.12/abc.py", ""),
        ("base/lib/python3.12/site-packages/extended.py", ""),
        ("venv/lib/python3.12/site-packages/own.py", ""),
    ]);
    let settings = format!(
        "home = {}\nversion = 3.12\ninclude-system-site-packages = true\nextends-environment = {}\n",
        disk.at("usr/bin").display(),
        disk.at("base").display()
    );
    disk.write("venv/pyvenv.cfg", &settings);
    let environment = Environment::read(&disk.at("venv")).expect("an environment");
    let folders: Vec<String> = environment.module_folders.iter().map(|folder| disk.relative(&folder.path)).collect();
    let expected = [
        "venv/lib/python3.12/site-packages",
        "base/lib/python3.12/site-packages",
        "usr/lib/python3/dist-packages",
        "usr/lib/python3.12/site-packages",
    ];
    assert_eq!(folders, expected);
    assert_eq!(environment.standard_library, Some(disk.at("usr/lib/python3.12")));
}

#[test]
fn path_files_add_folders_and_no_line_of_code_counts() {
    let site = |path: &str| format!("venv/{SITE}/{path}");
    let disk = Disk::new(&[
        (&site("_member.pth"), "../../../../member/src\n# a comment\n\n/nowhere/at/all\n"),
        ("member/src/member/__init__.py", ""),
        ("member/src/notes/readme.txt", ""),
        (&site("evil.pth"), "import os; os.system('touch canary')\n"),
        (&site("__editable__.mapped-1.0.pth"), "import __editable___mapped_1_0_finder; x.install()\n"),
        (&site("__editable__.hooked-1.0.pth"), "import __editable___hooked_1_0_finder; x.install()\n"),
        (&site("__editable___hooked_1_0_finder.py"), "MAPPING = compute()\n"),
        ("elsewhere/mapped/__init__.py", ""),
    ]);
    let mapping = format!("MAPPING: dict[str, str] = {{'mapped': '{}'}}\n", disk.at("elsewhere/mapped").display());
    disk.write(&site("__editable___mapped_1_0_finder.py"), &mapping);
    let environment = Environment::read(&disk.at("venv")).expect("an environment");
    let modules = InstalledModules::of(&environment);
    assert!(modules.holds("member") && modules.holds("mapped") && !modules.holds("notes"));
    assert_eq!(environment.hooks, ["hooked-1.0"]);
}

#[test]
fn modules_have_forms_and_stubs_come_first() {
    let site = |path: &str| format!("venv/{SITE}/{path}");
    let disk = Disk::new(&[
        (&site("package/__init__.py"), ""),
        (&site("package-stubs/__init__.pyi"), ""),
        (&site("single.py"), ""),
        (&site("single.pyi"), ""),
        (&site("quick.cpython-312-x86_64-linux-gnu.so"), ""),
        (&site("space/part/__init__.py"), ""),
        (&site("__pycache__/single.cpython-312.pyc"), ""),
        (&site("not-a-name/__init__.py"), ""),
    ]);
    let environment = Environment::read(&disk.at("venv")).expect("an environment");
    let modules = InstalledModules::of(&environment);
    let forms = |name: &str| modules.get(name).iter().map(|module| module.form).collect::<Vec<_>>();
    assert_eq!(forms("package"), [ModuleForm::Stubs, ModuleForm::Package]);
    assert_eq!(forms("single"), [ModuleForm::File]);
    assert_eq!(forms("quick"), [ModuleForm::Compiled]);
    assert_eq!(forms("space"), [ModuleForm::Namespace]);
    assert!(!modules.holds("__pycache__") && !modules.holds("not-a-name"));
}

#[test]
fn distributions_are_found_by_name_and_by_their_lists_of_files() {
    let site = |path: &str| format!("venv/{SITE}/{path}");
    let disk = Disk::new(&[
        (&site("flask/__init__.py"), ""),
        (&site("flask-3.0.dist-info/METADATA"), "Metadata-Version: 2.1\nName: Flask\nVersion: 3.0\n\nVersion: 9\n"),
        (&site("yaml/__init__.py"), ""),
        (&site("pyyaml-6.0.dist-info/METADATA"), "Name: PyYAML\nVersion: 6.0\n"),
        (&site("pyyaml-6.0.dist-info/RECORD"), "yaml/__init__.py,sha256=x,1\n../../../bin/x.py,,\n"),
        (&site("types_PyYAML-6.1.dist-info/METADATA"), "Name: types-PyYAML\nVersion: 6.1\n"),
        (&site("types_PyYAML-6.1.dist-info/RECORD"), "yaml-stubs/__init__.pyi,,\n"),
        (&site("old.egg-info/PKG-INFO"), "Name: old\nVersion: 1\n"),
        (&site("old.py"), ""),
        (&site("attr/__init__.py"), ""),
        (&site("attrs-24.0.dist-info/RECORD"), "attr/__init__.py,,\nattrs/__init__.py,,\n"),
    ]);
    let environment = Environment::read(&disk.at("venv")).expect("an environment");
    let found = Distributions::of(&environment, ["flask", "yaml", "old", "attr", "none"]);
    let named = |module: &str| {
        let of = found.of_module(module).iter();
        of.map(|distribution| format!("{} {}", distribution.name, distribution.version)).collect::<Vec<_>>()
    };
    assert_eq!(named("flask"), ["Flask 3.0"]);
    assert_eq!(named("yaml"), ["PyYAML 6.0", "types-PyYAML 6.1"]);
    assert_eq!(named("old"), ["old 1"]);
    assert_eq!(named("attr"), ["attrs 24.0"]);
    assert!(named("none").is_empty());
}
