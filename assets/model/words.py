"""The words of names and texts, taken apart as by the program's search (`src/engine/answering/terms/words.rs`)."""

import re

import Stemmer

STOP_WORDS = frozenset(
    """a about an and any are as at be been by can could do does for from has have how i if in into is it its me my of
    on or our please should so that the their them then there these this those to us use used using want was we were
    what when where which who why will with would you your""".split()
)
LONGEST_WORD = 40

_PART = re.compile(r"[A-Z]+(?![a-z])[0-9]*|[A-Z]?[^\WA-Z_]+")
_STEMMER = Stemmer.Stemmer("english")


def words(text):
    """The stems of the words of a name or text in lower case, without stop words."""
    found = (part.group().lower() for part in _PART.finditer(text))
    return [_stem(word) for word in found if word not in STOP_WORDS and len(word) <= LONGEST_WORD]


def _stem(word):
    return _STEMMER.stemWord(word) if word.isascii() and word.isalpha() else word
