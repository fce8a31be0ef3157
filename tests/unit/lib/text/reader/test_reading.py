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
        ("Area,Sales ($ thousand)\nEast,420\nWest,75",
         ["Area: East, Sales: $420 thousand.", "Area: West, Sales: $75 thousand."]),
        ('Name;Note;Age\n"Ann";"one; two";7\nBob;three;9',
         ["Name: Ann, Note: one; two, Age: 7.", "Name: Bob, Note: three, Age: 9."]),
        ('{"temperature_c": -4, "wind": {"gust_ms": 9}}',
         ["temperature: -4 °C.", "wind: gust: 9 m/s."]),
        ('{"fee": 3.5, "currency": "GBP"}', ["fee: 3.5 GBP.", "currency: GBP."]),
        ('{"fee_cents": 350, "currency": "GBP"}', ["fee: 3.50 GBP.", "currency: GBP."]),
        ('{"fee_cents": -5, "currency": "GBP"}', ["fee: -0.05 GBP.", "currency: GBP."]),
        (f'{{"fee_cents": {10**400}, "currency": "GBP"}}',
         [f"fee: {10**398}.00 GBP.", "currency: GBP."]),
        ('{"price": {"full": 900, "minor_unit": true, "currency": "EUR"}}',
         ["price: full: 9.00 EUR, minor unit: yes, currency: EUR."]),
        ('[{"fee": 3, "currency": "GBP"}, {"fee": 4, "currency": "EUR"}]',
         ["fee: 3, currency: GBP.", "fee: 4, currency: EUR."]),
        ('[{"name": "Lamp", "price_eur": 7, "size": {"height_cm": 30}}]',
         ["name: Lamp, price: 7 EUR.", "Lamp, size: height: 30 cm."]),
        ("|  | Year ended |  |\n|  | 2021 | 2020 |\n|---|---|---|\n| Fees ($) | 4 | 5 |",
         ["Fees ($), Year ended 2021: 4, Year ended 2020: 5."]),
        ("(hl)\n\n         2020    2021\nLager    142     149\nWheat     31      34",
         ["(hl)", "Lager, 2020: 142, 2021: 149.", "Wheat, 2020: 31, 2021: 34."]),
        ("| Good | Duty |\n|---|---|\n| Bags | 4 % |\n| Hats | 3 % |\nProof of origin is needed.",
         ["Good: Bags, Duty: 4 %.", "Good: Hats, Duty: 3 %.", "Proof of origin is needed."]),
        ("| | North | | South | |\n|---|---|---|---|---|\n| Line | Cars | Vans | Cars | Vans |\n"
         "| A | 1 | 2 | 3 | 4 |",
         ["Line: A, North Cars: 1, North Vans: 2, South Cars: 3, South Vans: 4."]),
        ("| Cost | 2021 |\n|---|---|\n| Tax: | |\n| City | 7 |\n| State | 9 |",
         ["Cost: Tax:.", "Tax: Cost: City, 2021: 7.", "Tax: Cost: State, 2021: 9."]),
        ("Codes of the mixer\nE1: lid open\nE2: too hot",
         ["Codes of the mixer: E1: lid open.", "Codes of the mixer: E2: too hot."]),
        ("F1: no water; F2: door open", ["F1: no water.", "F2: door open."]),
        ("retry_limit: 3; retry_delay: PT5M", ["retry limit: 3.", "retry delay: 5 minutes."]),
        ("Fees (in EUR thousand): 2023: 1,850; 2024: 900.",
         ["Fees (in EUR thousand): 2023: 1,850 thousand EUR.",
          "Fees (in EUR thousand): 2024: 900 thousand EUR."]),
        ('{"fees_eur": {"adult": 5}, "opening_hours": {"monday": 9}}',
         ["fees eur: adult: 5 EUR.", "opening hours: monday: 9."]),
        ("Silver\n: 12 plates\n\nTray\n: see the left drawer",
         ["Silver: 12 plates.", "Tray: see the left drawer."]),
        ("Light\n7 watts\n\nHeavy\n18 watts", ["Light: 7 watts.", "Heavy: 18 watts."]),
        ("<table><tr><th>Zone</th><th>Fee (euros)</th></tr>"
         "<tr><td rowspan=2><p>A</p></td><td>4</td>"
         "</tr><tr><td>5</td></tr></table>", ["Zone: A, Fee: 4 euros.", "Zone: A, Fee: 5 euros."]),
        ("<table><tr><th>Who</th><th>Days</th></tr>"
         "<tr><td>Ann<br>Bob</td><td>3<br>4</td></tr></table>",
         ["Who: Ann, Days: 3.", "Who: Bob, Days: 4."]),
        ("<table><tr><th>Size</th><th>Price</th></tr><tr><td>S</td><td>4 euros</td></tr>"
         "<tr><td>M</td><td>5 eu", ["Size: S, Price: 4 euros.", "Size: M.", "5 eu"]),
        ("In HTML, <tr> holds the <td> cells.", ["In HTML, <tr> holds the <td> cells."]),
        ("        Slow   Fast\nfee     4 euros    9 euros", ["fee, Slow: 4 euros, Fast: 9 euros."]),
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
