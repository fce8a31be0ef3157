"""Makes invisible characters visible: direction controls and characters without width.

U+202E makes "90 euros" read as "sorue 09"; a reviewer must see what was sent.
"""

import unicodedata

from django import template

register = template.Library()
_CONTROLS = (*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200B, 0x2060, 0xFEFF, 0x061C)
_SHOWN = {
    point: f"⟨{unicodedata.name(chr(point)).lower()}⟩" for point in (*_CONTROLS, 0x200E, 0x200F)
}


@register.filter
def visible(text: object) -> str:
    """Return the text with its direction marks and invisible characters named."""
    return str(text).translate(_SHOWN)
