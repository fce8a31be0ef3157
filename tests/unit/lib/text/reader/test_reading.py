"""Tables, JSON, lists of labels and lists under a lead-in as statements."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lib.text.reader.reading import read_text
from tests.tables import tables

TABLES = tables(__file__)

TABLE = (
    "| Tank | Volume (million m³) | Built |\n|---|---|---|\n"
    "| North | 4.5 | 1931 |\n| South | 6 | 1960 |"
)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (TABLE, ["Tank: North, Volume: 4.5 million m³, Built: 1931.",
                 "Tank: South, Volume: 6 million m³, Built: 1960."]),
        (f'{{"fee_cents": {10**400}, "currency": "GBP"}}',
         [f"fee: {10**398}.00 GBP.", "currency: GBP."]),
        *((text, lines) for text, *lines in TABLES["rows and fields"]),
    ],
)  # fmt: skip
def test_each_row_and_field_says_what_it_is_of(text: str, lines: list[str]) -> None:
    assert [line for line in read_text(text).decoded.text.splitlines() if line] == lines


def test_the_items_of_a_list_carry_their_lead_in() -> None:
    text = "The kiosk does not sell:\n- maps\n- stamps\n\nIt opens at 9."
    assert read_text(text).decoded.text.splitlines() == [
        "The kiosk does not sell:",
        "- The kiosk does not sell maps",
        "- The kiosk does not sell stamps",
        "",
        "It opens at 9.",
    ]


@pytest.mark.parametrize("head", ["{}:", "**{}:**", "### {}"])
def test_an_item_below_what_it_is_is_a_sentence(head: str) -> None:
    insured, excluded = head.format("Insured"), head.format("Not insured against")
    text = f"{insured}\n- the roof\n- windows\n\n{head.format('Not insured')}\n- fences\n"
    lines = read_text(text).decoded.text.splitlines()
    assert [line for line in lines if line.startswith("-")] == [
        "- the roof is insured",
        "- windows are insured",
        "- fences are not insured",
    ]
    assert "- fire is" not in read_text(f"{excluded}\n- fire\n").decoded.text
    of_exclusions = read_text(f"{head.format('Exclusions')}\n- fences\n").decoded.text
    assert of_exclusions.endswith("- fences are excluded\n")


@pytest.mark.parametrize(("text", "read"), TABLES["behind a label"])
def test_what_is_behind_a_label_that_says_what_it_is_is_a_sentence(text: str, read: str) -> None:
    assert read_text(text).decoded.text == read


def test_what_labels_insert_is_bounded() -> None:
    text = "\n\n".join(["Included in the price of the tour: a, b, c, d, e, f, g."] * 2_000)
    assert len(read_text(text).decoded.text) < len(text) + 21_000


def test_below_donts_stands_what_is_not_to_be_done() -> None:
    text = "Don'ts:\n- Print on foil\n- Open the door"
    lines = read_text(text).decoded.text.splitlines()
    assert lines == ["Don'ts:", "- Do not print on foil", "- Do not open the door"]


def test_what_stands_below_a_negating_heading_carries_it() -> None:
    text = "# Myths\n\nBees sleep all winter.\n\n# Facts\n\nBees keep warm together."
    lines = read_text(text).decoded.text.splitlines()
    assert lines[2] == "Myths: Bees sleep all winter."
    assert lines[6] == "Bees keep warm together."


def test_a_row_keeps_its_place_and_is_one_sentence() -> None:
    reading = read_text(TABLE)
    spans = [TABLE[each.start : each.end] for each in reading.sentences()]
    assert spans == ["North | 4.5 | 1931", "South | 6 | 1960"]


@given(
    st.text(alphabet='|-:;,\n ab1{}[]"<>/trd#*', max_size=80)
    | st.lists(st.sampled_from(("Sold: ", "**Not sold:** ", "maps", ", ", " and ", ".", "\n")))
    .map("".join)
)  # fmt: skip
@example("**Not sold:** \nSold: maps, globes and pens.")
def test_offsets_never_go_back(text: str) -> None:
    for each in (False, True):
        decoded = read_text(text, each=each).decoded
        assert list(decoded.offsets) == sorted(decoded.offsets)
        assert len(decoded.offsets) in (0, len(decoded.text) + 1)
