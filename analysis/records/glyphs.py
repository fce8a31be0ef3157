"""Text for the PDF: prints every character, or names it if no font contains it."""

import unicodedata
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from xml.sax.saxutils import escape

from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.ttfonts import TTFont

PLAIN, BOLD = "DejaVuSans", "DejaVuSans-Bold"
# Not embedded: every PDF reader has its own font for them.
_HAN, _HANGUL = "STSong-Light", "HYSMyeongJo-Medium"
_FOLDER = Path(__file__).parent / "fonts"
_HAN_RANGES = ((0x2E80, 0x30FF), (0x31F0, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF),
               (0xFF00, 0xFFEF))  # fmt: skip
_HANGUL_RANGES = ((0x1100, 0x11FF), (0x3130, 0x318F), (0xAC00, 0xD7AF))


@lru_cache(maxsize=1)
def register() -> frozenset[int]:
    """Register the fonts; return the code points that both regular and bold contain."""
    code_points = list[frozenset[int]]()
    for name in (PLAIN, BOLD):
        font = TTFont(name, str(_FOLDER / f"{name}.ttf"))
        pdfmetrics.registerFont(font)
        code_points.append(frozenset(font.face.charToGlyph))
    for name in (_HAN, _HANGUL):
        pdfmetrics.registerFont(UnicodeCIDFont(name))
    pdfmetrics.registerFontFamily(PLAIN, normal=PLAIN, bold=BOLD, italic=PLAIN, boldItalic=BOLD)
    return code_points[0] & code_points[1]


def markup(text: str) -> str:
    """Return the text as reportlab markup.

    Characters without a glyph and invisible ones (such as direction controls) become `⟨U+202E⟩`.
    """
    code_points = register()
    visible_text = "".join(c if _font(c, code_points) else f"⟨U+{ord(c):04X}⟩" for c in text)
    runs = groupby(visible_text, key=lambda c: _font(c, code_points))
    return "".join(_run(font, "".join(characters)) for font, characters in runs)


def _run(font: str | None, text: str) -> str:
    safe = escape(text)
    return safe if font in (None, PLAIN) else f'<font name="{font}">{safe}</font>'


def _font(character: str, code_points: frozenset[int]) -> str | None:
    code = ord(character)
    if character in "\t\u00a0":
        return PLAIN
    if unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"):
        return None
    if code > 0xFFFF:  # reportlab writes no valid mapping back to text for these
        return None
    if code in code_points:
        return PLAIN
    if any(first <= code <= last for first, last in _HAN_RANGES):
        return _HAN
    return _HANGUL if any(a <= code <= b for a, b in _HANGUL_RANGES) else None


# How the text of a record on paper looks.

TEXT = ParagraphStyle("text", fontName=PLAIN, fontSize=9, leading=13, wordWrap="LTR")
SMALL = ParagraphStyle("small", TEXT, fontSize=7, leading=10, textColor="#555555")
HEADING = ParagraphStyle("heading", TEXT, fontName=BOLD, fontSize=12, leading=16, spaceBefore=12,
                         spaceAfter=4)  # fmt: skip
TITLE = ParagraphStyle("title", HEADING, fontSize=18, leading=24, spaceBefore=0)
