"""Legal holds, for superusers: lifted by an action, never deleted; and own probes."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import ForeignKey, QuerySet
from django.forms import ModelForm
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.filters import ApplicationFilter
from accounts.member_admin import ListAdmin, yes_or_no
from analysis.models import LegalHold, Probe
from analysis.services.erasure import lift_hold, place_hold
from analysis.services.probing import delete_probe, save_probe
from api.pages.playground import SEPARATION, join_sources, split_sources
from notifications.admin import OverseenAdmin


@admin.register(LegalHold)
class LegalHoldAdmin(ListAdmin):
    """An admin for what must not be erased, and why."""

    list_display = ("reason", "application", "check_record", "placed_by", "placed_at", "lifted_at")
    list_filter = (ApplicationFilter,)
    list_select_related = ("application", "check_record")
    readonly_fields = ("placed_by", "placed_at", "lifted_by", "lifted_at")
    ordering = ("-pk",)
    actions = ("lift",)

    def formfield_for_foreignkey(
        self, db_field: "ForeignKey[Any, Any]", request: HttpRequest, **kwargs: Any
    ) -> Any:
        """Take a check by its id: there are too many to choose from."""
        if db_field.name == "check_record":
            text = _("The id of a check; empty: everything of the application.")
            kwargs |= {"widget": forms.TextInput, "label": _("Check"), "help_text": text}
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """Return the input fields; afterwards also by whom and when."""
        fields = ("application", "check_record", "reason")
        return (*fields, *self.readonly_fields) if obj else fields

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Allow no change: lift a hold and place another."""
        return obj is None and super().has_change_permission(request)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never allow deletion: the trail refers to it."""
        return False

    def save_model(
        self, request: HttpRequest, obj: LegalHold, form: ModelForm[Any], change: bool
    ) -> None:
        hold = place_hold(
            application=obj.application,
            check=obj.check_record,
            reason=obj.reason,
            by=str(request.user),
        )
        obj.pk = hold.pk

    @admin.action(description=_("Lift the selected holds"), permissions=["add"])
    def lift(self, request: HttpRequest, queryset: QuerySet[LegalHold]) -> None:
        """Lift the holds, so that their checks may be erased."""
        lifted = sum(lift_hold(hold, by=str(request.user)) for hold in queryset)
        text = ngettext("%d hold lifted.", "%d holds lifted.", lifted)
        messages.success(request, text % lifted)


class ProbeForm(forms.ModelForm[Probe]):
    """A probe, with its sources as one text as in the playground."""

    sources = forms.CharField(
        required=False, help_text=SEPARATION, widget=forms.Textarea({"rows": 7, "dir": "auto"})
    )

    class Meta:
        model = Probe
        fields = ("application", "name", "query", "answer", "sources", "verdict", "is_active")
        help_texts = {
            "name": _(
                "Use the name of a built-in probe to replace it; clear Active to switch it off. "
                "Lower-case letters, digits and hyphens only."
            )
        }

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.initial["sources"] = join_sources(self.instance.sources)

    def clean_sources(self) -> list[str]:
        return split_sources(self.cleaned_data["sources"])


@admin.register(Probe)
class ProbeAdmin(OverseenAdmin):
    """An application's own probes: read by leads and auditors, changed by leads."""

    form = ProbeForm
    list_display = ("name", "application", "verdict", "active")
    list_filter = (ApplicationFilter,)
    list_select_related = ("application",)
    ordering = ("application__name", "name")
    fields = ProbeForm.Meta.fields
    active = yes_or_no("is_active", _("active"))

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Allow leads of the application."""
        return self.has_change_permission(request, obj)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """Return the application as read-only once the probe exists."""
        return ("application",) if obj else ()

    def save_model(
        self, request: HttpRequest, obj: Probe, form: ModelForm[Any], change: bool
    ) -> None:
        save_probe(probe=obj, by=str(request.user))

    def delete_model(self, request: HttpRequest, obj: Probe) -> None:
        delete_probe(probe=obj, by=str(request.user))
