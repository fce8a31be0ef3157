"""Which sentences of an answer carry a citation: what the safety API's citation check goes by."""

from analysis.engine.claims.citation_marks import marks_of_claims
from analysis.engine.claims.extraction import Reading
from analysis.engine.safety.checks import Referencing
from text.citations import marks


def measure(reading: Reading) -> Referencing:
    """A sentence is cited where one of its claims is; a mark may stand after its full stop."""
    found = marks(reading.text)
    own = marks_of_claims(reading.text, found, [item.claim for item in reading.statements])
    told = {item.sentence for item in reading.statements}
    pairs = zip(reading.statements, own, strict=True)
    cited = {item.sentence for item, marked in pairs if marked}
    return Referencing(len(told), len(cited), len(found))
