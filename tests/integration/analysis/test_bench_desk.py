"""`manage.py bench_desk` asks for every page it names."""

import json
from collections.abc import Callable
from io import StringIO

import pytest
from django.core.management import call_command

from analysis.bench import desk
from analysis.models import Check, CheckSearch

pytestmark = pytest.mark.usefixtures("empty_redis")


def test_every_page_answers_and_every_check_is_made_searchable(
    make_check: Callable[..., Check],
) -> None:
    for number in range(3):
        make_check(f"The harbour was built in {number}.")
    out = StringIO()
    call_command("bench_desk", "--times", "1", "--json", stdout=out, stderr=StringIO())
    timed = json.loads(out.getvalue())["pages"]
    names = [one["page"]["name"] for one in timed]
    assert names == [page.name for page in desk.pages()]
    assert {"first page", "action BLOCK", "state dead", "search harbour"} <= set(names)
    assert all(one["p50"] > 0 for one in timed)
    assert CheckSearch.objects.count() == 3
