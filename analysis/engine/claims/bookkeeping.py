"""Fields of a structured answer about the answer itself: its confidence, its citations."""

import re

_SHARES = {"confidence", "score", "probability", "certainty"}
_REFERENCES = {"source", "sources", "citation", "citations", "reference", "references"}
_OWN_FORM = {"language", "lang", "format", "type"}
_SHARE = re.compile(r"0?\.\d+|[01](?:\.0+)?|\d{1,3} ?%|\d{1,3}|high|medium|low", re.IGNORECASE)
_REFERENCE = re.compile(
    r"\[?(?:(?:source|doc|document|passage|s|d|p)[ _-]?)?\d{1,3}\]?", re.IGNORECASE
)
_FORM = re.compile(r"[a-z]{2}(?:-[A-Za-z]{2})?|text|json|markdown|answer|string")


def is_bookkeeping(key: str, value: str) -> bool:
    """Return whether a field states an answer's confidence, citation or language."""
    kinds = ((_SHARES, _SHARE), (_REFERENCES, _REFERENCE), (_OWN_FORM, _FORM))
    key, value = key.lower(), value.lower()
    return any(key in keys and pattern.fullmatch(value) for keys, pattern in kinds)
