"""Celery tasks for operators."""

from celery import shared_task

from accounts.session_store import SessionStore
from analysis.services.probing import remove_probe_checks
from operations.evidence import announce_packs
from operations.probing import probe_judges as put_probes_to_judges
from operations.retention import start_retention


@shared_task(name="operations.tasks.apply_retention")
def apply_retention() -> None:
    """Start a job for each application with retention periods; workers run them in slices.

    Also deletes expired sessions, and tries of the playground that are not counted.
    """
    SessionStore.clear_expired()
    remove_probe_checks(left_behind=True)
    start_retention()


@shared_task(name="operations.tasks.probe_judges", time_limit=100)
def probe_judges() -> None:
    """Send the included probes to each judge alone: seconds, but a language model may be slow."""
    put_probes_to_judges()


@shared_task(name="operations.tasks.announce_evidence")
def announce_evidence() -> None:
    """Notify subscribers that the evidence pack of the last month is ready."""
    announce_packs()
