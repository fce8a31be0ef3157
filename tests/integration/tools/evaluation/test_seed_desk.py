"""The made-up checks of benchmarks are checks like any other, only many."""

import pytest
from django.core.management import CommandError

from analysis.models import (
    AnnotatedAnswer,
    Check,
    CheckEmbedding,
    CheckSearch,
    Claim,
    CountedCheck,
    Review,
)
from audit.models import Event, TrailEntry
from tests.commands import run
from tests.database import sql
from tests.integration.analysis.trend_counts import direct, stored
from tools.evaluation.bench.seeding import APPLICATIONS, SAMPLE_RATE

pytestmark = pytest.mark.usefixtures("empty_redis")


@pytest.mark.django_db(transaction=True)
def test_seeded_checks_are_whole_and_counted() -> None:
    run("seed_desk", "--checks", "300", "--days", "4", "--templates", "6")
    checks = Check.objects.filter(submitted_by="seed")
    assert checks.count() == 300
    assert set(checks.values_list("sampling_probability", flat=True)) == {SAMPLE_RATE}
    assert checks.values("query").distinct().count() == 300
    assert checks.values("application").distinct().count() == len(APPLICATIONS)
    assert {"ALLOW", "WARN", "BLOCK"} == set(checks.values_list("action", flat=True))
    for model in (AnnotatedAnswer, CheckEmbedding):
        assert model.objects.filter(check_record__in=checks).count() == 300
    assert Claim.objects.filter(annotated_answer__check_record__in=checks).exists()
    flagged = (
        checks.exclude(action="ALLOW").count() + checks.filter(action="ALLOW", sampled=True).count()
    )
    assert Review.objects.filter(check_record__in=checks).count() == flagged
    assert set(Review.objects.values_list("decision", flat=True)) >= {None, "confirmed"}
    for model in (AnnotatedAnswer, Review):  # foreign keys were not looked up one by one
        assert not model.objects.exclude(check_record__in=Check.objects.all()).exists()
    assert run("verify_decisions") == "318 decisions match their policy and signals.\n"
    assert stored() == direct()
    with pytest.raises(CommandError, match="seed an empty one"):
        run("seed_desk")


# Of a partitioned table the definition of the whole, and whether all of its partitions have it.
# A condition is spelled otherwise once PostgreSQL has read its own words back.
INDEXES = """
SELECT concat_ws(' ', indexrelid::regclass, indrelid::regclass, indkey, indisunique,
                 indpred IS NOT NULL), indisvalid FROM pg_index JOIN pg_class ON oid = indexrelid
WHERE relnamespace = 'public'::regnamespace AND NOT relispartition ORDER BY 1
"""


def indexes() -> list[tuple[str, bool]]:
    return sql(INDEXES)


@pytest.mark.django_db(transaction=True)
def test_older_checks_can_be_as_retention_leaves_them() -> None:
    before = indexes()
    run(
        "seed_desk", "--checks", "200", "--days", "39", "--templates", "4", "--result-days", "10"
    )  # fmt: skip
    assert indexes() == before, "dropped for the copies and built again"
    assert all(is_valid for _, is_valid in before)
    checks = Check.objects.filter(submitted_by="seed")
    older = checks.filter(result_erased_at__isnull=False)
    assert older.count() == 149
    assert max(older.values_list("created_at", flat=True)) < min(
        checks.filter(result_erased_at=None).values_list("created_at", flat=True)
    )
    for model in (AnnotatedAnswer, CheckEmbedding):
        assert not model.objects.filter(check_record__in=older).exists()
        assert model.objects.filter(check_record__in=checks).count() == 51
    assert not Claim.objects.filter(annotated_answer__check_record__in=older).exists()
    assert CheckSearch.objects.filter(check_record__in=checks).count() == 200
    assert CountedCheck.objects.filter(check_record__in=checks).count() == 200
    erasures = TrailEntry.objects.filter(event=Event.CHECK_ERASED)
    assert {entry.subject_id for entry in erasures} == {str(check.pk) for check in older}
    assert "149 were erased by retention" in run("verify_decisions")
