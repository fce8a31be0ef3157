"""Reads messages that were filled into templates: finds the template and the values.

A template has named values: "{n} of {total} claims". Records keep messages in English; a page that
reads one back can show it in another language.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

_FIELD = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Message:
    """A template and the values that it was filled with."""

    template: str
    values: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Templates:
    """Templates to read messages by; the one with the most words of its own comes first."""

    patterns: tuple[tuple[re.Pattern[str], str], ...]

    @classmethod
    def of(cls, templates: Iterable[str], shapes: Mapping[str, str]) -> "Templates":
        """Compile templates given in any order.

        `shapes` has regular expressions for some values.
        """
        longest_first = sorted(set(templates), key=lambda text: (-len(_FIELD.sub("", text)), text))
        return cls(tuple((_pattern(text, shapes), text) for text in longest_first))

    def read(self, text: str) -> Message | None:
        """Return the template that the whole text was made from, with its values.

        None without one.
        """
        for pattern, template in self.patterns:
            if match := pattern.fullmatch(text):
                return Message(template, match.groupdict())
        return None


def names_in(template: str) -> set[str]:
    """Return the names of the values that a template takes."""
    return set(_FIELD.findall(template))


def fill(template: str, values: Mapping[str, str]) -> str:
    """Return the template with its values; a brace within a value stays as it is."""
    return _FIELD.sub(lambda field: values[field[1]], template)


def _pattern(template: str, shapes: Mapping[str, str]) -> re.Pattern[str]:
    parts = _FIELD.split(template)
    texts, names = parts[::2], parts[1::2]
    groups = [f"(?P<{name}>{shapes.get(name, '.+?')})" for name in names] + [""]
    escaped = (re.escape(text) + group for text, group in zip(texts, groups, strict=True))
    return re.compile("".join(escaped), re.DOTALL)
