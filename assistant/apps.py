"""The assistant app."""

from django.apps import AppConfig


class AssistantConfig(AppConfig):
    """Conversations of managers, the evidence for each answer, and the answers."""

    name = "assistant"
