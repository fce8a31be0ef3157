"""Properties of every answer: padding, formatting and further sources never help it."""

from hypothesis import given
from hypothesis import strategies as st

from analysis.engine import ClaimStatus
from tests.adversarial.facts import FACTS, Fact
from tests.answers import decided

FACT = st.sampled_from(FACTS)
FORMATS = st.sampled_from(
    (
        "# {}",
        "**{}**",
        "- {}",
        "> {}.",
        "1. {}",
        "| Answer |\n|---|\n| {} |",
        "```\n{}.\n```",
        "{}:",
    )
)
RANK = {ClaimStatus.CONTRADICTORY: 0, ClaimStatus.LOW_CONFIDENCE: 1, ClaimStatus.SUPPORTED: 2}


def statements(fact: Fact) -> st.SearchStrategy[str]:
    return st.sampled_from((fact.right, fact.wrong, fact.unsupported))


@given(st.data(), FACT)
def test_unsupported_text_never_lowers_the_score(data, fact) -> None:
    answer = f"{data.draw(statements(fact))}."
    before = decided(answer, fact.source)
    after = decided(f"{answer} {fact.unsupported}.", fact.source)
    assert after.hallucination_score >= before.hallucination_score
    assert after.risk.risk_score >= before.risk.risk_score


@given(st.data(), FACT, st.lists(FACT, max_size=3))
def test_other_sources_never_raise_support(data, fact, others) -> None:
    answer = f"{data.draw(statements(fact))}."
    further = [other.source for other in others if other is not fact]
    (before,) = decided(answer, fact.source).claims
    (after,) = decided(answer, fact.source, *further).claims
    assert RANK[after.status] <= RANK[before.status]


@given(st.data(), FACT, FORMATS)
def test_formatting_never_changes_the_action(data, fact, form) -> None:
    statement = data.draw(st.sampled_from((fact.right, fact.wrong)))
    plain = decided(f"{statement}.", fact.source)
    assert decided(form.format(statement), fact.source).action is plain.action
