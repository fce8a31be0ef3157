"""The written claims are enough, of every kind, and none twice; a kind that falls is named."""

from collections import Counter

from tools.evaluation.management.commands.evaluate_gate import (
    KINDS,
    Verdict,
    WrittenClaim,
    count,
    falls,
    written_claims,
)

CLAIMS = written_claims()


def test_there_are_enough_of_every_kind() -> None:
    kinds = Counter(claim.kind for claim in CLAIMS)
    assert len(CLAIMS) >= 200
    assert set(kinds) == set(KINDS)
    assert min(kinds.values()) >= 12


def test_no_verdict_fits_all() -> None:
    right = Counter(claim.right for claim in CLAIMS)
    assert all(right[verdict] >= 40 for verdict in Verdict)
    assert right[Verdict.SUPPORTED] <= len(CLAIMS) / 2


def test_every_claim_is_written_once_and_has_evidence() -> None:
    assert len({claim.text for claim in CLAIMS}) == len(CLAIMS)
    assert all(text.strip() for claim in CLAIMS for text in claim.evidence)
    assert all(claim.evidence for claim in CLAIMS)


def test_other_languages_are_marked_as_such() -> None:
    foreign = {claim for claim in CLAIMS if claim.language != "en"}
    assert foreign == {claim for claim in CLAIMS if claim.kind == "other language"}
    assert len({claim.language for claim in foreign}) >= 4


def test_telling_apart_is_less_than_the_exact_verdict() -> None:
    claim = WrittenClaim("date", "x", ("y",), Verdict.CONTRADICTED, "en")
    assert count(claim, Verdict.CONTRADICTED) == {"claims": 1, "distinguished": 1, "exact": 1}
    assert count(claim, Verdict.NOT_SUPPORTED) == {"claims": 1, "distinguished": 1, "exact": 0}
    assert count(claim, Verdict.SUPPORTED) == {"claims": 1, "distinguished": 0, "exact": 0}


def test_a_kind_under_its_floor_is_named() -> None:
    least = {"date": {"distinguished": 5, "exact": 3}, "role": {"distinguished": 2, "exact": 2}}
    reached = {"date": {"distinguished": 5, "exact": 4}, "role": {"distinguished": 2, "exact": 1}}
    assert falls(reached, least) == ["role: 1 exact, not 2"]
    vanished = ["role: 0 distinguished, not 2", "role: 0 exact, not 2"]
    assert falls({"date": reached["date"]}, least) == vanished
