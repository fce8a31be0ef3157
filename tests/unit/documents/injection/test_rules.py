"""The version of the rules changes with any file that decides what a scan says."""

from documents.injection import RULES
from documents.injection.rules import digest


def test_every_file_counts(tmp_path):
    one, two = tmp_path / "one.txt", tmp_path / "two.py"
    one.write_text("a")
    two.write_text("b")
    first = digest([one, two])
    two.write_text("c")
    assert digest([one, two]) != first
    two.write_text("b")
    assert digest([one, two]) == first
    assert digest([two, one]) != first


def test_it_is_short_enough_to_be_stored():
    assert len(RULES) == 8
