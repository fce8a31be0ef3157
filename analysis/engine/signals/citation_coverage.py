"""Counts the sentences of an answer with a citation, for the safety API's citation check."""

from analysis.engine.claims.citation_marks import marks_of_claims
from analysis.engine.claims.reading import Reading
from analysis.engine.safety.model import Referencing
from lib.text.citations import marks


def measure(reading: Reading) -> Referencing:
    """Return the counts; a sentence is cited if one of its claims is, even after its full stop."""
    answer_marks = marks(reading.text)
    own = marks_of_claims(reading.text, answer_marks, [item.claim for item in reading.statements])
    sentences_stated = {item.sentence for item in reading.statements}
    pairs = zip(reading.statements, own, strict=True)
    sentences_cited = {item.sentence for item, marks_here in pairs if marks_here}
    return Referencing(len(sentences_stated), len(sentences_cited), len(answer_marks))
