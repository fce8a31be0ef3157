"""The trail in the admin: read-only, for auditors of an application.

Leads and reviewers do not see it: it would reveal the first decision while a blind second review is
open. The events of one check are shown on the check's page to everybody who may see it.
"""

import json
from collections.abc import Iterator
from functools import partial
from typing import Any

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import HttpRequest
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from accounts import access
from accounts.filters import ApplicationFilter
from accounts.member_admin import MemberList
from accounts.models import Application
from analysis.admin.badges import short_id, texts
from analysis.admin.base import MemberAdmin
from analysis.admin.trail_words import actor_in_words, data_in_words, subject_in_words
from analysis.admin.verification import verification_page
from analysis.selectors.excerpts import texts_of
from audit.models import TrailEntry, event_words

_PAGES = {name: f"admin:analysis_{name}_change" for name in ("check", "review", "policy")}
VERIFICATION = "audit_trailentry_verification"
_LONGEST = 160
_SHORT_ID = 24


class TrailList(MemberList):
    """A page of trail entries, each with the question and answer of its check."""

    def get_results(self, request: HttpRequest) -> None:
        """Read the page, then the texts of all its checks in two queries."""
        super().get_results(request)
        entries: list[Any] = list(self.result_list)
        texts = texts_of((entry.subject_type, entry.subject_id) for entry in entries)
        for entry in entries:
            entry.texts = texts.get((entry.subject_type, entry.subject_id), ("", ""))
        self.result_list = entries


class _ApplicationFilter(ApplicationFilter):
    path = "application_id"


class _EventFilter(admin.ChoicesFieldListFilter):
    """A filter by event, labelled as in the list."""

    def choices(self, changelist: ChangeList) -> Iterator[Any]:
        for choice in super().choices(changelist):
            yield {**choice, "display": event_words(str(choice["display"]))}


@admin.register(TrailEntry)
class TrailEntryAdmin(MemberAdmin):
    """The trail, newest first; entries that belong to no application are for superusers."""

    list_display = ("at", "event_word", "about", "by", "application", "details")
    list_display_links = ("at",)
    list_filter = (_ApplicationFilter, ("event", _EventFilter))
    allowed_lookups = frozenset({"event__exact", "application"})
    search_fields = ("subject_id",)
    search_help_text = _(
        "The whole id of what an entry is about: a check, a review, a log-in name."
    )
    ordering = ("-id",)
    fields = readonly_fields = (
        "id", "at", "event_word", "about", "subject_id", "by", "application",
        "application_id", "in_words", "whole",
    )  # fmt: skip

    def has_module_permission(self, request: HttpRequest) -> bool:
        return access.audits_anything(request.user)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return whether the user audits the entry's application, or any if there is no entry."""
        if obj is None or request.user.is_superuser:
            return access.audits_anything(request.user)
        return access.auditing(request.user).filter(pk=obj.application_id).exists()

    def get_urls(self) -> list[URLPattern]:
        """Add the verification page to the stock URLs."""
        page = self.admin_site.admin_view(partial(verification_page, self))
        return [path("verification/", page, name=VERIFICATION), *super().get_urls()]

    def get_queryset(self, request: HttpRequest) -> QuerySet[TrailEntry]:
        """Return the entries of the applications that the user audits, with their names."""
        names = Application.objects.filter(pk=OuterRef("application_id")).values("name")
        trail_entries = TrailEntry.objects.annotate(named=Subquery(names)).order_by("-id")
        if request.user.is_superuser:
            return trail_entries
        mine = access.auditing(request.user).order_by().values_list("pk", flat=True)
        return trail_entries.filter(application_id__in=list(mine))

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[TrailEntry], search_term: str
    ) -> tuple[QuerySet[TrailEntry], bool]:
        """Find entries by the complete id of their subject, which is indexed."""
        words = search_term.strip()
        return (queryset.filter(subject_id=words) if words else queryset), False

    @admin.display(description=_("when (UTC)"))
    def at(self, entry: TrailEntry) -> str:
        return entry.time_words

    @admin.display(description=_("event"))
    def event_word(self, entry: TrailEntry) -> str:
        return entry.event_words

    @admin.display(description=_("actor"), ordering="actor")
    def by(self, entry: TrailEntry) -> str:
        return actor_in_words(entry.actor)

    @admin.display(description=_("about"))
    def about(self, entry: Any) -> SafeString | str:
        """Return a link to the entry's subject, with the question and answer if it is a check."""
        page = _PAGES.get(entry.subject_type)
        kind, excerpts = subject_in_words(entry.subject_type), getattr(entry, "texts", ("", ""))
        if not page:
            return format_html("{} {}", kind, _id(entry.subject_id))
        link = reverse(page, args=[entry.subject_id])
        if entry.subject_type == "check":
            if any(excerpts):
                return format_html('<a href="{}">{}</a>', link, texts(*excerpts))
            return format_html('<a href="{}">{}</a> {}', link, kind, short_id(entry.subject_id))
        number = entry.data.get("version") if entry.subject_type == "policy" else None
        return format_html(
            '<a href="{}">{} {}<span class="wd-excerpt">{}</span></a>',
            link, kind, number or entry.subject_id, excerpts[0],
        )  # fmt: skip

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[TrailList]:
        return TrailList

    @admin.display(description=_("application"), empty_value="")
    def application(self, entry: Any) -> str | None:
        """Return the application's name, or its id if the application no longer exists."""
        name: str | None = entry.named
        return name

    @admin.display(description=_("details"))
    def details(self, entry: TrailEntry) -> str:
        """Return the entry's identifiers and digests in words, cut short for the list."""
        text = data_in_words(entry.data)
        return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"

    @admin.display(description=_("details"))
    def in_words(self, entry: TrailEntry) -> str:
        """Return the entry's identifiers and digests in words, in full."""
        return data_in_words(entry.data)

    @admin.display(description=_("data as sealed"))
    def whole(self, entry: TrailEntry) -> str:
        """Return all data of the entry as it is sealed, in JSON."""
        return json.dumps(entry.data, ensure_ascii=False, sort_keys=True)


def _id(subject_id: str) -> SafeString | str:
    """Return a long identifier shortened, with a copy button; a short one unchanged."""
    return short_id(subject_id) if len(subject_id) > _SHORT_ID else subject_id
