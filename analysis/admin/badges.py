"""Badges for list columns: icon, word and colour. Everything else is escaped."""

from datetime import datetime

from django.templatetags.static import static
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from analysis.models import Check
from analysis.selectors.excerpts import shortened
from analysis.templatetags.visible import visible

NOTHING = "–"


def badge(word: str, kind: str | None = None) -> SafeString:
    """Return a word such as `BLOCK` as a badge with its icon."""
    kind = kind or word.lower()
    return format_html(
        '<span class="wd-badge wd-badge--{}"><svg class="wd-icon" aria-hidden="true">'
        '<use href="{}#{}"></use></svg>{}</span>',
        kind,
        static("watchdog/icons.svg"),
        kind,
        word,
    )


def outcome(check: Check) -> SafeString:
    """Return a check's action; of a check without one, how far it is."""
    if check.action:
        return badge(check.action)
    return badge(check.get_state_display(), check.state)


def short_id(value: object) -> SafeString:
    """Return the last characters of an id, with a button that copies the whole id."""
    return format_html(
        '<span class="wd-id"><code>…{}</code> <button type="button" class="wd-copy" '
        'data-copy="{}" data-copied="{}" aria-label="{}">{}</button></span>',
        str(value)[-8:], value, _("Copied"), _("Copy the id %s") % value, _("Copy"),
    )  # fmt: skip


def texts(question: str, answer: str) -> SafeString | str:
    """Return the beginnings of a question and its answer as HTML, the answer on its own line."""
    if not answer:
        return question or NOTHING
    begins = visible(question) or _("(no question)")
    return format_html(
        '<span dir="auto">{}</span><span class="wd-excerpt" dir="auto">{}</span>',
        begins, visible(answer),
    )  # fmt: skip


def excerpt(text: str, length: int) -> str:
    """Return the beginning of a text, or a dash for an empty one."""
    return shortened(text, length) or NOTHING


def moment(when: datetime | None) -> str:
    """Return a time to the minute in the server's time zone, or a dash."""
    return date_format(localtime(when), "DATETIME_FORMAT") if when else NOTHING


def brief(when: datetime | None) -> SafeString | str:
    """Return a time without what it shares with now (day or year); all of it on hovering."""
    if when is None:
        return NOTHING
    local, now = localtime(when), localtime()
    words = (
        "H:i" if local.date() == now.date() else "j M H:i" if local.year == now.year else "j M Y"
    )
    return format_html(
        '<time datetime="{}" title="{}">{}</time>',
        local.isoformat(), moment(when), date_format(local, words),
    )  # fmt: skip


def values(metadata: dict[str, object]) -> SafeString | str:
    """Show what the application noted with a check, such as its ticket."""
    text = ", ".join(f"{name} {value}" for name, value in metadata.items())
    brief_text = ", ".join(str(value) for value in metadata.values())
    return format_html('<span title="{}">{}</span>', text, brief_text) if brief_text else ""
