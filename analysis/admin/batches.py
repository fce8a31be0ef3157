"""Batches in the admin."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext_lazy as _

from analysis.admin.base import MemberAdmin
from analysis.models import Batch
from analysis.selectors.checks import states_in


@admin.register(Batch)
class BatchAdmin(MemberAdmin):
    """Newest first."""

    list_display = ("created_at", "application", "items_total", "refused")
    list_select_related = ("application",)
    ordering = ("-id",)

    @admin.display(description=_("refused"))
    def refused(self, batch: Batch) -> int:
        """Items that were not accepted."""
        return len(batch.errors)

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """How far it is, what was refused, and the way to its checks."""
        if request.method not in ("GET", "HEAD"):
            raise PermissionDenied
        batch = self.get_object(request, object_id)
        if batch is None:
            return self.missing(request)
        context = self.page_context(request, batch, batch=batch, states=states_in(batch).items())
        return TemplateResponse(request, "admin/analysis/batch/batch.html", context)
