"""`{% provider_link %}`: the link to the provider, if there is one."""

from typing import Any

from django import template
from django.conf import settings
from django.urls import reverse
from django.utils.http import urlencode

register = template.Library()


@register.inclusion_tag("accounts/provider_link.html", takes_context=True)
def provider_link(context: dict[str, Any]) -> dict[str, Any]:
    """Return the URL with the page to return to; empty without a provider."""
    if not settings.OIDC_ISSUER:
        return {"address": ""}
    aim = context.get("next")
    query = "?" + urlencode({"next": aim}) if aim else ""
    return {"address": reverse("oidc_begin") + query, "label": settings.OIDC_LABEL}


@register.simple_tag
def password_form() -> bool:
    """Return whether anybody may log in with a password."""
    return bool(settings.LOCAL_LOGIN or settings.BREAK_GLASS_USER)
