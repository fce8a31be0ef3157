"""Compares a claim with the direct statements of records: fields and opening hours."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import NamedTuple

from analysis.engine.evidence.corpus import Corpus
from analysis.engine.evidence.records import DAYS, Field, RecordFields, Week
from analysis.engine.facts.figures import AND, TO, WEEKDAYS
from analysis.engine.rules.conflicts import ClaimQuery
from analysis.engine.signal_types import Conflict
from analysis.engine.types import ConflictKind
from lib.text.dates import CLOCK_OPEN, HALF_DAY, clock_at
from lib.text.negation import NEGATORS, negations
from lib.text.stems import stem, stem_set
from lib.text.tokens import MARK, NUMBER, Tokens
from lib.text.units import SMALL
from lib.text.words import word_set

_TURNS = word_set("but however although though while whereas yet ;")
_OPENERS = word_set("while although though despite whereas")
"""A clause that one of these opens ends at its comma, and so does its negation."""
_HAS = word_set("offers offer has have provides provide there includes features feature serves")
_SAME_GROUP = {
    stem(word): stem("ambience")
    for word in ("ambiance", "atmosphere", "setting", "vibe", "environment", "decor")
}
_TOLD = stem_set("review reviewer complain praise mention comment criticize note report")
"""Opinions are found in texts, not in a record's fields."""
_LACKS = word_set("lacks lack lacking without")
_GIVEN = word_set("available offered provided accepted allowed included present possible")
_AVAILABLE = _HAS | _GIVEN | word_set("availability option options")
_GOES_ON = _HAS | word_set("is are does do can may")
_TALK = stem_set(
    "restaurant business establishment place cafe hotel shop store bar company customers guests "
    "visitors offer offers provide provides provided include includes feature features have "
    "available availability option options service services amenity amenities accept accepts "
    "allow allows serve convenience additionally also open operate hours daily week every close "
    "am pm closed day days from until regular operating various both free access"
)
"""Words around a field that say nothing more than the field does."""
_LONGEST = 3
_BEFORE, _AFTER = 4, 10


@dataclass(frozen=True, slots=True)
class Mention:
    """A field that tokens [first, last) of a claim mention, and whether they negate it."""

    field: Field
    first: int
    last: int
    denied: bool

    @property
    def agrees(self) -> bool | None:
        """True if the record says the same; None if it says nothing."""
        return None if self.field.value is None else self.field.value != self.denied


def mentions(tokens: Tokens, first: int, last: int, record: RecordFields) -> list[Mention]:
    """Return the fields that tokens [first, last) mention."""
    words = [at for at in range(first, last) if tokens.kinds[at] != MARK]
    stems = {stem(tokens.lower[at]) for at in words}
    if not _TOLD.isdisjoint(stems):
        return []
    stems |= {_SAME_GROUP.get(word, word) for word in stems}
    mentions_here = []
    for each in record.fields:
        span = _span(tokens, words, each)
        if span and _means_field(tokens, span[1], each, record, stems):
            mentions_here.append(Mention(each, *span, _is_denied(tokens, first, last, *span)))
    groups = {each.field.group for each in mentions_here}
    bare = _AVAILABLE.isdisjoint(tokens.lower[first:last])
    return [
        each
        for each in mentions_here
        if each.field.name not in groups and not (each.field.is_group and bare and not each.denied)
    ]


def _span(tokens: Tokens, words: list[int], field: Field) -> tuple[int, int] | None:
    """Return where up to three joined words are the name: "Wi-Fi", "take-out", "takeout"."""
    for number in range(len(words)):
        word = ""
        for at in words[number : number + _LONGEST]:
            word += tokens.lower[at]
            if stem(word) == field.name:
                return words[number], at + 1
    return None


def _means_field(
    tokens: Tokens, end: int, field: Field, record: RecordFields, stems: set[str]
) -> bool:
    """Return whether the words before `end` mean the field, no street's name and no "a lot of"."""
    if field.group:
        return field.group in stems
    following = tokens.terms[end] if end < len(tokens) else ""
    # {"new": false} denies no "new bridge".
    if tokens.lower[end : end + 1] == ["of"] or (following and following not in _TALK):
        return False
    # Where the record's texts have the word too, they may be what the claim rests on.
    return field.value is True or field.name not in record.prose


def _is_denied(tokens: Tokens, first: int, last: int, at: int, end: int) -> bool:
    """Return whether a preceding negator covers the words, or a following one retracts them."""
    places = (negation.at for negation in negations(tokens, first, last))
    if any(place < at < _turn(tokens, first, place, last) for place in places):
        return True
    if "non" in tokens.lower[max(first, at - 2) : at]:
        return True
    if not _LACKS.isdisjoint(tokens.lower[max(first, at - _BEFORE) : at]):
        return True
    following = tokens.lower[end : min(last, end + _AFTER)]
    if following[:1] == [":"] and not NEGATORS.isdisjoint(following[1:2]):
        return True
    return _is_retracted(following)


def _is_retracted(following: list[str]) -> bool:
    """Return whether a retraction follows before the next comma: "… is unavailable"."""
    for place, word in enumerate(following):
        if word in _TURNS or word == ",":
            return False
        if word == "unavailable" or (
            word in NEGATORS and not _GIVEN.isdisjoint(following[place : place + 3])
        ):
            return True
    return False


def _turn(tokens: Tokens, first: int, at: int, last: int) -> int:
    """Return where a negation ends: at "but", the next verb of having, or its clause's comma."""
    has_opener = not _OPENERS.isdisjoint(tokens.lower[first : min(at, first + 2)])
    for place in range(at + 1, last):
        word = tokens.lower[place]
        if word in _TURNS or (word in _HAS and place > at + 2):
            return place
        # A main clause begins: after a list's comma there is no verb of having.
        ahead = tokens.lower[place + 1 : min(last, place + 1 + _AFTER)]
        if has_opener and word == "," and not _GOES_ON.isdisjoint(ahead):
            return place
    return last


_EVERY = (("daily",), ("everyday",), ("every", "day"), ("each", "day"), ("all", "week"),
          ("seven", "days"), ("7", "days"))  # fmt: skip
_OPENING = stem_set("open hours operate operating close closed")
_PARTS_OF_WEEK = {
    "weekdays": range(5), "weekday": range(5), "weekends": range(5, 7), "weekend": range(5, 7),
}  # fmt: skip
_SHUT = word_set("closed closes shut")
_NOT = word_set("not n't never except isn't aren't")
_NAMED = {"noon": 720, "midnight": 0}
_OPENS_AT = word_set("open opens opening from")
_SHUTS_AT = word_set("close closes closing shut shuts shutting until till")
_MINUTES = 1440
_ALL_DAY = frozenset(range(_MINUTES))
_REACH = 6
_VARIES = word_set("extended longer earlier later vary varies varying different differ slightly")
_EXCEPTED = word_set("except normally usually otherwise other")
"""With these words it is unclear which of several times applies to a day."""
_SPAN_WORDS = word_set("half quarter third hour")


@dataclass(frozen=True, slots=True)
class Days:
    """Days (0 Monday) that a claim names together, and their times."""

    at: int
    end: int
    days: frozenset[int]
    loosely: bool = False
    """ "weekdays": true of most of them is true enough."""
    times: tuple["Times", ...] = ()


@dataclass(frozen=True, slots=True)
class Times:
    """An opening period; each end is the set of minutes after midnight that it may mean.

    If a claim only gives the opening time, it may close at any time.
    """

    at: int
    end: int
    opens: frozenset[int]
    shuts: frozenset[int]

    def fits(self, hours: tuple[int, int]) -> bool:
        """Return whether it fits the record's hours."""
        return hours[0] % _MINUTES in self.opens and hours[1] % _MINUTES in self.shuts


@dataclass(frozen=True, slots=True)
class Opening:
    """The result for a claim's hours: it agrees, or `conflict` says why not.

    `positions` are the tokens of its days and times.
    """

    conflict: str
    positions: frozenset[int]


def compare_hours(tokens: Tokens, first: int, last: int, week: Week) -> Opening | None:
    """Compare the hours of tokens [first, last) with a record's; None if they name none.

    None also if they agree as far as they are read and another number is beside them: "open for six
    hours on Sundays".
    """
    varies = not _VARIES.isdisjoint(tokens.lower[first:last])
    items = list(_items(tokens, first, last))
    if not _EXCEPTED.isdisjoint(tokens.lower[first:last]) and any(map(_is_one_end, items)):
        return None
    if varies:
        items = [item for item in items if isinstance(item, Days) and not item.loosely]
    grouped = _grouped(items)
    about_opening = any(stem(word) in _OPENING for word in tokens.lower[first:last])
    if not grouped or not (about_opening or any(group.times for group in grouped)):
        return None
    states = (False if varies else _is_shut(tokens, first, last, group.at) for group in grouped)
    conflicts = (
        _of_group(group, bool(shut), week)
        for group, shut in zip(grouped, states, strict=True)
        if shut is not None or group.times
    )
    conflict = next(filter(None, conflicts), "")
    positions = frozenset(at for item in items for at in range(item.at, item.end))
    unsure = not conflict or any(map(_is_one_end, items))
    if unsure and not _reads_all(tokens, first, last, positions):
        return None
    return Opening(conflict, positions)


def _reads_all(tokens: Tokens, first: int, last: int, positions: frozenset[int]) -> bool:
    """Return whether no number is outside the days and times that were read."""
    return not any(
        tokens.kinds[at] == NUMBER or tokens.lower[at] in SMALL or tokens.lower[at] in _SPAN_WORDS
        for at in range(first, last)
        if at not in positions
    )


def _of_group(group: Days, shut: bool, week: Week) -> str:
    """Return why the record contradicts these days, or "" if it agrees."""
    shut = shut and not group.times
    conflicts = [_of_day(day, shut, group, week) for day in sorted(group.days)]
    if group.loosely and not all(conflicts):
        return ""
    return next(filter(None, conflicts), "")


def _of_day(day: int, shut: bool, group: Days, week: Week) -> str:
    hours, name = week.days[day], DAYS[day].title()
    if shut:
        return "" if hours is None else f"the record does not list {name} as closed"
    if hours is None:
        return f"the record lists no opening hours for {name}"
    fits = not group.times or any(time.fits(hours) for time in group.times)
    return "" if fits else f"the record lists different hours for {name}"


def _is_shut(tokens: Tokens, first: int, last: int, at: int) -> bool | None:
    """Return whether the place is said to be closed on the days at `at`.

    None if it is called both open and closed near them: "closed on Monday and open on Tuesday".
    """
    near = tokens.lower[max(first, at - _REACH) : min(last, at + _REACH)]
    denied, shut = not _NOT.isdisjoint(near), not _SHUT.isdisjoint(near)
    return None if shut and "open" in near else shut != denied


def _is_one_end(item: Days | Times) -> bool:
    return isinstance(item, Times) and _ALL_DAY in (item.opens, item.shuts)


def _grouped(items: list[Days | Times]) -> list[Days]:
    """Return each group of days with its following times; preceding ones if times come first."""
    days = [item for item in items if isinstance(item, Days)]
    times = [item for item in items if isinstance(item, Times)]
    edges = [-inf, *(group.at for group in days), inf]
    shift = 0 if isinstance(next(iter(items), None), Times) else 1
    return [
        replace(group, times=tuple(each for each in times if low < each.at < high))
        for group, low, high in zip(days, edges[shift:], edges[shift + 1 :], strict=False)
    ]


def _items(tokens: Tokens, first: int, last: int) -> Iterator[Days | Times]:
    at = first
    while at < last:
        item = _days(tokens, at, last) or _times(tokens, at, last)
        if item:
            yield item
        at = item.end if item else at + 1


def _days(tokens: Tokens, at: int, last: int) -> Days | None:
    words = tokens.lower
    for form in _EVERY:
        end = at + len(form)
        if end <= last and tuple(words[at:end]) == form:
            return Days(at, end, frozenset(range(7)), loosely=form[-1] == "day")
    if words[at] in _PARTS_OF_WEEK:
        return Days(at, at + 1, frozenset(_PARTS_OF_WEEK[words[at]]), loosely=True)
    days, end = set[int](), at
    while end < last and words[end] in WEEKDAYS:
        day = WEEKDAYS[words[end]]
        if end + 2 < last and words[end + 1] in TO and words[end + 2] in WEEKDAYS:
            until = WEEKDAYS[words[end + 2]]
            days.update((day + step) % 7 for step in range((until - day) % 7 + 1))
            end += 3
        else:
            days.add(day)
            end += 1
        end = _past_and(words, end, last)
    return Days(at, end, frozenset(days)) if days else None


def _past_and(words: list[str], end: int, last: int) -> int:
    """Return the next day after "and" or commas, or the same position."""
    ahead = end
    while ahead < last and words[ahead] in AND:
        ahead += 1
    return ahead if ahead < last and words[ahead] in WEEKDAYS else end


def _times(tokens: Tokens, at: int, last: int) -> Times | None:
    words = tokens.lower
    if words[at] == "24" and at + 1 < last and words[at + 1].startswith("hour"):
        return Times(at, at + 2, frozenset({0}), frozenset({0}))
    time = _time(tokens, at, last)
    if time is None:
        return None
    minutes, end = time
    if end < last and words[end] in TO | {"and"}:
        closes = _time(tokens, end + 1, last)
        if closes:
            return Times(at, closes[1], minutes, closes[0])
    return _one_end(tokens, at, end, minutes)


def _one_end(tokens: Tokens, at: int, end: int, minutes: frozenset[int]) -> Times | None:
    """Return a period of which only one end is given: "opens at 10", "until 6 pm"."""
    before = tokens.lower[max(0, at - 2) : at]
    if not NEGATORS.isdisjoint(tokens.lower[max(0, at - _REACH) : at]):
        return None
    edge = before[-1:] if before[-1:] != ["at"] else before[:1]
    if not _SHUTS_AT.isdisjoint(edge):
        return Times(at, end, _ALL_DAY, minutes)
    if not _OPENS_AT.isdisjoint(edge):
        return Times(at, end, minutes, _ALL_DAY)
    return None


def _time(tokens: Tokens, at: int, last: int) -> tuple[frozenset[int], int] | None:
    """Return the minutes that a time may mean, and the token after it."""
    if at >= last:
        return None
    if tokens.lower[at] in _NAMED:
        return frozenset({_NAMED[tokens.lower[at]]}), at + 1
    clock = clock_at(tokens, at, last)
    if clock is None:
        return None
    minutes, unit, end = clock
    either = {minutes, minutes + HALF_DAY} if unit == CLOCK_OPEN else {minutes}
    return frozenset(int(each) % _MINUTES for each in either), end


_HOURS = _OPENING | frozenset(map(stem, WEEKDAYS))
_CLOSES = word_set("close closes closing")
"""An hour at which something closes is taken for a day on which it is closed at times."""
_MORE_THAN_FIELDS = word_set(
    "only all every each most some except if unless when while was were had will would used "
    "always often sometimes first new former previously currently"
)
"""With these words a claim says more than its fields do, or is about another time."""
_MOST_MORE = 4
"""A field confirms a claim of whose words at most a fourth say something else."""
Records = Sequence[tuple[int, RecordFields]]
"""The sources (indices) that are records."""


class _Finding(NamedTuple):
    """A record's statement about a claim: `agrees` is None if it leaves open what it names.

    `terms` are the claim's terms that it accounts for. Statements of one `name` are about the same.
    """

    source: int
    path: str
    name: str
    agrees: bool | None
    text: str
    terms: frozenset[str]
    denied: bool = False


@dataclass(frozen=True, slots=True)
class RecordMatch:
    """The records' statements about a claim: conflicts, and whether all of them agree with it.

    `gaps` are conflicts with fields left open that the claim asserts. `passage` is the one in
    conflict, else one that confirms it; `nothing_more` says that fields account for nearly all of
    the claim's words.
    """

    conflicts: tuple[Conflict, ...]
    agrees: bool
    passage: int | None
    gaps: tuple[Conflict, ...]
    nothing_more: bool


def match_records(claim: ClaimQuery, corpus: Corpus) -> RecordMatch | None:
    """Return what the records state about a claim, or None if nothing.

    If records, or parts of one, disagree about what the claim mentions, it may be about either, and
    they state nothing. Nor does a record without the name that the claim begins with.
    """
    leading = claim.facts.leading
    records = [
        (at, each)
        for at, each in corpus.record_fields
        if not leading or not leading.isdisjoint(each.prose)
    ]
    findings = [*_field_findings(claim, records), *_hour_findings(claim, records)]
    verdicts: dict[str, set[bool | None]] = defaultdict(set)
    for each in findings:
        verdicts[each.name].add(each.agrees)
    findings = [each for each in findings if len(verdicts[each.name]) == 1]
    if not findings:
        return None
    against = [each for each in findings if each.agrees is False]
    certain = not claim.facts.negative and _CLOSES.isdisjoint(claim.lower)
    more = (claim.terms - claim.context - _TALK).difference(*(each.terms for each in findings))
    nothing_more = len(more) * _MOST_MORE <= len(claim.terms)
    place = (against or findings)[0]
    return RecordMatch(
        tuple(Conflict(ConflictKind.FIELD, each.text, certain=certain) for each in against),
        all(each.agrees for each in findings),
        _passage(corpus, place.source, place.path),
        _gaps(claim, findings) if nothing_more and not against else (),
        nothing_more,
    )


def _field_findings(claim: ClaimQuery, records: Records) -> Iterator[_Finding]:
    for source, record in records:
        for each in mentions(claim.tokens, claim.first, claim.last, record):
            field, words = each.field, claim.tokens.lower[each.first : each.last]
            text = f"“{field.display_text}” in the record"
            terms = frozenset({field.group, *map(stem, words)})
            yield _Finding(source, field.path, field.name, each.agrees, text, terms, each.denied)


def _hour_findings(claim: ClaimQuery, records: Records) -> Iterator[_Finding]:
    for source, record in records:
        for week in record.weeks:
            opening = compare_hours(claim.tokens, claim.first, claim.last, week)
            if opening:
                terms = _HOURS.union(claim.tokens.terms[at] for at in opening.positions)
                agrees, text = not opening.conflict, opening.conflict
                yield _Finding(source, week.path, "opening hours", agrees, text, terms)


def _gaps(claim: ClaimQuery, findings: Sequence[_Finding]) -> tuple[Conflict, ...]:
    """Return the open fields that the claim asserts, if it negates nothing."""
    if not _MORE_THAN_FIELDS.isdisjoint(claim.lower) or any(each.denied for each in findings):
        return ()
    if negations(claim.tokens, claim.first, claim.last):
        return ()
    gaps = [each for each in findings if each.agrees is None]
    if any(part.isdecimal() for each in gaps for part in each.path.split(".")):
        # A path leads into a list, of which the claim may mean another item.
        return ()
    texts = dict.fromkeys(each.text for each in gaps)
    return tuple(Conflict(ConflictKind.FIELD, text, certain=True) for text in texts)


def _passage(corpus: Corpus, source: int, path: str) -> int | None:
    """Return the passage of a field's line: the longest path that leads to it."""
    record = corpus.records[source]
    lines = [] if record is None else record.lines
    leading = [line for line in lines if f"{path}.".startswith(f"{line.path}.")]
    line = max(leading, key=lambda each: len(each.path), default=None)
    if line is None:
        return None
    return next(
        (
            at
            for at, passage in enumerate(corpus.passages)
            if passage.source == source and passage.start < line.end and passage.end > line.start
        ),
        None,
    )
