"""The verdict page says everything, and shows whatever it is given as text."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils.html import escape
from pytest_django.asserts import assertNumQueries

from accounts.models import Application, Role
from analysis.models import AnnotatedAnswer, Check, Claim, ReasonCode, Review, ReviewDecision
from analysis.selectors.records import parts_of
from analysis.services import measuring
from audit.models import Event, TrailEntry
from audit.seals import seal_trail
from desk.reviews.services.reviews import Words, decide_review
from tests.integration.conftest import HOSTILE, SOURCE
from tests.integration.people import person, unguarded

ANSWER = "SSN College definitely closed in 2026 and merged with SNU."


def page_of(check: Check, client: Client) -> str:
    answer = client.get(reverse("admin:analysis_check_change", args=[check.pk]))
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_blocked_answer_shows_claims_evidence_and_reasons(desk, checked) -> None:
    check = checked(
        ANSWER, query="When did SSN College close?",
        sources=[{"id": "a", "text": SOURCE, "title": "College gazette", "uri": "https://e.org/a"}],
    )  # fmt: skip
    page = page_of(check, desk)
    claims = list(Claim.objects.filter(annotated_answer_id=check.pk))
    assert {c.status for c in claims} >= {"Contradictory"}
    url = reverse("admin:analysis_check_change", args=[check.pk])
    for number, claim in enumerate(claims, 1):
        claim_page = desk.get(url, {"claim": number}).content.decode()
        assert escape(claim.decision["rationale"].partition(": ")[2][1:]) in claim_page
    assert check.action in page
    assert "This decided." in page
    assert "College gazette" in page
    assert 'href="https://e.org/a"' in page
    assert "Contradicts the claim" in page
    assert "contradicted:" in page
    assert "What the user sees instead" in page


def test_the_reason_that_decided_leads_and_a_score_that_did_not_is_no_headline(
    desk, checked
) -> None:
    check = checked(ANSWER, sources=[SOURCE])
    address = reverse("admin:analysis_check_change", args=[check.pk])
    reasons = {
        "contradicted_claim": "1 of 2 claims contradict the sources",
        "risk_score": "Risk score 70; the policy blocks at 70",
    }
    for decider, shows_score in (("risk_score", True), ("contradicted_claim", False)):
        stored = [
            {"code": code, "action": "BLOCK" if code == decider else "WARN", "text": text,
             "decided": code == decider}
            for code, text in reasons.items()
        ]  # fmt: skip
        answer = AnnotatedAnswer.objects.get(pk=check.pk)
        answer.decision["reasons"] = stored
        with unguarded():
            AnnotatedAnswer.objects.filter(pk=check.pk).update(decision=answer.decision)
        page = desk.get(address)
        _, _, verdict = page.content.decode().partition('<header class="wd-verdict ')
        header, _, rest = verdict.partition("</header>")
        view = page.context["page"]
        assert (reasons[decider] in header) is shows_score
        assert "2 claims are contradicted" in header
        assert (view.acting[0].code, view.acting[0].decided) == (decider, True)
        assert ("wd-verdict__score" in header) is shows_score
        assert f"the risk score, {check.risk_score} of 100" in rest


def test_the_page_says_when_the_small_judge_judged_in_place_of_the_base_judge(
    desk, checked, monkeypatch
) -> None:
    reason = "small@1+int8, since the base judge is not prepared: No model is prepared"
    sources = [{"id": "a", "text": SOURCE}]
    assert "base judge is not prepared" not in page_of(checked(ANSWER, sources=sources), desk)
    monkeypatch.setattr(measuring, "missing_judge", lambda: reason)
    page = page_of(checked(ANSWER, sources=sources), desk)
    assert f"Judged by {escape(reason)}" in page


def test_the_numbers_of_the_text_shown_are_explained(desk, checked) -> None:
    check = checked(
        "The mill closed in 2012. The inn opened in 1990.", query="When?",
        sources=[
            {"id": "b", "text": "The bakery sells bread.", "title": "Town list"},
            {
                "id": "a", "title": "Gazette",
                "text": "The inn opened in 1990. The mill closed in 2019.",
            },
        ],
    )  # fmt: skip
    page = page_of(check, desk)
    listed = page[page.index('class="wd-cited"') :].partition("</ul>")[0]
    assert listed.count("<strong>Gazette</strong>") == listed.count("<li>") > 0
    assert "Town list" not in listed
    assert "the source says “2019”" in page


def test_the_page_costs_a_fixed_number_of_queries(desk, checked) -> None:
    few = checked(ANSWER, sources=[SOURCE])
    many = checked(" ".join(f"Town {n} was founded in {1500 + n}." for n in range(40)))
    assert many.annotated_answer.claims.count() >= 30
    for check in (few, many):
        url = reverse("admin:analysis_check_change", args=[check.pk])
        # session, user, device, check with result and policy, document, outline, doubts of a part,
        # one claim, reviews, trail and its seals, comments of end users
        with assertNumQueries(12):
            desk.get(url)


def test_the_claim_that_was_chosen_is_spelled_out_and_all_are_listed(desk, checked) -> None:
    check = checked(ANSWER, sources=[SOURCE])
    total = check.annotated_answer.claims.count()
    assert total > 1
    page = page_of(check, desk)
    assert page.count("data-piece") >= total
    url = reverse("admin:analysis_check_change", args=[check.pk])
    for number in range(1, total + 1):
        claim_page = desk.get(url, {"claim": number}).content.decode()
        assert f'data-shows="{number}"' in claim_page
        assert "Raw JSON" in claim_page
        part = desk.get(url, {"claim": number}, headers={"HX-Target": "claim"}).content.decode()
        assert part.count("<section") == 1
        assert "Raw JSON" in part


def test_a_part_of_the_page_is_no_way_round_the_log_in(
    desk, checked, member, as_user, other_application
) -> None:
    url = reverse("admin:analysis_check_change", args=[checked(ANSWER).pk]) + "?claim=1"
    headers = {"HX-Request": "true", "HX-Target": "claim"}
    assert desk.get(url, headers=headers).status_code == 200
    stranger = as_user(member("s", "reviewer", other_application))
    for client in (Client(), stranger):
        answer = client.get(url, headers=headers)
        assert answer.status_code == 302
        assert b"SSN" not in answer.content


def test_queued_running_and_failed_are_said_in_words(desk, make_check, failed) -> None:
    assert "Not checked yet: waiting for a worker." in page_of(make_check(), desk)
    retried = make_check()
    Check.objects.filter(pk=retried.pk).update(attempts=2, last_error="OSError")
    assert "attempt 2 failed (OSError)" in page_of(retried, desk)
    page = page_of(failed, desk)
    assert "Could not be checked: ModelMissing. All 5 attempts failed." in page
    assert "Check it again" in page


def test_no_sources_and_an_empty_list_are_told_apart(desk, checked) -> None:
    assert "The application sent no sources and did not ask for a search." in page_of(
        checked(ANSWER), desk
    )
    assert "an empty list of sources" in page_of(checked(ANSWER, sources=[]), desk)


@pytest.mark.parametrize("address", ["javascript:alert(1)", "data:text/html,x", "http://[", ""])
def test_only_web_addresses_become_links(desk, checked, address) -> None:
    check = checked(ANSWER, sources=[{"id": "a", "text": SOURCE, "title": "T", "uri": address}])
    assert f'href="{address}"' not in page_of(check, desk).replace('href=""', "")


def test_hostile_text_in_every_field_stays_text(desk, checked) -> None:
    check = checked(
        f"{HOSTILE} SSN College closed in 2026. {HOSTILE}",
        query=HOSTILE,
        sources=[{"id": HOSTILE, "text": f"{HOSTILE} {SOURCE}", "title": HOSTILE, "uri": HOSTILE}],
        collections=[HOSTILE],
        scope={HOSTILE: HOSTILE},
        source_model=HOSTILE,
        metadata={HOSTILE: [HOSTILE, {HOSTILE: HOSTILE}]},
        samples=[HOSTILE],
    )
    annotated = AnnotatedAnswer.objects.get(pk=check.pk)
    for page in (
        page_of(check, desk),
        desk.get(reverse("admin:analysis_check_changelist")).content.decode(),
    ):
        assert "<script>alert" not in page
        assert "<img src=x" not in page
        assert "{{ 7" in page  # no template was run over it
    assert annotated.decision["final_response"] is not None


def test_a_stored_result_made_of_script_stays_text(desk, make_check) -> None:
    """Rationales, details, reasons and explanations come from the engine; still never trusted."""
    check = make_check(query=HOSTILE)
    Check.objects.filter(pk=check.pk).update(last_error=HOSTILE, attempts=1)
    page = page_of(check, desk)
    assert "<script>alert" not in page
    assert "<img src=x" not in page


def test_a_stored_verdict_made_of_script_stays_text(desk, make_check, checked) -> None:
    """Everything the engine stores, rationales to model names, is text to this page too."""
    real = checked("SSN College closed in 2026.", sources=[SOURCE])
    fake = make_check("SSN College closed in 2026.", query="Why?")
    annotated = real.annotated_answer
    AnnotatedAnswer.objects.create(
        check_record=fake,
        policy=annotated.policy,
        engine_version=HOSTILE[:40],
        measurement=hostile(annotated.measurement),
        decision=hostile(annotated.decision),
        milliseconds=1.0,
    )
    claim = real.annotated_answer.claims.get()
    assert claim.status == "Contradictory"
    claim.pk, claim.annotated_answer_id = None, fake.pk
    claim.text = claim.subject = HOSTILE
    claim.signal, claim.decision = hostile(claim.signal), hostile(claim.decision)
    claim.save()
    Check.objects.filter(pk=fake.pk).update(
        state="done", due_at=None, action="BLOCK", risk_level="HIGH", risk_score=70,
        sampled=False, sampling_probability=0, finished_at=fake.created_at,
    )  # fmt: skip
    page = page_of(fake, desk)
    assert page.count(escape(HOSTILE)) > 10
    assert "<script>alert" not in page
    assert "<img src=x" not in page


def hostile(document: Any) -> Any:
    """Return the same document with script in every free text; references and known words stay."""
    fixed_keys = {
        "doc_id", "supported_by", "contradicted_by", "primary_evidence", "status", "kind", "action",
    }  # fmt: skip
    if isinstance(document, dict):
        return {k: v if k in fixed_keys else hostile(v) for k, v in document.items()}
    if isinstance(document, list):
        return [hostile(item) for item in document]
    return HOSTILE if isinstance(document, str) else document


class TestHistory:
    """The timeline of one decision, as its reader may know it."""

    @pytest.fixture
    def reviewed(self, checked, application) -> Check:
        """Make a check: blocked, overturned with a reason, waiting for a blind second review."""
        Application.objects.update(second_review_of_overturned_blocks=True)
        ReasonCode.objects.create(code="stale-source", label="Outdated source")
        check = checked(ANSWER, sources=[SOURCE])
        decide_review(
            review=check.reviews.get(), decision=ReviewDecision.OVERTURNED,
            words=Words(reason_codes=["stale-source"]),
            by=person("anna", Role.REVIEWER, application),
        )  # fmt: skip
        return check

    @pytest.fixture
    def auditor(self, application, as_user) -> Client:
        return as_user(person("arun", Role.AUDITOR, application))

    def test_it_is_the_trail_of_the_decision_record(self, reviewed, auditor) -> None:
        seal_trail()
        page = auditor.get(reverse("admin:analysis_check_change", args=[reviewed.pk]))
        steps = page.context["history"]
        record = parts_of(Check.objects.get(pk=reviewed.pk), Review.objects.all())
        assert [step.by for step in steps] == [item["entry"]["actor"] for item in record["trail"]]
        assert all(step.seal and step.holds for step in steps)
        html = page.content.decode()
        assert "first review; Overturned; reasons: Outdated source" in html
        assert "stale-source" not in html
        assert "not sealed yet" not in html

    def test_who_reviews_blind_reads_nothing_of_the_first_review(
        self, reviewed, application, as_user
    ) -> None:
        for name, is_told in (("anna", True), ("ben", False)):
            known = User.objects.filter(username=name).first()
            user = known or person(name, Role.REVIEWER, application)
            assert ("Overturned" in page_of(reviewed, as_user(user))) is is_told

    def test_an_altered_entry_is_named(self, reviewed, auditor) -> None:
        seal_trail()
        with unguarded():
            TrailEntry.objects.filter(event=Event.REVIEW_DECIDED).update(actor="ben")
        page = auditor.get(reverse("admin:analysis_check_change", args=[reviewed.pk]))
        assert [step.by for step in page.context["history"] if not step.holds] == ["ben"]
        assert "not as sealed" in page.content.decode()
