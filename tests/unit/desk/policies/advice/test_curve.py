"""The curve stays in its frame and labels its points."""

from desk.policies.advice.curve import draw
from desk.policies.advice.thresholds import Point

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
