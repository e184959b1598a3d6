//! Tokenizers and exact counting.
//!
//! Special tokens are ordinary text here: `<|endoftext|>` in a docstring costs what its letters cost.
//!
//! Counts add up exactly over segments that end in a newline, unless the next one begins with a blank line,
//! white space only, `/` or a byte above 127. So lines are counted once, remembered, and added; what is
//! delivered is counted whole all the same, a long text on every core: see [`parts`].
//!
//! Ranks are those of `tiktoken-rs`, laid out by the build; cutting and merging are ours, for texts of any length and
//! without a table in memory, and are held against the library's counts by tests.

mod encoding;
mod lines;
mod merge;
mod pieces;
mod table;

use std::{
    fmt,
    sync::{Arc, OnceLock},
};

use rayon::prelude::*;

pub use encoding::{Encoding, UnknownEncoding};
use lines::Lines;
use pieces::Pieces;
use table::Table;

/// Bytes of a text that one core counts at a time: some milliseconds.
const PART: usize = 64 << 10;

/// A tokenizer, ready to count. Its patterns are compiled on first use: do that off the drawing thread.
pub struct Tokenizer {
    /// Which one it is.
    pub encoding: Encoding,
    pieces: Pieces,
    ranks: Table<'static>,
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
        let load = || Self { encoding, pieces: Pieces::of(encoding), ranks: encoding.table(), lines: Lines::default() };
        Arc::clone(LOADED[encoding as usize].get_or_init(|| Arc::new(load())))
    }

    /// Tokens of `text`, exactly.
    pub fn count(&self, text: &str) -> usize {
        match parts(text, PART)[..] {
            // Without a word to the other cores, which may be busy.
            [whole] => self.count_part(whole),
            ref parts => parts.par_iter().map(|part| self.count_part(part)).sum(),
        }
    }

    fn count_part(&self, part: &str) -> usize {
        self.pieces.iter(part).map(|piece| merge::count(&self.ranks, piece.as_bytes())).sum()
    }

    /// Tokens of a line or a few that are likely to be counted again: remembered.
    pub fn count_line(&self, line: &str) -> usize {
        self.lines.get_or_insert_with(line, || self.count(line))
    }
}

/// Cuts a text into parts of `least` bytes or more that no token spans in any encoding: before a line that begins with
/// an ASCII letter, where the line above ends in one line feed after something that is no white space.
///
/// Every pattern ends a match there: none takes a letter together with the line feed before it, and a single line feed
/// is cut alike before a letter and at the end of a text.
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

#[cfg(test)]
mod tests {
    use tiktoken_rs::CoreBPE;

    use super::*;

    /// The tokenizer that ours must agree with.
    pub(super) fn library(encoding: Encoding) -> CoreBPE {
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
    fn counts_are_those_of_the_reference_tokenizer() {
        // python3 -c "import tiktoken; …encode_ordinary('hello world')"
        assert_eq!(Tokenizer::load(Encoding::O200kBase).count("hello world"), 2);
        assert_eq!(Tokenizer::load(Encoding::Cl100kBase).count("tiktoken is great!"), 6);
    }

    #[test]
    fn counts_are_those_of_the_library() {
        let scripts = ["größe 日本語 𝒳", "e\u{301}\u{200d}🙂", "\u{a0}\u{2028}\t \r\n\r", "'LL'll don't I'VE \u{130}"];
        let sources = [
            include_str!("mod.rs"),
            include_str!("../../../tests/cli/main.rs"),
            include_str!("../../../README.md"),
            include_str!("../../../Cargo.lock"),
        ];
        let runs = ["a", " ", "-", "ab_", "9", "é", "=\n", "\u{1F468}\u{200d}"].map(|run| run.repeat(400));
        let texts = || scripts.into_iter().chain(sources).chain(runs.iter().map(String::as_str));
        for encoding in Encoding::ALL {
            let (ours, library) = (Tokenizer::load(encoding), library(encoding));
            for text in texts() {
                assert_eq!(ours.count(text), library.count_ordinary(text), "{encoding} {text:?}");
                // Cut anywhere, so that pieces begin and end in every way.
                for window in text.char_indices().map(|(at, _)| &text[at..]).step_by(97).take(300) {
                    let window = &window[..window.floor_char_boundary(61)];
                    assert_eq!(ours.count(window), library.count_ordinary(window), "{encoding} {window:?}");
                }
            }
        }
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
            let tokenizer = Tokenizer::load(encoding);
            let parts = parts(&text, 16);
            assert!(parts.len() > 500 && parts.concat() == text);
            assert_eq!(parts.iter().map(|part| tokenizer.count_part(part)).sum::<usize>(), tokenizer.count_part(&text));
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
