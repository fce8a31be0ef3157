"""Deciding together, the list of reasons, and the agreement of reviewers."""

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertNumQueries

from accounts.models import Application
from analysis.models import ReasonCode, Review, ReviewDecision
from audit.models import Event, TrailEntry
from desk.reviews.services import bulk, queue
from desk.reviews.services.reviews import decide_review, undo_decision
from tests.integration.people import DECIDING, ROLES, put

LIST = "/admin/analysis/review/"
BULK = "/admin/analysis/review/bulk/"
AGREEMENT = "/admin/analysis/review/agreement/"


def preview(client: Client, ids: list[int], **more: object) -> object:
    form = {"action": "decide_together", "_selected_action": ids, **more}
    return client.post(LIST, form)


class TestDecidingTogether:
    def test_the_preview_counts_and_changes_nothing(self, application, anna, ben, as_user) -> None:
        ids = put(application, 12) + put(application, 3, reason="warn")
        queue.claim_review(review=Review.objects.get(pk=ids[0]), by=ben)
        page = preview(as_user(anna), ids)
        assert (page.context["total"], page.context["left_out"]) == (14, 1)
        assert page.context["counted"] == [("Demo", "blocked", 11), ("Demo", "warned", 3)]
        assert "14 reviews would be decided" in page.content.decode()
        assert page.content.decode().count('<th scope="row" dir="auto">') == 14
        assert not Review.objects.filter(decision__isnull=False).exists()

    def test_what_was_previewed_is_decided_and_what_changed_since_is_not(
        self, application, anna, ben, as_user
    ) -> None:
        ids = put(application, 5)
        client = as_user(anna)
        pairs = [pair for _, pair in preview(client, ids).context["hidden"]]
        decide_review(
            review=Review.objects.get(pk=ids[0]), decision=ReviewDecision.CONFIRMED, by=ben
        )
        queue.assign(review=Review.objects.get(pk=ids[1]), by=ben, to=ben)
        form = {"seen": pairs, "decision": "overturned", "note": "A test run of the client."}
        page = client.post(BULK, form, follow=True).content.decode()
        assert "3 decided: overturned." in page
        assert "2 left out." in page
        assert "ben has already decided it: confirmed" in page
        assert Review.objects.filter(decision="overturned", decided_by=anna).count() == 3
        entries = TrailEntry.objects.filter(event=Event.REVIEW_DECIDED, actor="anna")
        assert [entry.data["via"] for entry in entries] == ["bulk"] * 3

    def test_what_was_decided_together_is_undone_together_and_free_again(
        self, application, anna, ben, as_user
    ) -> None:
        ids, client = put(application, 3), as_user(anna)
        pairs = [pair for _, pair in preview(client, ids).context["hidden"]]
        form = {"seen": pairs, "decision": "overturned", "note": "A test run of the client."}
        page = client.post(BULK, form, follow=True)
        assert page.context["undoable"] == 3
        assert "3 reviews were decided just now." in page.content.decode()
        undo_decision(review=Review.objects.get(pk=ids[0]), by=anna)
        assert as_user(ben).get(LIST).context["undoable"] == 0
        undone = client.post(BULK, {"undo": "1"}, follow=True).content.decode()
        assert "2 reviews are open again." in undone
        assert "1 cannot be undone any more." in undone
        reviews = Review.objects.filter(pk__in=ids[1:], decision=None, claimed_by=None)
        assert set(reviews.values_list("pk", flat=True)) == set(ids[1:])
        entries = TrailEntry.objects.filter(event=Event.REVIEW_UNDONE, actor="anna")
        assert [entry.data["via"] for entry in entries.order_by("id")] == ["desk", "bulk", "bulk"]
        assert (
            "0 reviews are open" in client.post(BULK, {"undo": "1"}, follow=True).content.decode()
        )

    def test_all_matches_of_a_filter(self, application, anna, as_user) -> None:
        ids = put(application, 60, reason="warn") + put(application, 2)
        form = {"action": "decide_together", "_selected_action": ids[:1], "select_across": "1"}
        page = as_user(anna).post(f"{LIST}?reason=warn", form)
        assert page.context["total"] == 60

    def test_too_many_at_once_are_refused(self, application, anna, as_user, monkeypatch) -> None:
        monkeypatch.setattr("desk.reviews.admin.bulk.MOST", 4)
        ids = put(application, 5)
        page = as_user(anna).post(
            LIST, {"action": "decide_together", "_selected_action": ids}, follow=True
        )
        assert "At most 4 reviews at once" in page.content.decode()
        with pytest.raises(ValueError, match="at most 500"):
            bulk.decide_many(
                seen=[(n, 1) for n in range(501)], decision=ReviewDecision.CONFIRMED, by=anna,
                words=bulk.Words(),
            )  # fmt: skip

    @pytest.mark.parametrize("form", [{}, {"decision": "overturned"}, {"decision": "replayed"}])
    def test_what_is_no_decision_decides_nothing(self, application, anna, as_user, form) -> None:
        (pk,) = put(application, 1)
        page = as_user(anna).post(BULK, {"seen": [f"{pk}:1"], **form})
        assert "Nothing was decided." in page.content.decode()
        assert page.context["total"] == 1
        assert Review.objects.get().decision is None

    @pytest.mark.parametrize("role", ROLES)
    def test_by_role(self, role, browser, application) -> None:
        ids = put(application, 1)
        client = browser(role)
        response = preview(client, ids)
        answer = client.post(BULK, {"seen": [f"{ids[0]}:1"], "decision": "confirmed"})
        decided = Review.objects.get().decision == "confirmed"
        assert decided == (role in DECIDING)
        if role in DECIDING:
            assert response.context["total"] == 1
        elif role == "auditor":
            assert answer.status_code == 403
        else:
            assert response.context is None or response.context.get("total", 0) == 0


class TestAgreement:
    def test_raw_and_kappa_of_the_pairs(self, application, anna, ben, as_user, browser) -> None:
        Application.objects.filter(pk=application.pk).update(second_review_share=1.0)
        decisions = ["confirmed"] * 5 + ["overturned"] * 3
        for at, pk in enumerate(put(application, 8)):
            review = Review.objects.get(pk=pk)
            second = decide_review(
                review=review, decision=ReviewDecision(decisions[at]), by=anna, note="x"
            )
            other = "overturned" if at == 0 else decisions[at]
            decide_review(review=second, decision=ReviewDecision(other), by=ben, note="x")
        client = as_user(anna)
        client.get(AGREEMENT)
        # session, user, device, roles, pairs; the permissions of the person and their groups
        with assertNumQueries(7):
            page = client.get(AGREEMENT)
        (row,) = page.context["rows"]
        assert (row.application, row.agreement.n, row.agreement.raw) == ("Demo", 8, 7 / 8)
        assert row.agreement.kappa == pytest.approx(0.75)
        assert "0.75" in page.content.decode()
        assert browser("foreign lead").get(AGREEMENT).context["rows"] == []


class TestReasonCodes:
    @pytest.mark.parametrize("role", ROLES)
    def test_everybody_at_the_desk_reads_them_and_superusers_keep_them(self, role, browser) -> None:
        code = ReasonCode.objects.create(code="own", label="Own")
        client = browser(role)
        url = reverse("admin:analysis_reasoncode_change", args=[code.pk])
        form = {"label": "Renamed", "decision": "", "position": "1", "is_active": "on"}
        client.post(url, form)
        client.post(reverse("admin:analysis_reasoncode_add"), {**form, "code": "other"})
        code.refresh_from_db()
        assert (code.label == "Renamed") == (role == "superuser")
        assert ReasonCode.objects.filter(code="other").exists() == (role == "superuser")
        delete = reverse("admin:analysis_reasoncode_delete", args=[code.pk])
        assert client.post(delete, {"post": "yes"}).status_code in (302, 403)
        assert ReasonCode.objects.filter(pk=code.pk).exists()
        entry_count = TrailEntry.objects.filter(event=Event.REASON_CODE_CHANGED).count()
        assert entry_count == (2 if role == "superuser" else 0)
        response = client.get(reverse("admin:analysis_reasoncode_changelist"))
        assert response.status_code == 200
