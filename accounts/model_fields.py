"""Fields of which an application has several."""

from django.core.validators import MinValueValidator
from django.db import models


def hours_field(default: int, what: str) -> "models.PositiveSmallIntegerField[int, int]":
    return models.PositiveSmallIntegerField(
        default=default,
        db_default=default,
        validators=[MinValueValidator(1)],
        help_text=f"Business hours until a review is due: {what}.",
    )


def quota_field(what: str) -> "models.PositiveIntegerField[int | None, int | None]":
    return models.PositiveIntegerField(
        null=True, blank=True, validators=[MinValueValidator(1)],
        help_text=f"{what}; empty: no limit.",
    )  # fmt: skip


def days_field(what: str) -> "models.PositiveIntegerField[int | None, int | None]":
    return models.PositiveIntegerField(
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text=f"Days for which {what} are kept; empty: for ever.",
    )
