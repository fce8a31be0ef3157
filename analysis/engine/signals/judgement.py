"""The judge's signal: every sentence of an answer, read at once against all the evidence.

A sentence is read once for all its claims. If it contains several, its lack of support is assigned
to the claims whose words the judge marks. Its figures are rewritten as the sources write them ("36
inches" as "3 feet"): whether two figures are equal is arithmetic, which models do badly.

The passage that a verdict rests on is found by words: a judge attends to windows of many sentences,
and often most to one that says nothing about the claim.
"""

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from math import fsum
from operator import attrgetter
from time import monotonic

from analysis.engine.claims.reading import Reading, Statement
from analysis.engine.evidence.corpus import Corpus, SourceSentence, terms_of
from analysis.engine.evidence.hypotheses import Hypothesis, hypotheses, is_bare
from analysis.engine.evidence.hypotheses import parts as parts_of
from analysis.engine.evidence.nearest import nearest_text
from analysis.engine.rules.figures import Rewording
from analysis.engine.signal_types import Judgement, JudgeUse
from analysis.engine.signals.answering import answering
from analysis.engine.signals.grounding import Grounded
from analysis.engine.types import AnswerKind
from inference.judge.combined import Blend, Cascade, together
from inference.judge.types import CHOSEN, ClaimJudgement, EvidenceWindow, Judge
from lib.text.antecedents import antecedent
from lib.text.decoded import Span
from lib.text.names import names
from lib.text.tokens import Tokens

ABOUT = 0.3
"""Of the worth of a claim's terms, the share in a passage that is about the same thing: 86 % of
passages that contradict a written claim have it, and 2 % of the closest ones in other texts."""


@dataclass(frozen=True, slots=True)
class Proof:
    """A passage (index), and whether it has the same subject as the claim."""

    passage: int
    is_about: bool


def proof_of(
    reading: Reading, statement: Statement, corpus: Corpus, windows: Iterable[EvidenceWindow]
) -> Proof | None:
    """Return the passage of the windows with the highest weight of the claim's own terms.

    Of equal ones, the one with more of the claim's subject. None if none has any.
    """
    own = frozenset(terms_of(reading.tokens, statement.first, statement.last))
    about = frozenset(terms_of(reading.tokens, *statement.subject)) - own
    worth = {term: corpus.idf(term) for term in own | about}

    def sum_of(terms: Iterable[str]) -> float:
        # Exact: a set has another order in each process, and equal sums must be equal in all.
        return fsum(worth[term] for term in terms)

    def overlap(index: int) -> tuple[float, float]:
        terms = corpus.passages[index].terms
        return sum_of(own & terms), sum_of(about & terms)

    stating = (index for index in _inside(corpus, windows) if not corpus.facts(index).asks)
    best = max(stating, key=overlap, default=None)
    if best is None or not any(overlap(best)):
        return None
    has_enough = fsum(overlap(best)) >= ABOUT * sum_of(worth)
    return Proof(best, has_enough and _has_names(reading, statement, corpus, best))


def _inside(corpus: Corpus, windows: Iterable[EvidenceWindow]) -> list[int]:
    """Return the passages that the windows overlap, in order."""
    passages, inside = corpus.passages, set[int]()
    for window in windows:
        start, end = corpus.readings[window.source].written(window.start, window.end)
        first = bisect_right(passages, (window.source, start), key=lambda at: (at.source, at.end))
        last = bisect_left(passages, (window.source, end), key=lambda at: (at.source, at.start))
        inside.update(range(first, last))
    return sorted(inside)


def _has_names(reading: Reading, statement: Statement, corpus: Corpus, index: int) -> bool:
    """Return whether the claim's names that the source contains are in or beside the passage.

    A name in the source's first passage may be the topic of all of it, and a record has one topic.
    """
    passage = corpus.passages[index]
    if corpus.is_record(index):
        return True
    near = corpus.window(index) | corpus.passages[index - passage.sent_id].terms
    spans = names(reading.tokens, statement.first, statement.last)
    terms_of_names = (terms_of(reading.tokens, name.first, name.last) for name in spans)
    return all(
        not near.isdisjoint(terms) or not _has(corpus, passage.source, terms)
        for terms in terms_of_names
        if terms
    )


def _has(corpus: Corpus, source: int, terms: Iterable[str]) -> bool:
    """Return whether the source contains every one of the terms."""
    return all(
        any(corpus.passages[at].source == source for at in corpus.postings.get(term, ()))
        for term in terms
    )


@dataclass(frozen=True, slots=True)
class Reworded:
    """The new text, and its unchanged spans as (new start, new end, old start)."""

    text: str
    unchanged_spans: tuple[tuple[int, int, int], ...]

    def original(self, start: int, end: int) -> Span | None:
        """Return the old position of new code points [start, end), or None inside a figure."""
        for first, last, old in self.unchanged_spans:
            if first <= start and end <= last:
                return start - first + old, end - first + old
        return None


def reword(text: str, rewordings: Sequence[Rewording]) -> Reworded:
    """Return the text with each rewording applied; overlaps of an earlier one are skipped."""
    parts: list[str] = []
    unchanged_spans: list[tuple[int, int, int]] = []
    at = length = 0
    for item in sorted(rewordings, key=lambda each: each.start):
        if not at <= item.start < item.end <= len(text):
            continue
        plain = text[at : item.start]
        unchanged_spans.append((length, length + len(plain), at))
        parts += [plain, item.text]
        length += len(plain) + len(item.text)
        at = item.end
    unchanged_spans.append((length, length + len(text) - at, at))
    return Reworded("".join([*parts, text[at:]]), tuple(unchanged_spans))


def reword_sentence(reading: Reading, grounded: Grounded, item: Hypothesis) -> Reworded:
    """Return the sentence after its question, with figures as the sources write them."""
    rewordings: list[Rewording] = []
    for index in item.statements:
        result, statement = grounded.claims[index], reading.statements[index]
        base = reading.tokens.starts[statement.first]
        for each in result.rewordings if result else ():
            original = reading.text[base + each.start : base + each.end]
            place = reading.decoded.part(base + each.start, base + each.end)
            start, end = (at - item.first + item.lead for at in place)
            if item.text[start:end].endswith(original):  # Not what is inserted before it.
                start = end - len(original)
            rewordings.append(Rewording(start, end, each.text))
    words = reword(item.text, rewordings)
    statements = (reading.statements[index] for index in item.statements)
    if words.text.endswith(_STOPS) or all(is_bare(reading, each) for each in statements):
        return words
    return replace(words, text=f"{words.text}.")


_STOPS = (".", "!", "?", "…")
"""Judges were trained on sentences that end with one; a list's items have none."""
Doubt = tuple[int, int, float]
"""Code points [start, end) of the answer and the probability that nothing supports them."""

_LEAST_DOUBT = 0.2
"""Words with a lower probability are not stored."""
_LEAST_COPIED = 3
"""The fewest words of a sentence that counts as copied."""
_PUNCTUATION = ".,;:!?…\"'“”‘’()[]*_`-–—†‡§¶"
Words = tuple[str, ...]
_HALF = 0.5
_OF_PARTS = 0.25
"""The weight of the part of a claim that is doubted most, beside its sentence."""
_LENGTH_OF_NEAREST = 1_000
"""Characters of evidence: beyond twice as many, the nearest passage counts less."""
_LONG = 3
"""Sentences from which an answer counts as long."""
MOST_SECONDS = 8.0
"""For the judge's runs, less where the check has less left; what is not read by then is counted
and reported."""


@dataclass(frozen=True, slots=True)
class ClaimReading:
    """The judge's result for one claim; `proof` is the passage that it rests on.

    `words` are doubted words as (start, end, probability), code points of the answer.
    """

    judgement: Judgement
    proof: Proof | None
    words: tuple[Doubt, ...]


@dataclass(frozen=True, slots=True)
class AnswerReading:
    """All claims, None for one that was not read; `cut` says what was left out, or "".

    `note` says who judged if not the judge alone, "" otherwise; `judges`, who decided how many
    claims.
    """

    claims: tuple[ClaimReading | None, ...]
    judge: str
    cut: str
    note: str = ""
    judges: tuple[JudgeUse, ...] = ()


@dataclass(frozen=True, slots=True)
class JudgeInput:
    """The judge's input for an answer: one text for each of its `sentences`.

    `question` is "" if every text is a statement made of it.
    """

    question: str
    evidence: tuple[str, ...]
    sentences: tuple[Hypothesis, ...]
    texts: tuple[Reworded, ...]


def judge_input(reading: Reading, query: str, grounded: Grounded) -> JudgeInput:
    """Return the question, the evidence and the sentences as a judge reads them."""
    sentences = hypotheses(reading, query)
    return JudgeInput(
        "" if all(item.lead for item in sentences) else query,
        tuple(
            _without_questions(grounded.corpus, at) for at in range(len(grounded.corpus.sources))
        ),
        sentences,
        tuple(reword_sentence(reading, grounded, item) for item in sentences),
    )


def judge_claims(
    reading: Reading,
    query: str,
    grounded: Grounded,
    judge: Judge,
    seconds: float = MOST_SECONDS,
) -> AnswerReading:
    """Judge every claim of the answer within `seconds`. Raises what the judge raises."""
    began = monotonic()
    corpus, name = grounded.corpus, judge.model_id.partition("@")[0]
    claims: list[ClaimReading | None] = [None] * len(reading.statements)
    if not corpus.passages:
        return AnswerReading(tuple(claims), name, "")
    read = judge_input(reading, query, grounded)
    sentences = read.sentences
    copied = _sentences_of(corpus)
    kind = kind_of(reading, grounded, len(sentences))
    before = _antecedents(reading, sentences)
    divided: Sequence[Parts | None] = [[] for _ in sentences]
    if kind is AnswerKind.SHORT:
        results = _by_nearest_too(corpus, read, judge, before, seconds)
        left = max(0.0, seconds - (monotonic() - began))
        divided = _in_parts(reading, grounded, read, judge, left)
        results = _read_whole(results, divided)
    else:
        results = _by_all(read, judge, before, seconds)
    for item, words, result, parts in zip(sentences, read.texts, results, divided, strict=True):
        if result is None:
            continue
        doubts = _doubts(reading, item, words, result)
        for index in item.statements:
            claims[index] = _of_claim(
                reading, grounded, copied, item, index, result, doubts, parts or [], kind, name
            )
    claims = _with_answer_odds(claims)
    own = _own(judge)
    if kind is AnswerKind.PLACED and isinstance(own, Blend) and own.answers is not None:
        left = max(0.0, seconds - (monotonic() - began))
        claims = _with_answering(reading, query, corpus, own.answers, claims, left)
        if not any(claims):
            results = [None] * len(results)
    judges = _judges(claims, sentences, results)
    return AnswerReading(tuple(claims), name, _cut(results, seconds), _note(results), judges)


Results = Sequence[ClaimJudgement | None]
Parts = list[tuple[Hypothesis, ClaimJudgement]]
"""The parts of a sentence that were read, with their judgements."""


def _by_all(read: JudgeInput, judge: Judge, before: Sequence[str], seconds: float) -> Results:
    """Return the judgements by all the evidence.

    A mere name or figure is judged behind its question and without it, and both are averaged: one
    ranks the values of a passage, the other answers that take two steps
    (docs/research/probability.md).
    """
    until = monotonic() + seconds
    texts = [words.text for words in read.texts]
    results = judge.predict(read.question, read.evidence, texts, before=before, seconds=seconds)
    own = _own(judge)
    bare = [at for at, item in enumerate(read.sentences) if 0 < item.lead < len(item.text)]
    if own is None or not bare:
        return results
    lead = read.sentences[bare[0]].lead
    others = own.predict(
        texts[bare[0]][: lead - 1],
        read.evidence,
        [texts[at][lead:] for at in bare],
        before=[before[at] for at in bare],
        seconds=max(0.0, until - monotonic()),
    )
    both = list(results)
    for at, other in zip(bare, others, strict=True):
        result = results[at]
        if result is None or not result.judge.startswith(CHOSEN):
            both[at] = together(result, other, _HALF)
    return both


def _own(judge: Judge) -> Judge | None:
    """Return the judge on this machine, which may read twice; None for one that was chosen."""
    own = judge.embedded if isinstance(judge, Cascade) else judge
    return None if own is None or own.model_id.startswith(CHOSEN) else own


def _by_nearest_too(
    corpus: Corpus, read: JudgeInput, judge: Judge, before: Sequence[str], seconds: float
) -> Results:
    """Return the judgements by all the evidence, averaged with those by the nearest passage alone.

    A short claim mostly rests on one passage, and judges rank it better by that than among others
    (docs/research/probability.md). The longer the evidence, the less this counts: the claim may
    also rest on other passages. Beside short evidence the thorough judge of a blend, which takes
    most of the time, reads the nearest passages only.
    """
    until = monotonic() + seconds
    nearest = [nearest_text(corpus, read.evidence, item) for item in read.sentences]
    share = min(_HALF, _LENGTH_OF_NEAREST / max(1, sum(map(len, read.evidence))))

    def alone(one: Judge) -> Results:
        left = max(0.0, until - monotonic())
        return [
            one.predict(read.question, [text], [words.text], seconds=left)[0] if text else None
            for text, words in zip(nearest, read.texts, strict=True)
        ]

    if isinstance(judge, Blend) and share == _HALF and all(nearest):
        results = _by_all(read, judge.quick, before, seconds)
        results = _averaged(results, alone(judge.quick), share)
        thorough = alone(judge.thorough)
        results = _averaged(results, thorough, share)
        return [
            one and other and replace(one, words=other.words)
            for one, other in zip(results, thorough, strict=True)
        ]
    results = _by_all(read, judge, before, seconds)
    own = _own(judge)
    if own is None:
        return results
    both = _averaged(results, alone(own), share)
    return [
        one if text and result and not result.judge.startswith(CHOSEN) else result
        for one, result, text in zip(both, results, nearest, strict=True)
    ]


def _averaged(results: Results, others: Results, share: float) -> Results:
    return [together(*pair, share) for pair in zip(results, others, strict=True)]


def _in_parts(
    reading: Reading, grounded: Grounded, read: JudgeInput, judge: Judge, seconds: float
) -> list[Parts | None]:
    """Return the parts of each sentence, each read beside the passage nearest to it alone.

    What is wrong in one part of a sentence is easily read over (docs/research/probability.md).
    None where the time ended before all parts were read.
    """
    own, until = _own(judge), monotonic() + seconds
    if own is None:
        return [[] for _ in read.sentences]
    divided = [parts_of(reading, item) for item in read.sentences]
    beside: dict[str, list[Hypothesis]] = defaultdict(list)
    for part in chain.from_iterable(divided):
        nearest = nearest_text(grounded.corpus, read.evidence, part) or "\n".join(read.evidence)
        beside[nearest].append(part)
    judgements: dict[int, ClaimJudgement] = {}
    for text, parts in beside.items():
        texts = [reword_sentence(reading, grounded, part).text for part in parts]
        left = max(0.0, until - monotonic())
        results = own.predict(read.question, [text], texts, seconds=left)
        judgements |= {
            part.start: result for part, result in zip(parts, results, strict=True) if result
        }
    return [
        [(part, judgements[part.start]) for part in parts]
        if all(part.start in judgements for part in parts)
        else None
        for parts in divided
    ]


def _read_whole(results: Results, divided: Sequence[Parts | None]) -> Results:
    """Return the judgements without those of sentences of which a part was not read.

    A verdict on what was read of a sentence would be another one on a busier machine.
    """
    return [
        None if parts is None and result and not result.judge.startswith(CHOSEN) else result
        for result, parts in zip(results, divided, strict=True)
    ]


def _with_answer_odds(claims: Sequence[ClaimReading | None]) -> list[ClaimReading | None]:
    odds = [claim.judgement.odds for claim in claims if claim]
    mean = round(sum(odds) / len(odds), 4) if odds else 0.0
    return [
        claim and replace(claim, judgement=replace(claim.judgement, answer_odds=mean))
        for claim in claims
    ]


def _with_answering(
    reading: Reading,
    query: str,
    corpus: Corpus,
    answers: Judge,
    claims: Sequence[ClaimReading | None],
    seconds: float,
) -> list[ClaimReading | None]:
    """Add to each bare answer how much better a passage with it answers the question.

    Without time to read the passages no answer counts as judged.
    """
    terms = [
        frozenset(terms_of(reading.tokens, each.first, each.last)) for each in reading.statements
    ]
    results = answering(corpus, query, terms, answers, seconds)
    if results is None:
        return [None] * len(claims)
    return [
        claim and replace(claim, judgement=replace(claim.judgement, answering=result))
        for claim, result in zip(claims, results, strict=True)
    ]


def kind_of(reading: Reading, grounded: Grounded, sentences: int) -> AnswerKind:
    """Return the kind of an answer of so many sentences that make claims."""
    claims = [claim for claim in grounded.claims if claim is not None and claim.checkable]
    if 2 * sum(claim.coverage.of_record for claim in claims) > len(claims):
        return AnswerKind.RECORD if sentences < _LONG else AnswerKind.LONG_RECORD
    if sentences >= _LONG:
        return AnswerKind.LONG
    if not all(is_bare(reading, statement) for statement in reading.statements):
        return AnswerKind.SHORT
    is_placed = any(claim.coverage.nearness is not None for claim in claims)
    return AnswerKind.PLACED if is_placed else AnswerKind.BARE


def _antecedents(reading: Reading, sentences: Sequence[Hypothesis]) -> list[str]:
    """Return for each sentence the preceding text that it depends on, or ""."""
    tokens, decoded = reading.tokens, reading.decoded
    spans = (
        decoded.part(tokens.starts[line.first], tokens.ends[line.last - 1])
        for line in reading.lines
    )
    lines = [decoded.text[start:end] for start, end in spans]
    return [
        antecedent(lines, reading.statements[item.statements[0]].sentence) for item in sentences
    ]


def _doubts(
    reading: Reading, item: Hypothesis, words: Reworded, result: ClaimJudgement
) -> list[Doubt]:
    """Return the doubted words as code points of the answer, except settled figures."""
    doubts: list[Doubt] = []
    for start, end, doubt in result.words:
        place = words.original(start, end)
        if place is not None and place[0] >= item.lead:
            span = reading.decoded.written(*(at - item.lead + item.first for at in place))
            doubts.append((*span, doubt))
    return doubts


_BEFORE_TEXT = re.compile(r"[\s#>*_\-•\"“]*(?:(?:Q\d*|\d{1,2})[:.)]\s*)?[*_\"“]*")
"""A list sign, emphasis or "Q:" before a question of an FAQ."""


def _without_questions(corpus: Corpus, source: int) -> str:
    """Return a source as its reader sees it, with questions blanked: they support nothing.

    A question that begins a line stays if a statement follows: it says what the answer is about.
    """
    reading = corpus.readings[source]
    text = reading.text
    passages = [passage for passage in corpus.passages if passage.source == source]
    asks = [_asks(corpus, passage) for passage in passages]
    for at, passage in enumerate(passages):
        start, end = reading.part(passage.start, passage.end)
        line = text.rfind("\n", 0, start) + 1
        begins_line = _BEFORE_TEXT.fullmatch(text, line, start)
        if asks[at] and not (begins_line and asks[at + 1 : at + 2] == [False]):
            text = text[:start] + " " * (end - start) + text[end:]
    return text


def _asks(corpus: Corpus, passage: SourceSentence) -> bool:
    text = corpus.visible_text(passage.source, passage.start, passage.end)
    return text.rstrip().endswith(("?", "？"))


def _cut(results: Results, seconds: float) -> str:
    unread = sum(result is None for result in results)
    truncated = sum(result is not None and result.truncated for result in results)
    parts = [f"{unread} sentences were not read within {seconds:.2g} s"] if unread else []
    parts += [f"{truncated} sentences were too long to be read in full"] if truncated else []
    return "; ".join(parts)


def _note(results: Results) -> str:
    """Return who decided instead of the judge, and who could not, with numbers of sentences."""
    read = [result for result in results if result is not None]
    deciders = Counter(result.judge for result in read if result.judge)
    notes = Counter(result.note for result in read if result.note)
    parts = [f"{name} decided {count} of {len(results)}" for name, count in deciders.items()]
    return "; ".join([*parts, *(f"{note} ({count})" for note, count in notes.items())])


def _judges(
    claims: Sequence[ClaimReading | None],
    sentences: Sequence[Hypothesis],
    results: Results,
) -> tuple[JudgeUse, ...]:
    """Return the numbers of claims that each judge decided, and that one was unavailable for."""
    decided = Counter(claim.judgement.judge for claim in claims if claim is not None)
    missing = Counter[str]()
    for item, result in zip(sentences, results, strict=True):
        if result is not None and result.missing:
            missing[result.missing] += len(item.statements)
    names = dict.fromkeys((*decided, *missing))
    return tuple(JudgeUse(name, decided[name], missing[name]) for name in names)


def _of_claim(
    reading: Reading,
    grounded: Grounded,
    copied: frozenset[Words],
    item: Hypothesis,
    index: int,
    result: ClaimJudgement,
    doubts: Sequence[Doubt],
    parts: Parts,
    kind: AnswerKind,
    name: str,
) -> ClaimReading:
    claim = reading.statements[index].claim
    inside = [word for word in doubts if claim.start <= word[0] < claim.end]
    doubt = max((word[2] for word in inside), default=0.0)
    most = max((word[2] for word in doubts), default=0.0)
    share = doubt / most if len(item.statements) > 1 and most else 1.0
    entail = 1 - (1 - result.entail) * share
    contradict = min(result.contradict * share, 1 - entail)
    neutral = max(0.0, 1 - entail - contradict)
    both = replace(result, entail=entail, neutral=neutral, contradict=contradict)
    own = [part for at, part in parts if at.start < claim.end and claim.start < at.end]
    if own and not result.judge.startswith(CHOSEN):
        worst = min(own, key=attrgetter("entail"))
        both = together(both, worst, _OF_PARTS) or both
    judgement = Judgement(
        entail=round(both.entail, 4),
        neutral=round(both.neutral, 4),
        contradict=round(both.contradict, 4),
        doubt=round(doubt, 4),
        evidence_read=round(result.coverage, 4),
        kind=kind,
        judge=result.judge or name,
        verbatim=_stands(reading, grounded, copied, index),
    )
    words = tuple((a, b, round(p, 3)) for a, b, p in inside if p >= _LEAST_DOUBT)
    proof = proof_of(reading, reading.statements[index], grounded.corpus, result.windows)
    if proof is not None and result.judge:
        # A language model judged, and the windows are the passages that it quotes.
        proof = replace(proof, is_about=True)
    return ClaimReading(judgement, proof, words)


def _stands(reading: Reading, grounded: Grounded, sentences: frozenset[Words], index: int) -> bool:
    """Return whether the sources surely state the claim: in a table, or as a sentence of theirs."""
    grounding = grounded.claims[index]
    if grounding is not None and (grounding.stands or grounding.conflicts):
        return grounding.stands
    statement = reading.statements[index]
    return _words(reading.tokens, statement.first, statement.last) in sentences


def _sentences_of(corpus: Corpus) -> frozenset[Words]:
    """Return the words of each passage that is no question and of at least three words."""
    sentences = (
        _words(corpus.tokens[passage.source], passage.first, passage.last)
        for passage in corpus.passages
        if not _asks(corpus, passage)
    )
    return frozenset(words for words in sentences if len(words) >= _LEAST_COPIED)


def _words(tokens: Tokens, first: int, last: int) -> Words:
    """Return the words in lower case with all signs that mean something, punctuation left out."""
    return tuple(word for word in tokens.lower[first:last] if word.strip(_PUNCTUATION))
