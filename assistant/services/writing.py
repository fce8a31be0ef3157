"""Writing a draft from a bag: by the language models of the settings, else by choosing sentences.

What a model wrote is held to its rules before anything else sees it. Where a model fails, spends
more than the budget or cites nothing, sentences are chosen instead, and the notes say so.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from uuid import UUID

import structlog
from django.conf import settings

from analysis.engine.signals.entailment import Model
from analysis.nli import nli
from analysis.services.sampling import configured
from assistant.evidence import Bag
from assistant.services import budget
from assistant.synthesis.citing import Held, held
from assistant.synthesis.consensus import agree, needed_of
from assistant.synthesis.drafts import Draft
from assistant.synthesis.extractive import BY as QUOTED
from assistant.synthesis.extractive import disagreements, extract, from_memory
from assistant.synthesis.prompting import messages
from documents.embedding import embed_passages
from inference.errors import ModelError
from inference.llm import Completion, Endpoint, complete

log = structlog.get_logger(__name__)
OnText = Callable[[int], None]
SPENT = "Today's budget for language models is used up."
CITED_NOTHING = "What the language model wrote cited none of the sources, so it was left out."
NO_AGREEMENT = "The language models did not agree on an answer."


def endpoints() -> list[Endpoint]:
    """The generators of the settings, each once."""
    further = [
        Endpoint(one["url"], one["model"], one.get("key", ""), settings.LLM_MAX_TOKENS)
        for one in settings.ASSISTANT_LLMS
    ]
    first = configured()
    return list(dict.fromkeys([*([first] if first else []), *further]))


def write(application_id: UUID, question: str, bag: Bag, on_text: OnText) -> Draft:
    """A draft; without text where the bag holds no answer. Raises ModelError without a model of
    embedding."""
    models = endpoints()
    if not bag.usable or not models:
        return _extracted(question, bag)
    if budget.is_spent(application_id):
        return _extracted(question, bag, SPENT)
    answers = _asked(models, question, bag, on_text)
    tokens = sum(answer.tokens for answer in answers)
    budget.spend(application_id, tokens)
    came = [answer for answer in answers if not answer.problem]
    notes = tuple(_failed(answer) for answer in answers if answer.problem)
    if not came:
        return replace(_extracted(question, bag, *notes), tokens=tokens)
    if len(models) == 1:
        draft = _single(question, bag, came[0], notes)
    else:
        draft = _several(question, bag, came, notes, len(models))
    return _weighed(question, bag, draft)


def _weighed(question: str, bag: Bag, draft: Draft) -> Draft:
    """The draft of a model with the limits that disagree; without a text, what was told answers."""
    if draft.by == QUOTED:
        return draft
    if draft.text:
        return replace(draft, conflicts=disagreements(question, bag))
    told = from_memory(question, bag)
    if not told.remembered:
        return draft
    return replace(
        draft, memories=told.memories, lead=told.lead, deciding=told.deciding, remembered=True
    )


def _extracted(question: str, bag: Bag, *notes: str) -> Draft:
    draft = extract(question, bag, embed_passages)
    return replace(draft, notes=(*notes, *draft.notes))


def _asked(
    models: Sequence[Endpoint], question: str, bag: Bag, on_text: OnText
) -> list[Completion]:
    """The answer of each model, all asked at once."""
    asked, seconds = messages(question, bag), settings.ASSISTANT_LLM_SECONDS
    ask = partial(complete, messages=asked, deadline_s=seconds, on_text=on_text, logprobs=True)
    with ThreadPoolExecutor(max_workers=len(models), thread_name_prefix="writing") as pool:
        return list(pool.map(ask, models))


def _single(question: str, bag: Bag, answer: Completion, notes: tuple[str, ...]) -> Draft:
    kept = held(answer.text, bag)
    if not kept.text and not kept.not_found and not kept.memories:
        return replace(_extracted(question, bag, *notes, CITED_NOTHING), tokens=answer.tokens)
    same = kept.text == answer.text.strip()
    return Draft(
        text=kept.text,
        by=answer.model,
        notes=(*notes, *_left_out(kept)),
        memories=kept.memories,
        logprobs=answer.logprobs if same else None,
        tokens=answer.tokens,
        removed=kept.removed,
    )


def _several(
    question: str, bag: Bag, came: Sequence[Completion], notes: tuple[str, ...], asked: int
) -> Draft:
    kept = [held(answer.text, bag) for answer in came]
    texts = [one.text for one in kept]
    needed = needed_of(asked, settings.ASSISTANT_AGREEING)
    model, by = _reader()
    found = agree(texts, question, needed, model)
    agreed = _dropped(found.dropped, needed) if found.text else (NO_AGREEMENT,)
    notes = (*notes, *(agreed if any(texts) else ()))
    others = tuple(text for at, text in enumerate(texts) if at != found.author and text)
    told = {
        "asked": asked,
        "answered": len(came),
        "needed": needed,
        "compared_by": by,
        "taken": came[found.author].model,
        "votes": found.votes,
        "dropped": list(found.dropped),
    }
    return Draft(
        text=found.text,
        by=" + ".join(answer.model for answer in came),
        notes=(*notes, *_left_out(kept[found.author])),
        memories=tuple(dict.fromkeys(number for one in kept for number in one.memories)),
        samples=others,
        tokens=sum(answer.tokens for answer in came),
        removed=kept[found.author].removed,
        consensus=told,
    )


def _reader() -> tuple[Model | None, str]:
    """The model of entailment, or None with the reason where its rules must do."""
    model = nli()
    if model is None:
        return None, "lexical-1"
    try:
        return model, model.model_id
    except ModelError as error:
        log.warning("consensus_without_model", reason=error.problem)
        return None, f"lexical-1 ({error.problem})"


def _failed(answer: Completion) -> str:
    return f"The language model {answer.model} did not answer: {answer.problem}."


def _left_out(kept: Held) -> tuple[str, ...]:
    if not kept.removed:
        return ()
    return (f"Left out of what the model wrote: {len(kept.removed)} parts that cite no source.",)


def _dropped(dropped: Sequence[str], needed: int) -> tuple[str, ...]:
    if not dropped:
        return ()
    return (f"Left out: {len(dropped)} sentences that fewer than {needed} models agree on.",)
