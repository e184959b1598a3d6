//! Tokenizers and exact counting.
//!
//! Special tokens are ordinary text here: `<|endoftext|>` in a docstring costs what its letters cost.
//!
//! Counts add up exactly over segments that end in a newline, unless the next one begins with a blank line,
//! white space only, `/` or a byte above 127. So lines are counted once, remembered, and added; what is
//! delivered is counted whole all the same, a long text on every core: see [`parts`].

use std::{
    fmt,
    hash::{BuildHasher, BuildHasherDefault},
    str::FromStr,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHasher};
use tiktoken_rs::CoreBPE;

/// A tokenizer by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Encoding {
    /// `o200k_base`: GPT-4o, GPT-4.1, GPT-5 and the `o` models.
    #[default]
    O200kBase,
    /// `o200k_harmony`: gpt-oss. Ordinary text counts as in `o200k_base`.
    O200kHarmony,
    /// `cl100k_base`: GPT-4, GPT-3.5.
    Cl100kBase,
    /// `p50k_base`: code models, `text-davinci-002` and `-003`.
    P50kBase,
    /// `p50k_edit`: edit models. Ordinary text counts as in `p50k_base`.
    P50kEdit,
    /// `r50k_base`, also called `gpt2`.
    R50kBase,
}

impl Encoding {
    /// Every encoding, in the order of display.
    pub const ALL: [Self; 6] =
        [Self::O200kBase, Self::O200kHarmony, Self::Cl100kBase, Self::P50kBase, Self::P50kEdit, Self::R50kBase];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::O200kBase => "o200k_base",
            Self::O200kHarmony => "o200k_harmony",
            Self::Cl100kBase => "cl100k_base",
            Self::P50kBase => "p50k_base",
            Self::P50kEdit => "p50k_edit",
            Self::R50kBase => "r50k_base",
        }
    }

    /// The encoding whose ranks and pattern count ordinary text: variants differ in special tokens only.
    fn ordinary(self) -> Self {
        match self {
            Self::O200kHarmony => Self::O200kBase,
            Self::P50kEdit => Self::P50kBase,
            other => other,
        }
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that is no encoding's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "no encoding is called `{0}`; use o200k_base, o200k_harmony, cl100k_base, p50k_base, p50k_edit, r50k_base or gpt2"
)]
pub struct UnknownEncoding(String);

impl FromStr for Encoding {
    type Err = UnknownEncoding;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        if name == "gpt2" {
            return Ok(Self::R50kBase);
        }
        Self::ALL.into_iter().find(|e| e.name() == name).ok_or_else(|| UnknownEncoding(name.to_owned()))
    }
}

/// Bytes of a text that one core counts at a time: some milliseconds.
const PART: usize = 64 << 10;

/// A loaded tokenizer. Loading takes a tenth of a second or two: do it once, off the drawing thread.
pub struct Tokenizer {
    /// Which one it is.
    pub encoding: Encoding,
    bpe: &'static CoreBPE,
    lines: Lines,
}

impl fmt::Debug for Tokenizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tokenizer").field("encoding", &self.encoding).finish_non_exhaustive()
    }
}

impl Tokenizer {
    /// The tokenizer of that name, loaded on first use and then shared.
    pub fn load(encoding: Encoding) -> Arc<Self> {
        static LOADED: [OnceLock<Arc<Tokenizer>>; Encoding::ALL.len()] = [const { OnceLock::new() }; 6];
        let load = || Arc::new(Self { encoding, bpe: bpe(encoding), lines: Lines::default() });
        Arc::clone(LOADED[encoding as usize].get_or_init(load))
    }

    /// Tokens of `text`, exactly.
    pub fn count(&self, text: &str) -> usize {
        match parts(text, PART)[..] {
            // Without a word to the other cores, which may be busy.
            [whole] => self.bpe.count_ordinary(whole),
            ref parts => parts.par_iter().map(|part| self.bpe.count_ordinary(part)).sum(),
        }
    }

    /// Tokens of a line or a few that are likely to be counted again: remembered.
    pub fn count_line(&self, line: &str) -> usize {
        self.lines.get_or_insert_with(line, || self.count(line))
    }
}

/// Cuts a text into parts of `least` bytes or more that no token spans in any encoding: before a line that begins with
/// an ASCII letter, where the line above ends in one line feed after something that is no white space.
///
/// Every pattern ends a match there: none takes a letter together with the line feed before it, and those that look
/// ahead find white space only at the end of a part as they find it there in the whole.
fn parts(text: &str, least: usize) -> Vec<&str> {
    let mut parts = Vec::with_capacity(1 + text.len() / least);
    let mut rest = text;
    while rest.len() > least {
        let is_seam = |at: &usize| {
            matches!(rest.as_bytes()[at - 2..], [last, b'\n', next, ..]
                if last.is_ascii_graphic() && next.is_ascii_alphabetic())
        };
        let Some(seam) = (least.max(2)..rest.len()).find(is_seam) else { break };
        let (part, after) = rest.split_at(seam);
        parts.push(part);
        rest = after;
    }
    parts.push(rest);
    parts
}

fn bpe(encoding: Encoding) -> &'static CoreBPE {
    match encoding.ordinary() {
        Encoding::Cl100kBase => tiktoken_rs::cl100k_base_singleton(),
        Encoding::P50kBase | Encoding::P50kEdit => tiktoken_rs::p50k_base_singleton(),
        Encoding::R50kBase => tiktoken_rs::r50k_base_singleton(),
        Encoding::O200kBase | Encoding::O200kHarmony => tiktoken_rs::o200k_base_singleton(),
    }
}

/// Counts by line. Sharded, since a scope's lines are counted on every core.
#[derive(Default)]
struct Lines([Mutex<Shard>; 16]);

#[derive(Default)]
struct Shard {
    counts: FxHashMap<Box<str>, u32>,
    bytes: usize,
}

impl Lines {
    /// Above so many bytes a shard starts anew: most lines of a large scope are counted once, and indexes come and go in
    /// a long session.
    const LIMIT: usize = 256 << 10;
    /// What a line takes beside its text.
    const OVERHEAD: usize = 48;

    fn get_or_insert_with(&self, line: &str, count: impl FnOnce() -> usize) -> usize {
        let hash = BuildHasherDefault::<FxHasher>::default().hash_one(line);
        let shard = &self.0[(hash >> 32) as usize % self.0.len()];
        if let Some(&tokens) = shard.lock().unwrap_or_else(PoisonError::into_inner).counts.get(line) {
            return tokens as usize;
        }
        let tokens = count();
        let mut shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
        shard.bytes += line.len() + Self::OVERHEAD;
        if shard.bytes > Self::LIMIT {
            *shard = Shard::default();
        } else {
            shard.counts.insert(line.into(), tokens as u32);
        }
        tokens
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip_and_gpt2_is_r50k() {
        for encoding in Encoding::ALL {
            assert_eq!(encoding.to_string().parse(), Ok(encoding));
        }
        assert_eq!("gpt2".parse(), Ok(Encoding::R50kBase));
        let error = "gpt5".parse::<Encoding>().expect_err("no such encoding").to_string();
        assert!(error.starts_with("no encoding is called `gpt5`; use o200k_base"), "{error}");
    }

    #[test]
    fn counts_are_those_of_the_reference_tokenizer() {
        // python3 -c "import tiktoken; …encode_ordinary('hello world')"
        assert_eq!(Tokenizer::load(Encoding::O200kBase).count("hello world"), 2);
        assert_eq!(Tokenizer::load(Encoding::Cl100kBase).count("tiktoken is great!"), 6);
    }

    #[test]
    fn special_tokens_are_ordinary_text() {
        for encoding in [Encoding::O200kBase, Encoding::O200kHarmony, Encoding::Cl100kBase] {
            assert!(Tokenizer::load(encoding).count("<|endoftext|>") > 1, "{encoding}");
        }
    }

    #[test]
    fn a_tokenizer_is_loaded_once() {
        assert!(Arc::ptr_eq(&Tokenizer::load(Encoding::R50kBase), &Tokenizer::load(Encoding::R50kBase)));
    }

    #[test]
    fn a_text_in_parts_has_the_tokens_of_the_whole() {
        let lines = [
            "class Agent(Base):\n",
            "    def run(self, *, timeout: float = 1.5) -> None: ...  # 12 calls\n",
            "\n",
            "   \n",
            "x = 1\t\n",
            "größe = '日本'\n",
            "export declare function f(a: string): void; // 3 calls\n",
            "a\r\n",
            "/** text */\n",
            "}\n",
            "b\u{a0}\n",
            "don't\n",
            "ll = 1000000\n",
            "...\n",
        ];
        let mut state = 1_usize;
        let text: String = std::iter::repeat_with(|| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            lines[(state >> 33) % lines.len()]
        })
        .take(3_000)
        .collect();
        for encoding in Encoding::ALL {
            let bpe = bpe(encoding);
            let parts = parts(&text, 16);
            assert!(parts.len() > 500 && parts.concat() == text);
            assert_eq!(parts.iter().map(|part| bpe.count_ordinary(part)).sum::<usize>(), bpe.count_ordinary(&text));
        }
    }

    #[test]
    fn long_runs_of_white_space_are_counted() {
        let tokenizer = Tokenizer::load(Encoding::O200kBase);
        for c in [' ', '\n', '\t', '\u{a0}'] {
            let run: String = std::iter::repeat_n(c, 300_000).chain(['x']).collect();
            assert!(tokenizer.count(&run) > 0);
        }
    }
}
