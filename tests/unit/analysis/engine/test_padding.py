"""50 KB before the evidence and 50 KB after it, and each verdict stays."""

from collections.abc import Sequence

import pytest

from analysis.engine import decide, measure
from analysis.engine.evidence.corpus import build
from analysis.engine.types import ClaimStatus, SignalStatus, Source, Submission
from tests.padding import CASES, SIZE, Case, noise, padded

KINDS = ("noise", "related")
SEEDS = (1, 2, 3)
Verdicts = dict[str, tuple[str, str | None, str | None]]
each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)


def verdicts(claims: Sequence[str], text: str) -> Verdicts:
    """Return status, reason and evidence of each claim of an answer that is these claims."""
    answer = " ".join(claims)
    measurement = measure(Submission(answer, "", (Source("s", text),)))
    assert measurement.states["grounding"].status is SignalStatus.OK
    texts = {claim.claim_id: claim.text for claim in measurement.claims}
    passages = {chunk.ref: chunk.text for chunk in measurement.evidence}
    return {
        texts[claim.claim_id]: (
            str(claim.status),
            str(claim.reason),
            passages[claim.primary_evidence] if claim.primary_evidence else None,
        )
        for claim in decide(answer, measurement).claims
    }


def buried(case: Case, kind: str, seed: int) -> str:
    text = padded(case.source, noise if kind == "noise" else case.more, seed)
    before, _, after = text.partition(case.source)
    assert min(len(before), len(after)) >= SIZE
    return text


@each_case
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", SEEDS)
def test_by_rules_verdict_and_reason_stay_and_rest_on_the_source(
    case: Case, kind: str, seed: int
) -> None:
    bare = verdicts(case.claims, case.source)
    assert len(bare) == len(case.claims)
    settled = (ClaimStatus.SUPPORTED, ClaimStatus.CONTRADICTORY)
    buried_verdicts = verdicts(case.claims, buried(case, kind, seed))
    for claim, (status, reason, _) in bare.items():
        assert buried_verdicts[claim][:2] == (status, reason), claim
        if status in settled:
            assert str(buried_verdicts[claim][2]) in case.source, claim


def test_every_kind_of_verdict_is_among_the_cases() -> None:
    case_verdicts = [verdicts(case.claims, case.source) for case in CASES]
    assert {verdict[0] for item in case_verdicts for verdict in item.values()} == set(ClaimStatus)


@pytest.mark.parametrize(
    ("price", "status"), [(35, ClaimStatus.SUPPORTED), (40, ClaimStatus.CONTRADICTORY)]
)
def test_a_name_is_carried_on_by_pronouns(price: int, status: ClaimStatus) -> None:
    case = next(case for case in CASES if case.name == "bridges, each named once")
    claim = f"A crossing of the bridge at Kvalsund costs {price} kroner."
    ((verdict, _, passage),) = verdicts([claim], buried(case, "related", 1)).values()
    assert (verdict, passage) == (status, "A crossing costs 35 kroner.")


@pytest.mark.parametrize(
    ("text", "leading"),
    [
        ("The bridge is old. It is long. A toll is due.", [1, 0]),
        ("The bridge is old. The ferry is older. A toll is due.", [1]),
        ("The bridge is old. It is long. It is red. It is wide. A toll is due.", [3, 2, 1]),
        ("The bridge is old.\n\nIt is long. A toll is due.", [1]),
        ("A toll is due.", []),
    ],
)
def test_a_sentence_is_led_to_by_the_one_that_its_pronouns_mean(
    text: str, leading: list[int]
) -> None:
    corpus = build((Source("s", text),))
    last = len(corpus.passages) - 1
    assert corpus.leading_to(last) == leading
    assert all(last in corpus.led_by(at) for at in leading)
