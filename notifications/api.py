"""`/api/v1/webhooks`: an application's own webhooks, and their deliveries."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.urls import path, reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import or_404
from accounts.authentication import client_of
from accounts.inputs import InputSerializer, ListField, validated
from accounts.models import Scope
from accounts.pagination import PAGING, NewestFirst, Page
from accounts.problems import ProblemError
from accounts.views import ApplicationView
from notifications import services, targets
from notifications.models import SUBSCRIBED, Notification, NotificationState, Subscription

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


class WebhooksView(ApplicationView):
    read_scope = Scope.WEBHOOKS_READ
    write_scope = Scope.WEBHOOKS_WRITE


class WebhookListView(WebhooksView):
    @extend_schema(operation_id="list_webhooks", responses=WebhookList)
    def get(self, request: Request) -> Response:
        """Return all webhooks of the application, the oldest first."""
        webhooks = services.webhooks_of(self.application_id)
        return Response(WebhookList({"results": webhooks}).data)

    @extend_schema(
        operation_id="create_webhook",
        request=WebhookInput,
        responses={201: NewWebhookOutput},
    )
    def post(self, request: Request) -> Response:
        """Create a webhook; its signing secret is returned only here."""
        values = validated(WebhookInput, request.data)
        try:
            webhook = services.create_webhook(
                application_id=self.application_id, by=str(request.user), **values
            )
        except services.AddressTaken as error:
            detail = "A webhook with this URL already exists. Delete it, or renew its secret."
            raise ProblemError(409, "address_taken", detail) from error
        except services.TooManyWebhooks as error:
            detail = f"An application can have at most {services.MOST_WEBHOOKS} webhooks."
            raise ProblemError(409, "too_many_webhooks", detail) from error
        where = {"Location": reverse("webhook", args=[webhook.pk])}
        return Response(_with_secret(webhook), status=201, headers=where)


class WebhookView(WebhooksView):
    @extend_schema(operation_id="get_webhook", responses=WebhookOutput)
    def get(self, request: Request, webhook_id: int) -> Response:
        """Return a webhook without its secret."""
        return Response(WebhookOutput(_webhook(request, webhook_id)).data)

    @extend_schema(operation_id="delete_webhook", responses={204: None})
    def delete(self, request: Request, webhook_id: int) -> Response:
        """Delete a webhook; messages that are still waiting are not sent."""
        webhook = _webhook(request, webhook_id)
        webhook.is_active = False
        services.save_subscription(subscription=webhook, by=str(request.user))
        return Response(status=204)


class WebhookSecretView(WebhooksView):
    @extend_schema(
        operation_id="renew_webhook_secret",
        request=SecretInput,
        responses=NewWebhookOutput,
    )
    def post(self, request: Request, webhook_id: int) -> Response:
        """Renew the secret. For a while, messages are signed with both secrets."""
        webhook = _webhook(request, webhook_id)
        values = validated(SecretInput, request.data)
        overlap = timedelta(seconds=values["overlap_seconds"])
        services.renew_secret(subscription=webhook, by=str(request.user), overlap=overlap)
        return Response(_with_secret(webhook))


class WebhookTestView(WebhooksView):
    @extend_schema(operation_id="test_webhook", request=None, responses={202: DeliveryOutput})
    def post(self, request: Request, webhook_id: int) -> Response:
        """Send a message of the type `test`."""
        notification = services.send_test(
            subscription=_webhook(request, webhook_id), by=str(request.user)
        )
        return _accepted_response(_delivery(request, webhook_id, notification.pk))


class DeliveryListView(WebhooksView):
    @extend_schema(
        operation_id="list_webhook_deliveries",
        parameters=[DeliveryFilters, *PAGING],
        responses=DeliveryPage,
    )
    def get(self, request: Request, webhook_id: int) -> Response:
        """Return messages with each attempt and its response status, newest first."""
        filters = validated(DeliveryFilters, request.query_params)
        deliveries = services.deliveries_of(_webhook(request, webhook_id), **filters)
        return NewestFirst().respond(deliveries, self, DeliveryOutput().to_representation)


class DeliveryView(WebhooksView):
    @extend_schema(operation_id="get_webhook_delivery", responses=DeliveryOutput)
    def get(self, request: Request, webhook_id: int, delivery_id: UUID) -> Response:
        """Return a message with each attempt."""
        return Response(DeliveryOutput(_delivery(request, webhook_id, delivery_id)).data)


class DeliveryReplayView(WebhooksView):
    @extend_schema(
        operation_id="replay_webhook_delivery", request=None, responses={202: DeliveryOutput}
    )
    def post(self, request: Request, webhook_id: int, delivery_id: UUID) -> Response:
        """Send a message again with the same id; earlier attempts remain listed."""
        if not services.replay(_delivery(request, webhook_id, delivery_id)):
            detail = "Only delivered and failed messages can be sent again."
            raise ProblemError(409, "not_replayable", detail)
        return _accepted_response(_delivery(request, webhook_id, delivery_id))


def _with_secret(webhook: Subscription) -> dict[str, Any]:
    document = WebhookOutput(webhook).data
    return {**document, "secret": services.secret_of(webhook)}


def _accepted_response(delivery: Notification) -> Response:
    where = reverse("webhook_delivery", args=[delivery.subscription_id, delivery.pk])
    return Response(DeliveryOutput(delivery).data, status=202, headers={"Location": where})


def _webhook(request: Request, webhook_id: int) -> Subscription:
    return or_404(services.webhooks_of(client_of(request).application_id).get, pk=webhook_id)


def _delivery(request: Request, webhook_id: int, delivery_id: UUID) -> Notification:
    return or_404(services.deliveries_of(_webhook(request, webhook_id)).get, pk=delivery_id)


_ONE = "webhooks/<int:webhook_id>"
_DELIVERY = f"{_ONE}/deliveries/<uuid:delivery_id>"

urlpatterns = [
    path("webhooks", WebhookListView.as_view(), name="webhooks"),
    path(_ONE, WebhookView.as_view(), name="webhook"),
    path(f"{_ONE}/secret", WebhookSecretView.as_view(), name="webhook_secret"),
    path(f"{_ONE}/test", WebhookTestView.as_view(), name="webhook_test"),
    path(f"{_ONE}/deliveries", DeliveryListView.as_view(), name="webhook_deliveries"),
    path(_DELIVERY, DeliveryView.as_view(), name="webhook_delivery"),
    path(f"{_DELIVERY}/replay", DeliveryReplayView.as_view(), name="webhook_replay"),
]
