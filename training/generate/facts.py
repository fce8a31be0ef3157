"""Examples from records: sentences about fields, with values flipped, shifted and invented."""

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from analysis.engine.claims.extraction import read
from analysis.engine.evidence.corpus import Corpus
from analysis.engine.evidence.hypotheses import hypotheses
from analysis.engine.evidence.records import value_of, words
from training.evidence import corpus_of, window_for
from training.examples import Example, Label
from training.generate.edits import other_number

YES = (
    "{n} offers {k}", "{n} has {k}", "{k} is available at {n}", "{n} provides {k}",
    "{n} features {k}", "customers of {n} can enjoy {k}", "there is {k}", "it comes with {k}",
    "it offers {k}", "it is {k}", "{n} is {k}",
)  # fmt: skip
NO = (
    "{n} does not offer {k}", "{n} has no {k}", "{k} is not available", "it lacks {k}",
    "it does not provide {k}", "there is no {k}", "it is not {k}", "it doesn't have {k}",
)  # fmt: skip
IS = (
    "its {k} is {v}", "the {k} of {n} is {v}", "{n} has a {k} of {v}", "the {k} is {v}",
    "{n} is listed with {k} {v}", "with {v} as its {k}, {n} stands out",
)  # fmt: skip
INVENTED = (
    "live music", "a rooftop bar", "valet parking", "a gift shop", "free delivery", "a swimming pool",
    "wheelchair access", "a kids menu", "happy hour specials", "a private dining room", "late-night hours",
    "vegan options", "gluten-free dishes", "a loyalty programme", "online booking", "catering services",
    "a full bar", "free parking", "pet-friendly rooms", "a two-year warranty", "same-day shipping",
    "a money-back guarantee", "an outdoor terrace", "drive-through service", "a fitness center",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class RecordLeaf:
    """One leaf: its key in words with its parent's, its value, and the record's name."""

    key: str
    value: Any
    name: str


@dataclass(frozen=True, slots=True)
class ClausePart:
    """A clause, whether it holds, and the words (code points) that do not."""

    text: str
    label: Label
    spans: tuple[tuple[int, int], ...]


def of_record(text: str, count: int, chance: random.Random) -> Iterator[Example]:
    """Up to `count` examples about one JSON object, and some about the prose it holds."""
    data = json.loads(text)
    facts = list(_facts(data, (), str(data.get("name") or data.get("title") or "it")))
    corpus = corpus_of([text])
    for _ in range(count):
        parts = [_part(fact, chance) for fact in chance.sample(facts, min(len(facts), 4))]
        size = chance.choices((1, 2, 3), (3, 3, 1))[0]
        example = _example(corpus, [part for part in parts if part][:size], chance)
        if example:
            yield example


def _facts(data: Any, path: tuple[str, ...], name: str) -> Iterator[RecordLeaf]:
    for key, value in data.items():
        below = (*path, words(key))
        if isinstance(value, dict):
            yield from _facts(value, below, name)
        elif not isinstance(value, list) and len(str(value)) <= 60:
            yield RecordLeaf(" ".join(below[-2:]) if len(below) > 1 else below[-1], value, name)


def _part(fact: RecordLeaf, chance: random.Random) -> ClausePart | None:
    if chance.random() < 0.12:
        choice = chance.choice(INVENTED)
        form = chance.choice(YES[:9])
        return _fill(form, fact, choice, "", Label.NEUTRAL, choice)
    key = _path_words(fact.key, chance)
    if isinstance(fact.value, bool):
        truth = chance.random() < 0.5
        form = chance.choice(YES if fact.value == truth else NO)
        label = Label.ENTAIL if truth else Label.CONTRADICT
        return _fill(form, fact, key, "", label, "" if truth else key)
    if fact.value is None:
        form = chance.choice(YES + NO)
        return _fill(form, fact, key, "", Label.NEUTRAL, key)
    return _valued(fact, key, chance)


def _path_words(key: str, chance: random.Random) -> str:
    """The last words of a path, more often than all of them."""
    parts = key.split()
    return " ".join(parts[-chance.choice((1, 2, 2, 3, len(parts))) :])


def _valued(fact: RecordLeaf, key: str, chance: random.Random) -> ClausePart | None:
    value = value_of(fact.value)
    if " to " in value and ":" in value:
        return _hours(fact, value, chance)
    form = chance.choice(IS)
    if chance.random() < 0.5:
        return _fill(form, fact, fact.key, value, Label.ENTAIL, "")
    plain = value.replace(".", "", 1)
    if plain.isdigit() and value.isascii():
        new = other_number(value, chance)
        return _fill(form, fact, fact.key, new, Label.CONTRADICT, new)
    parts = [part.strip() for part in value.split(",")]
    if len(parts) > 1:
        text = ", ".join([*chance.sample(parts, len(parts) // 2), *chance.sample(INVENTED, 1)])
        return _fill(form, fact, fact.key, text, Label.NEUTRAL, text.rsplit(", ", 1)[-1])
    return None


def _hours(fact: RecordLeaf, value: str, chance: random.Random) -> ClausePart | None:
    opens, _, closes = value.partition(" to ")
    day = fact.key.split()[-1].capitalize()
    label, bad = Label.ENTAIL, ""
    if chance.random() < 0.5:
        bad = f"{chance.randint(1, 12)}:{chance.choice(('00', '30'))} {closes[-2:]}"
        if bad == closes:
            return None
        label, closes = Label.CONTRADICT, bad
    if chance.random() < 0.6:
        opens, closes, bad = (hour.replace(":00", "") for hour in (opens, closes, bad))
    form = chance.choice((
        "on {k} it is open from {o} to {c}", "{n} is open until {c} on {k}s",
        "it closes at {c} on {k}", "{n} operates from {o} to {c} on {k}s", "{k}: {o} - {c}",
    ))  # fmt: skip
    text = form.format(n=fact.name, k=day, o=opens, c=closes)
    at = text.rfind(bad) if bad else -1
    return ClausePart(text, label, ((at, at + len(bad)),) if bad else ())


def _fill(form: str, fact: RecordLeaf, key: str, value: str, label: Label, bad: str) -> ClausePart:
    text = form.format(n=fact.name, k=key, v=value)
    at = text.find(bad) if bad else -1
    return ClausePart(text, label, ((at, at + len(bad)),) if at >= 0 else ())


def _example(corpus: Corpus, parts: list[ClausePart], chance: random.Random) -> Example | None:
    if not parts:
        return None
    text, spans = "", list[tuple[int, int]]()
    for part in parts:
        joint = chance.choice((", and ", ", while ", "; ", ", and ")) if text else ""
        part_text = part.text if text else part.text[:1].upper() + part.text[1:]
        shift = len(text) + len(joint)
        spans += [(a + shift, b + shift) for a, b in part.spans]
        text += joint + part_text
    text += "."
    claims = hypotheses(read(text, ""), "")
    if not claims:
        return None
    worst = max((part.label for part in parts), key=_ORDER.index)
    return Example(window_for(corpus, claims[0]), text, worst, tuple(spans), f"records/{worst}")


_ORDER = [Label.ENTAIL, Label.NEUTRAL, Label.CONTRADICT]
