"""Batches in the admin."""

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext_lazy as _

from analysis.admin.base import RowPageAdmin
from analysis.models import Batch
from analysis.selectors.checks import states_in


@admin.register(Batch)
class BatchAdmin(RowPageAdmin):
    list_display = ("created_at", "application", "items_total", "refused")
    list_select_related = ("application",)
    ordering = ("-id",)

    @admin.display(description=_("refused"))
    def refused(self, batch: Batch) -> int:
        return len(batch.errors)

    def row_page(self, request: HttpRequest, batch: Batch) -> HttpResponse:
        """Show a batch: its progress, the refused items and links to its checks."""
        context = self.page_context(request, batch, batch=batch, states=states_in(batch).items())
        return TemplateResponse(request, "admin/analysis/batch/batch.html", context)
