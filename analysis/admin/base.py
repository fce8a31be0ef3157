"""What every admin page of this app shares: read-only, seen by members of the application."""

from typing import Any

from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.core.paginator import Page, Paginator
from django.db.models import Model
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from accounts import member_admin
from audit.admin import ReadOnlyAdmin

COLUMNS = (gettext_noop("action"), gettext_noop("risk level"), gettext_noop("state"))
"""Names of columns that filters are titled by; the template translates them."""


class BoundedPaginator(Paginator[Any]):
    """Counts no further than LIMIT, so that a list of millions costs what a short one does.

    What lies behind the last page is reached by the filters.
    """

    LIMIT = 2_000

    @cached_property
    def count(self) -> int:
        """Rows, at most LIMIT."""
        rows: Any = self.object_list
        total: int = rows.order_by().values("pk")[: self.LIMIT].count()
        return total


class KeysFirst(BoundedPaginator):
    """Finds the keys of a page first, in an index alone, and then reads these rows.

    Asked for whole rows, PostgreSQL walks back over the table where it takes what a filter wants
    to be spread evenly; where that is years old, it reads hundreds of thousands of rows.
    """

    def page(self, number: int | str) -> Page[Any]:
        valid = self.validate_number(number)
        first = (valid - 1) * self.per_page
        rows: Any = self.object_list
        keys = list(rows.values_list("pk", flat=True)[first : first + self.per_page])
        return Page(rows.filter(pk__in=keys), valid, self)


class MemberAdmin(ReadOnlyAdmin, member_admin.MemberAdmin):
    """Seen by whoever is a member of the row's application; no Django permissions needed."""

    paginator = BoundedPaginator
    actions: Any = None
    list_per_page = list_max_show_all = 50
    allowed_lookups: frozenset[str] = frozenset()

    class Media:
        css = {"all": ("watchdog/watchdog.css",)}

    @admin.display(description=gettext_lazy("application"))
    def of_application(self, obj: Any) -> str:
        return str(obj.application)

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Only what the filters send: no oracle into other columns, no unindexed search."""
        return lookup in self.allowed_lookups

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The stock list under its own name instead of "Select check to view"."""
        title = capfirst(self.opts.verbose_name_plural)
        return super().changelist_view(request, {"title": title, **(extra_context or {})})

    def missing(self, request: HttpRequest) -> HttpResponse:
        """An unknown row and one of another application are answered alike."""
        messages.warning(request, _("What you asked for doesn’t exist."))
        return HttpResponseRedirect(reverse("admin:index"))

    def site_context(self, request: HttpRequest, **more: Any) -> dict[str, Any]:
        """What the stock admin templates need around a page of our own."""
        site = self.admin_site.each_context(request)
        return {**site, "opts": self.opts, "media": self.media, **more}

    def page_context(self, request: HttpRequest, obj: Model, **more: Any) -> dict[str, Any]:
        """The same for a page of one row."""
        return {
            **self.site_context(request),
            "original": obj,
            "title": str(obj),
            "list_url": reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist"),
            **more,
        }


class RowPageAdmin(MemberAdmin):
    """Rows have a page of their own instead of Django's form."""

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """The page of a row, to read only."""
        if request.method not in ("GET", "HEAD"):
            raise PermissionDenied
        row = self.get_object(request, object_id)
        return self.missing(request) if row is None else self.row_page(request, row)

    def row_page(self, request: HttpRequest, row: Any) -> HttpResponse:
        """The page of a row that this person may see."""
        raise NotImplementedError


def person(request: HttpRequest) -> User:
    """Who is logged in; the admin lets nobody else this far."""
    if not isinstance(request.user, User):
        raise TypeError("an admin view was called without a person")
    return request.user
