"""Phrases that can stand for each other wherever they occur, brought to one wording; opposites."""

import re
from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, compress

from lib.text.stems import stem
from lib.text.words import BE, DO, HAVE, STOPWORDS, word_set

BREAK, TURN, BY, NOT = "|", ";", "@by", "@not"
"""A mark or a joining word, a semicolon, who does what is told in the passive, and a denial."""
CONDITIONS = frozenset({"@if", "@unless", "@except", "@only", "@until", "when", "while"})
"""Markers that limit the statement beside them."""
_GROUPS = """
@anytime: at any time; at any moment; any time you like; whenever you like; whenever you want;
    anytime
@nonotice: without notice; without prior notice; without any notice; without giving notice;
    with no notice; with no notice period; without a notice period
@max: at most; no more than; not more than; up to; a maximum of; maximum of; the maximum is;
    maximum is; limited to; should not exceed; must not exceed; may not exceed; cannot exceed;
    do not exceed; not exceed; never exceed; capped at; no longer than; not longer than; max .; max
@min: at least; no less than; not less than; no fewer than; a minimum of; minimum of;
    the minimum is; minimum is; no shorter than; min .
@must: must; have to; has to; need to; needs to; is required to; are required to; is obliged to;
    are obliged to; shall
@may: can; may; is allowed to; are allowed to; is permitted to; are permitted to; is able to;
    are able to; is free to; are free to
@not @may: must not; may not; cannot; can not; can't; mustn't; is not allowed to;
    are not allowed to; is not permitted to; are not permitted to; are not to; is not to
@not allowed: is forbidden; are forbidden; is prohibited; are prohibited; is not permitted;
    are not permitted; is banned; are banned
allowed: permitted
@need: needs; need; requires; require; is required; are required; is needed; are needed;
    is necessary; are necessary; is mandatory; are mandatory; is compulsory; are compulsory
@not @must: need not; needn't; do not need to; does not need to; don't need to; doesn't need to;
    do not have to; does not have to; don't have to; doesn't have to
@not: no longer; not yet; no more; not any longer; not any more
@also: not only; not just; not merely; not simply
@bynow: no later than; not later than
@fromthen: no earlier than; not earlier than; no sooner than
@surely: no doubt; without doubt; without a doubt; without question
@percent: %; percent; per cent
@free: free of charge; at no charge; at no cost; for free; at no extra cost; without charge;
    for no charge; without any charge; free; costs nothing; cost nothing
@if: only if; if; provided that; provided; as long as; so long as; on condition that; only when
@unless: unless; except if; except when
@except: except for; except; apart from; other than; with the exception of; excluding; but not;
    save for
@only: only; solely; exclusively; nothing but
@until: until; till; up until
@before: before; prior to; ahead of
@after: after; following
@begin: begin; begins; began; start; starts; started; commence; commences; commenced
@end: end; ends; ended; finish; finishes; finished
@open: hours :; opening hours; is open; are open; open; opens
@get: get; gets; receive; receives; is entitled to; are entitled to; is given; are given
@buy: buy; buys; purchase; purchases
@bought: bought; purchased
@cost: cost; costs; is priced at; are priced at
@based: headquartered; based; has its headquarters; has its head office
@child: child; children; kid; kids
@about: about; around; roughly; approximately; some
@ask: ask; asks; request; requests
@tell: tell; tells; inform; informs; notify; notifies
@help: help; helps; assist; assists
@each: each; every; per
@weekday: weekday; weekdays
@patient: patient; diagnosis :; the diagnosis is; patient has been diagnosed with;
    patient was diagnosed with; patient is diagnosed with
@patient take: medication :; medications :
"""
_TABLE = {
    phrase: name
    for line in _GROUPS.replace("\n    ", " ").strip().splitlines()
    for name, phrases in [line.split(": ", 1)]
    for phrase in phrases.split("; ")
}
_PHRASES: dict[str, list[tuple[list[str], list[str]]]] = defaultdict(list)
"""By their first words, the longest first: each with its name, as words."""
for _phrase in sorted(_TABLE, key=len, reverse=True):
    _PHRASES[_phrase.split()[0]].append((_phrase.split(), _TABLE[_phrase].split()))
_SAYS = r"(?:directed|advised|told|instructed|agreed|stated|ordered|prescribed)"
_SAYS_SO = r"(?:directs|advises|says|tells you|instructs|orders|agrees|states)"
_WHOSE = r"(?:an? |the |your )?(\w+)"
_UNLESS_SAID = re.compile(
    rf"unless (?:otherwise )?{_SAYS} (?:otherwise )?by {_WHOSE}"
    rf"|unless {_WHOSE} {_SAYS_SO}(?: otherwise)?"
)
_CONDITIONAL = frozenset({"unless", "without"})
_MEDICAL = re.compile(r"without (?:medical advice|a doctor's advice|advice from a doctor)")
_NOT_DONE = re.compile(
    r"un(opened|worn|used|paid|damaged|authori[sz]ed|heated|supervised|accompanied|registered"
    r"|insured|marked|finished|signed|cooked|tested|touched|changed|answered|locked|sold)"
)
_NEGATIONS = word_set(
    "not no never none without lack lacks lacked n't isn't aren't wasn't weren't don't doesn't "
    "didn't hasn't haven't won't"
)
_MODALS = frozenset({"should", "@must", "@may"})
_BOUNDS = frozenset({"@max", "@min"})
_DROPPED = (BE | HAVE | DO) - _NEGATIONS | word_set(
    "a an the this that these those my your his her its our their you we they it he she them us "
    "him there i one in on at of for to with into onto from as than also too then please which "
    "who so been both definitely certainly absolutely indeed"
)
_ENDS, _JOINTS = frozenset(".!?-"), frozenset({"and", "but"})
_SIGNS = frozenset("-!")
_QUOTES = frozenset("\"“”'")
_SYMBOLS = frozenset("£€$¥₹‰+*=<>≤≥≠±×÷")
"""Marks that say something: £95 is not €95, and a + b is not a * b."""
_OPERATORS = frozenset("+*=<>≤≥≠×÷")
"""Beside one of these "-" and "!" belong to a formula."""
VOCABULARY = frozenset(
    stem(word)
    for phrase in _TABLE
    for word in phrase.split()
    if word not in STOPWORDS and word[0].isalpha()
) | word_set("medic doctor advic advis direct otherwis period take")
"""The stems of all words that may stand for others: any other must stand as it is."""


def canonical(words: Sequence[str]) -> tuple[str, ...]:
    """Return words in lower case as stems in one wording, without function words."""
    words = list(words)
    if not _CONDITIONAL.isdisjoint(words):
        # "unless your doctor says so" and its like have one wording.
        text = _MEDICAL.sub("unless doctor directs", " ".join(words))
        words = _UNLESS_SAID.sub(lambda it: f"@unless {it[1] or it[2]} @says", text).split()
    renamed = _renamed(words)
    if _OPERATORS.isdisjoint("".join(renamed)):
        wording = tuple(chain.from_iterable(map(_words, renamed)))
    else:
        before, behind = [".", *renamed[:-1]], [*renamed[1:], "."]
        wording = tuple(chain.from_iterable(map(_in_formula, renamed, before, behind)))
    if _BOUNDS.isdisjoint(wording):
        return wording
    # A modal verb that only introduces a bound is left out: "should be at most".
    following = (*wording[1:], "")
    return tuple(
        word
        for word, after in zip(wording, following, strict=True)
        if word not in _MODALS or after not in _BOUNDS
    )


@lru_cache(maxsize=1 << 12)
def wording_of(word: str) -> tuple[str, ...]:
    """Return a single word in lower case in the one wording."""
    return canonical((word,))


def _in_formula(word: str, before: str, behind: str) -> tuple[str, ...]:
    """Return a word in one wording; a sign of a formula counts only between its terms.

    `before` and `behind` are its neighbours, "." where there is none.
    """
    if word not in _SIGNS and word[0] not in _OPERATORS:
        return _words(word)
    is_inside = all(
        side[0].isalnum() or side[0] in _OPERATORS | _SIGNS for side in (before, behind)
    )
    return (word,) if is_inside and "--" not in (before, behind) else ()


def _renamed(words: list[str]) -> list[str]:
    """Return the words with each phrase of the table replaced by its name."""
    if _PHRASES.keys().isdisjoint(words):
        return words
    renamed, at = list[str](), 0
    for start in compress(range(len(words)), map(_PHRASES.__contains__, words)):
        if start < at:
            continue
        for phrase, name in _PHRASES[words[start]]:
            end = start + len(phrase)
            if words[start:end] == phrase:
                renamed += words[at:start] + name
                at = end
                break
    return renamed + words[at:]


@lru_cache(maxsize=1 << 12)
def _words(word: str) -> tuple[str, ...]:
    if word[0] == "@":
        return (word,)
    if word in _NEGATIONS:
        return (NOT,)
    if word == "by":
        return (BY,)
    if word in _DROPPED or word in _ENDS:
        return ()
    if word[0] in _SYMBOLS:
        return (word,)
    if word in _QUOTES:
        return ('"',)
    if not word[0].isalnum() or word in _JOINTS:
        return (TURN,) if word == TURN else (BREAK,)
    undone = _NOT_DONE.fullmatch(word)
    return (NOT, stem(undone[1])) if undone else (stem(word),)


_AXES = {
    "open": ("open", "closed shut"),
    "aliv": ("alive living", "dead deceased"),
    "activ": ("active operational operating functioning", "inactive defunct closed dissolved"),
    "legal": ("legal lawful", "illegal unlawful"),
    "avail": ("available", "unavailable"),
    "true": ("true correct", "false incorrect untrue"),
    "safe": ("safe harmless", "unsafe dangerous harmful"),
    "possibl": ("possible", "impossible"),
    "approv": ("approved accepted", "rejected unapproved denied"),
    "allow": ("allowed permitted", "forbidden prohibited banned"),
    "requir": ("required mandatory compulsory", "optional voluntary"),
    "full": ("full", "empty"),
    "employ": ("employed", "unemployed"),
    "public": ("public", "private"),
    "effect": ("effective", "ineffective"),
    "guilty": ("guilty", "innocent"),
    "present": ("present", "absent"),
    "complet": ("complete finished", "incomplete unfinished"),
    "free": ("free", "paid"),
}
_ANTONYMS = """
open/close shut; alive/dead died; active/inactive defunct; legal/illegal; available/unavailable;
true/false untrue; safe/unsafe dangerous; possible/impossible; approved/rejected declined;
locked/unlocked; cancelled/confirmed; covered/excluded uncovered; included/excluded;
praised/criticised criticized; permitted/forbidden prohibited banned; taxable/tax-free;
paid/unpaid; used/unused; opened/unopened; worn/unworn; heated/unheated; added/removed;
allowed/forbidden prohibited banned; required mandatory/optional; increase rise rose grew grow
growth gain/decrease fall fell decline drop dropped reduce reduction shrink shrank; higher/lower;
high/low; more/fewer less; above/below; before/after; win won/lose lost; success succeeded/failure
failed; accept accepted/refuse refused reject; start started began begin/end ended stop stopped;
positive/negative; effective/ineffective; hot/cold; warm/cool; first/last; largest biggest/smallest;
highest/lowest; oldest/youngest newest; best/worst; male/female; man/woman; men/women;
husband/wife; son/daughter; brother/sister; father/mother; boy/girl; north northern/south southern;
east eastern/west western; public/private; guilty/innocent; buy bought/sell sold; include
includes/exclude excludes; present/absent; full/empty; early/late; old/new young; left/right;
support supported/oppose opposed; confirmed/denied; likely/unlikely; common/rare; strong/weak;
fast/slow; easy/difficult hard; enter/exit; import/export; expand/contract; married/divorced
unmarried single; maximum/minimum; upper/lower; inside/outside; indoor/outdoor; deny denied/admit
admitted; better/worse; cheap/expensive; short/long tall; north/south; profit/loss
"""


def _poles() -> dict[str, tuple[str, bool]]:
    poles: dict[str, tuple[str, bool]] = {}
    for axis, (positive, negative) in _AXES.items():
        poles.update(dict.fromkeys(set(negative.split()) - set(poles), (axis, False)))
        poles.update(dict.fromkeys(positive.split(), (axis, True)))
    return poles


def _antonyms() -> dict[str, frozenset[str]]:
    antonyms: dict[str, set[str]] = {}
    for pair in _ANTONYMS.replace("\n", " ").split(";"):
        words, opposites = ({stem(word) for word in side.split()} for side in pair.split("/"))
        for side, other in ((words, opposites), (opposites, words)):
            for word in side:
                antonyms.setdefault(word, set()).update(other)
    return {word: frozenset(against) for word, against in antonyms.items()}


POLES = _poles()
"""Adjective of state to its axis and whether it stands for the positive pole."""
ANTONYMS = _antonyms()
"""Stem to the stems of its opposites."""
_OF_NAMES = {
    "@before": frozenset({"@after"}), "@after": frozenset({"@before", "within"}),
    "within": frozenset({"@after"}), "over": frozenset({"under"}), "under": frozenset({"over"}),
    "@bought": frozenset({"sold"}), "@max": frozenset({"@min"}), "@min": frozenset({"@max"}),
    "@must": frozenset({"option", "voluntari"}), "@need": frozenset({"option", "voluntari"}),
    "option": frozenset({"@must", "@need"}), "voluntari": frozenset({"@must", "@need"}),
}  # fmt: skip
"""Of the names that `equivalents` gives to phrases."""


@lru_cache(maxsize=1 << 12)
def opposites_of(word: str) -> frozenset[str]:
    """Return the opposites of a word, all of them in the one wording of `equivalents`."""
    against = ANTONYMS.get(word.removeprefix("@"), frozenset()) | _OF_NAMES.get(word, frozenset())
    return against | frozenset(chain.from_iterable(canonical((other,)) for other in against))
