import pytest

from lib.text.messages import Templates, fill, names_in

TEMPLATES = Templates.of(
    ("{n} of {total} claims", "{n} claims", "{why}: {n} claims", "All (100 %)"),
    {"n": r"\d+", "total": r"\d+"},
)


@pytest.mark.parametrize(
    ("text", "template", "values"),
    [
        ("2 of 3 claims", "{n} of {total} claims", {"n": "2", "total": "3"}),
        ("2 claims", "{n} claims", {"n": "2"}),
        (
            "Not read\nin time: 2 claims",
            "{why}: {n} claims",
            {"why": "Not read\nin time", "n": "2"},
        ),
        ("All (100 %)", "All (100 %)", {}),
    ],
)
def test_a_message_is_read_back(text: str, template: str, values: dict[str, str]) -> None:
    message = TEMPLATES.read(text)
    assert (message.template, dict(message.values)) == (template, values)
    assert fill(message.template, message.values) == text


@pytest.mark.parametrize("text", ["two claims", "2 claims more", "", "All (1000 %)"])
def test_what_no_template_fits_is_no_message(text: str) -> None:
    assert TEMPLATES.read(text) is None


def test_a_value_may_hold_braces() -> None:
    assert names_in("{a} and {b}") == {"a", "b"}
    assert fill("{a} and {b}", {"a": "{b}", "b": "{c}"}) == "{b} and {c}"
