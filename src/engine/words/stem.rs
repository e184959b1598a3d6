//! Stems of English words: `retries`, `retried` and `retry` have one stem.

use frostem::{Algorithm, Stemmer};

/// The longest word that has a stem, in bytes. Longer ones are hashes, keys and the like.
const LONGEST_WORD: usize = 40;

/// The stem of a word in lower case.
pub fn stem(word: &str) -> String {
    if word.len() > LONGEST_WORD || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return word.to_owned();
    }
    Stemmer::new(Algorithm::English).stem(word).into_owned()
}

#[cfg(test)]
mod tests {
    use super::stem;

    #[test]
    fn forms_of_a_word_have_one_stem() {
        for words in [&["retry", "retries", "retried", "retrying"][..], &["connect", "connection", "connected"]] {
            let stems: Vec<String> = words.iter().map(|word| stem(word)).collect();
            assert!(stems.windows(2).all(|pair| pair[0] == pair[1]), "{stems:?}");
        }
        assert_eq!(["utf8", "größe", "загрузить"].map(stem), ["utf8", "größe", "загрузить"]);
    }
}
