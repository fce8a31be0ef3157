"""Base classes of this app's admin: read-only pages for members of an application."""

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
from accounts.member_admin import ReadOnlyAdmin

COLUMNS = (gettext_noop("action"), gettext_noop("risk level"), gettext_noop("state"))
"""Names of columns that filters are titled by; the template translates them."""


class BoundedPaginator(Paginator[Any]):
    """A paginator that counts at most LIMIT rows, so that a list of millions stays cheap.

    Rows behind the last page are reached through the filters.
    """

    LIMIT = 2_000

    @cached_property
    def count(self) -> int:
        """The number of rows, at most LIMIT."""
        rows: Any = self.object_list
        total: int = rows.order_by().values("pk")[: self.LIMIT].count()
        return total


class KeysFirst(BoundedPaginator):
    """A paginator that first finds the keys of a page in an index, and then reads those rows.

    Asked for whole rows, PostgreSQL walks back over the table because it assumes that the rows a
    filter wants are spread evenly; if they are years old, it reads hundreds of thousands.
    """

    def page(self, number: int | str) -> Page[Any]:
        valid = self.validate_number(number)
        first = (valid - 1) * self.per_page
        rows: Any = self.object_list
        keys = list(rows.values_list("pk", flat=True)[first : first + self.per_page])
        return Page(rows.filter(pk__in=keys), valid, self)


class MemberAdmin(ReadOnlyAdmin, member_admin.MemberAdmin):
    """An admin for members of the row's application; it needs no Django permissions."""

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
        """Allow only the filters' own lookups: no probing of other columns, no unindexed search."""
        return lookup in self.allowed_lookups

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show the stock list under the model's name instead of "Select check to view"."""
        title = capfirst(self.opts.verbose_name_plural)
        return super().changelist_view(request, {"title": title, **(extra_context or {})})

    def missing(self, request: HttpRequest) -> HttpResponse:
        """Redirect to the home page with one message, for an unknown row and for a foreign one."""
        messages.warning(request, _("It doesn’t exist, or is not for you to see."))
        return HttpResponseRedirect(reverse("home"))

    def site_context(self, request: HttpRequest, **more: Any) -> dict[str, Any]:
        """Return the context that stock admin templates need on a page of our own."""
        site = self.admin_site.each_context(request)
        return {**site, "opts": self.opts, "media": self.media, **more}

    def page_context(self, request: HttpRequest, obj: Model, **more: Any) -> dict[str, Any]:
        """Return the template context of a page about one row."""
        return {
            **self.site_context(request),
            "original": obj,
            "title": str(obj),
            "list_url": reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist"),
            **more,
        }


class RowPageAdmin(MemberAdmin):
    """An admin whose rows have a read-only page instead of Django's form."""

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show the read-only page of a row; refuse every method that writes."""
        if request.method not in ("GET", "HEAD"):
            raise PermissionDenied
        row = self.get_object(request, object_id)
        return self.missing(request) if row is None else self.row_page(request, row)

    def row_page(self, request: HttpRequest, row: Any) -> HttpResponse:
        """Return the page of a row that this person may see; subclasses implement it."""
        raise NotImplementedError


def person(request: HttpRequest) -> User:
    """Return the logged-in user; raise TypeError if the view was called without one."""
    if not isinstance(request.user, User):
        raise TypeError("an admin view was called without a person")
    return request.user
