"""URLs below `/api/v1/`."""

from django.urls import path

from notifications.api import views

_ONE = "webhooks/<int:webhook_id>"
_DELIVERY = f"{_ONE}/deliveries/<uuid:delivery_id>"

urlpatterns = [
    path("webhooks", views.WebhookListView.as_view(), name="webhooks"),
    path(_ONE, views.WebhookView.as_view(), name="webhook"),
    path(f"{_ONE}/secret", views.WebhookSecretView.as_view(), name="webhook_secret"),
    path(f"{_ONE}/test", views.WebhookTestView.as_view(), name="webhook_test"),
    path(f"{_ONE}/deliveries", views.DeliveryListView.as_view(), name="webhook_deliveries"),
    path(_DELIVERY, views.DeliveryView.as_view(), name="webhook_delivery"),
    path(f"{_DELIVERY}/replay", views.DeliveryReplayView.as_view(), name="webhook_replay"),
]
