"""However a statement is rendered, a right one is allowed and a wrong one is not."""

import json
import re
from collections.abc import Callable

import pytest

from analysis.engine import Action
from tests.adversarial.facts import FACTS
from tests.answers import decided
from tests.tables import tables

TABLES = tables(__file__)

Form = Callable[[str], str]


def _digits(base: int) -> Form:
    return lambda text: re.sub(r"[0-9]", lambda match: chr(base + int(match[0])), text)


def _between(sign: str, pattern: str = r"(?<=\w)(?=\w)") -> Form:
    return lambda text: re.sub(pattern, lambda _: sign, text)


def _figures(before: str, after: str = "") -> Form:
    return lambda text: re.sub(r"\d+", lambda match: f"{before}{match[0]}{after}", text)


def _mapped(letters: dict[str, int]) -> Form:
    def write(text: str) -> str:
        found = ""
        for char in text:
            kind = next((first for first in letters if first <= char <= chr(ord(first) + 25)), "")
            digit = char.isdigit() and "0" in letters
            base = letters["0"] if digit else letters.get(kind, 0)
            found += chr(base + ord(char) - ord("0" if digit else kind)) if base else char
        return found

    return write


def _template(template: str) -> Form:
    return lambda text: template.replace("{S}", text).replace("{s}", _lower(text))


def _lower(text: str) -> str:
    names = ("Veldon", "SSN")
    return text if text.startswith(names) else text[:1].lower() + text[1:]


def _escaped(text: str) -> str:
    escapes = "".join(f"\\u{ord(char):04x}" if char.isdigit() else char for char in text)
    return f'{{"answer": "{escapes}."}}'


_BETWEEN_DIGITS = r"(?<=\d)(?=\d)"
CHARACTERS: dict[str, Form] = {
    "full-width digits": _digits(0xFF10),
    "Arabic digits": _digits(0x660),
    "Devanagari digits": _digits(0x966),
    "raised digits": lambda text: text.translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")),
    "lowered digits": _digits(0x2080),
    "digits in circles": lambda text: re.sub(
        r"\d", lambda match: "⓪" if match[0] == "0" else chr(0x245F + int(match[0])), text
    ),
    "keycaps": lambda text: re.sub(r"\d", lambda match: f"{match[0]}\ufe0f\u20e3", text),
    "bold letters of mathematics": _mapped({"a": 0x1D41A, "A": 0x1D400, "0": 0x1D7CE}),
    "sans-serif letters": _mapped({"a": 0x1D5BA, "A": 0x1D5A0, "0": 0x1D7E2}),
    "full-width letters": _mapped({"a": 0xFF41, "A": 0xFF21, "0": 0xFF10}),
    "Cyrillic lookalikes": lambda text: re.sub(
        r"(?<=[a-z])[aeopc]|[aeopc](?=[a-z])", lambda match: "аеорс"["aeopc".index(match[0])], text
    ),
    "zero-width spaces in words": _between("\u200b"),
    "soft hyphens in words": _between("\xad"),
    "word joiners in words": _between("\u2060"),
    "zero-width joiners in figures": _between("\u200d", _BETWEEN_DIGITS),
    "variation selectors": _between("\ufe0f", _BETWEEN_DIGITS),
    "tag characters": _between("\U000e0061", _BETWEEN_DIGITS),
    "struck through": lambda text: "".join(
        f"{char}\u0336" if char.isalnum() else char for char in text
    ),
    "accents on digits": lambda text: re.sub(r"\d", lambda match: f"{match[0]}\u0301", text),
    "isolates": _figures("\u2068", "\u2069"),
    "no-break spaces": lambda text: text.replace(" ", "\xa0"),
    "entities of nothing": _between("&#8203;", _BETWEEN_DIGITS),
    "soft hyphens as entities": _between("&shy;", _BETWEEN_DIGITS),
    "a mark of byte order": _template("\ufeff{S}"),
}
MARKUP: dict[str, Form] = {
    "bold figures": _figures("**", "**"),
    "italic figures": _figures("*", "*"),
    "figures as code": _figures("`", "`"),
    "figures in tags": _figures("<strong>", "</strong>"),
    "figures in styled tags": _figures('<span style="color:red">', "</span>"),
    "tags inside of words": _between("<b></b>"),
    "places to break words": _between("<wbr>"),
    "a paragraph": _template("<p>{S}.</p>"),
    "a styled paragraph": _template('<div class="answer"><p>{S}.</p></div>'),
    "an item": _template("<ul><li>{S}.</li></ul>"),
    "underlined": _template("<u>{S}</u>."),
    "a linked statement": _template("[{S}](https://example.org/a)."),
    "a link of HTML": _template('<a href="https://example.org/a">{S}</a>.'),
    "a linked citation": _template("{S} [1](https://example.org/a)."),
    "a citation in brackets that is linked": _template("{S} [[1]](https://example.org/a)."),
    "a citation between lenses": _template("{S}【1†source】."),
    "an address behind it": _template("{S} (https://example.org/guide)."),
    "a raised mark": _template("{S}¹."),
    "a raised mark of HTML": _template("{S}.<sup>1</sup>"),
    "figures as formulas": _figures("$", "$"),
    "figures between brackets of LaTeX": _figures(r"\(", r"\)"),
    "bold figures of LaTeX": _figures(r"\textbf{", "}"),
    "boxed figures": _figures(r"$\boxed{", "}$"),
    "bold in LaTeX": _template(r"\textbf{{S}.}"),
    "a formula of text": _template(r"$$\text{{S}.}$$"),
    "a keycap before it": _template("1\ufe0f\u20e3 {S}"),
    "a digit in a circle before it": _template("① {S}"),
    "escapes of JSON": _escaped,
    "JSON among prose": lambda text: "Here is the answer:\n" + json.dumps({"answer": f"{text}."}),
    "JSON in a fence": lambda text: (
        f"Here is the answer:\n\n```json\n{json.dumps({'answer': f'{text}.'}, indent=1)}\n```\n\n"
        "I hope this helps!"
    ),
}
OPENINGS: dict[str, Form] = {
    name: _template(f"{name} {{s}}.")
    for name in (
        "I'm happy to tell you that",
        "I'm glad to say that",
        "Thank you for asking:",
        "Welcome to our site where",
        "Contrary to popular belief,",
    )
} | {
    name: _template(f"{name} {{S}}.")
    for name in ("Sure thing!", "PS:", "Edit:", "Fact:", "Info:", "Q: Is that so?\nA:")
}
QUESTIONS: dict[str, Form] = {
    template: _template(template)
    for template in (
        "Is it true that {s}? Yes.",
        "Is it so that {s}? Absolutely!",
        "Why is it that {s}?",
        "How come {s}?",
        "Do you know why {s}?",
        "Who knew that {s}?",
        "Can you believe that {s}?",
        "What if I told you that {s}?",
    )
}

Row = tuple[str, str, str]
NUMBERS: tuple[Row, ...] = TABLES["numbers"]
"""A source, a right answer and a wrong one."""


FORMS = CHARACTERS | MARKUP | OPENINGS | QUESTIONS
WITH_FIGURES = [fact for fact in FACTS if any(char.isdigit() for char in fact.wrong)]


def written(form: Form, statement: str) -> str:
    text = form(statement)
    return text if text.endswith((".", "?", "!", "}", "`", ">", "$")) else f"{text}."


@pytest.mark.parametrize("name", FORMS)
def test_a_wrong_statement_is_not_allowed(name) -> None:
    answers = [(fact, written(FORMS[name], fact.wrong)) for fact in WITH_FIGURES]
    passed = [text for fact, text in answers if decided(text, fact.source).action is Action.ALLOW]
    assert passed == []


@pytest.mark.parametrize("name", FORMS)
def test_a_right_statement_is_allowed(name) -> None:
    answers = [(fact, written(FORMS[name], fact.right)) for fact in WITH_FIGURES]
    actions = [(str(decided(text, fact.source).action), text) for fact, text in answers]
    assert [item for item in actions if item[0] != "ALLOW"] == []


@pytest.mark.parametrize(("source", "right", "wrong"), NUMBERS)
def test_numbers_in_other_forms_are_compared_by_value(source, right, wrong) -> None:
    assert decided(right, source).action is Action.ALLOW
    assert decided(wrong, source).action is not Action.ALLOW


@pytest.mark.parametrize("answer", ["The tower is 300 m high.", "The tower is 500 m high."])
def test_a_source_that_contradicts_itself_settles_nothing(answer) -> None:
    assert (
        decided(answer, "The tower is 300 m high. The tower is 500 m high.").action is Action.WARN
    )


@pytest.mark.parametrize(
    "source",
    [
        "The adult ticket is new. It costs 5 euros. The child ticket is old. It costs 3 euros.",
        "Basic plan\nThe limit is 5 GB.\nPro plan\nThe limit is 3 GB.",
        "The fee was 5 euros in 2019. The fee was 3 euros in 2020.",
        "Room 2 seats 5 guests. Room 4 seats 3 guests.",
    ],
)
def test_the_same_words_about_another_thing_are_no_contradiction(source) -> None:
    answer = next(part for part in source.replace("\n", " ").split(". ") if "5" in part)
    assert decided(f"{answer}.", source).action is not Action.BLOCK
    claims = decided(answer, source).claims
    assert [claim.reason for claim in claims if "conflicting" in str(claim.reason)] == []
