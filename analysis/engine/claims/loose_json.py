"""JSON as language models write it: with comments, a comma too many, or Python's quotation marks.

What is mended keeps its length, so that every offset stays right.
"""

import json
import re

_FENCED = re.compile(r"(?:```|~~~)\w*[ \t]*\n(.*?)\n[ \t]*(?:```|~~~)", re.DOTALL)
_STRING = r'"(?:[^"\\\n]|\\.)*"'
_COMMENT = re.compile(rf"({_STRING})|//[^\n]*|/\*.*?\*/|(?<=\s)#[^\n]*", re.DOTALL)
_LAST_COMMA = re.compile(rf"({_STRING})|,(?=\s*[}}\]])")
_PYTHON = re.compile(rf"({_STRING})|'((?:[^'\"\\\n])*)'|\b(True|False|None)\b")
_WORDS = {"True": "true", "False": "false", "None": "null"}
_LONGEST = 200_000


def strict_json(answer: str) -> str:
    """The answer, in which what is loose JSON is JSON; the same text where none is."""
    if "{" not in answer and "[" not in answer:
        return answer
    spans = [match.span(1) for match in _FENCED.finditer(answer)] or [(0, len(answer))]
    for start, end in spans:
        text = answer[start:end]
        if not text.lstrip().startswith(("{", "[")) or len(text) > _LONGEST or _is_json(text):
            continue
        mended = _mended(text)
        if _is_json(mended):
            answer = answer[:start] + mended + answer[end:]
    return answer


def _mended(text: str) -> str:
    text = _COMMENT.sub(lambda match: match[1] or re.sub(r"\S", " ", match[0]), text)
    text = _PYTHON.sub(_as_json, text)
    return _LAST_COMMA.sub(lambda match: match[1] or " ", text)


def _as_json(match: re.Match[str]) -> str:
    if match[2] is not None:
        return f'"{match[2]}"'
    return match[1] or _WORDS[match[3]]


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
