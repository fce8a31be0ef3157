"""Policies inside the Django admin."""

from desk.policies.admin import cases, policies

__all__ = ["cases", "policies"]
