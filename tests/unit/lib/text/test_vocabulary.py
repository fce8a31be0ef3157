"""Names in a tool call: those that somebody wrote in whatever form, and those made up."""

import json
import time
from typing import Any

import pytest

from lib.text.vocabulary import Vocabulary, offered_functions, values_of
from tests.tables import tables

TABLES = tables(__file__)

QUESTION = "Refund order A-1234 of Kim Lee, please: https://shop.example/a?q=A-12"


def unknown(arguments: Any, said: str = QUESTION) -> tuple[str, ...]:
    vocabulary = Vocabulary([{"role": "user", "content": said}])
    return vocabulary.unknown_names("f", values_of(json.dumps(arguments)))


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("A-1234", "order a 1234"), ("A1234", "order A-1234"), ("14days", "within 14 days"),
        ("DE89370400440532013000", "IBAN DE89 3704 0044 0532 0130 00"),
        ("https://shop.example/a/b?q=new#x", "See https://shop.example/a/b."),
        ("/var/log/today.log", "Read /var/log/today.log!"), (48213, "Number 48213."),
        ("kim@example.org", "Mail (kim@example.org)"), ("get_order()", "call get_order"),
        ("2026-11-28", "tomorrow"), ("10:30", "at half past ten"), (100000, "a hundred thousand"),
        ("refund policy and/or terms", "?"), ("Rome", "?"), ("A4", "?"), (3, "?"), (True, "?"),
        ("Node.js/Type.Script, e.g. 24/7", "?"), ("Shop.example", "at https://shop.example/a"),
        ("legal/terms.md", "see legal/terms.md."), (["https://shop.example/a?q=A-12"], QUESTION),
    ],
)  # fmt: skip
def test_what_was_said_in_another_form_is_known_and_plain_words_need_no_source(
    value: object, said: str
) -> None:
    assert unknown({"value": [value]}, said) == ()


@pytest.mark.parametrize(
    "value",
    ["A-123", "A-12345", "https://evil.example/orders/A-1234", "/etc/passwd", "C:\\a\\b",
     "../../secret", "kim@evil.example", "drop_table", "wipe()", "a.wipe()",
     "evil.example", "www.evil.xyz/pay", "config/secrets.yaml", "https://shop.example@evil.example/a"],
)  # fmt: skip
def test_invented_names_are_found(value: str) -> None:
    assert unknown({"nested": [{"value": f"please {value}"}], "role": "assistant"}) == (value,)


@pytest.mark.parametrize(("value", "name"), TABLES["names in a disguise"])
def test_a_name_in_a_disguise_is_found(value: str, name: str) -> None:
    assert unknown(value) == (name,)
    assert unknown(value, f"It is {name}.") == ()
    assert unknown(name, f"It is {value}.") == ()


def test_an_assistant_names_nothing_and_a_query_has_names() -> None:
    assert unknown("https://shop.example/a?order=A-9999") == ("A-9999",)
    messages = [{"role": "assistant", "content": "XY-7788"}, {"type": "function_call", "a": "XY-7"}]
    assert Vocabulary(messages).unknown_names("f", ["XY-7788"]) == ("XY-7788",)
    assert Vocabulary([{"drop_table": 1}]).unknown_names("f", ["drop_table"]) == ()


def test_a_call_has_at_most_so_many_unknown_names_of_so_many_looked_up() -> None:
    many = [f"XY-{number}" for number in range(1000, 1200)]
    assert unknown(many) == tuple(many[:20])
    assert unknown(many, " ".join(many)) == tuple(many[100:120])


def test_functions_are_offered_in_three_forms() -> None:
    tools = [
        {"type": "function", "function": {"name": "a"}},
        {"name": "b"},
        {"custom": {"name": "c"}},
    ]
    assert offered_functions(tools) >= {"a", "b", "c"}
    assert offered_functions("tools") == frozenset()
    assert Vocabulary([], {"a"}).unknown_names("b", []) == ("b",)


@pytest.mark.parametrize(
    "piece", ["a/", "a.", "a_", "/a", "1", "a-", "(", "://", "12 ", "a@", "www.", "a.b/", " A-1"]
)
def test_a_long_argument_takes_no_longer_than_its_length(piece: str) -> None:
    began = time.process_time()
    unknown(piece * (200_000 // len(piece)))
    assert time.process_time() - began < 2


@pytest.mark.parametrize(("text", "names"), tables(__file__)["names in prose"])
def test_in_prose_only_what_is_nothing_else_is_a_name(text: str, names: str) -> None:
    vocabulary = Vocabulary(["Refund order A-1234, please."])
    assert vocabulary.unknown_in_prose(text) == tuple(names.split())
