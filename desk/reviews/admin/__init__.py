"""The review desk in the admin: pages to read evidence and decide reviews."""

from desk.reviews.admin import checks, codes, reviews

__all__ = ["checks", "codes", "reviews"]
