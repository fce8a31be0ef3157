"""Detects claims that differ from a statement of a source in a single point.

Claim and statement are normalised (`lib.text.equivalents`) and aligned word by word. If all words
agree in order except for a "not", an opposite, a name, a quantity, or two swapped names, the source
certainly conflicts: another sentence that shares most of the words does not change that. A
statement that agrees completely ends the search.
"""

from collections.abc import Iterator, Sequence
from itertools import chain, groupby, product

from msgspec import Struct

from analysis.engine.evidence.corpus import Corpus, Facts, memoise
from analysis.engine.evidence.framing import PLAIN, Frame, frame_of
from analysis.engine.signal_types import Conflict
from analysis.engine.types import ConflictKind
from lib.text.equivalents import BREAK, BY, NOT, TURN, canonical, opposites_of, wording_of
from lib.text.figures import parse
from lib.text.stems import stem, stem_set
from lib.text.tokens import Tokens
from lib.text.units import SCALES, SMALL
from lib.text.words import BE, MONTHS, word_set

Words = tuple[str, ...]
Terms = frozenset[str]
_LEAST, _MOST = 2, 24
"""The fewest words of a comparable claim: of one, none is left beside the changed one."""
_SEGMENTS, _LONGEST = 4, 48
"""Parts between commas and joining words, and words, that are read as one statement."""
_MORE = {ConflictKind.NEGATION: 3, ConflictKind.ANTONYM: 2, ConflictKind.NAME: 3}
"""Words that a statement may have besides the claim's; more of them may limit what it says."""
_DATED = frozenset(map(stem, MONTHS)) | stem_set(
    "monday tuesday wednesday thursday friday saturday sunday"
)
"""Capitalised words that are no names."""
_SPAN = 4
"""Words of a name that is exchanged for another."""
_BESIDE_NAME = 2
_BOUNDING = word_set(
    "until till before after unless except only but however although though other than if when "
    "whether all every always just necessarily yet later earlier exceed more less fewer some any "
    "most usually normally generally otherwise besides either neither nor or both each even still "
    "few many rarely seldom sometimes often hardly barely almost nobody nothing"
)
"""If only one side has such a word, the denial may apply to a part only."""
_OVER = " used to be "
"""If only one side has these words, the two are about different times."""
_STRONGER = (
    (frozenset({"all", "@each"}), frozenset({"@about", "most", "few"})),
    (frozenset({"alway"}), frozenset({"sometim", "often", "usual"})),
    (frozenset({"@must"}), frozenset({"@may"})),
)
"""Words with which a claim says more than the source."""
_ASIDE = frozenset({"@may", "@must", "@about", "@each", "all", "any", "true"})
"""Words beside a denial that change nothing about it: "no members", "all members", "may not"."""
_IN_WORDS = {stem(word): value for word, value in SMALL.items() if value > 1}
_LABELS = 2
"""Colons from which a text is labels with values: one part of it says nothing of the next."""
_SCALED = frozenset(map(stem, SCALES))
_JOINTS = frozenset((BREAK, TURN))
_HAVING = stem_set("offer provide feature contain include serve")
"""Verbs that say no more than "has", which is left out like it."""
_EXCLUDING = word_set("exclude excludes excluded exempt without waived omitted")
"""Words that deny without a "not": "excluded from renewal" says what "cannot be renewed" says."""
_MUTUAL = stem_set(
    "met meet married marry merged merge played play faced face joined join resembled equals "
    "matched differed connected bordered neighbours adjoined touched crossed shared next near "
    "opposite alongside included contained say said says tell told call called ask asked warn "
    "warned"
)
"""Done by both to each other, said of a whole and its part, or words of a speaker."""
_OTHER_WAY = Conflict(ConflictKind.NAME, "the source has it the other way round", certain=True)
_HOURS = frozenset(("@open", "open", "close"))
_NEGATED = {
    True: "negated in the source",
    False: "negated in the claim but not in the source",
}


class ClaimQuery(Struct, frozen=True, gc=False):
    """A claim prepared for comparison with passages."""

    tokens: Tokens
    first: int
    last: int
    terms: Terms
    context: Terms
    names: tuple[Terms, ...]
    facts: Facts
    text: str
    sought_terms: Terms
    """The terms to look for: without figures, which are compared by value, with the subject."""
    own_words: bool = True
    """True if these are tokens of the answer, not of the question that it says yes or no to."""

    @property
    def lower(self) -> list[str]:
        """All its words and marks in lower case."""
        return self.tokens.lower[self.first : self.last]


class Comparison(Struct, frozen=True, gc=False):
    """The passages (indices) that state the claim, and the conflicts of each other one.

    `apart` have the claim's words about another name that the sources know, or negate part of them:
    they neither support nor contradict.
    """

    stating: tuple[int, ...] = ()
    conflicts: dict[int, Conflict] = {}
    apart: frozenset[int] = frozenset()


class _Worded(Struct, frozen=True, gc=False):
    """A normalised text span: its `parts` between marks and joining words, and all its `words`.

    `bag` are the distinct words, `statements` the runs of adjacent parts, `lower` and `spellings`
    the original words, `names` the stems of capitalised ones. `is_over` says that it is about what
    used to be, `is_never` that it denies in general.
    """

    parts: tuple[Words, ...]
    words: Words
    bag: Terms
    statements: tuple[Words, ...]
    lower: list[str]
    spellings: list[str]
    names: Terms
    frame: Frame
    is_over: bool
    is_never: bool


def compare(claim: ClaimQuery, corpus: Corpus, order: Sequence[int]) -> Comparison:
    """Compare a claim with ranked non-question passages."""
    ours = _worded(claim.tokens, claim.first, claim.last, claim.facts.leading)
    if ours.frame != PLAIN:
        return Comparison()
    words = ours.words
    if not _LEAST <= len(_plain(words)) <= _MOST or words.count(NOT) > 1:
        return Comparison()
    stating, conflicts, apart = list[int](), dict[int, Conflict](), set[int]()
    for index in order:
        theirs = _of_passage(corpus, index)
        if theirs.frame != PLAIN or theirs.is_over is not ours.is_over:
            continue
        if not claim.context <= corpus.window(index):
            continue
        sought = words
        if corpus.refers_back(index):
            subject = claim.context - theirs.bag
            sought = tuple(word for word in words if word not in subject)
        plain = frozenset(_plain(sought))
        # A conflict is a run of fewer words than _SPAN, or what is denied in general.
        if not plain or (len(plain - theirs.bag - _ASIDE) >= _SPAN and not theirs.is_never):
            continue
        if plain <= theirs.bag and _states(sought, theirs):
            stating.append(index)
        elif conflict := _conflict(claim, sought, ours, theirs):
            is_name = conflict.kind is ConflictKind.NAME and conflict is not _OTHER_WAY
            if is_name and _is_known(claim, corpus, theirs):
                apart.add(index)
            if index not in apart or stating:
                conflicts[index] = conflict
        elif _denies_a_part(sought, theirs):
            apart.add(index)
    return Comparison(tuple(stating), conflicts, frozenset(apart))


def _worded(tokens: Tokens, first: int, last: int, leading: Terms) -> _Worded:
    lower = tokens.lower[first:last]
    normalised = (word for word in canonical(lower) if word not in _HAVING)
    runs = groupby(normalised, key=_JOINTS.__contains__)
    parts = tuple(tuple(run) for is_joint, run in runs if not is_joint)
    names = frozenset(
        stem(tokens.lower[at]) for at in range(first + 1, last) if tokens.words[at][0].isupper()
    )
    words = tuple(chain.from_iterable(parts))
    return _Worded(
        parts,
        words,
        frozenset(words),
        tuple(_statements(parts)) if lower.count(":") < _LABELS else parts,
        lower,
        tokens.words[first:last],
        names | leading,
        frame_of(tokens, first, last),
        _OVER in " ".join(lower),
        lower[:2] == ["do", "not"] or "never" in lower,
    )


def _statements(parts: Sequence[Words]) -> Iterator[Words]:
    """Yield each run of adjacent parts as one statement, of each start the shorter ones first."""
    for start in range(len(parts)):
        words: Words = ()
        for part in parts[start : start + _SEGMENTS]:
            words += part
            if len(words) > _LONGEST:
                break
            yield words


@memoise
def _of_passage(corpus: Corpus, index: int) -> _Worded:
    """Return a passage normalised."""
    return _worded(*corpus.part(index), corpus.facts(index).leading)


def _is_known(claim: ClaimQuery, corpus: Corpus, passage: _Worded) -> bool:
    """Return whether the sources contain all of the claim's words that the passage lacks."""
    words = {word for word in claim.terms if word not in passage.bag}
    return words <= corpus.postings.keys()


def _denies_a_part(claim: Words, passage: _Worded) -> bool:
    """Return whether the passage has all words of the claim but another number of negations."""
    plain = _plain(claim)
    return any(
        words.count(NOT) != claim.count(NOT) and _places(plain, _plain(words)) is not None
        for words in passage.statements
    )


def _plain(words: Sequence[str]) -> list[str]:
    return [word for word in words if word != NOT]


def _states(claim: Words, passage: _Worded) -> bool:
    """Return whether a statement has all words of the claim in order and as many negations."""
    plain = _plain(claim)
    against = frozenset[str]().union(*map(opposites_of, plain)) - {*plain}
    for words in passage.statements:
        if words.count(NOT) == claim.count(NOT) and against.isdisjoint(words):
            places = _places(plain, _plain(words))
            if places is None:
                continue
            if _plain(words)[places[0] : places[-1]].count(BY) == plain.count(BY):
                return True
    return False


def _conflict(claim: ClaimQuery, sought: Words, ours: _Worded, theirs: _Worded) -> Conflict | None:
    bounded = not _BOUNDING.isdisjoint({*ours.lower} ^ {*theirs.lower})
    is_total = theirs.is_never and _BOUNDING.isdisjoint(theirs.lower)
    for words in theirs.statements if _EXCLUDING.isdisjoint(ours.lower) else ():
        has_subject = bool(claim.context) or _plain(words)[:1] == _plain(sought)[:1]
        more = _MORE[ConflictKind.NEGATION] if has_subject and not bounded else 0
        if denied := _denied(sought, words, more, _LONGEST if is_total else more):
            why = f"“{_written(claim, denied)}”: {_NEGATED[NOT in words]}"
            return Conflict(ConflictKind.NEGATION, why, certain=True)
    most = 0 if bounded else _MORE[ConflictKind.NAME]
    for words in _shortened(theirs.statements, most, len(sought)):
        if pair := _opposed(sought, words, 0 if bounded else _MORE[ConflictKind.ANTONYM]):
            return _other_word(ConflictKind.ANTONYM, claim, pair[:1], pair[1:], theirs)
        if replaced := _replaced(sought, words):
            mine, other = map(frozenset, replaced)
            if any(mine <= strong and other <= weak for strong, weak in _STRONGER):
                return _other_word(ConflictKind.ANTONYM, claim, *replaced, theirs)
            if "@about" not in words and _is_other_figure(*replaced):
                return Conflict(ConflictKind.NUMBER, _says(theirs, replaced[1]), certain=True)
            if _is_other_name(mine, other, ours, theirs):
                return _other_word(ConflictKind.NAME, claim, *replaced, theirs)
    # Swapped parties stay swapped, however the statement goes on.
    size = len(sought) - sought.count(BY)
    beginnings = {words[: size + words[:size].count(BY)] for words in theirs.statements}
    if any(_is_swapped(sought, words, ours, theirs) for words in beginnings):
        return _OTHER_WAY
    return None


def _places(sought: Sequence[str], words: Sequence[str]) -> list[int] | None:
    """Return the earliest positions of words in this order among others, or None."""
    places, at = list[int](), -1
    for word in sought:
        try:
            at = words.index(word, at + 1)
        except ValueError:
            return None
        places.append(at)
    return places


def _shortened(statements: Sequence[Words], most: int, size: int) -> Iterator[Words]:
    """Yield each statement, also without up to `most` of its last words, if about `size` long.

    One of another length differs in more than a run of fewer than _SPAN words. The number of
    "22 million" keeps its scale.
    """
    for words in statements:
        longest = min(len(words), size + _SPAN - 2)
        shortest = max(len(words) - most, size - _SPAN + 2, 1)
        stops = range(longest, shortest - 1, -1)
        yield from (
            words[:stop] for stop in stops if not _SCALED.intersection(words[stop : stop + 1])
        )


def _denied(claim: Words, words: Words, more: int, narrower: int) -> str:
    """Return the word that only one side negates if the other words agree, or "".

    The statement may have up to `more` further words, the claim up to `narrower`.
    """
    if claim.count(NOT) + words.count(NOT) != 1:
        return ""
    denying, other = (words, claim) if NOT in words else (claim, words)
    head = next(iter(_plain(denying[denying.index(NOT) :])), "")
    if head == "@must" and "@must" not in other:
        return ""
    ours, theirs = (
        [word for word in _plain(side) if word not in _ASIDE] for side in (claim, words)
    )
    before = [word for word in denying[: denying.index(NOT)] if word not in _ASIDE]
    place, extra = len(before), len(theirs) - len(ours)
    most = 2 * more if denying is words else more
    if not ours or not theirs or not -narrower <= extra <= most:
        return ""
    if extra < 0:
        # A general negation covers each case: "no floods" negates "floods in May".
        is_general = denying is words and len(theirs) >= _LEAST and place < len(theirs)
        # "Excluded from the cover" says what "not covered" says.
        is_general = is_general and opposites_of(theirs[place]).isdisjoint(ours)
        return theirs[place] if is_general and _places(theirs, ours) is not None else ""
    early, late = _places(ours, theirs), _places(ours[::-1], theirs[::-1])
    if early is None or late is None:
        return ""
    if denying is claim:
        return ours[min(place, len(ours) - 1)]
    if place == len(theirs):
        return theirs[-1]
    is_met = place in early and len(theirs) - 1 - place in late
    return theirs[place] if is_met and late[0] == 0 else ""


def _figure_count(words: Words) -> int:
    return sum(word[:1].isdigit() for word in words)


def _opposed(claim: Words, words: Words, more: int) -> tuple[str, str] | None:
    """Return a word of the claim and its opposite in the statement, if the other words agree."""
    if claim.count(NOT) != words.count(NOT) or not 0 <= len(words) - len(claim) <= more:
        return None
    for at, word in enumerate(claim):
        for other in opposites_of(word) & {*words} if word not in words else ():
            turned = *claim[:at], other, *claim[at + 1 :]
            # "Open from 9 to 6" closes at 6.
            is_span = {word, other} <= _HOURS and _figure_count(words) > _figure_count(claim)
            if other not in claim and not is_span and _places(turned, words) is not None:
                return word, other
    return None


def _replaced(claim: Words, words: Words) -> tuple[Words, Words] | None:
    """Return the single differing run of words on either side, or None."""
    if claim == words or (claim[0] != words[0] and claim[-1] != words[-1]):
        return None
    shortest, start, end = min(len(claim), len(words)), 0, 0
    while start < shortest and claim[start] == words[start]:
        start += 1
    while end < shortest - start and claim[-1 - end] == words[-1 - end]:
        end += 1
    ours, theirs = claim[start : len(claim) - end], words[start : len(words) - end]
    is_short = max(len(ours), len(theirs)) < _SPAN and start + end >= _LEAST
    return (ours, theirs) if is_short and ours and theirs else None


def _is_other_figure(ours: Words, theirs: Words) -> bool:
    """Return whether the differing words are one number each, with different values."""
    if len(ours) != 1 or len(theirs) != 1:
        return False
    mine, other = map(_value, (ours[0], theirs[0]))
    return None not in (mine, other) and mine != other


def _value(word: str) -> float | None:
    figure = parse(word) if word[:1].isdigit() else None
    return figure[0] if figure else _IN_WORDS.get(word)


def _is_other_name(mine: Terms, other: Terms, ours: _Worded, theirs: _Worded) -> bool:
    """Return whether the differing words are two names, and not two spellings of one."""
    if not mine or not other or not (mine <= ours.names and other <= theirs.names):
        return False
    if len(ours.words) - len(mine) < _BESIDE_NAME:
        return False
    if any(len(name) <= _LEAST or name in _DATED for name in mine | other):
        return False
    return not any(a[:2] == b[:2] or a[-4:] == b[-4:] for a in mine for b in other)


def _is_swapped(claim: Words, words: Words, ours: _Worded, theirs: _Worded) -> bool:
    """Return whether two parties or two numbers are swapped, and nothing else differs.

    "A was sued by B" has them in the order of "A sued B", and says that B sued.
    """
    if claim.count(BY) != words.count(BY):
        active, passive = (ours, theirs) if BY in words else (theirs, ours)
        is_turned = BE.isdisjoint(active.lower) and not BE.isdisjoint(passive.lower)
        return is_turned and _without_by(claim) == _without_by(words)
    if claim == words or sorted(claim) != sorted(words):
        return False
    differing = [at for at, pair in enumerate(zip(claim, words, strict=True)) if len({*pair}) > 1]
    first, last = differing[0], differing[-1] + 1
    mine, other = claim[first:last], words[first:last]
    for size, behind in product(range(1, _SPAN + 1), repeat=2):
        one, two = mine[:size], mine[len(mine) - behind :]
        between = mine[size : len(mine) - behind]
        if size + behind >= len(mine) or other != (*two, *between, *one):
            continue
        before = claim[first - 1] if first else ""
        is_mutual = "or" in between or not _MUTUAL.isdisjoint(between)
        # "A competes with B" says what "B competes with A" says.
        is_mutual |= "with" in ours.lower and "with" in theirs.lower
        is_mutual |= ours.names.issuperset(between) or between[-1] == before
        # "A port is the capital" says what "The capital is a port" says.
        is_done = BE.isdisjoint((*ours.lower, *theirs.lower))
        return not is_mutual and (
            _are_of_a_kind(one, two, ours.names)
            or (is_done and any(_is_within(mine, part) for part in ours.parts))
        )
    return False


def _without_by(words: Words) -> Words:
    return tuple(word for word in words if word != BY)


def _is_within(words: Words, part: Words) -> bool:
    """Return whether words are a run of a part, without a comma or an "and" between them."""
    starts = range(len(part) - len(words) + 1)
    return any(part[at : at + len(words)] == words for at in starts)


def _are_of_a_kind(one: Words, two: Words, names: Terms) -> bool:
    if names.issuperset(one) and names.issuperset(two):
        return True
    return all(any(map(str.isdigit, words[0])) for words in (one, two))


def _other_word(
    kind: ConflictKind, claim: ClaimQuery, ours: Words, theirs: Words, passage: _Worded
) -> Conflict:
    mine = " ".join(_written(claim, word) for word in ours)
    return Conflict(kind, f"“{mine}”: {_says(passage, theirs)}", certain=True)


def _says(passage: _Worded, words: Words) -> str:
    """Return that the source says these normalised words, as it writes them."""
    wording = [
        word
        for word, lower in zip(passage.spellings, passage.lower, strict=True)
        if not frozenset(words).isdisjoint(wording_of(lower))
    ]
    return f"the source says “{' '.join(wording)}”"


def _written(claim: ClaimQuery, term: str) -> str:
    """Return the claim's word with this stem as written, or the stem itself."""
    words = zip(claim.lower, claim.tokens.words[claim.first : claim.last], strict=True)
    return next((word for lower, word in words if stem(lower) == term), term.removeprefix("@"))
