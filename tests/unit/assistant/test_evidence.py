from analysis.engine.codec import encode
from assistant.evidence import (
    EvidenceBundle,
    EvidenceKind,
    Item,
    SourceReport,
    SourceStatus,
    bag_of,
    numbered,
)

FLAG = {"score": 0.9, "flagged": True, "matches": []}


def item(kind, text, injection=None):
    return Item(0, kind, text, title=text, injection=injection)


def bag():
    items = numbered(
        [
            item(EvidenceKind.MEMORY, "told"),
            item(EvidenceKind.DOCUMENT, "planted", FLAG),
            item(EvidenceKind.WEATHER, "gusts"),
            item(EvidenceKind.DOCUMENT, "rule"),
        ]
    )
    return EvidenceBundle(
        items, (SourceReport(EvidenceKind.WEATHER, SourceStatus.OK, "", 3.5, 1),), 4.0
    )


def test_what_may_be_used_comes_first_and_is_numbered_without_a_gap():
    assert [(item.number, item.text) for item in bag().items] == [
        (1, "rule"), (2, "gusts"), (3, "told"), (4, "planted"),
    ]  # fmt: skip
    assert [item.text for item in bag().usable] == ["rule", "gusts"]
    assert [item.text for item in bag().remembered] == ["told"]
    assert [item.text for item in bag().flagged] == ["planted"]


def test_a_bag_reads_back_from_its_json_with_the_same_digest():
    assert bag_of(encode(bag())) == bag()
    assert bag_of(encode(bag())).sha256() == bag().sha256()
    other = EvidenceBundle(bag().items[:2], bag().sources, bag().ms)
    assert other.sha256() != bag().sha256()
