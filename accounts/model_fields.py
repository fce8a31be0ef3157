"""Model fields that an application has several of."""

from typing import TYPE_CHECKING

from django.core.validators import MinValueValidator
from django.db import models

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


def hours_field(
    default: int, help_text: "StrOrPromise"
) -> "models.PositiveSmallIntegerField[int, int]":
    return models.PositiveSmallIntegerField(
        default=default, db_default=default, validators=[MinValueValidator(1)], help_text=help_text
    )


def limit_field(help_text: "StrOrPromise") -> "models.PositiveIntegerField[int | None, int | None]":
    return models.PositiveIntegerField(
        null=True, blank=True, validators=[MinValueValidator(1)], help_text=help_text
    )
