import pytest

from assistant.evidence import EvidenceBundle, EvidenceKind, Item, numbered
from assistant.synthesis.citing import cited_sentences, enforce_citations, once_a_sentence
from assistant.synthesis.drafts import NOT_FOUND

KINDS = (EvidenceKind.DOCUMENT, EvidenceKind.WEATHER, EvidenceKind.MEMORY)
BUNDLE = EvidenceBundle(numbered(Item(0, kind, kind.value, kind.value) for kind in KINDS), (), 0.0)


@pytest.mark.parametrize(
    ("answer", "text", "removed"),
    [
        ("The crane stops at 38 km/h [1].", "The crane stops at 38 km/h [1].", ()),
        (
            "The crane stops at 38 km/h [1]. It is pleasant to work there.",
            "The crane stops at 38 km/h [1].",
            ("It is pleasant to work there.",),
        ),
        (
            "It may run at 90 km/h. The crane stops at 38 km/h. It waits [1].",
            "It waits [1].",
            ("It may run at 90 km/h.", "The crane stops at 38 km/h."),
        ),
        ("The crane stops. [1]\n\nSources:\n[1] a.txt", "The crane stops. [1]", ()),
        (
            "Here is the answer:\n- The crane stops at 38 km/h [7].\n- Gusts reach 45 km/h [2][8].",
            "Here is the answer:\n- Gusts reach 45 km/h [2].",
            ("[7]", "[8]", "- The crane stops at 38 km/h."),
        ),
    ],
)  # fmt: skip
def test_only_sentences_that_cite_an_item_stay(answer, text, removed):
    cited = enforce_citations(answer, BUNDLE)
    assert (cited.text, cited.removed, cited.not_found) == (text, removed, False)


def test_memory_is_no_evidence():
    cited = enforce_citations(
        "You told me that the limit is 30 km/h [3]. Gusts reach 45 km/h [2][3].", BUNDLE
    )
    assert cited.text == "Gusts reach 45 km/h [2]."
    assert cited.memories == (3,)
    assert cited.removed == ()


def test_a_model_that_finds_nothing_says_so():
    assert enforce_citations(f"  {NOT_FOUND} ", BUNDLE).not_found


def test_the_sentences_behind_each_number():
    text = "From the documents:\n- The crane stops at 38 km/h. [1]\n- Gusts reach 45 km/h [2][1]."
    assert cited_sentences(text) == [
        (1, "The crane stops at 38 km/h."),
        (2, "Gusts reach 45 km/h."),
        (1, "Gusts reach 45 km/h."),
    ]


def test_a_sentence_is_cited_once_for_a_reader():
    text = "- Digging is allowed [1], if the box holds [2] the depth. [1]"
    assert once_a_sentence(text, quoted=True) == (
        "- Digging is allowed, if the box holds the depth. [1]"
    )
    assert once_a_sentence(text, quoted=False) == (
        "- Digging is allowed, if the box holds [2] the depth. [1]"
    )
