"""The entailment model that the settings name; inference opens it on first use."""

from django.conf import settings

from inference.judge import FOLDERS
from inference.nli import EMBEDDED, EntailmentModel, get_nli


def nli() -> EntailmentModel | None:
    """The model of this process; None where NLI_MODEL is "lexical".

    Where NLI_MODEL names a judge it is the embedded one, for what `analysis.judge` does not judge.
    Its members raise inference.errors.ModelError where it is missing or broken: nothing is
    prepared here, a check must not wait for that.
    """
    name = EMBEDDED if settings.NLI_MODEL in FOLDERS else settings.NLI_MODEL
    return get_nli(
        name,
        settings.MODEL_DIR,
        threads=settings.NLI_THREADS,
        cache_pairs=settings.NLI_CACHE_PAIRS,
    )
