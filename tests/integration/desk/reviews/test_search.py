"""Search over questions and answers: what is found, by whom, and through which plan."""

import pytest
from pytest_django.asserts import assertNumQueries

from accounts.models import Role
from analysis.models import Check, CheckSearch
from analysis.selectors import searching
from analysis.services import submission
from analysis.services.checking import run_check
from analysis.services.searching import index_checks
from tests.integration.people import person

LIST = "/admin/analysis/check/"
TEXTS = {
    "mill": ("When was the mill built?", "The old mill in Lyon was built in 1840."),
    "bridges": ("Which bridges are there?", "Two bridges, built of steel."),
    "han": ("橋はいつ建てられましたか", "その橋は1840年に建てられました。"),
    "cyrillic": ("", "Старый мост стоит в Лионе."),
    "long": ("", "filler " * 20_000 + "endword"),
}


@pytest.fixture(params=["rare", "common", "further"])
def plan(request, monkeypatch) -> str:
    """Force each plan of a search: the index, a short walk back from the newest, a longer one."""
    if request.param != "rare":
        monkeypatch.setattr(searching, "MOST", 2)
    if request.param != "common":
        monkeypatch.setattr(searching, "FIRST", 0)
    if request.param == "rare":
        monkeypatch.setattr(searching, "WALKED", 1)
    return str(request.param)


@pytest.fixture
def checks(make_check) -> dict[str, Check]:
    by_name = {name: make_check(answer, query=query) for name, (query, answer) in TEXTS.items()}
    assert index_checks() > 0
    return by_name


FOUND: list[tuple[str, set[str]]] = [
    ("mill", {"mill"}), ("MILL lyon", {"mill"}), ("built", {"mill", "bridges"}),
    ("bridge", set()), ("bridge*", {"bridges"}), ("bri*", {"bridges"}), ("br*", set()),
    ('"old mill"', {"mill"}), ('"mill old"', set()), ("built -mill", {"bridges"}),
    ("mill or steel", {"mill", "bridges"}), ("mill steel", set()), ("1840", {"mill", "han"}),
    ("built buil* lyo*", {"mill"}), ("橋", {"han"}), ("建て", {"han"}), ("мост", {"cyrillic"}),
    ("МОСТ", {"cyrillic"}), ("filler", {"long"}), ("endword", set()), ("!", set()),
    ("' & | <-> :*", set()), ("-mill", set()), ("@state=queued", set()),
]  # fmt: skip


def test_words_are_found(desk, checks, plan) -> None:
    for words, names in FOUND:
        page = desk.get(LIST, {"q": words})
        assert page.status_code == 200, words
        ids = {check.pk for check in page.context["cl"].result_list}
        assert {name for name, check in checks.items() if check.pk in ids} == names, words


def test_search_goes_together_with_filters(desk, checks, checked, plan) -> None:
    done = checked("The new mill was built in 1990.")
    index_checks()
    page = desk.get(LIST, {"q": "mill", "action__exact": done.action})
    assert [check.pk for check in page.context["cl"].result_list] == [done.pk]
    page = desk.get(LIST, {"q": "mill", "application": str(done.application_id)})
    assert [check.pk for check in page.context["cl"].result_list] == [done.pk, checks["mill"].pk]


def test_members_find_only_what_is_theirs(client, checks, other_application, plan) -> None:
    new = submission.NewCheck(answer="Another mill.")
    theirs = submission.submit(application_id=other_application.pk, new=new, by="test").id
    index_checks()
    client.force_login(person("member", Role.AUDITOR, other_application))
    for more in ({}, {"application": str(checks["mill"].application_id)}):
        page = client.get(LIST, {"q": "mill", **more})
        ids = [check.pk for check in page.context["cl"].result_list]
        assert ids == ([] if more else [theirs])


def test_nothing_is_indexed_twice_and_the_task_goes_on_where_it_stopped(
    make_check, monkeypatch
) -> None:
    monkeypatch.setattr("analysis.services.searching._AT_ONCE", 2)
    for number in range(5):
        make_check(f"Answer number {number}.")
    assert index_checks() >= 5
    assert CheckSearch.objects.count() == 5
    assert index_checks() == 0
    make_check("One more.")
    assert index_checks() == 1
    assert CheckSearch.objects.count() == 6


def test_a_check_is_found_by_what_became_of_it(desk, checks, plan) -> None:
    assert run_check(checks["mill"].pk)
    index_checks()
    done = Check.objects.get(pk=checks["mill"].pk)
    for parameters, names in (
        ({"state__exact": "done"}, {"mill"}), ({"state__exact": "queued"}, {"bridges"}),
        ({"action__exact": done.action}, {"mill"}), ({"action__isnull": "True"}, {"bridges"}),
        ({"risk_level__exact": "x' | '"}, set()),
    ):  # fmt: skip
        page = desk.get(LIST, {"q": "built", **parameters})
        ids = {check.pk for check in page.context["cl"].result_list}
        assert {name for name, check in checks.items() if check.pk in ids} == names, parameters


@pytest.mark.parametrize(("words", "more"), [("mill or steel", 4), ("lyon", 8)])
def test_a_search_pays_a_fixed_number_of_queries(desk, checks, monkeypatch, words, more) -> None:
    monkeypatch.setattr(searching, "MOST", 2)
    # As any list: 5. In a savepoint (2): whether there is anything to look for, the walk; where it
    # finds too few, the rest of the walk, and the index between two settings. The keys of metadata.
    with assertNumQueries(7 + more):
        desk.get(LIST, {"q": words})


def test_a_value_of_the_metadata_finds_its_check_and_its_review(
    desk, as_user, checked, other_application
) -> None:
    for n, ticket in enumerate(("NH-4104", "NH-41", "x")):
        checked(query=f"Number {n}?", metadata={"ticket": ticket, "n": "NH-4104 "})
    for address in (LIST, "/admin/analysis/review/"):
        page = desk.get(address, {"q": "NH-4104"})
        assert len(page.context["cl"].result_list) == 1
        assert "Number 0?" in page.content.decode()
    stranger = person("stranger", Role.LEAD, other_application)
    page = as_user(stranger).get(LIST, {"q": "NH-4104"})
    assert list(page.context["cl"].result_list) == []


def test_the_reviews_are_searched_by_the_words_of_their_checks(desk, checked) -> None:
    for query in ("When was the mill built?", "Which bridges are there?"):
        checked(query=query)
    index_checks()
    page = desk.get("/admin/analysis/review/", {"q": "mill"})
    assert [review.question for review in page.context["cl"].result_list] == [
        "When was the mill built?"
    ]


def test_only_the_newest_are_shown(desk, checks, monkeypatch) -> None:
    monkeypatch.setattr(searching, "MOST", 1)
    page = desk.get(LIST, {"q": "built"})
    assert [check.pk for check in page.context["cl"].result_list] == [checks["bridges"].pk]
