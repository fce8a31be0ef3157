"""Passwords of tests: hashed as the product does, in a thousandth of the time."""

from django.contrib.auth.hashers import PBKDF2PasswordHasher


class QuickHasher(PBKDF2PasswordHasher):
    """Of the product's algorithm, so that processes of the product accept what it made."""

    iterations = 1_000
