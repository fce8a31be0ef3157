"""The attack families with fixed wording: their phrases, read once from families.txt."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from documents.injection.results import Family
from documents.injection.segments import Segment, SegmentedText
from lib.text.words import word_set

# Reads the word lists: `[name]` headings, "word*" for a word and its plural.


def word_lists(path: Path) -> dict[str, frozenset[str]]:
    """Return the lists of a file by name."""
    lists: dict[str, set[str]] = {}
    name = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            name = line.strip("[]")
        elif line.strip() and not line.startswith("#"):
            lists.setdefault(name, set()).update(expand(line))
    return {name: frozenset(words) for name, words in lists.items()}


def expand(line: str) -> set[str]:
    """Return the words of a line, with the plurals of those that end in "*"."""
    words: set[str] = set()
    for word in line.split():
        words |= {word[:-1], f"{word[:-1]}s"} if word.endswith("*") else {word}
    return words


# Phrases as steps over tokens: a small pattern language, matched in linear time.
#
# `^ignore|forget ~4 previous|prior ~2 @task` reads: one of the first words at the start of a
# segment, then within 4 skipped tokens one of the next, and so on; `@task` names a word set. With
# `!` for `^` the first word must stand as an order does: where a clause begins, or after "please",
# "you must" and the like. "They ignore the earlier rules" tells, and "never ignore" forbids. `$`
# among the words of a last step stands for the end of the segment.
# A step takes the first word that fits and never goes back, so each start costs at most the
# sum of the gaps, and a gap never crosses the end of a segment.

_MAX_GAP = 8
_END = "$"


@dataclass(frozen=True, slots=True)
class PhraseStep:
    """The words that fit, after at most `gap` skipped tokens."""

    words: frozenset[str]
    gap: int


@dataclass(frozen=True, slots=True)
class Phrase:
    """One pattern of a family and its own contribution to the score, from 0 to 1."""

    family: Family
    score: float
    steps: tuple[PhraseStep, ...]
    opening: str
    """"^", "!" or "", as above."""


@dataclass(frozen=True, slots=True)
class PhraseMatch:
    """Tokens [first, last) covered by a phrase."""

    phrase: Phrase
    first: int
    last: int


Sets = Mapping[str, frozenset[str]]
Index = Mapping[str, Sequence[Phrase]]


def parse(family: Family, score: float, lines: Iterable[str], sets: Sets) -> list[Phrase]:
    """Parse the phrases of a family, one per line."""
    return [_phrase(family, score, line.split(), sets) for line in lines]


def _phrase(family: Family, score: float, words: list[str], sets: Sets) -> Phrase:
    opening = words[0][0] if words[0][0] in "^!" and len(words[0]) > 1 else ""
    words[0] = words[0].removeprefix(opening)
    steps: list[PhraseStep] = []
    gap = 0
    for word in words:
        if word[0] == "~":
            gap = min(int(word[1:]), _MAX_GAP)
        else:
            steps.append(PhraseStep(_alternatives(word, sets), gap))
            gap = 0
    return Phrase(family, score, tuple(steps), opening)


def _alternatives(word: str, sets: Sets) -> frozenset[str]:
    """Return the words of one step; PIPE stands for the separator itself."""
    words: set[str] = set()
    for part in word.split("|"):
        words |= sets[part[1:]] if part[0] == "@" and len(part) > 1 else {part}
    return frozenset("|" if part == "PIPE" else part for part in words)


def index(phrases: Iterable[Phrase]) -> Index:
    """Return the phrases by each word they can begin with."""
    phrases_by_word: dict[str, list[Phrase]] = {}
    for phrase in phrases:
        for word in phrase.steps[0].words:
            phrases_by_word.setdefault(word, []).append(phrase)
    return phrases_by_word


def find(page: SegmentedText, phrases: Index) -> Iterator[PhraseMatch]:
    """Yield all matches in all segments."""
    for segment in page.segments:
        for at in range(segment.first, segment.last):
            for phrase in phrases.get(page.tokens.lower[at], ()):
                last = _match(page, segment, phrase, at)
                if last:
                    yield PhraseMatch(phrase, at, last)


def _match(page: SegmentedText, segment: Segment, phrase: Phrase, at: int) -> int:
    """Return the token after the phrase if it begins here, else 0."""
    if phrase.opening and not _OPENINGS[phrase.opening](page, segment, at):
        return 0
    at += 1
    for step in phrase.steps[1:]:
        stop = min(at + step.gap + 1, segment.last)
        lower = page.tokens.lower
        fits = next((i + 1 for i in range(at, stop) if lower[i] in step.words), 0)
        if not fits:
            return at if at == segment.last and _END in step.words else 0
        at = fits
    return at


def _starts(page: SegmentedText, segment: Segment, at: int) -> bool:
    """Return whether a position starts its segment, ignoring bullets, quotes and one filler."""
    if at - segment.first > 4:
        return False
    before = page.tokens.lower[segment.first : at]
    return all(not word[0].isalnum() or word in _FILLERS for word in before)


_FILLERS = word_set(
    "please kindly now also then so and ok okay stop but just first next finally simply hey hi "
    "bitte nun jetzt dann und"
)
_BEFORE_ORDERS = _FILLERS | word_set(
    "to must should shall will would can could may you u let us lets let's and or but then always "
    "instead again completely totally entirely simply hereby will i'll we'll you'll gonna must "
    "sollst musst sollen mussen kannst du sie"
)
_FORBIDDING = word_set(
    "not never cannot can't don't doesn't didn't won't wouldn't shouldn't mustn't couldn't without "
    "nicht nie niemals kein keine"
)


def _starts_order(page: SegmentedText, segment: Segment, at: int) -> bool:
    """Return whether an order stands here: first in its clause or after an introduction.

    Forbidden orders ("never …") do not count. A capital also begins a clause: planted sentences
    often follow without a full stop.
    """
    before = page.tokens.lower[segment.first : at]
    if not _FORBIDDING.isdisjoint(before[-3:]):
        return False
    begins = not before or not before[-1][0].isalnum() or page.tokens.words[at][0].isupper()
    return begins or before[-1] in _BEFORE_ORDERS


_OPENINGS = {"^": _starts, "!": _starts_order}


_FILE = Path(__file__).with_name("families.txt")


def _sections(text: str) -> Iterator[tuple[str, str, list[str]]]:
    """Yield each `[name value]` section with its lines."""
    heading, lines = ("", ""), list[str]()
    for line in text.splitlines():
        if line.startswith("[") and line.endswith("]") and len(line[1:-1].split()) == 2:
            yield *heading, lines
            name, value = line[1:-1].split()
            heading, lines = (name, value), []
        elif line.strip() and not line.startswith("# "):
            lines.append(line)
    yield *heading, lines


def _read(text: str) -> list[Phrase]:
    sections = [section for section in _sections(text) if section[0]]
    sets: Sets = {
        value: frozenset(expand(" ".join(lines)))
        for name, value, lines in sections
        if name == "set"
    }
    return [
        phrase
        for name, value, lines in sections
        if name != "set"
        for phrase in parse(Family(name), float(value), lines, sets)
    ]


PHRASES = index(_read(_FILE.read_text(encoding="utf-8")))
"""All phrases by the words they can begin with."""
