"""Limits fitted to the reviewed quality sample, compared on what was held back."""

import pytest

from accounts.models import Role, Scope
from analysis.engine.policy import PolicyRules
from analysis.models import Case, Policy, ReviewDecision
from analysis.services.checking import run_check
from analysis.services.policies import active_policy
from audit.models import TrailEntry
from desk.scoring.calibration.labels import CalibrationError
from desk.scoring.calibration.policy_fit import Aims
from desk.scoring.calibration.reviews_fit import fit_to_reviews
from desk.scoring.split import split_of
from tests.commands import run
from tests.shapes import problem

pytestmark = pytest.mark.usefixtures("empty_redis")
CONFIRMED, OVERTURNED = ReviewDecision.CONFIRMED, ReviewDecision.OVERTURNED


def sources(half: str, number: int) -> list[str]:
    """Texts of sources that the split puts into this half."""
    texts = (f"The mill {n} has {n} rooms and opens at 8." for n in range(10, 1_000))
    return [text for text in texts if split_of({"context": [text]}) == half][:number]


@pytest.fixture
def reviews(reviewed) -> None:
    """In either half two right answers, and one that a flag caught."""
    for half in ("tune", "report"):
        for text in sources(half, 2):
            reviewed(CONFIRMED, answer=text, sources=[text])
        wrong = text.replace(" rooms", "1 rooms")
        reviewed(CONFIRMED, answer=wrong, sources=[text])


@pytest.mark.usefixtures("reviews")
def test_the_page_compares_on_held_back_reviews_and_makes_a_version(
    application, member, as_user
) -> None:
    policy = active_policy(application.pk)
    path = f"/admin/analysis/policy/{policy.pk}/fit/"
    assert as_user(member("rita", Role.REVIEWER, application)).get(path).status_code == 403
    lead = as_user(member("lead", Role.LEAD, application))
    aims = {"flagged": "10", "blocked": "2"}
    page = lead.get(path, aims).content.decode()
    assert "On 3 reviews that were held back" in page
    assert "Fitted on 3 others; 0 could not" in page
    response = lead.post(path, aims)
    version = Policy.objects.get(note="Fitted to 3 reviews.")
    assert response["Location"] == f"/admin/analysis/policy/{version.pk}/change/"
    assert not version.is_active
    assert version.created_by == "lead"


@pytest.mark.usefixtures("reviews")
def test_the_api_of_the_fit(application, client_with) -> None:
    policy = active_policy(application.pk)
    path = f"/api/v1/policies/{policy.pk}/fit"
    client = client_with(application, Scope.POLICIES_WRITE)
    found = client.post(path, {"make_version": True}, format="json").json()
    assert (found["fitting"], found["held_back"], found["left_out"]) == (3, 3, 0)
    rates = {rate["name"]: (rate["count"], rate["of"]) for rate in found["before"]}
    assert rates["right_flagged"] == (0, 2)
    assert rates["wrong_flagged"] == (1, 1)
    of_kinds = [rate["of"] for kind in found["kinds"] for rate in kind["before"]]
    assert sum(of_kinds) == sum(of for _, of in rates.values())
    assert found["policy"]["rules"] == found["rules"]
    assert client.post(path, {"flagged": 2}, format="json").status_code == 400


def test_labels_outside_the_sample_fit_nothing(application, reviewed, client_with) -> None:
    (text,) = sources("tune", 1)
    reviewed(CONFIRMED, answer=text, sources=[text])
    policy = active_policy(application.pk)
    rules, path = PolicyRules.from_json(policy.rules), f"/api/v1/policies/{policy.pk}/fit"
    client = client_with(application, Scope.POLICIES_WRITE)
    assert problem(client.post(path, {}, format="json")) == (409, "too_few_reviews")
    (other,) = sources("report", 1)
    wrong = other.replace(" rooms", "1 rooms")
    reviewed(CONFIRMED, sampled=False, answer=wrong, sources=[other])
    with pytest.raises(CalibrationError, match="1 reviews"):
        fit_to_reviews(application.pk, rules, Aims())
    reviewed(CONFIRMED, answer=other, sources=[other])
    assert fit_to_reviews(application.pk, rules, Aims()).held_back == 1


@pytest.mark.usefixtures("reviews")
def test_from_reviews_to_a_version_in_force(application, client_with, checked, tmp_path) -> None:
    """Labelled, fitted, compared on the rest, run in shadow, held to its cases, put in force."""
    client = client_with(application, Scope.POLICIES_WRITE, Scope.POLICIES_READ)
    first = active_policy(application.pk)
    fit = client.post(f"/api/v1/policies/{first.pk}/fit", {"make_version": True}, format="json")
    version = fit.json()["policy"]
    assert {rate["of"] for rate in fit.json()["after"]} == {1, 2}  # the half that was held back

    path = f"/api/v1/policies/{version['id']}"
    assert client.post(f"{path}/trial", {"mode": "shadow"}, format="json").status_code == 201
    (text,) = sources("tune", 1)
    checked(answer=text, sources=[text])
    compared = client.get("/api/v1/policies/compare").json()
    assert [arm["checks"] for arm in compared["arms"]] == [1, 1]

    file = tmp_path / "reviewed.jsonl"
    assert "6" in run("export_reviewed", str(file), "--application", application.slug)
    report = tmp_path / "report"
    run("evaluate", str(file), "--out", str(report))
    assert "reviewed" in next(report.glob("*.md")).read_text()
    run("cases", "add", application.slug, str(file), "--use", "regression")
    assert client.post(f"{path}/activate").status_code == 409  # they are not checked yet
    for case in Case.objects.all():
        assert run_check(case.pk)
    outcomes = client.get(f"{path}/cases").json()
    assert (outcomes["passed"], outcomes["failed"]) == (6, 0)
    assert client.post(f"{path}/activate").json()["is_active"]
    events = TrailEntry.objects.filter(event__startswith="policy.").order_by("id")
    assert [entry.event for entry in events][-4:] == [
        "policy.created", "policy.trial_started", "policy.trial_ended", "policy.activated",
    ]  # fmt: skip
    assert events.last().data["cases"] == {"passed": 6, "failed": []}
