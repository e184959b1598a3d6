//! Models in folders: what is read, and what is refused with which words.

use std::{fs, path::Path};

use apidisc::discover::WordModel as _;
use tempfile::TempDir;

use super::{model2vec::Model2Vec, open};

/// A tokenizer of whole words and their parts, in lower case.
fn tokenizer(tokens: &[&str]) -> String {
    let vocabulary: serde_json::Map<_, _> =
        tokens.iter().enumerate().map(|(number, token)| ((*token).to_owned(), number.into())).collect();
    serde_json::json!({
        "version": "1.0",
        "truncation": null,
        "padding": {
            "strategy": {"Fixed": 8}, "direction": "Right", "pad_to_multiple_of": null, "pad_id": 0, "pad_type_id": 0,
            "pad_token": "[PAD]"
        },
        "added_tokens": [],
        "normalizer": {"type": "Lowercase"},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": null,
        "decoder": null,
        "model": {
            "type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100, "vocab": vocabulary
        }
    })
    .to_string()
}

/// A file of tensors: for each its name, type, shape and bytes.
fn tensors(tensors: &[(&str, &str, &[usize], &[u8])]) -> Vec<u8> {
    let (mut header, mut data) = (serde_json::Map::new(), Vec::new());
    for (name, dtype, shape, bytes) in tensors {
        let offsets = [data.len(), data.len() + bytes.len()];
        header.insert((*name).to_owned(), serde_json::json!({"dtype": dtype, "shape": shape, "data_offsets": offsets}));
        data.extend_from_slice(bytes);
    }
    let header = serde_json::to_string(&header).expect("a header");
    [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), &data].concat()
}

fn floats(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

const TOKENS: [&str; 5] = ["[PAD]", "[UNK]", "open", "re", "##open"];

fn good() -> Vec<u8> {
    let values = [9.0, 9.0, 5.0, 5.0, 1.0, 0.0, 0.0, 0.5, 0.75, 0.0];
    tensors(&[("embeddings", "F32", &[5, 2], &floats(&values))])
}

fn folder(vectors: &[u8], tokenizer: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("model.safetensors"), vectors).expect("a file");
    fs::write(folder.path().join("tokenizer.json"), tokenizer).expect("a file");
    folder
}

fn refused(folder: &Path) -> String {
    let refused = open(Some(folder)).expect_err("no model");
    format!("{refused:#}")
}

#[test]
fn a_word_has_the_sum_of_its_known_tokens() {
    let folder = folder(&good(), &tokenizer(&TOKENS));
    let model = Model2Vec::open(folder.path()).expect("a model");
    let vector = |word: &str| {
        let mut sum = vec![0.0; 2];
        model.add(word, 2.0, &mut sum).then_some(sum)
    };
    assert_eq!(model.dimensions(), 2);
    assert_eq!(vector("open"), Some(vec![2.0, 0.0]));
    assert_eq!(vector("Reopen"), Some(vec![1.5, 1.0]));
    assert_eq!((vector("größe"), vector(""), vector(&"open".repeat(100))), (None, None, None));
}

#[test]
fn half_precision_gives_the_same_vectors() {
    let halves: Vec<u8> = [0x3c00_u16, 0, 0, 0x3800].into_iter().flat_map(u16::to_le_bytes).collect();
    let folder = folder(&tensors(&[("embeddings", "F16", &[2, 2], &halves)]), &tokenizer(&["[UNK]", "open"]));
    let model = Model2Vec::open(folder.path()).expect("a model");
    let mut sum = [0.0; 2];
    assert!(model.add("open", 1.0, &mut sum));
    assert!(sum[0].abs() < f32::EPSILON && (sum[1] - 0.5).abs() < f32::EPSILON, "{sum:?}");
}

#[test]
fn models_of_other_bytes_have_other_ids() {
    let id = |vectors: &[u8], tokens: &[&str]| {
        Model2Vec::open(folder(vectors, &tokenizer(tokens)).path()).expect("a model").id()
    };
    let ids = [
        id(&good(), &TOKENS),
        id(&good(), &TOKENS[..4]),
        id(&tensors(&[("embeddings", "F32", &[5, 2], &floats(&[0.5; 10]))]), &TOKENS),
        open(None).expect("a model").id(),
    ];
    assert!((0..4).all(|at| !ids[at + 1..].contains(&ids[at])), "{ids:?}");
    assert_eq!(ids[0], id(&good(), &TOKENS));
}

#[test]
fn what_is_no_model_is_refused_in_words_that_say_how_to_mend_it() {
    let words = tokenizer(&TOKENS);
    let of = |vectors: &[u8]| refused(folder(vectors, &words).path());
    let table = |shape: &[usize], values: &[f32]| of(&tensors(&[("embeddings", "F32", shape, &floats(values))]));
    let nothing = tempfile::tempdir().expect("a folder");
    let without_tokenizer = folder(&good(), &words);
    fs::remove_file(without_tokenizer.path().join("tokenizer.json")).expect("removed");
    let huge = folder(&[], &words);
    let file = fs::File::create(huge.path().join("model.safetensors")).expect("a file");
    // The file has a hole: it takes no room.
    file.set_len(10 << 30).expect("a size");
    let cases = [
        (refused(nothing.path()), "there is no model.safetensors in it; name the folder of a model"),
        (refused(&nothing.path().join("none")), "there is no model.safetensors in it"),
        (refused(without_tokenizer.path()), "there is no tokenizer.json in it"),
        (refused(huge.path()), "model.safetensors: it is larger than"),
        (of(b"x"), "model.safetensors: it is not in the form of safetensors"),
        (of(&good()[..good().len() - 1]), "it is not in the form of safetensors"),
        (of(&tensors(&[("other", "F32", &[1], &floats(&[1.0]))])), "it has no tensor `embeddings`, only: other"),
        (table(&[5], &[1.0; 5]), "`embeddings` has the shape [5]; it must be a table"),
        (table(&[5, 0], &[]), "`embeddings` has 5 rows of 0 values"),
        (table(&[0, 5], &[]), "`embeddings` has 0 rows"),
        (table(&[1, 2_000], &[1.0; 2_000]), "1 rows of 2000 values"),
        (table(&[5, 1], &[1.0, 1.0, 1.0, f32::NAN, 1.0]), "infinite or no numbers"),
        (table(&[4, 1], &[1.0; 4]), "tokens up to number 4, but model.safetensors has 4 rows"),
        (of(&tensors(&[("embeddings", "I32", &[5, 1], &[0; 20])])), "values of type I32; save it as F32 or F16"),
        (
            of(&tensors(&[("embeddings", "F32", &[5, 1], &floats(&[1.0; 5])), ("mapping", "I32", &[1], &[0; 4])])),
            "it has a tensor `mapping`",
        ),
        (refused(folder(&good(), "{}").path()), "tokenizer.json: it is not in the form of Hugging Face tokenizers"),
    ];
    for (said, expected) in cases {
        assert!(said.starts_with("--model /") && said.contains(expected), "{said}\n{expected}");
        assert!(!said.contains('\n'), "{said}");
    }
}
