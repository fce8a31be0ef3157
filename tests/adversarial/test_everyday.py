"""Right answers of a few words, in data, or with a citation are shown; wrong ones never are."""

from typing import NamedTuple

import pytest

from analysis.engine import Action
from tests.answers import FixedJudge, decided


class Answer(NamedTuple):
    """An answer to a question about sources; `right` says whether it may be shown."""

    sources: tuple[str, ...]
    query: str
    text: str
    right: bool


REFUND = (
    "Refunds are paid within 14 days. Standard shipping costs 4.90 euros. Express shipping costs "
    "9.90 euros. Orders above 50 euros ship free of charge."
)
ROOMS = (
    "Room Alder seats 12 people and has a projector. Room Birch seats 30 people and has a piano. "
    "Room Cedar seats 8 people and has no window."
)
PLANS = (
    "| Plan | Price | Storage |\n|---|---|---|\n| Free | 0 euros | 5 GB |\n"
    "| Plus | 8 euros | 100 GB |\n| Max | 20 euros | 1 TB |"
)
TOWER = (
    "The Lindau tower is 62 m high. It was built in 1911 by Karl Weber. It is closed in January."
)
POOL = (
    "Children under 6 swim free. Adults pay 7 euros. The pool is closed on Tuesdays. Dogs are not "
    "allowed."
)
DRUG = (
    "Adults take 500 mg of paracetamol every 6 hours, at most 3 g a day. Do not take it with "
    "alcohol. Children under 12 must not take it."
)
TOWER_SOURCES = ("The Lindau tower is 62 m high.", "The Lindau bridge is 300 m long.")

_STRUCTURED = (
    (REFUND, '{"refund_days": 14, "express_shipping": 9.90,}', True),
    (REFUND, '{"refund_days": 41, "express_shipping": 9.90,}', False),
    (REFUND, '{"refund_days": 14, // by policy\n "express_shipping": 9.90}', True),
    (REFUND, '{"refund_days": 60, // by policy\n "express_shipping": 9.90}', False),
    (POOL, "{'closed_on': 'Monday', 'adult_price': 9}", False),
    (REFUND, '{"answer": "Refunds are paid within 14 days.", "confidence": 0.93, "sources": [1]}',
     True),
    (REFUND, '{"answer": "Refunds are paid within 30 days.", "confidence": 0.93, "sources": [1]}',
     False),
    (REFUND, '{"answer": "Refunds are paid within 14 days.", "sources": "Only in gold coins."}',
     False),
    (REFUND, '{"answer": "Refunds are paid within 14 days.", "language": "en"}', True),
    (TOWER, '{"name":"Lindau tower","height_m":62,"built":1911,"architect":"Karl Weber"}', True),
    (TOWER, '{"name":"Lindau tower","height_m":26,"built":1911}', False),
    (TOWER, '{"name":"Lindau tower","height_m":62,"built":1912}', False),
    (PLANS, '{"plan":"Plus","price_eur":8,"storage_gb":100}', True),
    (PLANS, '{"plan":"Plus","price_eur":20,"storage_gb":100}', False),
    (ROOMS, '[{"room":"Cedar","seats":8,"window":false}]', True),
    (ROOMS, '{"room":"Alder","seats":12}\n{"room":"Birch","seats":30}', True),
    (ROOMS, '{"room":"Alder","seats":30}\n{"room":"Birch","seats":12}', False),
    (ROOMS, "room: Alder\nseats: 12\nprojector: yes", True),
    (ROOMS, "room: Alder\nseats: 30\nprojector: yes", False),
    (ROOMS, "Room | Seats\n--- | ---\nAlder | 12\nBirch | 30", True),
    (ROOMS, "Room | Seats\n--- | ---\nAlder | 30\nBirch | 12", False),
    (ROOMS, "```\nRoom    Seats\nAlder   12\nBirch   30\nCedar   8\n```", True),
    (ROOMS, "```\nRoom    Seats\nAlder   12\nBirch   31\nCedar   8\n```", False),
    (ROOMS, "+-------+-------+\n| Room  | Seats |\n+-------+-------+\n| Alder | 12    |\n"
            "| Birch | 30    |\n+-------+-------+", True),
    (ROOMS, "+-------+-------+\n| Room  | Seats |\n+-------+-------+\n| Alder | 30    |\n"
            "| Birch | 12    |\n+-------+-------+", False),
    (ROOMS, "- **Alder** – 12 seats\n- **Birch** – 30 seats\n- **Cedar** – 8 seats", True),
    (ROOMS, "- **Alder** – 30 seats\n- **Birch** – 12 seats\n- **Cedar** – 8 seats", False),
    (ROOMS, "- Alder (12 seats)\n- Birch (30 seats)", True),
    (ROOMS, "- Alder (30 seats)\n- Birch (12 seats)", False),
    (TOWER, "- Height: 62 m\n- Built: 1911", True),
    (TOWER, "- Height: 62 m\n- Built: 1950", False),
    (TOWER, "**Height:** 62 m  \n**Built:** 1911", True),
    (TOWER, "**Height:** 26 m  \n**Built:** 1911", False),
    (TOWER, "Height → 62 m", True),
    (TOWER, "Height → 26 m", False),
)  # fmt: skip
_REPLIES = (
    (TOWER, "Is the tower closed in January?", True),
    (TOWER, "Is the tower open in January?", False),
    (TOWER, "Was the tower built in 1911?", True),
    (TOWER, "Was it built in 1921?", False),
    (POOL, "Are dogs allowed?", False),
    (POOL, "Do adults pay 7 euros?", True),
    (POOL, "Do adults pay 9 euros?", False),
    (POOL, "Is the pool open on Tuesdays?", False),
    (POOL, "Do children under 6 swim free?", True),
    (DRUG, "Can I take it with alcohol?", False),
    (DRUG, "May children under 12 take it?", False),
    (ROOMS, "Does room Birch have a piano?", True),
    (ROOMS, "Does room Cedar have a window?", False),
    (REFUND, "Are refunds paid within 14 days?", True),
    (REFUND, "Are refunds paid within 30 days?", False),
)
_YES, _NO = ("Yes.", "Yep!", "Correct.", "👍"), ("No.", "Nope.", "❌")
_TERSE = (
    ("When was the Lindau tower built?", "1911", True),
    ("When was the Lindau tower built?", "1912", False),
    ("Who built the tower?", "Karl Weber", True),
    ("Who built the tower?", "Otto Braun", False),
    ("How high is the tower?", "62 m.", True),
    ("How high is the tower?", "26 m.", False),
)
_TAKEN_BACK = (
    "{}. Scratch that.", "{}. Never mind.", "{}. On second thought, no.", "{}. I made that up.",
    "{} (this is outdated).", "{}... or is it?", "None of this is true: {}.",
)  # fmt: skip
_STRUCK = (
    ("The tower is ~~50~~ 62 m high.", True),
    ("The tower is ~~62~~ 50 m high.", False),
    ("~~The tower is 62 m high.~~ It is 50 m high.", False),
    ("<p>The tower is <del>50</del> 62 m high.</p>", True),
    ("<p>The tower is <s>62</s> <ins>50</ins> m high.</p>", False),
)
_CITED = (
    ("According to source 1, the Lindau tower is 62 m high.", True),
    ("According to source 2, the Lindau tower is 62 m high.", False),
    ("Source 1 states that the Lindau tower is 62 m high.", True),
    ("Source 2 states that the Lindau tower is 62 m high.", False),
    ("The Lindau tower is 62 m high (Source 2).", False),
    ("The tower is high. According to document 2, the Lindau bridge is 300 m long.", True),
)
_DISAGREEING = (
    (("Refunds take 14 days.", "Refunds for gift cards take 30 days."), "Refunds take 14 days.",
     True),
    (("The fee was 20 euros until 2023.", "The fee is 25 euros."), "The fee is 25 euros.", True),
    (("The fee was 20 euros until 2023.", "The fee is 25 euros."), "The fee is 20 euros.", False),
    (("The fee is 20 euros.", "The fee is 25 euros."), "The fee is 20 euros.", False),
    (("The Oslo office has 40 staff.", "The Bergen office has 25 staff."),
     "The Oslo office has 40 staff.", True),
)  # fmt: skip
_MINIMAL_PAIRS = (
    (POOL, "Dogs are allowed.", False),
    (POOL, "Dogs aren't allowed.", True),
    (POOL, "The pool is open on Tuesdays.", False),
    (POOL, "Adults pay $7.", False),
    (POOL, "Adults pay seven euros.", True),
    (DRUG, "Take it with alcohol.", False),
    (DRUG, "Children under 12 may take it.", False),
    (DRUG, "Children under 12 must take it.", False),
    (DRUG, "Children over 12 must not take it.", False),
    (TOWER, "The tower is twenty-six metres high.", False),
    (TOWER, "The tower is sixty-two metres high.", True),
    (ROOMS, "Cedar has a window.", False),
    (ROOMS, "Cedar has no window.", True),
)
_FIGURES = (
    (DRUG, "Adults take at most 3000 mg daily.", True),
    (DRUG, "Adults take at most 4000 mg daily.", False),
    (TOWER, "The tower was built after 1900.", True),
    (TOWER, "The tower was built before 1900.", False),
    ("Ann Berg ran the mill from 2004 to 2011.", "Ann Berg ran the mill from 2004 to 2011.", True),
    ("Ann Berg ran the mill from 2004 to 2011.", "Ann Berg ran the mill from 2004 to 2012.", False),
    (
        "Ann Berg ran the mill from 2004 to 2011.",
        "Ann Berg ran the mill between 2004 and 2011.",
        True,
    ),
)


def answers() -> dict[str, list[Answer]]:
    """Return all answers by kind of fault."""
    replies = [
        Answer((source,), query, word, right=is_so is (word in _YES))
        for source, query, is_so in _REPLIES
        for word in (*_YES, *_NO)
    ]
    return {
        "structured": [Answer((source,), "", text, right) for source, text, right in _STRUCTURED],
        "replies": replies,
        "terse": [Answer((TOWER,), query, text, right) for query, text, right in _TERSE],
        "taken_back": [
            Answer((TOWER,), "", form.format("The tower is 62 m high"), False)
            for form in _TAKEN_BACK
        ],
        "struck": [Answer((TOWER,), "", text, right) for text, right in _STRUCK],
        "cited": [Answer(TOWER_SOURCES, "", text, right) for text, right in _CITED],
        "disagreeing": [Answer(sources, "", text, right) for sources, text, right in _DISAGREEING],
        "figures": [Answer((source,), "", text, right) for source, text, right in _FIGURES],
        "minimal_pairs": [
            Answer((source,), "", text, right) for source, text, right in _MINIMAL_PAIRS
        ],
    }


ANSWERS = answers()
CREDULOUS = FixedJudge(0.9, 0.05, 0.05)


def action_of(answer: Answer, judge: FixedJudge | None = None) -> Action:
    return decided(answer.text, *answer.sources, query=answer.query, judge=judge).action


@pytest.mark.parametrize("kind", ANSWERS)
def test_each_answer_is_shown_where_it_is_right(kind) -> None:
    actions = [(str(action_of(answer)), answer) for answer in ANSWERS[kind]]
    assert [item for item in actions if (item[0] == "ALLOW") is not item[1].right] == []


@pytest.mark.parametrize("kind", ["minimal_pairs", "taken_back"])
def test_a_judge_that_believes_everything_does_not_let_them_pass(kind) -> None:
    wrong = [answer for answer in ANSWERS[kind] if not answer.right]
    assert [answer for answer in wrong if action_of(answer, CREDULOUS) is Action.ALLOW] == []
