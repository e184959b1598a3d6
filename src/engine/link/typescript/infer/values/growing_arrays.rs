//! The types of arrays that variables are declared with as `[]`, by the values that are added to them later.

use crate::typescript::{
    infer::Linker,
    program::FileIndex,
    types::{InternedType, InternedTypes},
};
use apidisc_facts::syntax::typescript::facts::{AddedItem, VariableId};

impl Linker<'_> {
    /// The type of the array that a variable is declared with as `[]`; `None` if nothing is added to it. TypeScript
    /// types each read of the array by the values that the same function has added before. This type is the same for
    /// every read, and counts all values that the file adds.
    pub(super) fn growing_array_type(&mut self, file: FileIndex, variable: VariableId) -> Option<InternedType> {
        let added = &self.program.facts(file).added_items;
        let first = added.partition_point(|item| item.variable < variable);
        let added = added[first..].iter().take_while(|item| item.variable == variable);
        let mut items = InternedTypes::new();
        for &AddedItem { value, is_spread, .. } in added {
            // A value that depends on the array itself adds nothing: `list.push(list[0])`.
            let (ty, is_final) = self.watch_dependencies(|linker| linker.expr_type(file, value));
            if ty == InternedType::ANY && !is_final {
                continue;
            }
            let item = if is_spread { self.element_type(ty) } else { self.widened_literal_type(ty) };
            if !items.contains(&item) {
                items.push(item);
            }
        }
        if items.is_empty() {
            return None;
        }
        let item = self.types.union(items);
        Some(self.platform_type(self.well_known.array, &[item]))
    }
}
