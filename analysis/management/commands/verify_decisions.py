"""`manage.py verify_decisions`: decides every check again from its stored signals."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.progress import track

from analysis.selectors.erasures import erased_counts
from analysis.selectors.verifying import stored_count, verify_decisions


class Command(BaseCommand):
    """Fails if a decision differs from what its policy version makes of its signals."""

    help = "Decide every stored check again under its own policy version and compare the results."

    def handle(self, *args: Any, **options: Any) -> None:
        same = other = 0
        wrong = list[str]()
        console = Console(stderr=True)
        for verification in track(
            verify_decisions(), "Decisions", total=stored_count(), console=console, transient=True
        ):
            if verification.differs:
                wrong.append(f"{verification.check_id}: {', '.join(verification.differs)}")
            elif verification.engine is None:
                other += 1
            else:
                same += 1
        self.stdout.write(f"{same} decisions match their policy and signals.")
        for (by, reason), count in sorted(erased_counts().items()):
            self.stdout.write(f"{count} were erased by {by}: {reason}.")
        if other:
            self.stdout.write(
                f"{other} cannot be replayed: this build does not contain their engine version."
            )
        if wrong:
            raise CommandError("These differ from what is stored:\n" + "\n".join(wrong))
