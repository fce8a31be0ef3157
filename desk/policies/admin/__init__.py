"""Policies inside the Django admin."""

from desk.policies.admin import policies

__all__ = ["policies"]
