//! `list_dependencies`, and the parameter by which other tools answer about an installed package.

use std::fmt::Write as _;

use serde_json::Value;

use super::{Arguments, CheckedCall, Kind, Parameter, Tool, ToolAnswer, count};
use apidisc_base::unprintable::escaped_line;
use apidisc_indexing::{
    index::Index,
    packages::{Dependency, DependencyState},
};

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
        DependencyState::NotInstalled => " not installed",
        DependencyState::Compiled => " machine code only",
        DependencyState::Installed => "",
    };
    let used = match package.definitions {
        0 => String::new(),
        definitions => format!(
            "{} of {} with {}, ",
            plural(package.calls, "call"),
            plural(definitions, "definition"),
            plural(package.parameters, "parameter"),
        ),
    };
    format!("{name}{version}{state}: {used}imported by {}\n", plural(package.imported_by, "file"))
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
