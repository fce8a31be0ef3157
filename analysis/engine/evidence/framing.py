"""Frames of a statement: "It is a myth that …", "Some think that …", "… used to …".

A frame of the whole statement is at its beginning, before its "that", or after it. Whether those in
its middle ("no longer", "far from", "would") change its meaning is only known by comparison with
the source's own words.
"""

import re
from dataclasses import dataclass, field

from lib.text.stems import stem
from lib.text.tokens import MARK, Tokens
from lib.text.verbs import PAST, past_form
from lib.text.words import word_set

_REACH = 60
"""Tokens that are looked at: a longer sentence says more than its frame."""
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
_DENYING = (
    r"(?:no longer|by no means|in no way|far from|anything but|not quite|hardly|scarcely|barely"
    r"|rarely|seldom|almost|nearly|never)"
)
_THAT_FRAMES = re.compile(
    rf"\b(?:it {_IS}|it's) (?:a |an )?(?:\w+ )?{_MYTH} (?:to {_SAYS} )?that\b"
    rf"|\b(?:it {_IS}|it's) (?:\w+ )?{_FALSE} (?:to {_SAYS} )?that\b"
    rf"|\b(?:it {_IS}|it's) {_DENYING} (?:\w+ ){{0,2}}that\b"
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
"""Words that deny a sentence which they follow alone."""
_PAST = re.compile(
    r"^(?:until|till|before|up to|prior to) (?:\w+ ){0,2}\d{4}\b|^(?:until|till) last \w+\b"
    r"|^(?:formerly|previously|originally|historically|back then)\b"
    r"|\bin (?:the past|former times)\b"
    r"|\bused to be that\b|(?<!\bis )(?<!are )(?<!was )(?<!were )(?<!be )(?<!been )\bused to\b"
    r"|\bno (?:longer|more)$|\b(?:was|were) (?:once|formerly|previously)\b"
    rf"|\b(?:once|formerly|previously) (?:{'|'.join(sorted(PAST))}|\w+ed)\b"
)
_OPENINGS_OF_PAST = (
    "until ", "till ", "before ", "up to ", "prior to ", "originally", "historically", "back then",
)  # fmt: skip
_SIGNS_OF_PAST = (
    "formerly", "previously", "once", "in the past", "in former times", "used to", "no longer",
    "no more",
)  # fmt: skip
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
_INSIDE = re.compile(
    rf"\b{_DENYING}\b|^it would be \w+ if\b|^if only\b"
    r"|^in (?:a parallel (?:universe|world)|an ideal world|fiction|(?:my|your) dreams)\b"
)
_SIGNS_INSIDE = (
    "no longer", "by no means", "in no way", "far from", "anything but", "not quite", "hardly",
    "scarcely", "barely", "rarely", "seldom", "almost", "nearly", "never", "it would be", "if only",
    "in a parallel", "in an ideal", "in fiction", "dreams",
)  # fmt: skip
_FRAMING = word_set(
    "that : until till before up prior formerly previously originally historically back past "
    "former used longer more once think thinks thought believe believes believed say says said "
    "assume assumes assumed claim claims claimed argue argues argued allege alleges alleged "
    "suggest insist allegedly supposedly supposed purportedly rumor rumors rumour rumours rumored "
    "rumoured according means way far but quite hardly scarcely barely rarely seldom almost "
    "nearly never if parallel ideal fiction dreams would might could should"
)
"""One of these stands in every frame but those that close a sentence."""
_SIGNS_OF_SUPPOSING = ("would", "might", "could", "should have")
_SUPPOSED = re.compile(r"\b(?:would|might|could|should have)\b")
_GIVEN = word_set("if when unless with without since as because so then you i we that")
"""Beside these words "would" follows from something, or is polite."""
_TIMES = word_set("was were had formerly previously originally past")
_PRESENT = word_set("is are be being must")
_YEAR = re.compile(r"\d{4}")


@dataclass(frozen=True, slots=True)
class Frame:
    """The frame of a statement: `denied` as a whole, true only of the `past`, or `reported`.

    `inside` are words in its middle that deny or weaken it; `words` are the stems of all of these.
    """

    denied: bool = False
    past: bool = False
    reported: bool = False
    inside: str = ""
    words: frozenset[str] = field(default=frozenset(), compare=False)


PLAIN = Frame()
_DENIED = Frame(denied=True)


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
    # An apostrophe or an accent may stand before a word of a frame inside of another word.
    plain = phrase.isascii() and "'" not in phrase
    if plain and not closes and _FRAMING.isdisjoint(words):
        return _DENIED if _retracted(tokens, end) else PLAIN
    denied = [
        _THAT_FRAMES.search(phrase) if "that" in phrase else None,
        _LABELS.match(phrase) if ":" in phrase else None,
        _CLOSINGS.search(phrase) if closes else None,
    ]
    may_be_past = phrase.startswith(_OPENINGS_OF_PAST) or _holds(phrase, _SIGNS_OF_PAST)
    may_be_report = phrase.startswith("according to ") or _holds(phrase, _SIGNS_OF_REPORT)
    past = _PAST.search(phrase) if may_be_past else None
    reported = _REPORTED.search(phrase) if may_be_report else None
    inside = _inside(phrase)
    matches = list(filter(None, (*denied, past, reported, inside)))
    is_denied = any(denied) or _retracted(tokens, end)
    if not matches and not is_denied:
        return PLAIN
    return Frame(
        is_denied,
        bool(past),
        bool(reported) and not is_denied,
        inside[0] if inside else "",
        frozenset(stem(word) for match in matches for word in _words(match)),
    )


def _holds(phrase: str, signs: tuple[str, ...]) -> bool:
    """Return whether the phrase contains one of the signs, faster than a pattern search."""
    return any(map(phrase.__contains__, signs))


def _words(match: re.Match[str]) -> list[str]:
    """Return the words of a frame, and those before one that ends with "that"."""
    words = " ".join(filter(None, match.groups())) or match[0]
    before = match.string[: match.start()] if words.endswith("that") else ""
    return f"{before} {words}".split()


def _inside(phrase: str) -> re.Match[str] | None:
    inside = _INSIDE.search(phrase) if _holds(phrase, _SIGNS_INSIDE) else None
    if inside or not _holds(phrase, _SIGNS_OF_SUPPOSING):
        return inside
    return _SUPPOSED.search(phrase) if _GIVEN.isdisjoint(phrase.split()) else None


def speaks_of_now(tokens: Tokens, first: int, last: int) -> bool:
    """Return whether a statement names no year and has no past-tense verb (not "is painted")."""
    words = tokens.lower[first:last]
    return not any(
        word in _TIMES
        or _YEAR.fullmatch(word)
        or ((word in PAST or past_form(word)) and before not in _PRESENT)
        for before, word in zip(["", *words], words, strict=False)
    )


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
