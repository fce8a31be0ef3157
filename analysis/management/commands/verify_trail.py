"""`manage.py verify_trail`: compares the trail with its seals."""

from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError
from django.db.models import Sum

from analysis.management.progress import progress
from analysis.management.trails import add_key_argument, chain_named, chain_names, trusted
from analysis.models import Check
from audit.heads import Head, HeadsError, read_heads
from audit.models import NO_APPLICATION, TrailEntry, TrailSeal
from audit.verifying import ChainFault, FaultKind, chains, unsealed_count, verify_chain

_MOST_NAMED = 100


class Command(BaseCommand):
    """Names everything that differs from its seal, and fails if there is anything."""

    help = (
        "Find altered, removed, inserted, reordered and cut-off entries of the trail, and changed "
        "inputs, results and policies. Without --heads, a truncated end cannot be detected."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--application", help="slug or id; - for entries without one")
        parser.add_argument("--heads", type=Path, help="a file written by export_heads")
        add_key_argument(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        keys = trusted(options["public_key"])
        heads = _heads(options["heads"], keys)
        chain_ids = sorted({*chains(), *heads})
        if options["application"]:
            chain_ids = [chain_named(options["application"])]
        names = chain_names(chain_ids)
        entries, erased, findings = _verify(chain_ids, keys, heads)
        self.stdout.write(f"{entries} sealed entries in {len(chain_ids)} chains were compared.")
        if erased:
            why = "refer to content erased since; an entry for each says by whom and why."
            self.stdout.write(f"{erased} of them {why}")
        self.stdout.write(f"{unsealed_count()} entries are not sealed yet.")
        findings += _beginning()
        if findings:
            lines = [
                f"{names.get(f.chain, 'all')}: {f.kind}: {f.text}" for f in findings[:_MOST_NAMED]
            ]
            more = len(findings) - _MOST_NAMED
            rest = [f"… and {more} more"] if more > 0 else []
            raise CommandError(
                "\n".join(["The trail differs from what was sealed:", *lines, *rest])
            )


def _beginning() -> list[ChainFault]:
    """Return a fault if the oldest check is older than every entry: the trail was emptied."""
    first, entry = Check.objects.order_by("created_at").first(), TrailEntry.objects.first()
    if first is None or (entry is not None and entry.occurred_at <= first.created_at):
        return []
    text = f"check {first.pk} is older than every entry of the trail"
    return [ChainFault(NO_APPLICATION, FaultKind.REMOVED, text)]


def _heads(path: Path | None, keys: Sequence[str]) -> dict[UUID, Head]:
    if path is None:
        return {}
    try:
        return read_heads(path.read_text(encoding="utf-8"), keys)
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}.") from error
    except HeadsError as error:
        raise CommandError(f"{path}: {error}") from error


def _verify(
    chain_ids: Sequence[UUID], keys: Sequence[str], heads: dict[UUID, Head]
) -> tuple[int, int, list[ChainFault]]:
    entries = erased = 0
    findings = list[ChainFault]()
    sealed = TrailSeal.objects.filter(chain__in=chain_ids).aggregate(n=Sum("entries"))["n"] or 0
    with progress("Entries", sealed) as advance:
        for chain in chain_ids:
            for report in verify_chain(chain, keys, heads.get(chain)):
                entries += report.entries
                erased += report.erased
                findings += report.findings
                for _ in range(report.entries):
                    advance()
    return entries, erased, findings
