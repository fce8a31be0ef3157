"""Policies inside the Django admin."""

from policies.admin import policies

__all__ = ["policies"]
