"""Adversarial inputs, each with the least severe action that it may end in."""

import html
from collections.abc import Iterator
from dataclasses import dataclass

from analysis.engine import Action, Source, Submission
from tests.adversarial import disguises
from tests.adversarial.facts import DUTIES, FACTS, Fact


@dataclass(frozen=True, slots=True)
class Case:
    """An answer and its sources; `least` is the mildest action that is right for it."""

    kind: str
    answer: str
    sources: tuple[str, ...] | None
    least: Action = Action.WARN

    @property
    def submission(self) -> Submission:
        if self.sources is None:
            return Submission(self.answer)
        sources = (Source(f"s{at}", text) for at, text in enumerate(self.sources, start=1))
        return Submission(self.answer, sources=tuple(sources))


def written(template: str, fact: Fact) -> str:
    """Return the template with the fact's statements in it."""
    return (
        template.replace("{W}", fact.wrong)
        .replace("{R}", fact.right)
        .replace("{U}", fact.unsupported)
    )


_BY_TEMPLATE = {
    "code_fence": disguises.CODE_FENCES,
    "heading": disguises.HEADINGS,
    "table": disguises.TABLES,
    "list_or_quote": disguises.LISTS,
    "aside": disguises.ASIDES,
    "lead_in": disguises.LEAD_INS,
    "question": disguises.QUESTIONS,
    "negating_frame": disguises.FRAMES,
}


def disguised() -> Iterator[Case]:
    """Yield every template around every fact."""
    for kind, templates in _BY_TEMPLATE.items():
        for fact in FACTS:
            for template in templates:
                yield Case(kind, written(template, fact), (fact.source,))


def _decimal(text: str) -> str:
    return "".join(f"&#{ord(char)};" if char.isalnum() else char for char in text)


def _hexadecimal(text: str) -> str:
    return "".join(f"&#x{ord(char):x};" for char in text)


def _padded(text: str) -> str:
    return "".join(f"&#{ord(char):07d};" if char.isalnum() else char for char in text)


def _vowels(text: str) -> str:
    return "".join(f"&#{ord(char)};" if char in "aeiou0123456789" else char for char in text)


def _uppercase(text: str) -> str:
    return "".join(f"&#X{ord(char):X};" if char.isalnum() else char for char in text)


_ENCODINGS = (_decimal, _hexadecimal, _padded, _vowels, _uppercase)
_ENCODED_IN = ("{W}.", "{R}. {W}.", "# {W}", "**{W}**", "```\n{W}.\n```", "{W}, right?")


def encoded() -> Iterator[Case]:
    """Yield statements written as HTML entities."""
    for fact in FACTS:
        for encode in _ENCODINGS:
            for template in _ENCODED_IN:
                text = template.replace("{W}", encode(fact.wrong)).replace("{R}", fact.right)
                yield Case("entity", text, (fact.source,))
        yield Case("entity", html.escape(f'"{fact.wrong}."'), (fact.source,))
        yield Case("entity", fact.wrong.replace(" ", "&nbsp;") + ".", (fact.source,))
        yield Case("entity", fact.wrong.replace(" ", "&#32;") + ".", (fact.source,))


def _of_duty(kind: str, templates: list[str]) -> Iterator[Case]:
    for duty in DUTIES:
        for template in templates:
            text = template.format(
                who=duty.who, verb=duty.verb, what=duty.what, other=duty.other, right=duty.right
            )
            yield Case(kind, text[:1].upper() + text[1:], (duty.source,))


def errors_in_sources() -> Iterator[Case]:
    """Yield sources with the error: as a question, a myth, a comment, a wrong statement."""
    for fact in FACTS:
        for template in disguises.ERRORS_IN_SOURCES:
            error = template.replace("{W}", fact.wrong)
            yield Case("error_in_source", f"{fact.wrong}.", (f"{fact.source} {error}",))
            yield Case("error_in_source", f"{fact.wrong}.", (fact.source, error))


def disagreeing() -> Iterator[Case]:
    """Yield pairs of sources of which one is right and one wrong."""
    texts = ("{W}.", "{R}.", "# {W}", "- {R}", "**{W}**", "{W}, right?", "> {R}.")
    for fact in FACTS:
        for template in texts:
            answer = written(template, fact)
            yield Case("sources_disagree", answer, (fact.source, f"{fact.wrong}."))
            yield Case("sources_disagree", answer, (f"{fact.wrong}.", fact.source))


def without_sources() -> Iterator[Case]:
    """Yield disguises without sources, which end as any answer without sources does."""
    for fact in FACTS:
        for template in (*disguises.CODE_FENCES[:6], *disguises.HEADINGS[:9]):
            answer = written(template, fact)
            yield Case("no_sources", answer, None)
            yield Case("no_sources", answer, (), Action.BLOCK)


def honest() -> Iterator[Case]:
    """Yield what must be allowed: right answers in any form, and small talk."""
    for fact in FACTS:
        for template in disguises.GOOD:
            yield Case("right", written(template, fact), (fact.source,), Action.ALLOW)
        for text in disguises.SMALL_TALK:
            yield Case("small_talk", text, (fact.source,), Action.ALLOW)


def by_rules() -> Iterator[Case]:
    """Yield the cases that the engine settles without a model of entailment."""
    yield from disguised()
    yield from encoded()
    yield from without_sources()
    yield from _of_duty("exemption", disguises.EXEMPTIONS)
    yield from errors_in_sources()
    yield from disagreeing()
    yield from honest()
