"""`/api/v1/webhooks`: creates, lists, deletes, renews secrets, shows and repeats deliveries."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import or_404
from accounts.authentication import client_of
from accounts.inputs import validated
from accounts.models import Scope
from accounts.pagination import PAGING, NewestFirst
from accounts.problems import ProblemError
from accounts.views import ApplicationView
from notifications import services
from notifications.api import schema
from notifications.models import Notification, Subscription


class WebhooksView(ApplicationView):
    read_scope = Scope.WEBHOOKS_READ
    write_scope = Scope.WEBHOOKS_WRITE


class WebhookListView(WebhooksView):
    @extend_schema(operation_id="list_webhooks", responses=schema.WebhookList)
    def get(self, request: Request) -> Response:
        """Return all webhooks of the application, the oldest first."""
        webhooks = services.webhooks_of(self.application_id)
        return Response(schema.WebhookList({"results": webhooks}).data)

    @extend_schema(
        operation_id="create_webhook",
        request=schema.WebhookInput,
        responses={201: schema.NewWebhookOutput},
    )
    def post(self, request: Request) -> Response:
        """Create a webhook; its signing secret is returned only here."""
        values = validated(schema.WebhookInput, request.data)
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
    @extend_schema(operation_id="get_webhook", responses=schema.WebhookOutput)
    def get(self, request: Request, webhook_id: int) -> Response:
        """Return a webhook without its secret."""
        return Response(schema.WebhookOutput(_webhook(request, webhook_id)).data)

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
        request=schema.SecretInput,
        responses=schema.NewWebhookOutput,
    )
    def post(self, request: Request, webhook_id: int) -> Response:
        """Renew the secret. For a while, messages are signed with both secrets."""
        webhook = _webhook(request, webhook_id)
        values = validated(schema.SecretInput, request.data)
        overlap = timedelta(seconds=values["overlap_seconds"])
        services.renew_secret(subscription=webhook, by=str(request.user), overlap=overlap)
        return Response(_with_secret(webhook))


class WebhookTestView(WebhooksView):
    @extend_schema(
        operation_id="test_webhook", request=None, responses={202: schema.DeliveryOutput}
    )
    def post(self, request: Request, webhook_id: int) -> Response:
        """Send a message of the type `test`."""
        notification = services.send_test(
            subscription=_webhook(request, webhook_id), by=str(request.user)
        )
        return _accepted_response(_delivery(request, webhook_id, notification.pk))


class DeliveryListView(WebhooksView):
    @extend_schema(
        operation_id="list_webhook_deliveries",
        parameters=[schema.DeliveryFilters, *PAGING],
        responses=schema.DeliveryPage,
    )
    def get(self, request: Request, webhook_id: int) -> Response:
        """Return messages with each attempt and its response status, newest first."""
        filters = validated(schema.DeliveryFilters, request.query_params)
        deliveries = services.deliveries_of(_webhook(request, webhook_id), **filters)
        return NewestFirst().respond(deliveries, self, schema.DeliveryOutput().to_representation)


class DeliveryView(WebhooksView):
    @extend_schema(operation_id="get_webhook_delivery", responses=schema.DeliveryOutput)
    def get(self, request: Request, webhook_id: int, delivery_id: UUID) -> Response:
        """Return a message with each attempt."""
        return Response(schema.DeliveryOutput(_delivery(request, webhook_id, delivery_id)).data)


class DeliveryReplayView(WebhooksView):
    @extend_schema(
        operation_id="replay_webhook_delivery", request=None, responses={202: schema.DeliveryOutput}
    )
    def post(self, request: Request, webhook_id: int, delivery_id: UUID) -> Response:
        """Send a message again with the same id; earlier attempts remain listed."""
        if not services.replay(_delivery(request, webhook_id, delivery_id)):
            detail = "Only delivered and failed messages can be sent again."
            raise ProblemError(409, "not_replayable", detail)
        return _accepted_response(_delivery(request, webhook_id, delivery_id))


def _with_secret(webhook: Subscription) -> dict[str, Any]:
    document = schema.WebhookOutput(webhook).data
    return {**document, "secret": services.secret_of(webhook)}


def _accepted_response(delivery: Notification) -> Response:
    where = reverse("webhook_delivery", args=[delivery.subscription_id, delivery.pk])
    return Response(schema.DeliveryOutput(delivery).data, status=202, headers={"Location": where})


def _webhook(request: Request, webhook_id: int) -> Subscription:
    return or_404(services.webhooks_of(client_of(request).application_id).get, pk=webhook_id)


def _delivery(request: Request, webhook_id: int, delivery_id: UUID) -> Notification:
    return or_404(services.deliveries_of(_webhook(request, webhook_id)).get, pk=delivery_id)
