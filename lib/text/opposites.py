"""Opposites: words of state with their pole, and pairs of antonyms by stem."""

from functools import lru_cache
from itertools import chain

from lib.text.equivalents import canonical
from lib.text.stems import stem

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
        for word in words:
            antonyms.setdefault(word, set()).update(opposites)
        for word in opposites:
            antonyms.setdefault(word, set()).update(words)
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
