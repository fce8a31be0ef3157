"""Policies in the admin: every version, its rules as a table. A change is a new version."""

from collections.abc import Iterator
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse

from accounts.filters import ApplicationFilter
from analysis.admin.base import MemberAdmin
from analysis.models import Policy


@admin.register(Policy)
class PolicyAdmin(MemberAdmin):
    """The version in force is marked."""

    list_display = ("version", "application", "is_active", "note", "created_by", "created_at")
    list_filter = (ApplicationFilter, "is_active")
    list_select_related = ("application",)
    ordering = ("application", "-version")
    allowed_lookups = frozenset({"application", "is_active__exact"})

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """The rules of one version."""
        if request.method not in ("GET", "HEAD"):
            raise PermissionDenied
        policy = self.get_object(request, object_id)
        if policy is None:
            return self.missing(request)
        context = self.page_context(request, policy, policy=policy, rules=list(rules(policy.rules)))
        return TemplateResponse(request, "admin/analysis/policy/policy.html", context)


def rules(document: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """A rules document as lines of name and value: `weights → overconfidence`, `20`."""
    if isinstance(document, dict) and document:
        for member, value in document.items():
            words = member.replace("_", " ")
            yield from rules(value, f"{name} → {words}" if name else words)
    else:
        yield name, value_words(document)


def value_words(value: Any) -> str:
    """Plain words for a JSON value."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(value_words(item) for item in value) or "none"
    return "not set" if value is None or value == {} else str(value)
