"""Template filters: engine messages in the reader's language, and codes by their labels."""

from collections.abc import Mapping, Sequence

from django import template

from analysis.admin.trail_words import actor_in_words
from desk.verdict_page import engine_texts

register = template.Library()


@register.filter
def in_words(text: str | None) -> str:
    """Return the translated message, or "" if there is none."""
    return engine_texts.in_words(text) if text else ""


@register.filter
def actor(name: str) -> str:
    """Return who did something as pages name it."""
    return actor_in_words(name)


@register.filter
def labelled(codes: Sequence[str], labels: Mapping[str, str]) -> str:
    """Return the labels of these codes, "Outdated source, Wrong figure"."""
    return ", ".join(labels[code] for code in codes)
