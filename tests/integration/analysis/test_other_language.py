"""An answer or a source in another language than English warns, whatever the verdicts are."""

from collections.abc import Callable

import pytest

from analysis.models import AnnotatedAnswer, Check
from analysis.services import checking

pytestmark = pytest.mark.usefixtures("empty_redis")
GERMAN = "Die Rückerstattung dauert 14 Tage und ist kostenlos."
ENGLISH = "Refunds take 14 days and are free."


def reasons(make_check: Callable[..., Check], answer: str, source: str) -> dict[str, str]:
    check = make_check(query="", answer=answer, sources=[{"id": "s1", "text": source}])
    assert checking.run_check(check.pk)
    decision = AnnotatedAnswer.objects.get(pk=check.pk).decision
    return {reason["code"]: reason["action"] for reason in decision["reasons"]}


@pytest.mark.parametrize(("answer", "source"), [(GERMAN, GERMAN), (ENGLISH, GERMAN)])
def test_it_warns(make_check: Callable[..., Check], answer: str, source: str) -> None:
    assert reasons(make_check, answer, source)["unsupported_language"] == "WARN"


def test_english_does_not(make_check: Callable[..., Check]) -> None:
    assert "unsupported_language" not in reasons(make_check, ENGLISH, ENGLISH)
