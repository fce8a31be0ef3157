import json

from hypothesis import given
from hypothesis import strategies as st

from analysis.engine.records import verbalise, words

INN = json.dumps(
    {
        "name": "The Blue Inn",
        "attributes": {"OutdoorSeating": False, "WiFi": None, "parking_lot": {"valet": True}},
        "hours": {"Monday": "11:0-21:30"},
        "reviews": [{"stars": 4, "text": "Quiet rooms and a kind host. " * 4}],
        "tags": ["inn", "bar"],
    }
)


def test_fields_are_named_by_their_path():
    verbal = verbalise(INN)
    assert verbal is not None
    lines = verbal.text.splitlines()
    assert lines[:5] == [
        "name: The Blue Inn.",
        "attributes: outdoor seating: no, wi fi: not stated.",
        "attributes, parking lot: valet: yes.",
        "hours: monday: 11:00 am to 9:30 pm.",
        "reviews 1: stars: 4.",
    ]
    assert lines[5].startswith("reviews 1, text: Quiet rooms")
    assert lines[6] == "tags: inn, bar."


def test_every_line_leads_back_to_its_path():
    verbal = verbalise(INN)
    assert verbal is not None
    assert verbal.path_at(verbal.text.index("outdoor")) == "attributes"
    assert verbal.path_at(verbal.text.index("valet")) == "attributes.parking_lot"
    assert verbal.path_at(verbal.text.index("Quiet")) == "reviews.0.text"
    assert verbal.path_at(len(verbal.text) + 5) == ""


def test_what_is_no_record_is_left_alone():
    for text in ("", "{not json", "plain prose", "[1, 2, 3]", '"text"', "[[[[", "{" * 100_000):
        assert verbalise(text) is None


def test_a_table_is_told_row_by_row():
    verbal = verbalise('[{"city": "Lyon", "rain": 3}, {"city": "Porto", "rain": 9}]')
    assert verbal is not None
    assert verbal.text == "item 1: city: Lyon, rain: 3.\nitem 2: city: Porto, rain: 9."


def test_keys_as_words():
    assert words("RestaurantsGoodForGroups") == "restaurants good for groups"
    assert words("price_per_night") == "price per night"
    assert words("") == "value"


plain = st.none() | st.booleans() | st.integers() | st.text(max_size=20)
objects = st.dictionaries(st.text(min_size=1, max_size=8), plain, min_size=1, max_size=4)


@given(st.dictionaries(st.text(min_size=1, max_size=8), plain | objects | st.lists(objects)))
def test_lines_cover_the_text_and_do_not_overlap(data):
    verbal = verbalise(json.dumps(data))
    if verbal is None:
        return
    assert "\n".join(verbal.text[line.start : line.end] for line in verbal.lines) == verbal.text
