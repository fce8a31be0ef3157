"""Frames that deny or report a statement: "It is a myth that …", "… – not!", "Some think that …".

A frame is at the beginning of the statement, before its "that", or after it.
"""

import re
from dataclasses import dataclass, field

from lib.text.stems import stem
from lib.text.tokens import MARK, Tokens

_REACH = 60
"""Tokens examined: a longer sentence says more than its frame."""
_FALSE = r"(?:false|untrue|wrong|incorrect|inaccurate|mistaken|not true|not correct|not the case)"
_MYTH = r"(?:myth|misconception|misunderstanding|fallacy|lie|rumou?r|hoax|legend|mistake|error)"
_OVER = (
    r"(?:outdated|out of date|obsolete|superseded|repealed|revoked|withdrawn|retracted|deleted"
    r"|cancelled|void|struck out|no longer true|no longer valid|no longer in force)"
)
_SAYS = (
    r"(?:say|says|said|claim|claims|claimed|believe|believes|believed|think|thinks|assume|state)"
)
_IS = r"(?:is|was|'s|would be|is simply|is just|is also)"
_NOT = r"(?:not|never|n't)"
_THAT_FRAMES = re.compile(
    rf"\b(?:it {_IS}|it's) (?:a |an )?(?:\w+ )?{_MYTH} (?:to {_SAYS} )?that\b"
    rf"|\b(?:it {_IS}|it's) (?:\w+ )?{_FALSE} (?:to {_SAYS} )?that\b"
    rf"|\b(?:it {_IS}|it's) (?:by no means|in no way|far from|not quite|hardly|no longer)"
    r" (?:\w+ ){0,2}that\b"
    rf"|\b(?:it isn't|it is not|it's not|it was not) (?:true|correct|right|so|accurate) that\b"
    rf"|^(?:but )?(?:nobody|no one|none of them) (?:\w+ )?{_SAYS} that\b"
    rf"|^(?:please )?(?:don't|do {_NOT}|never) {_SAYS} that\b"
    rf"|\bi (?:doubt|deny|don't {_SAYS}|do not {_SAYS}) that\b"
    rf"|\b(?:wrongly|falsely|mistakenly|incorrectly|erroneously) {_SAYS} that\b"
    r"|\bno (?:evidence|proof|indication|sign) that\b"
    r"|^\w+ (?:dreamt|dreamed|imagined|pretended|joked|lied) that\b"
)
_LABELS = re.compile(
    rf"^(?:\w+ ){{0,2}}(?:{_MYTH}|{_FALSE}|fiction|{_FALSE} (?:statement|claim|answer))"
    r"s? :"
    rf"|^(?:(?!:)\S+ ){{1,4}}(?:is|are) (?:\w+ )?{_FALSE} :"
    rf"|^(?:(?!:)\S+ ){{0,6}}(?:{_NOT}|no longer) (?:\w+ )?"
    rf"(?:{_SAYS}|apply|applies|holds?|follow|use)(?: (?!:)\S+){{0,3}} :"
    r"|^(?:please )?(?:forget|disregard|ignore)(?: (?!:)\S+){0,4} :"
    r"|^(?:none|nothing) of (?:this|that|it|these|those|the following) (?:is|are) "
    r"(?:\w+ )?(?:true|correct|right|so|the case) :"
    r"|^(?:a |an )?(?:typo|misprint|erratum|printing error|fictional example|hypothetical"
    r"|(?:example|list|instance)s? of (?:an? )?(?:\w+ )?"
    rf"(?:{_FALSE}|bad|invalid) \w+)(?: (?!:)\S+){{0,5}} :"
    rf"|^(?:{_OVER}|not valid|not in force)(?: (?:in|on|since|by|as)(?: (?!:)\S+){{1,5}})? :"
    r"|^(?:test|dummy|sample) data(?: (?!:)\S+){0,5} :|^(?:(?!:)\S+ ){0,5}do not use :"
)
_CLOSINGS = re.compile(
    rf", which (?:is|was) (?:\w+ )?(?:{_FALSE}|an? (?:\w+ )?{_MYTH})$"
    r"|(?:,|–|—|-|\.{3}|…) not$"
    r"|(?:,|–|—|-|\.{3}|…) or (?:is|are|was|were|does|do|did) (?:it|they)$"
    rf"|\( (?:but )?(?:this|that|it|which) (?:is|was) (?:\w+ )?(?:{_FALSE}|{_OVER})$"
    rf"|\( (?:now |since )?(?:{_FALSE}|{_OVER})$"
    r"|^((?:reports|rumou?rs|claims|statements) that) .* "
    rf"((?:are|were) (?:\w+ )?{_FALSE})$"
    rf"|^((?:the|this) (?:claim|statement|idea|notion|belief|assertion|{_MYTH}|suggestion) that)"
    rf" .* ((?:is|was) (?:\w+ )?(?:{_FALSE}|an? (?:\w+ )?{_MYTH}))$"
)
_LAST_WORDS = frozenset({
    "false", "untrue", "wrong", "incorrect", "inaccurate", "mistaken", "true", "correct", "case",
    "myth", "misconception", "misunderstanding", "fallacy", "lie", "rumor", "rumour", "hoax",
    "legend", "mistake", "error", "not", "it", "they", "outdated", "date", "obsolete",
    "superseded", "valid", "repealed", "revoked", "withdrawn", "retracted", "deleted", "cancelled",
    "void", "force",
})  # fmt: skip
"""One of these ends every closing."""
_RATING = frozenset({"verdict", "rating", "ruling", "status", "answer"})
_VOIDING = _LAST_WORDS - {"true", "correct", "case", "it", "they", "date", "valid", "force"}
"""Words that, on their own, deny the sentence before them."""
_MANY = (
    r"(?:(?:some|many|most|several|other)(?: \w+){0,2}?|people|others|critics|opponents|everybody"
    r"|everyone)"
)
_REPORTED = re.compile(
    rf"^(?:but |and )?(?:{_MANY} (?:\w+ly )?(?:think|thinks|thought|believe|believes|believed|say"
    rf"|says|said|assume|assumes)|{_MANY} (?:\w+ly )?(?:thinks|thought|believes|claims"
    rf"|claim|claimed|argue|argues|argued|alleges|allege|alleged|suggest|insist) that)\b"
    r"|\bit (?:is|was|has been) (?:\w+ )?(?:said|rumou?red|claimed|alleged|believed|thought|assumed"
    r"|supposed|argued) that\b"
    r"|\b(?:allegedly|supposedly|purportedly)\b|\brumou?r has it\b"
    r"|^according to (?:some|rumou?rs?|critics|legend|hearsay|gossip)\b"
)
_SIGNS_OF_REPORT = (
    "think", "thought", "believe", "say", "said", "assume", "claim", "argue", "allege", "suggest",
    "insist", "rumo", "supposed", "purportedly",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Frame:
    """The frame of a statement: `denied` as a whole, or `reported`; `words` are its stems."""

    denied: bool = False
    reported: bool = False
    words: frozenset[str] = field(default=frozenset(), compare=False)


PLAIN = Frame()


def frame_of(tokens: Tokens, first: int, last: int) -> Frame:
    """Return the frame of the statement in tokens [first, last) and what follows it ("Not!")."""
    if last - first > _REACH:
        return PLAIN
    while first < last and tokens.kinds[first] == MARK:
        first += 1
    end = last
    while end > first and tokens.kinds[end - 1] == MARK:
        end -= 1
    words = tokens.lower[first:end]
    phrase = " ".join(words)
    closes = bool(words) and words[-1] in _LAST_WORDS
    frames = (
        _THAT_FRAMES.search(phrase) if "that" in phrase else None,
        _LABELS.match(phrase) if ":" in phrase else None,
        _CLOSINGS.search(phrase) if closes else None,
    )
    is_denied = any(frames) or _retracted(tokens, end)
    is_report = phrase.startswith("according to ") or any(
        map(phrase.__contains__, _SIGNS_OF_REPORT)
    )
    reported = _REPORTED.search(phrase) if is_report else None
    if not is_denied and not reported:
        return PLAIN
    matches = filter(None, (*frames, reported))
    own = frozenset(stem(word) for match in matches for word in _words(match))
    return Frame(is_denied, bool(reported) and not is_denied, own)


def _words(match: re.Match[str]) -> list[str]:
    """Return the words of a frame, and those before one that ends with "that"."""
    words = " ".join(filter(None, match.groups())) or match[0]
    before = match.string[: match.start()] if words.endswith("that") else ""
    return f"{before} {words}".split()


def _retracted(tokens: Tokens, end: int) -> bool:
    """Return whether "Not!", "(Repealed.)" or "Verdict: false." follows a sentence."""
    at, last = end, len(tokens)
    while at < last and tokens.kinds[at] == MARK:
        at += 1
    if not end < at < last:
        return False
    if tokens.lower[at] in _RATING and tokens.words[at + 1 : at + 2] == [":"]:
        return not _VOIDING.isdisjoint(tokens.lower[at + 2 : at + 3])
    ends = at + 1 == last or tokens.words[at + 1] in ("!", ".", ")")
    is_aside = tokens.words[at - 1] == "(" and tokens.lower[at] in _VOIDING
    return ends and (is_aside or tokens.lower[at] == "not")
