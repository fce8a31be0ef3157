"""`{% destinations as items %}`: the navigation for the logged-in user."""

from typing import Any

from django import template

from accounts import navigation
from accounts.navigation import Destination

register = template.Library()


@register.simple_tag(takes_context=True)
def destinations(context: dict[str, Any]) -> list[Destination]:
    """Return the entries for this request; none on a page rendered without one."""
    request = context.get("request")
    return navigation.destinations(request.user, request.path) if request else []
