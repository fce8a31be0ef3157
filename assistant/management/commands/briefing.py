"""`manage.py briefing --manager NAME`: writes the morning briefing now, or daily by e-mail."""

from argparse import ArgumentParser
from datetime import time
from typing import Any
from zoneinfo import ZoneInfoNotFoundError

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.core.validators import validate_email

from assistant.models import Turn
from assistant.services.briefings import brief, schedule, text_of, unschedule
from inference.errors import ModelError
from memory.models import Manager

_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


class Command(BaseCommand):
    help = "The weather against the handbook's limits for a manager's active works."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--application", default="demo", help="slug; default: demo")
        parser.add_argument("--manager", required=True, help="name within the application")
        parser.add_argument("--at", metavar="HH:MM", type=time.fromisoformat, help="send daily at")
        parser.add_argument("--email", help="where to")
        parser.add_argument("--timezone", default=settings.TIME_ZONE)
        parser.add_argument("--days", nargs="+", choices=_DAYS, default=_DAYS[:5], metavar="DAY")
        parser.add_argument("--stop", action="store_true", help="send no more")

    def handle(self, *args: Any, **options: Any) -> None:
        manager = _manager(options["application"], options["manager"])
        if options["stop"]:
            was_scheduled = unschedule(manager)
            self.stdout.write("No more will be sent." if was_scheduled else "None was scheduled.")
        elif options["at"] or options["email"]:
            self._schedule(manager, options)
        else:
            self._brief(manager)

    def _brief(self, manager: Manager) -> None:
        def report(turn: Turn) -> None:
            self.stderr.write(turn.question)

        try:
            self.stdout.write(text_of(brief(manager, on_turn=report)))
        except ModelError as error:
            raise CommandError(f"A model is missing: {error.problem}") from error

    def _schedule(self, manager: Manager, options: dict[str, Any]) -> None:
        if not (options["at"] and options["email"]):
            raise CommandError("--at and --email are both required.")
        days = [_DAYS.index(day) for day in options["days"]]
        try:
            validate_email(options["email"])
            briefing_schedule = schedule(
                manager,
                at=options["at"],
                email=options["email"],
                zone=options["timezone"],
                weekdays=sorted(set(days)),
            )
        except (ValidationError, ZoneInfoNotFoundError, ValueError) as error:
            raise CommandError("The address or the time zone does not exist.") from error
        text = ", ".join(_DAYS[day] for day in briefing_schedule.weekdays)
        self.stdout.write(f"Sent to {briefing_schedule.email} at {briefing_schedule} on {text}.")
        if not settings.EMAIL_HOST:
            self.stdout.write("No mail server is configured yet (EMAIL_HOST).")


def _manager(application: str, name: str) -> Manager:
    manager = Manager.objects.filter(application__slug=application, name=name).first()
    if manager is None:
        raise CommandError(f"{application} has no manager called {name}.")
    return manager
