"""The workbench: who may do what there, what it shows, and that nothing is overwritten."""

import re
from html import unescape

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from pytest_django.asserts import assertNumQueries

from accounts.models import Application, Role
from analysis.models import ReasonCode, Review, ReviewDecision, ReviewDraft
from desk.reviews.selectors import desk
from desk.reviews.selectors.neighbours import neighbours
from desk.reviews.services import queue
from desk.reviews.services.drafts import draft_of, save_draft
from desk.reviews.services.reviews import Words, decide_review
from tests.integration.conftest import HOSTILE, SOURCE
from tests.integration.people import DECIDING, ROLES, SEEING, person
from tests.shapes import MakeCheck

BENCH = "/admin/analysis/review/workbench/"
NEXT = "/admin/analysis/review/workbench/next/"
MOVES = ("claim", "draft", "decide", "skip", "snooze", "assign", "release", "undo", "next")
FORM = {
    "decision": "confirmed", "version": "1", "skip_reason": "x", "hours": "1",
    "assignee": "someone",
}  # fmt: skip
ANSWER = "SSN College definitely closed in 2026 and merged with SNU."


def work(review: Review) -> str:
    return reverse("admin:analysis_review_work", args=[review.pk])


class TestRoles:
    @pytest.mark.parametrize("role", ROLES)
    def test_reading(self, role, browser, checked) -> None:
        review = checked(ANSWER, sources=[SOURCE]).reviews.get()
        client = browser(role)
        bench = client.get(BENCH)
        item = client.get(work(review), follow=True)
        if role in DECIDING:
            assert bench["Location"] == work(review)
        elif role in SEEING:
            assert not bench.context["may_decide"]
        if role in SEEING:
            assert "closed in 2026" in item.content.decode()
            assert item.context["mine"] == (role in DECIDING)
            review.refresh_from_db()
            assert review.claimed_by is None, "to look at an item takes it from nobody"
        else:
            assert "closed in 2026" not in item.content.decode()
            assert bench.context["queues"] == []

    @pytest.mark.parametrize("do", MOVES)
    def test_a_reviewer_does_everything(self, do, browser, checked) -> None:
        review, client = checked().reviews.get(), browser("reviewer")
        before = Review.objects.values().get()
        answer = client.post(NEXT if do == "next" else work(review), FORM | {"do": do})
        assert answer.status_code == {"draft": 200, "undo": 409}.get(do, 302)
        changed = Review.objects.values().get() != before
        assert changed == (do != "undo")  # it is not decided yet
        assert ReviewDraft.objects.exists() == (do == "draft")

    @pytest.mark.parametrize(("role", "status"), [("auditor", 403), ("foreign lead", 404)])
    def test_who_may_not_decide_changes_nothing(self, role, status, browser, checked) -> None:
        review, client = checked().reviews.get(), browser(role)
        before = Review.objects.values().get()
        for do in MOVES:
            answer = client.post(NEXT if do == "next" else work(review), FORM | {"do": do})
            own_queue = role == "foreign lead" and do == "next"  # in which nothing waits
            assert answer.status_code == (302 if own_queue else status), do
        assert Review.objects.values().get() == before
        assert not ReviewDraft.objects.exists()


def partitions_read(queries: CaptureQueriesContext) -> set[str]:
    """Return the months of vectors that these statements would read."""
    plans = []
    with connection.cursor() as cursor:
        for query in queries.captured_queries:
            cursor.execute(f"EXPLAIN {query['sql']}")
            plans += [line for (line,) in cursor.fetchall()]
    return set(re.findall(r"on analysis_checkembedding_(\w+)", "\n".join(plans)))


class TestTheItem:
    @pytest.mark.usefixtures("embedding_model")
    def test_it_shows_answer_evidence_and_earlier_decisions(
        self, checked, anna, ben, as_user
    ) -> None:
        earlier = checked(ANSWER, query="When did SSN College close?", sources=[SOURCE])
        unlike = checked("The moon is made of 7 kinds of cheese.", sources=["Nothing of cheese."])
        for check in (earlier, unlike):
            decide_review(
                review=check.reviews.get(), decision=ReviewDecision.CONFIRMED, by=ben,
                note="The gazette says 2019.",
            )  # fmt: skip
        said = ANSWER.replace("definitely ", "")
        new = checked(said, query="When did it close?", sources=[SOURCE])
        with CaptureQueriesContext(connection) as queries:
            assert [near.check_id for near in neighbours(new, anna)][:1] == [earlier.pk]
        assert len(partitions_read(queries)) == 1, "of this month, whatever others there are"
        client = as_user(anna)
        item = client.post(NEXT, follow=True)
        page = item.content.decode()
        assert item.context["review"].claimed_by == anna
        assert "The user got" in page
        assert '<mark class="wd-against" data-piece>2026</mark>' in page
        assert '<mark class="wd-against">2019</mark>' in page
        near = item.context["neighbours"]
        assert [item.check_id for item in near] == [earlier.pk]
        assert near[0].similarity > 0.8
        assert "The gazette says 2019." in page
        assert "<script>" not in page

    def test_deciding_brings_the_next_of_the_same_queue(self, checked, anna, as_user) -> None:
        first, second = checked().reviews.get(), checked().reviews.get()
        client = as_user(anna)
        bench = client.post(f"{NEXT}?reason=warn")
        assert bench["Location"] == f"{work(first)}?reason=warn"
        form = {"do": "decide", "decision": "confirmed", "version": "2", "note": " Yes. "}
        assert client.post(bench["Location"], form)["Location"] == f"{work(second)}?reason=warn"
        first.refresh_from_db()
        assert (first.decision, first.note) == ("confirmed", "Yes.")
        last = client.post(f"{work(second)}?reason=warn", form, follow=True)
        assert "This queue is empty." in last.content.decode()

    def test_a_draft_is_kept_and_keeps_the_lease(self, checked, anna, ben, as_user) -> None:
        review = checked(ANSWER, sources=[SOURCE]).reviews.get()
        client = as_user(anna)
        client.post(NEXT)
        form = {"do": "draft", "note": "Half a thou", "decision": "overturned", "claim-1": "agree"}
        assert "Draft saved" in client.post(work(review), form).content.decode()
        page = client.get(work(review)).content.decode()
        assert "Half a thou" in page
        assert '<option value="agree" selected>' in page
        Review.objects.update(claimed_by=ben)
        assert "no longer reserved for you" in client.post(work(review), form).content.decode()

    def test_a_draft_that_comes_after_the_decision_is_not_kept(self, checked, anna) -> None:
        review = checked().reviews.get()
        assert save_draft(review=review, by=anna, fields={"note": "Half"})
        decide_review(review=review, decision=ReviewDecision.CONFIRMED, by=anna)
        assert not save_draft(review=review, by=anna, fields={"note": "Half a thou"})
        assert draft_of(review, anna) == {}

    def test_the_loser_of_a_race_sees_what_changed_and_keeps_their_words(
        self, checked, anna, ben, as_user
    ) -> None:
        review = checked().reviews.get()
        client = as_user(anna)
        client.post(NEXT)
        queue.release(review=Review.objects.get(), by=anna)
        decide_review(review=review, decision=ReviewDecision.CONFIRMED, by=ben)
        form = {"do": "decide", "decision": "overturned", "version": "2", "note": "My words."}
        late = client.post(work(review), form)
        assert late.status_code == 409
        assert "ben has already decided it: confirmed" in late.content.decode()
        review.refresh_from_db()
        assert (review.decision, review.decided_by) == ("confirmed", ben)

    def test_what_is_refused_keeps_what_was_written(self, checked, anna, as_user) -> None:
        review = checked().reviews.get()
        client = as_user(anna)
        client.post(NEXT)
        for form, words in (
            (
                {"do": "decide", "decision": "overturned", "corrected_text": "In 2019."},
                "Choose a reason",
            ),
            ({"do": "decide", "corrected_text": "In 2019."}, "Choose a decision"),
        ):
            response = client.post(work(review), {"version": "2", **form})
            assert response.status_code == 200
            assert words in response.content.decode()
            assert "In 2019." in response.content.decode()
        for form in ({"do": "skip"}, {"do": "snooze", "hours": "0"},
                     {"do": "assign", "assignee": "nobody-there"}):  # fmt: skip
            assert client.post(work(review), form).context["refused"]
        assert client.post(work(review), {"do": "nonsense"}).status_code == 400
        review.refresh_from_db()
        assert (review.decision, review.version) == (None, 2)

    def test_a_second_review_does_not_see_the_first(
        self, checked, application, anna, ben, as_user
    ) -> None:
        Application.objects.filter(pk=application.pk).update(second_review_share=1.0)
        first = checked().reviews.get()
        second = decide_review(
            review=first, decision=ReviewDecision.CONFIRMED, by=anna, note="Secret words."
        )
        assert second is not None
        application.refresh_from_db()
        blind = as_user(ben)
        assert "Secret words." not in blind.post(NEXT, follow=True).content.decode()
        pages = (
            reverse("admin:analysis_check_change", args=[first.check_record_id]), work(first),
            reverse("admin:analysis_review_changelist") + "?state=decided",
        )  # fmt: skip
        for page in pages:
            html = blind.get(page, follow=True).content.decode()
            assert "Secret words." not in html
            assert ">confirmed<" not in html.lower()
        auditor = as_user(person("aud", Role.AUDITOR, application))
        assert "Secret words." in auditor.get(pages[0]).content.decode()

    def test_hostile_text_stays_text(self, checked, anna, as_user) -> None:
        checked(f"{HOSTILE} It closed in 2026.", query=HOSTILE, sources=[HOSTILE])
        page = as_user(anna).post(NEXT, follow=True).content.decode()
        assert '<script>alert("x")</script>' not in page
        assert "<img src=x" not in page

    def test_a_failed_check_can_be_decided(self, failed, anna, as_user) -> None:
        client = as_user(anna)
        item = client.post(NEXT, follow=True)
        assert item.status_code == 200
        form = {"do": "decide", "decision": "confirmed", "version": "2"}
        client.post(work(failed.reviews.get()), form)
        assert failed.reviews.get().decision == "confirmed"


@pytest.mark.usefixtures("embedding_model")
def test_a_reviewer_sees_what_they_have_decided_today(checked, anna, as_user) -> None:
    client = as_user(anna)
    for n, decision in enumerate((ReviewDecision.CONFIRMED, ReviewDecision.OVERTURNED)):
        checked(f"{ANSWER} ({n})", sources=[SOURCE])
        review = queue.claim_next(by=anna)
        decide_review(review=review, decision=decision, by=anna, note="Seen.")
    later = Review.objects.filter(decision="overturned").get()
    figures = desk.decisions_since(anna, later.decided_at or timezone.now())
    assert (figures.total, figures.overturned) == (1, 1)
    words = "2 (1 confirmed, 1 overturned, 0 approved, 0 refused, 0 escalated)"
    assert f"Decided by you today: {words}" in client.get(BENCH).content.decode()


def test_earlier_decisions_give_their_reasons_in_words(checked, anna, lead, as_user) -> None:
    ReasonCode.objects.create(code="stale-source", label="Outdated source")
    review = checked(ANSWER, sources=[SOURCE]).reviews.get()
    words = Words(reason_codes=["stale-source"])
    further = decide_review(review=review, decision=ReviewDecision.ESCALATED, by=anna, words=words)
    page = as_user(lead).get(work(further)).content.decode()
    assert "<p>Outdated source</p>" in page
    assert "<p>stale-source</p>" not in page


class TestTheQueue:
    """The list beside the item is the queue: what is chosen from it, and what comes behind."""

    def items(self, checked: MakeCheck, n: int = 4) -> list[Review]:
        return [checked().reviews.get() for _ in range(n)]

    def test_it_lists_what_next_would_give_and_the_filter_stays(
        self, checked, anna, as_user
    ) -> None:
        first, second, third, last = self.items(checked)
        queue.assign(review=last, by=anna, to=anna)
        page = as_user(anna).get(f"{work(second)}?reason=warn")
        assert page.context["items"] == [last, first, second, third]
        assert f'href="{work(third)}?reason=warn"' in page.content.decode()
        assert as_user(anna).get(f"{work(second)}?reason=block").context["items"] == []

    def test_from_a_filtered_table_the_filter_is_the_queue(self, checked, anna, as_user) -> None:
        checked()
        client = as_user(anna)
        table = client.get(reverse("admin:analysis_review_changelist"), {"stage": "first"})
        row = re.search(r'href="([^"]+/change/[^"]*)"', table.content.decode())
        assert row
        page = client.get(unescape(row[1]), follow=True)
        assert page.redirect_chain[-1][0].endswith("/workbench/?stage=first")
        assert page.context["queue"].title == "First review"

    def test_behind_a_chosen_item_the_list_goes_on_and_then_from_the_top(
        self, checked, anna, as_user
    ) -> None:
        first, second, third, last = self.items(checked)
        client = as_user(anna)
        form = {"decision": "confirmed", "version": "1"}
        ahead = client.get(f"{BENCH}ahead/?after={third.pk}")
        assert ahead.context["review"] == last
        assert ahead.context["items"] == [first, second, last]
        assert client.post(work(third), form)["Location"] == work(last)
        form["version"] = "2"
        assert client.post(work(last), form)["Location"] == work(first)

    def test_who_goes_on_gives_back_what_they_held(self, checked, anna, as_user) -> None:
        first, second = self.items(checked, 2)
        client = as_user(anna)
        for review in (first, second):
            client.post(work(review), {"do": "draft", "note": "Reading."})
        assert [r.claimed_by for r in Review.objects.order_by("pk")] == [None, anna]

    def test_what_is_assigned_to_another_is_taken_by_nobody_who_reads_it(
        self, checked, anna, ben, lead, as_user
    ) -> None:
        (review,) = self.items(checked, 1)
        queue.assign(review=review, by=anna, to=ben)
        client = as_user(lead)
        assert "Take it over" in client.get(work(review)).content.decode()
        client.post(work(review), {"do": "draft"})
        review.refresh_from_db()
        assert review.claimed_by is None
        client.post(work(review), {"do": "claim"})
        review.refresh_from_db()
        assert review.claimed_by == lead

    def test_the_menu_counts_the_queues(self, checked, anna, as_user) -> None:
        self.items(checked, 2)
        menu = as_user(anna).get(f"{BENCH}queues/").content.decode()
        assert "Warned" in menu
        assert "reason=warn" in menu
        assert ">2</span>" in menu


def test_evidence_of_many_claims_comes_as_it_is_scrolled_to(checked, anna, as_user) -> None:
    many = checked(" ".join(f"Town {n} was founded in {1500 + n}." for n in range(60)))
    client, address = as_user(anna), work(many.reviews.get())
    sentences = client.get(address).context["sentences"]
    assert "".join(r.text for s in sentences for p in s.pieces for r in p.runs) == many.answer
    later = [number for sentence in sentences for number in sentence.later]
    assert len(later) == 20
    proof = client.get(f"{address}?evidence={later[0]}").content.decode()
    assert f'name="claim-{later[0]}"' in proof
    assert "<html" not in proof


def test_the_item_costs_a_fixed_number_of_queries(checked, anna, ben, as_user) -> None:
    few = checked(ANSWER, sources=[SOURCE])
    many = checked(" ".join(f"Town {n} was founded in {1500 + n}." for n in range(40)))
    client = as_user(anna)
    client.post(NEXT)
    client.post(NEXT)
    # session, user, device, roles, review, check with result and policy, document, mine, draft,
    # outline, doubts of a part, one claim, outline and claims of the sentences, codes, the list
    # (what is assigned, what is free), earlier reviews, vector, neighbours, colleagues, teams,
    # instructions, undo, my day, what waits; the admin's permissions of the person and of their
    # groups
    for address in [work(check.reviews.get()) for check in (few, many)]:
        with assertNumQueries(29):
            assert client.get(address).status_code == 200
