"""`manage.py link_identity NAME --subject SUB`: links an account to a person at the provider."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import IntegrityError

from accounts.management.applications import user_named
from accounts.oidc.people import link


class Command(BaseCommand):
    """Links by subject, which people cannot choose for themselves at the provider."""

    help = "Link an existing account to a person of the OpenID Connect provider."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="username of the account")
        parser.add_argument("--subject", required=True, help="the claim `sub` of the person")

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.OIDC_ISSUER:
            raise CommandError("No provider is configured: set OIDC_ISSUER.")
        user = user_named(options["name"])
        try:
            link(user, subject=options["subject"], by="command")
        except IntegrityError as error:
            raise CommandError("The account or the person is already linked.") from error
        self.stdout.write(f"{user} now signs in at {settings.OIDC_ISSUER}.")
