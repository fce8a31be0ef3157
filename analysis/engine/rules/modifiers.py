"""Modifiers that turn a statement round: with and without, at most and at least, may and must.

They are stop words to everything else. Two of them are compared only before the
same word ("with alcohol", "without alcohol"), so that they speak of the same thing.
"""

from collections.abc import Sequence

from msgspec import Struct

from lib.text.stems import stem
from lib.text.tokens import MARK, Tokens
from lib.text.words import DETERMINERS, word_set

_TURNS = (
    ("with", "without; with no"),
    ("before; prior to; inside; within", "after; following; outside; beyond"),
    ("at most; no more than; not more than; up to", "at least; no less than; not less than"),
    ("maximum; max; highest", "minimum; min; lowest"),
    (
        "exceed; exceeds; exceeding; more than; over; above; higher than; greater than",
        "below; under; less than; fewer than; lower than",
    ),
    ("earlier than", "later than"),
    ("including; includes", "excluding; excludes"),
)
"""Opposites: with the same word behind them, one side denies the other."""
_STRENGTHS = (
    ("may; can; might; could; should; need not", "must; shall; have to; has to"),
    ("always", "sometimes; often; usually; rarely"),
)
"""Not opposites, yet neither side says what the other does."""
_YEAR_BOUNDS, _YEAR = ("before", "after"), 4
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
_SMALL = _FIRST | {*_YEAR_BOUNDS} | _SOLE | _FOREIGN_NEGATORS | _SOME_CJK
"""One of these is, or begins, every small word."""
_NO_CJK = frozenset[str]()

Uses = dict[tuple[int, str], tuple[bool, str]]
"""Row of the table and the word behind the phrase, to the side taken and the phrase."""


def opposite_phrases(ours: "Modifiers", theirs: "Modifiers") -> tuple[str, str] | None:
    """The claim's phrase and the passage's opposite one, where both stand before the same word."""
    if ours.turns and (turned := _opposed(ours.turns, theirs.turns)):
        return turned
    return _years_differ(ours.bounded_years, theirs.lower) if ours.bounded_years else None


def says_otherwise(ours: "Modifiers", theirs: "Modifiers") -> bool:
    """True where the passage has the claim's words and its modifiers say something else."""
    if ours.strengths and _opposed(ours.strengths, theirs.strengths):
        return True
    if ours.says_sole and not theirs.says_sole:
        return True
    if ours.foreign_negation != theirs.foreign_negation:
        return True
    return _cjk_differs(ours.cjk, theirs.cjk)


def _years_differ(
    bounded_years: dict[str, str], their_words: Sequence[str]
) -> tuple[str, str] | None:
    """ "Before 1990" or "after 1990" against "in 1990"."""
    for year, side in bounded_years.items():
        at = their_words.index(year) if year in their_words else 0
        if at and their_words[at - 1] == "in":
            return f"{side} {year}", f"in {year}"
    return None


def _bounded_years(words: Sequence[str]) -> dict[str, str]:
    """Each year that "before" or "after" stands in front of, with that word."""
    return {
        words[at + 1]: words[at]
        for at in range(len(words) - 1)
        if words[at] in _YEAR_BOUNDS and len(words[at + 1]) == _YEAR and words[at + 1].isdecimal()
    }


class Modifiers(Struct, frozen=True, gc=False):
    """The modifiers of a stretch of text, read once for all that it is compared with.

    `lower` are all its words in lower case. `turns` are the phrases that an opposite one turns
    round, `strengths` those of what is always so or must be, `bounded_years` the years behind
    "before" or "after", each with that word. `says_sole` says that something is the only one,
    `cjk` are numerals and negations in Chinese characters.
    """

    lower: list[str]
    turns: Uses
    strengths: Uses
    bounded_years: dict[str, str]
    says_sole: bool
    foreign_negation: bool
    cjk: frozenset[str]
    are_none: bool = False
    """Whether there are none, so that only what `is_foreign` can say otherwise."""

    @classmethod
    def of(cls, tokens: Tokens, first: int, last: int) -> "Modifiers":
        """Read tokens [first, last)."""
        lower = tokens.lower[first:last]
        if _SMALL.isdisjoint(lower):
            return cls(lower, {}, {}, {}, False, False, _NO_CJK, are_none=True)
        openers = [] if _FIRST.isdisjoint(lower) else _openers(lower)
        return cls(
            lower,
            _uses(tokens, first, last, openers, _TURN_TABLE) if openers else {},
            _uses(tokens, first, last, openers, _STRENGTH_TABLE) if openers else {},
            _bounded_years(lower) if "before" in lower or "after" in lower else {},
            not _SOLE.isdisjoint(lower),
            not _FOREIGN_NEGATORS.isdisjoint(lower),
            _SOME_CJK.intersection(lower),
        )


def is_foreign(lower: Sequence[str]) -> bool:
    """Whether words in lower case hold a negation or numeral of another language."""
    return not (_FOREIGN_NEGATORS.isdisjoint(lower) and _SOME_CJK.isdisjoint(lower))


def _opposed(our_uses: Uses, their_uses: Uses) -> tuple[str, str] | None:
    for key, (side, phrase) in our_uses.items():
        if key in their_uses and their_uses[key][0] != side:
            return phrase, their_uses[key][1]
    return None


def _openers(words: Sequence[str]) -> list[tuple[int, tuple[str, ...]]]:
    """Where a phrase may begin, with the words that it may have."""
    return [
        (at, tuple(words[at : at + _LONGEST])) for at, word in enumerate(words) if word in _FIRST
    ]


def _uses(
    tokens: Tokens,
    first: int,
    last: int,
    openers: Sequence[tuple[int, tuple[str, ...]]],
    table: dict[tuple[str, ...], tuple[int, bool]],
) -> Uses:
    uses: Uses = {}
    for at, words in openers:
        phrase = _phrase(words, table)
        behind = _behind(tokens, first + at + len(phrase), last) if phrase else ""
        if behind:
            row, side = table[phrase]
            uses[row, behind] = (side, " ".join(phrase))
    return uses


def _phrase(
    words: tuple[str, ...], table: dict[tuple[str, ...], tuple[int, bool]]
) -> tuple[str, ...]:
    """The longest phrase of the table that the words begin with; () for none."""
    for length in range(len(words), 0, -1):
        if words[:length] in table:
            return words[:length]
    return ()


def _behind(tokens: Tokens, at: int, last: int) -> str:
    """The stem of the first word or figure from there on."""
    while at < last and (tokens.kinds[at] == MARK or tokens.lower[at] in DETERMINERS):
        at += 1
    return stem(tokens.lower[at]) if at < last else ""


def _cjk_differs(ours: frozenset[str], theirs: frozenset[str]) -> bool:
    """A numeral that the passage lacks, or a negation on one side only."""
    if not ours and not theirs:
        return False
    negated = ours.isdisjoint(_CJK_NEGATORS) != theirs.isdisjoint(_CJK_NEGATORS)
    return negated or bool((ours - theirs) & _CJK_NUMERALS)
