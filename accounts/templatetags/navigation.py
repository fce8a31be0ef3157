"""The navigation for the logged-in user, and what a row of a list says on a phone."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst

from accounts import navigation
from accounts.navigation import Destination

register = template.Library()


@register.simple_tag(takes_context=True)
def destinations(context: dict[str, Any]) -> list[Destination]:
    """Return the entries for this request; none on a page rendered without one."""
    request = context.get("request")
    return navigation.destinations(request.user, request.path) if request else []


@register.filter
def labelled(cells: Iterable[str], headers: Sequence[Mapping[str, Any]]) -> SafeString:
    """Return a row's cells, each with its column's name for a phone, where a row is a card.

    Django has rendered the cells: each begins with `<td` or `<th`.
    """
    return mark_safe(  # noqa: S308  of Django's cells, and names that are escaped here
        "".join(
            cell[:3] + format_html(' data-label="{}"', capfirst(header["text"])) + cell[3:]
            if "action-checkbox" not in (header.get("class_attrib") or "")
            else cell
            for cell, header in zip(cells, headers, strict=True)
        )
    )
