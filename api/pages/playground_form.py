"""The form of the playground, three examples, and the corresponding API request."""

import re
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts import access
from accounts.models import Application
from analysis.models import Check
from analysis.services.probing import PLAYGROUND
from analysis.services.submission import NewCheck
from api.inputs import CheckInput, field_errors
from documents.models import Collection

_SEPARATOR = re.compile(r"^\s*---+\s*$", re.MULTILINE)


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
        help_text=_("Separate several sources with a line of three dashes."),
        widget=forms.Textarea({"rows": 7, "dir": "auto"}),
    )
    counted = forms.BooleanField(
        label=_("Keep and count it like a check of the application"), required=False
    )

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
        sources = [text.strip() for text in _SEPARATOR.split(fields.get("sources", ""))]
        collection = fields.get("collection")
        members = {
            "query": fields.get("query", ""),
            "answer": fields.get("answer", ""),
            "sources": [text for text in sources if text],
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
        "sources": "\n---\n".join(texts),
    }
