"""Small marked words for list columns: icon, word and colour. Everything else is escaped."""

from datetime import datetime

from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timezone import localtime

NOTHING = "–"


def badge(word: str | None, kind: str | None = None) -> SafeString | str:
    """`BLOCK` as a pill with its icon; a dash where there is nothing to say."""
    if not word:
        return NOTHING
    kind = kind or slug(word)
    return format_html(
        '<span class="wd-badge wd-badge--{}"><svg class="wd-icon" aria-hidden="true">'
        '<use href="{}#{}"></use></svg>{}</span>',
        kind,
        static("watchdog/icons.svg"),
        kind,
        word,
    )


def slug(word: str) -> str:
    """A status or action as part of a CSS class."""
    return word.lower().replace(" ", "-").replace("_", "-")


def excerpt(text: str, length: int) -> str:
    """The first characters of a text that was cut one behind `length` by the database."""
    return f"{text[:length]}…" if len(text) > length else text or NOTHING


def moment(when: datetime | None) -> str:
    """A time to the minute, in the server's time zone."""
    return f"{localtime(when):%-d %b %Y %H:%M}" if when else NOTHING
