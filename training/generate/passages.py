"""Examples from prose: said again, changed, merged, blended, or with the evidence taken away."""

import random
from collections.abc import Iterator

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
from training.generate.sentences import Bank, Said, names_of, nouns_of, said

Spans = tuple[tuple[int, int], ...]


def of_document(
    contexts: list[str], bank: Bank, count: int, chance: random.Random
) -> Iterator[Example]:
    """Up to `count` examples about one document."""
    corpus = build(tuple(Source(f"s{at}", text) for at, text in enumerate(contexts)))
    sentences = said(corpus)
    if not sentences:
        return
    setting = setting_of(sentences, bank)
    for _ in range(count):
        one = chance.choice(sentences)
        way = chance.choices((_again, _changed, _merged, _blended, _linked, _removed),
                             (3.0, 4.5, 2.2, 0.8, 0.5, 1.0))[0]  # fmt: skip
        found = way(one, corpus, sentences, setting, chance)
        if found:
            yield found


def setting_of(sentences: list[Said], bank: Bank) -> Setting:
    """What the edits of one document may draw on."""
    named = {name for item in sentences for name in names_of(item.text)}
    nouns = {noun for item in sentences for noun, _ in nouns_of(item.text)}
    others = tuple(item.text for item in sentences)
    return Setting(tuple(sorted(named)), tuple(sorted(nouns)), others, bank)


def _example(
    corpus: Corpus, text: str, label: Label, spans: Spans | None, kind: str, weight: float = 1.0
) -> Example | None:
    """The example with its window; None where the engine sees no claim in the text."""
    ended = text if text.endswith((".", "!", '"')) else f"{text}."
    found = hypotheses(read(ended, ""), "")
    if not found:
        return None
    window = window_for(corpus, found[0])
    return Example(window, ended, label, spans, f"passages/{kind}", weight)


def _again(
    one: Said, corpus: Corpus, sentences: list[Said], setting: Setting, chance: random.Random
) -> Example | None:
    text = restate(one.text, chance)
    if chance.random() < 0.25:
        text = with_prefix(text, chance) or text
    return _example(corpus, text, Label.ENTAIL, (), "again")


def _changed(
    one: Said, corpus: Corpus, sentences: list[Said], setting: Setting, chance: random.Random
) -> Example | None:
    found = edit(restate(one.text, chance), setting, chance)
    if not found:
        return None
    if chance.random() < 0.2:
        found = _after(found, with_prefix(found.text, chance) or found.text)
    return _example(corpus, found.text, found.label, found.spans, found.kind)


def _after(found: Edit, text: str) -> Edit:
    """The edit in a text that puts words before it."""
    shift = len(text) - len(found.text)
    spans = tuple((a + shift, b + shift) for a, b in found.spans)
    return Edit(text, spans, found.label, found.kind)


def _merged(
    one: Said, corpus: Corpus, sentences: list[Said], setting: Setting, chance: random.Random
) -> Example | None:
    """Two sentences in one, both true or one changed."""
    near = [item for item in sentences if 0 < abs(item.index - one.index) <= 6]
    if not near:
        return None
    other = chance.choice(near)
    first, second = restate(one.text, chance), restate(other.text, chance)
    if len(first) + len(second) > 330:
        return None
    joint = chance.choice((", and ", ", while ", "; ", ", and also "))
    changed = edit(first, setting, chance) if chance.random() < 0.55 else None
    if changed is None:
        return _example(corpus, first + joint + lower_first(second), Label.ENTAIL, (), "merged")
    if chance.random() < 0.5:
        text = changed.text + joint + lower_first(second)
    else:
        text = second + joint + lower_first(changed.text)
        changed = _after(changed, text)
    return _example(corpus, text, changed.label, changed.spans, f"merged_{changed.kind}")


def _blended(
    one: Said, corpus: Corpus, sentences: list[Said], setting: Setting, chance: random.Random
) -> Example | None:
    """The subject of one sentence with what another says of its own."""
    other = chance.choice(sentences)
    a, b = _subject_end(one.text), _subject_end(other.text)
    if other.index == one.index or not a or not b:
        return None
    head, tail = one.text[:a], other.text[b:]
    if other.text[:b].lower() == head.lower() or len(tail) < 15:
        return None
    text = head + tail
    return _example(corpus, text, Label.NOT_ENTAILED, ((0, len(head)),), "blended", 0.8)


def _subject_end(text: str) -> int:
    """Where the subject that begins the sentence ends; 0 where none does."""
    tokens = tokenize(text)
    first, last = subject(tokens, 0, len(tokens))
    return tokens.ends[last - 1] if first == 0 and 0 < last <= 8 else 0


def _linked(
    one: Said, corpus: Corpus, sentences: list[Said], setting: Setting, chance: random.Random
) -> Example | None:
    """A cause that nobody named between two true sentences."""
    near = [item for item in sentences if 0 < abs(item.index - one.index) <= 8]
    if not near:
        return None
    link = chance.choice(LINKS)
    second = chance.choice(near).text
    if len(one.text) + len(second) > 300:
        return None
    at = len(one.text) + 1
    text = f"{one.text} {link} {lower_first(second)}"
    return _example(corpus, text, Label.NEUTRAL, ((at, at + len(link)),), "linked", 0.6)


def _removed(
    one: Said, corpus: Corpus, sentences: list[Said], setting: Setting, chance: random.Random
) -> Example | None:
    """A true sentence whose evidence is taken out of the sources."""
    passage = corpus.passages[one.index]
    rest = []
    for at, source in enumerate(corpus.sources):
        text = source.text
        if at == passage.source:
            text = f"{text[: passage.start]} {text[passage.end :]}"
        rest.append(Source(source.source_id, text))
    without = build(tuple(rest))
    spoken = passage.terms
    if any(len(spoken & p.terms) > 0.7 * len(spoken) for p in without.passages):
        return None
    return _example(without, restate(one.text, chance), Label.NEUTRAL, None, "removed")
