//! CallFilter calls a remembered page is about. Parameters are told by position, and the names of all of them say whether that
//! still means the same.

use compact_str::CompactString;
use serde::{Deserialize, Serialize};

use crate::tui::model::PageKind;
use apidisc::{index::CallFilter, program::ParameterSet, source::Origin};

/// What the calls have in common; see [`CallFilter`].
#[derive(Default, Deserialize, Serialize)]
#[serde(default)]
pub(super) struct CallsText {
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

/// Nothing where they are all calls.
pub(super) fn to_text(kind: &PageKind) -> Option<CallsText> {
    let PageKind::Calls(which, parameters) = kind else { return None };
    if *which == CallFilter::all() {
        return None;
    }
    let positions = |set: &ParameterSet| set.iter().map(|at| at as u16).collect();
    Some(CallsText {
        parameters: parameters.clone(),
        passing: positions(&which.passing),
        omitting: positions(&which.omitting),
        exactly: which.exactly.as_ref().map(|(set, _)| positions(set)),
        open: which.exactly.as_ref().is_some_and(|(_, open)| *open),
        value_of: which.value.as_ref().map(|(at, _)| *at),
        value: which.value.as_ref().map(|(_, value)| value.clone()).unwrap_or_default(),
        unknown: which.unknown,
        positional: which.positional,
        keyword: which.keyword,
        origin: which.origin.map(|origin| origin.word().to_owned()),
    })
}

/// All calls where something in it is not there.
pub(super) fn of_text(text: &CallsText) -> PageKind {
    let is_there = |at: &u16| usize::from(*at) < text.parameters.len();
    let sets = [&text.passing, &text.omitting].into_iter().chain(&text.exactly).flatten();
    let single = [text.value_of, text.unknown, text.positional, text.keyword];
    let origin = text.origin.as_ref().map(|word| Origin::ALL.into_iter().find(|origin| origin.word() == word));
    if !sets.chain(single.iter().flatten()).all(is_there) || origin == Some(None) {
        return PageKind::Calls(CallFilter::all(), Vec::new());
    }
    let set = |positions: &[u16]| positions.iter().map(|at| usize::from(*at)).collect::<ParameterSet>();
    let which = CallFilter {
        passing: set(&text.passing),
        omitting: set(&text.omitting),
        exactly: text.exactly.as_ref().map(|positions| (set(positions), text.open)),
        value: text.value_of.map(|at| (at, text.value.clone())),
        unknown: text.unknown,
        positional: text.positional,
        keyword: text.keyword,
        origin: origin.flatten(),
    };
    PageKind::Calls(which, text.parameters.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn again(which: CallFilter) -> PageKind {
        let names = ["a", "b", "c"].map(CompactString::from).to_vec();
        let text = to_text(&PageKind::Calls(which, names)).expect("they are not all");
        let toml = toml::to_string(&text).expect("it can be written");
        of_text(&toml::from_str(&toml).expect("it can be read"))
    }

    #[test]
    fn calls_are_the_same_again() {
        let set = |positions: &[usize]| positions.iter().copied().collect::<ParameterSet>();
        for which in [
            CallFilter::passing(2),
            CallFilter { exactly: Some((set(&[0, 2]), true)), ..CallFilter::default() },
            CallFilter { exactly: Some((set(&[]), false)), ..CallFilter::default() },
            CallFilter { value: Some((1, "'x'".into())), omitting: set(&[0]), ..CallFilter::default() },
            CallFilter { unknown: Some(0), positional: Some(1), keyword: Some(2), ..CallFilter::default() },
            CallFilter { origin: Some(Origin::Tests), ..CallFilter::passing(1) },
        ] {
            let PageKind::Calls(same, names) = again(which.clone()) else { panic!("calls") };
            assert_eq!((same, names.len()), (which, 3));
        }
    }

    #[test]
    fn what_is_not_there_means_all_calls() {
        let all = PageKind::Calls(CallFilter::all(), Vec::new());
        assert_eq!(again(CallFilter::passing(3)), all);
        let text = CallsText { origin: Some("moon".to_owned()), ..CallsText::default() };
        assert_eq!(of_text(&text), all);
    }
}
