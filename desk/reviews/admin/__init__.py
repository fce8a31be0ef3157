"""The review desk inside the Django admin: evidence to read, reviews to decide."""

from desk.reviews.admin import checks, codes, reviews

__all__ = ["checks", "codes", "reviews"]
