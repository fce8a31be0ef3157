"""Sources as passages (sentences) with an inverted index, built once per submission."""

import math
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import wraps
from itertools import chain, groupby, pairwise
from typing import Any, TypeVar

from msgspec import Struct

from analysis.engine.claims.assertions import is_question
from analysis.engine.claims.clauses import subject
from analysis.engine.evidence.framing import Frame, frame_of
from analysis.engine.evidence.records import (
    RecordFields,
    RecordLine,
    Verbal,
    read_fields,
    verbalise,
)
from analysis.engine.types import Source
from lib.text.decoded import Decoded, blanked
from lib.text.figures import NO_FIGURES, Figures, figures
from lib.text.markup import without_comments, without_emphasis, without_hidden, without_page_heads
from lib.text.names import aliases, dimensions
from lib.text.negation import NEGATIVE, denied, negations, sounds_negative
from lib.text.reader.reading import TextReading, read_text
from lib.text.stems import stem
from lib.text.tokens import CJK, WORD, Tokens, bigrams, tokenize
from lib.text.words import STOPWORDS, SUBJECT_PRONOUNS, word_set

K = TypeVar("K")
V = TypeVar("V")


def memoise(read: "Callable[[Corpus, K], V]") -> "Callable[[Corpus, K], V]":
    """Call a function or method of a corpus once for each argument, and keep the values there."""

    @wraps(read)
    def recall(corpus: "Corpus", key: K) -> V:
        values: dict[K, V] = corpus.memory[read]
        if key not in values:
            values[key] = read(corpus, key)
        return values[key]

    return recall


_CONDITIONS = word_set("if unless except otherwise whether")
_TELLING = NEGATIVE | _CONDITIONS
"""Every denial and every condition contains one of these."""
VERSION = "sentence_v1"
_K1, _B = 1.2, 0.75
_RARE = 64
"""A term in at most so many passages counts for adjacent passages too."""
_NEAR = 0.5
"""The share of its weight with which such a term counts for adjacent passages."""
_FOLLOWED = 3
"""The number of sentences, each beginning with a pronoun, that inherit a name."""
_SENTENCE_END = ".!?…。"
_ANAPHORS = word_set("it he she they")
"""A sentence that begins with one of these shares the previous one's subject."""
Scores = list[tuple[int, float]]
"""Passages (indices), each with a score."""


class SourceSentence(Struct, frozen=True, gc=False):
    """One sentence of a source: its tokens [first, last), code points [start, end), terms."""

    source: int
    sent_id: int
    start: int
    end: int
    first: int
    last: int
    terms: frozenset[str]


class Facts(Struct, frozen=True, gc=False):
    """The words that a text span negates, and the way it begins.

    `denied` are the stems of what it denies, `leading` is a name that it begins with, `asks` says
    that it is a question.
    """

    denied: frozenset[str]
    negative: bool
    conditional: bool
    leading: frozenset[str]
    asks: bool


class SourceCell(Struct, frozen=True, gc=False):
    """A data value in a source, the names above it and its own, and its passage.

    `record` is the index of its row or object in the source.
    """

    source: int
    record: int
    above: str
    key: str
    text: str
    passage: int


@dataclass(frozen=True, slots=True)
class Corpus:
    """All passages of all sources, and for each term its passages.

    A record is stored here in words; `records` leads back to its paths. `pairs` are all adjacent
    content words of all sources.
    """

    sources: tuple[Source, ...]
    records: tuple[Verbal | None, ...]
    readings: tuple[Decoded, ...]
    """Each source as its reader sees it; models read this."""
    tokens: tuple[Tokens, ...]
    titles: tuple[frozenset[str], ...]
    passages: tuple[SourceSentence, ...]
    postings: dict[str, list[int]]
    norms: tuple[float, ...]
    pairs: frozenset[tuple[str, str]]
    record_fields: tuple[tuple[int, RecordFields], ...]
    """For each source that is a record, its direct statements."""
    cells: tuple[SourceCell, ...]
    """The values of all tables, records and lists of labels among the sources."""
    data: frozenset[int]
    """The passages that these stand in."""
    memory: dict[Any, dict[Any, Any]] = field(
        default_factory=lambda: defaultdict(dict), repr=False, compare=False
    )
    """Results for passages and terms that `memoise` has stored."""

    def part(self, index: int) -> tuple[Tokens, int, int]:
        """Return the tokens [first, last) of a passage."""
        passage = self.passages[index]
        return self.tokens[passage.source], passage.first, passage.last

    @memoise
    def facts(self, index: int) -> Facts:
        """Return the relations and denials of a passage."""
        return facts_of(*self.part(index))

    @memoise
    def frame(self, index: int) -> Frame:
        """Return the words by which a passage denies or reports what it says."""
        return frame_of(*self.part(index))

    @memoise
    def idf(self, term: str) -> float:
        """Return BM25's inverse document frequency over passages."""
        frequency = len(self.postings.get(term, ()))
        return math.log(1 + (len(self.passages) - frequency + 0.5) / (frequency + 0.5))

    @memoise
    def scores_of(self, term: str) -> Scores:
        """Return the passages that contain a term, with BM25 scores."""
        weight, norms = self.idf(term), self.norms
        return [(index, weight * norms[index]) for index in self.postings[term]]

    @memoise
    def neighbour_scores(self, term: str) -> Scores:
        """Return the neighbours of passages with a rare term, with their boosted scores.

        A frequent term boosts none.
        """
        postings = self.postings[term]
        if len(postings) > _RARE:
            return []
        weight, norms, holding = _NEAR * self.idf(term), self.norms, frozenset(postings)
        beside = chain.from_iterable(map(self.boosted_neighbours, postings))
        return [(index, weight * norms[index]) for index in beside if index not in holding]

    @memoise
    def window(self, index: int) -> frozenset[str]:
        """Return the terms in the passage and its neighbours."""
        return self.passages[index].terms | self.around(index)

    @memoise
    def is_record(self, index: int) -> bool:
        """Return whether a passage is of a record, and not prose that data only carries."""
        record, line = self.records[self.passages[index].source], self.record_line(index)
        return record is not None and not (line and line.is_text)

    def record_line(self, index: int) -> RecordLine | None:
        """Return the line of a record that a passage begins in, or None."""
        passage = self.passages[index]
        record = self.records[passage.source]
        return record.line_at(passage.start) if record else None

    def text_of(self, index: int) -> str:
        """Return the passage as written in its source."""
        passage = self.passages[index]
        return self.sources[passage.source].text[passage.start : passage.end]

    def visible_text(self, source: int, start: int, end: int) -> str:
        """Return what a reader sees of code points [start, end) of a source."""
        reading = self.readings[source]
        return reading.text[slice(*reading.part(start, end))]

    def affirmed(self, index: int) -> Figures:
        """Return the figures of a passage that it does not negate."""
        return affirmed(self.figures(index), *self.part(index))

    @memoise
    def figures(self, index: int) -> Figures:
        """Return the figures of a passage, including negated ones."""
        return figures(*self.part(index))

    def around(self, index: int, barred: frozenset[int] = frozenset()) -> frozenset[str]:
        """Return the terms of the passage's neighbours in its source, and of the source's title."""
        if barred and not barred.isdisjoint(near := self._neighbours(index)):
            return self._terms_at(index, [at for at in near if at not in barred])
        return self._terms_around(index)

    @memoise
    def _terms_around(self, index: int) -> frozenset[str]:
        return self._terms_at(index, self._neighbours(index))

    @memoise
    def _neighbours(self, index: int) -> tuple[int, ...]:
        behind = (index + 1,) if self.is_beside(index, index + 1) else ()
        return (*behind, *self.leading_to(index))

    def _terms_at(self, index: int, near: Sequence[int]) -> frozenset[str]:
        terms = [self.passages[at].terms for at in near]
        return self.titles[self.passages[index].source].union(*terms)

    def leading_to(self, index: int) -> list[int]:
        """Return the previous passage and those it refers back to: "The bridge … It … A toll"."""
        return self._followed(index, -1)

    def led_by(self, index: int) -> list[int]:
        """Return the following passages that refer back to this one."""
        return self._followed(index, 1)

    @memoise
    def boosted_neighbours(self, index: int) -> tuple[int, ...]:
        """Return the passages that a rare term here boosts: the previous and referring ones."""
        before = (index - 1,) if self.is_beside(index, index - 1) else ()
        return (*before, *self.led_by(index))

    def rarest_first(self, terms: Iterable[str]) -> list[str]:
        """Return the terms that some passage contains, rarest first."""
        known_terms = [(len(self.postings[term]), term) for term in terms if term in self.postings]
        return [term for _, term in sorted(known_terms)]

    def _followed(self, index: int, step: int) -> list[int]:
        neighbours: list[int] = []
        at = index + step
        while len(neighbours) < _FOLLOWED and self.is_beside(at - step, at):
            neighbours.append(at)
            if not self.refers_back(at):
                break
            at += step
        return neighbours

    def refers_back(self, index: int) -> bool:
        """Return whether the passage begins with a pronoun for an earlier name."""
        passage = self.passages[index]
        return self.tokens[passage.source].lower[passage.first] in SUBJECT_PRONOUNS

    def is_beside(self, index: int, other: int) -> bool:
        """Return whether adjacent passages share a paragraph; a heading belongs to its own."""
        return self._is_joined(min(index, other))

    @memoise
    def _is_joined(self, first: int) -> bool:
        """Return whether a passage and the next one are in the same paragraph."""
        if not 0 <= first < len(self.passages) - 1:
            return False
        earlier, later = self.passages[first : first + 2]
        if earlier.source != later.source:
            return False
        text = self.sources[earlier.source].text
        blank_line = text.count("\n", earlier.end, later.start) > 1
        return not blank_line or text[earlier.end - 1] not in _SENTENCE_END


def build(sources: tuple[Source, ...]) -> Corpus:
    """Index the sources; time and memory are linear in their length."""
    records = tuple(verbalise(source.text) for source in sources)
    sources = tuple(
        replace(source, text=_evidence(source, record))
        for source, record in zip(sources, records, strict=True)
    )
    texts = tuple(read_text(source.text) for source in sources)
    readings = tuple(text.decoded for text in texts)
    tokens = tuple(reading.tokens() for reading in readings)
    passages = tuple(
        passage
        for index, reading in enumerate(texts)
        for passage in _passages(index, reading, tokens[index])
    )
    postings: dict[str, list[int]] = defaultdict(list)
    for index, passage in enumerate(passages):
        for term in passage.terms:
            postings[term].append(index)
    titles = tuple(terms_in(source.title) for source in sources)
    pairs = frozenset(pair for token in tokens for pair in pairwise(terms_of(token, 0, len(token))))
    norms = _norms(passages)
    record_fields = tuple(
        (index, read_fields(record.data))
        for index, record in enumerate(records)
        if record and not sources[index].flagged
    )
    cells = _cells(sources, records, texts, passages)
    return Corpus(
        sources, records, tuple(map(without_emphasis, readings)), tokens, titles, passages,
        dict(postings), norms, pairs, record_fields, cells,
        frozenset(cell.passage for cell in cells),
    )  # fmt: skip


def _cells(
    sources: tuple[Source, ...],
    records: tuple[Verbal | None, ...],
    texts: tuple[TextReading, ...],
    passages: tuple[SourceSentence, ...],
) -> tuple[SourceCell, ...]:
    cells = list[SourceCell]()
    for source, (record, text) in enumerate(zip(records, texts, strict=True)):
        if record is not None and sources[source].flagged:
            continue
        for cell in record.cells if record else text.cells:
            at = cell.start if record else text.worded.offsets[cell.start]
            place = bisect_right(passages, (source, at), key=lambda item: (item.source, item.start))
            words = record.text[cell.start : cell.end] if record else text.text_of(cell)
            cells.append(
                SourceCell(source, cell.record, cell.above, cell.key, words, max(0, place - 1))
            )
    return tuple(cells)


def _norms(passages: tuple[SourceSentence, ...]) -> tuple[float, ...]:
    """Return BM25's factor for one occurrence of a term, by the length of each passage."""
    mean = sum(len(passage.terms) for passage in passages) / max(1, len(passages))
    return tuple(
        (_K1 + 1) / (1 + _K1 * (1 - _B + _B * len(passage.terms) / (mean or 1)))
        for passage in passages
    )


def facts_of(tokens: Tokens, first: int, last: int) -> Facts:
    """Return the facts of tokens [first, last)."""
    leading = _leading_name(tokens, first, *subject(tokens, first, last))
    asks = is_question(tokens, first, last)
    if _TELLING.isdisjoint(tokens.lower[first:last]):
        return Facts(frozenset(), False, False, leading, asks)
    heads = (denied(tokens, scope, first) for scope in negations(tokens, first, last))
    return Facts(
        frozenset(stem(tokens.lower[at]) for at in heads if at is not None and at < last),
        sounds_negative(tokens, first, last),
        not _CONDITIONS.isdisjoint(tokens.lower[first:last]),
        leading,
        asks,
    )


def _leading_name(tokens: Tokens, first: int, start: int, end: int) -> frozenset[str]:
    """Return the stems of the subject [start, end) if it comes first and looks like a name.

    "Berlin is …", "Marie Curie won …"; not "The mill closed" nor "It closed".
    """
    if start != first or not start < end <= start + 4 or tokens.lower[start] in STOPWORDS:
        return frozenset()
    is_name = all(
        tokens.kinds[at] == WORD and tokens.words[at][0].isupper() for at in range(start, end)
    )
    return frozenset(filter(None, tokens.terms[start:end])) if is_name else frozenset()


def affirmed(figures: Figures, tokens: Tokens, first: int, last: int) -> Figures:
    """Return the figures of tokens [first, last) without negated ones: "in 1998, not in 1997"."""
    if figures is NO_FIGURES:
        return figures
    scopes = [(item.first, item.last) for item in negations(tokens, first, last)]
    if not scopes:
        return figures
    return Figures(
        tuple(q for q in figures.quantities if not any(a <= q.first < b for a, b in scopes)),
        tuple(d for d in figures.dates if not any(a <= d.first < b for a, b in scopes)),
    )


def terms_of(tokens: Tokens, first: int, last: int) -> list[str]:
    """Return the content terms in tokens [first, last): stems, digits, pairs of ideographs."""
    terms = list(filter(None, tokens.terms[first:last]))
    return terms + _ideographs(tokens, first, last) if CJK in tokens.kinds[first:last] else terms


def terms_in(text: str) -> frozenset[str]:
    """Return the content terms of a whole text."""
    tokens = tokenize(text)
    return frozenset(terms_of(tokens, 0, len(tokens)))


def _ideographs(tokens: Tokens, first: int, last: int) -> list[str]:
    runs = groupby(range(first, last), key=lambda at: tokens.kinds[at] == CJK)
    words = ([tokens.words[at] for at in run] for is_cjk, run in runs if is_cjk)
    return [*chain.from_iterable(map(bigrams, words))]


def _evidence(source: Source, record: Verbal | None) -> str:
    """Return a source's text with what is no evidence blanked: comments, what is flagged or unseen.

    A record that is flagged is none at all: its words stand elsewhere than in its JSON.
    """
    text = record.text if record else source.text
    if record is not None and source.flagged:
        return blanked(text, [(0, len(text))])
    return without_page_heads(without_hidden(without_comments(blanked(text, source.flagged))))


def flagged_texts(source: Source) -> list[str]:
    """Return the spans of a source that a scan flags; of a record all of it."""
    if source.flagged and verbalise(source.text) is not None:
        return [source.text]
    return [source.text[start:end] for start, end in source.flagged]


def _passages(index: int, text: TextReading, tokens: Tokens) -> list[SourceSentence]:
    passages: list[SourceSentence] = []
    about = frozenset[str]()
    for sentence in text.sentences():
        first, last = tokens.between(sentence.start, sentence.end)
        if first == last:
            continue
        span = tokens.starts[first], tokens.ends[last - 1]
        own = frozenset(terms_of(tokens, first, last))
        terms = own | aliases(tokens, first, last) | dimensions(tokens, first, last)
        if tokens.lower[first] in _ANAPHORS:
            terms |= about
        else:
            about = frozenset(terms_of(tokens, *subject(tokens, first, last)))
        passages.append(SourceSentence(index, len(passages), *span, first, last, terms))
    return passages
