"""The form of a policy and its errors; advice: its curve, its candidates and its guarantee."""

import ast
import random
from collections.abc import Iterator
from dataclasses import replace

import pytest
from django.conf import settings
from django.utils import translation

from analysis.engine.policy import DEFAULT_RULES, PolicyRules, ScoreLimits, Weights
from analysis.engine.types import AnswerKind
from desk.policies.admin.errors import _TEMPLATES, MESSAGES, in_words
from desk.policies.admin.form import PolicyForm, words_of
from desk.policies.admin.words import SETTINGS
from desk.policies.advice.curve import draw
from desk.policies.advice.labels import Label
from desk.policies.advice.report import KINDS
from desk.policies.advice.thresholds import (
    Point,
    Proposal,
    SearchStatus,
    Threshold,
    fewest,
    propose,
)
from desk.scoring.calibration.labels import NOT_JUDGED
from lib.text.messages import names_in
from tests.unit.watchdog_site.catalogues import compiled

ENGINE = settings.BASE_DIR / "analysis" / "engine"


def said() -> Iterator[str]:
    """Yield all that `PolicyError` is raised with, and the errors of a refusal text."""
    reasons = {"PolicyError": 1, "_require": 2}
    for node in ast.walk(ast.parse((ENGINE / "policy.py").read_text())):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in reasons:
            yield from _text(node.args[reasons[ast.unparse(node.func)]])
    for file, name in (("safety/model.py", "fault_in"), ("policy.py", "_out_of_range")):
        tree = ast.parse((ENGINE / file).read_text())
        function = next(n for n in ast.walk(tree) if getattr(n, "name", "") == name)
        for node in ast.walk(function):
            if isinstance(node, ast.Return) and node.value is not None:
                yield from _text(node.value)


def _text(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.IfExp):
        yield from _text(node.body)
        yield from _text(node.orelse)
    elif isinstance(node, ast.Constant) and node.value:
        yield str(node.value)
    elif isinstance(node, ast.JoinedStr):
        yield "".join(v.value if isinstance(v, ast.Constant) else "7" for v in node.values)


def test_every_reason_is_a_template() -> None:
    found = set(said())
    assert len(found) > 20
    assert sorted(text for text in found if _TEMPLATES.read(text) is None) == []


@pytest.mark.parametrize("english", MESSAGES)
def test_every_template_has_a_german_one(english) -> None:
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


def test_a_score_that_none_reaches_is_told_as_never() -> None:
    setting = SETTINGS["hold.risk_at"]
    assert [words_of(setting, points) for points in (70, 101)] == ["70", "101 (never)"]


POINTS = (
    Point(15, 0, 0, 80, None, 1.0, None, False),
    Point(20, 40, 0, 40, 0.0, 0.5, 0.06, True),
    Point(50, 100, 20, 0, 0.2, 0.0, 0.26, False),
)


def test_points_that_accept_nothing_are_not_drawn() -> None:
    curve = draw(POINTS, alpha=0.05, best_threshold=20)
    assert [(dot.threshold, dot.holds, dot.chosen) for dot in curve.dots] == [
        (20, True, True),
        (50, False, False),
    ]
    words = curve.dots[1].words
    assert words.startswith("50: 20% of the 100 accepted answers are unsupported; 0%")


def test_everything_lies_in_the_frame() -> None:
    for alpha in (0.01, 0.5):
        curve = draw(POINTS, alpha=alpha, best_threshold=None)
        assert curve.top <= curve.alpha_y <= curve.bottom
        assert all(curve.left <= dot.x <= curve.right for dot in curve.dots)
        assert all(curve.top <= dot.y <= curve.bottom for dot in curve.dots)
        assert curve.dots[0].y > curve.dots[1].y  # more unsupported stands higher
        assert curve.dots[0].x > curve.dots[1].x  # more rejected stands further right


def test_no_labels_make_an_empty_curve() -> None:
    assert draw((), alpha=0.05, best_threshold=None).dots == ()


def test_marks_of_the_axes_are_round_and_reach_every_dot() -> None:
    curve = draw(POINTS, alpha=0.05, best_threshold=None)
    assert [tick.label for tick in curve.across] == ["0%", "20%", "40%", "60%"]
    assert [tick.label for tick in curve.up] == ["0%", "5%", "10%", "15%", "20%"]


def test_of_dots_on_one_spot_one_is_labelled_and_that_is_the_chosen_one() -> None:
    same = [Point(at, 40, 0, 40, 0.0, 0.5, 0.06, True) for at in (0.7, 0.75, 0.8)]
    curve = draw(same, alpha=0.05, best_threshold=0.75)
    assert [dot.label for dot in curve.dots] == ["", "0.75", ""]


VALUES = Threshold.WARN_AT.possible(DEFAULT_RULES)


def label(score: int = 0, *, unsafe: bool = False, kind: str = "short") -> Label:
    """Return a label whose answer is accepted by the values above its risk score."""
    return Label(unsafe, 0.02, sum(value <= score for value in VALUES), kind)


def asked(labels: list[Label], *, alpha: float = 0.1, delta: float = 0.1) -> Proposal:
    return propose(labels, VALUES, current=35, alpha=alpha, delta=delta)


def test_risk_scores_tried_are_those_that_the_weights_can_add_up_to() -> None:
    rules = replace(
        DEFAULT_RULES,
        weights=Weights(
            internal_contradiction=40, rag_contradiction=30, rag_unverified=0, overconfidence=50
        ),
    )
    for which in (Threshold.WARN_AT, Threshold.BLOCK_AT):
        assert which.possible(rules) == (30, 40, 50, 70, 80, 90, 100)


def test_probabilities_tried_are_every_twentieth_and_the_one_in_force() -> None:
    values = Threshold.UNSUPPORTED_AT.possible(DEFAULT_RULES)
    assert (values[0], values[-1], len(values)) == (0.3, 1.0, 16)
    assert DEFAULT_RULES.unsupported_at in values
    assert len(Threshold.SCORE_WARN_ABOVE.possible(DEFAULT_RULES)) == 15


@pytest.mark.parametrize("which", Threshold)
def test_every_value_makes_a_valid_policy_in_which_nothing_else_grows_stricter(which) -> None:
    rules = replace(DEFAULT_RULES, score=ScoreLimits(0.5, 0.6))
    for value in which.possible(rules):
        policy = which.policy(rules, value)
        assert which.of(policy) == value
        assert PolicyRules.from_json(policy.to_json()) == policy


@pytest.mark.parametrize(("alpha", "delta", "hypotheses"), [(0.05, 0.1, 1), (0.1, 0.05, 12)])
def test_the_fewest_labels_are_just_enough(alpha, delta, hypotheses) -> None:
    count = fewest(alpha, delta, hypotheses=hypotheses)
    assert (1 - alpha) ** count <= delta / hypotheses < (1 - alpha) ** (count - 1)


def test_nothing_is_proposed_one_label_short_of_enough() -> None:
    fewest_labels = asked([label()]).labels_needed
    short, enough = asked([label()] * (fewest_labels - 1)), asked([label()] * fewest_labels)
    assert (short.outcome, short.threshold) == (SearchStatus.NOT_ENOUGH_LABELS, None)
    assert enough.outcome is SearchStatus.FOUND
    assert all(point.holds for point in enough.points)
    # All accept the same answers: the strictest says so most carefully.
    assert enough.threshold == enough.points[0].threshold


def test_no_labels_at_all() -> None:
    proposal = asked([])
    assert proposal.outcome is SearchStatus.NOT_ENOUGH_LABELS
    assert {point.unsafe_rate for point in proposal.points} == {None}
    # As many as are said to be needed once the first label is there.
    assert proposal.labels_needed == asked([label()]).labels_needed


def test_the_threshold_lies_below_the_scores_of_unsafe_answers() -> None:
    labels = [label(0)] * 150 + [label(15)] * 60 + [label(35, unsafe=True)] * 60
    proposal = asked(labels)
    assert (proposal.outcome, proposal.threshold) == (SearchStatus.FOUND, 20)
    at = {point.threshold: point for point in proposal.points}
    assert (at[20].accepted, at[20].unsafe_accepted, at[20].wrongly_rejected) == (210, 0, 0)
    assert (at[15].accepted, at[15].wrongly_rejected, at[15].rejected_rate) == (150, 60, 60 / 210)
    assert (at[40].accepted, at[40].unsafe_accepted, at[40].holds) == (270, 60, False)


def test_no_threshold_where_low_scores_are_as_unsafe_as_high_ones() -> None:
    labels = [label(0), label(0, unsafe=True)] * 200
    assert asked(labels).outcome is SearchStatus.NO_THRESHOLD


def test_what_every_value_rejects_is_never_accepted() -> None:
    (*_, last) = asked([label()] * 100 + [label(1_000)] * 10).points
    assert (last.accepted, last.wrongly_rejected) == (100, 10)


def test_the_upper_limit_is_that_of_clopper_and_pearson() -> None:
    clean, bad = (asked([label()] * 59 + [label(unsafe=bad)]).points[0] for bad in (False, True))
    assert clean.at_most == pytest.approx(1 - 0.1 ** (1 / 60), abs=1e-4)
    assert bad.at_most == pytest.approx(0.0633, abs=1e-4)
    # The test allows for having tried all: it never holds where even one alone does not.
    assert all(point.at_most <= 0.1 for point in asked([label()] * 80).points if point.holds)


def test_kinds_are_counted_at_the_proposal_and_without_one_at_the_value_in_force() -> None:
    long = [label(35, unsafe=True, kind="long")] * 60
    proposal = asked([label()] * 150 + long)
    assert proposal.threshold == 15
    kinds = {kind: (point.threshold, point.accepted) for kind, point in proposal.kinds.items()}
    assert kinds == {"long": (15, 0), "short": (15, 150)}
    assert proposal.kinds["long"].at_most is None
    assert {point.threshold for point in asked(long).kinds.values()} == {35}


@pytest.mark.parametrize(("alpha", "delta"), [(0, 0.1), (1, 0.1), (0.1, 0), (0.1, 1)])
def test_shares_lie_between_0_and_1(alpha, delta) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        asked([label()], alpha=alpha, delta=delta)


def test_the_rate_is_kept_as_often_as_is_promised() -> None:
    """300 samples from a world in which the rate at each threshold is known."""
    chance = random.Random(7)
    unsafe_at = {0: 0.05, 15: 0.1, 35: 0.25, 55: 0.5}
    shares = [0.5, 0.2, 0.2, 0.1]

    def true_rate(threshold: int) -> float:
        below = [
            (p, w) for (s, p), w in zip(unsafe_at.items(), shares, strict=True) if s < threshold
        ]
        return sum(p * w for p, w in below) / sum(w for _, w in below)

    def world() -> list[Label]:
        scores = chance.choices(list(unsafe_at), shares, k=400)
        return [label(score, unsafe=chance.random() < unsafe_at[score]) for score in scores]

    alpha, delta = 0.08, 0.2
    proposals = [asked(world(), alpha=alpha, delta=delta).threshold for _ in range(300)]
    proposed = [at for at in proposals if at is not None]
    wrong = sum(true_rate(at) > alpha for at in proposed)
    assert len(proposed) > 60  # or the promise would be kept by silence
    assert wrong / len(proposals) <= delta


def test_every_kind_of_answer_has_its_words() -> None:
    assert KINDS.keys() == {*AnswerKind, NOT_JUDGED}
