"""Any text that is typed gets an answer."""

from hypothesis import given, settings
from hypothesis import strategies as st

from memory.files import parse
from memory.guarding.checks import private, refusal, statement_refusal
from memory.judging.model import is_stated
from memory.judging.rules import judge
from memory.reading.splitting import split
from memory.slots.rules import slot_of
from tools.evaluation.memory.examples import examples

WORDS = sorted({word for example in examples("tune") for word in example.statement.split()})
SAID = st.one_of(st.text(max_size=80), st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join))


@settings(max_examples=2 * settings.default.max_examples, deadline=None)
@given(SAID)
def test_no_text_breaks_the_guards_the_judge_or_the_slots(statement: str) -> None:
    (
        statement_refusal(statement),
        private(statement),
        parse(statement),
        is_stated(statement, "the limit is 25 km/h"),
    )
    for sentence in split(statement):
        refusal(sentence)
        slot = slot_of(judge(sentence).fact)
        assert slot is None or (slot.key and slot.value)


def test_a_list_of_long_numbers_is_no_statement() -> None:
    reason = statement_refusal("12-34-56-78 and " * 13)
    assert reason
    assert reason.hidden
