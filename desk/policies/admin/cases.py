"""Cases: added by leads, alone or from a file, and seen by nobody else."""

from typing import Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.db.models import Prefetch, QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import access
from accounts.filters import ApplicationFilter
from accounts.member_admin import MemberAdmin, yes_or_no
from analysis.admin.badges import outcome
from analysis.engine.types import Action
from analysis.models import Case, CaseUse, Review, ReviewDecision
from analysis.services.submission import NewCheck
from desk.policies.services.cases import CasesRefused, NewCase, add_cases, delete_case, read_cases
from desk.reviews.selectors.decision_counts import SETTLED


class CaseForm(forms.ModelForm[Case]):
    """One answer, or a file of answers, whose right decision is known."""

    use = forms.ChoiceField(
        label=_("purpose"),
        choices=[
            ("", _("Choose …")),
            (CaseUse.REGRESSION, _("Regression: decided again by every policy version")),
            (CaseUse.SEEDED, _("Seeded: placed in the review queue")),
        ],
    )
    name = forms.CharField(label=_("name"), max_length=100, required=False)
    file = forms.FileField(
        label=_("or upload a file of cases"),
        required=False,
        help_text=_(
            "A JSONL file: each line has response, context, query and label (1 = must not be "
            "shown)."
        ),
    )
    query = forms.CharField(label=_("question"), required=False, widget=forms.Textarea)
    answer = forms.CharField(label=_("answer"), required=False, widget=forms.Textarea)
    sources = forms.CharField(
        label=_("sources"),
        required=False,
        widget=forms.Textarea,
        help_text=_("Separate several sources with a line of three hyphens."),
    )

    class Meta:
        model = Case
        fields = ("application", "use", "name", "file", "query", "answer", "sources", "is_bad")
        help_texts: ClassVar = {"is_bad": _("The right decision is not to show the answer.")}

    def clean(self) -> dict[str, Any]:
        """Read the cases of the file, or the one of the fields."""
        values = super().clean() or {}
        if file := values.get("file"):
            try:
                values["cases"] = read_cases(file)
            except CasesRefused as error:
                self.add_error("file", str(error))
            else:
                if not values["cases"]:
                    self.add_error("file", _("The file has no lines."))
                values["name"] = values.get("name") or file.name[:100]
            return values
        answer = values.get("answer", "")
        if not answer:
            self.add_error("answer", _("An answer, or a file of answers."))
        sources = [part.strip() for part in values["sources"].replace("\r", "").split("\n---\n")]
        new = NewCheck(
            answer=answer, query=values["query"], sources=[part for part in sources if part] or None
        )
        values["name"] = values.get("name") or (values["query"] or answer)[:100]
        values["cases"] = [NewCase(values["name"], values["is_bad"], new)]
        return values


class PurposeFilter(admin.ChoicesFieldListFilter):
    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.title = _("purpose")


@admin.register(Case)
class CaseAdmin(MemberAdmin):
    """Leads alone see which answers are cases, and which decision is right."""

    form = CaseForm
    list_display = ("name", "application", "purpose", "bad", "machine", "decided")
    empty_list = _("Answers whose right decision is known, used to test reviewers and policies.")
    list_filter = (("use", PurposeFilter), ApplicationFilter)
    ordering = ("-created_at", "-pk")
    list_per_page = 100
    bad = yes_or_no("is_bad", _("must not be shown"))

    def has_module_permission(self, request: HttpRequest) -> bool:
        return access.manages_anything(request.user)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_delete_permission(request, obj)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False: a case stays what reviewers decided on."""
        return False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Case]:
        settled = Review.objects.filter(decision__in=SETTLED).select_related("decided_by")
        managed = access.leading(request.user).order_by().values("pk")
        rows: QuerySet[Case] = super().get_queryset(request).filter(application__in=managed)
        return rows.select_related("application", "check_record").prefetch_related(
            Prefetch("check_record__reviews", settled, to_attr="settled")
        )

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Return the fields of the form, or for a case those that are stored."""
        fields = ("application", "purpose", "name", "is_bad", "added_by", "created_at")
        return fields if obj else CaseForm.Meta.fields

    @admin.display(description=_("purpose"), ordering="use")
    def purpose(self, case: Case) -> str:
        return case.get_use_display()

    @admin.display(description=_("machine"))
    def machine(self, case: Any) -> SafeString:
        return outcome(case.check_record)

    @admin.display(description=_("reviewer"))
    def decided(self, case: Any) -> str:
        """Return the reviewers who decided a seeded case, each with right or wrong."""
        words = [
            gettext("%s: right") % review.decided_by
            if (review.decision == ReviewDecision.CONFIRMED)
            == ((case.check_record.action != Action.ALLOW) == case.is_bad)
            else gettext("%s: wrong") % review.decided_by
            for review in case.check_record.settled
        ]
        return "; ".join(words)

    def save_model(
        self, request: HttpRequest, obj: Case, form: forms.ModelForm[Any], change: bool
    ) -> None:
        try:
            added = add_cases(
                application=obj.application,
                use=CaseUse(obj.use),
                cases=form.cleaned_data["cases"],
                by=str(request.user),
            )
        except CasesRefused as error:
            messages.set_level(request, messages.ERROR)
            messages.error(request, str(error))
            return
        obj.pk = added[0].pk

    def delete_model(self, request: HttpRequest, obj: Case) -> None:
        try:
            delete_case(case=obj, by=str(request.user))
        except CasesRefused as error:
            messages.set_level(request, messages.ERROR)
            messages.error(request, str(error))
