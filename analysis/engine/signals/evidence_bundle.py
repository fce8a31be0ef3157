"""The evidence of a measurement: the passages for and against each claim, and their names."""

from collections.abc import Sequence
from textwrap import shorten

from analysis.engine.evidence.corpus import VERSION, Corpus
from analysis.engine.signals.grounding import Grounding
from analysis.engine.signals.judgement import ClaimReading
from analysis.engine.types import Document, EvidenceChunk, Source, Submission
from lib.text.antecedents import refers_back
from lib.text.citations import is_labelled, marks

_EXCERPT = 300
_LEAD_IN = 3
"""Sentences before one that refers back; what it refers to seldom stands farther away."""
_WORD_FOR_WORD = 0.95
"""Support by words from which a passage says what the claim says."""


class Names:
    """Unique document names for the sources of a corpus, even if clients repeat an id."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        self.docs = unique([source.source_id for source in corpus.sources])

    def ref(self, index: int | None) -> str | None:
        """Return the verifier API's name of a passage."""
        if index is None:
            return None
        passage = self.corpus.passages[index]
        return f"{self.docs[passage.source]}#{passage.sent_id}"


def unique(names: Sequence[str]) -> list[str]:
    """Return the names in order, with a position appended to repeated ones."""
    unique_names: dict[str, None] = {}
    for position, name in enumerate(names, start=1):
        while name in unique_names:
            name = f"{name}~{position}"
        unique_names[name] = None
    return list(unique_names)


def sides(
    result: Grounding | None, claim_reading: ClaimReading | None
) -> tuple[int | None, int | None]:
    """Return the passages most for and most against, the judge's on the side that it takes.

    A supporting passage with all the claim's words is certainly the one. Only a passage with the
    same subject contradicts a claim.
    """
    if result is None:
        return None, None
    if claim_reading is None or claim_reading.proof is None:
        return result.supported_by, result.contradicted_by
    judgement, proof = claim_reading.judgement, claim_reading.proof
    against = judgement.contradict > judgement.entail
    by_words = against or (result.support >= _WORD_FOR_WORD and not result.conflicts)
    support = result.supported_by if by_words else proof.passage
    if result.conflicts or not against:
        return support, result.contradicted_by
    return support, proof.passage if proof.is_about else None


def evidence_of(
    results: Sequence[Grounding | None],
    claim_readings: Sequence[ClaimReading | None],
    names: Names,
) -> tuple[EvidenceChunk, ...]:
    """Return the passages for or against a claim, each once, best first for its claim."""
    chunks: dict[int, EvidenceChunk] = {}
    for result, claim_reading in zip(results, claim_readings, strict=True):
        if result is None:
            continue
        ranks = {index: (score, at) for at, (index, score) in enumerate(result.ranked, start=1)}
        for index in sides(result, claim_reading):
            if index is not None and index not in chunks:
                score, rank = ranks.get(index, (0.0, len(ranks) + 1))
                chunks[index] = _chunk(names, index, score, rank)
    return tuple(chunks.values())


def _chunk(names: Names, index: int, score: float, rank: int) -> EvidenceChunk:
    passage = names.corpus.passages[index]
    source, line = names.corpus.sources[passage.source], names.corpus.record_line(index)
    return EvidenceChunk(
        doc_id=names.docs[passage.source],
        sent_id=passage.sent_id,
        text=source.text[passage.start : passage.end],
        char_start=passage.start,
        char_end=passage.end,
        score_bm25=round(score, 4),
        score_dense=source.dense,
        score_hybrid=source.hybrid,
        rank=rank,
        source=_source_name(source),
        version=VERSION,
        path=line.path if line else "",
        lead_in=_lead_in(names.corpus, index),
    )


def _lead_in(corpus: Corpus, index: int) -> tuple[str, ...]:
    """Return the context of a passage that refers back; for the first passage, the title."""
    text, title = corpus.text_of(index), corpus.sources[corpus.passages[index].source].title
    if not refers_back(text):
        return ()
    at, before = index, list[str]()
    while len(before) < _LEAD_IN and corpus.is_beside(at, at - 1):
        at -= 1
        before.insert(0, " ".join(corpus.text_of(at).split()))
    is_first = at == 0 or corpus.passages[at - 1].source != corpus.passages[at].source
    heads = is_first and len(before) < _LEAD_IN and bool(title.strip())
    return (" ".join(title.split()), *before) if heads else tuple(before)


def documents(submission: Submission) -> tuple[Document, ...]:
    """Return the sources that the answer's citations number.

    There are none if nothing can be numbered: an answer cannot number search results, and if a
    source contains several numbered passages, the numbers may be theirs.
    """
    sources = submission.sources or ()
    own = [source for source in sources if not source.retrieved]
    numbers = {number for mark in marks(submission.answer) for number in mark.numbers}
    beyond = [number for number in numbers if number > len(own)]
    inner = any(is_labelled(source.text, number) for source in own for number in beyond)
    if not numbers or inner:
        return ()
    names = unique([source.source_id for source in sources])
    return tuple(
        Document(name, _source_name(source), shorten(source.text, _EXCERPT, placeholder=" …"))
        for name, source in zip(names, sources, strict=True)
        if not source.retrieved
    )


def _source_name(source: Source) -> str:
    return source.title or source.uri or source.source_id
