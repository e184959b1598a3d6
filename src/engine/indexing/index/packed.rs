//! An index as bytes. The names of the sources and the contents of their files are not written: the reader has both.

use std::sync::Arc;

use super::Index;
use crate::usage::Weights;
use apidisc_base::packed::{PackReader, PackWriter, Packed};
use apidisc_facts::source::{Contents, SourceMeta};

impl Index {
    /// Writes a complete index of sources, in which every call counts once.
    pub(crate) fn pack(&self, to: &mut PackWriter) {
        let Self {
            sources: _,
            files,
            modules,
            definitions,
            calls,
            reads,
            other_uses,
            http,
            ledger,
            diagnostics,
            contents: _,
            complete: _,
            packages: _,
            examples: _,
            weights: _,
            counts_other_uses: _,
            source_usages: _,
            module_names,
            import_names,
            unknown_receiver_calls,
            inherited,
            usages_on_classes: _,
            typical_calls_on_classes,
            written_sizes: _,
            written_threshold: _,
            written_limits: _,
        } = self;
        files.pack(to);
        modules.pack(to);
        definitions.pack(to);
        calls.pack(to);
        to.list(reads.iter());
        other_uses.pack(to);
        http.pack(to);
        ledger.pack(to);
        diagnostics.pack(to);
        module_names.pack(to);
        import_names.pack(to);
        unknown_receiver_calls.pack(to);
        inherited.pack(to);
        typical_calls_on_classes.pack(to);
    }

    /// Reads an index of these sources; `None` if the bytes are no index.
    pub(crate) fn unpack(from: &mut PackReader<'_>, sources: Vec<SourceMeta>, contents: Arc<Contents>) -> Option<Self> {
        let index = Self {
            sources,
            files: Packed::unpack(from)?,
            modules: Packed::unpack(from)?,
            definitions: Packed::unpack(from)?,
            calls: Packed::unpack(from)?,
            reads: from.list()?.into(),
            other_uses: Packed::unpack(from)?,
            http: Packed::unpack(from)?,
            ledger: Packed::unpack(from)?,
            diagnostics: Packed::unpack(from)?,
            contents,
            complete: true,
            packages: None,
            examples: Arc::default(),
            weights: Weights::default(),
            counts_other_uses: false,
            source_usages: None,
            module_names: Packed::unpack(from)?,
            import_names: Packed::unpack(from)?,
            unknown_receiver_calls: Packed::unpack(from)?,
            inherited: Box::new(Packed::unpack(from)?),
            usages_on_classes: None,
            typical_calls_on_classes: Packed::unpack(from)?,
            written_sizes: None,
            written_threshold: None,
            written_limits: None,
        };
        from.rest().is_empty().then_some(index)
    }
}
