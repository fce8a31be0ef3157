"""What a month takes and gives back, measured on a few made-up checks."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from analysis.models import AnnotatedAnswer, Check
from evaluation.bench import months

MONTHS = 6


@pytest.mark.django_db(transaction=True)
def test_a_month_is_erased_and_its_space_is_used_again(empty_redis) -> None:
    call_command("seed_desk", "--checks", "400", "--days", "80", "--templates", "6")
    out = StringIO()
    call_command("bench_months", "--months", "0", "--most", "3", stdout=out)
    assert "Statements on checks" not in out.getvalue()
    assert "3 checks" in out.getvalue()

    low, high = months.oldest_month()
    of_month = Check.objects.filter(id__gte=low, id__lt=high)
    before = of_month.filter(input_erased_at=None).count()
    assert before > 0
    costs = {(row.statement, row.months): row for row in months.by_month(MONTHS, 1)}
    assert len(costs) == 12
    for statement in ("claimed by a worker", "overdue ones"):
        assert costs[statement, MONTHS].locks > costs[statement, 0].locks + MONTHS
    for statement in ("claimed, its month told", "one by its id"):  # one partition is looked at
        assert costs[statement, MONTHS].locks < costs["claimed by a worker", MONTHS].locks / 2
    tables = connection.introspection.table_names()
    assert not [name for name in tables if name.startswith(f"{months.CHECKS}_")]

    whole, erased, vacuumed, dropped, refilled = months.erase_month(low, high)
    assert whole.name == f"{before} checks"
    assert not of_month.exclude(answer="").exists()
    assert not AnnotatedAnswer.objects.filter(pk__gte=low, pk__lt=high).exists()
    assert erased.megabytes[months.TRAIL] > whole.megabytes[months.TRAIL]
    assert dropped.megabytes["analysis_claim"] < vacuumed.megabytes["analysis_claim"]
    assert dropped.megabytes[months.CHECKS] == vacuumed.megabytes[months.CHECKS]
    assert refilled.megabytes[months.CHECKS] >= dropped.megabytes[months.CHECKS]
    assert Check.objects.exclude(answer="").filter(id__gte=high).count() > before


@pytest.mark.django_db
def test_nothing_real_is_erased(make_check) -> None:
    make_check()
    with pytest.raises(CommandError, match="made up"):
        call_command("bench_months", stdout=StringIO())


@pytest.mark.django_db
def test_there_is_no_month_without_checks() -> None:
    with pytest.raises(CommandError, match="seed_desk"):
        call_command("bench_months", stdout=StringIO())
