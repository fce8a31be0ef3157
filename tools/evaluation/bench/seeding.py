"""Fills an empty database with many finished checks, for benchmarks of the desk and the trends.

A few hundred checks are really made, under each preset; the rest are copies of them inside the
database, with another id, time, question, model, collections and review. So every stored decision
is what its policy makes of its signals, and a million take minutes.

With `result_days`, older copies are as retention leaves them where results are kept so long: the
check, its words, its counts, its review and its entries of the trail, and no result and no vector.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import groupby, product
from pathlib import Path
from random import Random
from threading import Barrier
from typing import Any
from uuid import UUID

import numpy as np
from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection, transaction

from accounts.models import Application
from accounts.services import create_application
from analysis.engine.policy import PRESETS
from analysis.models import CountedCheck, Policy
from analysis.selectors.checks import has_ended
from analysis.services import checking, trends
from analysis.services.months import make_months
from analysis.services.policies import create_policy
from analysis.services.searching import write_words
from analysis.services.submission import NewCheck, submit
from analysis.services.trends import CellKey
from analysis.trends.histogram import BOUNDS
from analysis.trends.metrics import LENGTH, PLACES, Facts, Grain, bucket_of, series_of
from lib.workqueue.broker import wait_for_end

FILLED = (
    "analysis_check",
    "analysis_annotatedanswer",
    "analysis_claim",
    "analysis_checkembedding",
    "analysis_checksearch",
    "analysis_countedcheck",
    "analysis_review",
    "audit_trailentry",
)
_INDEXES = """
SELECT indexrelid::regclass::text, pg_get_indexdef(indexrelid) FROM pg_index
WHERE indrelid = ANY(%s::regclass[]) AND NOT indisprimary
  AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)
ORDER BY 1
"""
_MEMORY = "SET maintenance_work_mem = '512MB'"

CountedRow = tuple[UUID, datetime, str, str, Sequence[str], Sequence[int]]
"""Application, time, model, policy, collections, places: of `analysis_countedcheck`."""


@contextmanager
def without_indexes() -> Iterator[None]:
    """Drop the filled tables' indexes, but for keys, and build them at the end, whatever happens.

    A built index takes a quarter of the time of one that grows with each row.
    """
    with connection.cursor() as cursor:
        cursor.execute(_INDEXES, [list(FILLED)])
        indexes = cursor.fetchall()
        for name, _ in indexes:
            cursor.execute(f"DROP INDEX {name}")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(_MEMORY)
            for _, definition in indexes:
                cursor.execute(definition.replace(" ON ONLY ", " ON ", 1))  # in each partition
            cursor.execute("RESET maintenance_work_mem")


def summed_cells(rows: Sequence[CountedRow]) -> dict[CellKey, list[int]]:
    """Return the trends' cells of these rows; rows alike but for their places are summed first."""
    alike: dict[Any, list[int]] = defaultdict(list)
    for application, moment, model, policy, collections, places in rows:
        hour = moment.astimezone(UTC).replace(minute=0, second=0, microsecond=0)
        alike[application, hour, model, policy, tuple(collections)].extend(places)
    cells: dict[CellKey, Any] = defaultdict(lambda: np.zeros(LENGTH, dtype=np.int64))
    for (application, hour, model, policy, collections), places in alike.items():
        counts = np.bincount(places, minlength=LENGTH)
        facts = Facts(application, hour, collections, model, policy=policy)
        for grain, (dimension, value) in product(Grain, series_of(facts)):
            cells[application, dimension, grain, bucket_of(hour, grain), value] += counts
    return {key: counts.tolist() for key, counts in cells.items()}


PRESET_NAMES = ("conservative", "balanced", "exploratory")
MODELS = ("gpt-5-mini", "claude-haiku", "llama-3.3-70b", "qwen3-32b", "")
COLLECTIONS: tuple[list[str], ...] = (
    [],
    ["osha"],
    ["nist"],
    ["law"],
    ["osha", "nist"],
    ["handbook"],
)
SAMPLE_RATE = 0.02
APPLICATIONS = {"support-desk": 70, "intranet": 20, "research": 10}
"""Slugs, and the share in percent."""
_AT_ONCE = 10_000
_WRITERS = 2
_SEED = 20_260
_BY = "manage.py seed_desk"
_STATEMENTS = Path(__file__).with_name("seed_desk.sql").read_text("utf-8").split("\n--;\n")
_THINGS = ("lighthouse", "bridge", "library", "station", "tower", "mill", "harbour", "theatre")
_TOWNS = ("Lyon", "Porto", "Bergen", "Graz", "Bari", "Ghent", "Turku", "Cork")
_LEADS = ("", "It is definitely true that ", "As everybody knows, ")
# Small tables of their own, so that no copy reads the large ones.
_TEMPLATES = """
CREATE TABLE seed_{name} AS SELECT * FROM analysis_{name}
WHERE {key} IN (SELECT check_id FROM seed_templates)
"""
_KEYS = {
    "check": "id",
    "annotatedanswer": "check_record_id",
    "claim": "annotated_answer_id",
    "checkembedding": "check_record_id",
    "countedcheck": "check_record_id",
}
_COUNTED = ("application_id", "created_at", "source_model", "policy", "collections", "places")


@dataclass(frozen=True, slots=True)
class SeedPlan:
    """The number of checks, ending at `end` and spread evenly over so many days before it.

    Those of the last `result_days` have results and vectors; all of them where it is None.
    """

    checks: int
    days: int
    templates: int
    end: datetime
    result_days: int | None = None


def prepare(plan: SeedPlan) -> Iterator[int]:
    """Make applications, policies, a reviewer and the templates; yield after each template."""
    reviewer = User.objects.create_user("bench-reviewer", is_staff=True)
    applications = [
        create_application(name=slug.replace("-", " ").title(), slug=slug, by=_BY)
        for slug in APPLICATIONS
    ]
    policies = [
        [_policy(application, name) for name in PRESET_NAMES] for application in applications
    ]
    source = create_application(name="Templates", slug="seed-templates", by=_BY)
    templates: list[list[str]] = []
    for name in PRESET_NAMES:
        _policy(source, name)
        templates.append([])
        for new in _answers(plan.templates):
            check = submit(application_id=source.pk, new=new, by=_BY)
            ended = partial(has_ended, check.id)
            if not checking.run_check(check.id) and not ended():  # a worker was quicker
                wait_for_end(check.id, seconds=settings.CHECK_TIME_LIMIT_SECONDS, has_ended=ended)
            if not ended():
                raise RuntimeError(f"a template could not be checked: {new.answer}")
            templates[-1].append(str(check.id))
            yield 1
    trends.count_waiting()
    _keep(applications, policies, templates, reviewer)


def copy(plan: SeedPlan) -> Iterator[int]:
    """Copy the templates until there are `plan.checks`; yield the number of copies after each step.

    The last step builds the indexes.
    """
    make_months((plan.end - timedelta(days=plan.days)).date(), plan.end.date())
    with without_indexes(), ThreadPoolExecutor(_WRITERS) as writers:
        yield from writers.map(partial(_copied, plan), range(0, plan.checks, _AT_ONCE))
        barrier = Barrier(_WRITERS)
        list(writers.map(_close, [barrier] * _WRITERS))


def count() -> Iterator[int]:
    """Add the copies to the trends by what they were counted as; yield how many each time.

    Counting them as the product does reads each decision again: of a million a quarter of an hour.
    """
    for application in Application.objects.filter(slug__in=APPLICATIONS):
        rows = CountedCheck.objects.filter(application=application).order_by("created_at")
        values = rows.values_list(*_COUNTED).iterator(_AT_ONCE)
        for _, day in groupby(values, lambda row: row[1].date()):
            of_day = list(day)
            trends.add_cells(summed_cells(of_day))
            yield len(of_day)


def tidy() -> None:
    """Do what autovacuum does: statistics for the planner, the visibility map."""
    names = ("templates", "applications", *_KEYS)
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TABLE {', '.join(f'seed_{name}' for name in names)}")
        cursor.execute("VACUUM (ANALYZE)")


def _close(together: Barrier) -> None:
    """Close this thread's connection; each thread waits for the others, so that each closes one."""
    connection.close()
    together.wait()


@transaction.atomic
def _copied(plan: SeedPlan, first: int) -> int:
    last = min(first + _AT_ONCE, plan.checks)
    step = timedelta(days=plan.days) / plan.checks
    parameters: dict[str, Any] = {
        "first": first,
        "last": last - 1,
        "begin": plan.end - timedelta(days=plan.days),
        "step": step,
        "days": plan.days,
        "end": plan.end,
        "result_days": plan.days + 1 if plan.result_days is None else plan.result_days,
        "templates": plan.templates,
        "models": list(MODELS),
        "collections": [json.dumps(names) for names in COLLECTIONS],
        "rate": SAMPLE_RATE,
        "checks": plan.checks,
        # The copy's own times; all columns before and after them are the template's.
        "worker_place": PLACES["worker_time"].start,
        "total_place": PLACES["total_time"].start,
        "waiting_place": PLACES["waiting_time"].start,
        "model_place": PLACES["model_time"].start,
        "bounds": list(BOUNDS),
    }
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL synchronous_commit = off")
        # The copies refer to rows that stand; looking each up again would take most of the time.
        cursor.execute("SET LOCAL session_replication_role = replica")
        for statement in _STATEMENTS:
            cursor.execute(statement, parameters)
        cursor.execute("SELECT id FROM seed_new ORDER BY n")
        write_words([check_id for (check_id,) in cursor.fetchall()])
    return last - first


def _policy(application: Application, preset: str) -> Policy:
    return create_policy(
        application_id=application.pk, rules=PRESETS[preset].to_json(), by=_BY, activate=True
    )


def _answers(count: int) -> Iterator[NewCheck]:
    """Yield questions with sources and answers of all kinds; the same ones for the same count."""
    chance = Random(_SEED)  # noqa: S311 - not for secrets
    places = list(product(_THINGS, _TOWNS))
    for at in range(count):
        thing, town = places[at % len(places)]
        year, rooms = chance.randint(1500, 1990), chance.randint(3, 90)
        truth = f"The {thing} in {town} was built in {year}. It has {rooms} rooms."
        stated_year = year if chance.random() < 0.7 else year + chance.randint(1, 60)
        lead, rest = chance.choice(_LEADS), f" It has {rooms} rooms."
        answer = f"{lead}The {thing} in {town} was built in {stated_year}."
        sources = chance.choices([[truth], None, ["Bread is made of flour."]], [7, 2, 1])[0]
        yield NewCheck(
            answer=answer + (rest if chance.random() < 0.6 else ""),
            query=f"When was the {thing} in {town} built?",
            sources=sources,
        )


def _keep(
    applications: list[Application],
    policies: list[list[Policy]],
    templates: list[list[str]],
    reviewer: User,
) -> None:
    """Create small tables that the copying statements join."""
    spread = [at for at, share in enumerate(APPLICATIONS.values()) for _ in range(share)]
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE seed_templates (preset int, at int, check_id uuid)")
        cursor.execute(
            "CREATE TABLE seed_applications"
            " (slot int, application_id uuid, policy_ids bigint[], reviewer_id int)"
        )
        cursor.executemany(
            "INSERT INTO seed_templates VALUES (%s, %s, %s)",
            [
                (n, at, item)
                for n, template in enumerate(templates)
                for at, item in enumerate(template)
            ],
        )
        cursor.executemany(
            "INSERT INTO seed_applications VALUES (%s, %s, %s, %s)",
            [
                (
                    slot,
                    str(applications[at].pk),
                    [policy.pk for policy in policies[at]],
                    reviewer.pk,
                )
                for slot, at in enumerate(spread)
            ],
        )
        for name, key in _KEYS.items():
            cursor.execute(_TEMPLATES.format(name=name, key=key))
            cursor.execute(f"CREATE INDEX ON seed_{name} ({key})")
            cursor.execute(f"ANALYZE seed_{name}")
