"""The Django app of the review desk."""

from django.apps import AppConfig


class ReviewsConfig(AppConfig):
    """Configures the desk's admin, tasks and commands; its tables belong to `analysis`."""

    name = "desk.reviews"

    def ready(self) -> None:
        """Register the bulk-decision job."""
        from desk.reviews.services.bulk import register_bulk  # noqa: PLC0415  needs models

        register_bulk()
