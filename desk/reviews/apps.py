"""The Django app of the review desk."""

from django.apps import AppConfig


class ReviewsConfig(AppConfig):
    """The desk's admin, tasks and commands: its tables are those of `analysis`."""

    name = "desk.reviews"

    def ready(self) -> None:
        """Tell jobs how reviews are decided in bulk."""
        from desk.reviews.services.bulk_job import register_bulk  # noqa: PLC0415  needs models

        register_bulk()
