"""The written claims are enough, of every kind, and none twice."""

from collections import Counter

from tools.evaluation.answers.gate.claims import KINDS, Verdict, written_claims

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
