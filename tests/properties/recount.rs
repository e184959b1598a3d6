//! Recounting with weights neither loses nor invents calls.

use std::sync::{Arc, LazyLock};

use apidisc::{
    control::Control,
    delivery::{Format, Packer},
    index::{Index, RecountError, metadata},
    indexer,
    overrides::Overrides,
    program::FileId,
    strategy::Strategy,
    tokens::{Encoding, Tokenizer},
    usage::{Usage, Weights},
};
use apidisc_tui::demo;

static DEMO: LazyLock<Arc<Index>> = LazyLock::new(|| {
    let built = indexer::build(&demo::source(), &mut |_| Control::Continue).expect("the demo is there");
    Arc::new(built.expect("nobody cancels"))
});

fn usages(index: &Index) -> Vec<&Usage> {
    index.definitions.iter().map(|definition| &*definition.usage).collect()
}

/// The first line of the stub of `windvane`.
fn title(index: &Index, weights: Weights) -> String {
    let index = Arc::new(index.weighted(weights).expect("call sites are there"));
    let tokenizer = Tokenizer::load(Encoding::O200kBase);
    let (strategy, overrides) = (Strategy::Exhaustive, Overrides::default());
    let scope = index.scope(Some("windvane"), None).expect("a package");
    let delivery = Packer::with_overrides(&index, scope, &overrides, &tokenizer)
        .and_then(|packer| packer.deliver(&strategy, Format::Stub));
    delivery.expect("no budget").text.lines().next().unwrap_or_default().to_owned()
}

#[test]
fn counting_every_call_once_changes_nothing() {
    let recounted = DEMO.weighted(Weights::default()).expect("call sites are there");
    assert_eq!(usages(&recounted), usages(&DEMO));
    let totals =
        |index: &Index| index.modules.iter().map(|module| (module.total_calls, module.total_reads)).collect::<Vec<_>>();
    assert_eq!(totals(&recounted), totals(&DEMO));
    let again = recounted
        .weighted("tests=0".parse().unwrap())
        .and_then(|without_tests| without_tests.weighted(Weights::default()));
    assert_eq!(usages(&again.unwrap()), usages(&DEMO));
}

#[test]
fn weights_multiply_calls_and_zero_leaves_them_out() {
    let src_only = DEMO.weighted("tests=0,examples=0,docs=0".parse().unwrap()).unwrap();
    let weighted = DEMO.weighted("tests=3,docs=2".parse().unwrap()).unwrap();
    for (at, whole) in usages(&DEMO).into_iter().enumerate() {
        let [src, tests, examples, docs] = whole.origins;
        assert_eq!(src_only.definitions[at].usage.uses(), src);
        let usage = &weighted.definitions[at].usage;
        assert_eq!(usage.uses(), src + 3 * tests + examples + 2 * docs);
        assert_eq!(usage.argument_sets.iter().map(|set| set.calls).sum::<u32>(), usage.total_calls);
        assert_eq!((&usage.calls, &usage.reads, usage.origins), (&whole.calls, &whole.reads, whole.origins));
    }
}

#[test]
fn recounts_of_disjoint_files_add_up() {
    let parts: Vec<Index> = (0..5)
        .map(|fold| DEMO.recounted(|file: FileId| u32::from(file.index() % 5 == fold)).expect("call sites are there"))
        .collect();
    for (at, whole) in usages(&DEMO).into_iter().enumerate() {
        let parts = || parts.iter().map(|part| &part.definitions[at].usage);
        assert_eq!(parts().map(|usage| usage.total_calls).sum::<u32>(), whole.total_calls);
        assert_eq!(parts().map(|usage| usage.total_reads).sum::<u32>(), whole.total_reads);
        for (position, row) in whole.parameters.iter().enumerate() {
            assert_eq!(parts().map(|usage| usage.parameters[position].count).sum::<u32>(), row.count);
            assert_eq!(parts().map(|usage| usage.parameters[position].unknown).sum::<u32>(), row.unknown);
        }
    }
}

#[test]
fn the_title_of_a_stub_states_its_weights() {
    let known = |weights: &str| {
        let weights: Weights = weights.parse().unwrap();
        title(&DEMO, weights).rsplit_once(" of ").map(|(_, known)| known.to_owned()).unwrap()
    };
    assert!(known("src=1").contains(" calls and ") && known("src=1").ends_with(" reads"), "{}", known("src=1"));
    assert!(known("src=2,tests=0").ends_with(" reads (src x2, without tests)"), "{}", known("src=2,tests=0"));
}

#[test]
fn an_index_from_a_file_cannot_be_recounted() {
    let text = metadata::write(&DEMO, &metadata::MetadataOptions::default()).unwrap();
    let read = metadata::read(&text).unwrap();
    assert_eq!(read.weighted("tests=0".parse().unwrap()).err(), Some(RecountError::NoCallSites));
}
