//! An intent is the text of a search: it says in words what code should do. This module reads the words with their
//! alternatives, the names of code, and the kinds of symbols out of it.

use std::ops::RangeInclusive;

use rustc_hash::FxHashSet;

use super::{ScoreWeights, names::hash, static_score::StaticScore};
use crate::terms::{Alternative, folded, words};
use apidisc_base::language::QualifiedName;
use apidisc_facts::program::DefinitionKind::{
    self, Attribute, Class, ClassMethod, Constant, Enum, Function, Interface, Method, Property, StaticMethod, TypeAlias,
};
use apidisc_indexing::index::Definition;
use apidisc_words::{SaidWord, everyday, said_words, stem, synonyms};

/// The longest part of an intent that is read, in bytes.
const LONGEST_INTENT: usize = 4_000;
/// The greatest number of different words that are searched for.
const MAX_WORDS: usize = 32;
/// The greatest number of words of an intent that is compared with names as a whole: `http server` with `HttpServer`.
const MAX_WORDS_OF_A_NAME: usize = 6;
/// The certainty of a name of which only the first letter is a capital: see [`Identifier::certainty`].
const CERTAINTY_OF_A_CAPITAL: f64 = 0.25;
/// The lengths of the acronyms of plain English.
const ACRONYM: RangeInclusive<usize> = 2..=6;
/// The share of the score that a further word for an expression earns: `parallel` for `at the same time`.
const SHARE_OF_AN_EXPRESSION: f32 = 0.8;
/// The share of the score that a word of an expression itself earns: `time` for `at the same time`.
const SHARE_OF_A_LITERAL_WORD: f32 = 0.5;
/// The numbers of words whose initials may be an acronym. The initials of two words often are a short word.
const INITIALS: RangeInclusive<usize> = 3..=5;

/// The words of an intent that ask for a kind of symbol, as stems: `class for a client` asks for classes.
const KINDS: &[(&str, &[DefinitionKind])] = &[
    ("class", &[Class]),
    ("type", &[TypeAlias, Interface, Class]),
    ("interfac", &[Interface]),
    ("enum", &[Enum]),
    ("function", &[Function]),
    ("hook", &[Function]),
    ("helper", &[Function]),
    ("method", &[Method, ClassMethod, StaticMethod]),
    ("properti", &[Property, Attribute]),
    ("attribut", &[Property, Attribute]),
    ("field", &[Property, Attribute]),
    ("constant", &[Constant]),
];

/// The word of an intent that asks for a decorator, as a stem.
const DECORATOR: &str = "decor";
/// The words of an intent that ask for a class to extend, as stems: `write a storage of my own`.
const BASES: [&str; 7] = ["own", "custom", "subclass", "implement", "extend", "overrid", "base"];
/// The words of an intent that ask for what tests define, as stems.
const TESTS: [&str; 4] = ["test", "fixtur", "mock", "conftest"];
/// The verbs at the beginning of an intent whose object may be a class to extend, as stems: `write a plugin`.
const WRITING: [&str; 2] = ["write", "implement"];
/// The words behind such a verb: who writes rows to a file extends no class.
const ARTICLES: [&str; 3] = ["a", "an", "my"];
/// The greatest number of words of which one names what is written: `write a read-only driver`.
const MAX_WORDS_OF_WHAT_IS_WRITTEN: usize = 3;
/// The words for code that decorators change.
const OWN_CODE: [&str; 5] = ["function", "method", "class", "coroutine", "generator"];
/// The number of words at the beginning of an intent of which one names such code.
const MAX_WORDS_OF_OWN_CODE: usize = 4;
/// The word of an intent that asks for an exception, as a stem.
const EXCEPTION: &str = "except";

/// The text of a search, as the parts that are compared with the entries of a corpus.
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a question of its own")]
pub(super) struct Intent {
    words: Vec<Word>,
    /// The same words as they were typed, in lower case.
    typed: Vec<String>,
    /// The hashes of the first word and of its synonyms, each with its share: see [`Self::share_of_verb`].
    verbs: Vec<(u32, f64)>,
    /// The last word as it was typed, in lower case.
    last_typed: Option<Box<str>>,
    /// The names in the intent that look like names of code, such as `Client.get` or `max_retries`.
    pub(super) identifiers: Vec<Identifier>,
    /// The letters and digits of the whole intent, in lower case; empty if the intent has too many words for a name.
    pub folded: String,
    /// The kinds of symbols that the intent asks for.
    kinds: Vec<DefinitionKind>,
    asks_for_decorator: bool,
    asks_for_exception: bool,
    /// True if the intent asks for a class to extend.
    pub(super) asks_for_base: bool,
    /// True if the intent asks for what tests define.
    pub(super) asks_for_tests: bool,
    /// The hashes of the words behind a verb such as `write` at the beginning: `write a read-only driver of …`.
    written: Vec<u32>,
}

/// A name in an intent.
#[derive(Debug, PartialEq)]
pub(super) struct Identifier {
    pub(super) name: String,
    /// How certain it is that the intent means the symbol with this name, from 0 to 1.
    pub(super) certainty: f64,
}

/// The terms that count as an occurrence of one word, each with the share of the score that it earns; the stem of the
/// word comes first.
#[derive(Debug)]
struct Word(Vec<(Box<str>, f32)>);

impl Intent {
    /// The intent of a text, by the default weights.
    pub(super) fn new(text: &str) -> Self {
        Self::weighted(text, &ScoreWeights::default())
    }

    /// Reads the intent of a text. Synonyms of its words count with their share in `weights`; the other weights play no
    /// part.
    pub(super) fn weighted(text: &str, weights: &ScoreWeights) -> Self {
        let text = &text[..text.floor_char_boundary(LONGEST_INTENT)];
        let said = said_words(text);
        let stems: Vec<String> = said.iter().map(|said| stem(&said.word)).collect();
        let mut known: FxHashSet<&str> = FxHashSet::default();
        let typed = said.iter().zip(&stems).filter(|(_, stem)| known.insert(stem.as_str()));
        let typed = typed.map(|(said, _)| said.word.clone()).take(MAX_WORDS).collect();
        let asked = KINDS.iter().filter(|(word, _)| stems.iter().any(|stem| stem == word));
        let words = searched(&said, &stems, weights.synonyms as f32);
        let verbs = words.first().into_iter().flat_map(|Word(terms)| terms);
        Self {
            verbs: verbs.map(|(term, share)| (hash(term), f64::from(*share))).collect(),
            words,
            typed,
            last_typed: said.last().map(|said| said.word.as_str().into()),
            identifiers: identifiers(text),
            folded: if crate::terms::words(text).count() <= MAX_WORDS_OF_A_NAME { folded(text) } else { String::new() },
            kinds: asked.flat_map(|(_, kinds)| *kinds).copied().collect(),
            asks_for_decorator: stems.iter().any(|stem| stem == DECORATOR) || is_about_own_code(text),
            asks_for_exception: stems.iter().any(|stem| stem == EXCEPTION),
            asks_for_tests: stems.iter().any(|stem| TESTS.contains(&stem.as_str())),
            asks_for_base: stems.iter().any(|stem| BASES.contains(&stem.as_str())),
            written: written(text),
        }
    }

    /// True for a symbol of a kind that the intent asks for. `is_exception` says if the symbol is an exception; it is
    /// called only if the intent asks for exceptions.
    pub(super) fn asks_for(&self, static_score: &StaticScore, is_exception: impl FnOnce() -> bool) -> bool {
        static_score.kind.is_some_and(|kind| self.kinds.contains(&kind))
            || self.asks_for_decorator && static_score.is_decorator
            || self.asks_for_exception && static_score.kind == Some(Class) && is_exception()
    }

    /// The share of the first word of the intent that the first word of a symbol's name is: most intents begin with a
    /// verb, as most names of functions do. 0 for another word.
    pub(super) fn share_of_verb(&self, static_score: &StaticScore) -> f64 {
        let verb = self.verbs.iter().find(|(verb, _)| *verb == static_score.first_word);
        verb.map_or(0.0, |(_, share)| *share)
    }

    /// True if the intent begins with a verb such as `write`, an article and, behind few words, the last word of the
    /// name of a class.
    pub(super) fn writes(&self, class: &Definition) -> bool {
        let last = || words(&class.name).last().map(|word| hash(&stem(&word)));
        !self.written.is_empty() && last().is_some_and(|last| self.written.contains(&last))
    }

    /// True if the intent has every word of the name of a class.
    pub(super) fn names(&self, class: &Definition) -> bool {
        let has = |word: String| {
            let stem = stem(&word);
            self.words.iter().any(|Word(terms)| terms.iter().any(|(term, share)| *share >= 1.0 && **term == *stem))
        };
        class.last_names().any(|name| words(name).all(has))
    }

    /// The words as they were typed, in lower case; of words with one stem only the first.
    pub(super) fn typed_words(&self) -> impl Iterator<Item = &str> {
        self.typed.iter().map(String::as_str)
    }

    /// The words as a query. The last word, which somebody may still be typing, also matches longer words: those that
    /// begin with the typed letters, not with its stem, since `retri`, the stem of `retry`, begins `retrieve`.
    pub(super) fn query(&self) -> Vec<Vec<Alternative<'_>>> {
        let mut query: Vec<Vec<Alternative<'_>>> = self.words.iter().map(Word::alternatives).collect();
        if let (Some(last), Some(typed)) = (query.last_mut(), &self.last_typed) {
            if last[0].term == &**typed {
                last[0].is_prefix = true;
            } else {
                last.push(Alternative { term: typed, share: 1.0, is_prefix: true });
            }
        }
        query
    }
}

impl Word {
    fn alternatives(&self) -> Vec<Alternative<'_>> {
        self.0.iter().map(|(term, share)| Alternative { term, share: *share, is_prefix: false }).collect()
    }
}

/// True for a text that begins with a function or class of its author's: `my async function f should run every hour`,
/// `on my class User`. What changes such code is a decorator more often than other symbols are.
fn is_about_own_code(text: &str) -> bool {
    let mut words = crate::terms::words(text).take(MAX_WORDS_OF_OWN_CODE).peekable();
    words.next_if(|first| *first == "on");
    words.next().is_some_and(|first| first == "my") && words.any(|word| OWN_CODE.contains(&word.as_str()))
}

/// The hashes of the stems of the words behind a verb such as `write` and an article, at the beginning of a text.
fn written(text: &str) -> Vec<u32> {
    let mut words = crate::terms::words(text);
    let is_written = words.next().is_some_and(|verb| WRITING.contains(&stem(&verb).as_str()))
        && words.next().is_some_and(|article| ARTICLES.contains(&article.as_str()));
    let written =
        words.filter(|word| is_written && !crate::terms::is_stop_word(word)).take(MAX_WORDS_OF_WHAT_IS_WRITTEN);
    written.map(|word| hash(&stem(&word))).collect()
}

/// The words to search for, each once. Two words side by side may be one word in names: `time out`, `timeout`.
fn searched(said: &[SaidWord], stems: &[String], share_of_synonym: f32) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    for (at, own) in stems.iter().enumerate().take(4 * MAX_WORDS) {
        if words.len() == MAX_WORDS || words.iter().any(|Word(terms)| *terms[0].0 == **own) {
            continue;
        }
        let mut terms = vec![(own.as_str().into(), 1.0)];
        let pairs = [at.checked_sub(1).map(|before| (before, at)), (at + 1 < said.len()).then_some((at, at + 1))];
        let joined = |(one, other): (usize, usize)| stem(&[said[one].word.as_str(), &said[other].word].concat());
        terms.extend(pairs.into_iter().flatten().map(|pair| (joined(pair).into(), 1.0)));
        terms.extend(said[at].others.iter().map(|word| (stem(word).into(), SHARE_OF_AN_EXPRESSION)));
        terms.extend(said[at].literal.iter().map(|word| (stem(word).into(), SHARE_OF_A_LITERAL_WORD)));
        let others = synonyms(own).iter().chain(everyday(own));
        terms.extend(others.map(|term| (term.clone(), share_of_synonym)));
        words.push(Word(terms));
    }
    add_initials(said, stems, &mut words);
    words
}

/// Adds the initials of neighbouring words as another form of each of them: `json web token` finds `jwt`.
fn add_initials(said: &[SaidWord], stems: &[String], words: &mut [Word]) {
    for at in 0..said.len().min(4 * MAX_WORDS) {
        for count in INITIALS {
            let Some(run) = said.get(at..at + count) else { break };
            let initials: String = run.iter().filter_map(|said| said.word.chars().next()).collect();
            let initials = stem(&initials);
            for own in &stems[at..at + count] {
                let word = words.iter_mut().find(|Word(terms)| *terms[0].0 == **own);
                if let Some(Word(terms)) = word.filter(|Word(terms)| terms.iter().all(|(term, _)| **term != *initials))
                {
                    terms.push((initials.as_str().into(), 1.0));
                }
            }
        }
    }
}

/// The words of a text that look like names of code: with an underscore, a separator or a capital behind the first
/// letter, in backticks, or before `(`. A word with a capital alone is one too, unless it begins the text, but it is
/// less certain: it may name the library, a protocol or a person. So may an acronym, such as `JSON`. A search uses only
/// those that are the names of symbols.
fn identifiers(text: &str) -> Vec<Identifier> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$' || QualifiedName::SEPARATORS.contains(&c);
    let mut found: Vec<Identifier> = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find(is_part).map(|offset| at + offset) {
        let end = text[start..].find(|c| !is_part(c)).map_or(text.len(), |offset| start + offset);
        let name = text[start..end].trim_matches(QualifiedName::SEPARATORS);
        let mut inner = name.chars().skip(1);
        let is_quoted = text[..start].ends_with('`') || text[end..].starts_with(['`', '(']);
        let is_capitalized = start > 0 && name.starts_with(char::is_uppercase);
        let is_acronym = ACRONYM.contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_uppercase());
        let is_code =
            !is_acronym && inner.any(|c| c == '_' || c.is_uppercase() || QualifiedName::SEPARATORS.contains(&c));
        let is_capitalized = is_capitalized || is_acronym;
        if !name.is_empty() && (is_quoted || is_capitalized || is_code) && found.len() < MAX_WORDS {
            let certainty = if is_quoted || is_code { 1.0 } else { CERTAINTY_OF_A_CAPITAL };
            found.push(Identifier { name: name.to_owned(), certainty });
        }
        at = end;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identifiers_of(text: &str) -> Vec<String> {
        Intent::new(text).identifiers.into_iter().map(|identifier| identifier.name).collect()
    }

    #[test]
    fn names_of_code_are_identifiers() {
        assert_eq!(identifiers_of("set max_retries of an HTTPTransport"), ["max_retries", "HTTPTransport"]);
        assert_eq!(identifiers_of("Send with Client.get, or `send`."), ["Client.get", "send"]);
        assert_eq!(identifiers_of("Retry a request. How?"), ["How"]);
        assert_eq!(identifiers_of("retry(times)"), ["retry"]);
    }

    #[test]
    fn a_capital_alone_says_little() {
        let identifiers = Intent::new("log in to Hono with JWTPayload").identifiers;
        let certainties: Vec<_> = identifiers.iter().map(|one| (one.name.as_str(), one.certainty)).collect();
        assert_eq!(certainties, [("Hono", CERTAINTY_OF_A_CAPITAL), ("JWTPayload", 1.0)]);
        let identifiers = Intent::new("JSON of a `SQL` statement").identifiers;
        let certainties: Vec<_> = identifiers.iter().map(|one| (one.name.as_str(), one.certainty)).collect();
        assert_eq!(certainties, [("JSON", CERTAINTY_OF_A_CAPITAL), ("SQL", 1.0)]);
    }

    #[test]
    fn words_are_stems_with_alternatives() {
        let intent = Intent::new("how to delete the folders");
        let query = intent.query();
        let terms: Vec<Vec<&str>> = query.iter().map(|word| word.iter().map(|a| a.term).collect()).collect();
        assert_eq!((terms.len(), terms[0][0], terms[1][0]), (2, "delet", "folder"));
        assert!(terms[0].contains(&"remov") && terms[1].contains(&"directori"), "{terms:?}");
        let prefixes: Vec<&str> = query.iter().flatten().filter(|a| a.is_prefix).map(|a| a.term).collect();
        assert_eq!(prefixes, ["folders"]);
        let retry =
            Intent::new("retry").query()[0].iter().map(|a| (a.term.to_owned(), a.is_prefix)).collect::<Vec<_>>();
        assert!(retry.contains(&("retri".into(), false)) && retry.contains(&("retry".into(), true)), "{retry:?}");
        let joined = Intent::new("time out");
        assert!(joined.query()[0].iter().any(|a| a.term == stem("timeout") && a.share >= 1.0), "{joined:?}");
    }

    #[test]
    fn any_text_is_an_intent() {
        for text in ["", "  ", "🎉🎉", "the of", "ошибка сети", "日本語のテキスト", "a.b.", "..", &"x ".repeat(100_000)]
        {
            assert!(Intent::new(text).query().len() <= MAX_WORDS, "{text}");
        }
    }
}
