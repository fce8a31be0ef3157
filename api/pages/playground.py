"""The playground: checks a pasted answer and shows what an application would get."""

import json
import re
import shlex
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import admin
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.templatetags.static import static
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts import access
from accounts.access import or_404
from accounts.models import Application
from analysis.admin.base import person
from analysis.engine.types import ClaimStatus
from analysis.models import ENDED, Check
from analysis.selectors.results import check_document
from analysis.services.probing import PLAYGROUND
from analysis.services.submission import NewCheck, submit
from api.inputs import CheckInput, field_errors
from desk.verdict_page import words
from desk.verdict_page.answer import weakest_support
from desk.verdict_page.detail import headline, to_json
from desk.verdict_page.reasons import reasons, summary
from desk.verdict_page.selectors import outline
from documents.models import Collection

# The form of the playground, three examples, and the corresponding API request.

_SEPARATOR = re.compile(r"^\s*---+\s*$", re.MULTILINE)
SEPARATION = _("Separate several sources with a line of three dashes.")


def split_sources(text: str) -> list[str]:
    """Return the sources that a text has between lines of dashes."""
    return [source for part in _SEPARATOR.split(text) if (source := part.strip())]


def join_sources(sources: Iterable[str]) -> str:
    """Return sources as one text, with a line of dashes between them."""
    return "\n---\n".join(sources)


@dataclass(frozen=True, slots=True)
class PlaygroundExample:
    """A question with an answer and the sources to compare it with."""

    title: str | Promise
    query: str
    answer: str
    sources: str


EXAMPLES = (
    PlaygroundExample(
        _("A wrong figure"),
        "At what height do workers need fall protection?",
        "Workers need fall protection from 10 feet. A guardrail, a safety net or a personal fall "
        "arrest system may be used.",
        "Each employee on a walking surface with an unprotected edge 6 feet or more above a lower "
        "level shall be protected from falling by a guardrail, a safety net or a personal fall "
        "arrest system.",
    ),
    PlaygroundExample(
        _("Supported by its source"),
        "How often are scaffolds inspected?",
        "Scaffolds are inspected every seven days by a competent person.",
        "A competent person inspects each scaffold every seven days and after every storm.\n---\n"
        "Guardrails are at least 42 inches high.",
    ),
    PlaygroundExample(
        _("Nothing in the sources"),
        "Who pays for safety boots?",
        "The employer pays for safety boots and replaces them every six months.",
        "Hard hats are worn in all areas marked by signs. Visitors receive one at the gate.",
    ),
)


class PlaygroundForm(forms.Form):
    """An application's input; `sources` are separated by lines of dashes."""

    application = forms.ModelChoiceField(
        Application.objects.none(), label=_("Application"), empty_label=None
    )
    collection = forms.ModelChoiceField(
        Collection.objects.none(),
        label=_("Collection to search"),
        required=False,
        empty_label=_("None"),
    )
    query = forms.CharField(
        label=_("Question"), required=False, widget=forms.Textarea({"rows": 2, "dir": "auto"})
    )
    answer = forms.CharField(label=_("Answer"), widget=forms.Textarea({"rows": 5, "dir": "auto"}))
    sources = forms.CharField(
        label=_("Sources"),
        required=False,
        help_text=SEPARATION,
        widget=forms.Textarea({"rows": 7, "dir": "auto"}),
    )
    counted = forms.BooleanField(label=_("Keep and count this check"), required=False)

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
        applications = access.deciding_in(user)
        self.fields["application"].queryset = applications  # type: ignore[attr-defined]
        self.fields["collection"].queryset = Collection.objects.filter(  # type: ignore[attr-defined]
            application__in=applications
        ).order_by("name")

    def clean(self) -> dict[str, Any]:
        """Validate the input by the rules of the API."""
        cleaned: dict[str, Any] = super().clean() or {}
        collection, application = cleaned.get("collection"), cleaned.get("application")
        if collection and application and collection.application_id != application.pk:
            self.add_error("collection", _("This collection belongs to another application."))
        serializer = CheckInput(data=self.body())
        if not serializer.is_valid():
            for error in field_errors(serializer.errors):
                self.add_error(None, f"{error['field']}: {error['detail']}")
        return cleaned

    def body(self) -> dict[str, Any]:
        """Return the JSON body of `POST /api/v1/checks`."""
        fields = self.cleaned_data
        collection = fields.get("collection")
        members = {
            "query": fields.get("query", ""),
            "answer": fields.get("answer", ""),
            "sources": split_sources(fields.get("sources", "")),
            "collections": [collection.name] if collection else [],
        }
        return {name: value for name, value in members.items() if value}

    def new_check(self) -> NewCheck:
        """Return the validated input, marked as coming from here."""
        serializer = CheckInput(data=self.body() | {"metadata": {"channel": PLAYGROUND}})
        serializer.is_valid(raise_exception=True)
        return serializer.new_check()


def inputs_of(check: Check) -> dict[str, Any]:
    """Return the fields of the form that submitted a check, so that it can be varied."""
    names = check.collections[:1]
    collection = Collection.objects.filter(application=check.application, name__in=names).first()
    texts = (each if isinstance(each, str) else each["text"] for each in check.sources or ())
    return {
        "application": check.application,
        "collection": collection,
        "query": check.query,
        "answer": check.answer,
        "sources": join_sources(texts),
    }


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
        # On a phone the result is below the form.
        return redirect(f"{reverse('playground_result', args=[accepted.id])}#result")
    return _page(request, form, "form")


def _page(request: HttpRequest, form: PlaygroundForm, template: str, **more: Any) -> HttpResponse:
    context = {
        **admin.site.each_context(request),
        "title": gettext("Playground"),
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
    members = {
        "query": check.query,
        "answer": check.answer,
        "sources": check.sources,
        "collections": check.collections,
    }
    parts = {
        "check": check,
        "doc": document,
        "why": summary(reasons(document["reasons"] or (), weakest_support(outline(check.pk)))),
        "hold_state": words.hold_state(document["hold"]),
        "finished": document["state"] in ENDED,
        "waiting": words.state_words(check),
        "claims": [_claim(claim) for claim in (document["claims"] or ())[:_MOST_CLAIMS]],
        "kind": (document["action"] or document["state"]).lower(),
        "json": to_json(document),
        "curl": curl(
            request.build_absolute_uri(reverse("checks")),
            {name: value for name, value in members.items() if value},
        ),
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


def _example(number: str | None) -> dict[str, str]:
    """Return the example of this number, or {} for any other value."""
    examples = {str(at): example for at, example in enumerate(EXAMPLES)}
    example = examples.get(number or "")
    if example is None:
        return {}
    return {"query": example.query, "answer": example.answer, "sources": example.sources}


page = admin.site.admin_view(form_page)
result = admin.site.admin_view(result_page)
