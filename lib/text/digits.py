"""Values of numbers in digits, with either mark of thousands and of decimals."""

LONGEST = 30
"""Digits of a number beyond which it is none that anybody means."""


def parse(word: str) -> tuple[float, float] | None:
    """Return value and step of a digit string, or None for a version, a code or a giant.

    >>> parse("1,200.5"), parse("1.200.000"), parse(".61"), parse("1.1.1")
    ((1200.5, 0.1), (1200000.0, 1), (0.61, 0.01), None)
    >>> parse("1.250,50")
    (1250.5, 0.01)
    """
    if len(word) > LONGEST:
        return None
    plain = _without_thousands(word)
    if plain is None:
        return None
    _, _, fraction = plain.partition(".")
    return float(plain), 10.0 ** -len(fraction) if fraction else 1


def _without_thousands(word: str) -> str | None:
    if word.isdigit():
        return word
    dots, commas = word.count("."), word.count(",")
    if commas and dots == 1 and word.rfind(".") > word.rfind(","):
        word, commas = word.replace(",", ""), 0
    if commas == 1 and dots and word.find(",") > word.rfind("."):
        whole, _, fraction = word.partition(",")
        groups = whole.split(".")
        if all(len(group) == 3 for group in groups[1:]) and len(groups[0]) <= 3:
            return f"{''.join(groups)}.{fraction}"
    if commas:
        groups = word.split(",")
        if len(groups[-1]) == 3 and all(len(group) in (2, 3) for group in groups[1:-1]):
            return word.replace(",", "") if not dots else None
        return ".".join(groups) if len(groups) == 2 and not dots else None
    if dots > 1:
        groups = word.split(".")
        grouped = all(len(group) == 3 for group in groups[1:]) and len(groups[0]) <= 3
        return word.replace(".", "") if grouped else None
    return word
