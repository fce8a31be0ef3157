"""Status conflicts: one subject said to be two opposite things at the same time."""

from dataclasses import dataclass

from analysis.engine.claims.reading import Reading, Statement
from analysis.engine.signal_types import Finding
from analysis.engine.signals.contradiction.facts import (
    Saying,
    StatedValue,
    conflict,
    content,
    is_latin,
    pairs,
)
from analysis.engine.types import FindingKind
from lib.text.dates import dates
from lib.text.equivalents import POLES
from lib.text.negation import NEGATORS, negations
from lib.text.stems import stem
from lib.text.tokens import NUMBER, Tokens
from lib.text.verbs import past_form
from lib.text.words import word_set

_PRESENT_BE = word_set("is are isn't aren't remains remain stays stay 's it's he's she's")
_PAST_BE = word_set("was were wasn't weren't had did didn't hadn't became")
_NEUTRAL = frozenset(
    stem(word)
    for word in word_set(
        "permanently currently presently now still today officially definitely daily everyday "
        "certainly completely fully absolutely generally public business really actually true"
    )
)
_TIMES = frozenset(
    stem(word)
    for word in word_set(
        "monday tuesday wednesday thursday friday saturday sunday weekend weekends weekday "
        "mondays tuesdays wednesdays thursdays fridays saturdays sundays weekdays "
        "night morning evening afternoon winter summer spring autumn holiday holidays lunch "
        "dinner breakfast season temporarily formerly previously once earlier later hours time "
        "year years month months day days"
    )
)
_CONDITIONS = word_set(
    "when if unless until till before after during while sometimes or where except"
)
_REOPENED = frozenset(stem(w) for w in ("reopened", "resumed", "revived", "again", "temporarily"))
_LASTING = word_set("permanently forever")
_ENDINGS = {
    "closed": "open", "shut": "open", "ceased": "activ", "dissolved": "activ", "died": "aliv",
    "disbanded": "activ",
}  # fmt: skip
_REACH = 4


@dataclass(frozen=True, slots=True)
class AxisState:
    """The pole of an axis, its time, and its circumstances (stems)."""

    holds: bool
    past: bool
    circumstances: frozenset[str]
    conditional: bool
    ended: bool


def findings(reading: Reading, sayings: list[Saying]) -> list[Finding]:
    """Return opposite states of one subject, and a sentence with its own negation."""
    denied = _denied(reading, sayings)
    facts = [fact for saying in sayings for fact in _facts(reading, saying, denied)]
    odd = [
        (earlier, later) for earlier, later in pairs(facts) if _at_odds(earlier.value, later.value)
    ]
    ended = any(earlier.value.ended or later.value.ended for earlier, later in odd)
    if ended and _reopened(reading):
        odd = [
            (earlier, later)
            for earlier, later in odd
            if not earlier.value.ended | later.value.ended
        ]
    return [
        conflict(FindingKind.STATUS, earlier, later, "Opposite statements")
        for earlier, later in odd
    ]


def _reopened(reading: Reading) -> bool:
    return not _REOPENED.isdisjoint(stem(word) for word in reading.tokens.lower)


def _denied(reading: Reading, sayings: list[Saying]) -> frozenset[frozenset[str]]:
    """Return the complete content of negated statements: only these can conflict with another."""
    lower = reading.tokens.lower
    if NEGATORS.isdisjoint(lower):
        return frozenset()
    return frozenset(
        _clause_stems(reading.tokens, saying.statement, saying.subject)
        for saying in sayings
        if not NEGATORS.isdisjoint(lower[saying.statement.first : saying.statement.last])
    )


def _clause_stems(tokens: Tokens, item: Statement, subject: frozenset[str]) -> frozenset[str]:
    """Return the stems of a clause without its subject."""
    return frozenset(content(tokens, item.first, item.last)) - _NEUTRAL - subject


def _facts(
    reading: Reading, saying: Saying, denied: frozenset[frozenset[str]]
) -> list[StatedValue[AxisState]]:
    """Return a statement's states; the whole clause if another negates the same."""
    item, subject = saying.statement, saying.subject
    if not is_latin(reading.tokens, item.first, item.last):
        return []
    candidates = [_closing(reading, item, subject), _copular(reading, item, subject)]
    kept_facts = [fact for fact in candidates if fact]
    if kept_facts or not denied:
        return kept_facts
    words = _clause_stems(reading.tokens, item, subject)
    return [_whole(reading, item, subject, words)] if words in denied else []


def _closing(
    reading: Reading, item: Statement, subject: frozenset[str]
) -> StatedValue[AxisState] | None:
    """Return the state after "closed in 2010" or "shut down": not open since then."""
    tokens = reading.tokens
    if _ENDINGS.keys().isdisjoint(tokens.lower[item.first : item.last]):
        return None
    for at in range(item.first, item.last):
        axis = _ENDINGS.get(tokens.lower[at])
        if axis and not _be_before(tokens, item, at) and _for_good(tokens, item, at):
            state = AxisState(False, False, frozenset(), False, ended=True)
            return StatedValue(item, subject, axis, state)
    return None


def _be_before(tokens: Tokens, item: Statement, at: int) -> bool:
    before = tokens.lower[max(item.first, at - _REACH) : at]
    return bool((_PRESENT_BE | _PAST_BE) & set(before))


def _for_good(tokens: Tokens, item: Statement, at: int) -> bool:
    words = tokens.lower[item.first : item.last]
    following = tokens.lower[at + 1] if at + 1 < item.last else ""
    if tokens.lower[at] in ("died", "dissolved", "disbanded") or following in (
        "down",
        "operations",
    ):
        return True
    if _LASTING & set(words):
        return True
    return NUMBER in tokens.kinds[at : item.last] and any(
        date.year for date in dates(tokens, at, item.last)
    )


def _copular(
    reading: Reading, item: Statement, subject: frozenset[str]
) -> StatedValue[AxisState] | None:
    """Return the state in "is (not) open", with tense and circumstances."""
    tokens = reading.tokens
    if POLES.keys().isdisjoint(tokens.lower[item.first : item.last]):
        return None
    for at in range(item.first, item.last):
        word = tokens.lower[at]
        if word not in _PRESENT_BE and word not in _PAST_BE:
            continue
        for pole in range(at + 1, min(at + 1 + _REACH, item.last)):
            if tokens.lower[pole] in POLES:
                axis, positive = POLES[tokens.lower[pole]]
                state = _state(tokens, item, pole, positive, past=word in _PAST_BE)
                return StatedValue(item, subject, axis, state)
    return None


def _state(tokens: Tokens, item: Statement, pole: int, positive: bool, *, past: bool) -> AxisState:
    negated = any(
        negation.first <= pole < negation.last
        for negation in negations(tokens, item.first, item.last)
    )
    rest = frozenset(content(tokens, pole + 1, item.last)) - _NEUTRAL
    conditional = bool(_CONDITIONS & set(tokens.lower[item.first : item.last]))
    return AxisState(positive != negated, past, rest, conditional, ended=False)


def _whole(
    reading: Reading, item: Statement, subject: frozenset[str], words: frozenset[str]
) -> StatedValue[AxisState]:
    """Return the whole clause, to be compared with its own negation."""
    tokens = reading.tokens
    negated = len(negations(tokens, item.first, item.last)) % 2 == 1
    lower_words = tokens.lower[item.first : item.last]
    past = not _PAST_BE.isdisjoint(lower_words) or any(map(past_form, lower_words))
    conditional = not _CONDITIONS.isdisjoint(lower_words)
    state = AxisState(not negated, past, frozenset(), conditional, ended=False)
    return StatedValue(item, subject, words or item.claim.claim_id, state)


def _at_odds(state: AxisState, other: AxisState) -> bool:
    if state.holds == other.holds or state.conditional or other.conditional:
        return False
    if state.ended or other.ended:
        return not state.past and not other.past
    if state.past != other.past:
        return False
    if state.circumstances == other.circumstances:
        return True
    if state.circumstances and other.circumstances:
        return False
    return not any(_timed(word) for word in state.circumstances | other.circumstances)


def _timed(word: str) -> bool:
    return word in _TIMES or word[:1].isdigit()
