//! A model in the form of Model2Vec (<https://github.com/MinishLab/model2vec>): a folder with a tokenizer and a vector
//! for each of its tokens. The vector of a text is the mean of those of its tokens.
//!
//! `config.json` is not read: it tells whether vectors are normalised, and this program compares only directions.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail, ensure};
use apidisc::{
    discover::WordModel,
    files::{FileError, RegularFile},
    hash::ContentHash,
};
use safetensors::{Dtype, SafeTensors, tensor::TensorView};
use tokenizers::Tokenizer;

use super::float::half;

const VECTORS: &str = "model.safetensors";
const TOKENIZER: &str = "tokenizer.json";
/// The name of the tensor with a row for each token.
const TENSOR: &str = "embeddings";
/// The tensors of models whose rows are shared or weighted, which are not read.
const OTHER_TENSORS: [&str; 2] = ["mapping", "weights"];
/// The largest files. A static model of 100,000 tokens with 512 dimensions has 205 MB.
const MAX_BYTES_OF_VECTORS: u64 = 512 << 20;
const MAX_BYTES_OF_TOKENIZER: u64 = 64 << 20;
/// The greatest number of dimensions: a corpus keeps as many bytes for each of its entries.
const MAX_DIMENSIONS: usize = 1_024;
/// The longest word that is looked up, in bytes. Longer ones are hashes, keys and the like.
const LONGEST_WORD: usize = 64;

/// Tokens with their vectors.
#[derive(Debug)]
pub(super) struct Model2Vec {
    id: ContentHash,
    tokenizer: Tokenizer,
    /// The token for text outside of the vocabulary.
    unknown: Option<u32>,
    dimensions: usize,
    /// The vectors of all tokens, one after the other.
    vectors: Vec<f32>,
}

impl Model2Vec {
    /// Reads a model.
    ///
    /// # Errors
    /// If a file is missing, too large or not in its form, and if the tokens do not fit the vectors.
    pub(super) fn open(folder: &Path) -> anyhow::Result<Self> {
        let file = read(folder, VECTORS, MAX_BYTES_OF_VECTORS)?;
        let (vectors, dimensions) = vectors(&file).with_context(|| VECTORS.to_owned())?;
        let text = read(folder, TOKENIZER, MAX_BYTES_OF_TOKENIZER)?;
        let (tokenizer, unknown) = tokenizer(&text).with_context(|| TOKENIZER.to_owned())?;
        let rows = vectors.len() / dimensions;
        let last = tokenizer.get_vocab(true).into_values().max().unwrap_or_default();
        ensure!(
            (last as usize) < rows,
            "{TOKENIZER} has tokens up to number {last}, but {VECTORS} has {rows} rows, for the numbers below {rows}; take \
             both files from one model"
        );
        let id = ContentHash::of_parts(&[b"model2vec", &file, &text]);
        Ok(Self { id, tokenizer, unknown, dimensions, vectors })
    }
}

impl WordModel for Model2Vec {
    fn dimensions(&self) -> usize {
        self.dimensions
    }

    fn id(&self) -> ContentHash {
        self.id
    }

    fn add(&self, word: &str, factor: f32, sum: &mut [f32]) -> bool {
        if word.len() > LONGEST_WORD {
            return false;
        }
        let Ok(encoding) = self.tokenizer.encode_fast(word, false) else { return false };
        let mut is_known = false;
        for token in encoding.get_ids().iter().filter(|token| Some(**token) != self.unknown) {
            let start = *token as usize * self.dimensions;
            let Some(vector) = self.vectors.get(start..start + self.dimensions) else { continue };
            sum.iter_mut().zip(vector).for_each(|(sum, value)| *sum += factor * value);
            is_known = true;
        }
        is_known
    }
}

/// The bytes of a file of a model.
fn read(folder: &Path, name: &str, limit: u64) -> anyhow::Result<Vec<u8>> {
    let path: PathBuf = folder.join(name);
    match RegularFile::open(&path).and_then(|file| file.read(limit)) {
        Ok(bytes) => Ok(bytes),
        Err(error @ FileError::TooLarge { .. }) => bail!("{name}: {error}, such as a static model of fewer tokens"),
        Err(FileError::Io(error)) if error.kind() == std::io::ErrorKind::NotFound => bail!(
            "there is no {name} in it; name the folder of a model in the form of Model2Vec, with {VECTORS} and {TOKENIZER}"
        ),
        Err(error) => bail!("{name} cannot be read: {error}"),
    }
}

/// The vectors of a file and their number of dimensions.
fn vectors(file: &[u8]) -> anyhow::Result<(Vec<f32>, usize)> {
    let tensors = SafeTensors::deserialize(file)
        .map_err(|error| anyhow!("it is not in the form of safetensors: {error}; download it again"))?;
    let names = || tensors.names().into_iter().map(str::to_owned).take(5).collect::<Vec<_>>().join(", ");
    let tensor = tensors
        .tensor(TENSOR)
        .map_err(|_| anyhow!("it has no tensor `{TENSOR}`, only: {}; take a static model of Model2Vec", names()))?;
    if let Some(other) = OTHER_TENSORS.into_iter().find(|other| tensors.tensor(other).is_ok()) {
        bail!(
            "it has a tensor `{other}`, so that its rows are not the vectors of tokens; make the model without a quantized \
             vocabulary"
        );
    }
    let &[rows, dimensions] = tensor.shape() else {
        bail!("`{TENSOR}` has the shape {:?}; it must be a table with a row for each token", tensor.shape());
    };
    ensure!(
        rows > 0 && (1..=MAX_DIMENSIONS).contains(&dimensions),
        "`{TENSOR}` has {rows} rows of {dimensions} values; a model has at least 1 row, and 1 to {MAX_DIMENSIONS} values"
    );
    let vectors = numbers(&tensor)?;
    ensure!(
        vectors.iter().all(|value| value.is_finite()),
        "`{TENSOR}` has values that are infinite or no numbers; make the model again"
    );
    Ok((vectors, dimensions))
}

fn numbers(tensor: &TensorView<'_>) -> anyhow::Result<Vec<f32>> {
    Ok(match tensor.dtype() {
        Dtype::F32 => tensor.data().as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect(),
        Dtype::F16 => tensor.data().as_chunks().0.iter().map(|bytes| half(*bytes)).collect(),
        other => bail!("`{TENSOR}` has values of type {other:?}; save it as F32 or F16"),
    })
}

/// The tokenizer of a file, and its token for unknown text.
fn tokenizer(text: &[u8]) -> anyhow::Result<(Tokenizer, Option<u32>)> {
    let mut tokenizer = Tokenizer::from_bytes(text)
        .map_err(|error| anyhow!("it is not in the form of Hugging Face tokenizers: {error}; download it again"))?;
    // Each word is tokenized alone, without padding and without truncation.
    tokenizer.with_padding(None);
    tokenizer.with_truncation(None).map_err(|error| anyhow!("{error}"))?;
    let value: serde_json::Value = serde_json::from_slice(text)?;
    let model = &value["model"];
    let by_name = model["unk_token"].as_str().and_then(|token| tokenizer.token_to_id(token));
    let unknown = by_name.or_else(|| u32::try_from(model["unk_id"].as_u64()?).ok());
    Ok((tokenizer, unknown))
}
