//! The return types of generators without an annotation.

use compact_str::{CompactString, format_compact};

use super::{
    Describer,
    written_type::{Constituents, WrittenType, awaited, joined},
};
use crate::typescript::program::GlobalDef;

impl Describer<'_, '_> {
    /// `Generator<T>`, or `AsyncGenerator<T>` for an `async` function, where `T` is the type of the yielded values. A
    /// call of such a function returns the generator, never a promise of it. `T` is `any` if the type of one of the
    /// values is not certain.
    pub(super) fn generator_text(
        &mut self,
        def: GlobalDef,
        text: &mut WrittenType,
        depth: u32,
    ) -> Option<CompactString> {
        let is_async = self.linker.program.function(def)?.is_async;
        let before = text.named();
        let item = self.yielded_text(def, is_async, text, depth);
        if item.is_none() {
            text.forget(before);
        }
        let generator = CompactString::const_new(if is_async { "AsyncGenerator" } else { "Generator" });
        let written = format_compact!("{generator}<{}>", item.as_deref().unwrap_or("any"));
        text.add_global(generator);
        Some(written)
    }

    /// The type of the yielded values. An asynchronous generator awaits what it yields.
    fn yielded_text(
        &mut self,
        def: GlobalDef,
        is_async: bool,
        text: &mut WrittenType,
        depth: u32,
    ) -> Option<CompactString> {
        let file = self.linker.program.file_of(def);
        let mut all = Constituents::new();
        for value in &self.linker.program.function(def)?.yields {
            self.add_constituents(file, *value, text, depth, &mut all)?;
        }
        joined(if is_async { all.iter().map(|part| awaited(part).into()).collect() } else { all })
    }
}
