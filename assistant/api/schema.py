"""The input and output of the assistant's API, as documented schema components."""

from typing import Any

from django.conf import settings
from rest_framework import serializers

from accounts.components import Schema, UTCField, component
from accounts.inputs import InputSerializer, ListField
from accounts.pagination import Page
from analysis.engine.types import Action, RiskLevel
from api.inputs import TextField
from assistant.evidence import EvidenceKind, SourceReport, SourceStatus
from assistant.models import Step, TurnState
from documents.api.serializers import CHOICE, ChoiceField

KINDS = [(kind.value, kind.value) for kind in EvidenceKind]
STATUSES = [(status.value, status.value) for status in SourceStatus]


class MessageInput(InputSerializer):
    """A manager's question."""

    message = TextField(max_length=settings.MAX_QUERY_CHARACTERS, help_text="The question.")
    manager = TextField(
        required=False, allow_blank=True, default="", max_length=120,
        help_text="Your name for the manager who asks (created if there is none of this name), or "
        "the manager's id. Required unless a conversation is named.",
    )  # fmt: skip
    conversation = serializers.UUIDField(
        required=False,
        allow_null=True,
        default=None,
        help_text="Id of the conversation to continue. Default: a new one.",
    )
    collections = ListField(
        child=TextField(max_length=120), required=False, default=list, max_length=50,
        help_text="Names of the collections to search. Default: all of the application.",
    )  # fmt: skip
    documents = ChoiceField(required=False, allow_null=True, default=None, help_text=CHOICE)

    def validate_message(self, value: str) -> str:
        """Refuse a blank question."""
        if not value.strip():
            raise serializers.ValidationError("This field may not be blank.", "blank")
        return value

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Require a manager or a conversation."""
        if not attrs["manager"].strip() and attrs["conversation"] is None:
            errors = {"manager": ["Name the manager who asks, or a conversation."]}
            raise serializers.ValidationError(errors)
        return attrs


class BriefingInput(InputSerializer):
    """The manager to write a briefing for."""

    manager = TextField(
        max_length=120,
        help_text="Your name for the manager (created if there is none of this name).",
    )


class ItemOutput(Schema):
    """One item of evidence. `flagged`: not used, since it reads like an instruction to a model."""

    number = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=KINDS)
    source = serializers.CharField()
    text = serializers.CharField()
    uri = serializers.CharField(allow_blank=True)
    place = serializers.DictField()
    cited = serializers.BooleanField()
    injection = serializers.DictField(allow_null=True)
    flagged = serializers.BooleanField()


SourceOutput = component(
    SourceReport,
    "The result of one source of evidence; milliseconds count from the question.",
    name="SourceOutput",
    whole=True,
)


class EvidenceOutput(Schema):
    """The evidence of a turn, gathered before the answer was written."""

    sha256 = serializers.CharField()
    milliseconds = serializers.FloatField()
    injection_detected = serializers.BooleanField()
    sources = SourceOutput(many=True)
    items = ItemOutput(many=True)


class VerdictOutput(Schema):
    """The verdict on the answer; `GET /api/v1/checks/{check_id}` returns all details."""

    check_id = serializers.UUIDField(
        allow_null=True, help_text="Null if the answer consists only of remembered facts."
    )
    action = serializers.ChoiceField(choices=[str(action) for action in Action])
    risk_score = serializers.IntegerField(allow_null=True)
    risk_level = serializers.ChoiceField(choices=[str(x) for x in RiskLevel], allow_null=True)
    explanation = serializers.CharField(allow_null=True)
    reasons = serializers.ListField(child=serializers.DictField())


class TurnOutput(Schema):
    """A question and its answer; the answer's members are null or empty until `state` is done."""

    id = serializers.UUIDField()
    conversation = serializers.UUIDField()
    manager = serializers.CharField()
    question = serializers.CharField()
    collections = serializers.ListField(child=serializers.CharField())
    documents = serializers.DictField()
    state = serializers.ChoiceField(choices=TurnState.choices)
    step = serializers.ChoiceField(choices=Step.choices)
    created_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)
    answer = serializers.CharField(allow_null=True)
    found = serializers.BooleanField(
        allow_null=True,
        help_text="False: nothing that answers for sure; the closest passages may be shown. "
        "Null: a greeting.",
    )
    written_by = serializers.CharField(
        allow_null=True,
        help_text="The language models; `extractive` if there is none, `courtesy` for a greeting.",
    )
    conflicts = serializers.ListField(
        child=serializers.CharField(),
        help_text="Contradictory limits, with their sources.",
    )
    suggested_questions = serializers.ListField(
        child=serializers.CharField(),
        help_text="Where nothing answers for sure: near questions that the documents answer.",
    )
    notes = serializers.ListField(child=serializers.CharField())
    side_by_side = serializers.ListField(child=serializers.DictField())
    verdict = VerdictOutput(allow_null=True)
    evidence = EvidenceOutput(allow_null=True)
    memory = serializers.DictField(allow_null=True)
    tokens = serializers.IntegerField(allow_null=True)
    consensus = serializers.DictField(allow_null=True)
    milliseconds = serializers.DictField()


class ConversationOutput(Schema):
    """A conversation without its turns."""

    id = serializers.UUIDField()
    manager = serializers.CharField(source="manager.name")
    title = serializers.CharField(allow_blank=True)
    created_at = UTCField()
    turn_count = serializers.IntegerField(allow_null=True)


class ConversationPage(Page):
    """A page of conversations, newest first."""

    results = ConversationOutput(many=True)


class ConversationFilters(Schema):
    """The filter of the list of conversations."""

    manager = TextField(required=False, allow_blank=True, default="", max_length=120)


class TurnPage(Page):
    """A page of turns, newest first."""

    results = TurnOutput(many=True)
