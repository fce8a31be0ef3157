"""`python -m launcher.decisions`: writes docs/decisions/README.md, the index of all decisions."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from launcher.environment import CHECKOUT

FOLDER = CHECKOUT / "docs" / "decisions"
INDEX = "README.md"
NOT_STATED = "not stated"
_FILE_NUMBER = re.compile(r"(\d{4})-")
_TITLE = re.compile(r"# 0*(\d+)[.:]?(?: ·)? (.+)")
_STATUS = re.compile(r"^\*\*Status(?:\.\*\*|\*\*:) ?(\w+)", re.MULTILINE)
_HEADER = """# Decisions

Why WATCHDOG is built as it is. This index is generated: `python -m launcher.decisions`.

A new decision takes the next free number, at most half a page, and the headings
Status, Context, Decision and Consequences.

| number | title | status |
|---|---|---|
"""


@dataclass(frozen=True, slots=True)
class Record:
    """One decision; `status` is NOT_STATED where its text has none."""

    number: str
    title: str
    status: str
    file_name: str


def read_record(file_name: str, text: str) -> Record:
    """The record in a decision's text. Raises ValueError where name and title disagree."""
    number, title = _FILE_NUMBER.match(file_name), _TITLE.match(text)
    if number is None or title is None or int(number[1]) != int(title[1]):
        raise ValueError(f"{file_name}: name and title must begin with the same number")
    status = _STATUS.search(text)
    stated = status[1].capitalize() if status else NOT_STATED
    return Record(number[1], title[2].strip(), stated, file_name)


def records(folder: Path = FOLDER) -> list[Record]:
    """All decisions of a folder, by number."""
    paths = sorted(path for path in folder.glob("*.md") if path.name != INDEX)
    return [read_record(path.name, path.read_text()) for path in paths]


def index(all_records: Iterable[Record]) -> str:
    """The text of the index."""
    rows = (
        f"| {record.number} | [{record.title}]({record.file_name}) | {record.status} |\n"
        for record in all_records
    )
    return _HEADER + "".join(rows)


if __name__ == "__main__":
    (FOLDER / INDEX).write_text(index(records()))
