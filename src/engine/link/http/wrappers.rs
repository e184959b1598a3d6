//! Functions of the sources that wrap a request: the path of the request is a parameter of the function, so the callers
//! choose it.

use std::hash::Hash;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{request::RequestParts, value::Value};
use apidisc_base::sort::SharedSort as _;

/// The greatest length of a chain of functions, each of which calls the next and the last of which calls an HTTP
/// client.
const MAX_WRAPPERS: usize = 3;

/// The requests of a file, in the order of their calls.
pub(crate) type FileRequests<S> = Vec<(S, RequestParts)>;

/// The calls and functions of one language, as its linker resolves them.
pub(crate) trait WrapperCalls {
    /// The id of a call.
    type Site: Copy + Ord;
    /// The id of a function of the sources.
    type Function: Copy + Eq + Hash;

    /// The calls of a file whose callee has a name and resolves to exactly one function, each with the function.
    fn calls(&self, file: usize) -> Vec<(Self::Site, Self::Function)>;

    /// The value that a call passes for each parameter of its function, by position.
    fn values(&mut self, file: usize, site: Self::Site) -> Vec<Value>;

    /// The function around a call, if one of its parameters is the path of the request.
    fn wrapper(&self, file: usize, site: Self::Site, parts: &RequestParts) -> Option<Self::Function>;
}

/// The functions that wrap a request, each with the parts of the request; `None` for a function that sends several
/// requests: such a function does not count as a wrapper.
#[derive(Debug)]
pub(crate) struct Wrappers<F>(FxHashMap<F, Option<RequestParts>>);

impl<F> Default for Wrappers<F> {
    fn default() -> Self {
        Self(FxHashMap::default())
    }
}

impl<F: Copy + Eq + Hash> Wrappers<F> {
    /// Adds a request that a function wraps.
    pub(crate) fn add(&mut self, function: F, parts: RequestParts) {
        self.0.entry(function).and_modify(|known| *known = None).or_insert(Some(parts));
    }

    /// Removes the functions for which `is_known` is true, and those that wrap several requests.
    pub(crate) fn leave_out(&mut self, is_known: impl Fn(F) -> bool) {
        self.0.retain(|function, parts| parts.is_some() && !is_known(*function));
    }

    /// Adds the calls of the wrappers to the requests of each file, and those of functions that wrap a call of a
    /// wrapper, up to [`MAX_WRAPPERS`] deep.
    pub(crate) fn add_calls<C: WrapperCalls<Function = F>>(
        mut self,
        language: &mut C,
        requests: &mut [FileRequests<C::Site>],
    ) {
        let mut known: FxHashSet<F> = FxHashSet::default();
        for _ in 0..MAX_WRAPPERS {
            self.leave_out(|function| known.contains(&function));
            if self.0.is_empty() {
                return;
            }
            known.extend(self.0.keys());
            let mut further = Self::default();
            for (file, requests) in requests.iter_mut().enumerate() {
                let before = requests.len();
                for (site, function) in language.calls(file) {
                    let Some(Some(parts)) = self.0.get(&function) else { continue };
                    if requests[..before].binary_search_by_key(&site, |(known, _)| *known).is_ok() {
                        continue;
                    }
                    let values = language.values(file, site);
                    let parts = parts.with_arguments(&|at| values.get(usize::from(at)).cloned().unwrap_or_default());
                    if let Some(wrapper) = language.wrapper(file, site, &parts) {
                        further.add(wrapper, parts);
                    } else if parts.url.is_written() {
                        requests.push((site, parts));
                    }
                }
                requests.shared_sort_by_key(|(site, _)| *site);
            }
            self = further;
        }
    }
}
