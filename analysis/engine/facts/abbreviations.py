"""Abbreviations of a domain and what they stand for: T2DM is type 2 diabetes."""

import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from analysis.engine.facts.model import FactKind, FigureEvidence, Relation, Stretch
from lib.text.negation import negations
from lib.text.stems import stem
from lib.text.tokens import MARK, Tokens, tokenize
from lib.text.words import STOPWORDS, word_set

_FILE = Path(__file__).with_name("abbreviations.toml")

_LEAST_SHARED = 0.75
"""Share of the claim's other words that stand in or beside a passage with a rival."""
_OF_ANYBODY = frozenset(map(stem, word_set("patient patients person diagnosis diagnosed suffers")))
"""What a note about somebody leaves out."""
Form = tuple[str, ...]
Use = tuple[int, int, str]
"""Tokens [first, last) of a form, and its group."""


def abbreviation_facts(
    claim: Stretch, claim_uses: Sequence[Use], evidence: Sequence[Stretch]
) -> Iterator[FigureEvidence]:
    """The abbreviations and meanings that the claim uses and the evidence writes otherwise.

    One of which the evidence has only a rival, said of the same thing, is in conflict with it.
    """
    for first, last, group in claim_uses:
        ours = _form(claim.tokens, first, last)
        for index, passage in enumerate(evidence):
            use = next(
                (use_of_form for use_of_form in uses(passage) if use_of_form[2] == group), None
            )
            if use is None:
                continue
            if _form(passage.tokens, use[0], use[1]) != ours:
                text = passage.quote(use[0], use[1])
                reason = f"the source writes “{text}”"
                yield FigureEvidence(
                    FactKind.ABBREVIATION, Relation.EQUAL, claim.span(first, last), index,
                    passage.span(use[0], use[1]), 1.0, reason,
                )  # fmt: skip
            break
        else:
            yield from _rival_facts(claim, (first, last, group), evidence)


def _rival_facts(
    claim: Stretch, claim_use: Use, evidence: Sequence[Stretch]
) -> Iterator[FigureEvidence]:
    """What the evidence says instead of a meaning that it has nowhere: type 2 for type 1."""
    first, last, group = claim_use
    rivals = _rivals().get(group, frozenset())
    if not rivals or len({each[2] for each in uses(claim)}) > 1 or _denies(claim):
        return
    terms = claim.tokens.terms
    others = {
        terms[at]
        for at in range(claim.first, claim.last)
        if terms[at] and not first <= at < last and terms[at] not in _OF_ANYBODY
    }
    for index, passage in enumerate(evidence):
        rival_uses = [use for use in uses(passage) if use[2] in rivals]
        near = passage.around.union(passage.tokens.terms[passage.first : passage.last])
        shared = len(others & near) >= _LEAST_SHARED * len(others)
        if len({use[2] for use in rival_uses}) == 1 and shared and not _denies(passage):
            start, end, _ = rival_uses[0]
            yield FigureEvidence(
                FactKind.ABBREVIATION, Relation.CONFLICTING, claim.span(first, last), index,
                passage.span(start, end), 1.0, f"the source says “{passage.quote(start, end)}”",
                certain=others <= near,
            )  # fmt: skip
            return


def _denies(stretch: Stretch) -> bool:
    return any(True for _ in negations(stretch.tokens, stretch.first, stretch.last))


@cache
def _rivals() -> dict[str, frozenset[str]]:
    """Each meaning that excludes others to those."""
    groups = tomllib.loads(_FILE.read_text())["rivals"]
    return {name: frozenset(group) - {name} for group in groups for name in group}


@cache
def _table() -> dict[str, list[tuple[Form, str, bool]]]:
    """First stem of each form to (stems, name of its group, whether it is in capitals)."""
    by_first_stem: dict[str, list[tuple[Form, str, bool]]] = {}
    sections = tomllib.loads(_FILE.read_text()).values()
    for entries in (section for section in sections if isinstance(section, dict)):
        for short, meaning in entries.items():
            for text in (short.replace("_", " "), meaning):
                tokens = tokenize(text)
                form = _form(tokens, 0, len(tokens))
                entry = (form, meaning, len(form) == 1 and text.isupper())
                by_first_stem.setdefault(form[0], []).append(entry)
    for forms in by_first_stem.values():
        forms.sort(key=lambda entry: -len(entry[0]))
    return by_first_stem


@cache
def other_terms(group: str) -> frozenset[str]:
    """The stems of all forms of a group, and of its rivals.

    "T2DM" is to be looked for where a claim writes it out, or says "type 1".
    """
    groups = {group, *_rivals().get(group, ())}
    forms = (form for entries in _table().values() for form, name, _ in entries if name in groups)
    return frozenset(term for form in forms for term in form if term not in STOPWORDS)


def _form(tokens: Tokens, first: int, last: int) -> Form:
    return tuple(stem(tokens.lower[at]) for at in range(first, last) if tokens.kinds[at] != MARK)


def uses(stretch: Stretch) -> Iterator[Use]:
    """The forms that stand in a stretch, left to right."""
    tokens, table = stretch.tokens, _table()
    if table.keys().isdisjoint(map(stem, stretch.words)):
        return
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
