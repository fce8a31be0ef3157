"""Abbreviations of a domain and what they stand for: T2DM is type 2 diabetes."""

import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from analysis.engine.facts.model import Fact, FactKind, Relation, Stretch
from text.stems import stem
from text.tokens import MARK, Tokens, tokenize

_FILE = Path(__file__).with_name("abbreviations.toml")

Form = tuple[str, ...]


def abbreviation_facts(claim: Stretch, evidence: Sequence[Stretch]) -> Iterator[Fact]:
    """The abbreviations and meanings of the claim that the evidence writes the other way."""
    for first, last, group in _uses(claim):
        ours = _form(claim.tokens, first, last)
        for index, passage in enumerate(evidence):
            use = next((one for one in _uses(passage) if one[2] == group), None)
            if use is None:
                continue
            if _form(passage.tokens, use[0], use[1]) != ours:
                written = passage.quote(use[0], use[1])
                reason = f"the source writes “{written}”"
                yield Fact(
                    FactKind.ABBREVIATION, Relation.EQUAL, claim.span(first, last), index,
                    passage.span(use[0], use[1]), 1.0, reason,
                )  # fmt: skip
            break


@cache
def _table() -> dict[str, list[tuple[Form, str, bool]]]:
    """First stem of each form to (stems, name of its group, whether it is in capitals)."""
    found: dict[str, list[tuple[Form, str, bool]]] = {}
    for entries in tomllib.loads(_FILE.read_text()).values():
        for short, meaning in entries.items():
            for written in (short.replace("_", " "), meaning):
                tokens = tokenize(written)
                form = _form(tokens, 0, len(tokens))
                entry = (form, meaning, len(form) == 1 and written.isupper())
                found.setdefault(form[0], []).append(entry)
    for forms in found.values():
        forms.sort(key=lambda entry: -len(entry[0]))
    return found


def _form(tokens: Tokens, first: int, last: int) -> Form:
    return tuple(stem(tokens.lower[at]) for at in range(first, last) if tokens.kinds[at] != MARK)


def _uses(stretch: Stretch) -> Iterator[tuple[int, int, str]]:
    """Tokens [first, last) of each form that stands in a stretch, and its group."""
    tokens, table = stretch.tokens, _table()
    words = [at for at in range(stretch.first, stretch.last) if tokens.kinds[at] != MARK]
    stems = [stem(tokens.lower[at]) for at in words]
    for place, word in enumerate(stems):
        for form, group, capitals in table.get(word, ()):
            if tuple(stems[place : place + len(form)]) != form:
                continue
            if capitals and not tokens.words[words[place]][:2].isupper():
                continue
            yield words[place], words[place + len(form) - 1] + 1, group
            break
