"""The form of a policy, and its errors in German and with the labels of the form."""

import ast
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.utils import translation

from analysis.engine.policy import DEFAULT_RULES
from desk.policies.admin.errors import _TEMPLATES, MESSAGES, in_words
from desk.policies.admin.form import PolicyForm
from lib.text.messages import names_in
from tests.unit.watchdog_site.catalogues import compiled

ENGINE = settings.BASE_DIR / "analysis" / "engine"


def said() -> Iterator[str]:
    """Yield all that `PolicyError` is raised with, and the errors of a refusal text."""
    for node in ast.walk(ast.parse((ENGINE / "policy.py").read_text())):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "PolicyError":
            yield from _text(node.args[1])
    tree = ast.parse((ENGINE / "safety" / "model.py").read_text())
    fault = next(n for n in ast.walk(tree) if getattr(n, "name", "") == "fault_in")
    for node in ast.walk(fault):
        if isinstance(node, ast.Return) and node.value is not None:
            chosen = node.value.body if isinstance(node.value, ast.IfExp) else node.value
            yield from _text(chosen)


def _text(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant) and node.value:
        yield str(node.value)
    elif isinstance(node, ast.JoinedStr):
        yield "".join(v.value if isinstance(v, ast.Constant) else "7" for v in node.values)


def test_every_reason_is_a_template() -> None:
    found = set(said())
    assert len(found) > 20
    assert sorted(text for text in found if _TEMPLATES.read(text) is None) == []


@pytest.mark.parametrize("english", MESSAGES)
def test_every_template_has_a_german_one(english: str) -> None:
    assert names_in(compiled("de")[english]) <= names_in(english)


def test_a_reason_names_settings_by_their_labels() -> None:
    with translation.override("de"):
        assert in_words("is above high_confidence_at") == "liegt über „Eindeutiger Widerspruch ab“"
    with translation.override("en"):
        assert in_words("is above high_confidence_at") == "is above “Clear contradiction from”"


def test_words_that_hold_an_answer_are_a_line_with_commas() -> None:
    rules = DEFAULT_RULES.to_json()
    form = PolicyForm(rules, {"hold.words": " dosage, side effects,", "note": "Doses."})
    assert form.is_valid()
    changed = form.cleaned_data["rules"]
    assert changed["hold"]["words"] == ["dosage", "side effects"]
    assert 'value="dosage, side effects"' in str(PolicyForm(changed)["hold.words"])
    form = PolicyForm(changed, {"hold.words": "", "note": "None."})
    assert form.is_valid()
    assert form.cleaned_data["rules"]["hold"]["words"] == []
    assert not PolicyForm(rules, {"hold.words": "…", "note": "?"}).is_valid()
