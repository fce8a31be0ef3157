"""Documents, their sentences, and what other documents can lend them."""

import random
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from analysis.engine.evidence.corpus import Corpus
from text.names import names
from text.tokens import tokenize
from text.verbs import finite

LEAST, MOST = 7, 45
_TAIL = re.compile(
    r",? (?:in|at|by|with|from|for|during|after|before|because of|due to|despite|under|through|near"
    r"|against|without|between|since|until|including) [\w' ,-]{6,60}$"
)
_ITEM = re.compile(r"(?:, | and | or )([a-z][\w-]*(?: [a-z][\w-]*)?)(?=,| and | or |\.|$)")


@dataclass(frozen=True, slots=True)
class SourceSentence:
    """A sentence of a document without its final mark, as passage `index`."""

    text: str
    index: int


@dataclass(frozen=True, slots=True)
class Bank:
    """Fragments of many documents: ends of sentences, list items, names by length, nouns."""

    tails: tuple[str, ...]
    items: tuple[str, ...]
    names: dict[int, tuple[str, ...]]
    nouns: tuple[str, ...]


def source_sentences(corpus: Corpus) -> list[SourceSentence]:
    """The sentences of a corpus that are worth saying again."""
    result = []
    for index, passage in enumerate(corpus.passages):
        text = " ".join(corpus.text_of(index).split())
        if LEAST <= passage.last - passage.first <= MOST and _states(text):
            result.append(SourceSentence(text.rstrip(". "), index))
    return result


def _states(text: str) -> bool:
    tokens = tokenize(text)
    if not text[0].isupper() or text.endswith(("?", ":", "!")) or text.count('"') % 2:
        return False
    return any(finite(tokens, at) for at in range(len(tokens))) and "http" not in text


def bank(corpora: Iterable[list[str]], chance: random.Random) -> Bank:
    """What sentences of other documents end with, list and name."""
    tails, items, nouns = set[str](), set[str](), set[str]()
    names_by_size: dict[int, set[str]] = {}
    for sentences in corpora:
        for text in chance.sample(sentences, min(12, len(sentences))):
            tails.update(match[0] for match in _TAIL.finditer(text))
            items.update(match[1] for match in _ITEM.finditer(text))
            for name in names_of(text):
                names_by_size.setdefault(len(name.split()), set()).add(name)
            nouns.update(noun for noun, _ in nouns_of(text))
    return Bank(
        tuple(sorted(tails)),
        tuple(sorted(items)),
        {size: tuple(sorted(group)) for size, group in names_by_size.items()},
        tuple(sorted(nouns)),
    )


def names_of(text: str) -> list[str]:
    """The names in a sentence, as they stand."""
    tokens = tokenize(text)
    spans = names(tokens, 0, len(tokens))
    return [text[tokens.starts[n.first] : tokens.ends[n.last - 1]] for n in spans]


_NOUN = re.compile(
    r"\b(?:the|a|an|its|their|his|her|this|of|with|and) ([a-z]{4,})"
    r"(?= (?:of|in|on|at|for|to|with|from|by|and|or|that|which|was|were|is|are|has|had)\b|[,.;]|$)"
)


def nouns_of(text: str) -> Iterator[tuple[str, tuple[int, int]]]:
    """Words that stand where nouns do, with their span."""
    for match in _NOUN.finditer(text):
        yield match[1], match.span(1)
