"""WSGI entry point, served by gunicorn."""

import os

from django.core.wsgi import get_wsgi_application

from watchdog_site.tracing import start_process

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "watchdog_site.settings")
application = get_wsgi_application()
start_process("web")
