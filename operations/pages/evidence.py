"""The page of evidence packs: the figures of a period, and the pack as a signed file."""

from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from accounts import access
from accounts.models import Application
from operations.evidence import (
    MEDIA_TYPES,
    Period,
    PeriodRefused,
    chapters_of,
    export_pack,
    in_words,
    month_before,
)

_MOST_SHOWN = 20


class _Day(forms.DateInput):
    """A day in the format that browsers use, YYYY-MM-DD."""

    input_type = "date"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%d")


class EvidenceForm(forms.Form):
    application = forms.ModelChoiceField(Application.objects.none(), label=_("Application"))
    first = forms.DateField(label=_("First day (UTC)"), widget=_Day())
    last = forms.DateField(label=_("Last day (UTC)"), widget=_Day())

    def clean(self) -> dict[str, Any]:
        """Require a period of at most a year that begins before it ends."""
        values = super().clean() or self.cleaned_data
        if {"application", "first", "last"} <= values.keys():
            try:
                values["period"] = Period(values["application"], values["first"], values["last"])
            except PeriodRefused:
                self.add_error("first", gettext("Choose days in their order, at most a year."))
        return values


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Show the chapters of a period of an application that this person leads or audits."""
    form = _form(request)
    context: dict[str, Any] = {
        **admin.site.each_context(request),
        "title": _("Evidence packs"),
        "form": form,
        "query": form.data.urlencode() if hasattr(form.data, "urlencode") else "",
        "formats": [(format_, format_.upper()) for format_ in MEDIA_TYPES],
        "most": _MOST_SHOWN,
    }
    if form.is_valid():
        context["chapters"] = in_words(chapters_of(form.cleaned_data["period"]))
    status = 400 if form.is_bound and not form.is_valid() else 200
    return TemplateResponse(request, "operations/evidence.html", context, status=status)


@require_safe
def download(request: HttpRequest, format_: str) -> HttpResponse:
    form = _form(request)
    if format_ not in MEDIA_TYPES or not form.is_valid():
        raise Http404
    period: Period = form.cleaned_data["period"]
    pack = export_pack(period, [format_], by=str(request.user))[format_]
    answer = HttpResponse(pack, content_type=MEDIA_TYPES[format_])
    answer["Content-Disposition"] = f'attachment; filename="{period.name}.{format_}"'
    answer["Cache-Control"] = "no-store"
    return answer


def _form(request: HttpRequest) -> EvidenceForm:
    """Return the form for the requested period, or for the last month."""
    if not access.oversees_anything(request.user):
        raise PermissionDenied
    applications = access.overseeing(request.user)
    first, last = month_before(timezone.now().date())
    initial = {"application": applications.first(), "first": first, "last": last}
    form = EvidenceForm(request.GET or None, initial=initial)
    form.fields["application"].queryset = applications  # type: ignore[attr-defined]
    return form
