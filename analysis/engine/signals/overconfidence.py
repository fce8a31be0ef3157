"""Overconfidence (risk API): wording of certainty, and figures in sensitive domains.

It is a signal of language, whatever the sources say. Not flagged: negated ("not always"), softened
("almost certainly"), mentioned in quotes, and quantities ("100% cotton").
"""

from collections.abc import Callable, Iterator
from itertools import compress

from analysis.engine.claims.assertions import is_interjection
from analysis.engine.claims.reading import Reading, SentenceRange
from analysis.engine.signal_types import Finding
from analysis.engine.types import FindingKind
from lib.text.figures import NO_FIGURES
from lib.text.tokens import Tokens
from lib.text.words import word_set

LANGUAGE_REASON = "High confidence language detected"
Hit = tuple[int, int]

_WORDS = word_set(
    "definitely definitively guaranteed guarantee guarantees absolutely certainly always never "
    "impossible undoubtedly unquestionably indisputably undeniably irrefutable irrefutably "
    "indubitably infallible foolproof surely incontrovertible incontestable unfailingly invariably"
)
_PHRASES = {
    "without": ("doubt", "a doubt", "any doubt", "question", "a question", "fail"),
    "no": ("doubt", "question about", "chance that"),
    "beyond": ("doubt", "any doubt", "a doubt", "question", "a shadow of"),
    "for": ("certain", "sure"),
    "with": ("certainty", "absolute certainty", "complete certainty"),
    "completely": ("certain", "sure", "risk-free"),
    "hundred": ("percent sure", "percent certain", "percent guaranteed"),
    "cannot": ("fail", "possibly fail"),
    "it": ("is certain that", "is a fact that"),
    "risk": ("- free",),
}
_TRIGGERS = _WORDS | frozenset(_PHRASES) | {"100"}
_SURE_AFTER_100 = word_set(
    "sure certain safe effective guaranteed accurate correct true reliable confident positive "
    "proven secure right convinced foolproof success successful certainty real legal risk free "
    "guarantee accuracy effectiveness"
)
_SOFTENERS = word_set(
    "not no never almost nearly hardly rarely seldom cannot can't isn't aren't wasn't weren't "
    "don't doesn't didn't won't wouldn't couldn't necessarily if whether without neither nor "
    "virtually practically"
)
_NEVER_HEDGES = word_set("certain sure guarantee guaranteed know mind")
_IMPOSSIBLE_HEDGES = word_set(
    "say know tell predict determine guarantee verify confirm answer judge estimate"
)
_REACH = 3

DOMAINS = {
    "medical": word_set(
        "health disease diagnosis diagnose diagnosed cancer treatment therapy medication medicine "
        "drug dose dosage symptom vaccine patient cure cures cured clinical surgery virus "
        "infection infected diseased treated vaccinated vaccination "
        "diabetes blood tumor tumour antibiotic aspirin ibuprofen mortality medical"
    ),
    "legal": word_set(
        "law court rights lawsuit legal legally attorney lawyer statute judge verdict plaintiff "
        "defendant liability contract illegal prosecution sentence constitution tribunal sue sued"
    ),
    "financial": word_set(
        "invest invested investing investment "
        "investor stock money loan mortgage dividend bond shares profit "
        "portfolio crypto bitcoin retirement savings tax pension returns fund equity interest"
    ),
}
# Ordinary uses of these words: "in stock", "tennis court", "Moore's law", "the law of gravity".
_EXCEPTIONS = {
    "stock": ({"in", "of", "rolling", "out"}, {"photo", "photos", "footage"}),
    "court": ({"tennis", "basketball", "squash", "food"}, set[str]()),
    "law": ({"newton's", "moore's", "ohm's", "physical", "power", "hooke's"}, {"of"}),
    "bond": ({"james", "chemical", "covalent", "hydrogen", "ionic"}, set[str]()),
    "sentence": ({"this", "first", "last", "next", "following"}, set[str]()),
    "interest": ({"of", "great", "special", "public"}, {"in"}),
}


_DOMAIN_OF = {
    form: domain
    for domain, words in DOMAINS.items()
    for word in words
    for form in (word, f"{word[:-1]}ies" if word.endswith("y") else f"{word}s")
}
"""Words and their regular plurals: other forms are other words ("interested")."""


def findings(reading: Reading) -> tuple[Finding, ...]:
    """Return every overconfident wording in what the answer asserts, in order.

    The words of a heading, which its items are read with, are asserted by none of them.
    """
    findings: list[Finding] = []
    for index, line in enumerate(reading.lines):
        if not line.asserts and not _whole_reply(reading, index):
            continue
        findings += [
            _finding(reading, index, hit, FindingKind.CONFIDENT_LANGUAGE, _certainty)
            for hit in _hits(reading.tokens, line)
            if reading.tokens.starts[hit[0]] < reading.tokens.ends[hit[1] - 1]
        ]
        if line.figures is not NO_FIGURES:
            findings += _specifics(reading, index)
    return tuple(findings)


def explain(findings: tuple[Finding, ...]) -> str:
    """Return the reason in words, "" without findings."""
    language = any(item.kind is FindingKind.CONFIDENT_LANGUAGE for item in findings)
    specific = [item.detail for item in findings if item.kind is FindingKind.SENSITIVE_DOMAIN]
    parts = [LANGUAGE_REASON] if language else []
    return ", ".join(parts + specific[:1])


def _whole_reply(reading: Reading, index: int) -> bool:
    """Return whether a word such as "Definitely." is the whole reply, not a mere courtesy."""
    line = reading.lines[index]
    return len(reading.lines) == 1 and is_interjection(reading.tokens, line.first, line.last)


def _finding(
    reading: Reading, index: int, hit: Hit, kind: FindingKind, detail_of: Callable[[str], str]
) -> Finding:
    """Return a finding for the sentence's claims that contain the words, or for all of them."""
    start, end = reading.tokens.starts[hit[0]], reading.tokens.ends[hit[1] - 1]
    here = reading.of_line(index)
    inside = [statement for statement in here if statement.first <= hit[0] < statement.last]
    claims = tuple(statement.claim.claim_id for statement in inside or here)
    return Finding(kind, detail_of(reading.text[start:end]), ((start, end),), claims)


def _certainty(words: str) -> str:
    return f"{LANGUAGE_REASON}: “{words}”"


def _hits(tokens: Tokens, line: SentenceRange) -> Iterator[Hit]:
    if _TRIGGERS.isdisjoint(tokens.lower[line.first : line.last]):
        return
    triggers, behind = map(_TRIGGERS.__contains__, tokens.lower[line.first : line.last]), 0
    for at in compress(range(line.first, line.last), triggers):
        end = _hit_end(tokens, line, at) if at >= behind else 0
        if end and not _softened(tokens, line, at) and not _mentioned(tokens, line, at, end):
            yield at, end
        behind = max(behind, end)


def _hit_end(tokens: Tokens, line: SentenceRange, at: int) -> int:
    """Return where an expression of certainty that begins here ends, 0 if none does."""
    word = tokens.lower[at]
    if word in _WORDS:
        return 0 if _hedge(tokens, line, at) else at + 1
    if word in _PHRASES:
        return _phrase_end(tokens, line, at)
    return _hundred(tokens, line, at) if word == "100" else 0


def _phrase_end(tokens: Tokens, line: SentenceRange, at: int) -> int:
    following = tokens.lower[at + 1 : min(at + 4, line.last)]
    for tail in _PHRASES[tokens.lower[at]]:
        words = tail.split()
        if following[: len(words)] == words:
            return at + 1 + len(words)
    return 0


def _hedge(tokens: Tokens, line: SentenceRange, at: int) -> bool:
    """Return whether the word of certainty itself hedges: "never certain", "impossible to say"."""
    following = set(tokens.lower[at + 1 : min(at + 1 + _REACH, line.last)])
    if tokens.lower[at] == "never":
        return bool(following & _NEVER_HEDGES)
    return tokens.lower[at] == "impossible" and bool(following & _IMPOSSIBLE_HEDGES)


def _softened(tokens: Tokens, line: SentenceRange, at: int) -> bool:
    before = tokens.lower[max(line.first, at - _REACH) : at]
    for word in reversed(before):
        if word in (",", ";", ":", "but", "."):
            return False
        if word in _SOFTENERS:
            return True
    return False


def _mentioned(tokens: Tokens, line: SentenceRange, at: int, end: int) -> bool:
    """Return whether the word stands alone in quotes: then it is mentioned, not used."""
    if at == line.first or end >= line.last:
        return False
    return tokens.words[at - 1][-1] in "\"“'‘«" and tokens.words[end][0] in "\"”'’»,."


def _hundred(tokens: Tokens, line: SentenceRange, at: int) -> int:
    """Return the end of "100% sure"; 0 for quantities: "100% cotton" and "by 100%"."""
    if at + 1 >= line.last or tokens.lower[at + 1] not in ("%", "percent", "per"):
        return 0
    after = at + 2 + (tokens.lower[at + 1] == "per")
    following = tokens.lower[after : min(after + 3, line.last)]
    if following == ["of", "the", "time"] or not _SURE_AFTER_100.isdisjoint(following[:1]):
        return after
    works = at > line.first and tokens.lower[at - 1] in ("works", "work", "am", "i'm", "agree")
    ended = not following or following[0] in (".", "!", ",")
    return after if works and ended else 0


def _domain(tokens: Tokens, line: SentenceRange) -> str | None:
    if _DOMAIN_OF.keys().isdisjoint(tokens.lower[line.first : line.last]):
        return None
    for at in range(line.first, line.last):
        domain = _DOMAIN_OF.get(tokens.lower[at])
        if domain and not _ordinary(tokens, line, at):
            return domain
    return None


def _ordinary(tokens: Tokens, line: SentenceRange, at: int) -> bool:
    before, after = _EXCEPTIONS.get(tokens.lower[at], (set[str](), set[str]()))
    earlier = tokens.lower[at - 1] if at > line.first else ""
    later = tokens.lower[at + 1] if at + 1 < line.last else ""
    return earlier in before or later in after


def _specifics(reading: Reading, index: int) -> list[Finding]:
    """Return years, percentages and money in, or right after, a sentence of a sensitive domain."""
    tokens, line = reading.tokens, reading.lines[index]
    domain = _domain(tokens, line)
    if not domain and index and reading.lines[index - 1].asserts:
        domain = _domain(tokens, reading.lines[index - 1])
    if not domain:
        return []
    hits = [(date.first, date.last) for date in line.figures.dates if date.year]
    for quantity in line.figures.quantities:
        if quantity.unit in ("%", "USD", "EUR", "GBP", "INR", "JPY"):
            hits.append((_money_start(tokens, line, quantity.first), quantity.last))
    # The "100%" of "100% effective" is wording already, not a figure.
    wording_tokens = {at for first, last in _hits(tokens, line) for at in range(first, last)}
    figures = [hit for hit in sorted(hits) if hit[0] not in wording_tokens]

    def detail(figure: str) -> str:
        return f"Specific figures in a sensitive domain ({domain}: {figure})"

    return [_finding(reading, index, hit, FindingKind.SENSITIVE_DOMAIN, detail) for hit in figures]


def _money_start(tokens: Tokens, line: SentenceRange, at: int) -> int:
    return at - 1 if at > line.first and tokens.words[at - 1] in ("$", "€", "£", "₹", "¥") else at
