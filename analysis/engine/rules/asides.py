"""Short sentences that share no word with the sources, the question or the claims before them.

"Refunds take 14 days. As if!", "That rule is gone.", "Stimmt nicht.": they may take back what was
said, and nothing in the sources tells. In answers of people and models they are rare.
"""

from analysis.engine.claims import non_assertions
from analysis.engine.claims.reading import METHOD_FIELD, METHOD_ROW, Reading, SentenceRange
from analysis.engine.evidence.corpus import Corpus, terms_of
from lib.text.blocks import BlockKind
from lib.text.names import capitals
from lib.text.tokens import MARK, tokenize

_OF_DATA = (METHOD_FIELD, METHOD_ROW)
_MOST_WORDS = 8
_ENDS = frozenset((".", "!", "…"))
_MOST = 5
"""Sentences that are named."""


def asides(reading: Reading, corpus: Corpus, query: str) -> tuple[str, ...]:
    """Return the sentences behind a claim of which no source says anything; data has none."""
    if any(each.claim.extraction_method in _OF_DATA for each in reading.statements):
        return ()
    question = tokenize(query)
    seen = set(terms_of(question, 0, len(question)))
    first_claim = reading.statements[0].sentence if reading.statements else len(reading.lines)
    sentences = list[str]()
    for at, line in enumerate(reading.lines):
        terms = set(terms_of(reading.tokens, line.first, line.last))
        is_new = terms.isdisjoint(seen) and terms.isdisjoint(corpus.postings)
        if at > first_claim and is_new and _may_take_back(reading, line):
            tokens = reading.tokens
            start, end = tokens.starts[line.first], tokens.ends[line.last - 1]
            sentences.append(reading.text[start:end])
        seen |= terms
    return tuple(sentences[:_MOST])


def _may_take_back(reading: Reading, line: SentenceRange) -> bool:
    """Return whether a line is a short sentence: no courtesy, question or title, without names."""
    tokens, part = reading.tokens, (line.first, line.last)
    words = [at for at in range(*part) if tokens.kinds[at] != MARK]
    if not 0 < len(words) <= _MOST_WORDS or list(capitals(tokens, words[0] + 1, line.last)):
        return False
    ends = _ENDS.intersection(tokens.words[words[-1] : line.last])
    return (
        (bool(ends) or line.kind in (BlockKind.PROSE, BlockKind.ITEM))
        and tokens.words[line.last - 1] != ":"
        and not non_assertions.is_social(tokens, *part)
        and not non_assertions.is_question(tokens, *part)
        and not non_assertions.refers(tokens, *part)
    )
