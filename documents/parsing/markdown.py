"""Markdown: rendered, then read as the HTML that a reader would see.

So the same rules drop and report comments and hidden elements in raw HTML.
"""

import re
from collections.abc import Sequence
from html import escape
from typing import Any

from lxml.html import defs
from markdown_it import MarkdownIt
from markdown_it.token import Token

from documents.parsing import html
from documents.parsing.encodings import decode
from documents.parsing.types import Extract, ParsingLimits

_FRONT_MATTER = re.compile(r"\ufeff?---[ \t]*\r?\n((?:[^\r\n]*\r?\n){1,200}?)---[ \t]*(?:\r?\n|$)")
_TAG = re.compile(r"</?([a-zA-Z][\w-]*)")


def parse(data: bytes, limits: ParsingLimits) -> Extract:
    """Return the visible text of a Markdown file; its first heading is the title.

    Front matter stays as plain lines.
    """
    decoded = decode(data)
    front = _FRONT_MATTER.match(decoded.text)
    body = decoded.text[front.end() :] if front else decoded.text
    renderer = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    for kind in ("html_inline", "html_block"):
        renderer.add_render_rule(kind, _raw)
    page = renderer.render(body)
    if front:
        page = f"<pre>{escape(front[1].strip())}</pre>{page}"
    return html.read(page, decoded)


def _raw(_: Any, tokens: Sequence[Token], at: int, *__: Any) -> str:
    """Return raw HTML unchanged; a placeholder ("<your department>") is escaped as text."""
    content = tokens[at].content
    tag = _TAG.match(content.lstrip())
    return content if tag is None or tag[1].lower() in defs.tags else escape(content)
