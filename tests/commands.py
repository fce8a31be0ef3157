"""Management commands, called as a user calls them."""

from io import StringIO

from django.core.management import call_command


def run(command: str, *arguments: object, **options: object) -> str:
    """Run a command; return what it printed."""
    out = StringIO()
    call_command(command, *arguments, stdout=out, **options)
    return out.getvalue()
