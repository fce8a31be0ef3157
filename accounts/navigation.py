"""The product's navigation: the pages offered to a person, and which of them is open."""

from collections.abc import Callable
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


# Label, name of the view, and the paths that the pages of the section begin with; none for a page
# that is a section alone.
_REVIEWS = (_("Reviews"), "admin:analysis_review_workbench", ("/admin/analysis/review/",))
_AUDIT = (_("Audit"), "admin:audit_trailentry_verification", ("/admin/audit/",))
_DESK: tuple[tuple[str | Promise, str, tuple[str, ...]], ...] = (
    (
        _("Checks"),
        "admin:analysis_check_changelist",
        ("/admin/analysis/check/", "/admin/analysis/batch/"),
    ),
    (_("Insights"), "dashboard_checks", ("/admin/dashboard/",)),
    (
        _("Policies"),
        "admin:analysis_policy_changelist",
        ("/admin/analysis/policy/", "/admin/advice/", "/admin/analysis/job/"),
    ),
)
# The last: every page of the desk that is in no other section.
_SETTINGS = (_("Settings"), "settings", ("/settings/", "/playground/", "/admin/"))
_ASSISTANT: tuple[tuple[str | Promise, str, tuple[str, ...]], ...] = (
    (_("Assistant"), "assistant_page", ("/assistant/",)),
    (_("Memory"), "memory_page", ("/memory/",)),
)


def _only_audits(user: Person) -> bool:
    return access.audits_anything(user) and not access.decides_anything(user)


# What a page of settings is about, its view, and who is offered it.
_SETTINGS_PAGES: tuple[
    tuple[Promise, tuple[tuple[Promise, str, Callable[[Person], bool]], ...]], ...
]
_SETTINGS_PAGES = (
    (_("People"), (
        (_("People and roles"), "admin:accounts_membership_changelist", access.manages_anything),
        (_("Teams"), "admin:accounts_team_changelist", access.sees_anything),
        (_("Holidays"), "admin:accounts_holiday_changelist", access.sees_anything),
        (_("Instructions for reviewers"), "admin:analysis_queueinstructions_changelist",
         access.sees_anything),
    )),
    (_("Documents"), (
        (_("Collections"), "admin:documents_collection_changelist", access.sees_anything),
        (_("All documents"), "admin:documents_document_changelist", access.sees_anything),
    )),
    (_("Assistant"), (
        (_("Managers"), "admin:memory_manager_changelist", access.sees_anything),
        (_("Memory entries"), "admin:memory_memoryentry_changelist", access.sees_anything),
    )),
    (_("Developers"), (
        (_("Playground"), "playground", access.sees_anything),
        (_("Webhooks and e-mails"), "admin:notifications_subscription_changelist",
         access.sees_anything),
        (_("API keys"), "admin:accounts_apikey_changelist", access.is_superuser),
        (_("API documentation"), "docs", access.sees_anything),
    )),
    (_("Operations"), (
        (_("Applications"), "admin:accounts_application_changelist", access.is_superuser),
        (_("Probes"), "probes_page", access.sees_anything),
        (_("Cases"), "admin:analysis_case_changelist", access.manages_anything),
        (_("Reviews"), "admin:analysis_review_changelist", _only_audits),
        (_("Audit"), "admin:audit_trailentry_verification",
         lambda user: access.audits_anything(user) and not _only_audits(user)),
        (_("Evidence packs"), "evidence_page", access.sees_anything),
        (_("Usage"), "usage_page", access.sees_anything),
        (_("All records"), "admin:index", access.is_superuser),
    )),
)  # fmt: skip


def destinations(user: Person, path: str) -> list[Destination]:
    """Return the navigation for this person, in order; empty before log-in.

    `path` is that of the current page. Staff have five entries, the first by role: who only audits
    finds reviews among the settings, and everybody else the audit.
    """
    if not user.is_authenticated:
        return []
    entries = _ASSISTANT
    if user.is_staff and access.sees_anything(user):
        entries = (_AUDIT if _only_audits(user) else _REVIEWS, *_DESK, _SETTINGS)
    current = next((label for label, _view, starts in entries if path.startswith(starts)), None)
    return [Destination(label, reverse(view), label is current) for label, view, _starts in entries]


def settings_pages(user: Person) -> list[tuple[Promise, list[tuple[Promise, str]]]]:
    """Return the pages of settings that this person may open, as label and address by subject."""
    subjects = (
        (subject, [(label, reverse(view)) for label, view, is_offered in pages if is_offered(user)])
        for subject, pages in _SETTINGS_PAGES
    )
    return [(subject, pages) for subject, pages in subjects if pages]
