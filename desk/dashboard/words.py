"""Words that pages look up by name, marked here so that catalogues contain them.

The metrics themselves are also read by programs and have no language.
"""

from django.utils.translation import gettext_noop

MEANINGS = (
    gettext_noop(
        "Checks that have ended: with a verdict (done), or without one after the last attempt "
        "(failed). A failed check that is retried no longer counts as failed."
    ),
    gettext_noop("The action returned to the application, of all checks with a verdict."),
    gettext_noop(
        "Checks in which an applicable signal did not finish (unavailable, truncated or "
        "error), by signal, and failed checks; of all that have ended."
    ),
    gettext_noop("Milliseconds that the worker spent on a check with a verdict."),
    gettext_noop("Milliseconds from submission to verdict, including waiting."),
)
"""Explanations of the metrics of the dashboard's charts (`analysis.trends.metrics`)."""
