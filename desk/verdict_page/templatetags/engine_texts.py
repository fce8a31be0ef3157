"""`{{ text|in_words }}`: a message of the engine in the reader's language."""

from django import template

from desk.verdict_page import engine_texts

register = template.Library()


@register.filter
def in_words(text: str | None) -> str:
    """The message; empty where there is none."""
    return engine_texts.in_words(text) if text else ""
