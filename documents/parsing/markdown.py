"""Markdown: rendered, then read as the HTML that a reader would see.

So comments and elements hidden in raw HTML are dropped and reported by one set of rules.
"""

from markdown_it import MarkdownIt

from documents.parsing import html
from documents.parsing.encodings import decode
from documents.parsing.types import Extract, ParsingContext


def parse(data: bytes, context: ParsingContext) -> Extract:
    """The visible text of a Markdown file; its first heading is the title."""
    decoded = decode(data)
    page = MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(decoded.text)
    return html.read(page, decoded, context)
