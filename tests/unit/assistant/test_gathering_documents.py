"""What is read of a document beside its passages."""

import pytest

from assistant.gathering.documents import date_in


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("JOINT MEETING No. 2\nWednesday 19 February, 13:30-15:50, room Lark", "--02-19"),
        ("Date: 14 January 2026, 10:00 to 11:20, town hall, room 2.14", "2026-01-14"),
        ("2026-05-12.txt", "2026-05-12"),
        ("Valid from May 2026. In force since 1 June 2026.", "2026-06-01"),
        ("Manual OM-604 rev. F", ""),
        ("", ""),
    ],
)
def test_a_document_is_dated_by_its_first_whole_date(text, date):
    assert date_in(text) == date
