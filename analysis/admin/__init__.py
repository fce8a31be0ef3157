"""The review desk inside the Django admin: evidence to read, reviews to decide."""

from analysis.admin import batches, checks, codes, jobs, policies, reviews, trail

__all__ = ["batches", "checks", "codes", "jobs", "policies", "reviews", "trail"]
