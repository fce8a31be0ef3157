"""The input and output of the API, as documented schema components."""

from typing import Any

from django.conf import settings
from rest_framework import serializers

from accounts.inputs import InputSerializer, ListField
from accounts.pagination import Page
from notifications import targets
from notifications.models import SUBSCRIBED, NotificationState

Schema = serializers.Serializer[Any]
EVENTS = [kind.value for kind in SUBSCRIBED]
STATES = NotificationState.values
DEFAULT_OVERLAP, LONGEST_OVERLAP = 86_400, 604_800
"""Seconds for which the previous secret remains valid."""


class WebhookInput(InputSerializer):
    """A URL, and the events to send to it."""

    url = serializers.CharField(
        max_length=500,
        help_text="https, on a public address that is known when the webhook is created; the "
        "operator may allow other hosts by name.",
    )
    events = ListField(
        child=serializers.ChoiceField(choices=EVENTS), min_length=1, max_length=len(EVENTS)
    )

    def validate_url(self, value: str) -> str:
        """Return the URL if it may be called. Raises ValidationError."""
        try:
            targets.check_new(value, settings.WEBHOOK_ALLOWED_HOSTS, settings.WEBHOOK_SECONDS)
        except targets.TargetRefused as error:
            raise serializers.ValidationError(str(error), "target_refused") from error
        return value

    def validate_events(self, value: list[str]) -> list[str]:
        """Remove duplicates and sort."""
        return sorted(set(value))


class SecretInput(InputSerializer):
    """The period for which the previous secret remains valid."""

    overlap_seconds = serializers.IntegerField(
        min_value=0,
        max_value=LONGEST_OVERLAP,
        default=DEFAULT_OVERLAP,
        help_text="For how many seconds the previous secret remains valid. 0 revokes it at once, "
        "for example if it was disclosed.",
    )


class WebhookOutput(Schema):
    """A webhook. Its secret is returned only when it is created or renewed."""

    id = serializers.IntegerField()
    url = serializers.CharField(source="target")
    events = serializers.ListField(child=serializers.ChoiceField(choices=EVENTS), source="kinds")
    created_by = serializers.CharField()
    created_at = serializers.DateTimeField()
    previous_secret_until = serializers.DateTimeField(
        source="previous_until",
        allow_null=True,
        help_text="Until then, messages are also signed with the previous secret.",
    )


class NewWebhookOutput(WebhookOutput):
    """A webhook with its secret, which is shown only once."""

    secret = serializers.CharField(help_text="`whsec_` and 32 bytes in base64.")


class WebhookList(Schema):
    """All active webhooks."""

    results = WebhookOutput(many=True)


class AttemptOutput(Schema):
    """One attempt to deliver a message, with its result."""

    at = serializers.DateTimeField()
    status = serializers.IntegerField(
        allow_null=True, help_text="HTTP status of the response; null if there was none."
    )
    error = serializers.CharField(
        help_text="Why the attempt failed; empty if it succeeded.", allow_blank=True
    )
    milliseconds = serializers.IntegerField()


class DeliveryOutput(Schema):
    """A message and its state. `failed`: all attempts failed; `withdrawn`: it will not be sent."""

    id = serializers.UUIDField(help_text="The `webhook-id` of the message.")
    event = serializers.CharField(source="kind")
    state = serializers.ChoiceField(choices=STATES)
    created_at = serializers.DateTimeField()
    sent_at = serializers.DateTimeField(allow_null=True)
    next_attempt_at = serializers.DateTimeField(source="due_at", allow_null=True)
    attempts = AttemptOutput(many=True, source="tries", help_text="The oldest first.")
    data = serializers.DictField(help_text="The `data` of the message.")


class DeliveryPage(Page):
    """One page of a list; `next` and `previous` are addresses or null."""

    results = DeliveryOutput(many=True)


class DeliveryFilters(serializers.Serializer[Any]):
    """The filter of the list of deliveries."""

    state = serializers.ChoiceField(choices=STATES, required=False)
