"""`manage.py sandbox_check`: reports which sandbox tier this machine allows, canary by canary."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from lib.sandbox import SandboxFailed, SandboxUnavailable, Tier, TierReport, report, run

_HELLO = "def main(data):\n    return data + 1\n"


class Command(BaseCommand):
    help = "Try the sandbox of files and weather; fails where no tier is usable."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        reports = [report(Tier(name)) for name in settings.SANDBOX_TIERS]
        for item in reports:
            self._tell(item)
        usable = [report.tier for report in reports if report.usable]
        if not usable:
            raise CommandError(
                "No tier is usable: files are refused, the weather tool is unavailable."
            )
        try:
            done = run(_HELLO, 1, tier=usable[0])
        except (SandboxFailed, SandboxUnavailable) as error:
            raise CommandError(f"{usable[0]}: a script could not be run: {error}") from error
        self.stdout.write(f"In use: {usable[0]}. A script took {done.seconds:.2f} s.")

    def _tell(self, report: TierReport) -> None:
        self.stdout.write(
            f"{report.tier}: {'usable' if report.usable else f'not usable ({report.reason})'}"
        )
        for canary in report.canaries:
            outcome = "refused" if canary.refused else f"NOT REFUSED: {canary.detail}"
            self.stdout.write(f"  {canary.name:<12} {outcome}")
