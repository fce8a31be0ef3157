"""Export to and import from USER_MEMORY.md and COMPANY_MEMORY.md."""

from dataclasses import dataclass

from django.utils import timezone

from audit.models import Event
from audit.services import append
from memory.files import FactLine, file_name, parse, render
from memory.models import Manager, Origin, Target
from memory.outcomes import FactOutcome, Status
from memory.selectors.entries import entries_of
from memory.services.managers import BY_HAND
from memory.services.remembering import guarded_write, tidy
from memory.services.writing import NewFact

MOST_LINES = 500


class NotReadable(ValueError):
    """Raised if the file contains anything but facts; the message names the first such line."""


@dataclass(frozen=True, slots=True)
class Imported:
    """The outcome of each fact of a file, in order."""

    facts: tuple[FactOutcome, ...]

    def count(self, *statuses: Status) -> int:
        return sum(fact.status in statuses for fact in self.facts)


def export(manager: Manager, target: Target, *, by: str) -> str:
    """Return current memories as the file of this target; the trail notes the export."""
    entries = entries_of(manager, target=target).order_by("stated_at", "id")
    lines = [FactLine(entry.text, entry.stated_at) for entry in entries]
    append(Event.MEMORY_EXPORTED, subject=manager, by=by, target=target, entries=len(lines))
    return render(target, lines)


def import_file(manager: Manager, target: Target, content: str, *, by: str) -> Imported:
    """Import the facts of a file into a memory; existing ones are not duplicated.

    The manager chose the facts, so no judge is asked; the guards apply here too. A value older than
    the remembered one does not supersede it. Raises NotReadable for a file with anything but facts,
    before anything is written.
    """
    file = parse(content)
    if file.problems:
        number, why = file.problems[0]
        raise NotReadable(f"Line {number}: {why}")
    if len(file.lines) > MOST_LINES:
        raise NotReadable(f"{len(file.lines)} facts; at most {MOST_LINES} are imported at once.")
    now = timezone.now()
    late = next((line for line in file.lines if line.stated_at and line.stated_at > now), None)
    if late:
        raise NotReadable(f"{late.stated_at:%Y-%m-%d %H:%M} UTC is in the future.")
    lines = sorted(file.lines, key=lambda line: line.stated_at or now)
    return Imported(tuple(_import(manager, target, line, by) for line in lines))


def _import(manager: Manager, target: Target, line: FactLine, by: str) -> FactOutcome:
    fact = NewFact(
        tidy(line.text), target, 1.0, BY_HAND, Origin.IMPORTED, file_name(target), line.stated_at
    )
    return guarded_write(manager, fact, by=by)
