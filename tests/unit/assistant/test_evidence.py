from analysis.engine.codec import encode
from assistant.evidence import (
    EvidenceBundle,
    EvidenceKind,
    Item,
    SourceReport,
    SourceStatus,
    bundle_of,
    numbered,
)

FLAG = {"score": 0.9, "flagged": True, "matches": []}


def item(kind, text, injection=None):
    return Item(0, kind, text, title=text, injection=injection)


def bundle():
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
    assert [(item.number, item.text) for item in bundle().items] == [
        (1, "rule"), (2, "gusts"), (3, "told"), (4, "planted"),
    ]  # fmt: skip
    assert [item.text for item in bundle().usable] == ["rule", "gusts"]
    assert [item.text for item in bundle().remembered] == ["told"]
    assert [item.text for item in bundle().flagged] == ["planted"]


def test_a_bundle_reads_back_from_its_json_with_the_same_digest():
    assert bundle_of(encode(bundle())) == bundle()
    assert bundle_of(encode(bundle())).sha256() == bundle().sha256()
    other = EvidenceBundle(bundle().items[:2], bundle().sources, bundle().ms)
    assert other.sha256() != bundle().sha256()
