"""Trials: a second version beside the active one, started, ended and compared on one page."""

from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts import access
from analysis.admin.base import MemberAdmin, person
from analysis.engine.replay import TrialMode
from analysis.judge import trial_judge_name
from analysis.models import Policy
from analysis.services.trials import TrialRefused, end_trial, start_trial
from desk.policies.selectors.trials import comparison, trials_of


class TrialForm(forms.Form):
    mode = forms.ChoiceField(
        label=_("Mode"),
        choices=[
            (str(TrialMode.SHADOW), _("In shadow: its decisions are stored but not returned")),
            (str(TrialMode.SPLIT), _("On a share of the checks: it decides them")),
        ],
    )
    share = forms.FloatField(
        label=_("Share"), min_value=0.001, max_value=1, initial=0.1,
        help_text=_("From 0 to 1. In shadow, it applies to all checks."),
    )  # fmt: skip
    other_judge = forms.BooleanField(
        required=False,
        help_text=_("Each check is measured again once the client has its answer. In shadow only."),
    )  # fmt: skip


def trial_page(admin: MemberAdmin, request: HttpRequest, policy: Policy) -> HttpResponse:
    """Show the application's newest trial, and a form to try this version."""
    manages = access.may_manage(person(request), policy.application_id)
    form = TrialForm(request.POST if "mode" in request.POST else None)
    if not (other_judge := trial_judge_name()):
        del form.fields["other_judge"]
    else:
        form.fields["other_judge"].label = _("With the judge %s") % other_judge
    if request.method == "POST":
        if not manages:
            raise PermissionDenied
        if _save_trial(request, policy, form):
            return HttpResponseRedirect(reverse("admin:analysis_policy_trial", args=[policy.pk]))
    trial = trials_of(policy.application_id).first()
    in_shadow = str(_("Version %d in shadow") % policy.version), _("Run in shadow")
    title, subpage = (_("Trials"), _("Trials")) if policy.is_active else in_shadow
    context: dict[str, Any] = admin.page_context(
        request, policy, policy=policy, form=form, may_manage=manages, trial=trial,
        found=comparison(trial) if trial else None, other_judge=other_judge,
        title=title, subpage=subpage,
    )  # fmt: skip
    return TemplateResponse(request, "admin/analysis/policy/trial.html", context)


def _save_trial(request: HttpRequest, policy: Policy, form: TrialForm) -> bool:
    """Start or end a trial; return False if the form has to be shown again."""
    by = person(request).get_username()
    if "mode" not in request.POST:
        ended = end_trial(application_id=policy.application_id, by=by)
        messages.success(
            request, _("The trial has ended.") if ended else _("No trial was running.")
        )
        return True
    if not form.is_valid():
        return False
    mode = TrialMode(form.cleaned_data["mode"])
    try:
        start_trial(
            policy=policy, mode=mode, share=form.cleaned_data["share"], by=by,
            other_judge=form.cleaned_data.get("other_judge", False),
        )  # fmt: skip
    except TrialRefused as error:
        form.add_error("mode", str(error))
        return False
    messages.success(request, _("The trial of version %d has started.") % policy.version)
    return True
