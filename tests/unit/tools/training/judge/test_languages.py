"""The everyday claims in other languages, and how judges are compared on them."""

from pathlib import Path

import pytest

from tools.training.judge.data import sentence_spans
from tools.training.judge.languages import TRANSLATIONS, beside_others, intervals, lines, pairs


class Judge:
    """Doubts the longer claims; of a translation none."""

    name, claims = "long", 1_200

    def __init__(self, translated: set[str]) -> None:
        self._translated = translated

    def unsupported(self, block) -> list[float]:
        return [
            0.5 if claim.text in self._translated else len(claim.text) / 1000
            for claim in block.claims
        ]


@pytest.mark.parametrize(
    ("language", "sentences"),
    [("french", 146), ("german", 413), ("german-sources", 154), ("spanish", 145)],
)
def test_a_translation_has_the_labels_of_its_original(language: str, sentences: int) -> None:
    both = pairs(TRANSLATIONS / f"{language}.txt")
    assert sum(len(block.claims) for block, _ in both) == sentences
    for block, original in both:
        same = [a.text == b.text for a, b in zip(block.claims, original.claims, strict=True)]
        assert all(same) if language == "german-sources" else not any(same)
        assert (block.texts == original.texts) == (language != "german-sources")


def test_other_labels_than_in_english_are_refused(tmp_path: Path) -> None:
    text = (TRANSLATIONS / "spanish.txt").read_text(encoding="utf-8")
    path = tmp_path / "spanish.txt"
    path.write_text(text.replace("+ exception: Además", "? exception: {{Además}}"), "utf-8")
    with pytest.raises(ValueError, match="other labels"):
        pairs(path)


def test_a_translation_is_compared_with_its_own_original() -> None:
    both = pairs(TRANSLATIONS / "german.txt")
    judge = Judge({claim.text for block, _ in both for claim in block.claims})
    translated, gain, english, difference = intervals(judge, both)
    assert (translated.value, gain.value) == (0.5, 0.0)
    assert english.value != 0.5
    assert difference.value == pytest.approx(0.5 - english.value)
    assert difference.low < difference.value < difference.high


def test_foreign_sources_are_those_of_another_block() -> None:
    part = [block for block, _ in pairs(TRANSLATIONS / "spanish.txt")]
    foreign = beside_others(part)
    assert [block.claims for block in foreign] == [block.claims for block in part]
    assert sorted(block.texts for block in foreign) == sorted(block.texts for block in part)
    for block, other in zip(part, foreign, strict=True):
        assert block.texts != other.texts


def test_each_translation_has_its_line() -> None:
    rows = list(lines(Judge(set())))
    start = "| long | 1,200 | "
    assert [row.removeprefix(start).split(" | ")[:2] for row in rows] == [
        ["french", "146"], ["german-sources", "154"], ["german", "413"], ["spanish", "145"],
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Die Frist endet am 9. Mai. Über Ausnahmen wird entschieden.", 2),
        ("Il faut payer. Élargissez l'entrée.", 2),
        ("¿Cuánto cuesta? ¡Nada!", 2),
        ("It stands on floor 5. May is the last month.", 2),
    ],
)
def test_sentences_of_other_languages_are_told_apart(text: str, count: int) -> None:
    assert len(sentence_spans(text)) == count
