//! Every number of a usage equals the number of call sites that match the filter for it.

use std::{collections::HashSet, sync::LazyLock};

use apidisc::{
    control::Control,
    index::{CallEvidence, CallFilter, Index},
    indexer,
    program::{DefinitionId, ReadId},
    source::Origin,
    usage::Weights,
};
use apidisc_tui::demo;

static DEMO: LazyLock<Index> = LazyLock::new(|| {
    let built = indexer::build(&demo::source(), &mut |_| Control::Continue).expect("the demo is there");
    built.expect("nobody cancels")
});

/// The number of calls that match a filter.
fn matching(calls: &[CallEvidence], filter: &CallFilter) -> u32 {
    calls.iter().filter(|call| filter.matches(call)).count() as u32
}

#[test]
fn every_number_equals_its_matching_calls() {
    let (mut parameters, mut values, mut sets) = (0, 0, 0);
    for (id, definition) in DEMO.definitions_with_ids() {
        let evidence = DEMO.call_evidence(id);
        let usage = &definition.usage;
        assert_eq!(matching(&evidence, &CallFilter::all()), usage.total_calls);
        for (origin, uses) in Origin::ALL.into_iter().zip(usage.origins) {
            let of_origin = |read: &&ReadId| DEMO.file(DEMO.read(**read).file).origin == origin;
            let readers =
                usage.reads.iter().filter(of_origin).map(|read| (DEMO.read(*read).file, DEMO.read(*read).reader));
            let reads = readers.collect::<HashSet<_>>().len() as u32;
            let calls = matching(&evidence, &CallFilter { origin: Some(origin), ..CallFilter::default() });
            assert_eq!(calls + reads, uses, "{}", definition.fqn);
        }
        for set in &usage.argument_sets {
            sets += 1;
            let filter = CallFilter { exactly: Some((set.parameters.clone(), set.open)), ..CallFilter::default() };
            assert_eq!(matching(&evidence, &filter), set.calls);
        }
        for (at, row) in usage.parameters.iter().enumerate() {
            parameters += 1;
            let omitting = CallFilter { omitting: [at].into_iter().collect(), ..CallFilter::default() };
            let unknown = CallFilter { unknown: Some(at as u16), ..CallFilter::default() };
            let positional = CallFilter { positional: Some(at as u16), ..CallFilter::default() };
            let numbers = [CallFilter::passing(at), unknown, positional].map(|filter| matching(&evidence, &filter));
            assert_eq!(numbers, [row.count, row.unknown, row.positional], "{} of {}", at, definition.fqn);
            assert_eq!(matching(&evidence, &omitting), usage.total_calls - row.count - row.unknown);
            for other in 0..usage.parameters.len() {
                let both = CallFilter { passing: [at, other].into_iter().collect(), ..CallFilter::default() };
                assert_eq!(matching(&evidence, &both), usage.co_occurrence(at, other));
            }
            for (value, calls) in &row.values {
                values += 1;
                let filter = CallFilter { value: Some((at as u16, value.clone())), ..CallFilter::default() };
                assert_eq!(matching(&evidence, &filter), *calls, "{value} of {}", definition.fqn);
            }
        }
    }
    assert!(parameters > 100 && values > 50 && sets > 50, "{parameters} {values} {sets}");
}

#[test]
fn calls_of_weight_zero_are_no_evidence() {
    let weights: Weights = "tests=0".parse().expect("weights");
    let index = DEMO.weighted(weights).expect("call sites are there");
    for at in 0..index.definitions.len() {
        let evidence = index.call_evidence(DefinitionId::new(at));
        assert!(evidence.iter().all(|call| call.origin != Origin::Tests));
        assert_eq!(matching(&evidence, &CallFilter::all()), index.definitions[at].usage.total_calls);
    }
}

#[test]
fn the_most_typical_calls_come_first() {
    for (id, definition) in DEMO.definitions_with_ids() {
        let mut evidence = DEMO.call_evidence(id);
        DEMO.sort_by_typicality(id, &mut evidence);
        let sets = definition
            .usage
            .argument_sets
            .iter()
            .flat_map(|set| std::iter::repeat_n((&set.parameters, set.open), set.calls as usize));
        assert!(evidence.iter().map(|call| (&call.passed, call.open)).eq(sets), "{}", definition.fqn);
    }
}

#[test]
fn ancestors_are_in_method_resolution_order() {
    let id = |name: &str| {
        DEMO.scope(None, Some(name)).map(|scope| match scope {
            apidisc::index::Scope::Definition(id) => id,
            _ => panic!("{name} is no definition"),
        })
    };
    let names = |name: &str| -> Vec<String> {
        let ancestors = &DEMO.definition(id(name).expect("a class")).ancestors;
        ancestors.iter().map(|id| DEMO.definition(*id).name.to_string()).collect()
    };
    assert_eq!(names("SqliteStore"), ["Store"]);
    assert_eq!(names("WindSensor"), ["BaseSensor"]);
    assert_eq!(names("StationConfig"), ["Section"]);
    assert_eq!(names("Severity"), [] as [&str; 0]);
}
