"""The playground: checks a pasted answer and shows what an application would get."""

import json
import shlex
from typing import Any
from uuid import UUID

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts import access
from accounts.access import or_404
from analysis.admin.base import person
from analysis.engine.types import ClaimStatus
from analysis.models import Check, CheckState
from analysis.selectors.results import check_document
from analysis.services.submission import submit
from api.pages.playground_form import EXAMPLES, PlaygroundForm, inputs_of
from desk.verdict_page import words
from desk.verdict_page.answer import weakest_support
from desk.verdict_page.detail import headline, to_json
from desk.verdict_page.reasons import reasons, summary
from desk.verdict_page.selectors import outline

_FINAL = (CheckState.DONE, CheckState.FAILED)
_MOST_CLAIMS = 25


@require_http_methods(["GET", "POST"])
def form_page(request: HttpRequest) -> HttpResponse:
    """Show the form, empty or with an example; submit a valid one and redirect to its result."""
    user = person(request)
    if not access.decides_anything(user):
        raise PermissionDenied
    form = PlaygroundForm(user, request.POST or None, initial=_example(request.GET.get("example")))
    if request.method == "POST" and form.is_valid():
        accepted = submit(
            application_id=form.cleaned_data["application"].pk,
            new=form.new_check(),
            by=user.get_username(),
            is_probe=not form.cleaned_data["counted"],
        )
        return redirect("playground_result", accepted.id)
    return _page(request, form, "form")


def _page(request: HttpRequest, form: PlaygroundForm, template: str, **more: Any) -> HttpResponse:
    context = {
        **admin.site.each_context(request),
        "title": _("Playground"),
        "form": form,
        "examples": list(enumerate(EXAMPLES)),
        **more,
    }
    return TemplateResponse(request, f"analysis/playground/{template}.html", context)


@require_safe
def result_page(request: HttpRequest, check_id: UUID) -> HttpResponse:
    """Show the verdict as the API returns it, beside the form with what was checked.

    The page polls for it until it exists. Tries that are not counted are read, too.
    """
    checks = access.visible(Check.everything.all(), person(request))
    check = or_404(checks.select_related("application").get, pk=check_id)
    document = check_document(check.application_id, check.pk)
    form = PlaygroundForm(person(request), initial=inputs_of(check))
    parts = {
        "check": check,
        "doc": document,
        "why": summary(reasons(document["reasons"] or (), weakest_support(outline(check.pk)))),
        "hold_state": words.hold_state(document["hold"]),
        "finished": document["state"] in _FINAL,
        "waiting": words.state_words(check),
        "claims": [_claim(claim) for claim in (document["claims"] or ())[:_MOST_CLAIMS]],
        "kind": (document["action"] or document["state"]).lower(),
        "json": to_json(document),
        "curl": curl(request.build_absolute_uri(reverse("checks")), _body(check)),
        "icons": static("watchdog/icons.svg"),
    }
    template = "result_part" if request.headers.get("HX-Target") == "result" else "form"
    return _page(request, form, template, **parts)


def _claim(claim: dict[str, Any]) -> dict[str, str]:
    """Return a claim with its verdict in words."""
    label, icon = words.claim_words(ClaimStatus(claim["status"]))
    return {"text": claim["text"], "label": label, "icon": icon, "headline": headline(claim)}


def curl(url: str, body: dict[str, Any]) -> str:
    """Return the same request as a shell command; the key comes from the environment."""
    return " \\\n  ".join(
        (
            f"curl {shlex.quote(url)}",
            '-H "Authorization: Bearer $WATCHDOG_KEY"',
            "-H 'Content-Type: application/json' -H 'Prefer: wait=10'",
            f"-d {shlex.quote(json.dumps(body, ensure_ascii=False))}",
        )
    )


def _body(check: Check) -> dict[str, Any]:
    members = {
        "query": check.query,
        "answer": check.answer,
        "sources": check.sources,
        "collections": check.collections,
    }
    return {name: value for name, value in members.items() if value}


def _example(number: str | None) -> dict[str, str]:
    """Return the example of this number, or {} for any other value."""
    examples = {str(at): example for at, example in enumerate(EXAMPLES)}
    example = examples.get(number or "")
    if example is None:
        return {}
    return {"query": example.query, "answer": example.answer, "sources": example.sources}


page = admin.site.admin_view(form_page)
result = admin.site.admin_view(result_page)
