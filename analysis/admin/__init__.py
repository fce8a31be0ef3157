"""Admin pages of jobs, batches and the trail, and the classes that all of them share."""

from analysis.admin import jobs, trail

__all__ = ["jobs", "trail"]
