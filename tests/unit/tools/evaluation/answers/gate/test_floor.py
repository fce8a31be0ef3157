"""A floor that only rises."""

from pathlib import Path

from tools.evaluation.answers.gate import floor
from tools.evaluation.answers.gate.claims import (
    JudgedClaim,
    KindCounts,
    Verdict,
    WrittenClaim,
    by_kind,
)
from tools.evaluation.answers.gate.floor import Fall, falls, raise_floor

SUPPORTED, AGAINST, LACKING = Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.NOT_SUPPORTED


def judged(kind: str, right: Verdict, verdict: Verdict) -> JudgedClaim:
    return JudgedClaim(WrittenClaim(kind, "x", ("y",), right, "en"), verdict)


def test_telling_apart_is_less_than_the_exact_verdict() -> None:
    kinds = by_kind(
        [
            judged("date", SUPPORTED, SUPPORTED),
            judged("date", AGAINST, LACKING),
            judged("date", LACKING, SUPPORTED),
            judged("role", SUPPORTED, AGAINST),
        ]
    )
    assert [kind for kind in kinds if kind.claims] == [
        KindCounts("date", 3, 2, 1),
        KindCounts("role", 1, 0, 0),
    ]


def test_a_kind_under_its_floor_is_named() -> None:
    least = {"date": {"distinguished": 5, "exact": 3}, "role": {"distinguished": 2, "exact": 2}}
    assert falls([KindCounts("date", 9, 5, 3), KindCounts("role", 9, 2, 1)], least) == [
        Fall("role", "exact", 1, 2)
    ]
    assert falls([KindCounts("date", 9, 5, 3)], least) == [
        Fall("role", "distinguished", 0, 2),
        Fall("role", "exact", 0, 2),
    ], "a kind that vanished has fallen"
    assert falls([KindCounts("date", 9, 0, 0)], {}) == []


def test_the_floor_rises_and_never_sinks() -> None:
    least = {"date": {"distinguished": 5, "exact": 5}}
    new_floor = raise_floor([KindCounts("date", 9, 8, 2), KindCounts("role", 9, 3, 0)], least)
    assert new_floor == {
        "date": {"distinguished": 7, "exact": 5},
        "role": {"distinguished": 2, "exact": 0},
    }


def test_models_have_floors_of_their_own(tmp_path: Path) -> None:
    file = tmp_path / "floor.json"
    floor.write("one", {"date": {"distinguished": 1, "exact": 1}}, file)
    floor.write("two", {"date": {"distinguished": 2, "exact": 2}}, file)
    assert floor.read("one", file) == {"date": {"distinguished": 1, "exact": 1}}
    assert floor.read("three", file) == {}
