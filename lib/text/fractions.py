"""Shares of a whole in percent: half of, two thirds of, 2/3 of."""

from lib.text.tokens import NUMBER, Tokens
from lib.text.units import SMALL

_PARTS = {
    "half": 2, "halves": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fifth": 5,
    "fifths": 5, "sixth": 6, "sixths": 6, "eighth": 8, "eighths": 8, "tenth": 10, "tenths": 10,
}  # fmt: skip
PART_WORDS = frozenset(_PARTS)


def spelled_share(tokens: Tokens, first: int, at: int, last: int) -> tuple[float, int, int] | None:
    """Return percent, first and end of "half of", "two-thirds of", "a quarter of"; else None.

    `at` is the token with the name of the part. "The third of May" is no share.
    """
    parts = _PARTS[tokens.lower[at]]
    if at + 1 >= last or tokens.lower[at + 1] not in ("of", "the"):
        return None
    before = at - 1
    if before > first and tokens.words[before] == "-":
        before -= 1
    word = tokens.lower[before] if before >= first else ""
    count = 1.0 if word in ("a", "an", "one") else SMALL.get(word)
    if count is None and before >= first and tokens.kinds[before] == NUMBER:
        count = float(word) if word.isdecimal() and len(word) == 1 else None
    if count is not None and 0 < count < parts:
        return 100 * count / parts, before, at + 1
    whole = tokens.lower[at] == "half" and tokens.lower[at - 1 : at] not in (["first"], ["second"])
    return (50.0, at, at + 1) if whole else None
