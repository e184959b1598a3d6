//! What is said of the environments in which packages are installed.

use std::path::Path;

use apidisc::{
    environment::python::{Candidate, EnvironmentSetting, Outcome},
    indexer::{Libraries, OtherVersion, SourceEnvironment},
    unprintable::escaped_line,
};

/// Why an environment that a person names cannot be taken, on one line that begins with the option or setting.
///
/// # Errors
/// That line.
pub fn check(libraries: &Libraries) -> Result<(), String> {
    for SourceEnvironment { named_by, search, .. } in libraries.python.environments.iter() {
        for Candidate { folder, found_by, outcome } in &search.candidates {
            if *found_by != apidisc::environment::python::FoundBy::Named {
                continue;
            }
            let folder = shown(folder);
            let why = match outcome {
                Outcome::Missing => format!("{folder} is not there; name the folder of an environment, or `none`"),
                Outcome::NoPackages => format!(
                    "{folder} holds no site-packages; name the folder of an environment, such as .venv, or `none`"
                ),
                Outcome::Unreadable => {
                    format!("{folder} cannot be read; allow reading it, or name another environment")
                }
                Outcome::Taken { .. } | Outcome::Passed { .. } => continue,
            };
            return Err(format!("{named_by}: {why}"));
        }
    }
    Ok(())
}

/// What a person should know of the environments, one line each: which one was taken, if it holds few of the imported
/// packages; what cannot be read. With `verbose` also what else was looked at.
pub fn notes(libraries: &Libraries, verbose: bool) -> Vec<String> {
    let mut notes = Vec::new();
    for source in libraries.python.environments.iter() {
        notes_of_source(source, libraries, verbose, &mut notes);
    }
    for OtherVersion { package, read, source, other } in libraries.python.environments.other_versions() {
        let (package, source) = (escaped_line(&package), escaped_line(&source));
        notes.push(format!("{package} {other} is installed for {source}; {package} {read} of another source is read"));
    }
    if let Some(archives) = &libraries.node.archives {
        notes.push(format!("npm packages are in Yarn's Plug'n'Play archives, which are not read: {}", shown(archives)));
    }
    if verbose {
        let (python, node) = (&libraries.python, &libraries.node);
        let read = [(&python.files, python.bytes, "Python"), (&node.files, node.bytes, "npm")];
        for (files, bytes, packages) in read.map(|(files, bytes, of)| (files.len(), bytes, of)) {
            if files > 0 {
                notes.push(format!("{files} files of {packages} packages are read, {} kB", bytes.div_ceil(1_000)));
            }
        }
    }
    notes
}

fn notes_of_source(source: &SourceEnvironment, libraries: &Libraries, verbose: bool, notes: &mut Vec<String>) {
    let SourceEnvironment { search, imported, .. } = source;
    let prefix = if source.source.is_empty() { String::new() } else { format!("{}: ", escaped_line(&source.source)) };
    let mut note = |text: String| notes.push(format!("{prefix}{text}"));
    // Modules below an import root of the program turn out to be its own only when it is linked.
    let all = &libraries.python.imported;
    let is_imported = |name: &str| all.binary_search_by(|(known, _)| known.as_str().cmp(name)).is_ok();
    let imported = imported.iter().filter(|name| is_imported(name)).count();
    for Candidate { folder, found_by, outcome } in &search.candidates {
        let folder = shown(folder);
        let holds = |held: &usize| format!("{held} of {imported} imported packages");
        match outcome {
            Outcome::Taken { held } if verbose || held * 2 < imported => {
                note(format!("the environment {folder} ({found_by}) is taken, and holds {}", holds(held)));
            }
            Outcome::Passed { held } if verbose => {
                note(format!("the environment {folder} ({found_by}) holds {}", holds(held)));
            }
            Outcome::Missing if verbose => note(format!("the environment {folder} ({found_by}) is not there")),
            Outcome::NoPackages if verbose => note(format!("{folder} ({found_by}) holds no site-packages")),
            Outcome::Unreadable => note(format!("the environment {folder} ({found_by}) cannot be read")),
            _ => {}
        }
    }
    if let (Some((environment, _)), Some(required)) = (source.taken(), &search.required_python)
        && let Some(version) = environment.version.filter(|version| !version.satisfies(required))
    {
        let required = escaped_line(required);
        note(format!("the environment is of Python {version}, and the project requires {required}"));
    }
    for hook in source.taken().iter().flat_map(|(environment, _)| &environment.hooks) {
        let hook = escaped_line(hook);
        note(format!("{hook} is installed by an import hook that cannot be read; its calls are not resolved"));
    }
    for module in &source.hidden {
        note(format!("{module} is code of the sources, so the installed package {module} is not read"));
    }
}

/// The environments that were taken and what names them, on one line, and where packages are that are not read. `None`
/// if there is nothing to say.
pub(super) fn title(libraries: &Libraries) -> Option<String> {
    let mut parts = Vec::new();
    let sources: Vec<&SourceEnvironment> = libraries.python.environments.iter().collect();
    for source in &sources {
        let is_taken = |candidate: &&Candidate| matches!(candidate.outcome, Outcome::Taken { .. });
        let Some(taken) = source.search.candidates.iter().find(is_taken) else { continue };
        let part = format!("{} ({})", shown(&taken.folder), taken.found_by);
        if !parts.contains(&part) {
            parts.push(part);
        }
    }
    if libraries.node.archives.is_some() {
        parts.push("Yarn's Plug'n'Play archives are not read".to_owned());
    }
    (!parts.is_empty()).then(|| parts.join(" · "))
}

/// Why packages are not shown, where none are looked for.
pub fn why_none(environment: &EnvironmentSetting) -> String {
    match environment {
        EnvironmentSetting::None => "packages are left out by --no-deps".to_owned(),
        _ => "packages are found beside folders of code; these sources have none, or leave packages out".to_owned(),
    }
}

/// A path as a message shows it.
fn shown(path: &Path) -> String {
    escaped_line(&path.display().to_string()).into_owned()
}
