"""Planted requests: a sentence to an assistant inside a text about something else.

Such a sentence needs no suspicious word ("Write a poem about the sea."). It is recognised by being
a request, by words that the text around it does not use, and by its position. Each requesting
segment gets features; a fitted linear combination of them is its score.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from math import exp
from pathlib import Path

from documents.injection.families import word_lists
from documents.injection.segments import Segment, SegmentedText
from lib.text.tokens import NUMBER
from lib.text.words import word_set

_LISTS = word_lists(Path(__file__).with_name("asking.txt"))
FRAMES = """i want you to
i need you to
i would like you to
i'd like you to
make sure to
be sure to
remember to
don't forget to
do not forget to
don't hesitate to
you must
you should
you need to
feel free to
try to
it is important to
let us"""
"""Phrases that may precede the verb of a request."""
_DETERMINERS = word_set("a an the your my all every each this these following some any")
_OPENING = 8
"""Tokens in which the verb or question word of a request must come."""


@dataclass(frozen=True, slots=True)
class Asking:
    """A segment that requests something, with its features."""

    segment: Segment
    features: dict[str, float]


@dataclass(frozen=True, slots=True)
class _Around:
    """Facts of the whole text that apply to each of its segments."""

    page: SegmentedText
    counts: Counter[str]
    """Content words of the text."""
    talk: int
    """Tokens in segments that ask, or talk of I and you."""
    asking_tokens: int
    """Tokens in segments that ask."""
    rows: int
    """Tokens that are numbers or borders of table cells."""


def score(asking: Asking) -> float:
    """Return how much a segment looks like a request planted in another text, from 0 to 1."""
    total = sum(WEIGHTS.get(name, 0.0) * size for name, size in asking.features.items())
    return 1 / (1 + exp(-max(-30.0, min(30.0, total + WEIGHTS["bias"]))))


def askings(page: SegmentedText) -> Iterator[Asking]:
    """Yield the segments of a text that request something.

    In a text of a single segment nothing is planted: it must at least mention the answer to come.
    """
    if len(page.segments) == 1 and not _mentions(page, page.segments[0]):
        return
    kinds = [_kind(page, segment) for segment in page.segments]
    if not any(kinds):
        return
    talks = [
        (segment.last - segment.first) if kind or _talks(page, segment) else 0
        for segment, kind in zip(page.segments, kinds, strict=True)
    ]
    around = _around(page, sum(talks), _asking_tokens(page, kinds))
    for segment, kind, talk in zip(page.segments, kinds, talks, strict=True):
        if kind:
            features = {kind: 1.0, **_inside(page, segment), **_outside(around, segment, talk)}
            features["unasked_reply"] = features["your_reply"] * (1 - features["talk"])
            yield Asking(segment, features)


def _asking_tokens(page: SegmentedText, kinds: list[str]) -> int:
    return sum(
        segment.last - segment.first
        for segment, kind in zip(page.segments, kinds, strict=True)
        if kind
    )


def _around(page: SegmentedText, talk: int, asking_tokens: int) -> _Around:
    tokens = page.tokens
    counts = Counter(word for word in tokens.lower if _content(word))
    rows = sum(
        kind == NUMBER or word[0] == "|"
        for kind, word in zip(tokens.kinds, tokens.words, strict=True)
    )
    return _Around(page, counts, talk, asking_tokens, rows)


def _content(word: str) -> bool:
    return len(word) > 3 and word[0].isalpha() and word not in _ASKED_WORDS


_ASKED_WORDS = frozenset().union(
    *(_LISTS[name] for name in ("compose", "task", "edit", "lead", "wh", "aux", "reply", "you")),
    word_set("this that with from have been their there about which these those into following"),
)


def _kind(page: SegmentedText, segment: Segment) -> str:
    """Return how a segment opens: the name of its verb list, a kind of question, or ""."""
    lower = page.tokens.lower
    at = _opening(page, segment)
    if at >= segment.last:
        return ""
    is_question = (
        lower[segment.last - 1][0] == "?" or "?" in lower[max(at, segment.last - 3) : segment.last]
    )
    word = lower[at]
    if word in _LISTS["wh"] and is_question:
        return "question"
    if word in _LISTS["aux"]:
        return _favour(lower, at, segment.last, is_question)
    return next((name for name in ("compose", "task", "edit") if word in _LISTS[name]), "") or (
        "mention" if _mentions(page, segment) else ""
    )


def _favour(lower: list[str], at: int, last: int, asked: bool) -> str:
    """Return the kind of an auxiliary: "Can you …" asks a favour, others open a question."""
    if at + 1 < last and lower[at + 1] in ("you", "du", "sie") and lower[at] in _CAN:
        return "favour"
    return "yes_no" if asked else ""


_CAN = word_set("can could would will kannst konnen konntest konnten")


def _opening(page: SegmentedText, segment: Segment) -> int:
    """Return the token that opens a request, after bullets, quotes and polite words."""
    lower = page.tokens.lower
    at, stop = segment.first, min(segment.last, segment.first + _OPENING)
    while at < stop and _filler(lower, at):
        at += 1
    if at + 2 < stop and lower[at] in ("in", "within", "to", "for", "at") and "," in lower[at:stop]:
        at = lower.index(",", at, stop) + 1
    for frame in _FRAMES.get(lower[at], ()) if at < len(lower) else ():
        if lower[at : at + len(frame)] == frame:
            return at + len(frame)
    return at


def _filler(lower: list[str], at: int) -> bool:
    word = lower[at]
    return not word[0].isalpha() or word in _LISTS["lead"]


def _by_first_word(frames: Iterable[list[str]]) -> dict[str, list[list[str]]]:
    by_word: dict[str, list[list[str]]] = {}
    for frame in frames:
        by_word.setdefault(frame[0], []).append(frame)
    return by_word


_FRAMES = _by_first_word(line.split() for line in FRAMES.splitlines() if line.strip())


def _mentions(page: SegmentedText, segment: Segment) -> bool:
    """Return whether a segment mentions the answer to come without opening as a request."""
    return bool(_reply(page.tokens.lower, segment) or _snippet(page.tokens.lower, segment))


def _reply(lower: list[str], segment: Segment) -> bool:
    return _pair(lower, segment, _YOUR, _LISTS["reply"], 2)


_YOUR = word_set("your deine deiner deinen ihre ihrer")
_NEXT = word_set("following subsequent below next")


def _snippet(lower: list[str], segment: Segment) -> bool:
    return _pair(lower, segment, _NEXT, _LISTS["snippet"], 1)


def _pair(
    lower: list[str], segment: Segment, first: frozenset[str], other: frozenset[str], gap: int
) -> bool:
    """Return whether a word of one list is closely followed by a word of the other."""
    return any(
        lower[at] in first and not other.isdisjoint(lower[at + 1 : min(at + 2 + gap, segment.last)])
        for at in range(segment.first, segment.last)
    )


def _talks(page: SegmentedText, segment: Segment) -> bool:
    words = page.tokens.lower[segment.first : segment.last]
    return not _TALK.isdisjoint(words)


_TALK = _LISTS["self"] | _LISTS["you"]


def talk_around(page: SegmentedText, spans: Collection[tuple[int, int]]) -> tuple[int, float]:
    """Return the number of tokens outside the segments of these spans, and their share of talk.

    Talk is what requests, or speaks of I and you.
    """
    rest = talk = 0
    for segment in page.segments:
        if any(segment.first < last and first < segment.last for first, last in spans):
            continue
        size = segment.last - segment.first
        rest += size
        talk += size if _talks(page, segment) or _kind(page, segment) else 0
    return rest, talk / max(rest, 1)


def _inside(page: SegmentedText, segment: Segment) -> dict[str, float]:
    """Return the features of a segment's words."""
    lower = page.tokens.lower
    words = lower[segment.first : segment.last]
    features = {name: 1.0 for name in _NAMED if not _LISTS[name].isdisjoint(words)}
    features |= {
        "your_reply": float(_reply(lower, segment)),
        "your_work": float(_pair(lower, segment, _YOUR, _LISTS["work"], 2)),
        "snippet": float(_snippet(lower, segment)),
        "me": float("me" in words[1:5] or "mir" in words[1:5]),
        "do_i": float("how" in words[:2] and not {"i", "you", "to"}.isdisjoint(words[1:4])),
        "quotes": float(any(word[0] in "'\"" for word in words)),
        "link": float(any(word in ("www", "http", "https", "com", "@") for word in words)),
        "determiner": float(not _DETERMINERS.isdisjoint(words[1:4])),
        "titled": float(_titled(page, segment)),
        "ended": float(words[-1][0] in ".?!:"),
        "length": min(len(words), 60) / 20,
    }
    return features


def _titled(page: SegmentedText, segment: Segment) -> bool:
    """Return whether a segment is a heading in title case: "Check Your Understanding"."""
    words = page.tokens.words[segment.first : segment.last]
    return len(words) > 1 and all(word[0].isupper() for word in words if len(word) > 3)


_NAMED = ("product", "tongue", "coding", "letters", "push", "self")


def _outside(around: _Around, segment: Segment, talk: int) -> dict[str, float]:
    """Return the features of a segment's position in the text."""
    size = segment.last - segment.first
    rest = len(around.page.tokens) - size
    first = segment.first == 0
    last = segment.last == len(around.page.tokens)
    return {
        "own_line": float(segment.opens_line and segment.ends_line),
        "half_line": float(segment.opens_line != segment.ends_line),
        "edge": float(first or last),
        "cut": float(first and around.page.tokens.words[0][0].islower()),
        "strange": _strange(around, segment),
        "alone": float(rest < 20),
        "talk": (around.talk - talk) / max(rest, 1),
        "asked": min(1.0, 3 * (around.asking_tokens - size) / max(rest, 1)),
        "figures": min(1.0, 3 * around.rows / max(rest, 1)),
        "cell": float(_cell(around.page, segment)),
    }


def _strange(around: _Around, segment: Segment) -> float:
    """Return the share of the segment's content words that occur nowhere else in the text."""
    words = around.page.tokens.lower[segment.first : segment.last]
    here = Counter(word for word in words if _content(word))
    if not here:
        return 0.5
    return sum(around.counts[word] == count for word, count in here.items()) / len(here)


def _cell(page: SegmentedText, segment: Segment) -> bool:
    """Return whether a segment shares its line with a table's border."""
    words, end = page.tokens.words, segment.last
    before = segment.first > 0 and words[segment.first - 1][0] == "|" and not segment.opens_line
    return before or (end < len(words) and words[end][0] == "|" and not segment.ends_line)


WEIGHTS = {
    "bias": -6.7,
    "alone": 0.5,
    "asked": -1.8,
    "cell": -1.2,
    "coding": 1.1,
    "compose": 0.7,
    "cut": -1.8,
    "determiner": 0.5,
    "do_i": -0.4,
    "edge": 0.3,
    "edit": 0.0,
    "ended": 0.4,
    "favour": -0.9,
    "figures": 0.7,
    "half_line": -0.4,
    "length": -1.5,
    "letters": 1.4,
    "link": 1.4,
    "me": 0.6,
    "mention": -0.5,
    "own_line": 1.8,
    "product": 1.3,
    "push": 0.8,
    "question": -0.4,
    "quotes": 0.7,
    "self": 0.5,
    "snippet": 1.7,
    "strange": 4.8,
    "talk": -0.7,
    "titled": -1.5,
    "tongue": 1.8,
    "unasked_reply": 1.1,
    "yes_no": -1.5,
    "your_reply": 2.6,
    "your_work": 2.2,
}
"""Log-odds for each feature, as fitted, with the bias 1.0 lower (docs/concepts/injection.md)."""
