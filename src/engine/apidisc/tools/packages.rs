//! `list_dependencies`, and how other tools answer about installed packages: by the parameter `package`, and for names
//! that begin with a module of one.

use std::{fmt::Write as _, sync::Arc};

use serde_json::Value;

use super::{Arguments, CheckedCall, Kind, Parameter, Tool, ToolAnswer, count, symbols::SYMBOLS};
use apidisc_answering::answers::{SymbolTable, is_symbol_hash};
use apidisc_base::unprintable::escaped_line;
use apidisc_indexing::{
    index::Index,
    packages::{Dependency, DependencyState},
};

/// The parameters that name modules and symbols.
const NAMES: [&str; 4] = ["module_name", "target_symbol", SYMBOLS, "hash"];

/// The budget of the list, in tokens.
const BUDGET: usize = 1000;

/// The parameter for an installed package.
pub const PACKAGE: &str = "package";

pub(super) const OF_PACKAGE: Parameter =
    Parameter::optional(PACKAGE, Kind::Text, "Of this installed package").or(&["library", "dependency"]);

pub(super) const LIST_DEPENDENCIES: Tool = Tool {
    name: "list_dependencies",
    title: "Packages",
    description: "The installed packages that this code calls: version and counts, about 20 tokens each; for the \
                  argument package of other tools.",
    parameters: &[],
    is_usual: true,
    answer,
};

fn answer(call: &CheckedCall<'_>) -> Result<ToolAnswer, String> {
    let packages = call.data.packages()?;
    if packages.is_empty() {
        return Ok(ToolAnswer { text: "The code imports no package.\n".to_owned(), ..ToolAnswer::default() });
    }
    let lines: Vec<String> = packages.iter().map(line).collect();
    let render = |shown: usize| {
        let mut text = lines[..shown].concat();
        if shown < lines.len() {
            let _ = writeln!(text, "{} more packages", lines.len() - shown);
        }
        text
    };
    // The largest number of lines that fits: no text is shorter with more lines.
    let counts: Vec<usize> = (0..=lines.len()).collect();
    let shown = counts.partition_point(|&shown| count(&render(shown)) <= BUDGET).saturating_sub(1);
    let names = packages[..shown].iter().map(|package| package.label().into_owned()).collect();
    Ok(ToolAnswer { text: render(shown), names, ..ToolAnswer::default() })
}

fn line(package: &Dependency) -> String {
    let label = package.label();
    let name = escaped_line(&label);
    let version = package.version.as_deref().map_or(String::new(), |version| format!(" {}", escaped_line(version)));
    let plural = |number: u32, noun: &str| format!("{number} {noun}{}", if number == 1 { "" } else { "s" });
    let state = match package.state {
        DependencyState::Compiled => Some("machine code only"),
        DependencyState::Installed if package.is_not_generated() => Some("not generated"),
        state => state.absence(),
    };
    let state = state.map_or(String::new(), |state| format!(" {state}"));
    let used = match package.definitions {
        0 => String::new(),
        definitions => format!(
            "{} of {} with {}, ",
            plural(package.calls, "call"),
            plural(definitions, "definition"),
            plural(package.parameters, "parameter"),
        ),
    };
    let deprecated = match package.deprecated {
        None | Some(0) => String::new(),
        Some(count) => format!("{count} deprecated, "),
    };
    format!("{name}{version}{state}: {used}{deprecated}imported by {}\n", plural(package.imported_by, "file"))
}

/// The arguments of a call about an installed package, with the module of the package where they name no module.
/// `index` is that of the packages.
///
/// # Errors
/// If the code uses no such package, or if it cannot be read.
pub fn within_package(arguments: &Arguments, index: &Index) -> Result<Arguments, String> {
    let packages = index.packages.as_deref().unwrap_or_default();
    let name = arguments.text(PACKAGE).unwrap_or_default();
    let package = Dependency::find(packages, name).map_err(|error| error.to_string())?;
    let places = ["module_name", "module"].into_iter().filter(|place| arguments.may_have(place));
    let mut modules = Vec::new();
    for place in places {
        let module = index.module_of_package(package, arguments.text(place)).map_err(|error| error.to_string())?;
        modules.push((place, Value::String(module)));
    }
    let named = (PACKAGE, Value::String(package.label().into_owned()));
    Ok(arguments.with(modules.into_iter().chain([named])))
}

/// The two indexes from which tools answer: that of the code, and that of the packages which the code uses.
pub trait TwoSides {
    /// The symbols of the code.
    fn symbols(&self) -> &SymbolTable;

    /// The symbols of the packages. If `reads` is false, only if they were read already.
    ///
    /// # Errors
    /// The reason for which they are not known.
    fn symbols_of_packages(&self, reads: bool) -> Result<Arc<SymbolTable>, String>;

    /// The answer of a tool from one side.
    ///
    /// # Errors
    /// The reason for which there is no answer.
    fn answer(&self, tool: &Tool, arguments: &Arguments, of_packages: bool) -> Result<ToolAnswer, String>;
}

/// Answers a call from the side that it asks about: from the packages if it names one, or for names that the code does
/// not define and that begin with a module of a package.
///
/// # Errors
/// The reason for which there is no answer.
pub fn answer_from(sides: &dyn TwoSides, tool: &Tool, arguments: &Arguments) -> Result<ToolAnswer, String> {
    if arguments.text(PACKAGE).is_some_and(|name| !name.is_empty()) {
        let symbols = sides.symbols_of_packages(true)?;
        return sides.answer(tool, &within_package(arguments, symbols.index())?, true);
    }
    let missing = unknown_names(arguments, sides.symbols());
    let Some(about) = of_packages(sides, tool, arguments, &missing) else {
        return sides.answer(tool, arguments, false);
    };
    let known: Vec<&str> = arguments.texts(SYMBOLS).into_iter().filter(|name| !missing.contains(name)).collect();
    if known.is_empty() {
        return Ok(about);
    }
    Ok(sides.answer(tool, &arguments.narrowed(SYMBOLS, &known), false)?.followed_by(about))
}

/// What packages answer for names that the code does not define; `None` if the names are of no package.
fn of_packages(sides: &dyn TwoSides, tool: &Tool, arguments: &Arguments, names: &[&str]) -> Option<ToolAnswer> {
    if names.is_empty() {
        return None;
    }
    // Packages are read only for a name that may begin with one of their modules.
    let reads = names.iter().any(|name| may_be_of_package(name, sides.symbols().index()));
    let symbols = sides.symbols_of_packages(reads).ok()?;
    if !names.iter().any(|name| is_of_package(name, &symbols)) {
        return None;
    }
    let about = sides.answer(tool, &arguments.narrowed(SYMBOLS, names), true).ok()?;
    Some(about).filter(|about| !about.names.is_empty())
}

/// The symbols and modules that a tool is asked for and that the code does not define.
fn unknown_names<'a>(arguments: &'a Arguments, symbols: &SymbolTable) -> Vec<&'a str> {
    // The arguments of a search are words, not names of symbols.
    let searches = arguments.may_have("query") || arguments.may_have("intent") && !arguments.may_have("module_name");
    if searches {
        return Vec::new();
    }
    let index = symbols.index();
    let is_known = |name: &str| {
        symbols.meant(name).is_some() || index.scope(Some(name), None).is_ok() || index.scope(None, Some(name)).is_ok()
    };
    let names = NAMES.into_iter().flat_map(|name| arguments.texts(name));
    names.filter(|name| !name.is_empty() && !is_known(name)).collect()
}

/// True for a name that may begin with a module of a package, as far as the code tells: no hash, and not below a module
/// of the code.
fn may_be_of_package(name: &str, code: &Index) -> bool {
    let first = name.split(['.', '/', '#']).find(|part| !part.is_empty()).unwrap_or_default();
    !is_symbol_hash(name) && !code.module_names.contains_key(first)
}

/// True for a name that begins with a module of a package, and for the hash of a symbol of one.
fn is_of_package(name: &str, symbols: &SymbolTable) -> bool {
    let begins_with = |module: &String| {
        name.strip_prefix(module.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '/', '#']))
    };
    let mut packages = symbols.index().packages.iter().flat_map(|all| all.iter());
    packages.any(|package| package.modules.iter().any(begins_with))
        || (is_symbol_hash(name) && symbols.known(name).is_some())
}
