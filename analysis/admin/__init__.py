"""Admin pages of batches, jobs and the trail, and the classes that all of them share."""

from analysis.admin import batches, jobs, trail

__all__ = ["batches", "jobs", "trail"]
