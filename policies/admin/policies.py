"""Policies in the admin: every version, a form for a new one, and a replay on stored checks."""

from datetime import datetime, time, timedelta
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts import access
from accounts.filters import ApplicationFilter
from analysis.admin.base import MemberAdmin, person
from analysis.admin.jobs import page_of
from analysis.engine.policy.presets import PRESETS
from analysis.engine.policy.rules import PolicyRules
from analysis.models import Policy
from analysis.selectors.excerpts import replayed_page
from analysis.services.jobs import TooManyJobs
from analysis.services.policies import activate_policy, active_policy, create_policy
from policies.admin.form import PolicyForm, value_at, value_words
from policies.admin.presets import CHOICES, preset_rules
from policies.admin.trials import trial_page
from policies.admin.words import GROUPS
from policies.selectors.policies import (
    EFFECT_ON,
    effect_document,
    replay_document,
)
from policies.selectors.replaying import MOST_CHECKS, MOST_IN_JOB, Chosen
from policies.services.replays import start_replay


class ReplayForm(forms.Form):
    """Which stored checks to try a version on."""

    _DAY = forms.DateInput(attrs={"type": "date"})
    since = forms.DateField(label=_("From"), required=False, widget=_DAY)
    until = forms.DateField(label=_("To"), required=False, widget=_DAY, help_text=_("Included."))
    sample = forms.IntegerField(
        label=_("At most"), min_value=1, max_value=MOST_IN_JOB, initial=1_000,
        help_text=format_lazy(
            _("Checks, up to {most}; of more, a uniform sample. Above {few} in the background."),
            most=f"{MOST_IN_JOB:,}", few=f"{MOST_CHECKS:,}",
        ),
    )  # fmt: skip

    def clean(self) -> dict[str, Any]:
        """A period has its beginning before its end."""
        found = super().clean() or {}
        if found.get("since") and found.get("until") and found["since"] > found["until"]:
            self.add_error("until", "Lies before the beginning.")
        return found

    def chosen(self) -> Chosen:
        """The whole days in the server's time zone."""
        found = self.cleaned_data
        until = found["until"] + timedelta(days=1) if found["until"] else None
        return Chosen(_midnight(found["since"]), _midnight(until), found["sample"])


@admin.register(Policy)
class PolicyAdmin(MemberAdmin):
    """The version in force is marked."""

    list_display = ("version", "application", "is_active", "note", "created_by", "created_at")
    list_filter = (ApplicationFilter, "is_active")
    list_select_related = ("application",)
    ordering = ("application", "-version")
    allowed_lookups = frozenset({"application", "is_active__exact"})

    def get_urls(self) -> list[URLPattern]:
        """The stock pages, the form, the button and the replay."""
        view = self.admin_site.admin_view
        named = "analysis_policy_"
        return [
            path("<int:pk>/new/", view(self.new), name=f"{named}new"),
            path("<int:pk>/effect/", view(self.effect), name=f"{named}effect"),
            path("<int:pk>/activate/", view(self.activate), name=f"{named}activate"),
            path("<int:pk>/trial/", view(self.trial), name=f"{named}trial"),
            path("<int:pk>/replay/", view(self.replay), name=f"{named}replay"),
            *super().get_urls(),
        ]

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """The rules of one version."""
        if request.method not in ("GET", "HEAD"):
            raise PermissionDenied
        policy = self.get_object(request, object_id)
        if policy is None:
            return self.missing(request)
        context = self.page_context(
            request,
            policy,
            policy=policy,
            groups=words(policy.rules),
            may_manage=access.may_manage(person(request), policy.application_id),
        )
        return TemplateResponse(request, "admin/analysis/policy/policy.html", context)

    def new(self, request: HttpRequest, pk: int) -> HttpResponse:
        """A new version as a change of the one in force; the page is reached from any version."""
        policy = self._found(request, pk)
        self._must_manage(request, policy)
        active = active_policy(policy.application_id)
        form = _form(request, active)
        if request.method == "POST" and form.is_valid():
            made = create_policy(
                application_id=policy.application_id,
                rules=form.cleaned_data["rules"],
                note=form.cleaned_data["note"],
                activate=form.cleaned_data["activate"],
                by=person(request).get_username(),
            )
            told = _("made and put in force") if made.is_active else _("made; it is not in force")
            messages.success(
                request, _("Version %(n)s is %(told)s.") % {"n": made.version, "told": told}
            )
            return _page(made)
        context = self.page_context(
            request, policy, policy=policy, active=active, form=form, presets=CHOICES,
            preset=form.preset, effect_on=EFFECT_ON,
            title=_("New policy version for %s") % policy.application,
        )  # fmt: skip
        return TemplateResponse(request, "admin/analysis/policy/new.html", context)

    @method_decorator(require_POST)
    def effect(self, request: HttpRequest, pk: int) -> HttpResponse:
        """What the form as it stands would change of the last checks; nothing is saved."""
        policy = self._found(request, pk)
        self._must_manage(request, policy)
        form = _form(request, active_policy(policy.application_id))
        found = None
        if form.is_valid():
            rules = PolicyRules.from_json(form.cleaned_data["rules"])
            found = replayed_page(effect_document(policy.application_id, rules))
        context = {"found": found, "form": form}
        return TemplateResponse(request, "admin/analysis/policy/effect.html", context)

    @method_decorator(require_POST)
    def activate(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Put a version in force."""
        policy = self._found(request, pk)
        self._must_manage(request, policy)
        activate_policy(policy=policy, by=person(request).get_username())
        messages.success(request, _("Version %d is in force.") % policy.version)
        return _page(policy)

    def replay(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Stored checks under this version: what would change; many of them by a job."""
        policy = self._found(request, pk)
        sent = request.POST if request.method == "POST" else request.GET
        form = ReplayForm(sent if "sample" in sent else None)
        chosen = form.chosen() if form.is_valid() else None
        if chosen and request.method == "POST":
            try:
                return page_of(start_replay(policy, chosen, by=person(request)))
            except TooManyJobs as error:
                messages.error(request, str(error))
        long = chosen is not None and chosen.sample > MOST_CHECKS
        found = replayed_page(replay_document(policy, chosen)) if chosen and not long else None
        context = self.page_context(
            request, policy, policy=policy, form=form, found=found, long=long, most=MOST_CHECKS,
            title=_("Replay under version %d") % policy.version,
        )  # fmt: skip
        return TemplateResponse(request, "admin/analysis/policy/replay.html", context)

    def trial(self, request: HttpRequest, pk: int) -> HttpResponse:
        """A version in shadow or on a share of the checks, and how both compare."""
        return trial_page(self, request, self._found(request, pk))

    def _found(self, request: HttpRequest, pk: int) -> Policy:
        found: Policy | None = (
            self.get_queryset(request).select_related("application").filter(pk=pk).first()
        )
        if found is None:
            raise Http404
        return found

    def _must_manage(self, request: HttpRequest, policy: Policy) -> None:
        if not access.may_manage(person(request), policy.application_id):
            raise PermissionDenied


def words(document: dict[str, Any]) -> list[tuple[str, list[tuple[str, str]]]]:
    """A rules document in plain words: groups of label and value."""
    whole = PolicyRules.from_json(document).to_json()
    return [
        (str(g.title), [(str(s.label), value_words(value_at(whole, s.path))) for s in g.settings])
        for g in GROUPS
    ]


def _form(request: HttpRequest, active: Policy) -> PolicyForm:
    """The form as it was sent; it begins with a preset or with the version in force."""
    sent = request.POST if request.method == "POST" else None
    preset = (sent or request.GET).get("preset", "")
    current = PolicyRules.from_json(active.rules).to_json()
    if preset not in PRESETS:
        return PolicyForm(current, sent)
    return PolicyForm(preset_rules(preset, current), sent, current, preset)


def _page(policy: Policy) -> HttpResponseRedirect:
    return HttpResponseRedirect(reverse("admin:analysis_policy_change", args=[policy.pk]))


def _midnight(day: Any) -> datetime | None:
    return timezone.make_aware(datetime.combine(day, time.min)) if day else None
