"""Settings, URLs and the entry points of the web and worker processes."""

from watchdog_site.celery import app as celery_app

__all__ = ["celery_app"]
