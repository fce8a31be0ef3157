"""`manage.py memory export|import`: USER_MEMORY.md and COMPANY_MEMORY.md of one manager."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from memory.files import file_name
from memory.models import Manager, Target
from memory.outcomes import Status
from memory.services.files import NotReadable, export, import_file


class Command(BaseCommand):
    help = "Take a manager's memory out as Markdown files, or read such files in."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=("export", "import"))
        parser.add_argument("--application", required=True, help="slug of the application")
        parser.add_argument("--manager", required=True, help="the manager's name or id")
        parser.add_argument("--target", choices=Target.values, help="only this memory")
        parser.add_argument("--dir", type=Path, default=Path("."), help="folder above users/")

    def handle(self, *args: Any, **options: Any) -> None:
        manager = _manager(options["application"], options["manager"])
        folder = options["dir"] / "users" / str(manager.pk)
        targets = [Target(options["target"])] if options["target"] else list(Target)
        for target in targets:
            file = folder / file_name(target)
            if options["action"] == "export":
                self._export(manager, target, file)
            else:
                self._import(manager, target, file)

    def _export(self, manager: Manager, target: Target, file: Path) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(export(manager, target, by="manage.py"), encoding="utf-8")
        self.stdout.write(f"{file}")

    def _import(self, manager: Manager, target: Target, file: Path) -> None:
        try:
            report = import_file(manager, target, file.read_text(encoding="utf-8"), by="manage.py")
        except (OSError, UnicodeDecodeError, NotReadable) as error:
            raise CommandError(f"{file}: {error}") from error
        stored_count = report.count(Status.WRITTEN, Status.SUPERSEDED)
        known_count, refused_count = report.count(Status.DUPLICATE), report.count(Status.REFUSED)
        self.stdout.write(
            f"{file}: {stored_count} stored, {known_count} known already, {refused_count} refused"
        )
        for fact in report.facts:
            if fact.status is Status.REFUSED:
                self.stdout.write(f"  refused: {fact.reason}")


def _manager(application: str, name: str) -> Manager:
    managers = Manager.objects.filter(application__slug=application)
    try:
        return managers.filter(name=name).first() or managers.get(pk=name)
    except (Manager.DoesNotExist, ValidationError):
        raise CommandError(f"{application} has no manager {name!r}.") from None
