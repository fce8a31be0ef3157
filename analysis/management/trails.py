"""Code that the commands about the trail share."""

from argparse import ArgumentParser
from collections.abc import Sequence
from uuid import UUID

from django.core.management.base import CommandError

from accounts.management.applications import application_named
from accounts.models import Application
from audit import signing
from audit.models import NO_APPLICATION

NAME_OF_NONE = "-"


def add_key_argument(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--public-key",
        action="append",
        metavar="BASE64",
        help="trust this key instead of the configured ones (may be given several times)",
    )


def trusted(public_keys: Sequence[str] | None) -> list[str]:
    """Return the given public keys, or the configured ones.

    Raises CommandError for an invalid key.
    """
    keys = list(public_keys) if public_keys else signing.trusted_keys()
    try:
        for key in keys:
            signing.key_name(key)
    except signing.SigningKeyError as error:
        raise CommandError(str(error)) from error
    return keys


def chain_named(name: str) -> UUID:
    """Return the chain of an application (slug or id), or of none (`-`). Raises CommandError."""
    if name == NAME_OF_NONE:
        return NO_APPLICATION
    try:
        return UUID(name)
    except ValueError:
        return application_named(name).pk


def chain_names(chains: Sequence[UUID]) -> dict[UUID, str]:
    slugs = dict(Application.objects.filter(pk__in=chains).values_list("pk", "slug"))
    return {
        chain: NAME_OF_NONE if chain == NO_APPLICATION else slugs.get(chain, str(chain))
        for chain in chains
    }
