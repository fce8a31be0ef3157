"""`manage.py policy export|import|preset`: an application's policy as a YAML file."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import yaml
from django.core.management.base import BaseCommand, CommandError

from accounts.management.applications import application_named
from accounts.models import Application
from analysis.engine.policy import PRESETS, PolicyError
from analysis.models import Policy
from analysis.services.policies import (
    CasesFailed,
    NeedsSecondApprover,
    active_policy,
    create_policy,
)

MOST_BYTES = 1_000_000


class Command(BaseCommand):
    """Creates a new version for every change; the active one stays until another is activated."""

    help = "Write an application's policy to a file, or create a version from a file or a preset."

    def add_arguments(self, parser: ArgumentParser) -> None:
        todo = parser.add_subparsers(dest="todo", required=True)
        export = todo.add_parser("export", help="print the policy as YAML")
        export.add_argument("--version", dest="number", type=int, help="default: the one in force")
        export.add_argument("--out", type=Path, help="file; default: standard output")
        bring = todo.add_parser("import", help="create a version from a file (-: standard input)")
        bring.add_argument("file", type=Path)
        preset = todo.add_parser("preset", help="create a version from a preset")
        preset.add_argument("name", choices=sorted(PRESETS))
        for each in (export, bring, preset):
            each.add_argument("--application", required=True, help="its slug")
        for each in (bring, preset):
            each.add_argument("--note", default="", help="why")
            each.add_argument("--activate", action="store_true", help="put it in force")
            each.add_argument(
                "--despite-cases", metavar="REASON", default="",
                help="also if regression cases do not pass; the trail keeps the reason",
            )  # fmt: skip

    def handle(self, *args: Any, **options: Any) -> None:
        application = application_named(options["application"])
        if options["todo"] == "export":
            self._export(application, options)
            return
        is_import = options["todo"] == "import"
        rules = read_rules(options["file"]) if is_import else PRESETS[options["name"]].to_json()
        try:
            policy = create_policy(
                application_id=application.pk,
                rules=rules,
                by="manage.py policy",
                note=options["note"],
                activate=options["activate"],
                despite_cases=options["despite_cases"],
            )
        except PolicyError as error:
            raise CommandError(f"The policy is not valid: {error}") from error
        except (NeedsSecondApprover, CasesFailed) as error:
            raise CommandError(f"Import it without --activate. {error}") from error
        state = "in force" if options["activate"] else "not in force"
        self.stdout.write(f"{application.slug}: version {policy.version}, {state}.")

    def _export(self, application: Application, options: dict[str, Any]) -> None:
        text = yaml.safe_dump(
            version_of(application, options["number"]).rules, sort_keys=False, allow_unicode=True
        )
        if options["out"] is None:
            self.stdout.write(text, ending="")
            return
        try:
            options["out"].write_text(text, encoding="utf-8")
        except OSError as error:
            raise CommandError(f"{options['out']} cannot be written: {error.strerror}.") from error


def version_of(application: Application, number: int | None) -> Policy:
    if number is None:
        return active_policy(application.pk)
    policy = Policy.objects.filter(application=application, version=number).first()
    if policy is None:
        raise CommandError(f"{application.slug} has no policy version {number}.")
    return policy


def read_rules(path: Path) -> Any:
    """Parse the YAML document in a file. Raises CommandError."""
    try:
        data = sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
        if len(data) > MOST_BYTES:
            raise CommandError(f"{path} has more than {MOST_BYTES:,} bytes.")
        return yaml.safe_load(data.decode("utf-8"))
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}.") from error
    except (UnicodeDecodeError, yaml.YAMLError, RecursionError) as error:
        raise CommandError(f"{path} is not a YAML document: {error}") from error
