//! The limits of linking that a program reaches, and the diagnostics that name them.

use std::collections::BTreeMap;

use compact_str::CompactString;

use apidisc_base::diagnostic::{Diagnostic, Problem};

/// The greatest number of declarations of one function that are considered as its overloads.
pub(crate) const MAX_OVERLOADS: usize = 128;

/// A limit of linking, with its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum LinkLimit {
    /// The number of ancestors that are listed for a class or interface.
    Ancestors(usize),
    /// The number of `export *` between a file and the declaration of a name that it exports.
    Stars(u32),
    /// The number of `from m import *` between a module and the declaration of a name that it imports or exports.
    StarImports(usize),
    /// The number of names that all star imports of a program bind.
    StarNames(usize),
    /// The nesting of resolutions of exports.
    Exports(u32),
    /// The nesting of computations of types.
    Nesting(u32),
    /// The steps that the description of one definition takes.
    Steps(u32),
    /// The number of overloads that are listed for a function.
    Overloads(usize),
    /// The number of parameters of a signature.
    Parameters(usize),
    /// The number of properties that are listed for one parameter.
    Properties(usize),
}

/// The limits that the files of a program reach, each with the first line at which it is reached, as far as the line is
/// known.
#[derive(Debug, Default)]
pub(crate) struct ReachedLimits(BTreeMap<(usize, LinkLimit), u32>);

impl ReachedLimits {
    /// Notes that a file reaches a limit. `line` counts from 1; 0 stands for the whole file.
    pub(crate) fn note(&mut self, file: usize, limit: LinkLimit, line: u32) {
        let first = self.0.entry((file, limit)).or_insert(line);
        *first = line.min(*first);
    }

    /// A diagnostic for each file and limit. `path` returns the path of a file, or `None` for a file without
    /// diagnostics.
    pub(crate) fn diagnostics<'p>(&self, path: impl Fn(usize) -> Option<&'p CompactString>) -> Vec<Diagnostic> {
        let diagnostic = |(&(file, limit), &line): (&(usize, LinkLimit), &u32)| {
            let message = match line {
                0 => limit.message(),
                _ => format!("line {line}: {}", limit.message()),
            };
            Some(Diagnostic { path: path(file)?.clone(), problem: Problem::TooComplex, message })
        };
        self.0.iter().filter_map(diagnostic).collect()
    }
}

impl LinkLimit {
    fn message(self) -> String {
        match self {
            Self::Ancestors(most) => {
                format!("a class or interface has more than {most} ancestors; only the nearest {most} are listed")
            }
            Self::Stars(most) => {
                format!("a chain of export * is longer than {most} files; what the files beyond export is not found")
            }
            Self::StarImports(most) => {
                format!(
                    "a chain of star imports is longer than {most} modules; names of the modules beyond are not found"
                )
            }
            Self::StarNames(most) => {
                format!("star imports bind more than {most} names; names of further star imports are not found")
            }
            Self::Exports(most) => format!("re-exports are nested deeper than {most}; names beyond are not found"),
            Self::Nesting(most) => format!("types are nested deeper than {most}; deeper types are unknown"),
            Self::Steps(most) => {
                format!("a definition takes more than {most} steps to describe; some of its types may be missing")
            }
            Self::Overloads(most) => {
                format!("a function has more than {most} overloads; only the first {most} are listed and compared")
            }
            Self::Properties(most) => {
                format!("a parameter has more than {most} properties; only the first {most} are listed")
            }
            Self::Parameters(most) => format!("a signature has more than {most} parameters; the others are left out"),
        }
    }
}
