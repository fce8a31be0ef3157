"""The sentences of what a manager said."""

from text.sentences import finer_sentences


def split(statement: str) -> list[str]:
    """The sentences, without the spaces between them."""
    parts = (statement[one.start : one.end].strip() for one in finer_sentences(statement))
    return [part for part in parts if part]
