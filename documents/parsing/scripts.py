"""Superscript and subscript digits, so that 10⁻⁹ never becomes 109, and list numbers."""

_UP = str.maketrans("0123456789+-−–=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾ⁿ")
_DOWN = str.maketrans("0123456789+-−–=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₋₌₍₎")
_RAISABLE = frozenset("0123456789+-−–=()n ")
_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"),
    (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_MOST_ROMAN, _MOST_LETTERS = 3_999, 26 * 9


def list_number(number: int, kind: str) -> str:
    """Return a list number of an HTML kind: "1" (4), "a" (d), "A" (D), "i" (iv), "I" (IV)."""
    text = str(number)
    if kind.lower() == "a" and 0 < number <= _MOST_LETTERS:
        text = chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)
    elif kind.lower() == "i" and 0 < number <= _MOST_ROMAN:
        text = ""
        for value, sign in _ROMAN:
            text += sign * (number // value)
            number %= value
    return text.upper() if kind.isupper() else text


def script_text(text: str, tag: str, before: str) -> str:
    """Return the text of a `sup` or `sub` element; `before` is the character before it.

    Text without a raised form ("th", "[a]") is unchanged. Subscript digits are marked only after a
    digit, where they would change a number.
    """
    if not text.strip() or not _RAISABLE.issuperset(text):
        return text
    if tag == "sup":
        return text.strip().translate(_UP)
    return text.strip().translate(_DOWN) if before.isdigit() else text
