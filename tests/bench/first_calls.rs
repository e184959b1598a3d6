//! How many first calls run: names, imports and arguments, as a type checker judges them.
//!
//! `cargo bench --bench first_calls -- FOLDER…` writes the first call of each of the most used public definitions of a
//! folder into a file of its own, at the root of a copy of the folder, and lets pyright or the TypeScript compiler
//! check it. The environment names the checkers, each a command of words with blanks between: `APIDISC_PYRIGHT`, which
//! gets `--outputjson -p FILE`, and `APIDISC_TSC`, which gets `-p FILE`. The definitions of a language whose checker is
//! not named are left out. `--list` prints each code with an error.
//!
//! The names that the reader provides are declared with the type `any`. Errors of three kinds count: a name that
//! nothing binds, an import of the sources that leads nowhere, and arguments that do not fit. Imports of other
//! packages, which are not installed, are no errors.

use std::{
    collections::BTreeMap,
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
const PROJECT_FILES: &[&str] = &["package.json", "pyproject.toml"];

/// A written first call.
struct Written {
    fqn: String,
    code: String,
    /// The number of lines before those of the first call.
    before: usize,
}

/// An error of a checker: the number of the file, the line from 1, the kind, and the message.
struct Finding {
    file: usize,
    line: usize,
    kind: &'static str,
    message: String,
}

fn main() {
    let lists = env::args().any(|argument| argument == "--list");
    println!("| folder | language | first calls | without a call | name | import | argument | right |");
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
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
    let mut empty = 0;
    for id in definitions {
        let first = first_call(index, id, &index.typical_calls(id), &read);
        if first.is_empty() || first.call.is_empty() {
            empty += 1;
        }
        let (code, before) = program(&first, language);
        let ending = if language == Language::Python { "py" } else { "tsx" };
        fs::write(copy.path().join(format!("{STEM}{}.{ending}", written.len())), &code).expect("a file");
        written.push(Written { fqn: index.definition(id).fqn.to_string(), code, before });
    }
    let findings = match language {
        Language::Python => pyright(copy.path(), index, checker),
        Language::TypeScript => tsc(copy.path(), index, checker, written.len()),
    };
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    let mut wrong: BTreeMap<usize, Vec<&Finding>> = BTreeMap::new();
    for finding in findings.iter().filter(|finding| finding.line > written[finding.file].before) {
        wrong.entry(finding.file).or_default().push(finding);
    }
    for finding in wrong.values().filter_map(|findings| findings.first()) {
        *kinds.entry(finding.kind).or_default() += 1;
    }
    let count = |kind: &str| kinds.get(kind).copied().unwrap_or_default();
    let right = written.len() - wrong.len();
    println!(
        "| {} | {} | {} | {empty} | {} | {} | {} | {:.1}% |",
        folder.file_name().unwrap_or_default().to_string_lossy(),
        language.name(),
        written.len(),
        count("name"),
        count("import"),
        count("argument"),
        right as f64 * 100.0 / written.len() as f64
    );
    if lists {
        for (file, findings) in wrong {
            println!("\n{}\n{}", written[file].fqn, written[file].code);
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

/// The code of a file, and the number of lines before those of the first call.
fn program(first: &FirstCall, language: Language) -> (String, usize) {
    let mut before = Vec::new();
    if language == Language::Python {
        before.push("from typing import Any as _Any".to_owned());
        before.push("def _given() -> _Any: ...".to_owned());
        before.extend(first.you_provide.iter().map(|name| format!("{name}: _Any = _given()")));
    } else {
        before.push("export {};".to_owned());
        let is_name = |name: &&String| *name != "this";
        before.extend(first.you_provide.iter().filter(is_name).map(|name| format!("declare const {name}: any;")));
    }
    let lines = [&before, &first.imports, &first.setup, &first.call].into_iter().flatten();
    let code = lines.flat_map(|line| [line, "\n"]).collect();
    (code, before.len())
}

/// Runs a command of words.
fn run(command: &str, arguments: &[&str], folder: &Path) -> String {
    let mut words = command.split_whitespace();
    let program = words.next().expect("a command");
    let output = Command::new(program).args(words).args(arguments).current_dir(folder).output();
    String::from_utf8_lossy(&output.expect("the checker runs").stdout).into_owned()
}

/// The number of a written file, by its path.
fn number(path: &str) -> Option<usize> {
    let name = path.rsplit(['/', '\\']).next()?;
    name.strip_prefix(STEM)?.split('.').next()?.parse().ok()
}

fn pyright(copy: &Path, index: &Index, checker: &str) -> Vec<Finding> {
    // The folders from which the modules are named.
    let mut roots: Vec<String> = Vec::new();
    for module in &index.modules {
        let Some(file) = module.file.map(|file| index.file(file)).filter(|file| file.language == Language::Python)
        else {
            continue;
        };
        let stem = file.path.trim_end_matches(".py").trim_end_matches("/__init__");
        let root = stem.strip_suffix(&module.fqn.replace('.', "/")).unwrap_or_default().trim_end_matches('/');
        if !roots.iter().any(|known| known == root) {
            roots.push(root.to_owned());
        }
    }
    let configuration = serde_json::json!({
        "include": [format!("{STEM}*.py")],
        "extraPaths": roots,
        "typeCheckingMode": "basic",
    });
    fs::write(copy.join("pyrightconfig.json"), configuration.to_string()).expect("a file");
    let output = run(checker, &["--outputjson", "-p", "pyrightconfig.json"], copy);
    let output: serde_json::Value = serde_json::from_str(&output).unwrap_or_default();
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
        let file = diagnostic["file"].as_str().and_then(number);
        let line = diagnostic["range"]["start"]["line"].as_u64().unwrap_or_default() as usize + 1;
        findings.extend(file.map(|file| Finding { file, line, kind, message: message.to_owned() }));
    }
    findings
}

fn tsc(copy: &Path, index: &Index, checker: &str, files: usize) -> Vec<Finding> {
    let mut paths: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for name in &index.import_names {
        let file = index.module_names.get(name).and_then(|&module| index.module(module).file);
        paths.extend(file.map(|file| (name.to_string(), vec![format!("./{}", index.file(file).path)])));
    }
    let configuration = serde_json::json!({
        "compilerOptions": {
            "target": "esnext", "module": "esnext", "moduleResolution": "bundler", "jsx": "preserve", "noEmit": true,
            "skipLibCheck": true, "allowJs": true, "types": [], "allowImportingTsExtensions": true, "strict": true,
            "noImplicitAny": false, "experimentalDecorators": true, "paths": paths,
        },
        "files": (0..files).map(|file| format!("{STEM}{file}.tsx")).collect::<Vec<_>>(),
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
            "2304" | "2552" | "2503" | "2448" | "2454" | "2686" => "name",
            "2305" | "2614" | "1192" | "2613" | "2724" | "2459" => "import",
            "2307" if is_own(message) => "import",
            "2345" | "2353" | "2511" | "2554" | "2555" | "2739" | "2740" | "2741" | "2769" => "argument",
            _ => continue,
        };
        let line = position.split(',').next().and_then(|line| line.parse().ok()).unwrap_or_default();
        findings.extend(number(path).map(|file| Finding { file, line, kind, message: message.to_owned() }));
    }
    findings
}
