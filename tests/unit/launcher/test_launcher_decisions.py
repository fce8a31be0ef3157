"""The index of decisions is that of the files beside it."""

from collections import Counter

import pytest

from launcher.decisions import FOLDER, INDEX, NOT_STATED, index, read_record, records


def test_the_index_is_up_to_date():
    assert (FOLDER / INDEX).read_text() == index(records()), "run python -m launcher.decisions"


def test_no_two_decisions_share_a_number():
    numbers = Counter(record.number for record in records())
    assert [number for number, count in numbers.items() if count > 1] == []


@pytest.mark.parametrize(
    ("text", "title", "status"),
    [
        ("# 7. Plain\n\nText.", "Plain", NOT_STATED),
        ("# 0007 · With a dot\n\n**Status.** Accepted, 2026-11-23.", "With a dot", "Accepted"),
        ("# 0007: With a colon\n\n**Status**: superseded.", "With a colon", "Superseded"),
        ("# 0007 Said below\n\nThe **Status.** of nothing.", "Said below", NOT_STATED),
    ],
)
def test_title_and_status_are_read(text, title, status):
    record = read_record("0007-plain.md", text)
    assert (record.number, record.title, record.status) == ("0007", title, status)


def test_a_title_with_another_number_is_an_error():
    with pytest.raises(ValueError, match=r"0008-plain\.md"):
        read_record("0008-plain.md", "# 7. Plain")
