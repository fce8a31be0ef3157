"""Searches questions and answers for the newest checks that contain the words.

A common word is found by walking back over the newest checks, a rare one through the index. The
walk is tried first and continues if its start promises enough hits, since PostgreSQL's own choice
is wrong for correlated words and then takes seconds (docs/decisions/0701-search-over-checks.md).
"""

import json
import re
from collections.abc import Mapping, Sequence
from uuid import UUID

from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper

MOST = 500
FIRST, WALKED = 4_000, 20_000
LONGEST = 300
_PREFIX = re.compile(r'(?<!["\w-])(\w{3,})\*(?![\w"])')
_NOTHING_TO_FIND = ("", "T")  # no word at all, or only words that must not occur
_WALK = """
SELECT check_record_id
FROM (SELECT check_record_id, vector FROM analysis_checksearch
      ORDER BY check_record_id DESC LIMIT %s OFFSET %s) AS newest
WHERE vector @@ watchdog_search_query(%s, %s, %s)
ORDER BY check_record_id DESC
LIMIT %s
"""
_LOOK_UP = """
SELECT check_record_id FROM analysis_checksearch
WHERE vector @@ watchdog_search_query(%s, %s, %s)
ORDER BY check_record_id DESC
LIMIT %s
"""
_KEYS = """
SELECT DISTINCT jsonb_object_keys(metadata)
FROM (SELECT metadata FROM analysis_check ORDER BY id DESC LIMIT %s) AS newest
"""
_WITH_METADATA = """
SELECT id FROM analysis_check
WHERE metadata @> ANY(%s::jsonb[]) AND (%s::uuid[] IS NULL OR application_id = ANY(%s))
ORDER BY id DESC LIMIT %s
"""


def newest(
    words: str, facets: Mapping[str, str], applications: Sequence[UUID] | None
) -> list[UUID]:
    """Return the ids of the newest checks, at most MOST, that contain the words.

    `"a phrase"`, `-without`, `either or other` and `begin*` (from three letters) are understood.
    `facets` are the values that the rows must have (application, batch, state, action, risk_level);
    `applications` those to search in, None for all.
    """
    arguments = _arguments(words[:LONGEST], facets, applications)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT querytree(watchdog_search_query(%s, %s, ''))", arguments[:2])
        if cursor.fetchone()[0] in _NOTHING_TO_FIND:
            return []
        check_ids = _walked(cursor, arguments, FIRST, 0)
        # If matches stay as frequent as in the first scan, the second scan will find enough.
        if MOST > len(check_ids) >= MOST * FIRST / WALKED:
            check_ids += _walked(cursor, arguments, WALKED - FIRST, FIRST)
        if len(check_ids) >= MOST:
            return check_ids[:MOST]
        cursor.execute(
            "SELECT set_config('enable_seqscan', 'off', true),"
            " set_config('enable_indexscan', 'off', true)"
        )
        cursor.execute(_LOOK_UP, [*arguments, MOST])
        check_ids = [check_id for (check_id,) in cursor.fetchall()]
        cursor.execute(
            "SELECT set_config('enable_seqscan', 'on', true),"
            " set_config('enable_indexscan', 'on', true)"
        )
    return check_ids


def noted(value: str, applications: Sequence[UUID] | None) -> list[UUID]:
    """Return the ids of the newest checks, at most MOST, whose metadata has the value (a ticket).

    Looks under the keys that the latest checks use: the index needs a key to find a value.
    """
    with connection.cursor() as cursor:
        cursor.execute(_KEYS, [FIRST])
        pairs = [json.dumps({key: value[:LONGEST]}) for (key,) in cursor.fetchall()]
        if not pairs:
            return []
        among = None if applications is None else list(applications)
        cursor.execute(_WITH_METADATA, [pairs, among, among, MOST])
        return [check_id for (check_id,) in cursor.fetchall()]


def _walked(cursor: CursorWrapper, arguments: list[str], rows: int, behind: int) -> list[UUID]:
    """Return the matches among `rows` checks after skipping the `behind` newest ones."""
    cursor.execute(_WALK, [rows, behind, *arguments, MOST])
    return [check_id for (check_id,) in cursor.fetchall()]


def _arguments(
    words: str, facets: Mapping[str, str], applications: Sequence[UUID] | None
) -> list[str]:
    """Return the arguments of `watchdog_search_query`: words, prefixes and filter marks."""
    begins = " & ".join(f"{stem}:*" for stem in _PREFIX.findall(words))
    marks = [_quote(f"@{name}={value}") for name, value in facets.items()]
    if applications is not None:
        application_marks = " | ".join(
            _quote(f"@application={application}") for application in applications
        )
        marks.append(f"({application_marks})" if application_marks else _quote("@nothing"))
    return [_PREFIX.sub(" ", words).replace("\x00", " "), begins, " & ".join(marks)]


def _quote(mark: str) -> str:
    """Return a mark quoted for a tsquery; a quote in a value from the URL cannot end it."""
    escaped = mark.replace("\x00", " ").replace("\\", "\\\\").replace("'", "''")
    return f"'{escaped}'"
