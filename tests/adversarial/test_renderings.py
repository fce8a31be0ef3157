"""However a statement is rendered, a right one is allowed and a wrong one is not."""

import json
import re
from collections.abc import Callable

import pytest

from analysis.engine import Action
from tests.adversarial.facts import FACTS
from tests.answers import decided

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
NUMBERS: tuple[Row, ...] = (
    ("The plant makes 10,000 tonnes of CO2.", "The plant makes 10\u202f000 tonnes of CO₂.",
     "The plant makes 50\u202f000 tonnes of CO₂."),
    ("The plant makes 10,000 tonnes of CO2.", "The plant makes 10 000 tonnes of CO2.",
     "The plant makes 15 000 tonnes of CO2."),
    ("The plant makes 10,000 tonnes of CO2.",
     "The plant makes 10'000 tonnes of CO<sub>2</sub>.",
     "The plant makes 70'000 tonnes of CO<sub>2</sub>."),
    ("The plant makes 10,000 tonnes of CO2.",
     "The plant makes $10{,}000$ tonnes of $\\text{CO}_2$.",
     "The plant makes $40{,}000$ tonnes of $\\text{CO}_2$."),
    ("The plant makes 10,000 tonnes of CO2.", "The plant makes 10⁴ tonnes of CO2.",
     "The plant makes 10⁶ tonnes of CO2."),
    ("The plant makes 10,000 tonnes of CO2.", "The plant makes $10^4$ tonnes of CO2.",
     "The plant makes $10^{5}$ tonnes of CO2."),
    ("The plant makes 15,000 tonnes of salt.", "The plant makes 1.5 × 10⁴ tonnes of salt.",
     "The plant makes 1.5 × 10⁵ tonnes of salt."),
    ("The hike takes 2.5 hours.", "The hike takes 2½ hours.", "The hike takes 4½ hours."),
    ("The hike takes 2.5 hours.", "The hike takes 2 1/2 hours.", "The hike takes 3 1/2 hours."),
    ("The hike takes 2.5 hours.", "The hike takes $2\\frac{1}{2}$ hours.",
     "The hike takes $6\\frac{1}{2}$ hours."),
    ("The trail is 500 m long.", "The trail is ½ km long.", "The trail is ¾ km long."),
    ("The accuracy is 95 percent.", "The accuracy is $95\\%$.", "The accuracy is $65\\%$."),
    ("The accuracy is 95 percent.", "The accuracy is **95**%.", "The accuracy is **85**%."),
    ("The lake covers 25 km².", "The lake covers 25 km<sup>2</sup>.",
     "The lake covers 52 km<sup>2</sup>."),
    ("The lake covers 25 km².", "The lake covers $25\\,\\mathrm{km}^2$.",
     "The lake covers $75\\,\\mathrm{km}^2$."),
    ("The lake covers 25 km².", "The lake covers 25 square kilometres.",
     "The lake covers 35 square kilometres."),
    ("The lake covers 25 km².", "The lake covers 25 km^2.", "The lake covers 15 km^2."),
    ("The trial costs 49 euros per month.", "The trial costs 49 € per month.",
     "The trial costs 94 € per month."),
    ("The trial costs 49 euros per month.", "The trial costs EUR 49 per month.",
     "The trial costs EUR 79 per month."),
    ("Refunds are paid within 14 days.", "Refunds are paid within 14 (fourteen) days.",
     "Refunds are paid within 40 (forty) days."),
    ("Refunds are paid within 14 days.", "Refunds are paid within fourteen (14) days.",
     "Refunds are paid within forty (40) days."),
    ("The tower is 300 m high.", "The tower is $300\\,\\mathrm{m}$ high.",
     "The tower is $500\\,\\mathrm{m}$ high."),
    ("The tower is 300 m high.", "The tower is $\\SI{300}{m}$ high.",
     "The tower is $\\SI{500}{m}$ high."),
    ("The tower is 300 m high.", "THE TOWER IS 300 M HIGH.", "THE TOWER IS 500 M HIGH."),
    ("The tower is 300 m high.", "The tower is 300 m, not 500 m, high.",
     "The tower is 500 m, not 300 m, high."),
    ("The tower is 300 m high.", "The tower is not 500 m high but 300 m.",
     "The tower is not 300 m high but 500 m."),
    ("The tower is 300 m high.", "The tower is 300 m high.", "The tower is twice 300 m high."),
    ("The tower is 300 m high.", "The tower is 300 m high.", "The tower is half 300 m high."),
    ("The tower is 300 m high.", "The tower is 300 m high.", "The tower is >300 m high."),
    ("The tower is 300 m high.", "The tower is 300 m high.", "The tower is <300 m high."),
    ("The tower is 300 m high.", "The tower is 300 m high.", "The tower is 300/500 m high."),
    ("The tower is 300 m high.", "Is the tower 300 m high? Yes.", "Is the tower 500 m high? Yes."),
    ("Refunds are paid within 14 days.", "Refunds are paid within 14 days.",
     "Refunds are paid after 14 days."),
    ("It opened in 1990.", "It opened in MCMXC.", "It opened in MDCCCXC."),
    ("It opened in MCMXC.", "It opened in 1990.", "It opened in 1995."),
    ("The tower was completed in 1889.", "The tower was completed in MDCCCLXXXIX.",
     "The tower was completed in MDCCCLXXX."),
    ("It opened in 1990.", "It opened in 1990.", "It opened before 1990."),
    ("It opened in 1990.", "It opened in\n1990", "It opened in\n1880"),
    ("The tower is 300 m high. Refunds take 14 days.",
     'Here are the figures:\n{"tower_high_m": 300, "refund_days": 14}',
     'Here are the figures:\n{"tower_high_m": 500, "refund_days": 14}'),
    ("The tower is 300 m high. Refunds take 14 days.",
     'The tower is 300 m high.\n\n```json\n{"refund_days": 14}\n```',
     'The tower is 300 m high.\n\n```json\n{"refund_days": 90}\n```'),
    ("The tower is 300 m high. Refunds take 14 days.",
     "Here is the YAML:\n```yaml\ntower_high: 300 m\nrefund_days: 14\n```",
     "Here is the YAML:\n```yaml\ntower_high: 300 m\nrefund_days: 90\n```"),
    ("The tower is 300 m high. Refunds take 14 days.",
     "Here is the CSV:\n\nname,value\ntower,300 m\nrefunds,14 days",
     "Here is the CSV:\n\nname,value\ntower,500 m\nrefunds,14 days"),
    ("The tower is 300 m high. Refunds take 14 days.",
     "The figures are as follows:\nname;value\ntower;300 m\nrefunds;14 days\n\nI hope this helps!",
     "The figures are as follows:\nname;value\ntower;500 m\nrefunds;14 days\n\nI hope this helps!"),
    ("The tower is 300 m high. Refunds take 14 days.",
     "Here is the CSV:\n\n```csv\nname,value\ntower,300 m\nrefunds,14 days\n```",
     "Here is the CSV:\n\n```csv\nname,value\ntower,300 m\nrefunds,90 days\n```"),
)  # fmt: skip
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
