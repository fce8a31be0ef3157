"""Claim extraction: what is one claim, what is two, what is none."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from analysis.engine import Action, SignalStatus, decide, extract_claims
from analysis.engine.claims.extraction import read
from analysis.engine.claims.reading import METHOD_WHOLE
from tests.answers import decided, measured
from tests.tables import tables

TABLES = tables(__file__)

PARTS = [
    "and ", "It is ", "5 km", ". ", "**", '"', "\n- ", "| a | b |\n", "公司。", "; ", "\ud800",
    "merged with ", "[1] ", "\u0301", "🙂", "? ", "“", "not ", "\n\n", "```\n", "# ", ": ",
    "\nSources:\n",
]  # fmt: skip


@given(st.text() | st.lists(st.sampled_from(PARTS)).map("".join))
@example("")
@example("# NO\n;")
@example("**SSN** closed in 2026 and 🙂 merged with “SNU”.")
def test_spans_reproduce_the_text(answer):
    end = 0
    for number, statement in enumerate(read(answer, "query").statements, start=1):
        claim = statement.claim
        assert answer[claim.start : claim.end] == claim.text != ""
        assert claim.start >= end
        assert claim.claim_id == f"c_{number:04d}"
        end = claim.end


@pytest.mark.parametrize(
    ("answer", "claims"),
    [(first, rest) for first, *rest in TABLES["claims"]],
)  # fmt: skip
def test_claims(answer, claims):
    assert extract_claims(answer) == claims


@pytest.mark.parametrize("sentence", TABLES["one claim"])
def test_one_claim(sentence):
    assert extract_claims(sentence + ".") == [sentence]


@pytest.mark.parametrize("answer", TABLES["no claims"])
def test_no_claims(answer):
    assert extract_claims(answer) == []


@pytest.mark.parametrize(
    ("answer", "carried"),
    [
        ("SSN College closed in 2026 and merged with SNU.", ["", "SSN College"]),
        ("SSN College is old. It closed in 2026.", ["", "SSN College"]),
        ("# SSN College\n\n- Founded in 1996", ["SSN College"]),
        ("In 2010, the old mill closed. It is gone.", ["", "the old mill"]),
    ],
)
def test_subjects_are_carried(answer, carried):
    assert [statement.claim.subject for statement in read(answer).statements] == carried


@pytest.mark.parametrize("answer", ["Paris.", "1998", "Yes."])
def test_a_terse_reply_is_a_claim_only_with_a_question(answer):
    [statement] = read(answer, "What is it?").statements
    assert statement.claim.extraction_method == METHOD_WHOLE
    assert read(answer).statements == ()


def test_a_table_among_prose_is_read_row_by_row():
    table = "plan,price\nBasic,9 euros\nPro,19 euros"
    rows = ["Basic,9 euros", "Pro,19 euros"]
    assert extract_claims(f"Here are the prices:\n{table}\n\nI hope this helps!") == rows
    assert extract_claims(f"```csv\n{table}\n```\n\nPrices rise in May.")[:2] == rows
    assert extract_claims("norway,bergen\njapan,tokyo") == ["norway,bergen", "japan,tokyo"]


def test_a_reference_list_claims_nothing():
    answer = (
        "The mill closed in 2010 [1].\n\nSources:\n[1] handbook.pdf, chunk 3\n[2] plan.pdf, p. 4"
    )
    assert extract_claims(answer) == ["The mill closed in 2010"]


@pytest.mark.parametrize(
    "mark",
    [
        "[1]", "[1, 2]", "[1; 3-4]", "[Source 1]", "(Passage 1)", "(Passages 1 & 2)",
        "[sources 1, 2]", "[1][2]",
    ],
)  # fmt: skip
def test_a_citation_is_no_part_of_the_claim(mark):
    assert extract_claims(f"The mill closed in 2010 {mark}.") == ["The mill closed in 2010"]
    assert extract_claims(f"The mill closed in 2010. {mark}") == ["The mill closed in 2010"]


def test_other_brackets_are_a_part_of_the_claim():
    for answer in ("The mill closed (in 2010)", "The mill closed in May (5)", "The mill (1990)"):
        assert extract_claims(answer) == [answer]


FACT = "SSN College closed in 2019"


@pytest.mark.parametrize(
    "before",
    [
        "Remember: ", "Note: ", "P.S. ", "title: ", '<span title="note">', "Warning: **",
        "IMPORTANT: ",
    ],
)  # fmt: skip
def test_the_statement_behind_it_is_the_claim(before: str) -> None:
    answer = f"{before}{FACT}{'**' if before.endswith('**') else ''}."
    (claim,) = measured(answer).claims
    assert claim.text == FACT
    assert answer[claim.start : claim.end] == FACT


@pytest.mark.parametrize(
    "text", ["Opening hours: 9 am to 5 pm", "Title: Ulysses", "Refunds: 14 days"]
)
def test_a_label_with_its_value_stays(text: str) -> None:
    claims = measured(f"{text}.").claims
    assert [claim.text for claim in claims] in ([text], [])


SENTENCE = "The mill closed in 2010. "


def test_claims_beyond_the_limit_are_counted_and_warned_of() -> None:
    answer = SENTENCE * 12
    measurement = measured(answer, SENTENCE, most_claims=10)
    decision = decide(answer, measurement)
    assert len(measurement.claims) == 10
    assert measurement.states["claims"].status is SignalStatus.TRUNCATED
    assert "2 claims beyond the first 10" in measurement.states["claims"].reason
    assert decision.action is Action.WARN
    assert decided(SENTENCE, SENTENCE).action is Action.ALLOW


def test_an_answer_of_many_short_claims_stays_bounded() -> None:
    for part in ("a! ", "|a|b|\n", "他去了北京的学校。"):
        assert len(measured(part * 5_000, SENTENCE, query="what?").claims) == 1_000
