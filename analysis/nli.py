"""The model of entailment that the settings name; inference opens it on first use."""

from django.conf import settings

from inference.judge import FOLDERS
from inference.nli import EntailmentModel, get_nli


def nli() -> EntailmentModel | None:
    """The model of this process; None where NLI_MODEL names a judge or is "lexical".

    Its members raise inference.errors.ModelError where it is missing or broken: nothing is
    prepared here, a check must not wait for that.
    """
    if settings.NLI_MODEL in FOLDERS:
        return None
    return get_nli(
        settings.NLI_MODEL,
        settings.MODEL_DIR,
        threads=settings.NLI_THREADS,
        cache_pairs=settings.NLI_CACHE_PAIRS,
    )
