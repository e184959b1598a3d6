//! The parameters that calls pass object literals to.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::resolve::{CallResolver, ResolvedCall};
use crate::typescript::{callees::Callees, program::GlobalDef};
use apidisc_facts::syntax::typescript::facts::{CallExpr, Function};

/// For each function, the positions of the parameters that calls pass object literals to.
pub(in crate::typescript) type ObjectParameters = FxHashMap<GlobalDef, SmallVec<[u16; 2]>>;

impl CallResolver<'_, '_> {
    /// The positions of the parameters that call sites pass object literals to, by function.
    pub(in crate::typescript) fn object_parameters(&mut self, resolved: &[Vec<ResolvedCall>]) -> ObjectParameters {
        let mut objects: ObjectParameters = ObjectParameters::default();
        for (file, resolved) in self.files.iter().zip(resolved) {
            for (site, resolved) in file.facts.calls.iter().zip(resolved) {
                if site.arguments.iter().all(|argument| argument.keys.is_none()) {
                    continue;
                }
                self.linker.budget.begin_query();
                if let Some(value) = resolved.value {
                    for signature in Callees::of(self.linker).value_signatures(value) {
                        self.add_object_parameters(signature, 0, site, &mut objects);
                    }
                }
                let Some(&candidate) = resolved.candidates.first() else { continue };
                let Some(bound) = Callees::of(self.linker).bound_function(candidate) else { continue };
                for signature in Callees::of(self.linker).declared_signatures(bound) {
                    let own = self.linker.program.function(bound).map_or(0, |function| function.params.len());
                    self.add_object_parameters(signature, own, site, &mut objects);
                }
                let declared = self.linker.program.declarations_of_function(bound);
                // Overloads without an implementation are listed under the first one.
                let is_implementation = self.linker.program.function(bound).is_some_and(|f| f.has_body);
                let bound = declared.first().copied().filter(|_| !is_implementation).unwrap_or(bound);
                for (at, argument) in site.arguments.iter().enumerate() {
                    if argument.is_spread {
                        break;
                    }
                    let has_parameter = |f: &Function| f.params.get(at).is_some_and(|p| !p.is_rest);
                    let takes_object = |def: &GlobalDef| self.linker.program.function(*def).is_some_and(has_parameter);
                    if argument.keys.is_some() && declared.iter().any(takes_object) {
                        let positions = objects.entry(bound).or_default();
                        if !positions.contains(&(at as u16)) {
                            positions.push(at as u16);
                        }
                    }
                }
            }
        }
        objects
    }

    /// Adds the positions, from `first` on, of the parameters of a signature that a call passes object literals to.
    fn add_object_parameters(
        &self,
        signature: GlobalDef,
        first: usize,
        site: &CallExpr,
        objects: &mut ObjectParameters,
    ) {
        let Some(function) = self.linker.program.function(signature) else { return };
        let arguments = site.arguments.iter().enumerate().take_while(|(_, argument)| !argument.is_spread);
        for (at, _) in arguments.skip(first).filter(|(_, argument)| argument.keys.is_some()) {
            let takes_object = function.params.get(at).is_some_and(|parameter| !parameter.is_rest);
            let positions = objects.entry(signature).or_default();
            if takes_object && !positions.contains(&(at as u16)) {
                positions.push(at as u16);
            }
        }
    }
}
