"""The migrations of accounts, and one that a later release may have: the tests' own."""

from accounts import migrations

__path__ = [*migrations.__path__, *__path__]
