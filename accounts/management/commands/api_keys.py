"""`manage.py api_keys`: lists each key with its owner, last use and expiry."""

from argparse import ArgumentParser
from datetime import datetime
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from accounts.models import ApiKey


class Command(BaseCommand):
    """Prints a line for each key, the soonest to expire first."""

    help = "List API keys with owner, last use and expiry; --all includes revoked and expired keys."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--application", help="slug")
        parser.add_argument("--all", action="store_true", help="include revoked and expired keys")

    def handle(self, *args: Any, **options: Any) -> None:
        keys = ApiKey.objects.select_related("application", "owner").order_by("expires_at", "pk")
        if options["application"]:
            keys = keys.filter(application__slug=options["application"])
        now = timezone.now()
        for key in keys:
            state = _state(key, now)
            if options["all"] or state == "active":
                owner = key.owner.get_username() if key.owner else "none"
                self.stdout.write(
                    f"{key.prefix}  {key.application.slug}  {key.name}  {state}  owner {owner}  "
                    f"used {_day(key.last_used_at)}  expires {_day(key.expires_at)}"
                )


def _state(key: ApiKey, now: datetime) -> str:
    if key.revoked_at is not None:
        return "revoked"
    return "expired" if key.expires_at is not None and key.expires_at <= now else "active"


def _day(moment: datetime | None) -> str:
    return f"{moment:%Y-%m-%d}" if moment else "never"
