"""The lowest id of a moment, by which months and dates are ranges of ids."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import uuid_utils.compat as uuid

from analysis.services.months import first_id


def test_an_id_lies_between_those_of_the_moments_around_it() -> None:
    new_id = uuid.uuid7()
    now = datetime.now(UTC)
    assert (
        first_id(now, timedelta(seconds=-5))
        < UUID(str(new_id))
        < first_id(now, timedelta(seconds=5))
    )


def test_the_first_id_holds_the_milliseconds_and_nothing_else() -> None:
    moment = datetime(2026, 11, 1, tzinfo=UTC)
    assert str(first_id(moment)) == "01a19467-e800-0000-0000-000000000000"
    assert first_id(moment + timedelta(milliseconds=1)).int - first_id(moment).int == 1 << 80


def test_any_date_that_can_be_asked_for_has_an_id() -> None:
    hour = timedelta(hours=1)
    assert first_id(datetime(1, 1, 1, tzinfo=UTC), -hour) == UUID(int=0)
    assert first_id(datetime(9999, 12, 31, 23, 59, tzinfo=UTC), hour) > first_id(datetime.now(UTC))
