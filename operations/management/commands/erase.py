"""`manage.py erase`: erase the checks that tell of a person, after showing which."""

from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from analysis.management.trails import application_named
from analysis.services.erasure import EVERYTHING, erase_checks
from operations.finding import Query, matching

_AT_ONCE = 100
_MOST_NAMED = 20


class Command(BaseCommand):
    """Counts first; erases only with `--execute`."""

    help = (
        "Erase the checks of an application that hold some words or metadata. Shows what would be "
        "erased; --execute does it. Documents, memory and the assistant's conversations are not "
        "searched."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """What to look for, why, and whether to erase it."""
        parser.add_argument("--application", required=True, help="slug or id")
        parser.add_argument("--text", action="append", default=[], help="any of these, any case")
        parser.add_argument(
            "--metadata", action="append", default=[], metavar="NAME=VALUE", help="all of these"
        )
        parser.add_argument("--reason", required=True, help="kept in the trail")
        parser.add_argument("--by", required=True, help="who asks for it; kept in the trail")
        parser.add_argument("--execute", action="store_true", help="erase what was found")

    def handle(self, *args: Any, **options: Any) -> None:
        """Find, show, and erase where that is asked for."""
        query = Query([t for t in options["text"] if t.strip()], _pairs(options["metadata"]))
        if not query.texts and not query.metadata:
            raise CommandError("Give --text or --metadata: everything is erased by no command.")
        found = list(matching(application_named(options["application"]), query))
        for check_id in found[:_MOST_NAMED]:
            self.stdout.write(str(check_id))
        if len(found) > _MOST_NAMED:
            self.stdout.write(f"… and {len(found) - _MOST_NAMED} more")
        if not options["execute"]:
            self.stdout.write(f"{len(found)} checks would be erased. --execute erases them.")
            return
        self._erase(found, by=options["by"], reason=options["reason"])

    def _erase(self, found: Sequence[UUID], *, by: str, reason: str) -> None:
        erased, left = 0, list[str]()
        for at in range(0, len(found), _AT_ONCE):
            ids = found[at : at + _AT_ONCE]
            outcome = erase_checks(check_ids=ids, parts=EVERYTHING, by=by, reason=reason)
            erased += len(outcome.erased)
            left += [f"{one}: on legal hold" for one in outcome.held]
            left += [f"{one}: still worked on" for one in outcome.unfinished]
        self.stdout.write(f"{erased} checks were erased.")
        if left:
            raise CommandError("Not erased:\n" + "\n".join(left))


def _pairs(given: Sequence[str]) -> dict[str, str]:
    wrong = [pair for pair in given if "=" not in pair]
    if wrong:
        raise CommandError(f"Not NAME=VALUE: {', '.join(wrong)}.")
    return {name: value for name, _, value in (pair.partition("=") for pair in given)}
