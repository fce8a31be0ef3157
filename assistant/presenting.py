"""Composes what a manager is shown: the checked answer, memories, figures and sources.

The text comes from the pipeline. Everything beside it is quoted or computed: the manager's own
earlier words, and figures of the same dimension side by side.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from analysis.engine.codec import decode
from assistant.evidence import EvidenceBundle, EvidenceKind, Item, SourceStatus
from assistant.synthesis.citing import cited_sentences, once_a_sentence
from assistant.synthesis.drafts import NOT_FOUND
from assistant.synthesis.extractive import NO_MODEL, UNUSED
from assistant.synthesis.figures import Comparison, side_by_side

_NAMES = {
    EvidenceKind.DOCUMENT: "the documents",
    EvidenceKind.WEATHER: "the weather service",
    EvidenceKind.MEMORY: "what is remembered",
}
FAILED = (SourceStatus.UNAVAILABLE, SourceStatus.TIMED_OUT)
_LEFT_OUT = "Left out, because it reads like an instruction to an assistant"
KNOWN = "I already remember that."
NOT_KEPT = "I have not stored this."
CONFLICTING = "Conflicting limits are shown side by side."
INCOMPLETE = "A source that was asked could not be used for this answer."
UNRULED = "No limit was found in the documents."
REMEMBERED = "No document says so; it was told and remembered."
UNSURE = "I am not sure that the documents answer this. The closest passages are:"
SUGGESTED = "The documents answer:"
NOT_CHECKED = "The answer could not be checked, so it is not shown. A reviewer has been notified."


@dataclass(frozen=True, slots=True)
class Beside:
    """The passages quoted beside the checked text of an answer.

    `remembered`: what the manager told answers, the documents are silent. `closest`: numbers and
    sentences that come closest where nothing is certain. `conflicts`: in words, the limits that do
    not agree, with `numbers` of the items that state them. `incomplete`: a source that was asked
    failed or was late. `unruled`: limits beside the weather were asked for and no document has any.
    `suggested`: other questions, which the documents answer.
    """

    remembered: bool = False
    closest: tuple[tuple[int, str], ...] = ()
    conflicts: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()
    incomplete: bool = False
    unruled: bool = False
    suggested: tuple[str, ...] = ()

    @property
    def cautions(self) -> tuple[dict[str, str], ...]:
        """The reasons for at least WARN, beyond those of the check of its claims."""
        cautions = (
            (self.conflicts, "conflicting_limits", CONFLICTING),
            (self.remembered, "remembered_only", REMEMBERED),
            (self.incomplete, "source_missing", INCOMPLETE),
            (self.unruled, "limit_missing", UNRULED),
        )
        return tuple({"code": code, "text": text} for holds, code, text in cautions if holds)


NOTHING = Beside()


def beside_of(writing: Mapping[str, Any]) -> Beside:
    """Return what stands beside a turn's answer, out of its `writing`."""
    return decode(Beside, writing.get("beside", {}))


@dataclass(frozen=True, slots=True)
class AnswerText:
    """The whole text, the numbers of the bundle it cites, and figures side by side."""

    text: str
    cited: tuple[int, ...]
    comparisons: tuple[Comparison, ...]
    notes: tuple[str, ...]


def answer_text(
    question: str,
    final: str,
    bundle: EvidenceBundle,
    memories: Sequence[int],
    *,
    quoted: bool = False,
    new_facts: Sequence[str] = (),
    notes: Sequence[str] = (),
    beside: Beside = NOTHING,
    told_before: Collection[str] = (),
    acknowledged: str = "",
) -> AnswerText:
    """Return what is shown of a final response; "" stands for an answer that claims nothing.

    `quoted`: the answer is made of sentences of its sources. `new_facts`: what was remembered just
    now. `notes`: how it was written. `beside`: what is quoted beside it. `told_before`: the notes
    of the conversation so far. `acknowledged`: what a statement is answered with of which nothing
    new was remembered.
    """
    items = {item.number: item for item in bundle.items}
    final = once_a_sentence(final, quoted=quoted)
    stated = [(number, text) for number, text in cited_sentences(final) if number in items]
    cited = dict.fromkeys(number for number, _ in stated)
    forecasts = [items[number] for number in cited if items[number].kind is EvidenceKind.WEATHER]
    memory_items = [items[number] for number in memories if number in items]
    rules = [(n, text) for n, text in stated if items[n].kind is EvidenceKind.DOCUMENT]
    memory_texts = [(item.number, item.text) for item in memory_items]
    compared = side_by_side(question, forecasts, [*rules, *memory_texts])
    unruled = [UNRULED] if beside.unruled else []
    notes = tuple(dict.fromkeys([*notes, *unruled, *missing(bundle)]))
    parts = [
        _body(question, final or acknowledged, beside, memory_items, new_facts),
        _list(SUGGESTED, beside.suggested),
        _list("Conflicting limits:", beside.conflicts),
        _list("Side by side:", [item.text for item in compared]),
        "" if beside.remembered else _list_items(memory_items),
        "\n".join(f"I will remember: “{fact}”" for fact in new_facts),
    ]
    numbers = {
        *cited,
        *beside.numbers,
        *(number for number, _ in beside.closest),
        *(item.number for item in memory_items),
    }
    cited_items = [items[number] for number in sorted(numbers) if number in items]
    parts.append("\n".join(f"Note: {note}" for note in new_notes(notes, told_before)))
    if cited_items:
        lines = (f"[{item.number}] {source_line(item)}" for item in cited_items)
        parts.append("\n".join(["Sources:", *lines]))
    text = "\n\n".join(filter(None, parts))
    return AnswerText(text, tuple(item.number for item in cited_items), compared, notes)


def _body(
    question: str,
    final: str,
    beside: Beside,
    items: Sequence[Item],
    new_facts: Sequence[str],
) -> str:
    if beside.remembered and items:
        return f"{_list_items(items)}\n{REMEMBERED}"
    if beside.closest:
        closest = [f"“{text}” [{number}]" for number, text in beside.closest]
        return "\n\n".join(filter(None, [final, _list(UNSURE, closest)]))
    # A message that only states something gets no "not found".
    return final or ("" if new_facts and "?" not in question else NOT_FOUND)


def _list(title: str, texts: Sequence[str]) -> str:
    return "\n- ".join([title, *texts]) if texts else ""


def new_notes(notes: Iterable[str], before: Collection[str]) -> tuple[str, ...]:
    """Return the notes without boilerplate that the conversation already contains."""
    return tuple(
        note
        for note in notes
        if note not in before or not (note in (NO_MODEL, UNUSED) or is_left_out(note))
    )


def is_left_out(note: str) -> bool:
    """Return whether a note names a passage left out of the bundle."""
    return note.startswith(_LEFT_OUT)


def missing(bundle: EvidenceBundle) -> tuple[str, ...]:
    """Return a sentence for each source that failed or was late, and for each left-out item."""
    failures = [
        f"{_NAMES[source.kind].capitalize()} could not be used for this answer: {source.reason}"
        for source in bundle.sources
        if source.status in FAILED
    ]
    return (*failures, *(f"{_LEFT_OUT}: {item.title}." for item in bundle.flagged))


def names_left_out(note: str, source: str) -> bool:
    """Return whether a note says that this source (`source_line`) was left out."""
    title = note.removeprefix(f"{_LEFT_OUT}: ").removesuffix(".")
    return title != note and source.startswith(title)


def _list_items(items: Sequence[Item]) -> str:
    return _list("Remembered:", [f"“{item.text}” [{item.number}]" for item in items])


def source_line(item: Item) -> str:
    """Return an item's line in the list of sources: its title and heading."""
    heading = item.place.get("heading")
    return f"{item.title} ({heading})" if heading else item.title


def item_document(item: Item, cited: Sequence[int]) -> dict[str, Any]:
    """Return an item for a client: its number, text, source line and place."""
    return {
        "number": item.number,
        "kind": item.kind.value,
        "source": source_line(item),
        "text": item.text,
        "uri": item.uri,
        "place": item.place,
        "cited": item.number in cited,
        "injection": item.injection,
        "flagged": item.flagged,
    }
