"""Small words that turn a statement round: with and without, at most and at least, may and must.

They are stop words to everything else. Two of them are held against each other only before the
same word ("with alcohol", "without alcohol"), so that they speak of the same thing.
"""

from collections.abc import Iterator, Sequence

from text.stems import stem
from text.tokens import MARK, Tokens
from text.words import DETERMINERS, word_set

_TURNS = (
    ("with", "without"),
    ("before; prior to", "after; following"),
    ("at most; no more than; not more than; up to", "at least; no less than; not less than"),
    ("maximum; max; highest", "minimum; min; lowest"),
    (
        "exceed; exceeds; exceeding; more than; over; above; higher than; greater than",
        "below; under; less than; fewer than; lower than",
    ),
    ("earlier than", "later than"),
    ("inside; within", "outside; beyond"),
    ("including; includes", "excluding; excludes"),
)
"""Opposites: with the same word behind them, one side denies the other."""
_STRENGTHS = (
    ("may; can; might; could; should; need not", "must; shall; have to; has to"),
    ("always", "sometimes; often; usually; rarely"),
)
"""Not opposites, yet neither side says what the other does."""
_SOLE = word_set("only solely exclusively")
_FOREIGN_NEGATORS = word_set(
    "nicht kein keine keinen keinem keiner keines nie niemals nichts ohne pas jamais aucun aucune "
    "nunca jamás ningún ninguna não nem niet geen nooit"
)
_CJK_NEGATORS = frozenset("不没沒無无非未")
_CJK_NUMERALS = frozenset("〇零一二两兩三四五六七八九十百千万萬亿億")
_SOME_CJK = _CJK_NEGATORS | _CJK_NUMERALS


def _table(rows: tuple[tuple[str, str], ...]) -> dict[tuple[str, ...], tuple[int, bool]]:
    """Each phrase, as words, to its row and its side."""
    return {
        tuple(phrase.split()): (row, side == 0)
        for row, sides in enumerate(rows)
        for side, phrases in enumerate(sides)
        for phrase in phrases.split("; ")
    }


_TURN_TABLE, _STRENGTH_TABLE = _table(_TURNS), _table(_STRENGTHS)
_FIRST = frozenset(phrase[0] for phrase in (*_TURN_TABLE, *_STRENGTH_TABLE))
_LONGEST = 3

Uses = dict[tuple[int, str], tuple[bool, str]]
"""Row of the table and the word behind the phrase, to the side taken and the phrase."""


def turned(ours: "Stretch", theirs: "Stretch") -> tuple[str, str] | None:
    """The claim's phrase and the passage's opposite one, where both stand before the same word."""
    return _opposed(ours, theirs, _TURN_TABLE)


def says_otherwise(ours: "Stretch", theirs: "Stretch") -> bool:
    """True where the passage has the claim's words and its small words say something else."""
    one, other = ours.lower(), theirs.lower()
    if _opposed(ours, theirs, _STRENGTH_TABLE):
        return True
    if not _SOLE.isdisjoint(one) and _SOLE.isdisjoint(other):
        return True
    if _FOREIGN_NEGATORS.isdisjoint(one) != _FOREIGN_NEGATORS.isdisjoint(other):
        return True
    return _cjk_differs(one, other)


class Stretch:
    """Tokens [first, last) of a text."""

    __slots__ = ("first", "last", "tokens")

    def __init__(self, tokens: Tokens, first: int, last: int) -> None:
        self.tokens, self.first, self.last = tokens, first, last

    def lower(self) -> list[str]:
        """Its words in lower case."""
        return self.tokens.lower[self.first : self.last]


def _opposed(
    ours: Stretch, theirs: Stretch, table: dict[tuple[str, ...], tuple[int, bool]]
) -> tuple[str, str] | None:
    if _FIRST.isdisjoint(ours.lower()):
        return None
    wanted = _uses(ours, table)
    found = _uses(theirs, table) if wanted else {}
    for key, (side, phrase) in wanted.items():
        if key in found and found[key][0] != side:
            return phrase, found[key][1]
    return None


def _uses(stretch: Stretch, table: dict[tuple[str, ...], tuple[int, bool]]) -> Uses:
    words = stretch.lower()
    found: Uses = {}
    for at, phrase in _phrases(words, table):
        behind = _behind(stretch, stretch.first + at + len(phrase))
        if behind:
            row, side = table[phrase]
            found[row, behind] = (side, " ".join(phrase))
    return found


def _phrases(
    words: Sequence[str], table: dict[tuple[str, ...], tuple[int, bool]]
) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Each phrase of the table where it stands, the longest first."""
    for at, word in enumerate(words):
        if word not in _FIRST:
            continue
        for length in range(_LONGEST, 0, -1):
            phrase = tuple(words[at : at + length])
            if len(phrase) == length and phrase in table:
                yield at, phrase
                break


def _behind(stretch: Stretch, at: int) -> str:
    """The stem of the first word or figure from there on."""
    tokens = stretch.tokens
    while at < stretch.last and (tokens.kinds[at] == MARK or tokens.lower[at] in DETERMINERS):
        at += 1
    return stem(tokens.lower[at]) if at < stretch.last else ""


def _cjk_differs(one: Sequence[str], other: Sequence[str]) -> bool:
    """A numeral that the passage lacks, or a negation on one side only."""
    ours, theirs = _SOME_CJK.intersection(one), _SOME_CJK.intersection(other)
    if not ours and not theirs:
        return False
    negated = ours.isdisjoint(_CJK_NEGATORS) != theirs.isdisjoint(_CJK_NEGATORS)
    return negated or bool((ours - theirs) & _CJK_NUMERALS)
