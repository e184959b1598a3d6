//! The uses of one operation: counts of the parameters and properties that calls pass.

use rustc_hash::FxHashMap;

use apidisc_facts::program::{HttpCall, PassedNames};

/// The uses of an operation.
#[derive(Clone, Debug, Default)]
pub struct OperationUses {
    /// The number of calls.
    pub total_calls: u32,
    /// The positions of the calls in [`apidisc_facts::program::HttpUses::calls`], in their order.
    pub calls: Vec<u32>,
    /// The parameters of the query.
    pub query: NameUses,
    /// The properties of the body.
    pub body: NameUses,
    /// The headers, in small letters.
    pub headers: NameUses,
    /// The position in [`apidisc_facts::program::HttpUses::routes`] of the route that handles the operation.
    pub route: Option<u32>,
}

/// For each name in one part of a request, the number of calls that pass the name.
#[derive(Clone, Debug, Default)]
pub struct NameUses {
    /// The number of calls that pass a name. The name of a property below another one follows that name and a line
    /// feed.
    counts: FxHashMap<String, u32>,
    /// The number of calls that may pass names which the code does not show.
    open: u32,
    /// The number of these calls that do pass a name.
    counts_of_open: FxHashMap<String, u32>,
}

impl NameUses {
    fn add(&mut self, passed: &PassedNames, key: impl Fn(&str) -> String) {
        let mut count = |name: String, is_open: bool| {
            if is_open {
                *self.counts_of_open.entry(name.clone()).or_default() += 1;
            }
            *self.counts.entry(name).or_default() += 1;
        };
        for name in &passed.names {
            count(key(&name.name), passed.is_open);
            for within in &name.within {
                count(format!("{}\n{}", key(&name.name), key(within)), passed.is_open);
            }
        }
        self.open += u32::from(passed.is_open);
    }

    /// The number of calls that pass a name.
    pub fn count(&self, path: &[&str]) -> u32 {
        self.counts.get(&path.join("\n")).copied().unwrap_or_default()
    }

    /// The number of calls, of `total` in all, of which it is known whether they pass a name.
    pub fn known(&self, path: &[&str], total: u32) -> u32 {
        let of_open = self.counts_of_open.get(&path.join("\n")).copied().unwrap_or_default();
        total.saturating_sub(self.open.saturating_sub(of_open))
    }

    /// The share of the calls with known names that pass a name; `None` if the names of no call are known.
    pub fn share(&self, path: &[&str], total: u32) -> Option<f64> {
        let known = self.known(path, total);
        (known > 0).then(|| f64::from(self.count(path)) / f64::from(known))
    }
}

impl OperationUses {
    /// Adds the call at a position.
    pub(super) fn add(&mut self, position: u32, call: &HttpCall) {
        self.total_calls += 1;
        self.calls.push(position);
        self.query.add(&call.request.query, str::to_owned);
        self.body.add(&call.request.body, str::to_owned);
        self.headers.add(&call.request.headers, str::to_ascii_lowercase);
    }
}
