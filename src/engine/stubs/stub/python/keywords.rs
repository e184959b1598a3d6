//! The comment on the keywords that calls pass to `**kwargs`.

use super::parameters::PrintedParameter;
use crate::stub::{
    node_text::PricedLines,
    text::{group_digits, pluralized},
};
use apidisc_base::sort::SharedSort as _;
use apidisc_facts::program::{ParameterKind, ParameterSet, Signature};

/// The keywords that calls pass to `**kwargs`.
#[derive(Debug, Default)]
pub(super) struct PassedKeywords {
    /// The position of `**kwargs`.
    receiver: Option<usize>,
    /// Each keyword's position, and its text: ` timeout 12×,`. Most passed first.
    keywords: Vec<(usize, PricedLines)>,
    is_incomplete: bool,
    /// True for `(*args, **kwargs)` that stand for parameters which the sources do not declare.
    pub(super) is_all_unknown: bool,
}

impl PassedKeywords {
    /// The keywords of a signature, whose parameters are `printed`.
    pub(super) fn new(signature: &Signature, printed: &[PrintedParameter]) -> Self {
        // Of the keywords of an overloaded function, some are passed to other overloads alone.
        let is_passed = |printed: &PrintedParameter| printed.is_showable && printed.count > 0;
        let keywords =
            signature.parameters.iter().enumerate().filter(|&(at, _)| {
                signature.receiver_of_keyword(at).is_some() && printed.get(at).is_some_and(is_passed)
            });
        let mut keywords: Vec<(u32, &str, usize)> =
            keywords.map(|(at, parameter)| (printed[at].count, parameter.name.as_str(), at)).collect();
        keywords.shared_sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
        let text = |(count, name, at): (u32, &str, usize)| {
            (at, PricedLines::new(format!(" {name} {}×,\n", group_digits(count))))
        };
        let is_declared = |kind: ParameterKind| kind == ParameterKind::Property || kind.is_variadic();
        Self {
            receiver: printed.iter().position(|p| p.kind == ParameterKind::VarKeyword && p.is_showable),
            keywords: keywords.into_iter().map(text).collect(),
            is_incomplete: signature.is_incomplete,
            is_all_unknown: signature.is_incomplete && signature.parameters.iter().all(|p| is_declared(p.kind)),
        }
    }

    /// The text of a keyword: its tokens are the estimated price of showing the keyword.
    pub(super) fn text(&self, position: usize) -> Option<&PricedLines> {
        self.keywords.iter().find(|&&(at, _)| at == position).map(|(_, text)| text)
    }

    /// The continuation of the comment of the parameter at `position`: `: timeout 12×, verify 3× and 2 more`. Empty
    /// unless the parameter is `**kwargs` and calls pass keywords.
    pub(super) fn note(&self, position: usize, visible: &ParameterSet) -> String {
        if self.receiver != Some(position) || self.keywords.is_empty() {
            return String::new();
        }
        let passed = self.visible(visible);
        if passed.is_empty() {
            return format!(", {} hidden", pluralized(self.keywords.len() as u32, "keyword"));
        }
        let opening = if self.is_incomplete { "; passed here: " } else { ": " };
        format!("{opening}{}{}", passed.join(", "), self.hidden(passed.len()))
    }

    /// The comment of a signature whose parameters are all unknown: `not known; passed here: key 12×`.
    pub(super) fn unknown_note(&self, printed: &[PrintedParameter], visible: &ParameterSet) -> String {
        let positional = printed.iter().find(|p| p.kind == ParameterKind::VarPositional && p.count > 0);
        let positional = positional.map(|p| format!("by position {}×", group_digits(p.count)));
        let keywords = self.visible(visible);
        let hidden = self.hidden(keywords.len());
        let passed: Vec<String> = positional.into_iter().chain(keywords.into_iter().map(str::to_owned)).collect();
        match (passed.is_empty(), self.keywords.len()) {
            (true, 0) => "not known".to_owned(),
            (true, hidden) => format!("not known, {} hidden", pluralized(hidden as u32, "keyword")),
            (false, _) => format!("not known; passed here: {}{hidden}", passed.join(", ")),
        }
    }

    /// The visible keywords as they are passed: `timeout=`.
    pub(super) fn names(&self, visible: &ParameterSet) -> Vec<String> {
        let name = |text: &str| format!("{}=", text.split(' ').next().unwrap_or_default());
        self.visible(visible).into_iter().map(name).collect()
    }

    /// The texts of the visible keywords.
    pub(super) fn visible(&self, visible: &ParameterSet) -> Vec<&str> {
        let shown = self.keywords.iter().filter(|(at, _)| visible.contains(*at));
        shown.map(|(_, text)| text.text.trim_matches([' ', ',', '\n'])).collect()
    }

    /// ` and 2 more`; empty if all keywords are shown.
    fn hidden(&self, shown: usize) -> String {
        match self.keywords.len() - shown {
            0 => String::new(),
            hidden => format!(" and {} more", group_digits(hidden as u32)),
        }
    }
}
