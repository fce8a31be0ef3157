"""Passwords of tests: hashed as the product does, in a thousandth of the time."""

from django.contrib.auth.hashers import PBKDF2PasswordHasher


class QuickHasher(PBKDF2PasswordHasher):
    """A hasher of the product's algorithm, so that its processes accept these passwords."""

    iterations = 1_000
