//! Chooses the calls from which a reader learns best how a definition is called.

use rustc_hash::FxHashSet;

use super::{Definition, Index};
use crate::usage::CallReader;
use apidisc_base::language::Language;
use apidisc_facts::{
    program::{Argument, ArgumentKind, BoundParameter, CallForm, CallId, CallSite, DefinitionId, DefinitionKind},
    source::Origin,
};

/// The greatest number of calls of a definition whose argument sets are compared.
const MAX_RANKED: usize = 64;
/// A call of a definition is quoted only if at least one in this many of its calls passes an argument.
const MAX_CALLS_PER_PASSING: usize = 4;
/// The greatest number of calls from which the quoted call is chosen.
const MAX_QUOTABLE: usize = 8;

/// The value of a call as an example for readers, by the part of the repository that makes the call, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Teaching {
    /// Documentation and examples: written for readers.
    Example,
    /// The library's own code.
    Source,
    /// Tests.
    Test,
    /// Mocks, fixtures and fakes, which stand in for real values, calls that are expected to fail, and documents that
    /// list changes, which show how the code was called before.
    StandIn,
}

/// The rank of a quotable call, the lowest being the best. Earlier fields count more.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct QuoteRank {
    /// The call goes through `super()`, or calls a constructor by its own name.
    is_super: bool,
    /// The library's own code makes the call in the file of the definition, or without a receiver of its own.
    is_internal: bool,
    teaching: Teaching,
    /// The call has no receiver of its own: it has the form `self.f(x)` or `table[k](x)`, or it calls a method by the
    /// name of the method alone.
    is_inner: bool,
}

/// A call that can be quoted.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct QuotableCall {
    rank: QuoteRank,
    /// The number of arguments that are no informative literals.
    other_arguments: usize,
    call: CallId,
}

impl Index {
    /// The calls that show best how a definition is called: of the calls that teach best, those with the most frequent
    /// argument set. They are sorted by path, line and column. Empty if there are no calls, or if the index was read
    /// from a file.
    ///
    /// Documentation and examples teach better than the library's own code, tests teach less, and mocks and fixtures
    /// least.
    pub fn typical_calls(&self, id: DefinitionId) -> Vec<CallId> {
        let definition = self.definition(id);
        let set_of = self.set_positions(definition);
        let calls = definition.usage.calls.iter();
        let ranked = calls.map(|&call| ((self.teaching(self.call(call)), set_of(call)), call));
        let ranked: Vec<_> = ranked.collect();
        let best = ranked.iter().map(|(rank, _)| *rank).min();
        ranked.into_iter().filter(|(rank, _)| Some(*rank) == best).map(|(_, call)| call).collect()
    }

    /// The calls from which the typical call of a definition is chosen, best first. Each of them passes an argument.
    /// They are ordered by [`QuoteRank`]: calls through `super()` are the last, and the library's own calls in the file
    /// of the definition come before these, since they show how the library works, not how it is used. Calls of equal
    /// rank are ordered by the frequency of their argument set, then by the number of arguments that are no informative
    /// literals. In tests, where most values are fixtures, these literals count more than the argument set. Empty if
    /// fewer than one in [`MAX_CALLS_PER_PASSING`] calls can be quoted.
    pub(crate) fn quotable_calls(&self, id: DefinitionId) -> Vec<CallId> {
        self.quotable_calls_of(id, &self.definition(id).usage.calls)
    }

    /// [`Self::quotable_calls`] of some of the calls of a definition.
    pub(crate) fn quotable_calls_of(&self, id: DefinitionId, all: &[CallId]) -> Vec<CallId> {
        let definition = self.definition(id);
        let mut calls: Vec<_> = all.iter().filter_map(|&call| self.quotable(definition, call)).collect();
        if calls.len() * MAX_CALLS_PER_PASSING < all.len() {
            return Vec::new();
        }
        // What no overload or signature accepts is a mistake of its author, or of this reader.
        let reader = CallReader::new(definition.signature.as_deref(), definition.overloads.len());
        calls.retain(|quotable| self.binds(definition, &reader, quotable.call));
        self.demote_unproven(definition, &mut calls);
        calls.sort_unstable();
        calls.truncate(MAX_RANKED);
        let set_of = self.set_positions(definition);
        calls.sort_by_cached_key(|&QuotableCall { rank, other_arguments, call }| {
            let set = set_of(call);
            let is_of_test = rank.teaching >= Teaching::Test;
            let order = if is_of_test { (other_arguments, set) } else { (set, other_arguments) };
            (rank, order, call)
        });
        calls.into_iter().take(MAX_QUOTABLE).map(|quotable| quotable.call).collect()
    }

    /// The position of the argument set of a call among those of its definition, most frequent first.
    fn set_positions<'i>(&'i self, definition: &'i Definition) -> impl Fn(CallId) -> usize + 'i {
        let sets = &definition.usage.argument_sets;
        let set_of = self.argument_sets_of(definition);
        move |call| {
            let (parameters, open) = set_of(call);
            sets.iter().position(|set| set.parameters == parameters && set.open == open).unwrap_or(sets.len())
        }
    }

    /// A call with its rank. `None` for a call that is never quoted:
    ///
    /// - a call that passes nothing, or only passes on the arguments of its caller, as `f(*args, **kwargs)` does;
    /// - a call of `self.f` in the library's own code, because no user writes such a call;
    /// - a call of a special method through `super()`, because other code does not call the method by its name.
    fn quotable(&self, definition: &Definition, id: CallId) -> Option<QuotableCall> {
        use CallForm::{Name, SelfAttribute, Subscript, Super, SuperAttribute};
        let call = self.call(id);
        let arguments = self.calls.arguments(call);
        let is_passed_on = |argument: &Argument| matches!(argument.kind, ArgumentKind::Star | ArgumentKind::DoubleStar);
        if arguments.iter().all(is_passed_on) {
            return None;
        }
        let is_super = matches!(call.syntax.form, Super | SuperAttribute) || call.syntax.names_constructor;
        let is_method = definition.kind == DefinitionKind::Method;
        let is_inner = matches!(call.syntax.form, SelfAttribute | Subscript) || call.syntax.form == Name && is_method;
        let is_special = definition.name.starts_with("__") && definition.name != "__init__";
        if is_super && is_special {
            return None;
        }
        let is_literal = |argument: &&Argument| {
            let keys = argument.keys.as_deref();
            argument.value.as_deref().is_some_and(is_informative)
                || keys.is_some_and(|keys| keys.iter().all(|key| key.value.is_some()))
        };
        let other_arguments = arguments.len() - arguments.iter().filter(is_literal).count();
        let teaching = self.teaching(call);
        if call.syntax.form == SelfAttribute && teaching == Teaching::Source {
            return None;
        }
        let is_internal = teaching == Teaching::Source && (is_inner || call.file == definition.place.file);
        let rank = QuoteRank { is_super, is_internal, teaching, is_inner };
        Some(QuotableCall { rank, other_arguments, call: id })
    }

    /// Ranks calls in documents, which nobody runs, as those in tests, where other code calls the definition and never
    /// with the same arguments: such a document may be wrong.
    fn demote_unproven(&self, definition: &Definition, calls: &mut [QuotableCall]) {
        let set_of = self.argument_sets_of(definition);
        let is_run = |quotable: &&QuotableCall| !self.is_quoted_code(self.call(quotable.call).file);
        let proven: FxHashSet<_> = calls.iter().filter(is_run).map(|quotable| set_of(quotable.call)).collect();
        if proven.is_empty() {
            return;
        }
        for quotable in calls.iter_mut().filter(|quotable| quotable.rank.teaching == Teaching::Example) {
            if !proven.contains(&set_of(quotable.call)) {
                quotable.rank.teaching = Teaching::Test;
            }
        }
    }

    /// True if the arguments of a call bind to the signature of its definition, or to one of its overloads, as far as
    /// the call and the signature show: each has a parameter, and every required parameter has an argument. JavaScript
    /// does not declare what is required.
    fn binds(&self, definition: &Definition, reader: &CallReader<'_>, id: CallId) -> bool {
        let Some(signature) = definition.signature.as_deref().filter(|signature| !signature.is_incomplete) else {
            return true;
        };
        let call = self.call(id);
        let read = reader.read(&self.calls, id);
        if !definition.overloads.is_empty() {
            return read.choice.is_some() || read.spread;
        }
        let is_python = definition.language == Language::Python;
        let has_parameter = |argument: &Argument| match argument.bound {
            BoundParameter::Parameter(_) | BoundParameter::Receiver(_) => true,
            BoundParameter::Named(_) => false,
            BoundParameter::Unknown => matches!(argument.kind, ArgumentKind::Star | ArgumentKind::DoubleStar),
        };
        let required = (0..signature.parameters.len()).filter(|&at| signature.is_always_required(at));
        let is_passed = |at: usize| read.passed.contains(at) || signature.parameters[at].is_variadic();
        read.spread
            || self.calls.arguments(call).iter().all(has_parameter)
                && (!is_python || required.into_iter().all(is_passed))
    }

    /// The usefulness of a call as an example, by the file and function around the call.
    pub fn teaching(&self, call: &CallSite) -> Teaching {
        let file = self.file(call.file);
        let caller = call.caller.map(|id| self.definition(id).name.as_str()).unwrap_or_default();
        let is_past = file.is_document() && lists_changes(&file.path);
        if call.syntax.expects_error || is_past || stands_in(&file.path) || stands_in(caller) {
            return Teaching::StandIn;
        }
        match file.origin {
            Origin::Examples | Origin::Docs => Teaching::Example,
            Origin::Src => Teaching::Source,
            Origin::Tests => Teaching::Test,
        }
    }
}

/// The beginnings of the names of documents that list changes.
const LISTS_OF_CHANGES: &[&str] = &[
    "changelog",
    "changes",
    "history",
    "versionhistory",
    "version_history",
    "version-history",
    "news",
    "release",
    "whatsnew",
    "migrat",
    "upgrad",
];
/// The name of a document about the migrations of a database, which are a feature.
const MIGRATIONS: &str = "migrations";

/// True for the path of a document that lists changes. Such a document names most symbols, but does not explain them,
/// and its code may be that of an earlier version.
pub fn lists_changes(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
    let stem = name.split('.').next().unwrap_or(&name);
    stem != MIGRATIONS && LISTS_OF_CHANGES.iter().any(|beginning| name.starts_with(beginning))
}

/// True if the text of a literal shows a value: the literal is no empty string and no word for the absence of a value.
/// The text of a dict has its keys alone.
fn is_informative(literal: &str) -> bool {
    !matches!(literal, "None" | "null" | "undefined" | "\"\"" | "''") && !literal.starts_with('{')
}

/// True if the path of a file or the name of a function contains a word for mocks, fixtures or fakes.
fn stands_in(name: &str) -> bool {
    let is_stand_in =
        |word: &str| matches!(word, "mock" | "mocks" | "fixture" | "fixtures" | "conftest" | "fake" | "fakes");
    name.split(|c: char| !c.is_alphanumeric()).any(is_stand_in)
        || ["mock", "Mock", "fake", "Fake"].iter().any(|prefix| name.strip_prefix(prefix).is_some_and(starts_a_word))
}

/// True if a word of a name in camel case or snake case begins where `rest` begins.
fn starts_a_word(rest: &str) -> bool {
    rest.starts_with(|c: char| c.is_uppercase() || c == '_')
}

#[cfg(test)]
mod tests {
    use crate::indexer;
    use apidisc_base::control::Control;
    use apidisc_facts::source::Source;

    /// The calls of `f` that are quoted, each as its path and line.
    fn typical(files: &[(&str, &str)]) -> Vec<String> {
        let library = ("lib.py", "def f(a, b=1): ...\n");
        let files =
            files.iter().chain([&library]).map(|&(path, text)| (path.to_owned(), text.as_bytes().to_vec().into()));
        let source = Source::Memory { name: "m".to_owned(), files: files.collect() };
        let index = indexer::build(&source, &mut |_| Control::Continue).expect("files").expect("an index");
        let id = index.definitions_with_ids().find(|(_, d)| d.fqn == "lib.f").expect("f").0;
        let place = |id| {
            let call = index.call(id);
            format!("{}:{}", index.file(call.file).path, call.line)
        };
        index.typical_calls(id).into_iter().map(place).collect()
    }

    #[test]
    fn documents_and_examples_come_before_sources_and_tests_come_last() {
        let test = ("tests/test_a.py", "from lib import f\nf(1)\nf(2)\n");
        let source = ("app.py", "from lib import f\nf(1)\nf(1, b=2)\nf(1, b=3)\n");
        let document = ("README.md", "```python\nfrom lib import f\nf(1, 2)\n```\n");
        assert_eq!(typical(&[test]), ["tests/test_a.py:2", "tests/test_a.py:3"]);
        assert_eq!(typical(&[test, source]), ["app.py:2"]);
        assert_eq!(typical(&[test, source, document]), ["README.md:3"]);
    }

    #[test]
    fn a_call_that_is_expected_to_fail_is_the_last_choice() {
        let test = "import pytest\nfrom lib import f\nwith pytest.raises(ValueError):\n    f(-1)\n";
        assert_eq!(typical(&[("tests/test_a.py", test)]), ["tests/test_a.py:4"]);
        let works = format!("{test}f(1)\n");
        assert_eq!(typical(&[("tests/test_a.py", &works)]), ["tests/test_a.py:5"]);
    }

    #[test]
    fn only_a_call_that_the_signature_accepts_is_quoted() {
        let quoted = |call: &str| {
            let document = format!("```python\nfrom lib import f\n{call}\n```\n");
            let files = [("README.md", document.as_str()), ("lib.py", "def f(a, b=1): ...\n")];
            let files = files.iter().map(|&(path, text)| (path.to_owned(), text.as_bytes().to_vec().into())).collect();
            let source = Source::Memory { name: "m".to_owned(), files };
            let index = indexer::build(&source, &mut |_| Control::Continue).expect("files").expect("an index");
            let id = index.definitions_with_ids().find(|(_, d)| d.fqn == "lib.f").expect("f").0;
            index.definition(id).typical_call.is_some()
        };
        for call in ["f(1)", "f(1, 2)", "f(1, b=2)", "f(b=2, a=1)"] {
            assert!(quoted(call), "{call}");
        }
        for call in ["f(1, 2, 3)", "f(b=1)", "f(1, c=2)"] {
            assert!(!quoted(call), "{call}");
        }
    }

    #[test]
    fn a_document_whose_call_no_code_makes_comes_behind_code_that_runs() {
        let quoted = |document: &str, run: &str| {
            let document = format!("```python\nfrom lib import f\n{document}\n```\n");
            let run = format!("from lib import f\n{run}\n");
            let files = [("README.md", &*document), ("app.py", &*run), ("lib.py", "def f(a, b=1, c=2): ...\n")];
            let files = files.iter().map(|&(path, text)| (path.to_owned(), text.as_bytes().to_vec().into())).collect();
            let source = Source::Memory { name: "m".to_owned(), files };
            let index = indexer::build(&source, &mut |_| Control::Continue).expect("files").expect("an index");
            let id = index.definitions_with_ids().find(|(_, d)| d.fqn == "lib.f").expect("f").0;
            index.definition(id).typical_call.as_deref().map(str::to_owned)
        };
        assert_eq!(quoted("f(1, b=5)", "f(2, b=6)").as_deref(), Some("f(1, b=5)"));
        assert_eq!(quoted("f(1, b=5)", "f(2, c=6)").as_deref(), Some("f(2, c=6)"));
        assert_eq!(quoted("f(1, b=5)", "pass").as_deref(), Some("f(1, b=5)"));
    }

    #[test]
    fn a_mock_leads_only_where_there_is_no_other_call() {
        let mock = ("examples/mock_server.py", "from lib import f\nf(1)\n");
        let fixture = ("conftest.py", "from lib import f\nf(1)\n");
        let fake = ("a.py", "from lib import f\ndef fake_f():\n    f(1)\n");
        let test = ("tests/test_a.py", "from lib import f\nf(1)\n");
        assert_eq!(typical(&[mock]), ["examples/mock_server.py:2"]);
        assert_eq!(typical(&[mock, fixture, fake, test]), ["tests/test_a.py:2"]);
    }
}
