"""The columns of a list: which are shown is chosen per list, and kept in the browser."""

import re

from documents.services.collections import create_collection

LIST = "/admin/documents/collection/"


def heads(page: str) -> list[str]:
    return re.findall(r'<th scope="col" class="(?:sortable )?column-(\w+)', page)


def test_columns_are_chosen_and_the_order_follows_them(desk, collection, other_application) -> None:
    create_collection(application=other_application, name="a", title="Zebra", by="t")
    create_collection(application=other_application, name="b", title="Ape", by="t")
    page = desk.get(LIST).content.decode()
    every = ["name", "about", "files", "passages", "progress", "application", "created_at"]
    assert heads(page) == every
    body = {"offered": every[1:], "column": ["about", "application"]}
    answer = desk.post(LIST, body)
    assert answer.headers["Location"] == LIST
    cookie = answer.cookies["hidden-columns"]
    assert (cookie.value, cookie["path"]) == ("files.passages.progress.created_at", LIST)
    page = desk.get(LIST).content.decode()
    assert heads(page) == ["name", "about", "application"]
    assert 'value="files">' in page, "what is hidden is still offered"
    ordered = desk.get(LIST, {"o": "3"}).content.decode()
    assert ordered.index("handbook") > 0
    titles = desk.get(LIST, {"o": "2"}).content.decode()
    assert titles.index("Ape") < titles.index("Zebra")


def test_the_name_that_leads_to_a_row_stays(desk, collection) -> None:
    desk.post(LIST, {"offered": ["name", "files", "no name!"], "column": []})
    assert desk.cookies["hidden-columns"].value == "name.files"
    assert heads(desk.get(LIST).content.decode())[0] == "name"


def test_a_list_sorts_by_the_column_that_is_shown_where_one_is_left_out(desk, collection) -> None:
    """With one application its column is left out, and those behind it move up."""
    create_collection(application=collection.application, name="zoo", by="t")
    page = desk.get(LIST).content.decode()
    assert "application" not in heads(page)
    number = heads(page).index("created_at") + 1
    newest_first = desk.get(LIST, {"o": f"-{number}"}).content.decode()
    assert newest_first.index(">zoo<") < newest_first.index(">handbook<")
