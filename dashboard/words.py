"""Words that pages take from elsewhere by name, marked here so that catalogues hold them.

The metrics themselves are read by programs too and know no language.
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
"""What the metrics of the dashboard's charts mean (`analysis.trends.metrics`)."""
KEYS = (
    gettext_noop("Low confidence"),
    gettext_noop("Insufficient context"),
    gettext_noop("Missing citations"),
    gettext_noop("Invalid citations"),
    gettext_noop("Off topic"),
    gettext_noop("Low grounding"),
    gettext_noop("Hallucination detected"),
    gettext_noop("Multiple issues"),
    gettext_noop("Other"),
    gettext_noop("Failed"),
    gettext_noop("Claims"),
    gettext_noop("Overconfidence"),
    gettext_noop("Internal contradiction"),
    gettext_noop("Grounding"),
    gettext_noop("Nli"),
    gettext_noop("Judge"),
    gettext_noop("Retrieval"),
    gettext_noop("Consistency"),
    gettext_noop("Uncertainty"),
    gettext_noop("Citations"),
    gettext_noop("Relevance"),
)
"""The keys of those metrics, as `dashboard.checks.metric_words` says them."""
