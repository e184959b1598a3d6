//! Exact token counts by byte-pair encoding (BPE).
//!
//! A text is split into pre-tokens by the pattern of the encoding (`pretokenizer`), and the bytes of each pre-token are
//! joined by merge ranks (`merge`, `rank_table`). Special tokens are ordinary text here: `<|endoftext|>` in a docstring
//! is encoded like any other text.
//!
//! The counts of segments that end in a newline add up to the count of the whole text, unless a later segment begins
//! with a blank line, `/` or a byte above 127, or consists of white space. So the number of tokens of a stub is
//! estimated as the sum of the counts of its lines, which are cached. Delivered text is always counted exactly; a long
//! text is divided among the cores, see `chunks`.
//!
//! The ranks are those of `tiktoken-rs`, packed by the build script (`vocabulary`). Pre-tokenisation and merging are
//! implemented here, because they must accept texts of any length and be ready soon. Tests compare the counts with
//! those of the library.

mod encoding;
mod line_counts;
mod merge;
mod pretokenizer;
mod rank_table;
mod vocabulary;

use std::{
    fmt,
    sync::{Arc, OnceLock},
};

use rayon::prelude::*;

pub use encoding::{Encoding, UnknownEncoding};
use line_counts::LineCountCache;
use pretokenizer::PreTokenizer;
use rank_table::RankTable;

/// The least number of bytes that one core counts at a time: a few milliseconds of work.
const CHUNK_BYTES: usize = 64 << 10;

/// A loaded tokenizer. Loading compiles its pattern and builds the table of its ranks, which is too slow for the thread
/// that draws the screen.
pub struct Tokenizer {
    /// The encoding whose tokens are counted.
    pub encoding: Encoding,
    pretokenizer: PreTokenizer,
    ranks: RankTable,
    line_counts: LineCountCache,
}

impl fmt::Debug for Tokenizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tokenizer").field("encoding", &self.encoding).finish_non_exhaustive()
    }
}

impl Tokenizer {
    /// The tokenizer of an encoding, loaded on first use and shared from then on.
    pub fn load(encoding: Encoding) -> Arc<Self> {
        static LOADED: [OnceLock<Arc<Tokenizer>>; Encoding::ALL.len()] = [const { OnceLock::new() }; 6];
        let load = || Self {
            encoding,
            pretokenizer: PreTokenizer::new(encoding),
            ranks: encoding.rank_table(),
            line_counts: LineCountCache::default(),
        };
        Arc::clone(LOADED[encoding as usize].get_or_init(|| Arc::new(load())))
    }

    /// The exact number of tokens of `text`.
    pub fn count(&self, text: &str) -> usize {
        match chunks(text, CHUNK_BYTES)[..] {
            // A short text is counted on this thread: the thread pool may be busy.
            [whole] => self.count_chunk(whole),
            ref chunks => chunks.par_iter().map(|chunk| self.count_chunk(chunk)).sum(),
        }
    }

    fn count_chunk(&self, chunk: &str) -> usize {
        let pre_tokens = self.pretokenizer.split(chunk);
        pre_tokens.map(|pre_token| merge::count_tokens(&self.ranks, pre_token.as_bytes())).sum()
    }

    /// The exact number of tokens of a line, or of a few lines, that is likely to be counted again: the count is
    /// cached.
    pub fn count_line(&self, line: &str) -> usize {
        self.line_counts.get_or_insert_with(line, || self.count(line))
    }
}

/// Divides a text into chunks of at least `min_bytes` bytes, at boundaries that no token spans in any encoding: before
/// a line that begins with an ASCII letter, if the previous line ends in a visible ASCII character and one line feed.
///
/// The pattern of every encoding ends a match at such a boundary, for two reasons:
///
/// - No pattern matches a letter together with the line feed before it.
/// - Every pattern treats a single line feed before a letter like one at the end of a text.
fn chunks(text: &str, min_bytes: usize) -> Vec<&str> {
    let mut chunks = Vec::with_capacity(1 + text.len() / min_bytes);
    let mut rest = text;
    while rest.len() > min_bytes {
        let is_boundary = |at: &usize| {
            matches!(rest.as_bytes()[at - 2..], [last, b'\n', next, ..]
                if last.is_ascii_graphic() && next.is_ascii_alphabetic())
        };
        let Some(boundary) = (min_bytes.max(2)..rest.len()).find(is_boundary) else { break };
        let (chunk, after) = rest.split_at(boundary);
        chunks.push(chunk);
        rest = after;
    }
    chunks.push(rest);
    chunks
}

#[cfg(test)]
mod tests {
    use tiktoken_rs::CoreBPE;

    use super::*;

    /// The tokenizer of `tiktoken-rs`, with which every count must agree.
    pub(super) fn tiktoken(encoding: Encoding) -> CoreBPE {
        let library = match encoding {
            Encoding::O200kBase => tiktoken_rs::o200k_base(),
            Encoding::O200kHarmony => tiktoken_rs::o200k_harmony(),
            Encoding::Cl100kBase => tiktoken_rs::cl100k_base(),
            Encoding::P50kBase => tiktoken_rs::p50k_base(),
            Encoding::P50kEdit => tiktoken_rs::p50k_edit(),
            Encoding::R50kBase => tiktoken_rs::r50k_base(),
        };
        library.expect("the library reads the ranks that are built into it")
    }

    #[test]
    fn counts_equal_those_of_openai_tiktoken() {
        // python3 -c "import tiktoken; …encode_ordinary('hello world')"
        assert_eq!(Tokenizer::load(Encoding::O200kBase).count("hello world"), 2);
        assert_eq!(Tokenizer::load(Encoding::Cl100kBase).count("tiktoken is great!"), 6);
    }

    #[test]
    fn counts_equal_those_of_tiktoken_rs() {
        let scripts = ["größe 日本語 𝒳", "e\u{301}\u{200d}🙂", "\u{a0}\u{2028}\t \r\n\r", "'LL'll don't I'VE \u{130}"];
        let sources = [
            include_str!("lib.rs"),
            include_str!("../../../tests/cli/main.rs"),
            include_str!("../../../README.md"),
            include_str!("../../../Cargo.lock"),
        ];
        let runs = ["a", " ", "-", "ab_", "9", "é", "=\n", "\u{1F468}\u{200d}"].map(|run| run.repeat(400));
        let texts = || scripts.into_iter().chain(sources).chain(runs.iter().map(String::as_str));
        for encoding in Encoding::ALL {
            let (ours, library) = (Tokenizer::load(encoding), tiktoken(encoding));
            for text in texts() {
                assert_eq!(ours.count(text), library.count_ordinary(text), "{encoding} {text:?}");
                // Windows of the text, so that pre-tokens begin and end in every way.
                for window in text.char_indices().map(|(at, _)| &text[at..]).step_by(97).take(300) {
                    let window = &window[..window.floor_char_boundary(61)];
                    assert_eq!(ours.count(window), library.count_ordinary(window), "{encoding} {window:?}");
                }
            }
        }
    }

    #[test]
    fn special_tokens_count_as_ordinary_text() {
        for encoding in [Encoding::O200kBase, Encoding::O200kHarmony, Encoding::Cl100kBase] {
            assert!(Tokenizer::load(encoding).count("<|endoftext|>") > 1, "{encoding}");
        }
    }

    #[test]
    fn a_tokenizer_is_loaded_once() {
        assert!(Arc::ptr_eq(&Tokenizer::load(Encoding::R50kBase), &Tokenizer::load(Encoding::R50kBase)));
    }

    #[test]
    fn the_counts_of_chunks_add_up_to_the_count_of_the_whole() {
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
            let tokenizer = Tokenizer::load(encoding);
            let chunks = chunks(&text, 16);
            assert!(chunks.len() > 500 && chunks.concat() == text);
            let sum: usize = chunks.iter().map(|chunk| tokenizer.count_chunk(chunk)).sum();
            assert_eq!(sum, tokenizer.count_chunk(&text));
        }
    }

    #[test]
    fn very_long_runs_of_white_space_are_counted() {
        let tokenizer = Tokenizer::load(Encoding::O200kBase);
        for c in [' ', '\n', '\t', '\u{a0}'] {
            let run: String = std::iter::repeat_n(c, 300_000).chain(['x']).collect();
            assert!(tokenizer.count(&run) > 0);
        }
    }
}
