"""Decodes bytes: byte order marks, UTF-8, UTF-16 and 32 without a mark, older encodings."""

import codecs
import re
from dataclasses import dataclass

from charset_normalizer import from_bytes

from documents.parsing.types import UnreadableReason, refusal

_MARKS = (
    # UTF-32 first: its little-endian mark begins like that of UTF-16.
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SAMPLE = 64 * 1024
_CANDIDATES = [
    *("cp1252", "cp1251", "cp932", "gb18030", "big5", "euc_jp", "cp949", "koi8_r"),
    *("cp1250", "iso8859_2", "cp1253", "cp1254", "cp1255", "cp1256"),
]
"""The older encodings met in practice; offered all it knows, the detector takes exotic ones."""
_PUNCTUATION = "‘’“”„‚–—…•°§«»€£©®™±²³½¼¾×·\u00a0"
_WESTERN = "àâäáãåæçèéêëìíîïñòóôöõøùúûüÿßœ¿¡ªº"
_LETTERS = {
    # In order of preference: of equally likely encodings the first is taken.
    "cp1252": _WESTERN,
    "cp1254": _WESTERN + "ğışİ",
    "cp1250": "ąćęłńóśźżáčďéěíňřšťúůýžőűöüäâîăşţôĺľŕ",
    "iso8859_2": "ąćęłńóśźżáčďéěíňřšťúůýžőűöüäâîăşţôĺľŕ",
}
_MOSTLY = 0.98
"""Share of valid UTF-8 beyond which stray bytes are damage, not another encoding."""
_MULTIBYTE = re.compile(rb"[\xc2-\xf4][\x80-\xbf]+")
_HIGH = re.compile(rb"[\x80-\xff]")


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text, the Python name of its encoding, and a warning at most."""

    text: str
    encoding: str
    warnings: tuple[str, ...] = ()


def decode(data: bytes, declared: str = "") -> Decoded:
    """Decode these bytes; `declared` is the file's own claim (HTML's meta tag).

    Raises UnreadableDocument for binary data and unknown encodings.
    """
    for mark, name in _MARKS:
        if data.startswith(mark):
            return _check_decoded(data[len(mark) :].decode(name, errors="replace"), name)
    if b"\0" in data:
        return _with_nuls(data)
    try:
        return Decoded(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        return (
            _decode_as_declared(data, declared)
            or _decode_damaged_utf8(data)
            or _decode_by_guess(data)
        )


def _with_nuls(data: bytes) -> Decoded:
    """Decode UTF-16 or UTF-32 without a mark, whose NULs are in fixed places; others are binary."""
    head = data[:_SAMPLE]
    for name, width, zeros in (
        ("utf-32-le", 4, (2, 3)),
        ("utf-32-be", 4, (0, 1)),
        ("utf-16-le", 2, (1,)),
        ("utf-16-be", 2, (0,)),
    ):
        if len(data) % width:
            continue
        # NULs are common in some bytes of each character, and rare in the others.
        length = len(head) // width or 1
        shares = [head[place::width].count(0) / length for place in range(width)]
        others = [share for place, share in enumerate(shares) if place not in zeros]
        is_likely = all(shares[place] > 0.2 for place in zeros) and min(others) < 0.05
        if is_likely and "\0" not in (text := data.decode(name, errors="replace")):
            return _check_decoded(text, name)
    raise refusal(UnreadableReason.BINARY)


def _check_decoded(text: str, name: str) -> Decoded:
    replacements = text.count("\ufffd")
    if replacements * 50 > len(text):
        raise refusal(UnreadableReason.BINARY)
    return Decoded(text, name, _replacement_notes(replacements))


def _replacement_notes(count: int) -> tuple[str, ...]:
    return (f"{count} characters could not be read and were replaced by �.",) if count else ()


def _decode_as_declared(data: bytes, declared: str) -> Decoded | None:
    try:
        # Only encodings of text: Python's registry also knows "zip", "hex" and "rot13".
        info = codecs.lookup(declared) if declared else None
        if info is None or not getattr(info, "_is_text_encoding", True):
            return None
        return Decoded(data.decode(info.name), info.name)
    except (LookupError, ValueError):
        return None


def _decode_damaged_utf8(data: bytes) -> Decoded | None:
    """Decode UTF-8 with a few broken bytes, as truncation or careless joining leaves them."""
    valid = sum(len(match) for match in _MULTIBYTE.findall(data))
    high = len(_HIGH.findall(data))
    text = data.decode("utf-8", errors="replace")
    replacements = text.count("\ufffd")
    if valid < high * _MOSTLY and not (replacements == 1 and text.endswith("\ufffd") and valid > 1):
        return None
    return Decoded(text, "utf-8", _replacement_notes(replacements))


def _decode_by_guess(data: bytes) -> Decoded:
    sample = _sample(data)
    best = from_bytes(sample, cp_isolation=_CANDIDATES).best()
    if best is None:
        head = data[:_SAMPLE]
        controls = sum(byte < 32 and byte not in b"\t\n\r\f\x1b" for byte in head)
        is_binary = controls * 50 > len(head)  # more than a text has
        raise refusal(UnreadableReason.BINARY if is_binary else UnreadableReason.UNKNOWN_ENCODING)
    # The detector takes é and ü for Hungarian.
    name = _likeliest_latin(sample) if best.encoding in _LETTERS else best.encoding
    text = data.decode(name, errors="replace")
    replacements = text.count("\ufffd")
    if replacements * 200 > len(text):
        raise refusal(UnreadableReason.UNKNOWN_ENCODING)
    guess = f"The encoding was guessed to be {name}."
    return Decoded(text, name, (" ".join([guess, *_replacement_notes(replacements)]),))


def _sample(data: bytes) -> bytes:
    """Return the text around the first non-ASCII byte, cut at line ends to keep characters."""
    match = _HIGH.search(data)
    start = data.rfind(b"\n", 0, match.start() if match else 0) + 1
    end = data.find(b"\n", start + _SAMPLE)
    return data[start : end if 0 <= end < start + 2 * _SAMPLE else start + _SAMPLE]


def _likeliest_latin(sample: bytes) -> str:
    high = b"".join(_HIGH.findall(sample))
    scores = {
        name: sum(
            char in letters or char in _PUNCTUATION
            for char in high.decode(name, errors="replace").lower()
        )
        for name, letters in _LETTERS.items()
    }
    return max(scores, key=scores.__getitem__)


# Removes from a text what PostgreSQL cannot store.

_DROPPED = re.compile("[\x00-\x08\x0e-\x1f\x7f\ufeff\ufffe\uffff]")
_LINE_ENDS = re.compile("\r\n|[\r\x0b\x0c]")
_SURROGATE = re.compile("[\ud800-\udfff]")


def clean(text: str) -> str:
    """Return the text with \n line ends and without what PostgreSQL cannot store.

    Control characters are removed, lone surrogates become U+FFFD. Nothing else changes.
    """
    text = _LINE_ENDS.sub("\n", text)
    if _SURROGATE.search(text):
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return _DROPPED.sub("", text)
