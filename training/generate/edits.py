"""Ways to make a sentence false or unsupported: each says which words it changed."""

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from training.examples import Label
from training.generate.lexicon import (
    DAYS,
    FILLERS,
    MONTHS,
    NUMBER_WORDS,
    OPPOSITES,
    QUANTIFIERS,
    UNITS,
    WEAK,
)  # fmt: skip
from training.generate.sentences import Bank, names_of, nouns_of

_NUMBER = re.compile(r"(?<![\w.,])\$?(\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)(?![\w]|[.,]\d)")
_YEAR = re.compile(r"\b(1[5-9]\d\d|20\d\d)\b")
_AUX = re.compile(
    r"\b(is|are|was|were|has|have|had|can|will|would|should|may|must|does|do|did|could)\b"
    r"(?! not|n't| no\b)"
)
_NOT = re.compile(r"(?<=\w) (?:not|never)(?= \w)|(?<=\w)n't\b")
_LISTED = re.compile(r"(?<=, )([a-z][\w-]*(?: [a-z][\w-]*)?)(?=,| and | or )")
_TIMES = re.compile(r"\b(\d{1,2})(:\d\d)? ?(a\.?m\.?|p\.?m\.?)\b", re.I)


@dataclass(frozen=True, slots=True)
class Edit:
    """A changed sentence, the spans (code points) that are not supported, and the label."""

    text: str
    spans: tuple[tuple[int, int], ...]
    label: Label
    kind: str


@dataclass(frozen=True, slots=True)
class Setting:
    """What an edit may draw on: names, nouns and sentences of the same document, and the bank."""

    names: tuple[str, ...]
    nouns: tuple[str, ...]
    others: tuple[str, ...]
    bank: Bank


Maker = Callable[[str, Setting, random.Random], Edit | None]


def _replace(text: str, start: int, end: int, new: str, label: Label, kind: str) -> Edit | None:
    if not new or text[start:end].lower() == new.lower():
        return None
    changed = text[:start] + new + text[end:]
    return Edit(changed, ((start, start + len(new)),), label, kind)


def number(text: str, setting: Setting, chance: random.Random) -> Edit | None:
    """Another number of the same form."""
    matches = list(_NUMBER.finditer(text))
    words = [m for m in re.finditer(r"\b(\w+)\b", text) if m[1].lower() in NUMBER_WORDS[2:]]
    if words and (not matches or chance.random() < 0.3):
        match = chance.choice(words)
        new = chance.choice([w for w in NUMBER_WORDS[2:] if w != match[1].lower()])
        return _replace(text, *match.span(1), new, Label.CONTRADICT, "number")
    if not matches:
        return None
    match = chance.choice(matches)
    return _replace(
        text, *match.span(1), other_number(match[1], chance), Label.CONTRADICT, "number"
    )


def other_number(original: str, chance: random.Random) -> str:
    """A number that looks like the one given and is another."""
    plain = original.replace(",", "")
    value = float(plain)
    if _YEAR.fullmatch(plain):
        return str(int(value) + chance.choice([-20, -10, -5, -3, -2, -1, 1, 2, 3, 5, 10]))
    if "." in plain:
        places = len(plain.split(".")[1])
        return f"{max(0.0, value * chance.choice([0.5, 0.8, 1.2, 1.5, 2, 10])):.{places}f}"
    steps = [value + 1, value - 1, value * 2, value * 10, value + 5, value // 2, value + 10]
    options = [int(v) for v in steps if v > 0 and int(v) != int(value)]
    return f"{chance.choice(options):,}" if "," in original else str(chance.choice(options))


def date(text: str, setting: Setting, chance: random.Random) -> Edit | None:
    """Another month or weekday."""
    for names in chance.sample([MONTHS, DAYS], 2):
        matches = list(re.finditer(rf"\b({'|'.join(names)})\b", text))
        if matches:
            match = chance.choice(matches)
            new = chance.choice([w for w in names if w != match[1]])
            return _replace(text, *match.span(), new, Label.CONTRADICT, "date")
    return None


def hour(text: str, setting: Setting, chance: random.Random) -> Edit | None:
    """Another time of day."""
    matches = list(_TIMES.finditer(text))
    if not matches:
        return None
    match = chance.choice(matches)
    hours = chance.choice([h for h in range(1, 13) if h != int(match[1])])
    return _replace(text, *match.span(1), str(hours), Label.CONTRADICT, "hour")


def name(text: str, setting: Setting, chance: random.Random) -> Edit | None:
    """Another name, of the same document where it has one."""
    own = names_of(text)
    if not own:
        return None
    old = chance.choice(own)
    size = len(old.split())
    near = [n for n in setting.names if n not in text and abs(len(n.split()) - size) <= 1]
    far = setting.bank.names.get(size, ())
    pool = near if near and (chance.random() < 0.7 or not far) else list(far)
    if not pool:
        return None
    new, at = chance.choice(pool), text.find(old)
    if new in text or old in new:
        return None
    return _replace(text, at, at + len(old), new, Label.NOT_ENTAILED, "name")


def roles(text: str, setting: Setting, chance: random.Random) -> Edit | None:
    """Two names of the sentence in each other's place."""
    own = list(dict.fromkeys(names_of(text)))
    if len(own) < 2:
        return None
    first, other = chance.sample(own, 2)
    a, b = text.find(first), text.find(other)
    if a > b:
        first, other, a, b = other, first, b, a
    between = text[a + len(first) : b]
    if (
        b < a + len(first)
        or re.fullmatch(r",? ?(?:and|or|,)? ?", between)
        or first in other
        or other in first
    ):
        return None
    changed = text[:a] + other + between + first + text[b + len(other) :]
    second = a + len(other) + len(between)
    spans = ((a, a + len(other)), (second, second + len(first)))
    return Edit(changed, spans, Label.CONTRADICT, "roles")


def negation(text: str, setting: Setting, chance: random.Random) -> Edit | None:
    """Deny what is said, or say what is denied."""
    denied = list(_NOT.finditer(text))
    if denied:
        match = chance.choice(denied)
        changed = text[: match.start()] + text[match.end() :]
        before = text[: match.start()].rfind(" ") + 1
        return Edit(changed, ((before, match.start()),), Label.CONTRADICT, "negation")
    matches = list(_AUX.finditer(text))
    if not matches:
        return None
    match = chance.choice(matches[:2])
    new = chance.choice([f"{match[1]} not", f"{match[1]} not", f"{match[1]} never"])
    return _replace(text, *match.span(), new, Label.CONTRADICT, "negation")


def _swap(words: Mapping[str, Sequence[str]], label: Label, kind: str) -> Maker:
    pattern = re.compile(
        r"\b(" + "|".join(sorted(map(re.escape, words), key=len, reverse=True)) + r")\b"
    )

    def make(text: str, setting: Setting, chance: random.Random) -> Edit | None:
        matches = list(pattern.finditer(text))
        if not matches:
            return None
        match = chance.choice(matches)
        return _replace(text, *match.span(), chance.choice(words[match[1]]), label, kind)

    return make


def noun(text: str, setting: Setting, chance: random.Random) -> Edit | None:
    """Another common noun, of the same document or any."""
    nouns = list(nouns_of(text))
    pool = setting.nouns if setting.nouns and chance.random() < 0.6 else setting.bank.nouns
    if not nouns or not pool:
        return None
    old, (start, end) = chance.choice(nouns)
    new = chance.choice(pool)
    if new in text or new[:4] == old[:4]:
        return None
    return _replace(text, start, end, new, Label.NOT_ENTAILED, "noun")


def detail(text: str, setting: Setting, chance: random.Random) -> Edit | None:
    """A detail that nobody gave, at the end."""
    if chance.random() < 0.45 or not setting.bank.tails:
        new = ("" if chance.random() < 0.4 else ",") + " " + chance.choice(FILLERS)
    else:
        new = chance.choice(setting.bank.tails)
        new = new if new.startswith((",", " ")) else " " + new
    return Edit(text + new, ((len(text), len(text) + len(new)),), Label.NEUTRAL, "detail")


def extend_list(text: str, setting: Setting, chance: random.Random) -> Edit | None:
    """One more item in a list, or another in its place."""
    matches = list(_LISTED.finditer(text))
    if not matches or not setting.bank.items:
        return None
    match, new = chance.choice(matches), chance.choice(setting.bank.items)
    if new in text:
        return None
    if chance.random() < 0.5:
        return _replace(text, *match.span(1), new, Label.NOT_ENTAILED, "item")
    at = match.start(1)
    changed = f"{text[:at]}{new}, {text[at:]}"
    return Edit(changed, ((at, at + len(new)),), Label.NEUTRAL, "item")


MAKERS: tuple[tuple[Maker, float], ...] = (
    (number, 2.0),
    (date, 2.0),
    (hour, 3.0),
    (name, 2.0),
    (roles, 1.5),
    (negation, 1.2),
    (_swap(OPPOSITES, Label.CONTRADICT, "opposite"), 2.0),
    (_swap(QUANTIFIERS, Label.NOT_ENTAILED, "quantifier"), 2.0),
    (_swap(WEAK, Label.NEUTRAL, "certainty"), 1.0),
    (_swap(UNITS, Label.CONTRADICT, "unit"), 2.5),
    (noun, 1.5),
    (detail, 2.0),
    (extend_list, 3.0),
)


def edit(text: str, setting: Setting, chance: random.Random) -> Edit | None:
    """One change that the sentence allows, drawn by weight."""
    makers = list(MAKERS)
    while makers:
        at = chance.choices(range(len(makers)), [weight for _, weight in makers])[0]
        change = makers.pop(at)[0](text, setting, chance)
        if change:
            return change
    return None
