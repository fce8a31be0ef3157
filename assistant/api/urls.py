"""URLs below `/api/v1/assistant/`."""

from django.urls import path

from assistant.api import views

urlpatterns = [
    path("messages", views.MessagesView.as_view(), name="assistant_messages"),
    path("messages/<uuid:turn_id>", views.MessageView.as_view(), name="assistant_message"),
    path("briefings", views.BriefingsView.as_view(), name="assistant_briefings"),
    path("conversations", views.ConversationsView.as_view(), name="assistant_conversations"),
    path(
        "conversations/<uuid:conversation_id>/messages",
        views.ConversationView.as_view(),
        name="assistant_conversation",
    ),
]
