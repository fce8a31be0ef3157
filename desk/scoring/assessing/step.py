"""The job that evaluates an application's reviewed checks, in steps."""

from analysis.engine.codec import decode, encode
from analysis.models import Check, Job
from analysis.services.jobs import JobStep
from desk.reviews.selectors.reviewed import settling_reviews
from desk.scoring.assessing.figures import document
from desk.scoring.assessing.stored import Reviewed, reviewed

AT_ONCE = 100
MOST = 5_000
"""The newest decisions that are looked at: a step keeps all figures so far in one row."""


def assess_step(job: Job) -> JobStep:
    """Read some more reviews; the first step counts them, the last computes the figures."""
    checks = Check.objects.filter(application=job.application_id)
    reviews = settling_reviews(checks, applications=[job.application_id])
    if not job.progress:
        newest = list(reviews.order_by("-id").values_list("pk", flat=True)[:MOST])
        start = newest[-1] - 1 if newest else 0
        return JobStep(0, len(newest), {"after": start, "rows": []})
    part = list(reviews.filter(pk__gt=job.progress["after"]).values_list("pk", flat=True)[:AT_ONCE])
    new_rows = [encode(item) for item in reviewed(reviews.filter(pk__in=part))]
    rows = job.progress["rows"] + new_rows
    if len(part) == AT_ONCE:
        return JobStep(len(rows), max(job.total, len(rows)), {"after": part[-1], "rows": rows})
    result = document([decode(Reviewed, row) for row in rows])
    return JobStep(len(rows), len(rows), {}, result)
