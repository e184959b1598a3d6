//! What the project files of Python say about the folders of packages: `pyproject.toml` for each build tool,
//! `setup.cfg` and the literals of `setup.py`. Nothing is executed.

use compact_str::CompactString;
use smallvec::SmallVec;
use toml::{Table, Value};

use crate::{
    paths::{child, folder_of, join},
    project_file::ProjectFile,
};
use apidisc_base::sort::SharedSort as _;
use apidisc_facts::syntax::python::setup_arguments;

/// The greatest number of folders that one project names. A project names few; the rest is left out.
const MAX_FOLDERS: usize = 256;
/// The size in bytes of the largest project file that is read.
const MAX_BYTES: usize = 1 << 20;

/// The folder of a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PackageFolder {
    /// The name of the package as a path, `google/cloud` for `google.cloud`; empty if every package in the folder is
    /// meant: an import root.
    pub(super) name: CompactString,
    /// The path of the folder.
    pub(super) folder: CompactString,
}

/// The folders of packages that project files name, project by project. `is_folder` returns true for the folders of the
/// sources. A project that names none has its packages in its folder `src`, or directly in its own folder.
pub(super) fn package_folders(project: &[ProjectFile], is_folder: impl Fn(&str) -> bool) -> Vec<PackageFolder> {
    let mut files: Vec<&ProjectFile> = project.iter().filter(|file| file.text.len() <= MAX_BYTES).collect();
    files.shared_sort_by_key(|file| folder_of(&file.path));
    let mut all = Vec::new();
    for files in files.chunk_by(|a, b| folder_of(&a.path) == folder_of(&b.path)) {
        let mut project = Project { folder: folder_of(&files[0].path), is_folder: &is_folder, found: Vec::new() };
        let is_project = files.iter().map(|file| project.read(file)).fold(false, |any, each| any | each);
        if is_project && project.found.is_empty() {
            let src = child(project.folder, "src");
            let folder = if is_folder(&src) { src } else { project.folder.into() };
            project.found.push(PackageFolder { name: CompactString::default(), folder });
        }
        all.append(&mut project.found);
    }
    all
}

/// One project, while its files are read.
struct Project<'p> {
    folder: &'p str,
    is_folder: &'p dyn Fn(&str) -> bool,
    found: Vec<PackageFolder>,
}

impl Project<'_> {
    /// Reads a project file. False for a file that describes no project.
    fn read(&mut self, file: &ProjectFile) -> bool {
        match file.name() {
            "pyproject.toml" => file.text.parse::<Table>().is_ok_and(|table| self.read_pyproject(&table)),
            "setup.cfg" => self.read_setup_cfg(&file.text),
            "setup.py" => self.read_setup_py(&file.text),
            _ => false,
        }
    }

    /// Adds the folder of a package, which is relative to the project. The name has dots or slashes.
    fn add(&mut self, name: &str, folder: &str) {
        // A pattern such as `kit/**/*.py` stands for the folder before its star.
        let whole = |path: &str| match path.find('*') {
            Some(star) => path[..star].rfind('/').map_or(CompactString::default(), |end| path[..end].into()),
            None => CompactString::from(path),
        };
        let Some(folder) = join(self.folder, &whole(folder)) else { return };
        let name: SmallVec<[&str; 4]> = name.split(['.', '/']).filter(|part| !part.is_empty()).collect();
        let found = PackageFolder { name: name.join("/").into(), folder };
        if self.found.len() < MAX_FOLDERS && (self.is_folder)(&found.folder) && !self.found.contains(&found) {
            self.found.push(found);
        }
    }

    /// Adds a folder that contains packages.
    fn add_root(&mut self, folder: &str) {
        self.add("", folder);
    }

    /// Adds a package by its path: `src/kit` is imported as `kit`.
    fn add_package(&mut self, path: &str) {
        let path = path.trim_end_matches('/');
        self.add(path.rsplit('/').next().unwrap_or(path), path);
    }

    /// Adds a package that a build tool finds by its dotted name in `src` or in the folder of the project.
    fn add_named(&mut self, name: &str) {
        let path = name.replace('.', "/");
        let in_src = format!("src/{path}");
        let has_src = join(self.folder, &in_src).is_some_and(|folder| (self.is_folder)(&folder));
        self.add(&path, if has_src { &in_src } else { &path });
    }

    fn read_pyproject(&mut self, table: &Table) -> bool {
        let tool = |path: &[&str]| {
            let first = table.get("tool")?;
            path.iter().try_fold(first, |value, key| value.get(key))
        };
        let backend = get(table, &["build-system", "build-backend"]).and_then(Value::as_str).unwrap_or_default();
        let project_name = get(table, &["project", "name"]).and_then(Value::as_str).map(module_of_project);

        // setuptools
        for (name, folder) in strings_of_table(tool(&["setuptools", "package-dir"])) {
            self.add(name, folder);
        }
        if let Some(find) = tool(&["setuptools", "packages", "find"]) {
            match find.get("where") {
                Some(folders) => strings(folders).for_each(|folder| self.add_root(folder)),
                None => self.add_root("."),
            }
        }
        let lists = [tool(&["setuptools", "packages"]), tool(&["setuptools", "py-modules"])];
        if self.found.is_empty() && lists.into_iter().flatten().any(Value::is_array) {
            self.add_root(".");
        }

        // hatch
        for build in [tool(&["hatch", "build"]), tool(&["hatch", "build", "targets", "wheel"])].into_iter().flatten() {
            build.get("packages").into_iter().flat_map(strings).for_each(|path| self.add_package(path));
            let sources = build.get("sources");
            sources.into_iter().flat_map(strings).for_each(|folder| self.add_root(folder));
            for (folder, name) in strings_of_table(sources).chain(strings_of_table(build.get("force-include"))) {
                self.add(name, folder);
            }
            let only = build.get("only-include").filter(|_| sources.is_none());
            only.into_iter().flat_map(strings).for_each(|path| self.add(path, path));
        }

        // poetry
        if let Some(poetry) = tool(&["poetry"]) {
            for package in poetry.get("packages").and_then(Value::as_array).into_iter().flatten() {
                let text = |key: &str| package.get(key).and_then(Value::as_str);
                let Some(include) = text("include") else { continue };
                let path = text("from").map_or_else(|| include.to_owned(), |from| format!("{from}/{include}"));
                let name = text("to").map_or_else(|| include.to_owned(), |to| format!("{to}/{include}"));
                self.add(name.split("/*").next().unwrap_or_default(), &path);
            }
            if poetry.get("packages").is_none() {
                let name = poetry.get("name").and_then(Value::as_str).map(module_of_project);
                name.or(project_name.clone()).into_iter().for_each(|name| self.add_named(&name));
            }
        }

        // flit
        let flit = tool(&["flit", "module", "name"]).or_else(|| tool(&["flit", "metadata", "module"]));
        let flit = flit.and_then(Value::as_str).map(str::to_owned);
        let by_project = || project_name.clone().filter(|_| backend.starts_with("flit"));
        flit.or_else(by_project).into_iter().for_each(|name| self.add_named(&name));

        // uv
        if let Some(uv) = tool(&["uv", "build-backend"]) {
            let root = uv.get("module-root").and_then(Value::as_str).unwrap_or("src");
            self.add_root(if root.is_empty() { "." } else { root });
        }

        // pdm
        let pdm = [tool(&["pdm", "build", "package-dir"]), tool(&["pdm", "package-dir"])];
        pdm.into_iter().flatten().filter_map(Value::as_str).for_each(|folder| self.add_root(folder));

        // maturin
        if let Some(folder) = tool(&["maturin", "python-source"]).and_then(Value::as_str) {
            self.add_root(folder);
        }

        // scikit-build-core
        if let Some(packages) = tool(&["scikit-build", "wheel", "packages"]) {
            strings(packages).for_each(|path| self.add_package(path));
            strings_of_table(Some(packages)).for_each(|(name, folder)| self.add(name, folder));
        }

        // pytest
        let pytest = tool(&["pytest", "ini_options", "pythonpath"]);
        pytest.into_iter().flat_map(strings).flat_map(str::split_whitespace).for_each(|folder| self.add_root(folder));
        ["project", "build-system"].iter().any(|key| table.contains_key(*key)) || tool(&["poetry"]).is_some()
    }

    fn read_setup_cfg(&mut self, text: &str) -> bool {
        let options = ini_section(text, "options");
        let is_project = options.is_some() || ini_section(text, "metadata").is_some();
        let options = options.unwrap_or_default();
        let value = |name: &str| options.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
        for pair in value("package_dir").unwrap_or_default().split([',', '\n']) {
            if let Some((name, folder)) = pair.split_once('=') {
                self.add(name.trim(), folder.trim());
            }
        }
        let packages = value("packages").unwrap_or_default().trim();
        if packages.starts_with("find") {
            let find = ini_section(text, "options.packages.find").unwrap_or_default();
            let folder = find.iter().find(|(key, _)| key == "where").map(|(_, folder)| folder.trim().to_owned());
            if let Some(folder) = folder {
                self.add_root(&folder);
            }
        }
        if self.found.is_empty() && !(packages.is_empty() && value("py_modules").is_none()) {
            self.add_root(".");
        }
        is_project
    }

    fn read_setup_py(&mut self, text: &str) -> bool {
        let arguments = setup_arguments(text);
        for (name, folder) in &arguments.package_dir {
            self.add(name, folder);
        }
        for folder in &arguments.searched {
            if folder != "." || self.found.is_empty() {
                self.add_root(folder);
            }
        }
        if self.found.is_empty() && !arguments.names.is_empty() {
            self.add_root(".");
        }
        arguments.calls_setup
    }
}

/// The value at a path of keys.
fn get<'t>(table: &'t Table, path: &[&str]) -> Option<&'t Value> {
    let (first, rest) = path.split_first()?;
    rest.iter().try_fold(table.get(*first)?, |value, key| value.get(key))
}

/// A string, or the strings of a list.
fn strings(value: &Value) -> impl Iterator<Item = &str> {
    let all = value.as_array().map_or(&[][..], Vec::as_slice);
    value.as_str().into_iter().chain(all.iter().filter_map(Value::as_str))
}

/// The entries of a table whose values are strings.
fn strings_of_table(value: Option<&Value>) -> impl Iterator<Item = (&str, &str)> {
    let table = value.and_then(Value::as_table).into_iter().flatten();
    table.filter_map(|(key, value)| Some((key.as_str(), value.as_str()?)))
}

/// The module that build tools look for by default: the name of the project with `_` in place of `-` and `.`.
fn module_of_project(name: &str) -> String {
    name.replace(['-', '.'], "_").to_lowercase()
}

/// The keys and values of a section of an INI file; `None` if the file has no such section. The lines of a value that
/// goes over several lines are indented.
fn ini_section(text: &str, section: &str) -> Option<Vec<(String, String)>> {
    let mut found: Option<Vec<(String, String)>> = None;
    let mut is_inside = false;
    for line in text.lines() {
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with(['#', ';']) {
            continue;
        }
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.split(']').next()) {
            is_inside = name.trim() == section;
            if is_inside {
                found.get_or_insert_default();
            }
            continue;
        }
        let Some(entries) = found.as_mut().filter(|_| is_inside) else { continue };
        if line.starts_with([' ', '\t']) {
            if let Some((_, value)) = entries.last_mut() {
                value.push('\n');
                value.push_str(trimmed);
            }
        } else if let Some((key, value)) = line.split_once(['=', ':']) {
            entries.push((key.trim().to_lowercase().replace('-', "_"), value.trim().to_owned()));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The folders of packages that a project file of the folder `kit` names, each as `name=folder`.
    fn read(file: &str, text: &str) -> Vec<String> {
        let project = [ProjectFile { path: format!("kit/{file}").into(), text: text.to_owned() }];
        let folders =
            ["", "kit", "kit/python", "kit/python/ns", "kit/python/ns/core", "kit/ns", "kit/ns/core", "kit/code"];
        let found = package_folders(&project, |folder| folders.contains(&folder));
        found.iter().map(|found| format!("{}={}", found.name, found.folder)).collect()
    }

    #[test]
    fn each_build_tool_names_folders_in_its_own_way() {
        for (text, expected) in [
            ("[tool.setuptools.packages.find]\nwhere = [\"python\", \"gone\"]", "=kit/python"),
            ("[tool.setuptools.packages.find]\nnamespaces = true", "=kit"),
            (
                "[tool.setuptools]\npackage-dir = {\"\" = \"python\", \"ns.core\" = \"code\"}",
                "=kit/python ns/core=kit/code",
            ),
            ("[tool.setuptools]\npackages = [\"ns\"]", "=kit"),
            ("[tool.hatch.build.targets.wheel]\npackages = [\"python/ns\"]", "ns=kit/python/ns"),
            ("[tool.hatch.build.targets.wheel]\nsources = [\"python\"]\nonly-include = [\"python/ns\"]", "=kit/python"),
            ("[tool.hatch.build.targets.wheel.sources]\ncode = \"ns/core\"", "ns/core=kit/code"),
            ("[tool.hatch.build]\nonly-include = [\"ns\"]", "ns=kit/ns"),
            ("[[tool.poetry.packages]]\ninclude = \"ns/**/*.py\"\nfrom = \"python\"", "ns=kit/python/ns"),
            ("[[tool.poetry.packages]]\ninclude = \"core\"\nfrom = \"ns\"\nto = \"big\"", "big/core=kit/ns/core"),
            ("[tool.poetry]\nname = \"ns\"", "ns=kit/ns"),
            ("[tool.flit.module]\nname = \"ns.core\"", "ns/core=kit/ns/core"),
            ("[build-system]\nbuild-backend = \"flit_core.buildapi\"\n[project]\nname = \"Ns\"", "ns=kit/ns"),
            ("[tool.uv.build-backend]\nmodule-root = \"python\"", "=kit/python"),
            ("[tool.uv.build-backend]\nmodule-root = \"\"", "=kit"),
            ("[tool.pdm.build]\npackage-dir = \"python\"", "=kit/python"),
            ("[tool.maturin]\npython-source = \"python\"", "=kit/python"),
            ("[tool.scikit-build]\nwheel.packages = [\"python/ns\"]", "ns=kit/python/ns"),
            ("[tool.pytest.ini_options]\npythonpath = \". python\"", "=kit =kit/python"),
            ("[project]\nname = \"x\"", "=kit"),
            ("[tool.ruff]\nline-length = 120", ""),
            ("[tool.hatch.build]\nsources = [\"../../..\"]", ""),
            ("[tool.setuptools\nwhere", ""),
        ] {
            assert_eq!(read("pyproject.toml", text).join(" "), expected, "{text}");
        }
    }

    #[test]
    fn older_project_files_are_read_without_running_them() {
        let sections =
            "[metadata]\nname = x\n[options]\npackage_dir =\n    = python\n    ns.core=code\npackages = find:\n";
        assert_eq!(read("setup.cfg", sections), ["=kit/python", "ns/core=kit/code"]);
        let find = "[options]\npackages = find_namespace:\n\n[options.packages.find]\nwhere = python\n";
        assert_eq!(read("setup.cfg", find), ["=kit/python"]);
        assert_eq!(read("setup.cfg", "[options]\npy_modules = one\n"), ["=kit"]);
        assert!(read("setup.cfg", "[flake8]\nmax-line-length = 120\n").is_empty());
        assert_eq!(read("setup.py", "setup(package_dir={'': 'python'}, packages=find_packages())"), ["=kit/python"]);
        assert_eq!(read("setup.py", "setup(packages=find_packages('python'))"), ["=kit/python"]);
        assert_eq!(read("setup.py", "setup(packages=['ns'])"), ["=kit"]);
        assert_eq!(read("setup.py", "setup(**read())"), ["=kit"]);
        assert!(read("setup.py", "def setup_module(): ...").is_empty());
    }
}
