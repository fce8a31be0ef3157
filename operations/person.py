"""Finds and erases data about a person, by words, metadata or identity.

Checks, conversations, the assistant's memory and uploaded documents; of managers named as people
everything. The package that owns the rows erases them, with an entry in the audit trail; a legal
hold on the application stops all of it.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import or_
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.models import Application
from analysis.models import (
    AnnotatedAnswer,
    Check,
    Feedback,
    LegalHold,
    Review,
    ReviewDraft,
    ReviewSkip,
)
from analysis.services.erasure import EVERYTHING, erase_checks
from assistant.models import Conversation, Turn
from assistant.services.erasing import erase_turns
from audit.models import Event
from audit.services import append
from documents.models import Document
from documents.services.uploads import delete_documents
from memory.models import Manager, MemoryEntry
from memory.services.managers import delete_from, delete_manager

AT_ONCE = 100
_READ_AT_ONCE = 500
_TEXTS = ("query", "answer", "last_error")
_DOCUMENTS = ("sources", "samples", "messages", "scope", "metadata")
_RESULT_DOCUMENTS = ("measurement", "decision", "suggestions")
_MEMORY_TEXTS = ("text", "slot", "value", "source")
_TURN_TEXTS = ("question", "answer", "last_error")
_TURN_DOCUMENTS = ("arrived", "writing", "memory", "evidence__contents", "documents")
_FILE_TEXTS = ("name", "title", "text")
_FILE_DOCUMENTS = ("hidden_text", "metadata")


@dataclass(frozen=True, slots=True)
class Query:
    """Matches anything with one of `texts` (in any case), and checks with all of `metadata`.

    In checks, texts are searched in question, answer, sources, samples, conversation, scope,
    metadata, evidence, decision, reviewers' words (drafts included) and end users' comments.
    `people`: names of users and managers, whose conversations, memory and uploads match whatever
    they say.
    """

    texts: Sequence[str] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)
    people: Sequence[str] = ()


def matching(application: Application, query: Query) -> Iterator[UUID]:
    """Yield the ids of matching checks not yet erased, oldest first; read in batches of 500."""
    rows = Check.everything.filter(application=application, input_erased_at=None).order_by("pk")
    last: UUID | None = None
    while True:
        part = rows if last is None else rows.filter(pk__gt=last)
        ids = list(part.values_list("pk", flat=True)[:_READ_AT_ONCE])
        if not ids:
            return
        matches = Check.everything.filter(pk__in=ids)
        if query.metadata:
            matches = matches.filter(metadata__contains=dict(query.metadata))
        if query.texts:
            matches = matches.filter(_any_of(query.texts, _in_check))
        yield from matches.order_by("pk").values_list("pk", flat=True)
        last = ids[-1]


def _any_of(texts: Sequence[str], matching: Callable[[str], Q]) -> Q:
    return reduce(or_, map(matching, texts), Q())


def _in_check(text: str) -> Q:
    """Match a check by its own columns, its result, and words of reviewers and end users.

    Of reviewers also drafts, and reasons for skipping.
    """
    beside: Sequence[tuple[QuerySet[Any], str]] = (
        (AnnotatedAnswer.objects.filter(_holds(text, documents=_RESULT_DOCUMENTS)), "pk"),
        (Review.objects.filter(_holds(text, ("note", "corrected_text"))), "check_record"),
        (
            ReviewDraft.objects.filter(_holds(text, documents=("fields",))),
            "review__check_record",
        ),
        (ReviewSkip.objects.filter(reason__icontains=text), "review__check_record"),
        (Feedback.objects.filter(comment__icontains=text), "check_record"),
    )
    condition = _holds(text, _TEXTS, _DOCUMENTS)
    for rows, check in beside:
        condition |= Q(Exists(rows.filter(**{check: OuterRef("pk")})))
    return condition


def _holds(text: str, columns: Sequence[str] = (), documents: Sequence[str] = ()) -> Q:
    """Match rows with the text in any of these columns, or in the JSON of any of `documents`."""
    in_json = json.dumps(text, ensure_ascii=False)[1:-1]  # escaped, without quotes
    conditions = [Q((f"{name}__icontains", text)) for name in columns]
    conditions += [Q((f"{name}__icontains", in_json)) for name in documents]
    return reduce(or_, conditions, Q())


@dataclass(frozen=True, slots=True)
class PersonData:
    """Ids of data about the person, by kind."""

    checks: Sequence[UUID] = ()
    turns: Sequence[UUID] = ()
    memories: Sequence[UUID] = ()
    documents: Sequence[UUID] = ()
    managers: Sequence[UUID] = ()

    def counts(self) -> dict[str, int]:
        return {name: len(getattr(self, name)) for name in KINDS}


KINDS = ("checks", "turns", "memories", "documents", "managers")


@dataclass(slots=True)
class Report:
    """The result of an erasure: how many of each kind are gone, and what is left and why."""

    erased: dict[str, int] = field(default_factory=lambda: dict.fromkeys(KINDS, 0))
    left: list[str] = field(default_factory=list)


def find(application: Application, query: Query) -> PersonData:
    """Return what a query matches, with a turn's check and a check's turn; change nothing."""
    people, texts = query.people, query.texts
    managers = _ids(
        Manager.objects.filter(application=application),
        Q(name__in=people) | Q(user__username__in=people),
        bool(people),
    )
    turns = _ids(
        Turn.objects.filter(application=application),
        Q(conversation__manager__in=managers)
        | _any_of(texts, lambda text: _holds(text, _TURN_TEXTS, _TURN_DOCUMENTS)),
        bool(managers or texts),
    )
    memories = _ids(
        MemoryEntry.objects.filter(application=application),
        Q(manager__in=managers)
        | Q(stated_by__in=managers)
        | _any_of(texts, lambda text: _holds(text, _MEMORY_TEXTS)),
        bool(managers or texts),
    )
    documents = _ids(
        Document.objects.filter(collection__application=application),
        Q(uploaded_by__in=people)
        | _any_of(texts, lambda text: _holds(text, _FILE_TEXTS, _FILE_DOCUMENTS)),
        bool(people or texts),
    )
    matching_checks = list(matching(application, query)) if texts or query.metadata else []
    answers = Turn.objects.filter(pk__in=turns, check_record__input_erased_at=None)
    checks = [*dict.fromkeys([*matching_checks, *answers.values_list("check_record", flat=True)])]
    beside = Turn.objects.filter(check_record__in=matching_checks).values_list("pk", flat=True)
    return PersonData(
        checks=[check for check in checks if check is not None],
        turns=[*dict.fromkeys([*turns, *beside])],
        memories=memories,
        documents=documents,
        managers=managers,
    )


def erase(
    application: Application, person_data: PersonData, report: Report, *, by: str, reason: str
) -> Iterator[tuple[str, int]]:
    """Erase what was found, a hundred rows at a time; yield the kind and how many were tried.

    The result is written into `report`. Safe to repeat after an interruption. The last step is an
    entry `person.erased`.
    """
    holds = LegalHold.objects.filter(application=application, check_record=None)
    if holds.filter(lifted_at=None).exists():
        report.left += [f"{name}: on legal hold" for name in KINDS if getattr(person_data, name)]
        return
    for name, step in _STEPS.items():
        ids = getattr(person_data, name)
        for at in range(0, len(ids), AT_ONCE):
            step(application, ids[at : at + AT_ONCE], by, reason, report)
            yield name, min(at + AT_ONCE, len(ids))
    append(
        Event.PERSON_ERASED,
        subject=application,
        by=by,
        erased=report.erased,
        left=len(report.left),
        reason=reason,
    )


def _erase_checks(_: Application, ids: Sequence[UUID], by: str, reason: str, to: Report) -> None:
    turns = Turn.objects.filter(check_record__in=ids)
    before = turns.count()
    done = erase_checks(check_ids=ids, parts=EVERYTHING, by=by, reason=reason)
    to.erased["checks"] += len(done.erased)
    to.erased["turns"] += before - turns.count()
    _leave(to, "check", done.on_hold, done.unfinished)


def _erase_turns(_: Application, ids: Sequence[UUID], by: str, reason: str, to: Report) -> None:
    done = erase_turns(turn_ids=ids, by=by, reason=reason)
    to.erased["turns"] += len(done.erased)
    _leave(to, "turn", done.on_hold, done.unfinished)


def _erase_memories(
    application: Application, ids: Sequence[UUID], by: str, reason: str, to: Report
) -> None:
    entries = MemoryEntry.objects.filter(application=application)
    for entry_id in ids:
        if entries.filter(pk=entry_id).exists():  # not gone with what superseded it
            to.erased["memories"] += delete_from(entries, entry_id, by=by, reason=reason)


def _erase_documents(_: Application, ids: Sequence[UUID], by: str, reason: str, to: Report) -> None:
    documents = list(Document.objects.filter(pk__in=ids).select_related("collection"))
    delete_documents(documents=documents, by=by, reason=reason)
    to.erased["documents"] += len(documents)


@transaction.atomic
def _erase_managers(_: Application, ids: Sequence[UUID], by: str, reason: str, to: Report) -> None:
    """Erase managers and conversations without questions; one with questions keeps its manager."""
    for manager in Manager.objects.filter(pk__in=ids):
        mine = Conversation.objects.filter(manager=manager)
        if mine.exclude(turns=None).exists():
            to.left.append(f"manager {manager.pk}: has conversations that are left")
            continue
        mine.delete()
        delete_manager(manager=manager, by=by)
        to.erased["managers"] += 1


_STEPS = {
    "checks": _erase_checks,
    "turns": _erase_turns,
    "memories": _erase_memories,
    "documents": _erase_documents,
    "managers": _erase_managers,
}


def _leave(to: Report, what: str, on_hold: Sequence[UUID], unfinished: Sequence[UUID]) -> None:
    to.left += [f"{what} {item}: on legal hold" for item in on_hold]
    to.left += [f"{what} {item}: still worked on" for item in unfinished]


def unknown_people(application: Application, names: Sequence[str]) -> list[str]:
    """Return the `names` of no user, manager or uploader here."""
    known_names = {
        *User.objects.filter(username__in=names).values_list("username", flat=True),
        *Manager.objects.filter(application=application).values_list("name", flat=True),
        *Document.objects.filter(
            collection__application=application, uploaded_by__in=names
        ).values_list("uploaded_by", flat=True),
    }
    return [name for name in names if name not in known_names]


def _ids(rows: "QuerySet[Any]", condition: Q, is_asked: bool) -> list[UUID]:
    """Return matching ids; none without a query, whose empty condition would match every row."""
    if not is_asked:
        return []
    return list(rows.filter(condition).order_by("pk").values_list("pk", flat=True))
