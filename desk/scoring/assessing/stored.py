"""Reviewed checks as scored rows: the stored measurement and decision beside the label."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import QuerySet

from analysis.engine import Measurement
from analysis.engine.types import Action
from analysis.engine.verdict.probability import hallucination_score
from analysis.models import AnnotatedAnswer, Review
from analysis.selectors.results import stored_measurement
from desk.reviews.selectors.reviewed import Row, reviewed_rows
from desk.scoring.rows import row_of
from desk.scoring.scoring import ScoredAnswer, models, not_checked
from desk.scoring.split import source_digest
from desk.scoring.truth import label_of
from desk.scoring.words import missing_words


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A reviewed check: its figures, and its probability of being in the quality sample.

    `probability` is None if it is not in the sample.
    """

    scored: ScoredAnswer
    probability: float | None


def reviewed(reviews: QuerySet[Review]) -> Iterator[Reviewed]:
    """Yield the reviews' checks as they were measured and decided, in the order of the reviews."""
    for row, answer in rows_with_answers(reviews):
        yield _reviewed(row, answer)


def rows_with_answers(reviews: QuerySet[Review]) -> Iterator[tuple[Row, AnnotatedAnswer]]:
    """Yield the reviews as labelled rows, each with what is stored of its check."""
    rows = list(reviewed_rows(reviews))
    answers = AnnotatedAnswer.objects.select_related("policy").prefetch_related("claims")
    ids = [row["id"] for row in rows]
    answers_by_id = {str(answer.pk): answer for answer in answers.filter(pk__in=ids)}
    for row in rows:
        yield row, answers_by_id[row["id"]]


def _reviewed(row: Row, answer: AnnotatedAnswer) -> Reviewed:
    measurement = Measurement.from_json(stored_measurement(answer))
    meta, sources = row["meta"], row_of(0, row).submission.sources or ()
    safety = answer.decision["safety"] or {}
    scored_answer = ScoredAnswer(
        label=label_of(row),
        source=source_digest(row).hex()[:16],
        score=hallucination_score(measurement),
        flagged=meta["action"] != Action.ALLOW,
        blocked=meta["action"] == Action.BLOCK,
        words=missing_words(
            (claim.text for claim in measurement.claims), (source.text for source in sources)
        ),
        milliseconds=answer.milliseconds,
        models=models(measurement),
        not_checked=not_checked(measurement),
        rejection=safety.get("rejection_reason") or "",
    )
    return Reviewed(scored_answer, meta["sampling_probability"] if meta["sampled"] else None)
