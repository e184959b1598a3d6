//! Where the calls of a program lead: into its own code, into packages, into the standard library, or nowhere known.

use super::{CallOrigins, WhyAbsent};
use crate::{index::Index, usage::Ledger};
use apidisc_facts::program::{Resolution, UnresolvedReason};

/// The number of calls of a program by where they lead. Each call is counted once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallDestinations {
    /// Calls of one definition of the program itself.
    pub code: u32,
    /// Calls of one definition of an installed package, and those of a package that does not show what is called.
    pub packages: u32,
    /// Calls of the standard library of Python or of the platform.
    pub standard_library: u32,
    /// Calls of packages that are not installed.
    pub not_installed: u32,
    /// Calls of packages that the environment names without having their modules.
    pub files_missing: u32,
    /// Calls of packages in archives of Yarn's Plug'n'Play, which are not read.
    pub archived: u32,
    /// Calls of packages of which only machine code is installed.
    pub compiled: u32,
    /// Calls of packages of which a build has not generated all declarations.
    pub not_generated: u32,
    /// The calls that lead elsewhere or nowhere known, by reason: `resolved` and `spread` are 0.
    pub unresolved: Ledger,
}

impl CallDestinations {
    /// Counts the calls of a program. `index` has its packages, and `origins` are those of its calls.
    pub fn of(index: &Index, origins: &CallOrigins<'_>) -> Self {
        let mut found = Self::default();
        for call in index.calls.iter() {
            let file = index.file(call.file);
            let why = || origins.of_call(&file.path, file.language, (call.line, call.col)).map(|origin| origin.why);
            match call.resolution {
                Resolution::Resolved(id) => {
                    let place = index.definition(id).place.file;
                    if index.is_absent_file(place) {
                        found.add_absent(why());
                    } else if index.module_of_file(place).is_some() {
                        found.packages += 1;
                    } else {
                        found.code += 1;
                    }
                }
                Resolution::Unresolved(UnresolvedReason::External) => found.add_absent(why()),
                Resolution::Ambiguous(_) | Resolution::Unresolved(_) => found.unresolved.add(&index.calls, call),
            }
        }
        found
    }

    fn add_absent(&mut self, why: Option<WhyAbsent>) {
        *match why {
            Some(WhyAbsent::StandardLibrary) => &mut self.standard_library,
            Some(WhyAbsent::NotInstalled) => &mut self.not_installed,
            Some(WhyAbsent::FilesMissing) => &mut self.files_missing,
            Some(WhyAbsent::Archived) => &mut self.archived,
            Some(WhyAbsent::Compiled) => &mut self.compiled,
            Some(WhyAbsent::NotGenerated) => &mut self.not_generated,
            Some(WhyAbsent::Package) => &mut self.packages,
            None => &mut self.unresolved.external,
        } += 1;
    }

    /// The number of all calls.
    pub fn total(&self) -> u32 {
        self.known().into_iter().map(|(calls, _)| calls).sum::<u32>() + self.unresolved.total()
    }

    /// The numbers of calls whose destination is known, each with that destination in words.
    pub fn known(&self) -> [(u32, &'static str); 8] {
        [
            (self.code, "this code"),
            (self.packages, "installed packages"),
            (self.standard_library, "the standard library"),
            (self.not_installed, "packages that are not installed"),
            (self.files_missing, "packages whose files are missing"),
            (self.archived, "packages in archives of Yarn's Plug'n'Play"),
            (self.compiled, "packages of machine code alone (compiled)"),
            (self.not_generated, "packages of which not all is generated"),
        ]
    }

    /// The destinations on one line: `12 calls: 5 of this code, 4 of installed packages, 3 not resolved`.
    pub fn in_words(&self) -> String {
        let known = self.known().into_iter().filter(|(calls, _)| *calls > 0);
        let known = known.map(|(calls, whose)| format!("{calls} of {whose}"));
        let others = [
            (self.unresolved.external, "of something else outside, such as methods of strings"),
            (self.unresolved(), "not resolved"),
        ];
        let others = others.into_iter().filter(|(calls, _)| *calls > 0).map(|(calls, what)| format!("{calls} {what}"));
        let noun = if self.total() == 1 { "call" } else { "calls" };
        let all: Vec<String> = known.chain(others).collect();
        format!("{} {noun}{}{}", self.total(), if all.is_empty() { "" } else { ": " }, all.join(", "))
    }

    /// The number of calls that lead nowhere known.
    fn unresolved(&self) -> u32 {
        self.unresolved.total() - self.unresolved.external
    }
}
