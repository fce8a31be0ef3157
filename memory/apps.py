"""The memory app."""

from django.apps import AppConfig


class MemoryConfig(AppConfig):
    """Managers, what they stated, and how it is found again."""

    name = "memory"
    verbose_name = "Memory"
