"""Evidence with claims on it, and text to bury it under: noise, and more of its own kind."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.adversarial.corpus import read_blocks

SIZE = 50_000
"""Characters of padding on either side."""


def _words(words: str) -> list[str]:
    return words.split()


_PLACES = _words(
    "Alvik Bremnes Dokka Eikanger Fauske Grimstad Hovden Isfjord Jevnaker Lavik Mandal Namsos "
    "Orkanger Porsgrunn Rjukan Skien Tynset Utvik Vadso Ytteroy"
)
_FIRST = _words("Ada Bjarne Clara Didrik Elin Fredrik Greta Harald Ida Jonas Karin Leif")
_LAST = _words("Aas Berg Dahl Eide Foss Haug Iversen Kvam Lie Moen Nygaard Opdal")
_THINGS = _words("lantern orchard kettle harbour violin compass meadow anvil ribbon quarry")
_DEEDS = _words("rested waited faded turned drifted settled shone slept echoed lingered")


@dataclass(frozen=True, slots=True)
class Case:
    """A source, claims on it, and further paragraphs of its kind, one a call."""

    name: str
    source: str
    claims: tuple[str, ...]
    more: Callable[[random.Random], str]


def noise(chance: random.Random) -> str:
    """Return sentences that have nothing to do with anything."""
    nouns = [chance.choice(_THINGS) for _ in range(4)]
    deeds = [chance.choice(_DEEDS) for _ in range(2)]
    return (
        f"The {nouns[0]} {deeds[0]} beside the {nouns[1]}. "
        f"Some say that a {nouns[2]} never {deeds[1]} near any {nouns[3]}."
    )


def padded(source: str, paragraph: Callable[[random.Random], str], seed: int = 1) -> str:
    """Return the source with SIZE characters of other paragraphs before it and after it."""
    before, after = (_paragraphs(paragraph, seed + side) for side in (0, 1))
    return f"{before}\n\n{source}\n\n{after}"


def _paragraphs(paragraph: Callable[[random.Random], str], seed: int) -> str:
    def paragraphs() -> Iterator[str]:
        chance, size = random.Random(seed), 0
        while size < SIZE:
            text = paragraph(chance)
            size += len(text) + 2
            yield text

    return "\n\n".join(paragraphs())


def _bridge(chance: random.Random, subject: str = "The bridge") -> str:
    return (
        f"The bridge at {chance.choice(_PLACES)} opened in {chance.randint(1900, 2015)}. "
        f"{subject} is {chance.randint(90, 990)} metres long and was designed by "
        f"{chance.choice(_FIRST)} {chance.choice(_LAST)}. "
        f"A crossing costs {chance.randint(20, 90)} kroner."
    )


def _office(chance: random.Random) -> str:
    place = chance.choice(_PLACES)
    return (
        f"The {place} office has {chance.randint(20, 400)} employees and "
        f"{chance.choice(['a canteen', 'no canteen', 'a gym', 'two lifts'])}. "
        f"Employees in {place} get {chance.randint(21, 32)} days of leave a year. "
        f"{chance.choice(_FIRST)} {chance.choice(_LAST)} leads the {place} office."
    )


def _person(chance: random.Random) -> str:
    name = f"{chance.choice(_FIRST)} {chance.choice(_LAST)}"
    return (
        f"{name} was born in {chance.choice(_PLACES)} in {chance.randint(1900, 1990)}. "
        f"{name} studied {chance.choice(['law', 'medicine', 'physics', 'music'])} and "
        f"{chance.choice(['moved abroad', 'taught at a school', 'worked on a farm'])}. "
        f"{name} won {chance.choice(['no prize', 'a prize', 'the city medal'])} "
        f"in {chance.randint(1950, 2020)}."
    )


def _rule(chance: random.Random) -> str:
    what = chance.choice(["Repairs", "Exchanges", "Deliveries", "Invoices", "Complaints"])
    return (
        f"{what} are handled within {chance.randint(2, 90)} days of the "
        f"{chance.choice(['request', 'order', 'call', 'visit'])}. "
        f"{what} cost {chance.randint(2, 60)} euros and are "
        f"{chance.choice(['possible', 'not possible'])} on public holidays."
    )


_PARAGRAPHS = {
    "bridges": _bridge,
    "bridges, each named once": lambda chance: _bridge(chance, "It"),
    "offices": _office,
    "persons": _person,
    "rules": _rule,
}
CASES = tuple(
    Case(block.kind, block.source, block.claims, _PARAGRAPHS[block.kind])
    for block in read_blocks(Path(__file__).with_suffix(".txt"))
)
