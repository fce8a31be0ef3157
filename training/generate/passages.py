"""Examples from prose: said again, changed, merged, blended, or with the evidence taken away."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from analysis.engine.claims.clauses import subject
from analysis.engine.claims.extraction import read
from analysis.engine.evidence.corpus import Corpus, build
from analysis.engine.evidence.hypotheses import hypotheses
from analysis.engine.types import Source
from text.tokens import tokenize
from training.evidence import window_for
from training.examples import Example, Label
from training.generate.edits import Edit, Setting, edit
from training.generate.lexicon import LINKS
from training.generate.restate import lower_first, restate, with_prefix
from training.generate.sentences import Bank, SourceSentence, names_of, nouns_of, source_sentences

Spans = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Material:
    """A sentence of a document to make an example of, and what there is to make it from."""

    sentence: SourceSentence
    corpus: Corpus
    sentences: list[SourceSentence]
    setting: Setting
    chance: random.Random


def of_document(
    contexts: list[str], bank: Bank, count: int, chance: random.Random
) -> Iterator[Example]:
    """Up to `count` examples about one document."""
    corpus = build(tuple(Source(f"s{at}", text) for at, text in enumerate(contexts)))
    sentences = source_sentences(corpus)
    if not sentences:
        return
    setting = setting_of(sentences, bank)
    for _ in range(count):
        choice = chance.choice(sentences)
        ways = _again, _changed_example, _merged, _blended, _linked, _removed_example
        way = chance.choices(ways, (3.0, 4.5, 2.2, 0.8, 0.5, 1.0))[0]
        example = way(Material(choice, corpus, sentences, setting, chance))
        if example:
            yield example


def setting_of(sentences: list[SourceSentence], bank: Bank) -> Setting:
    """What the edits of one document may draw on."""
    name_set = {name for item in sentences for name in names_of(item.text)}
    nouns = {noun for item in sentences for noun, _ in nouns_of(item.text)}
    others = tuple(item.text for item in sentences)
    return Setting(tuple(sorted(name_set)), tuple(sorted(nouns)), others, bank)


def _example(
    corpus: Corpus, text: str, label: Label, spans: Spans | None, kind: str, weight: float = 1.0
) -> Example | None:
    """The example with its window; None where the engine sees no claim in the text."""
    ended = text if text.endswith((".", "!", '"')) else f"{text}."
    claims = hypotheses(read(ended, ""), "")
    if not claims:
        return None
    window = window_for(corpus, claims[0])
    return Example(window, ended, label, spans, f"passages/{kind}", weight)


def _again(material: Material) -> Example | None:
    text = restate(material.sentence.text, material.chance)
    if material.chance.random() < 0.25:
        text = with_prefix(text, material.chance) or text
    return _example(material.corpus, text, Label.ENTAIL, (), "again")


def _changed_example(material: Material) -> Example | None:
    change = edit(
        restate(material.sentence.text, material.chance), material.setting, material.chance
    )
    if not change:
        return None
    if material.chance.random() < 0.2:
        change = _after(change, with_prefix(change.text, material.chance) or change.text)
    return _example(material.corpus, change.text, change.label, change.spans, change.kind)


def _after(edit: Edit, text: str) -> Edit:
    """The edit in a text that puts words before it."""
    shift = len(text) - len(edit.text)
    spans = tuple((a + shift, b + shift) for a, b in edit.spans)
    return Edit(text, spans, edit.label, edit.kind)


def _merged(material: Material) -> Example | None:
    """Two sentences in one, both true or one changed."""
    near = [
        item for item in material.sentences if 0 < abs(item.index - material.sentence.index) <= 6
    ]
    if not near:
        return None
    other = material.chance.choice(near)
    first, second = (
        restate(material.sentence.text, material.chance),
        restate(other.text, material.chance),
    )
    if len(first) + len(second) > 330:
        return None
    joint = material.chance.choice((", and ", ", while ", "; ", ", and also "))
    changed = (
        edit(first, material.setting, material.chance) if material.chance.random() < 0.55 else None
    )
    if changed is None:
        return _example(
            material.corpus, first + joint + lower_first(second), Label.ENTAIL, (), "merged"
        )
    if material.chance.random() < 0.5:
        text = changed.text + joint + lower_first(second)
    else:
        text = second + joint + lower_first(changed.text)
        changed = _after(changed, text)
    return _example(material.corpus, text, changed.label, changed.spans, f"merged_{changed.kind}")


def _blended(material: Material) -> Example | None:
    """The subject of one sentence with what another says of its own."""
    other = material.chance.choice(material.sentences)
    a, b = _subject_end(material.sentence.text), _subject_end(other.text)
    if other.index == material.sentence.index or not a or not b:
        return None
    head, tail = material.sentence.text[:a], other.text[b:]
    if other.text[:b].lower() == head.lower() or len(tail) < 15:
        return None
    text = head + tail
    return _example(material.corpus, text, Label.NOT_ENTAILED, ((0, len(head)),), "blended", 0.8)


def _subject_end(text: str) -> int:
    """Where the subject that begins the sentence ends; 0 where none does."""
    tokens = tokenize(text)
    first, last = subject(tokens, 0, len(tokens))
    return tokens.ends[last - 1] if first == 0 and 0 < last <= 8 else 0


def _linked(material: Material) -> Example | None:
    """A cause that nobody named between two true sentences."""
    near = [
        item for item in material.sentences if 0 < abs(item.index - material.sentence.index) <= 8
    ]
    if not near:
        return None
    link = material.chance.choice(LINKS)
    second = material.chance.choice(near).text
    if len(material.sentence.text) + len(second) > 300:
        return None
    at = len(material.sentence.text) + 1
    text = f"{material.sentence.text} {link} {lower_first(second)}"
    return _example(material.corpus, text, Label.NEUTRAL, ((at, at + len(link)),), "linked", 0.6)


def _removed_example(material: Material) -> Example | None:
    """A true sentence whose evidence is taken out of the sources."""
    passage = material.corpus.passages[material.sentence.index]
    rest = []
    for at, source in enumerate(material.corpus.sources):
        text = source.text
        if at == passage.source:
            text = f"{text[: passage.start]} {text[passage.end :]}"
        rest.append(Source(source.source_id, text))
    without = build(tuple(rest))
    terms = passage.terms
    if any(len(terms & p.terms) > 0.7 * len(terms) for p in without.passages):
        return None
    return _example(
        without, restate(material.sentence.text, material.chance), Label.NEUTRAL, None, "removed"
    )
