"""The product's navigation: the pages offered to a person, and which of them is open."""

from dataclasses import dataclass

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts import access
from accounts.access import Person


@dataclass(frozen=True, slots=True)
class Destination:
    """One entry of the navigation; `current` marks the section of the open page."""

    label: str | Promise
    url: str
    current: bool


# Label, name of the view, and the path that all pages of the section begin with; "" for a page that
# is a section alone.
_DESK: tuple[tuple[str | Promise, str, str], ...] = (
    (_("Home"), "home", ""),
    (_("Review desk"), "admin:analysis_review_workbench", "/admin/analysis/review/"),
    (_("Checks"), "admin:analysis_check_changelist", "/admin/analysis/check/"),
    (_("Dashboard"), "dashboard_checks", "/admin/dashboard/"),
    (_("Policies"), "admin:analysis_policy_changelist", "/admin/analysis/policy/"),
    (_("Documents"), "admin:documents_document_changelist", "/admin/documents/"),
    (_("Playground"), "playground", "/playground/"),
)
_AUDIT = (_("Audit"), "admin:audit_trailentry_verification", "/admin/audit/")
_ASSISTANT = (_("Assistant"), "assistant_page", "/assistant/")
_MEMORY = (_("Memory"), "memory_page", "/memory/")


def destinations(user: Person, path: str) -> list[Destination]:
    """Return the navigation for this person, in order; empty before log-in.

    `path` is that of the current page.
    """
    if not user.is_authenticated:
        return []
    desk = _DESK if user.is_staff and access.sees_anything(user) else ()
    if desk and access.audits_anything(user):
        desk = (*desk, _AUDIT)
    return [
        Destination(label, reverse(view), _is_current(path, reverse(view), section))
        for label, view, section in (*desk, _ASSISTANT, _MEMORY)
    ]


def _is_current(path: str, url: str, section: str) -> bool:
    return path == url or (section != "" and path.startswith(section))
