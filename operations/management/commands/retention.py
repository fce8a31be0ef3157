"""`manage.py retention`: erases what is past its retention period, or counts it."""

import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from accounts.models import Application
from analysis.models import Job, JobState
from analysis.services.jobs import run_job
from operations.retention import due_now, start_retention, terms_of

_POLL_SECONDS = 1.0


class Command(BaseCommand):
    """Runs the nightly job by hand; it is also shown under Jobs in the admin."""

    help = "Erase what is past the terms of retention (keep_..._days of each application)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="count and change nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["dry_run"]:
            now = timezone.now()
            for application in Application.objects.order_by("slug"):
                if not terms_of(application).is_any:
                    self.stdout.write(f"{application.slug}: keeps everything for ever.")
                    continue
                due = due_now(application, now)
                parts = ", ".join(f"{part} of {count} checks" for part, count in due.parts.items())
                phrases = [
                    each for each in (parts, f"{due.turns} turns", f"{due.files} files") if each
                ]
                self.stdout.write(
                    f"{application.slug}: would erase {', '.join(phrases)}; "
                    f"{due.on_hold} checks are on hold."
                )
            return
        jobs = start_retention(by="command")
        if not jobs:
            self.stdout.write("No application has a term: everything is kept for ever.")
        failed = [job for job in jobs if not self._finish(job)]
        if failed:
            raise CommandError(f"{len(failed)} jobs failed: see Jobs in the admin.")

    def _finish(self, job: Job) -> bool:
        """Work on a job to its end, unless a worker does; return False if it failed."""
        while not job.is_finished:
            if not run_job(job.pk):
                time.sleep(_POLL_SECONDS)
            job.refresh_from_db()
        if job.state != JobState.DONE or job.result is None:
            return False
        text = ", ".join(f"{part} {count}" for part, count in sorted(job.result["erased"].items()))
        skipped_counts = ", ".join(
            f"{count} {why}" for why, count in job.result["named"].items() if count
        )
        remainder = f" Left as they are: {skipped_counts}." if skipped_counts else ""
        self.stdout.write(f"{job.application.slug}: erased {text or 'nothing'}.{remainder}")
        return True
