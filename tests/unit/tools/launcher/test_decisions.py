"""The decisions have their headings and stay short, and the index lists all of them."""

from collections import Counter

import pytest

from tools.launcher.decisions import FOLDER, HEADINGS, INDEX, index, read_record, records

MOST_WORDS = 260
BODY = "\n\n".join(f"**{heading}.** Accepted." for heading in HEADINGS)


def test_the_index_is_up_to_date():
    assert (FOLDER / INDEX).read_text() == index(records()), "python -m tools.launcher.decisions"


def test_no_two_decisions_share_a_number():
    numbers = Counter(record.number for record in records())
    assert [number for number, count in numbers.items() if count > 1] == []


def test_every_decision_fits_on_half_a_page():
    lengths = {record.file_name: words_beside_tables(record.file_name) for record in records()}
    assert {name: count for name, count in lengths.items() if count > MOST_WORDS} == {}


def words_beside_tables(file_name: str) -> int:
    """Return the words of a decision; the lines of a table are not counted."""
    lines = (FOLDER / file_name).read_text().splitlines()
    return sum(len(line.split()) for line in lines if not line.startswith("|"))


def test_title_and_status_are_read():
    record = read_record("0007-plain.md", f"# 0007 A title\n\n{BODY}")
    assert (record.number, record.title, record.status) == ("0007", "A title", "Accepted")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (f"# 0008 Another number\n\n{BODY}", "same number"),
        ("# 0007 No headings\n\nText.", "headings"),
        (f"# 0007 In another order\n\n{BODY.replace('Context', 'Decision', 1)}", "headings"),
    ],
)
def test_a_decision_out_of_form_is_an_error(text, fault):
    with pytest.raises(ValueError, match=fault):
        read_record("0007-plain.md", text)
