"""Trains the table of word vectors that the program ships.

The vectors begin as the singular vectors of the positive pointwise mutual information between the words of questions
and of definitions. They are then trained with a contrastive loss: the mean vector of a question's words shall be nearer
to the mean vector of its definition than to the other definitions of the batch.

    python train.py pairs.jsonl -o words.table

The form of the table is described in `src/engine/answering/discover/meaning/word_vectors.rs`.
"""

import argparse
import json
import struct
import sys
from collections import Counter

import numpy as np
import scipy.sparse as sparse
from scipy.sparse.linalg import svds

# The fields of a definition with their weights, and how much the length of a field reduces them: as in the program's
# index (`src/engine/answering/discover/symbol_words.rs`). The index does not have the words of a body (`called`); here they teach
# which words belong together.
DEFINITION = (("name", 5.0, 0.5), ("in", 1.5, 0.5), ("params", 1.0, 0.75), ("doc", 1.0, 0.75), ("called", 0.3, 0.75))
QUESTION = (("q", 1.0, 0.75),)

MOST_WORDS = 16_384
LEAST_PAIRS = 5  # of a word in the table
EPOCHS = 8
BATCH = 1_024
RATE = 2e-3
TEMPERATURE = 0.07
DROPPED = 0.2  # the share of words that are left out at random, so that no word decides alone
SEED = 7


def vocabulary(pairs):
    """The words of the table with their positions, and how much each says."""
    fields = [field for field, _, _ in QUESTION + DEFINITION]
    count = Counter(word for pair in pairs for word in set().union(*(pair[field] for field in fields)))
    kept = sorted((w for w, n in count.items() if n >= LEAST_PAIRS and not w.isdigit()), key=lambda w: (-count[w], w))
    kept = kept[:MOST_WORDS]
    weights = np.log1p(len(pairs) / np.array([count[word] for word in kept])).astype(np.float32)
    return {word: at for at, word in enumerate(kept)}, weights


def bags(pairs, positions, weights, fields):
    """A sparse row for each pair: the square roots of the weighted frequencies of its words, times their weights."""
    averages = [max(1.0, sum(len(pair[field]) for pair in pairs) / len(pairs)) for field, _, _ in fields]
    ends, columns, values = [0], [], []
    for pair in pairs:
        bag = {}
        for (field, weight, b), average in zip(fields, averages):
            value = weight / (1 - b + b * len(pair[field]) / average)
            for word in pair[field]:
                if (at := positions.get(word)) is not None:
                    bag[at] = bag.get(at, 0.0) + value
        columns += bag.keys()
        values += bag.values()
        ends.append(len(columns))
    shape = (len(pairs), len(positions))
    made = sparse.csr_matrix((np.sqrt(np.array(values, np.float32)), np.array(columns, np.int32), ends), shape)
    return (made @ sparse.diags(weights)).tocsr().astype(np.float32)


def normalised(rows):
    lengths = np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-6)
    return rows / lengths, lengths


def first_vectors(questions, definitions, dimensions):
    def unit(rows):
        lengths = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1)).ravel())
        return sparse.diags(1 / np.maximum(lengths, 1e-6)) @ rows

    questions, definitions = unit(questions), unit(definitions)
    together = questions.T @ definitions
    together = (together + together.T + 0.5 * (questions.T @ questions)).tocoo()
    sums = np.asarray(together.sum(axis=1)).ravel()
    smoothed = sums**0.75 * (sums.sum() / (sums**0.75).sum())
    expected = sums[together.row] * smoothed[together.col] / together.data.sum()
    information = np.log(np.maximum(together.data / np.maximum(expected, 1e-9), 1e-9))
    kept = information > 0
    places = (together.row[kept], together.col[kept])
    positive = sparse.csr_matrix((information[kept].astype(np.float32), places), together.shape)
    left, singular, _ = svds(positive, k=dimensions, random_state=SEED)
    vectors = (left * np.sqrt(singular)).astype(np.float32)
    return vectors / (vectors.std() * dimensions**0.5)


def trained(vectors, questions, definitions):
    """Adam on the symmetric contrastive loss (InfoNCE) of batches."""
    random = np.random.default_rng(SEED)
    mean, square = np.zeros_like(vectors), np.zeros_like(vectors)
    batches = questions.shape[0] // BATCH
    step, identity = 0, np.eye(BATCH, dtype=np.float32)

    def softmax(rows):
        powers = np.exp(rows - rows.max(axis=1, keepdims=True))
        return powers / powers.sum(axis=1, keepdims=True)

    def through_length(gradient, unit, lengths):
        return (gradient - unit * (gradient * unit).sum(axis=1, keepdims=True)) / lengths

    for epoch in range(EPOCHS):
        order = random.permutation(questions.shape[0])
        losses = 0.0
        for batch in range(batches):
            rows = order[batch * BATCH : (batch + 1) * BATCH]
            asked, defined = questions[rows], definitions[rows]
            for bag in (asked, defined):
                bag.data *= random.random(bag.data.size) > DROPPED
            (q, q_lengths), (d, d_lengths) = normalised(asked @ vectors), normalised(defined @ vectors)
            cosines = q @ d.T / TEMPERATURE
            to_definitions, to_questions = softmax(cosines), softmax(cosines.T)
            losses -= np.log(np.diag(to_definitions) + 1e-9).mean()
            error = (to_definitions - identity + (to_questions - identity).T) / (2 * BATCH * TEMPERATURE)
            gradient = asked.T @ through_length(error @ d, q, q_lengths)
            gradient += defined.T @ through_length(error.T @ q, d, d_lengths)
            step += 1
            rate = RATE * min(1, step / 100) * (1 - 0.9 * step / (EPOCHS * batches))
            mean = 0.9 * mean + 0.1 * gradient
            square = 0.999 * square + 0.001 * gradient**2
            vectors -= rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
        print(f"epoch {epoch + 1} of {EPOCHS}: loss {losses / batches:.4f}", file=sys.stderr)
    return vectors


def write(path, positions, weights, vectors):
    words = sorted((word.encode(), at) for word, at in positions.items())
    order = [at for _, at in words]
    vectors, weights = vectors[order], weights[order]
    scales = np.maximum(np.abs(vectors).max(axis=1), 1e-9) / 7
    values = (np.clip(np.round(vectors / scales[:, None]), -8, 7) + 8).astype(np.uint8)
    with open(path, "wb") as out:
        out.write(b"apidisc words 1\n" + struct.pack("<II", len(words), vectors.shape[1]))
        for word, _ in words:
            out.write(bytes([len(word)]) + word)
        out.write(weights.astype("<f4").tobytes() + scales.astype("<f4").tobytes())
        out.write((values[:, 0::2] | values[:, 1::2] << 4).tobytes())


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("pairs", help="the file that pairs.py wrote")
    parser.add_argument("-o", "--output", required=True)
    parser.add_argument("--dimensions", type=int, default=128, help="an even number")
    options = parser.parse_args()
    with open(options.pairs) as lines:
        pairs = [json.loads(line) for line in lines]
    positions, weights = vocabulary(pairs)
    print(f"{len(pairs):,} pairs, {len(positions):,} words", file=sys.stderr)
    questions = bags(pairs, positions, weights, QUESTION)
    definitions = bags(pairs, positions, weights, DEFINITION)
    vectors = first_vectors(questions, definitions, options.dimensions)
    write(options.output, positions, weights, trained(vectors, questions, definitions))


if __name__ == "__main__":
    main()
