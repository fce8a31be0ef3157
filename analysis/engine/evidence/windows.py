"""The evidence a claim is compared with: windows of the best passages.

A window is put together from whole passages, rarest words first, until it holds what the claim
says or is full. Passages that stand apart may share a window, so that evidence spread over a
source is read at once; passages of one window stand in the order of their sources.
"""

from collections import defaultdict
from dataclasses import dataclass

from analysis.engine.evidence.corpus import Corpus

WORDS = 100
"""Words and marks a window may hold: with a claim of 30 words about 170 tokens of the model."""
MAX_POSTINGS = 20_000
MAX_CANDIDATES = 48
_AGAIN = 0.35
"""What a word is worth that a chosen passage has already: a second witness, not news."""
_CONTEXT = 0.3
"""What a word of the question or the subject is worth beside one of the claim."""
_LEAST = 0.12
"""A passage that brings less than this share of the first one's worth brings noise."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A passage, or the stretch of a long one, by tokens [first, last) of its source."""

    passage: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Window:
    """Pieces in reading order and their text; `lead` is the passage that matched best."""

    lead: int
    pieces: tuple[Piece, ...]
    text: str
    score: float


@dataclass(frozen=True, slots=True)
class Choice:
    """The windows of one claim, best first, and whether a bound cut the search off."""

    windows: tuple[Window, ...]
    cut: bool


def choose(
    corpus: Corpus,
    terms: frozenset[str],
    context: frozenset[str],
    count: int = 1,
    words: int = WORDS,
) -> Choice:
    """Up to `count` windows for a claim of these terms; none where no passage has one of them.

    A further one is read where the evidence is spread: it holds words of the claim that those
    before it do not.
    """
    weights = _weights(corpus, terms, context)
    scores, is_cut = _scores(corpus, weights)
    beside = _beside_rare(corpus, weights)
    best = sorted(scores, key=lambda at: (-scores[at], -beside[at], corpus.text_of(at)))
    best = best[:MAX_CANDIDATES]
    windows, texts = list[Window](), set[str]()
    for _ in range(count):
        passages = _greedy(corpus, best, weights, words)
        if not passages:
            break
        lead = passages[0]
        pieces = _filled(corpus, passages, weights, words)
        claim_windows = _of_claim(corpus, pieces, terms)
        if windows and claim_windows <= texts:
            break
        texts |= claim_windows
        windows.append(Window(lead, pieces, _text(corpus, pieces), scores[lead]))
        best = [at for at in best if at not in passages]
    return Choice(tuple(windows), is_cut)


def _of_claim(corpus: Corpus, pieces: tuple[Piece, ...], terms: frozenset[str]) -> frozenset[str]:
    """The words of the claim that a window holds."""
    window_terms = frozenset[str]().union(
        *(corpus.passages[piece.passage].terms for piece in pieces)
    )
    return terms & window_terms


def _weights(corpus: Corpus, terms: frozenset[str], context: frozenset[str]) -> dict[str, float]:
    """The worth of each word that some passage has, rarest first."""
    weights = {term: corpus.idf(term) for term in terms if term in corpus.postings}
    for term in context - terms:
        if term in corpus.postings:
            weights[term] = corpus.idf(term) * _CONTEXT
    return dict(sorted(weights.items(), key=lambda item: (-item[1], item[0])))


def _scores(corpus: Corpus, weights: dict[str, float]) -> tuple[dict[int, float], bool]:
    scores: dict[int, float] = defaultdict(float)
    budget = MAX_POSTINGS
    for term, weight in weights.items():
        postings = corpus.postings[term]
        budget -= len(postings)
        if budget < 0 and scores:
            break
        for index in postings:
            scores[index] += weight * corpus.norms[index]
    return scores, budget < 0


def _beside_rare(corpus: Corpus, weights: dict[str, float]) -> dict[int, float]:
    """What rare words say beside a passage is worth: it tells passages of the same words apart."""
    worth: dict[int, float] = defaultdict(float)
    for term, beside in corpus.rare_neighbours(corpus.rarest_first(weights)):
        for near in beside:
            worth[near] += weights[term]
    return worth


def _greedy(corpus: Corpus, order: list[int], weights: dict[str, float], words: int) -> list[int]:
    """Passages in the order of what each adds to those before it."""
    passages: list[int] = []
    terms, texts = set[str](), set[str]()
    room, first = words, 0.0
    budget = list(order)
    while budget and room > 0:
        worth = {at: _worth(corpus, at, weights, terms) for at in budget}
        at = max(budget, key=lambda index: worth[index])
        if passages and worth[at] < _LEAST * first:
            break
        first = first or worth[at]
        budget.remove(at)
        size = _size(corpus, at)
        if passages and (size > room or _words_of(corpus, at) in texts):
            continue
        for passage in (at, *_antecedent_passages(corpus, at, passages, room - size)):
            texts.add(_words_of(corpus, passage))
            passages.append(passage)
            terms |= corpus.passages[passage].terms
            room -= _size(corpus, passage)
        budget = [other for other in budget if other not in passages]
    return passages


def _antecedent_passages(corpus: Corpus, at: int, passages: list[int], room: int) -> list[int]:
    """The passages before that say whom the pronoun of this one means, as far as there is room."""
    neighbours: list[int] = []
    for near in corpus.leading_to(at) if corpus.refers_back(at) else ():
        room -= 0 if near in passages else _size(corpus, near)
        if room < 0:
            break
        neighbours += [] if near in passages else [near]
    return neighbours


def _worth(corpus: Corpus, at: int, weights: dict[str, float], covered_terms: set[str]) -> float:
    terms = corpus.passages[at].terms
    gain = sum(
        weight * (_AGAIN if term in covered_terms else 1.0)
        for term, weight in weights.items()
        if term in terms
    )
    return gain * corpus.norms[at]


def _words_of(corpus: Corpus, at: int) -> str:
    """The words of a passage: sources that repeat each other are read once."""
    return " ".join(corpus.text_of(at).lower().split())


def _size(corpus: Corpus, at: int) -> int:
    return corpus.passages[at].last - corpus.passages[at].first


def _filled(
    corpus: Corpus, passages: list[int], weights: dict[str, float], words: int
) -> tuple[Piece, ...]:
    """The taken passages with their neighbours where there is room, in reading order."""
    room = words - sum(_size(corpus, at) for at in passages)
    chosen_passages = set(passages)
    for at in passages:
        for near in (at - 1, at + 1):
            if (
                near in chosen_passages
                or not _is_beside(corpus, at, near)
                or _size(corpus, near) > room
            ):
                continue
            if any(
                _words_of(corpus, near) == _words_of(corpus, other) for other in chosen_passages
            ):
                continue
            chosen_passages.add(near)
            room -= _size(corpus, near)
    return tuple(_piece(corpus, at, weights, words) for at in sorted(chosen_passages))


def _is_beside(corpus: Corpus, at: int, near: int) -> bool:
    within = 0 <= near < len(corpus.passages)
    return within and corpus.passages[at].source == corpus.passages[near].source


def _piece(corpus: Corpus, at: int, weights: dict[str, float], words: int) -> Piece:
    """The whole passage, or of one longer than a window the stretch worth most."""
    passage = corpus.passages[at]
    if passage.last - passage.first <= words:
        return Piece(at, passage.first, passage.last)
    tokens = corpus.tokens[passage.source]
    worth = [weights.get(term or "", 0.0) for term in tokens.terms[passage.first : passage.last]]
    total = best = sum(worth[:words])
    start = 0
    for end in range(words, len(worth)):
        total += worth[end] - worth[end - words]
        if total > best + 1e-9:
            best, start = total, end - words + 1
    return Piece(at, passage.first + start, passage.first + start + words)


def _text(corpus: Corpus, pieces: tuple[Piece, ...]) -> str:
    return " ".join(text_of(corpus, piece) for piece in pieces)


def text_of(corpus: Corpus, piece: Piece) -> str:
    """The piece as its reader sees it."""
    source = corpus.passages[piece.passage].source
    tokens = corpus.tokens[source]
    return corpus.visible_text(source, tokens.starts[piece.first], tokens.ends[piece.last - 1])
