"""`manage.py rotate_api_key PREFIX`: replaces a key, which then expires."""

from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.management.applications import user_named
from accounts.models import ApiKey
from accounts.services import KeyNotActive, change_key_owner, rotate_api_key


class Command(BaseCommand):
    """Prints the new key once."""

    help = "Replace an API key. Both work until the old one expires."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("prefix", help="prefix of the key, as listed by api_keys")
        parser.add_argument("--overlap-hours", type=float, default=24.0)
        parser.add_argument("--owner", help="username of the person responsible for the new key")

    def handle(self, *args: Any, **options: Any) -> None:
        key = ApiKey.objects.filter(prefix=options["prefix"]).first()
        if key is None:
            raise CommandError(f"No key has the prefix {options['prefix']!r}.")
        if options["overlap_hours"] <= 0:
            raise CommandError("--overlap-hours must be above 0.")
        owner = user_named(options["owner"]) if options["owner"] else None
        overlap = timedelta(hours=options["overlap_hours"])
        try:
            new_key, token = rotate_api_key(key, overlap=overlap, by="manage.py")
        except KeyNotActive as error:
            raise CommandError(str(error)) from error
        if owner is not None:
            change_key_owner(new_key, owner=owner, by="manage.py")
        key.refresh_from_db()
        self.stdout.write(f"{token}\n(shown only once; keep it safe)")
        self.stdout.write(
            f"The key {key.prefix}… is valid until {key.expires_at:%Y-%m-%d %H:%M} UTC."
        )
