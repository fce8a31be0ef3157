"""The version of the rules changes with any file that decides what a scan says."""

from documents.injection import RULES, digest


def test_every_file_counts(tmp_path):
    first_file, second_file = tmp_path / "one.txt", tmp_path / "two.py"
    first_file.write_text("a")
    second_file.write_text("b")
    first = digest([first_file, second_file])
    second_file.write_text("c")
    assert digest([first_file, second_file]) != first
    second_file.write_text("b")
    assert digest([first_file, second_file]) == first
    assert digest([second_file, first_file]) != first


def test_it_is_short_enough_to_be_stored():
    assert len(RULES) == 8
