"""The text that may be shown: what stays, what goes, and that it still reads as text."""

import re
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.engine.claims.extraction import read
from analysis.engine.claims.reading import marks_of_claims
from analysis.engine.policy import PolicyRules
from analysis.engine.response.edits import apply, move_spans
from analysis.engine.response.mitigation import mitigate
from analysis.engine.types import Band, ClaimStatus, LowConfidenceReason, Treatment
from analysis.engine.verdict_types import ClaimDecision, Confidence
from lib.text.citations import marks
from tests.tables import tables

TABLES = tables(__file__)

S, C, L = ClaimStatus.SUPPORTED, ClaimStatus.CONTRADICTORY, ClaimStatus.LOW_CONFIDENCE
SUPPRESS = PolicyRules.from_json(
    {"mitigation": {"contradictory": "suppress", "low_confidence": "keep"}}
)
REPLACE = PolicyRules.from_json({"contradiction_warning": "[Wrong]", "withheld_text": "(gone)"})
FLAG = PolicyRules.from_json(
    {"mitigation": {"contradictory": "flag"}, "contradiction_warning": "[Wrong]"}
)


def decided(claim_id, status):
    reason = LowConfidenceReason.NOT_SUPPORTED if status is L else None
    nothing = Confidence(None, None, None, Band.LOW)
    return ClaimDecision(claim_id, status, reason, "", None, (), nothing)


def run(answer, statuses, rules):
    claims = [statement.claim for statement in read(answer, "What?").statements]
    assert len(claims) == len(statuses), [claim.text for claim in claims]
    pairs = zip(claims, statuses, strict=True)
    decisions = [decided(claim.claim_id, status) for claim, status in pairs]
    own = marks_of_claims(answer, marks(answer), claims)
    plan = mitigate(answer, claims, decisions, own, rules)
    return claims, plan, apply(answer, plan.edits)


BY_LETTER = {"S": S, "C": C, "L": L}


@pytest.mark.parametrize(("answer", "verdicts", "expected"), TABLES["suppressed"])
def test_suppressed_claims_leave_a_text_behind(answer, verdicts, expected):
    _, plan, text = run(answer, [BY_LETTER[letter] for letter in verdicts], SUPPRESS)
    assert text == expected
    assert plan.codes == ("removed_contradicted_claims",)


@pytest.mark.parametrize(("answer", "verdicts"), TABLES["uncuttable"])
def test_what_cannot_be_taken_out_is_replaced_and_said(answer, verdicts):
    rules = PolicyRules.from_json(
        {**REPLACE.to_json(), "mitigation": {"contradictory": "suppress"}}
    )
    claims, plan, text = run(answer, [BY_LETTER[letter] for letter in verdicts], rules)
    expected = answer
    for claim, letter in zip(claims, verdicts, strict=True):
        expected = expected.replace(claim.text, "[Wrong] (gone)") if letter == "C" else expected
    assert text == expected
    assert plan.codes == ("replaced_contradicted_claims",)


@pytest.mark.parametrize(("answer", "verdicts", "expected"), TABLES["replaced"])
def test_warnings_and_flags(answer, verdicts, expected):
    _, _, text = run(answer, [BY_LETTER[letter] for letter in verdicts], REPLACE)
    assert text == expected


def test_a_flagged_contradiction_has_its_warning_in_front():
    _, plan, text = run("The mill closed. The inn opened.", [C, S], FLAG)
    assert text == "[Wrong] The mill closed. The inn opened."
    assert plan.codes == ("flagged_contradicted_claims",)


# --- Properties: any answer made of these, with any verdicts under any policy.

NOUNS = ("mill", "inn", "bar", "school", "bridge", "harbour", "tower", "library", "market", "farm")
VERBS = ("closed", "opened", "moved", "started", "failed")


@st.composite
def answers(draw):
    """Generate Markdown of sentences in which no two claims are the same."""
    number = count(1)

    def phrase():
        noun, verb = draw(st.sampled_from(NOUNS)), draw(st.sampled_from(VERBS))
        return f"{noun} of Block {next(number):03} {verb} in {1500 + next(number)}"

    def sentence():
        shape = draw(st.sampled_from(TABLES["shapes"]))
        name = f"Firm{next(number):03}"
        return shape.format(a=phrase(), b=phrase(), c=phrase(), n=name)

    def paragraph():
        return " ".join(sentence() for _ in range(draw(st.integers(1, 3))))

    def items():
        lead = draw(st.sampled_from(["", "What is known:\n", "What is known:\n\n"]))
        marker = draw(st.sampled_from(["- ", "* ", "1. ", "• "]))
        lines = [
            draw(st.sampled_from(["", "", "  "])) + marker + sentence()
            for _ in range(draw(st.integers(1, 3)))
        ]
        return lead + "\n".join([lines[0].lstrip(), *lines[1:]])

    def table():
        rows = [f"| The {draw(st.sampled_from(NOUNS))} {next(number):03} | {next(number):03} km |"
                for _ in range(draw(st.integers(1, 3)))]  # fmt: skip
        return "| what | how far |\n|---|---|\n" + "\n".join(rows)

    def block():
        content = draw(st.sampled_from([paragraph, items, table, paragraph]))()
        heading = draw(st.sampled_from(["", "", "## Part\n\n", "**Part**\n\n"]))
        return heading + content

    text = "\n\n".join(block() for _ in range(draw(st.integers(1, 4))))
    return text + draw(st.sampled_from(["", "\n"]))


@st.composite
def cases(draw):
    answer = draw(answers())
    claims = [statement.claim for statement in read(answer, "What?").statements]
    kind = st.sampled_from([S, C, L])
    return answer, draw(st.lists(kind, min_size=len(claims), max_size=len(claims)))


POLICIES = st.fixed_dictionaries(
    {
        "contradictory": st.sampled_from(["flag", "replace", "suppress", "suppress"]),
        "low_confidence": st.sampled_from(["keep", "flag", "replace", "suppress"]),
    }
)
UGLY = {
    "doubled space": re.compile(r"\S  +\S|\S +$", re.MULTILINE),
    "space before a mark": re.compile(r" [.,;!?]"),
    "doubled mark": re.compile(r"[.,;:!?]\s*[.,;:!?]"),
    "mark at the front": re.compile(r"^[ ]*(?:[-*•] |\d\. |)[.,;!?]", re.MULTILINE),
    "empty item": re.compile(r"^[ ]*(?:[-*•]|\d\.)[ ]*$", re.MULTILINE),
    "joint at the end": re.compile(r"\b(?:and|but|while)[ ,]*[.;!?]"),
    "joint at the front": re.compile(r"(?:^|[.!?] )(?:[Aa]nd|[Bb]ut|[Ww]hile)\b", re.MULTILINE),
    "small letter at the front": re.compile(r"(?:^|[.!] )(?:\[1\] )?[a-z]", re.MULTILINE),
    "table without rows": re.compile(r"\|---\|---\|\n*(?!\n?\|)"),
    "lead-in without list": re.compile(r"known:\n*(?!\n*[ ]*(?:[-*•]|1\.) )"),
    "three line ends": re.compile(r"\n\n\n"),
}


@settings(max_examples=2 * settings.default.max_examples)
@given(cases(), POLICIES)
def test_what_is_shown_and_what_is_not(case, policy):
    answer, statuses = case
    rules = PolicyRules.from_json({"mitigation": policy})
    claims, plan, text = run(answer, statuses, rules)
    visible_treatments = {Treatment.KEEP, Treatment.FLAG}
    places = move_spans([(claim.start, claim.end) for claim in claims], plan.edits)
    lines = text.lower().replace("|", " ")
    for claim, how, (start, end) in zip(claims, plan.treatments, places, strict=True):
        if how in visible_treatments:
            there = text[start:end]
            assert there[1:] == claim.text[1:]
            assert there[:1].lower() == claim.text[:1].lower()
        else:
            assert claim.text.lower().replace("|", " ") not in lines
    if any(how is not Treatment.SUPPRESS for how in plan.treatments):
        for name, pattern in UGLY.items():
            assert not pattern.search(answer), name
            assert not pattern.search(text), (name, text)
    assert text.count("**") % 2 == 0


@given(st.text(alphabet='aT. \n-*|[]1:#>`,;"( and', max_size=60), st.data(), POLICIES)
def test_any_text_can_be_mitigated(answer, data, policy):
    claims = [statement.claim for statement in read(answer, "What?").statements]
    kind = st.sampled_from([S, C, L])
    statuses = data.draw(st.lists(kind, min_size=len(claims), max_size=len(claims)))
    _, plan, text = run(answer, statuses, PolicyRules.from_json({"mitigation": policy}))
    if set(plan.treatments) <= {Treatment.KEEP}:
        assert text == answer
