//! The filter of a saved page of calls. Parameters are saved by position; the names of all parameters are saved too, so
//! that the filter can be dropped if the parameters have changed.

use compact_str::CompactString;
use serde::{Deserialize, Serialize};

use crate::tui::model::PageKind;
use apidisc::{index::CallFilter, program::ParameterSet, source::Origin};

/// A [`CallFilter`] and the names of all parameters, as the session file stores them.
#[derive(Default, Deserialize, Serialize)]
#[serde(default)]
pub(super) struct CallFilterToml {
    parameters: Vec<CompactString>,
    passing: Vec<u16>,
    omitting: Vec<u16>,
    exactly: Option<Vec<u16>>,
    open: bool,
    value_of: Option<u16>,
    value: CompactString,
    unknown: Option<u16>,
    positional: Option<u16>,
    keyword: Option<u16>,
    origin: Option<String>,
}

/// Converts the filter of a page of calls. `None` if the page has no filter or lists no calls.
pub(super) fn write(kind: &PageKind) -> Option<CallFilterToml> {
    let PageKind::Calls(filter, parameters) = kind else { return None };
    if *filter == CallFilter::all() {
        return None;
    }
    let positions = |set: &ParameterSet| set.iter().map(|at| at as u16).collect();
    Some(CallFilterToml {
        parameters: parameters.clone(),
        passing: positions(&filter.passing),
        omitting: positions(&filter.omitting),
        exactly: filter.exactly.as_ref().map(|(set, _)| positions(set)),
        open: filter.exactly.as_ref().is_some_and(|(_, open)| *open),
        value_of: filter.value.as_ref().map(|(at, _)| *at),
        value: filter.value.as_ref().map(|(_, value)| value.clone()).unwrap_or_default(),
        unknown: filter.unknown,
        positional: filter.positional,
        keyword: filter.keyword,
        origin: filter.origin.map(|origin| origin.word().to_owned()),
    })
}

/// The page of calls with the saved filter, or without a filter if a position or origin in the file does not exist.
pub(super) fn read(text: &CallFilterToml) -> PageKind {
    let is_there = |at: &u16| usize::from(*at) < text.parameters.len();
    let sets = [&text.passing, &text.omitting].into_iter().chain(&text.exactly).flatten();
    let single = [text.value_of, text.unknown, text.positional, text.keyword];
    let origin = text.origin.as_ref().map(|word| Origin::ALL.into_iter().find(|origin| origin.word() == word));
    if !sets.chain(single.iter().flatten()).all(is_there) || origin == Some(None) {
        return PageKind::Calls(CallFilter::all(), Vec::new());
    }
    let set = |positions: &[u16]| positions.iter().map(|at| usize::from(*at)).collect::<ParameterSet>();
    let filter = CallFilter {
        passing: set(&text.passing),
        omitting: set(&text.omitting),
        exactly: text.exactly.as_ref().map(|positions| (set(positions), text.open)),
        value: text.value_of.map(|at| (at, text.value.clone())),
        unknown: text.unknown,
        positional: text.positional,
        keyword: text.keyword,
        origin: origin.flatten(),
    };
    PageKind::Calls(filter, text.parameters.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip(filter: CallFilter) -> PageKind {
        let names = ["a", "b", "c"].map(CompactString::from).to_vec();
        let text = write(&PageKind::Calls(filter, names)).expect("they are not all");
        let toml = toml::to_string(&text).expect("it can be written");
        read(&toml::from_str(&toml).expect("it can be read"))
    }

    #[test]
    fn a_written_filter_is_read_back() {
        let set = |positions: &[usize]| positions.iter().copied().collect::<ParameterSet>();
        for filter in [
            CallFilter::passing(2),
            CallFilter { exactly: Some((set(&[0, 2]), true)), ..CallFilter::default() },
            CallFilter { exactly: Some((set(&[]), false)), ..CallFilter::default() },
            CallFilter { value: Some((1, "'x'".into())), omitting: set(&[0]), ..CallFilter::default() },
            CallFilter { unknown: Some(0), positional: Some(1), keyword: Some(2), ..CallFilter::default() },
            CallFilter { origin: Some(Origin::Tests), ..CallFilter::passing(1) },
        ] {
            let PageKind::Calls(same, names) = round_trip(filter.clone()) else { panic!("calls") };
            assert_eq!((same, names.len()), (filter, 3));
        }
    }

    #[test]
    fn a_position_or_origin_that_does_not_exist_means_all_calls() {
        let all = PageKind::Calls(CallFilter::all(), Vec::new());
        assert_eq!(round_trip(CallFilter::passing(3)), all);
        let text = CallFilterToml { origin: Some("moon".to_owned()), ..CallFilterToml::default() };
        assert_eq!(read(&text), all);
    }
}
