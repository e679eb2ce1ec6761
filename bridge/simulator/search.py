"""WebShop's search: BM25 over stemmed English text, ranked as Lucene (through pyserini) ranks it for WebShop."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import lru_cache
from importlib.resources import files
from itertools import islice

import numpy as np
import numpy.typing as npt
import snowballstemmer

from bridge.simulator.catalogue import CatalogueProduct

K1, B = 0.9, 0.4
"""BM25 parameters of WebShop's searcher (pyserini's defaults)."""
HITS = 50
"""How many hits WebShop asks for."""
STOP_WORDS = frozenset((files("bridge.simulator") / "stop_words.txt").read_text().split())
"""Lucene's English stop words."""

# Lucene's StandardTokenizer, as far as shop texts need it: words and numbers, held together by the marks that Unicode's
# word boundaries allow inside them; each ideograph, each kana of Hiragana and each pictograph
# (emoji and Unicode's other Extended_Pictographic signs) is a word.
_IDEOGRAPH = "\u2e80-\u2fdf\u3005\u3007\u3021-\u3029\u3040-\u309f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_PICTOGRAPH = (
    "©®\u203c\u2049™\u2139\u2194-\u2199\u21a9\u21aa\u231a\u231b\u2328\u23cf\u23e9-\u23f3\u23f8-\u23fa\u24c2\u25aa\u25ab\u25b6\u25c0"
    "\u25fb-\u25fe\u2600-\u2605\u2607-\u2612\u2614-\u2685\u2690-\u2705\u2708-\u2712\u2714\u2716\u271d\u2721\u2728\u2733\u2734\u2744"
    "\u2747\u274c\u274e\u2753-\u2755\u2757\u2763-\u2767\u2795-\u2797\u27a1\u27b0\u27bf\u2934\u2935\u2b05-\u2b07\u2b1b\u2b1c\u2b50"
    "\u2b55\u3030\u303d\u3297\u3299\U0001f000-\U0001f0ff\U0001f10d-\U0001f10f\U0001f12f\U0001f16c-\U0001f171\U0001f17e\U0001f17f"
    "\U0001f18e\U0001f191-\U0001f19a\U0001f201-\U0001faff"
)
_NO_DIGIT = (
    "\u00b2\u00b3\u00b9\u00bc-\u00be\u2070-\u2079\u2080-\u2089\u2150-\u215f\u2460-\u249b\u24ea-\u24ff\u2776-\u2793"  # ², ½, ①: no words
)
_LETTER = rf"[^\W\d_{_IDEOGRAPH}{_NO_DIGIT}]"
_WORD = re.compile(
    rf"[{_IDEOGRAPH}{_PICTOGRAPH}]|(?:[^\W{_IDEOGRAPH}{_NO_DIGIT}]|(?<={_LETTER})['’.:·‧：．](?={_LETTER})|(?<=\d)['’.,;，．](?=\d))+"
)
_BATCH = 1 << 12
_CACHED_WORDS = 1 << 18
Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float32]


def document_text(product: CatalogueProduct) -> str:
    """The text that WebShop indexes for a product: title, description, first bullet and options, lower case."""
    options = ", and ".join(f"{name}: {', '.join(values)}" for name, values in product.options.items())
    return " ".join([product.title, product.description, product.bullets[0] if product.bullets else "", options]).lower()


class Analyzer:
    """Text to index terms, as Lucene's English analyzer in pyserini: split, strip ``'s``, drop stop words, stem."""

    def __init__(self) -> None:
        self._stem = snowballstemmer.stemmer("porter").stemWord
        self._term = lru_cache(_CACHED_WORDS)(self._term_of)

    def terms(self, text: str) -> list[str]:
        """The terms of a text in its order, repeats included."""
        return [term for word in _WORD.findall(text.lower()) if (term := self._term(word))]

    def _term_of(self, word: str) -> str | None:
        if word.endswith(("'s", "’s")):
            word = word[:-2]
        if word in STOP_WORDS or not word.strip("_"):
            return None
        # Lucene's stemmer leaves words of up to two letters alone.
        return str(self._stem(word)) if len(word) > 2 else word


class Index:
    """BM25 over documents, which are known by their place in the order given, from 0."""

    def __init__(self, documents: Iterable[str]) -> None:
        self._analyzer = Analyzer()
        numbers: defaultdict[str, int] = defaultdict()
        numbers.default_factory = numbers.__len__
        lengths, postings = [np.zeros(0, np.int32)], [_postings(np.zeros(0, np.int32), np.zeros(0, np.int32), 0)]
        remaining = iter(documents)
        while batch := [self._analyzer.terms(document) for document in islice(remaining, _BATCH)]:
            words = np.array([numbers[word] for words in batch for word in words], np.int32)
            size = np.array([len(words) for words in batch], np.int32)
            postings.append(_postings(words, size, (len(lengths) - 1) * _BATCH))
            lengths.append(size)
        self._numbers = dict(numbers)
        terms, places, counts = (np.concatenate(parts) for parts in zip(*postings, strict=True))
        by_term = np.argsort(terms, kind="stable")  # stable: the places of one term stay in order
        self._places = places[by_term]
        frequency = np.bincount(terms, minlength=len(numbers))
        self._starts: list[int] = [0, *np.cumsum(frequency).tolist()]
        self._size = sum(len(size) for size in lengths)
        self._weights = self._weigh(counts[by_term], frequency, np.concatenate(lengths))

    def _weigh(self, counts: Ints, frequency: npt.NDArray[np.int64], lengths: Ints) -> Floats:
        """BM25's weight of each posting, kept in single precision as Lucene has it."""
        idf = np.log(1 + (len(lengths) - frequency + 0.5) / (frequency + 0.5)).astype(np.float32)
        norms = (K1 * (1 - B + B * _stored(lengths) / max(lengths.sum() / max(len(lengths), 1), 1.0))).astype(np.float32)
        weights: Floats = (np.repeat(idf, frequency) * counts / (counts + norms[self._places])).astype(np.float32)
        return weights

    def search(self, query: str, k: int = HITS) -> list[int]:
        """Places of the ``k`` best documents that hold any word of the query, best first; equals in their order."""
        places, weights = [], []
        for term, times in Counter(self._analyzer.terms(query)).items():
            number = self._numbers.get(term)
            if number is not None:
                start, end = self._starts[number], self._starts[number + 1]
                places.append(self._places[start:end])
                weights.append(self._weights[start:end] * times if times > 1 else self._weights[start:end])
        if not places:
            return []
        scores = np.bincount(np.concatenate(places), np.concatenate(weights), self._size).astype(np.float32)
        least = np.partition(scores, -k)[-k] if k < self._size else 0.0
        found = np.flatnonzero((scores >= least) & (scores > 0))
        best: list[int] = found[np.argsort(-scores[found], kind="stable")][:k].tolist()
        return best


def _postings(words: Ints, lengths: Ints, first: int) -> tuple[Ints, Ints, Ints]:
    """Term, place and count of each distinct term of each document, for documents of these lengths from place ``first`` on."""
    places = np.repeat(np.arange(len(lengths)), lengths)
    keys, counts = np.unique(words * np.int64(_BATCH) + places, return_counts=True)
    return (keys // _BATCH).astype(np.int32), (keys % _BATCH + first).astype(np.int32), counts.astype(np.int32)


def _stored(lengths: Ints) -> npt.NDArray[np.int64]:
    """Document lengths as Lucene keeps them in one byte: exact below 40, above only the four leading bits of (length - 24)."""
    above = np.maximum(lengths.astype(np.int64) - 24, 1)
    dropped = np.maximum(np.floor(np.log2(above)).astype(np.int64) - 3, 0)
    return np.where(lengths < 40, lengths, 24 + (above >> dropped << dropped))
