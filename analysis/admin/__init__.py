"""Batches, jobs and the trail inside the Django admin, and what all of its pages share."""

from analysis.admin import batches, jobs, trail

__all__ = ["batches", "jobs", "trail"]
