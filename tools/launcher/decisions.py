"""`python -m tools.launcher.decisions`: writes the index docs/decisions/README.md."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tools.launcher.environment import CHECKOUT

FOLDER = CHECKOUT / "docs" / "decisions"
INDEX = "README.md"
HEADINGS = ("Status", "Context", "Decision", "Consequences")
_FILE_NUMBER = re.compile(r"(\d{4})-")
_TITLE = re.compile(r"# (\d{4}) (.+)")
_HEADING = re.compile(rf"^\*\*({'|'.join(HEADINGS)})\.\*\*", re.MULTILINE)
_STATUS = re.compile(r"^\*\*Status\.\*\* (\w+)", re.MULTILINE)
_HEADER = """# Decisions

Why WATCHDOG is built as it is. This index is generated: `python -m tools.launcher.decisions`.

A new decision takes the next free number, at most half a page (250 words beside tables), and
paragraphs that begin with **Status.**, **Context.**, **Decision.** and **Consequences.**
Measurements belong in [research](../research).

"""


@dataclass(frozen=True, slots=True)
class Record:
    number: str
    title: str
    status: str
    file_name: str


def read_record(file_name: str, text: str) -> Record:
    """Return the record in a decision's text.

    Raises ValueError if the title lacks the file's number, or a heading is missing or out of order.
    """
    number, title = _FILE_NUMBER.match(file_name), _TITLE.match(text)
    if number is None or title is None or number[1] != title[1]:
        raise ValueError(f"{file_name}: name and title must begin with the same number")
    status = _STATUS.search(text)
    if status is None or tuple(_HEADING.findall(text)) != HEADINGS:
        raise ValueError(f"{file_name}: it needs the headings {', '.join(HEADINGS)}, in this order")
    return Record(number[1], title[2].strip(), status[1], file_name)


def records(folder: Path = FOLDER) -> list[Record]:
    paths = sorted(path for path in folder.glob("*.md") if path.name != INDEX)
    return [read_record(path.name, path.read_text()) for path in paths]


def index(all_records: Iterable[Record]) -> str:
    return _HEADER + "".join(
        f"- [{record.number} {record.title}]({record.file_name})"
        f"{'' if record.status == 'Accepted' else f' ({record.status})'}\n"
        for record in all_records
    )


if __name__ == "__main__":
    (FOLDER / INDEX).write_text(index(records()))
