"""Written statements about sources, as text files.

Blocks are parted by empty lines. `S:` is a source, `+` a statement that it supports, `-` one that
it contradicts, `?` one that it says nothing of; `\\n` is the end of a line. `class:` names the kind
of the blocks after it.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple


class Block(NamedTuple):
    kind: str
    source: str
    right: tuple[str, ...]
    wrong: tuple[str, ...]
    unsupported: tuple[str, ...]
    claims: tuple[str, ...]
    """All of them in their order."""


def read_blocks(*paths: Path) -> Iterator[Block]:
    for path in paths:
        kind = ""
        for block in path.read_text(encoding="utf-8").split("\n\n"):
            lines = [line.replace("\\n", "\n") for line in block.strip().splitlines()]
            if lines[0].startswith("class: "):
                kind = lines.pop(0).removeprefix("class: ")
            source, *statements = lines
            assert source.startswith("S: "), block
            assert all(line.startswith(("+ ", "- ", "? ")) for line in statements), block
            right, wrong, unsupported = (
                tuple(line[2:].strip() for line in statements if line[0] == sign) for sign in "+-?"
            )
            claims = tuple(line[2:].strip() for line in statements)
            yield Block(kind, source.removeprefix("S: "), right, wrong, unsupported, claims)
