"""The page behind a signed link: one check, to whoever has the link, and nothing else."""

import re
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from django.test import Client
from pytest_django.asserts import assertNumQueries

from analysis.engine.types import ClaimStatus
from analysis.models import Check, CheckState
from analysis.services.policies import create_policy
from desk.verdict_page.answer import LISTED, PART
from desk.verdict_page.links import Link, sign
from desk.verdict_page.selectors import ClaimLine, suppressed
from tests.integration.conftest import HOSTILE, SOURCE

ANSWER = "SSN College opened in 1998 and merged with SNU."


def path_of(check: Check, *, seconds: int = 60, application: object = None) -> str:
    end = datetime.now(UTC).replace(microsecond=0) + timedelta(seconds=seconds)
    return f"/view/{sign(Link(application or check.application_id, check.pk, end))}"


def page_of(path: str, **headers: str) -> str:
    answer = Client().get(path, headers=headers)
    assert answer.status_code == 200
    return answer.content.decode()


def test_it_shows_the_answer_the_claims_and_the_evidence(checked) -> None:
    source = {"id": "a", "text": SOURCE, "title": "College gazette", "uri": "https://e.org/a"}
    check = checked(ANSWER, query="When did it close?", sources=[source])
    page = page_of(path_of(check))
    for text in ("When did it close?", "College gazette", 'href="https://e.org/a"',
                  "Contradicted", "Contradicts the claim", "Show withheld claims",
                  "policy version 1", "lexical-1", "Comparison by rules: against"):  # fmt: skip
        assert text in page
    assert "Contradicted: the source says “" in page


def test_nothing_of_the_application_or_the_desk_is_shown(checked) -> None:
    check = checked(
        ANSWER, sources=[SOURCE, "A source that no claim rests on, and that stays private."],
        metadata={"customer": "4711"}, source_model="helper-7b", collections=[],
    )  # fmt: skip
    page = page_of(path_of(check))
    for hidden in ("4711", "helper-7b", "stays private", "Raw JSON", "Review", "History",
                   str(check.pk), check.application.name, check.input_sha256, "csrf",
                   check.submitted_by, "/admin/"):  # fmt: skip
        assert hidden not in page


def test_the_headers_keep_it_out_of_caches_indexes_and_referrers(checked) -> None:
    answer = Client().get(path_of(checked(ANSWER)))
    assert answer["Cache-Control"] == "no-store, private"
    assert answer["Referrer-Policy"] == "no-referrer"
    assert answer["X-Robots-Tag"] == "noindex, nofollow, noarchive"
    assert answer["X-Frame-Options"] == "DENY"
    assert not answer.cookies
    assert "Cookie" not in answer["Vary"]
    policy = dict(
        part.strip().split(" ", 1) for part in answer["Content-Security-Policy"].split(";")
    )
    assert policy == {
        "default-src": "'none'", "script-src": "'self'", "style-src": "'self'", "img-src": "'self'",
        "font-src": "'self'", "connect-src": "'self'", "object-src": "'none'", "base-uri": "'none'",
        "form-action": "'none'", "frame-ancestors": "'none'",
    }  # fmt: skip


def test_there_is_no_inline_script_or_style_and_htmx_evaluates_nothing(checked) -> None:
    page = page_of(path_of(checked(ANSWER, sources=[SOURCE])))
    assert "<style" not in page
    assert not re.search(r"\sstyle=|\son[a-z]+=|hx-on|javascript:", page)
    assert all(
        re.match(r' src="/static/', attributes)
        for attributes in re.findall(r"<script([^>]*)>", page)
    )
    assert '"includeIndicatorStyles": false, "allowEval": false' in page


def test_an_expired_link_is_gone(checked) -> None:
    answer = Client().get(path_of(checked(ANSWER), seconds=0))
    assert answer.status_code == 410
    assert "This link has expired" in answer.content.decode()
    assert "SSN" not in answer.content.decode()
    assert answer["Cache-Control"] == "no-store, private"


def test_a_forged_link_an_unknown_check_and_another_applications_are_answered_alike(
    checked, other_application
) -> None:
    check = checked(ANSWER)
    unknown = Check(pk=uuid4(), application_id=check.application_id)
    for path in (
        "/view/nonsense",
        path_of(check)[:-1] + "~",
        path_of(check, application=other_application.pk),
        path_of(unknown),
    ):
        answer = Client().get(path)
        assert answer.status_code == 404, path
        assert "This link is not valid" in answer.content.decode()
        assert "SSN" not in answer.content.decode()


def test_it_is_for_reading_only(checked) -> None:
    path = path_of(checked(ANSWER))
    for method in ("post", "put", "patch", "delete"):
        assert getattr(Client(), method)(path).status_code == 405


def test_an_undecided_check_says_so_without_inner_names(make_check) -> None:
    check = make_check()
    assert "Not checked yet. Reload in a moment." in page_of(path_of(check))
    Check.objects.filter(pk=check.pk).update(
        state=CheckState.FAILED, due_at=None, attempts=5, last_error="ModelMissing"
    )
    page = page_of(path_of(check))
    assert "could not be checked" in page
    assert "ModelMissing" not in page


def test_htmx_gets_one_claim_one_part_or_one_page_of_the_list(checked) -> None:
    many = " ".join(f"Town {n} was founded in {1000 + n}." for n in range(PART + 10))
    path = path_of(checked(many))
    claim = page_of(f"{path}?claim=3", **{"HX-Request": "true", "HX-Target": "claim"})
    assert claim.count("<section") == 1
    assert 'data-shows="3"' in claim
    assert "<html" not in claim
    part = page_of(f"{path}?part=2", **{"HX-Request": "true", "HX-Target": "answer"})
    assert part.count("data-claim=") == 10
    page = page_of(f"{path}?list=2", **{"HX-Request": "true", "HX-Target": "claims"})
    assert page.count("data-claim=") == LISTED
    assert f'<li value="{LISTED + 1}">' in page
    # Without scripts the same addresses are whole pages, with the part of the claim chosen.
    whole = page_of(f"{path}?claim={PART + 3}")
    assert f'data-shows="{PART + 3}"' in whole
    assert "<html" in whole
    assert Client().get(path)["Vary"] == "HX-Target, Accept-Language"


@pytest.mark.parametrize("query", ["claim=0", "claim=99999", "claim=x", "claim=²", "part=77"])
def test_an_address_that_asks_for_nonsense_shows_the_page(checked, query) -> None:
    page = page_of(f"{path_of(checked(ANSWER, sources=[SOURCE]))}?{query}")
    assert "Comparison by rules: against" in page


def test_the_page_and_its_parts_cost_a_fixed_number_of_queries(checked) -> None:
    few = checked(ANSWER, sources=[SOURCE])
    many = checked(" ".join(f"Town {n} was founded in {1000 + n}." for n in range(PART + 50)))
    assert many.annotated_answer.claims.count() > PART
    for check, contradicted in ((few, 1), (many, 0)):  # whose documents tell whether it is doubted
        path, client = path_of(check), Client()
        # check with result and policy, document, outline, doubts of the part, one claim
        with assertNumQueries(5):
            assert client.get(path).status_code == 200
        for target, queries in (("claim", 4), ("answer", 4), ("claims", 3)):
            with assertNumQueries(queries + (contradicted if target != "claim" else 0)):
                client.get(f"{path}?claim=1", headers={"HX-Target": target})


def test_an_answer_of_thousands_of_claims_stays_a_small_page(checked) -> None:
    many = " ".join(f"Town {n} was founded in {1000 + n}." for n in range(2_000))
    page = page_of(path_of(checked(many)))
    assert page.count("data-claim=") <= PART + LISTED
    assert len(page) < 400_000


def test_hostile_text_stays_text(checked) -> None:
    source = {"id": HOSTILE, "text": f"{HOSTILE} {SOURCE}", "title": HOSTILE, "uri": HOSTILE}
    check = checked(f"{HOSTILE} SSN College closed in 2026. {HOSTILE}", query=HOSTILE,
                    sources=[source])  # fmt: skip
    page = page_of(path_of(check))
    assert "<script>alert" not in page
    assert "<img src=x" not in page
    assert "{{ 7" in page


def test_doubted_words_and_the_path_into_a_record_are_shown(checked, make_check) -> None:
    answer, record = "Outdoor seating is offered.", '{"attributes": {"OutdoorSeating": false}}'
    real = checked(answer, sources=[record])
    assert real.annotated_answer.measurement["evidence"][0]["path"] == "attributes"
    doubted = {"unsupported": [[0, 7, 0.84], [8, 15, 0.3]]}
    page = page_of(path_of(as_if_measured(real, make_check(answer, sources=[record]), doubted)))
    assert '<span class="wd-doubt"><span data-piece>Outdoor</span>' in page
    assert "“Outdoor” 0.84, “seating” 0.30" in page
    assert "field <code>attributes</code>" in page


def as_if_measured(real: Check, check: Check, signal: dict[str, object]) -> Check:
    """Return a queued check with another's result, its claims' signals as if so measured."""
    annotated = real.annotated_answer
    claims = list(annotated.claims.all())
    annotated.pk, annotated.check_record = None, check
    annotated.save(force_insert=True)
    for claim in claims:
        claim.pk, claim.annotated_answer = None, annotated
        claim.signal |= signal
        claim.save(force_insert=True)
    Check.objects.filter(pk=check.pk).update(
        state="done", due_at=None, action=real.action, risk_level=real.risk_level,
        risk_score=real.risk_score, sampled=False, sampling_probability=0,
        finished_at=real.finished_at,
    )  # fmt: skip
    return check


@pytest.mark.parametrize(
    ("spans", "hidden"),
    [
        ({"c_0001": [0, 4]}, {2, 3}),  # what the final response does not show
        ({}, {3}),  # the whole answer was refused
        (None, {3}),  # a result of an engine that did not say
    ],
)
def test_suppressed_claims_are_those_kept_from_the_final_response(spans, hidden) -> None:
    statuses = [ClaimStatus.SUPPORTED, ClaimStatus.LOW_CONFIDENCE, ClaimStatus.CONTRADICTORY]
    lines = [ClaimLine(n, f"c_{n:04d}", n, n + 1, status) for n, status in enumerate(statuses, 1)]
    assert suppressed(lines, {"final_spans": spans}) == hidden


def test_a_final_response_that_shows_a_claim_does_not_suppress_it(checked, application) -> None:
    source = "Refunds take 14 days. Support answers on Mondays. The office is in Bonn."
    answer = "Refunds take 30 days. Support answers on Mondays. The office is in Bonn."
    rules = {"verdicts": {"contradictory_high_confidence": "WARN"}, "block_at": 100}
    create_policy(application_id=application.pk, rules=rules, by="test", activate=True)
    check = checked(answer, sources=[source])
    assert check.action == "WARN"
    page = page_of(path_of(check))
    assert "Show withheld claims (1)" in page
    # In the answer, and in the panel of the claim, which is the most severe.
    assert page.count('<span class="wd-withheld">claim withheld</span>') == 2
