"""Writes a draft from evidence with the configured language models, else from its sentences.

A model's text is held to its rules before anything else sees it. If a model fails, exceeds the
budget or cites nothing, sentences are chosen instead, and the notes say so.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from uuid import UUID

import structlog
from django.conf import settings

from analysis.engine.signals.consistency import SampleReader
from analysis.judge import sample_judge
from analysis.services.sampling import configured
from assistant.evidence import EvidenceBundle, Item, ResolvedQuestion
from assistant.services import budget
from assistant.synthesis.citing import CitedText, enforce_citations
from assistant.synthesis.consensus import agree, quorum_of
from assistant.synthesis.drafts import NOT_FOUND, Draft
from assistant.synthesis.extractive import BY as QUOTED
from assistant.synthesis.extractive import Readers, disagreements, extract, taken_notes
from assistant.understanding.asking import is_statement
from documents.embedding import embed_passages
from documents.injection import new_boundary, wrap
from inference.errors import ModelError
from inference.judge import ANSWERS, BASE, get_judge, judge_status
from inference.llm import ChatMessage, Completion, Endpoint, complete
from lib.stats.odds import logit

log = structlog.get_logger(__name__)
MOST_ITEM_CHARACTERS = 4_000
_CLOSEST = 0.001
"""Probabilities are no closer to 0 and 1."""
_RULES = Path(__file__).parents[1] / "prompts" / "synthesis.txt"
SPENT = "Today's budget for language models is used up."
CITED_NOTHING = "The language model cited none of the sources, so its text was left out."
NO_AGREEMENT = "The language models did not agree on an answer."


def endpoints() -> list[Endpoint]:
    """Return the configured generators, each once."""
    further = [
        Endpoint(llm["url"], llm["model"], llm.get("key", ""), settings.LLM_MAX_TOKENS)
        for llm in settings.ASSISTANT_LLMS
    ]
    return list(dict.fromkeys(filter(None, [configured(), *further])))


def write(application_id: UUID, question: str, bundle: EvidenceBundle) -> Draft:
    """Write a draft; it has no text if the bundle contains no answer.

    Raises ModelError without an embedding model.
    """
    questions = bundle.questions or (ResolvedQuestion(question),)
    if is_statement(" ".join(item.text for item in questions)):
        return Draft("", QUOTED)
    draft = _write(application_id, questions, bundle)
    return replace(draft, notes=(*taken_notes(bundle.questions), *draft.notes))


def _write(
    application_id: UUID, questions: Sequence[ResolvedQuestion], bundle: EvidenceBundle
) -> Draft:
    models, question = endpoints(), " ".join(item.text for item in questions)
    if not bundle.usable or not models:
        return _extract_draft(questions, bundle)
    if budget.is_spent(application_id):
        return _extract_draft(questions, bundle, SPENT)
    answers = _ask_models(models, question, bundle)
    tokens = sum(answer.tokens for answer in answers)
    budget.spend(application_id, tokens)
    usable = [answer for answer in answers if not answer.problem]
    notes = tuple(
        f"The language model {answer.model} did not answer: {answer.problem}."
        for answer in answers
        if answer.problem
    )
    if not usable:
        return replace(_extract_draft(questions, bundle, *notes), tokens=tokens)
    if len(models) == 1:
        draft = _single(questions, bundle, usable[0], notes)
    else:
        draft = _several(question, bundle, usable, notes, len(models))
    return _with_limits(questions, bundle, draft)


def _with_limits(
    questions: Sequence[ResolvedQuestion], bundle: EvidenceBundle, draft: Draft
) -> Draft:
    """Add conflicting limits to a model's draft; an empty one is answered from memory."""
    if draft.by == QUOTED:
        return draft
    if draft.text:
        return replace(draft, conflicts=disagreements(questions, bundle, _readers()))
    of_memory = extract(questions, replace(bundle, items=bundle.remembered), _readers())
    if not of_memory.remembered:
        return draft
    return replace(draft, memories=of_memory.memories, remembered=True)


def _readers() -> Readers:
    """Return the embedding model, and the judge of answers where the base judge is used."""
    ready = settings.NLI_MODEL == BASE and judge_status(settings.MODEL_DIR, ANSWERS).is_ready
    return Readers(embed_passages, _answering if ready else None)


def _answering(question: str, texts: Sequence[str]) -> list[float]:
    """Return the log-odds that each text answers the question. Raises ModelError."""
    judge = get_judge(settings.MODEL_DIR, ANSWERS, threads=settings.NLI_THREADS)
    judgements = judge.predict(question, [], texts)
    return [logit(judgement.entail, _CLOSEST) for judgement in judgements if judgement]


def _extract_draft(
    questions: Sequence[ResolvedQuestion], bundle: EvidenceBundle, *notes: str
) -> Draft:
    draft = extract(questions, bundle, _readers())
    return replace(draft, notes=(*notes, *draft.notes))


def _ask_models(
    models: Sequence[Endpoint], question: str, bundle: EvidenceBundle
) -> list[Completion]:
    """Return the answer of each model, all asked at once."""
    prompt, seconds = messages(question, bundle), settings.ASSISTANT_LLM_SECONDS
    ask = partial(complete, messages=prompt, deadline_s=seconds, logprobs=True)
    with ThreadPoolExecutor(max_workers=len(models), thread_name_prefix="writing") as pool:
        return list(pool.map(ask, models))


def messages(
    question: str, bundle: EvidenceBundle, boundary: str | None = None
) -> list[ChatMessage]:
    """Return the messages for a model, without flagged items. `boundary`: a new one by default."""
    boundary = boundary or new_boundary()
    rules = _RULES.read_text(encoding="utf-8").strip().format(not_found=NOT_FOUND)
    items = [_item_text(item, boundary) for item in (*bundle.usable, *bundle.remembered)]
    opening = "Items of evidence:" if items else "There are no items of evidence."
    content = "\n\n".join([opening, *items, f"Question: {question}"])
    return [ChatMessage(role="system", content=rules), ChatMessage(role="user", content=content)]


def _item_text(item: Item, boundary: str) -> str:
    heading = item.place.get("heading")
    above = f" under the heading {heading!r}" if heading else ""
    head = f"[{item.number}] {item.kind.value}: {item.title}{above}"
    # A title is a file's name or a heading: untrusted text as well.
    return f"{wrap(head, boundary)}\n{wrap(item.text[:MOST_ITEM_CHARACTERS], boundary)}"


def _single(
    questions: Sequence[ResolvedQuestion],
    bundle: EvidenceBundle,
    answer: Completion,
    notes: tuple[str, ...],
) -> Draft:
    checked = enforce_citations(answer.text, bundle)
    if not checked.text and not checked.not_found and not checked.memories:
        return replace(
            _extract_draft(questions, bundle, *notes, CITED_NOTHING), tokens=answer.tokens
        )
    same = checked.text == answer.text.strip()
    return Draft(
        text=checked.text,
        by=answer.model,
        notes=(*notes, *_left_out(checked)),
        memories=checked.memories,
        logprobs=answer.logprobs if same else None,
        tokens=answer.tokens,
        removed=checked.removed,
    )


def _several(
    question: str,
    bundle: EvidenceBundle,
    answers: Sequence[Completion],
    notes: tuple[str, ...],
    model_count: int,
) -> Draft:
    checked_texts = [enforce_citations(answer.text, bundle) for answer in answers]
    texts = [item.text for item in checked_texts]
    quorum = quorum_of(model_count, settings.ASSISTANT_AGREEING)
    reader, by = _reader()
    consensus = agree(texts, question, quorum, reader, embed_passages)
    agreed = _dropped_note(consensus.dropped, quorum) if consensus.text else (NO_AGREEMENT,)
    notes = (*notes, *(agreed if any(texts) else ()))
    others = tuple(text for at, text in enumerate(texts) if at != consensus.author and text)
    report = {
        "asked": model_count,
        "answered": len(answers),
        "needed": quorum,
        "compared_by": by,
        "taken": answers[consensus.author].model,
        "votes": consensus.votes,
        "dropped": list(consensus.dropped),
    }
    return Draft(
        text=consensus.text,
        by=" + ".join(answer.model for answer in answers),
        notes=(*notes, *_left_out(checked_texts[consensus.author])),
        memories=tuple(dict.fromkeys(number for item in checked_texts for number in item.memories)),
        samples=others,
        tokens=sum(answer.tokens for answer in answers),
        removed=checked_texts[consensus.author].removed,
        consensus=report,
    )


def _reader() -> tuple[SampleReader, str]:
    """Return the reader that compares answers and its name, or the rules without a model."""
    reader, rules = SampleReader(sample_judge()), SampleReader()
    try:
        return reader, reader.model_id
    except ModelError as error:
        log.warning("consensus_without_model", reason=error.problem)
        return rules, f"{rules.model_id} ({error.problem})"


def _left_out(cited_text: CitedText) -> tuple[str, ...]:
    if not cited_text.removed:
        return ()
    return (
        f"Left out of what the model wrote: {len(cited_text.removed)} parts that cite no source.",
    )


def _dropped_note(dropped: Sequence[str], quorum: int) -> tuple[str, ...]:
    if not dropped:
        return ()
    return (f"Left out: {len(dropped)} sentences that fewer than {quorum} models agree on.",)
