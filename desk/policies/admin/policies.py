"""Policies in the admin: every version, a form for a new one, and a replay on stored checks."""

from datetime import datetime, time, timedelta
from functools import partial
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.formats import number_format
from django.utils.functional import lazy
from django.utils.html import format_html, format_html_join
from django.utils.text import format_lazy
from django.utils.translation import gettext, gettext_lazy, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts import access
from accounts.access import or_404
from accounts.filters import ApplicationFilter
from accounts.member_admin import PercentField
from analysis.admin.base import RowPageAdmin, person
from analysis.admin.jobs import page_of
from analysis.engine.policy import PRESETS, PolicyRules
from analysis.engine.verdict.risk import HIGHEST
from analysis.models import Check, HeldAnswer, HoldState, Policy
from analysis.selectors.cases import case_outcomes
from analysis.selectors.excerpts import replayed_page
from analysis.services.jobs import TooManyJobs
from analysis.services.policies import (
    CasesFailed,
    NeedsSecondApprover,
    activate_policy,
    active_policy,
    create_policy,
    needs_second_approver,
)
from desk.policies.admin.changes import (
    activations,
    changes,
    in_force_before,
    with_rules_before,
)
from desk.policies.admin.form import PolicyForm, value_at, words_of
from desk.policies.admin.presets import CHOICES, preset_rules
from desk.policies.admin.trials import trial_page
from desk.policies.admin.words import GROUPS
from desk.policies.advice.report import KINDS
from desk.policies.selectors.policies import (
    EFFECT_ON,
    effect_document,
    replay_document,
)
from desk.policies.selectors.replaying import MOST_CHECKS, MOST_IN_JOB, ReplaySelection, newest
from desk.policies.selectors.trials import fit_rates, trials_of
from desk.policies.services.replays import start_replay
from desk.scoring.calibration.labels import CalibrationError
from desk.scoring.calibration.policy_fit import Aims
from desk.scoring.calibration.reviews_fit import fit_to_reviews

SettingRow = tuple[str, str, str, str]
"""The label, value, explanation and path of a setting."""
_grouped = lazy(partial(number_format, force_grouping=True), str)
MOST_CHANGES_LISTED = 3
"""Changed settings of a version that the list names."""


class ReplayForm(forms.Form):
    """A form that selects the stored checks for a replay."""

    _DAY = forms.DateInput(attrs={"type": "date"})
    since = forms.DateField(
        label=gettext_lazy("From"),
        required=False,
        widget=_DAY,
        help_text=gettext_lazy("Empty: from the first check."),
    )
    until = forms.DateField(
        label=gettext_lazy("To"),
        required=False,
        widget=_DAY,
        help_text=gettext_lazy("Up to the end of this day."),
    )
    sample = forms.IntegerField(
        label=gettext_lazy("Checks, at most"), min_value=1, max_value=MOST_IN_JOB, initial=1_000,
        help_text=format_lazy(
            gettext_lazy(
                "Up to {most} checks; if more match, a random sample is replayed. More than {few} "
                "run in the background."
            ),
            most=_grouped(MOST_IN_JOB), few=_grouped(MOST_CHECKS),
        ),
    )  # fmt: skip

    def clean(self) -> dict[str, Any]:
        """Require that a period begins before it ends."""
        values = super().clean() or {}
        if values.get("since") and values.get("until") and values["since"] > values["until"]:
            self.add_error("until", _("Must not be before the start."))
        return values

    def selection(self) -> ReplaySelection:
        """Return the selected whole days in the server's time zone."""
        values = self.cleaned_data
        until = values["until"] + timedelta(days=1) if values["until"] else None
        return ReplaySelection(_midnight(values["since"]), _midnight(until), values["sample"])


class ActivationForm(forms.Form):
    """A form for the reason of an activation, which the trail keeps."""

    reason = forms.CharField(
        label=gettext_lazy("Why"), max_length=500, widget=forms.Textarea({"rows": 2}),
        help_text=gettext_lazy("Stored in the audit trail."),
    )  # fmt: skip
    despite_cases = forms.BooleanField(
        label=gettext_lazy("Activate it although regression cases do not pass"), required=False
    )


class FitForm(forms.Form):
    """The largest shares of right answers that the fitted limits may flag and block."""

    flagged = PercentField(
        label=gettext_lazy("Right answers flagged, at most, in percent"), initial=Aims().flagged
    )
    blocked = PercentField(
        label=gettext_lazy("Right answers blocked, at most, in percent"), initial=Aims().blocked
    )


class InForceFilter(admin.BooleanFieldListFilter):
    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.title = _("in force")


@admin.register(Policy)
class PolicyAdmin(RowPageAdmin):
    """The list of policy versions, which marks the active one."""

    list_display = (
        "version_name", "application", "in_force", "changes", "note", "created_by", "created_at",
    )  # fmt: skip
    list_filter = (ApplicationFilter, ("is_active", InForceFilter))
    list_select_related = ("application",)
    ordering = ("application", "-version")
    allowed_lookups = frozenset({"application", "is_active__exact"})

    def get_queryset(self, request: HttpRequest) -> QuerySet[Policy]:
        """Add the rules of each version's predecessor."""
        return with_rules_before(super().get_queryset(request))

    @admin.display(description=gettext_lazy("changes"))
    def changes(self, policy: Any) -> str:
        """Return what changed since the previous version, the first settings by name."""
        if policy.rules_before is None:
            return gettext("first version")
        lines = [str(change) for change in changes(policy.rules_before, policy.rules)]
        more = len(lines) - MOST_CHANGES_LISTED
        rest = [ngettext("%d more", "%d more", more) % more] if more > 0 else []
        listed_lines = [*lines[:MOST_CHANGES_LISTED], *rest] or [gettext("nothing")]
        return format_html_join(
            "", '<span class="wd-excerpt">{}</span>', [(line,) for line in listed_lines]
        )

    @admin.display(description=gettext_lazy("version"), ordering="version")
    def version_name(self, policy: Policy) -> str:
        return gettext("Version %(version)s") % {"version": policy.version}

    @admin.display(description=gettext_lazy("state"))
    def in_force(self, policy: Policy) -> str:
        """Return in words whether the version is active; a red cross would suggest an error."""
        if not policy.is_active:
            return ""
        return format_html('<span class="wd-badge wd-badge--allow">{}</span>', _("in force"))

    def get_urls(self) -> list[URLPattern]:
        """Add the URLs of the form, the buttons and the replay to the stock ones."""
        view = self.admin_site.admin_view
        prefix = "analysis_policy_"
        return [
            path("<int:pk>/new/", view(self.new), name=f"{prefix}new"),
            path("<int:pk>/effect/", view(self.effect), name=f"{prefix}effect"),
            path("<int:pk>/activate/", view(self.activate), name=f"{prefix}activate"),
            path("<int:pk>/trial/", view(self.trial), name=f"{prefix}trial"),
            path("<int:pk>/replay/", view(self.replay), name=f"{prefix}replay"),
            path("<int:pk>/fit/", view(self.fit), name=f"{prefix}fit"),
            *super().get_urls(),
        ]

    def row_page(self, request: HttpRequest, policy: Any) -> HttpResponse:
        search = request.GET.get("q", "")
        context = self.page_context(
            request, policy, policy=policy, groups=words(policy.rules, search), search=search,
            changes=changes(policy.rules_before, policy.rules) if policy.rules_before else [],
            activations=activations(policy),
            before=in_force_before(policy) if policy.is_active else None, **_cases(policy),
            may_manage=access.may_manage(person(request), policy.application_id),
            waits=not policy.is_active
            and needs_second_approver(policy, person(request).get_username()),
        )  # fmt: skip
        return TemplateResponse(request, "admin/analysis/policy/policy.html", context)

    def new(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show and save a new version as a change of the active one.

        Any version's page links here.
        """
        policy = self._policy_or_404(request, pk)
        self._must_manage(request, policy)
        active = active_policy(policy.application_id)
        form = _form(request, active)
        if request.method == "POST" and form.is_valid():
            values = form.cleaned_data
            return _save_version(request, policy, values["rules"], values["note"])
        context = self.page_context(
            request, policy, policy=policy, active=active, form=form, presets=CHOICES,
            preset=form.preset, one=form.one,
            effect_on=_grouped(EFFECT_ON),
            title=_("Edit the %s policy") % policy.application, subpage=_("Edit"),
        )  # fmt: skip
        return TemplateResponse(request, "admin/analysis/policy/new.html", context)

    @method_decorator(require_POST)
    def effect(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show how the unsaved form would change the decisions on recent checks."""
        policy = self._policy_or_404(request, pk)
        self._must_manage(request, policy)
        active = active_policy(policy.application_id)
        form = _form(request, active, is_saved=False)
        context: dict[str, Any] = {"found": None, "form": form}
        if form.is_valid():
            rules = PolicyRules.from_json(form.cleaned_data["rules"])
            context["found"] = replayed_page(effect_document(policy.application_id, rules))
            context["hold_effect"] = _hold_effect(active, rules)
            context["edits"] = changes(active.rules, form.cleaned_data["rules"])
        return TemplateResponse(request, "admin/analysis/policy/effect.html", context)

    def activate(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show the effects, ask for a reason, and only then offer to activate the version."""
        policy = self._policy_or_404(request, pk)
        self._must_manage(request, policy)
        if policy.is_active:
            messages.info(request, _("Version %d is in force already.") % policy.version)
            return _page(policy)
        active = active_policy(policy.application_id)
        data = request.POST if request.method == "POST" else None
        was_active = bool(activations(policy))
        form = ActivationForm(data, initial={"reason": "" if was_active else policy.note})
        title = (
            _("Roll back to version %(version)s")
            if was_active
            else _("Activate version %(version)s")
        ) % {"version": policy.version}
        by = person(request).get_username()
        if form.is_valid():
            reason = form.cleaned_data["reason"]
            may_override = person(request).is_superuser and form.cleaned_data["despite_cases"]
            try:
                activate_policy(
                    policy=policy, by=by, reason=reason,
                    despite_cases=reason if may_override else "",
                )  # fmt: skip
            except (NeedsSecondApprover, CasesFailed) as error:
                messages.error(request, str(error))
            else:
                messages.success(request, _("Version %d is in force.") % policy.version)
            return _page(policy)
        rules = PolicyRules.from_json(policy.rules)
        context = self.page_context(
            request, policy, policy=policy, active=active, form=form,
            changes=changes(active.rules, policy.rules),
            found=replayed_page(effect_document(policy.application_id, rules)),
            trial=trials_of(policy.application_id).filter(ended_at=None).first(),
            waits=needs_second_approver(policy, by), **_cases(policy),
            effect_on=_grouped(EFFECT_ON), subpage=title, title=title,
            hold_effect=_hold_effect(active, rules),
        )  # fmt: skip
        return TemplateResponse(request, "admin/analysis/policy/activate.html", context)

    def replay(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show what this version would change on stored checks; a job replays many."""
        policy = self._policy_or_404(request, pk)
        data = request.POST if request.method == "POST" else request.GET
        form = ReplayForm(data if "sample" in data else None)
        selection = form.selection() if form.is_valid() else None
        if selection and request.method == "POST":
            try:
                return page_of(start_replay(policy, selection, by=person(request)))
            except TooManyJobs as error:
                messages.error(request, str(error))
        long = selection is not None and selection.sample > MOST_CHECKS
        result = (
            replayed_page(replay_document(policy, selection)) if selection and not long else None
        )
        context = self.page_context(
            request, policy, policy=policy, form=form, found=result, long=long,
            most=_grouped(MOST_CHECKS), title=_("Try version %d on past checks") % policy.version,
            subpage=_("Try on past checks"),
        )  # fmt: skip
        return TemplateResponse(request, "admin/analysis/policy/replay.html", context)

    def fit(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Fit this version's limits to the reviews, compare, and make a version of the result."""
        policy = self._policy_or_404(request, pk)
        self._must_manage(request, policy)
        rules = PolicyRules.from_json(policy.rules)
        form = FitForm(request.POST or (request.GET if "flagged" in request.GET else None))
        fit = None
        if form.is_valid():
            try:
                fit = fit_to_reviews(policy.application_id, rules, Aims(**form.cleaned_data))
            except CalibrationError as error:
                messages.error(request, str(error))
        if fit and request.method == "POST":
            note = _("Fitted to %d reviews.") % fit.fitting
            return _save_version(request, policy, fit.policy.to_json(), note)
        context = self.page_context(
            request, policy, policy=policy, form=form, fit=fit,
            changes=changes(policy.rules, fit.policy.to_json()) if fit else [],
            rates=[(KINDS.get(kind, ""), fit_rates(fit, kind)) for kind in fit.compared]
            if fit else [],
            title=_("Fit version %d to the reviews") % policy.version,
            subpage=_("Fit to the reviews"),
        )  # fmt: skip
        return TemplateResponse(request, "admin/analysis/policy/fit.html", context)

    def trial(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show a trial of a version in shadow mode or on a share of the checks."""
        return trial_page(self, request, self._policy_or_404(request, pk))

    def _policy_or_404(self, request: HttpRequest, pk: int) -> Policy:
        policies = self.get_queryset(request).select_related("application")
        policy: Policy = or_404(policies.get, pk=pk)
        return policy

    def _must_manage(self, request: HttpRequest, policy: Policy) -> None:
        if not access.may_manage(person(request), policy.application_id):
            raise PermissionDenied


def words(document: dict[str, Any], search: str = "") -> list[tuple[str, list[SettingRow]]]:
    """Return a rules document as groups of label, value, explanation and path.

    With a search, only the settings whose group, label or explanation holds it.
    """
    whole = PolicyRules.from_json(document).to_json()
    groups = [
        (
            str(g.title),
            [
                (str(s.label), words_of(s, value_at(whole, s.path)), str(s.help), s.path)
                for s in g.settings
                if search.casefold() in f"{g.title} {s.label} {s.help}".casefold()
            ],
        )
        for g in GROUPS
    ]
    return [(title, rows) for title, rows in groups if rows]


def _form(request: HttpRequest, active: Policy, *, is_saved: bool = True) -> PolicyForm:
    """Return the submitted form, initially filled from a preset or the active version.

    `setting` names the only setting of a form that changes one thing.
    """
    data = request.POST if request.method == "POST" else None
    preset = (data or request.GET).get("preset", "")
    one = (data or request.GET).get("setting", "")
    current = PolicyRules.from_json(active.rules).to_json()
    if preset not in PRESETS:
        return PolicyForm(current, data, one=one, is_saved=is_saved)
    rules = preset_rules(preset, current)
    return PolicyForm(rules, data, current, preset, is_saved=is_saved)


def _hold_effect(active: Policy, rules: PolicyRules) -> dict[str, Any] | None:
    """Return what is held for its risk score among recent checks, now and under these rules.

    None if neither holds anything. An action says nothing of a hold.
    """
    now = PolicyRules.from_json(active.rules).hold
    if min(now.risk_at, rules.hold.risk_at) > HIGHEST and not (now.words or rules.hold.words):
        return None
    recent = Check.objects.filter(pk__in=newest(active.application_id, EFFECT_ON))
    before, after = (Count("pk", filter=Q(risk_score__gte=h.risk_at)) for h in (now, rules.hold))
    awaiting = HeldAnswer.objects.filter(
        state=HoldState.AWAITING, check_record__application=active.application_id
    )
    return {
        **recent.aggregate(before=before, after=after),
        "words": ", ".join(rules.hold.words),
        "awaiting": awaiting.count(),
    }


def _cases(policy: Policy) -> dict[str, Any]:
    """Return the outcomes of the regression cases under a version, and those that fail."""
    outcomes = case_outcomes(policy.application_id, PolicyRules.from_json(policy.rules))
    failed = [one for one in outcomes if not one.passed]
    is_refused = bool(failed) and policy.application.cases_must_pass
    return {"cases": outcomes, "failed": failed, "is_refused": is_refused}


def _save_version(
    request: HttpRequest, policy: Policy, rules: dict[str, Any], note: str
) -> HttpResponse:
    """Make the next version of this one's application, and open its page."""
    version = create_policy(
        application_id=policy.application_id, rules=rules, note=note,
        by=person(request).get_username(),
    )  # fmt: skip
    text = _("Version %d was saved. It decides nothing until it is activated.")
    messages.success(request, text % version.version)
    return _page(version)


def _page(policy: Policy) -> HttpResponseRedirect:
    return HttpResponseRedirect(reverse("admin:analysis_policy_change", args=[policy.pk]))


def _midnight(day: Any) -> datetime | None:
    return timezone.make_aware(datetime.combine(day, time.min)) if day else None
