"""Raised and lowered digits, so that 10⁻⁹ never becomes 109 and H₂O stays readable."""

_UP = str.maketrans("0123456789+-−–=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾ⁿ")
_DOWN = str.maketrans("0123456789+-−–=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₋₌₍₎")
_RAISABLE = frozenset("0123456789+-−–=()n ")


def script_text(text: str, tag: str, before: str) -> str:
    """Text of a `sup` or `sub` element; `before` is the character that stands before it.

    What has no raised form ("th", "[a]") stays as it is. Lowered digits are marked only
    after a digit, where they would change a number.
    """
    if not text.strip() or not _RAISABLE.issuperset(text):
        return text
    if tag == "sup":
        return text.strip().translate(_UP)
    return text.strip().translate(_DOWN) if before.isdigit() else text
