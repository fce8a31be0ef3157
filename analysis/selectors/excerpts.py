"""The beginnings of questions and answers, for lists that name checks."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models.functions import Left

from analysis.models import Check, Review

QUESTION, ANSWER = 90, 140
"""Characters; one more is read, so that a page knows whether the text goes on."""
MOST_CHANGES = 100
"""Changed checks that a page lists."""


def beginnings(ids: Iterable[Any]) -> dict[str, tuple[str, str]]:
    """Return the beginnings of question and answer of each check by its id, with one query."""
    rows = (
        Check.objects.filter(pk__in=list(ids))
        .annotate(begins=Left("query", QUESTION + 1), says=Left("answer", ANSWER + 1))
        .values_list("pk", "begins", "says")
    )
    return {
        str(pk): (shortened(question or "", QUESTION), shortened(answer, ANSWER))
        for pk, question, answer in rows
    }


def with_texts(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Add `question` and `answer` to rows that name a check (`check_id`)."""
    texts_by_check = beginnings(row["check_id"] for row in rows)
    texts = (texts_by_check.get(str(row["check_id"]), ("", "")) for row in rows)
    return [
        {**row, "question": question, "answer": answer}
        for row, (question, answer) in zip(rows, texts, strict=True)
    ]


def replayed_page(document: dict[str, Any]) -> dict[str, Any]:
    """Return a replay for a page: changed checks get their question and answer."""
    return {**document, "changes": with_texts(document["changes"][:MOST_CHANGES])}


def texts_of(subjects: Iterable[tuple[str, str]]) -> dict[tuple[str, str], tuple[str, str]]:
    """Return the beginnings of question and answer for trail subjects (checks or reviews)."""
    ids = defaultdict[str, list[str]](list)
    for kind, subject in subjects:
        ids[kind].append(subject)
    checks = Review.objects.filter(pk__in=ids["review"]).values_list("pk", "check_record")
    of_review = {str(pk): str(check) for pk, check in checks}
    texts_by_check = beginnings([*ids["check"], *of_review.values()])
    check_texts = {("check", pk): texts_by_check[pk] for pk in ids["check"] if pk in texts_by_check}
    return check_texts | {("review", pk): texts_by_check[check] for pk, check in of_review.items()}


def shortened(text: str, length: int) -> str:
    """Return the first characters of a text, with "…" if it goes on."""
    return f"{text[:length].rstrip()}…" if len(text) > length else text
