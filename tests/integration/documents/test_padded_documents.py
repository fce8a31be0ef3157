"""Statements of a document are found, and decide a check, also with 50 KB on either side."""

from collections.abc import Callable

import pytest

from analysis.engine.types import ClaimStatus
from documents.models import Collection, Document
from documents.retrieval import search
from tests.padding import CASES, Case, noise, padded
from tests.shapes import MakeCheck

Put = Callable[..., Document]
OFFICES = next(case for case in CASES if case.name == "offices")
STATUSES = {
    "The Tromso office has 85 employees": ClaimStatus.SUPPORTED,
    "Employees in Tromso get 27 days of leave a year": ClaimStatus.SUPPORTED,
    "Employees in Tromso get 22 days of leave a year": ClaimStatus.CONTRADICTORY,
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_passage_is_among_the_best_two(put: Put, collection: Collection, case: Case) -> None:
    """Of one document a search gives two passages."""
    document = put(padded(case.source, case.more))
    assert document.chunk_count > 200
    start = document.text.index(case.source)
    end = start + len(case.source)
    misses = {
        claim
        for claim in case.claims
        if not any(
            chunk.char_start < end and chunk.char_end > start
            for chunk in search([collection], claim)
        )
    }
    assert misses == set()


@pytest.mark.parametrize(
    "more", [pytest.param(OFFICES.more, id="of its own kind"), pytest.param(noise, id="noise")]
)
def test_a_check_against_the_collection_finds_its_evidence(
    put: Put, checked: MakeCheck, more: Callable[..., str]
) -> None:
    put(padded(OFFICES.source, more))
    check = checked(". ".join(STATUSES) + ".", collections=["handbook"])
    statuses = dict(check.annotated_answer.claims.values_list("text", "status"))
    assert statuses == STATUSES
