"""The assistant app."""

from django.apps import AppConfig


class AssistantConfig(AppConfig):
    """Conversations of managers, the evidence for each answer, and the answers."""

    name = "assistant"

    def ready(self) -> None:
        """Register which turns are erased together with a check."""
        from assistant.services.erasing import register_turns  # noqa: PLC0415  needs models

        register_turns()
