//! How many first calls run: names, imports and arguments, as a type checker judges them.
//!
//! `cargo bench --bench first_calls -- FOLDER…` writes the first call of each of the most used public definitions of a
//! folder into a file of its own, at the root of a copy of the folder, and lets pyright or the TypeScript compiler
//! check it. The environment names the checkers, each a command of words with blanks between: `APIDISC_PYRIGHT`, which
//! gets `--outputjson -p FILE`, and `APIDISC_TSC`, which gets `-p FILE`. The definitions of a language whose checker is
//! not named are left out. `--list` prints each code with an error.
//!
//! The names that the reader provides are declared with the type `any`. Errors of three kinds count: a name that
//! nothing binds, an import of the sources that leads nowhere, and arguments that do not fit. No errors are:
//!
//! - imports of other packages, which are not installed, and names of a module that re-exports such a package;
//! - imports and arguments about which the checker says the same in the file of the sources that has the call, as about
//!   code that a build generates;
//! - components in files that only their frameworks compile, such as `Dialog.vue`, which the checker cannot read.
//!
//! Values that may be `null` or `undefined` are arguments that do not fit if a `tsconfig.json` of the folder has
//! `"strict": true`. A definition without a first call is counted apart, in the column
//! `none`, and is not among those of which the column `right` gives the share: abstract classes have no call, and code
//! outside of a function cannot import what stands in it.

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use apidisc::{
    control::Control,
    first_call::{FirstCall, first_call},
    index::Index,
    indexer,
    language::Language,
    program::DefinitionId,
    source::{self, Origin, Source},
};

/// The number of definitions of a folder and language.
const DEFINITIONS: usize = 50;
/// The beginning of the names of the written files.
const STEM: &str = "first_call_";
/// The files of a folder that decide how modules are found.
const PROJECT_FILES: &[&str] = &["package.json", "pyproject.toml", "tsconfig.json"];

/// A written first call.
struct Written {
    fqn: String,
    /// The place of the call in the sources.
    place: Option<String>,
    /// The name of the written file.
    name: String,
    code: String,
    /// The number of lines before those of the first call.
    before: usize,
}

/// An error of a checker: the file, the line from 1, the kind, and the message.
struct Finding {
    file: CheckedFile,
    line: usize,
    kind: &'static str,
    message: String,
}

/// A file that a checker has read.
#[derive(PartialEq, Eq)]
enum CheckedFile {
    /// That of a first call, by its number.
    FirstCall(usize),
    /// A file of the sources, by its path.
    Source(String),
}

impl Written {
    /// The path of the file that has the call, if a checker can read the file.
    fn source(&self) -> Option<&str> {
        let (path, _) = self.place.as_deref()?.rsplit_once(':')?;
        let endings = [".py", ".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs"];
        endings.iter().any(|ending| path.ends_with(ending)).then_some(path)
    }
}

/// The files of the sources that have the calls, each once.
fn sources(written: &[Written]) -> BTreeSet<&str> {
    written.iter().filter_map(Written::source).collect()
}

fn main() {
    let lists = env::args().any(|argument| argument == "--list");
    println!("| folder | language | definitions | none | first calls | name | import | argument | right |");
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for folder in env::args().skip(1).filter(|argument| !argument.starts_with("--")) {
        let folder = PathBuf::from(folder);
        let source = Source::Folder(folder.clone());
        let built = indexer::build(&source, &mut |_| Control::Continue);
        let index = built.expect("the folder is there").expect("nobody cancels");
        for (language, variable) in [(Language::Python, "APIDISC_PYRIGHT"), (Language::TypeScript, "APIDISC_TSC")] {
            if let Ok(checker) = env::var(variable) {
                measure(&folder, &source, &index, language, &checker, lists);
            }
        }
    }
}

/// The most used public definitions of a language, most calls first.
fn most_used(index: &Index, language: Language) -> Vec<DefinitionId> {
    let mut found: Vec<(u32, DefinitionId)> = index
        .definitions_with_ids()
        .filter(|(_, definition)| {
            let file = index.file(definition.place.file);
            definition.language == language
                && definition.is_public
                && definition.kind.is_callable()
                && file.origin == Origin::Src
                && definition.usage.total_calls > 0
        })
        .map(|(id, definition)| (definition.usage.total_calls, id))
        .collect();
    found.sort_by_key(|(calls, id)| (std::cmp::Reverse(*calls), *id));
    found.truncate(DEFINITIONS);
    found.into_iter().map(|(_, id)| id).collect()
}

fn measure(folder: &Path, source: &Source, index: &Index, language: Language, checker: &str, lists: bool) {
    let definitions = most_used(index, language);
    if definitions.is_empty() {
        return;
    }
    let copy = copy_of(folder, index);
    let read = |path: &str| source::reread(source, path);
    let mut written = Vec::new();
    let asked = definitions.len();
    let mut without: Vec<&str> = Vec::new();
    for id in definitions {
        let first = first_call(index, id, &index.typical_calls(id), &read);
        if first.call.is_empty() {
            without.push(&index.definition(id).fqn);
            continue;
        }
        let is_javascript = [".js", ".jsx", ".mjs", ".cjs"].iter().any(|ending| {
            let path = first.place.as_deref().and_then(|place| place.rsplit_once(':')).map(|(path, _)| path);
            path.is_some_and(|path| path.ends_with(ending))
        });
        let dialect = match language {
            Language::Python => Dialect::Python,
            Language::TypeScript if is_javascript => Dialect::JavaScript,
            Language::TypeScript => Dialect::TypeScript,
        };
        let (code, before) = program(&first, dialect);
        let name = format!("{STEM}{}.{}", written.len(), dialect.ending());
        fs::write(copy.path().join(&name), &code).expect("a file");
        let fqn = index.definition(id).fqn.to_string();
        written.push(Written { fqn, place: first.place, name, code, before });
    }
    let findings = match language {
        Language::Python => pyright(copy.path(), index, checker, &written),
        Language::TypeScript => tsc(copy.path(), index, checker, &written),
    };
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    let mut wrong: BTreeMap<usize, Vec<&Finding>> = BTreeMap::new();
    for finding in &findings {
        let CheckedFile::FirstCall(file) = finding.file else { continue };
        let is_of_sources = finding.kind != "name"
            && findings.iter().any(|other| {
                let CheckedFile::Source(path) = &other.file else { return false };
                written[file].source() == Some(path)
                    && without_module(&other.message) == without_module(&finding.message)
            });
        if finding.line > written[file].before && !is_of_sources {
            wrong.entry(file).or_default().push(finding);
        }
    }
    for finding in wrong.values().filter_map(|findings| findings.first()) {
        *kinds.entry(finding.kind).or_default() += 1;
    }
    let count = |kind: &str| kinds.get(kind).copied().unwrap_or_default();
    let right = written.len() - wrong.len();
    let percent = |count: usize, of: usize| count as f64 * 100.0 / of.max(1) as f64;
    println!(
        "| {} | {} | {asked} | {} ({:.0}%) | {} | {} | {} | {} | {:.1}% |",
        folder.file_name().unwrap_or_default().to_string_lossy(),
        language.name(),
        without.len(),
        percent(without.len(), asked),
        written.len(),
        count("name"),
        count("import"),
        count("argument"),
        percent(right, written.len())
    );
    if lists {
        for fqn in without {
            println!("\nnone: {fqn}");
        }
        for (file, findings) in wrong {
            let Written { fqn, place, code, .. } = &written[file];
            println!("\n{fqn} {}\n{code}", place.as_deref().unwrap_or("(made)"));
            for finding in findings {
                println!("  line {}: {}: {}", finding.line, finding.kind, finding.message);
            }
        }
    }
}

/// A copy of the indexed files of a folder, and of the files that decide how modules are found.
fn copy_of(folder: &Path, index: &Index) -> tempfile::TempDir {
    let copy = tempfile::tempdir().expect("a folder");
    let copy_file = |path: &Path| {
        let to = copy.path().join(path);
        let made = to.parent().is_some_and(|parent| fs::create_dir_all(parent).is_ok());
        if made && !to.exists() {
            let _ = fs::copy(folder.join(path), to);
        }
    };
    for file in &index.files {
        let path = Path::new(file.path.as_str());
        copy_file(path);
        for parent in path.ancestors().skip(1) {
            for name in PROJECT_FILES {
                copy_file(&parent.join(name));
            }
        }
    }
    copy
}

/// The language of a written file: that of the file with the call.
#[derive(Clone, Copy)]
enum Dialect {
    Python,
    TypeScript,
    JavaScript,
}

impl Dialect {
    fn ending(self) -> &'static str {
        match self {
            Self::Python => "py",
            Self::TypeScript => "tsx",
            Self::JavaScript => "jsx",
        }
    }

    /// The lines that stand before every first call.
    fn head(self) -> &'static [&'static str] {
        match self {
            Self::Python => &["from typing import Any as _Any", "def _given() -> _Any: ..."],
            Self::TypeScript => &["export {};"],
            Self::JavaScript => &["export {};"],
        }
    }

    /// The declaration of a name that the reader provides.
    fn declaration(self, name: &str) -> String {
        match self {
            Self::Python => format!("{name}: _Any = _given()"),
            Self::TypeScript => format!("declare const {name}: any; type {name} = any;"),
            Self::JavaScript => format!("/** @type {{any}} */ const {name} = undefined;"),
        }
    }
}

/// The code of a file, and the number of lines before those of the first call.
fn program(first: &FirstCall, dialect: Dialect) -> (String, usize) {
    let mut before: Vec<String> = dialect.head().iter().map(|line| (*line).to_owned()).collect();
    let is_name = |name: &&String| !matches!(name.as_str(), "this" | "super");
    before.extend(first.you_provide.iter().filter(is_name).map(|name| dialect.declaration(name)));
    let lines = [&before, &first.imports, &first.setup, &first.call].into_iter().flatten();
    let code = lines.flat_map(|line| [line, "\n"]).collect();
    (code, before.len())
}

/// The output of a command of words, which ends without a crash.
fn run(command: &str, arguments: &[&str], folder: &Path) -> String {
    let mut words = command.split_whitespace();
    let program = words.next().expect("a command");
    let output = Command::new(program).args(words).args(arguments).current_dir(folder).output();
    let output = output.expect("the checker starts");
    let message = String::from_utf8_lossy(&output.stderr);
    // Both checkers end with 1 or 2 where they find errors.
    assert!(matches!(output.status.code(), Some(0..=2)), "the checker fails: {message}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The message of the TypeScript compiler about a missing export, without the name of the module, which other files
/// write as a relative path. Any other message as it is.
fn without_module(message: &str) -> &str {
    message.find("has no exported member").map_or(message, |at| &message[at..])
}

/// The file of a finding, by the path that the checker writes.
fn checked_file(path: &str, copy: &Path) -> CheckedFile {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let number = name.strip_prefix(STEM).and_then(|rest| rest.split('.').next()?.parse().ok());
    let inside = Path::new(path).strip_prefix(copy).unwrap_or(Path::new(path));
    number.map_or_else(|| CheckedFile::Source(inside.display().to_string()), CheckedFile::FirstCall)
}

fn pyright(copy: &Path, index: &Index, checker: &str, written: &[Written]) -> Vec<Finding> {
    // The folders from which the modules are named, and those from which other files import them.
    let mut roots: BTreeSet<&str> = BTreeSet::new();
    for (name, &module) in &index.module_names {
        let Some(file) = index.module(module).file.map(|file| index.file(file)) else { continue };
        let stem = file.path.strip_suffix(".py").unwrap_or_default().trim_end_matches("/__init__");
        let root = stem.strip_suffix(&name.replace('.', "/"));
        roots.extend(root.map(|root| root.trim_end_matches('/')));
    }
    let mut include: Vec<String> = sources(written).into_iter().map(str::to_owned).collect();
    let files = include.len() + written.len();
    include.push(format!("{STEM}*.py"));
    let configuration = serde_json::json!({
        "include": include,
        "exclude": [],
        "extraPaths": roots,
        "typeCheckingMode": "basic",
    });
    fs::write(copy.join("pyrightconfig.json"), configuration.to_string()).expect("a file");
    let output = run(checker, &["--outputjson", "-p", "pyrightconfig.json"], copy);
    let output: serde_json::Value = serde_json::from_str(&output).expect("pyright writes JSON");
    assert_eq!(output["summary"]["filesAnalyzed"].as_u64(), Some(files as u64), "pyright reads all files");
    let is_own = |message: &str| {
        let module = message.split('"').nth(1).unwrap_or_default();
        let first = module.split('.').next().unwrap_or_default();
        index.module_names.keys().any(|name| name.split('.').next() == Some(first))
    };
    let mut findings = Vec::new();
    for diagnostic in output["generalDiagnostics"].as_array().into_iter().flatten() {
        let message = diagnostic["message"].as_str().unwrap_or_default();
        let kind = match diagnostic["rule"].as_str().unwrap_or_default() {
            "reportUndefinedVariable" | "reportUnboundVariable" => "name",
            "reportMissingImports" if is_own(message) => "import",
            "reportAttributeAccessIssue" if message.contains("unknown import symbol") => "import",
            "reportCallIssue" | "reportArgumentType" | "reportAbstractUsage" => "argument",
            _ => continue,
        };
        let file = diagnostic["file"].as_str().map(|path| checked_file(path, copy));
        let line = diagnostic["range"]["start"]["line"].as_u64().unwrap_or_default() as usize + 1;
        findings.extend(file.map(|file| Finding { file, line, kind, message: message.to_owned() }));
    }
    findings
}

/// What the checker has to know of JSX, in place of the packages that are not installed, and of components in files of
/// their own.
const DECLARATIONS: &str = "declare namespace JSX {
    interface ElementChildrenAttribute { children: {} }
    interface IntrinsicAttributes { key?: any; ref?: any }
    interface IntrinsicElements { [name: string]: any }
}
declare module '*.vue';
declare module '*.svelte';
declare module '*.astro';
";

/// True if a module re-exports everything of a package that is not among the sources.
fn reexports_a_package(index: &Index, copy: &Path, module: &str) -> bool {
    let file = index.module_names.get(module).and_then(|&module| index.module(module).file);
    let Some(text) = file.and_then(|file| fs::read_to_string(copy.join(index.file(file).path.as_str())).ok()) else {
        return false;
    };
    let packages = text.lines().filter_map(|line| line.trim().strip_prefix("export * from "));
    packages
        .map(|from| from.trim_matches([';', '\'', '"']))
        .any(|from| !from.starts_with(['.', '@', '~']) && !index.module_names.contains_key(from))
}

fn tsc(copy: &Path, index: &Index, checker: &str, written: &[Written]) -> Vec<Finding> {
    let mut paths: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for name in &index.import_names {
        let file = index.module_names.get(name).and_then(|&module| index.module(module).file);
        paths.extend(file.map(|file| (name.to_string(), vec![format!("./{}", index.file(file).path)])));
    }
    let is_strict = index.files.iter().any(|file| {
        let folders = Path::new(file.path.as_str()).ancestors().skip(1);
        let settings = folders.filter_map(|folder| fs::read_to_string(copy.join(folder).join("tsconfig.json")).ok());
        let mut nearest = settings.take(1);
        nearest.any(|text| text.contains("\"strict\": true"))
    });
    fs::write(copy.join("first_calls.d.ts"), DECLARATIONS).expect("a file");
    let mut files: Vec<String> = sources(written).into_iter().map(str::to_owned).collect();
    files.push("first_calls.d.ts".to_owned());
    files.extend(written.iter().map(|written| written.name.clone()));
    let configuration = serde_json::json!({
        "compilerOptions": {
            "target": "esnext", "module": "esnext", "moduleResolution": "bundler", "jsx": "preserve", "noEmit": true,
            "skipLibCheck": true, "allowJs": true, "checkJs": true, "types": [], "allowImportingTsExtensions": true, "strict": is_strict,
            "noImplicitAny": false, "experimentalDecorators": true, "paths": paths,
        },
        "files": files,
    });
    fs::write(copy.join("first_calls.json"), configuration.to_string()).expect("a file");
    let output = run(checker, &["-p", "first_calls.json", "--pretty", "false"], copy);
    let is_own = |message: &str| {
        let module = message.split('\'').nth(1).unwrap_or_default();
        module.starts_with('.') || index.module_names.contains_key(module)
    };
    let mut findings = Vec::new();
    for line in output.lines() {
        let Some((place, rest)) = line.split_once("): error TS") else { continue };
        let Some((path, position)) = place.rsplit_once('(') else { continue };
        let Some((code, message)) = rest.split_once(": ") else { continue };
        let kind = match code {
            "2304" | "2552" | "2503" | "2448" | "2454" | "2451" | "2686" => "name",
            "2305" if reexports_a_package(index, copy, message.split('"').nth(1).unwrap_or_default()) => continue,
            "2305" | "2614" | "1192" | "2613" | "2724" | "2459" => "import",
            "2307" if is_own(message) => "import",
            "2345" | "2353" | "2511" | "2554" | "2555" | "2739" | "2740" | "2741" | "2769" => "argument",
            _ => continue,
        };
        let line = position.split(',').next().and_then(|line| line.parse().ok()).unwrap_or_default();
        findings.push(Finding { file: checked_file(path, copy), line, kind, message: message.to_owned() });
    }
    findings
}
