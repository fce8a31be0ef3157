"""Settings, URLs and the entry points of the web and worker processes."""

import sys
from pathlib import Path

# Packaged apart: what it reads of a model's messages, `api.litellm` reads with the same code.
sys.path.append(str(Path(__file__).parents[1] / "clients" / "python" / "src"))

from watchdog_site.celery import app as celery_app

__all__ = ["celery_app"]
