"""The policy as a form, the one in force, and a replay: by role, with the reason at the field."""

from dataclasses import replace
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertNumQueries

from accounts.models import Application, Role
from analysis.engine.policy import CONSERVATIVE, EXPLORATORY, PRESETS
from analysis.engine.replay import TrialMode
from analysis.models import Policy
from analysis.services.policies import active_policy, create_policy
from analysis.services.trials import start_trial
from audit.models import TrailEntry
from desk.policies.admin.form import KINDS
from desk.policies.admin.presets import CHOICES, EVERYDAY_ANSWERS, PUBLIC_ANSWERS, Rates
from desk.policies.admin.words import SETTINGS
from tools.evaluation.management.commands.evaluate_presets import EVERYDAY, PUBLIC, lines

pytestmark = pytest.mark.usefixtures("empty_redis")
NOT_IN_THE_FORM: set[str] = set()


def url(what: str, policy: Policy) -> str:
    return reverse(f"admin:analysis_policy_{what}", args=[policy.pk])


def save(client: Client, policy: Policy, **changes: Any) -> Any:
    current = {"required_signals": policy.rules["required_signals"], "note": "Because."}
    return client.post(url("new", policy), current | changes)


def put_in_force(client: Client, policy: Policy) -> None:
    answer = client.post(url("activate", policy), {"reason": "Agreed."})
    assert answer["Location"] == url("change", policy)


@pytest.fixture
def policy(application) -> Policy:
    return active_policy(application.pk)


def test_every_setting_has_plain_words() -> None:
    assert set(SETTINGS) == set(KINDS) - NOT_IN_THE_FORM, "SETTINGS of desk/policies/admin/words.py"
    assert all(setting.label and setting.help for setting in SETTINGS.values())


def test_the_form_shows_each_setting_with_its_present_value(desk, policy) -> None:
    page = desk.get(url("new", policy)).content.decode()
    for setting in SETTINGS.values():
        assert f'name="{setting.path}"' in page, setting.path
    assert "<script" not in page.split('<article class="wd-page')[1].split("</article>")[0]
    assert 'style="' not in page.split('<article class="wd-page')[1]


def test_a_save_makes_a_version_and_what_is_empty_stays(desk, policy) -> None:
    answer = save(desk, policy, warn_at="20", note="Sooner", **{"safety.citations": "BLOCK"})
    new_version = Policy.objects.get(version=2)
    assert answer["Location"] == url("change", new_version)
    expected = policy.rules | {"warn_at": 20}
    expected["safety"] = policy.rules["safety"] | {"citations": "BLOCK"}
    assert (new_version.rules, new_version.note, new_version.is_active) == (
        expected,
        "Sooner",
        False,
    )
    assert new_version.created_by == "root"
    assert Policy.objects.get(version=1).rules == policy.rules


def test_a_text_is_shown_as_it_is_and_emptied_goes_back_to_its_default(desk, policy) -> None:
    save(desk, policy, refusal_scope="the handbook", low_confidence_flag="(?)")
    put_in_force(desk, Policy.objects.get(version=2))
    form = desk.get(url("new", policy)).context["form"]
    texts = {name: form[name].value() for name in ("refusal_scope", "low_confidence_flag")}
    assert texts == {"refusal_scope": "the handbook", "low_confidence_flag": "(?)"}
    save(desk, policy, refusal_scope="the handbook", low_confidence_flag="", warn_at="20")
    third = Policy.objects.get(version=3).rules
    assert third["refusal_scope"] == "the handbook"
    assert third["low_confidence_flag"] == policy.rules["low_confidence_flag"] == "[Not confirmed]"
    save(desk, policy, refusal_scope="", low_confidence_flag="(?)")
    fourth = Policy.objects.get(version=4).rules
    assert (fourth["refusal_scope"], fourth["low_confidence_flag"]) == ("", "(?)")


def test_it_is_put_in_force_with_a_reason_and_the_way_back_stays(desk, policy) -> None:
    save(desk, policy, partial_answers="true", required_signals=["claims"])
    new = Policy.objects.get(version=2)
    for reason in ("", "  "):
        assert desk.post(url("activate", new), {"reason": reason}).status_code == 200
    assert active_policy(policy.application_id) == policy
    put_in_force(desk, new)
    active = active_policy(policy.application_id)
    assert (active.version, active.rules["partial_answers"]) == (2, True)
    assert active.rules["required_signals"] == ["claims"]
    entry = TrailEntry.objects.get(event="policy.activated", subject_id=str(active.pk))
    assert (entry.actor, entry.data["reason"]) == ("root", "Agreed.")
    page = desk.get(url("change", new)).content.decode()
    assert "root: Agreed." in page
    assert f'href="{url("activate", policy)}">Roll back to version 1' in page
    put_in_force(desk, policy)
    assert active_policy(policy.application_id) == policy
    assert "Roll back to version 2" in desk.get(url("change", policy)).content.decode()


def test_a_second_lead_activates_where_the_application_wants_one(desk, policy, as_user) -> None:
    Application.objects.update(second_approver=True)
    save(desk, policy, warn_at="50")
    new = Policy.objects.get(version=2)
    for page in ("activate", "change"):
        assert "another lead activates it" in desk.get(url(page, new)).content.decode()
    put_in_force(desk, new)
    assert active_policy(policy.application_id) == policy
    second = as_user(User.objects.create_superuser("second"))
    waits = "Version 2 of the policy of Demo, by root, waits for you."
    assert waits in second.get("/").content.decode()
    assert waits not in desk.get("/").content.decode()
    put_in_force(second, new)
    assert waits not in second.get("/").content.decode()
    put_in_force(desk, policy)  # the way back needs nobody else
    put_in_force(desk, new)
    assert active_policy(policy.application_id) == new


def test_one_setting_is_found_and_changed_alone(desk, policy) -> None:
    found = desk.get(url("change", policy), {"q": "warn from"})
    assert [[row[3] for row in rows] for _, rows in found.context["groups"]] == [["warn_at"]]
    form = desk.get(url("new", policy), {"setting": "warn_at"}).context["form"]
    assert set(form.fields) == {"warn_at", "note"}
    desk.post(url("new", policy), {"setting": "warn_at", "warn_at": "50", "note": "Fewer."})
    assert Policy.objects.get(version=2).rules == policy.rules | {"warn_at": 50}


def test_a_version_without_a_reason_is_not_made(desk, policy) -> None:
    answer = save(desk, policy, warn_at="20", note=" ")
    assert set(answer.context["form"].errors) == {"note"}
    assert Policy.objects.filter(application=policy.application).count() == 1


def test_what_differs_is_told_on_the_version_before_it_is_put_in_force_and_in_the_list(
    desk, policy
) -> None:
    save(desk, policy, warn_at="50", **{"safety.citations": "BLOCK"})
    new = Policy.objects.get(version=2)
    for page in (desk.get(url("change", new)), desk.get(url("activate", new))):
        differing = {c.label: (c.before, c.after) for c in page.context["changes"]}
        assert differing["Warn from"] == ("35", "50")
        assert len(differing) == 2
    assert desk.get(url("change", policy)).context["changes"] == []
    start_trial(policy=new, mode=TrialMode.SHADOW, share=1, by="test")
    assert "The running trial of version 2 ends." in desk.get(url("activate", new)).content.decode()
    assert "Warn from: 35 → 50" in desk.get("/admin/analysis/policy/").content.decode()


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("warn_at", "90", "90 is above “Block from” 70"),
        ("warn_at", "soon", "Enter a whole number."),
        ("safety.thresholds.min_grounding_score", "1.5", "must be at most 1, not 1.5"),
        ("not_checked.error", "ALLOW", "an error can never be ALLOW"),
        ("verdicts.contradictory", "SHOUT", "Select a valid choice."),
        ("refusal_text", "I {know}", "may hold {scope} and nothing else"),
    ],
)
def test_a_refused_value_says_why_at_its_field(desk, policy, field, value, message) -> None:
    answer = save(desk, policy, **{field: value})
    assert answer.status_code == 200
    assert message in " ".join(answer.context["form"].errors[field])
    assert f'id="error_{field}"' in answer.content.decode()
    assert Policy.objects.count() == 1


def test_a_replay_page_tells_what_would_change(desk, application, checked) -> None:
    rules = EXPLORATORY.to_json()
    create_policy(application_id=application.pk, rules=rules, by="test", activate=True)
    check = checked("The mill stands in Oslo.", sources=["The old mill stands in Lyon."])
    rules = CONSERVATIVE.to_json()
    strict = create_policy(application_id=application.pk, rules=rules, by="test")
    assert "action changes" not in desk.get(url("replay", strict)).content.decode()
    page = desk.get(url("replay", strict), {"sample": "10"}).content.decode()
    assert "1 of 1 actions change" in page
    assert reverse("admin:analysis_check_change", args=[check.pk]) in page
    page = desk.get(url("replay", strict), {"sample": "10", "until": "2020-01-01"})
    assert page.context["found"]["replayed"] == 0
    wrong = {"sample": "0", "since": "2020-01-02", "until": "2020-01-01"}
    answer = desk.get(url("replay", strict), wrong)
    assert set(answer.context["form"].errors) == {"sample", "until"}
    assert answer.context["found"] is None


@pytest.mark.parametrize(("role", "manages"), [*((r, r is Role.LEAD) for r in Role)])
def test_only_a_lead_changes_and_tries_a_policy(policy, member, as_user, role, manages) -> None:
    client = as_user(member("someone", role, policy.application))
    assert client.get(url("replay", policy), {"sample": 5}).status_code == 200
    assert client.get(url("new", policy)).status_code == (200 if manages else 403)
    assert save(client, policy).status_code == (302 if manages else 403)
    newest = Policy.objects.latest("version")
    other = (
        newest
        if newest != policy
        else create_policy(application_id=policy.application_id, rules=policy.rules, by="test")
    )
    assert client.get(url("activate", other)).status_code == (200 if manages else 403)
    answer = client.post(url("activate", other), {"reason": "Agreed."})
    assert answer.status_code == (302 if manages else 403)
    assert client.post(url("effect", policy)).status_code == (200 if manages else 403)
    page = client.get(url("change", policy)).content.decode()
    assert (">Edit</a>" in page) is manages
    rules = CONSERVATIVE.to_json()
    third = create_policy(application_id=policy.application_id, rules=rules, by="test")
    assert (">Start<" in client.get(url("trial", third)).content.decode()) is manages
    for form in ({"mode": "shadow", "share": "1"}, {"end": "1"}):
        assert client.post(url("trial", third), form).status_code == (302 if manages else 403)


def test_the_version_in_force_is_not_activated_again(desk, policy) -> None:
    activations = TrailEntry.objects.filter(event="policy.activated")
    before = activations.count()
    page = desk.get(url("activate", policy), follow=True)
    assert "Version 1 is in force already." in page.content.decode()
    desk.post(url("activate", policy), {"reason": "Agreed."})
    assert activations.count() == before


def test_a_replay_page_costs_the_same_for_one_check_and_for_ten(desk, policy, checked) -> None:
    for more in (1, 9):
        for _ in range(more):
            checked()
        # session, user, second factor, policy, count, ids, rows, policies
        with assertNumQueries(8):
            desk.get(url("replay", policy), {"sample": 100})


def test_overrides_are_yaml_and_stay_where_nothing_is_changed(desk, policy) -> None:
    text = "- {name: physics, collections: [p], rules: {warn_at: 20}}"
    save(desk, policy, overrides=text)
    put_in_force(desk, Policy.objects.get(version=2))
    active = active_policy(policy.application_id)
    expected = [{"name": "physics", "collections": ["p"], "rules": {"warn_at": 20}}]
    assert active.rules["overrides"] == expected
    form = desk.get(url("new", policy)).context["form"]
    save(desk, policy, overrides=form["overrides"].value(), note="the same")
    assert Policy.objects.get(version=3).rules == active.rules
    assert "physics (p)" in desk.get(url("change", active)).content.decode()
    for wrong, message in (
        ("- {name: x", "This is not valid YAML"),
        ("- 1", "must be an object of name"),
    ):
        answer = save(desk, policy, overrides=wrong)
        assert message in " ".join(answer.context["form"].errors["overrides"])


def test_a_version_is_tried_beside_the_one_in_force(desk, policy, checked) -> None:
    rules = CONSERVATIVE.to_json()
    strict = create_policy(application_id=policy.application_id, rules=rules, by="test")
    assert "No version has been tried yet." in desk.get(url("trial", strict)).content.decode()
    assert desk.get(url("trial", policy)).context["title"] == "Trials"
    form = {"mode": "shadow", "share": "0.5"}
    assert desk.post(url("trial", strict), form).status_code == 302
    checked("The mill stands in Oslo.", sources=["The old mill stands in Lyon."])
    page = desk.get(url("trial", strict))
    assert [arm["checks"] for arm in page.context["found"]["arms"]] == [1, 1]
    assert "Version 2 in shadow of version 1" in page.content.decode()
    response = desk.post(url("trial", policy), form)
    assert "is already in force" in " ".join(response.context["form"].errors["mode"])
    wrong = desk.post(url("trial", strict), {"mode": "split", "share": "2"})
    assert "share" in wrong.context["form"].errors
    desk.post(url("trial", strict), {"end": "1"})
    assert desk.get(url("trial", strict)).context["found"]["ended_at"]


def test_a_preset_fills_the_form_and_keeps_the_applications_own_texts(desk, policy) -> None:
    save(desk, policy, refusal_scope="the handbook")
    put_in_force(desk, Policy.objects.get(version=2))
    page = desk.get(url("new", policy), {"preset": "conservative"})
    form = page.context["form"]
    assert form["verdicts.contradictory"].value() == "BLOCK"
    assert form["refusal_scope"].value() == "the handbook"
    assert "in force: WARN" in page.content.decode()
    save(desk, policy, preset="conservative", refusal_scope="the handbook")
    new_version = Policy.objects.get(version=3).rules
    assert new_version == CONSERVATIVE.to_json() | {"refusal_scope": "the handbook"}


def test_every_preset_has_its_words_and_the_rates_of_the_documentation() -> None:
    assert [choice.name for choice in CHOICES] == [*PRESETS]
    text = (settings.BASE_DIR / "docs" / "accuracy.md").read_text()
    deciding = [preset for preset in CHOICES if not PRESETS[preset.name].observe]
    public = {preset.name: preset.public for preset in deciding}
    assert lines(PUBLIC, PUBLIC_ANSWERS, public) in text
    everyday = {preset.name: preset.everyday for preset in deciding}
    assert lines(EVERYDAY, EVERYDAY_ANSWERS, everyday) in text


def test_the_form_shows_the_rates_of_each_measured_set(desk, policy, monkeypatch) -> None:
    rates = Rates(0.123, 0.004, 0.567, 0.089)
    monkeypatch.setattr(
        "desk.policies.admin.policies.CHOICES", [replace(CHOICES[0], everyday=rates), CHOICES[1]]
    )
    page = desk.get(url("new", policy)).content.decode()
    first, *_ = page.split("</table>")
    assert "<strong>Everyday answers</strong> (1,099)" in first
    assert all(f">{share}<" in first for share in ("12.3%", "0.4%", "56.7%", "8.9%"))
    assert "<strong>Public test sets</strong> (962)" in first
    assert page.count("<strong>Public test sets</strong>") == 2
    assert page.count("<strong>Everyday answers</strong>") == 2


def test_the_effect_of_the_form_on_the_last_checks(desk, policy, checked) -> None:
    rules = EXPLORATORY.to_json()
    create_policy(application_id=policy.application_id, rules=rules, by="test", activate=True)
    empty = desk.post(url("effect", policy), {"preset": "conservative"}).content.decode()
    assert "no stored checks" in empty
    check = checked(
        "The mill stands in Oslo.",
        query="Where is the mill?",
        sources=["The old mill stands in Lyon."],
    )
    response = desk.post(url("effect", policy), {"preset": "conservative"})
    page = response.content.decode()
    assert response.context["found"]["changed"] == 1
    assert "1 of 1 would be decided differently." in page
    assert "Where is the mill?" in page
    assert reverse("admin:analysis_check_change", args=[check.pk]) in page
    warn_at = rules["warn_at"]
    edited = desk.post(url("effect", policy), {"warn_at": "33"}).content.decode()
    assert f"<li>Warn from: {warn_at} → <strong>33</strong></li>" in edited
    fields = {"hold.risk_at": str(check.risk_score), "hold.words": "mill"}
    held = desk.post(url("effect", policy), fields).content.decode()
    assert "by their risk score: 0 → <strong>1</strong>; answers about “mill” as well." in held
    assert desk.post(url("effect", policy), {"hold.risk_at": "101"}).context["hold_effect"] is None
    assert desk.post(url("effect", policy), {"warn_at": "90"}).context["found"] is None
    assert Policy.objects.count() == 2
    assert desk.get(url("effect", policy)).status_code == 405
