//! The documentation of functions, whose overloads may have documentation of their own.

use compact_str::CompactString;

use super::Describer;
use crate::typescript::program::GlobalDef;
use apidisc_facts::documentation::Documentation;

impl Describer<'_, '_> {
    /// The documentation of a function: that of its declaration, else that of the first documented overload. A function
    /// of which only some overloads are deprecated is not deprecated.
    pub(super) fn documentation_of_function(&self, def: GlobalDef) -> Option<Documentation> {
        let documentation_of = |def: GlobalDef| self.linker.program.def(def).documentation.as_deref();
        let all = self.linker.program.declarations_of_function(def);
        let source = std::iter::once(def).chain(all).find(|&def| documentation_of(def).is_some())?;
        let mut documentation = documentation_of(source)?.clone();
        if documentation.deprecated.is_some() && self.has_current_overload(source) {
            documentation.deprecated = None;
        }
        Some(documentation).filter(|documentation| !documentation.is_empty())
    }

    /// Why an overload is deprecated, if others of its function are not.
    pub(super) fn overload_deprecation(&self, def: GlobalDef) -> Option<CompactString> {
        let text = self.linker.program.def(def).documentation.as_deref()?.deprecated.clone()?;
        self.has_current_overload(def).then_some(text)
    }

    /// True for an overload of a function that has overloads which are not deprecated.
    pub(super) fn has_current_overload(&self, def: GlobalDef) -> bool {
        let is_overload = |def: GlobalDef| self.linker.program.function(def).is_some_and(|function| !function.has_body);
        let is_current = |def: &GlobalDef| {
            let documentation = self.linker.program.def(*def).documentation.as_deref();
            is_overload(*def) && documentation.is_none_or(|documentation| documentation.deprecated.is_none())
        };
        is_overload(def) && self.linker.program.declarations_of_function(def).iter().any(is_current)
    }
}
