"""The web and worker processes load no machine-learning library."""

from tests.commands import python

SCRIPT = """
import os, sys
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "watchdog_site.settings")
import django
django.setup()
import watchdog_site.urls, watchdog_site.wsgi, analysis.models, analysis.tasks
import analysis.services.measuring
from watchdog_site.celery import app
app.loader.import_default_modules()
heavy = {"torch", "onnxruntime", "sentence_transformers", "transformers", "sklearn", "scipy"}
heavy |= {"tokenizers", "openai"}
print(",".join(sorted(heavy & set(sys.modules))))
"""


def test_urls_models_and_tasks_load_no_machine_learning_library() -> None:
    assert python("-c", SCRIPT).strip() == ""
