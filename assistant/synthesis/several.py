"""One draft for all questions of a message, each answered by itself."""

from collections.abc import Sequence
from dataclasses import replace

from assistant.evidence import EvidenceBundle, ResolvedQuestion
from assistant.synthesis.deciding import asks_of_permission
from assistant.synthesis.drafts import NOT_FOUND, Draft
from assistant.synthesis.extractive import BY, DEFAULT, Embed, extract

SILENT = f"{NOT_FOUND.rstrip('.')}: “{{question}}”"
"""Said of one question where others of the message are answered."""
TAKEN = "I took this as: “{question}”"
"""Said where the manager's words were completed."""
_ONE = replace(DEFAULT, most=1)


def extract_all(
    questions: Sequence[ResolvedQuestion], bundle: EvidenceBundle, embed: Embed
) -> Draft:
    """A draft for the questions of a message. Raises what `embed` raises."""
    if len(questions) == 1:
        return _extract_one(questions[0], bundle, embed)
    drafts = [extract(item.text, bundle, embed, _ONE) for item in questions]
    answered = [draft for draft in drafts if draft.text or draft.remembered]
    if not answered:
        return drafts[0]
    if not any(draft.text for draft in answered):
        return _memory_draft(answered, _silent(questions, drafts))
    return _joined(answered, _silent(questions, drafts))


def taken_notes(questions: Sequence[ResolvedQuestion]) -> tuple[str, ...]:
    """How the manager's words were understood, where they were completed."""
    return tuple(TAKEN.format(question=item.text) for item in questions if item.changed)


def _extract_one(question: ResolvedQuestion, bundle: EvidenceBundle, embed: Embed) -> Draft:
    """A question that leans on an earlier one is also asked of the thing alone that it names."""
    draft = extract(question.text, bundle, embed)
    if draft.text or draft.remembered or not question.own or not asks_of_permission(question.text):
        return draft
    alone = extract(f"{question.own}?", bundle, embed, _ONE)
    return alone if alone.lead else draft


def _silent(questions: Sequence[ResolvedQuestion], drafts: Sequence[Draft]) -> tuple[str, ...]:
    pairs = zip(questions, drafts, strict=True)
    return tuple(
        SILENT.format(question=item.text.rstrip(".?! ") + "?")
        for item, draft in pairs
        if not draft.text and not draft.remembered
    )


def _memory_draft(drafts: Sequence[Draft], silent: tuple[str, ...]) -> Draft:
    first = drafts[0]
    memories = tuple(dict.fromkeys(n for draft in drafts for n in draft.memories))
    return replace(first, memories=memories, lead="", notes=(*silent, *first.notes))


def _joined(drafts: Sequence[Draft], silent: tuple[str, ...]) -> Draft:
    texts = dict.fromkeys(draft.text for draft in drafts if draft.text)
    leading = _leading(drafts)
    memories = tuple(dict.fromkeys(n for draft in drafts for n in draft.memories))
    notes = dict.fromkeys(note for draft in drafts if draft.text for note in draft.notes)
    return Draft(
        "\n\n".join(texts),
        BY,
        (*silent, *notes),
        memories,
        lead=_join_leads([draft.lead for draft in leading]),
        deciding=leading[0].deciding if leading else "",
        also=tuple(draft.deciding for draft in leading[1:]),
        conflicts=tuple(item for draft in drafts for item in draft.conflicts),
    )


def _leading(drafts: Sequence[Draft]) -> list[Draft]:
    """The drafts up to the first that has no lead: what leads must be in the questions' order."""
    leading = list[Draft]()
    for draft in drafts:
        if not draft.lead or draft.remembered:
            break
        leading.append(draft)
    return leading


def _join_leads(leads: Sequence[str]) -> str:
    """ "Yes, and 5 mm"."""
    first, *others = [*leads, ""]
    lower = [lead[:1].lower() + lead[1:] for lead in others if lead]
    return ", and ".join([first, *lower])
