#!/usr/bin/env python
"""Django's command-line entry point."""

import os
import secrets
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line

# They sign nothing and open no database, so they run where nothing is set up.
OFFLINE = ("calibrate", "check_file", "evaluate", "evaluate_gate")

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "watchdog_site.settings")
    if sys.argv[1:2] and sys.argv[1] in OFFLINE:
        os.environ.setdefault("SECRET_KEY", secrets.token_urlsafe(50))
    # Past a pooler (DATABASE_DIRECT_URL): dumps and migrations need a session of their own.
    os.environ.setdefault("DATABASE_DIRECT", "true")
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:  # a wrong setting: its text says which, and what to do
        sys.exit(f"ERROR    settings: {error}")
