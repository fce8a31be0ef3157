"""Signs of prompt injection in texts that should be data: `scan`, and `wrap` for prompts."""

from hashlib import sha256
from pathlib import Path

from documents.injection.results import THRESHOLD, Family, InjectionScan, Match
from documents.injection.scanning import scan
from documents.injection.wrapping import new_boundary, wrap
from lib.text import blocks, tokens, words

__all__ = [
    "RULES",
    "THRESHOLD",
    "Family",
    "InjectionScan",
    "Match",
    "new_boundary",
    "scan",
    "wrap",
]

# The version of the rules: a digest of all files that define them.

_HERE = Path(__file__).parent
_NAMES = (
    *("asking.txt", "families.py", "families.txt", "folding.py", "planted.py", "results.py"),
    *("scanning.py", "segments.py"),
)


def digest(files: list[Path]) -> str:
    """Return eight hexadecimal digits that change with any of the files."""
    total = sha256()
    for file in files:
        total.update(sha256(file.read_bytes()).digest())
    return total.hexdigest()[:8]


RULES = digest(
    [*(_HERE / name for name in _NAMES), *(Path(str(m.__file__)) for m in (blocks, tokens, words))]
)
"""The rules of this version. What was scanned by others is scanned again when it is retrieved."""
