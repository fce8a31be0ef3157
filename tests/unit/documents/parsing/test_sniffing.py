"""The types of file that people are told of are those that are read."""

import re
from pathlib import Path

import pytest

from documents.parsing.sniffing import mislabelled
from documents.parsing.types import FileType

CHECKOUT = Path(__file__).parents[4]


@pytest.mark.parametrize(
    "path",
    ["templates/admin/documents/document/change_list.html", "templates/assistant/beside.html"],
)
def test_a_page_for_uploads_names_every_type_that_is_read(path) -> None:
    page = (CHECKOUT / path).read_text()
    (accepted,) = re.findall(r'type="file"[^>]*accept="([^"]+)"', page)
    named = re.findall(r"(?<![\w,])\.(?:\w{2,4})(?=, \.| or \.)| or \.(?:\w{2,4})", page)
    assert {suffix.removeprefix(" or ") for suffix in named} == set(accepted.split(","))
    types = {kind for kind in FileType for end in accepted.split(",") if reads_as(kind, end)}
    assert types == set(FileType)


def test_the_api_names_every_type_that_is_read() -> None:
    text = (CHECKOUT / "documents/api/serializers.py").read_text()
    (names,) = re.findall(r'file_type="([^"]+)\."', text)
    assert set(re.split(r", | or ", names)) == {kind.value for kind in FileType}


def reads_as(kind: FileType, suffix: str) -> bool:
    """Return whether a file of that type is expected behind that suffix."""
    others = [each for each in FileType if each is not kind]
    return not mislabelled(kind, f"a{suffix}") and all(mislabelled(o, f"a{suffix}") for o in others)
