"""Decides which text makes a statement, and detects what asserts nothing.

A heading such as "Refund policy" announces, "Refunds take 14 days" states: the difference is a
verb, or a figure with its unit. Greetings, offers, lead-ins and talk of the sources or of itself
assert nothing: "The passages do not say", "see passage 3", "ask a doctor" claim nothing about the
world; in "According to passage 1, the dam is closed" only the dam is claimed.
"""

import re
from collections.abc import Iterator

from analysis.engine.claims.clauses import Range
from analysis.engine.claims.replies import QUESTION_WORDS, before_end_marks, is_negative
from lib.text.figures import figures
from lib.text.quantity import LABEL, ORDINAL
from lib.text.tokens import MARK, NUMBER, WORD, Tokens
from lib.text.verbs import finite, has_finite_verb, predicates
from lib.text.words import AUXILIARIES, MONTHS, PREPOSITIONS, STOPWORDS, SUBJECT_PRONOUNS, word_set

_LEAST_PROSE_WORDS = 3
_LEAST_CELL_WORDS = 3
_LEAST_TAGGED = 3
_CODE_SIGNS = frozenset("={}<>;$\\@()[]|+") | {"==", "=>", "->", "::", "()", "&&", "||", "+=", "*="}
_COMMENT_SIGNS = frozenset("#/*-%;\"'`>") | {"//", "##", "###", "--", "**", '"""', "'''"}
_ANNOUNCING = word_set(
    "following follow follows below here here's these this steps step ways reasons include "
    "includes including such list lists options tips points factors examples example summary "
    "breakdown overview details"
)
_TAGS = frozenset(
    (
        "right", "correct", "no", "yes", "okay", "ok", "true", "eh", "huh", "agreed", "or what",
        "or not", "don't you think", "don't you agree", "wouldn't you say", "wouldn't you agree",
        "you know", "or am i wrong", "am i right",
    )
)  # fmt: skip
_TAG_SUBJECTS = SUBJECT_PRONOUNS | {"there", "we", "you", "i"}
_AFFIRMATIONS = word_set(
    "yes yeah yep correct right exactly absolutely indeed definitely certainly true sure "
    "affirmative"
)
_EXPLETIVES = AUXILIARIES | {"it", "that"}
_REACH = 8
_OPENINGS = word_set("but and so well now or then yes no")
_RHETORICAL = word_set(
    "know knew doubt deny agree realise realize aware heard dispute remember notice believe "
    "surprise surprised told guess guessed"
)
_CAUSES = word_set("why because")
"""The question presupposes the clause after one of these."""
_TALKING = word_set(
    "i i'd i'm i'll me my we us you your sorry thanks thank happy glad feel enjoy welcome hope let"
)
_NOT_STATING = word_set("you your i we my our any anything more another else")


def states_something(tokens: Tokens, first: int, last: int) -> bool:
    """Return whether tokens [first, last) have a verb, or a figure with its unit."""
    asking = first < last and tokens.lower[first] in QUESTION_WORDS
    if not asking and predicates(tokens, first, last):
        return True
    return has_measured_figure(tokens, first, last)


def has_measured_figure(tokens: Tokens, first: int, last: int) -> bool:
    """Return whether a figure has a unit, or follows a colon, and a word is beside it."""
    quantities = figures(tokens, first, last).quantities
    units = [
        quantity
        for quantity in quantities
        if quantity.unit and quantity.unit not in (LABEL, ORDINAL)
    ]
    after_colon = any(
        tokens.kinds[at] == NUMBER and tokens.words[at - 1].endswith(":")
        for at in range(first + 2, last)
    )
    words = tokens.kinds[first:last].count(WORD)
    figured = sum(quantity.last - quantity.first for quantity in units)
    return bool(units or after_colon) and words > min(figured, 1)


def takes_for_granted(tokens: Tokens, first: int, last: int) -> bool:
    """Return whether a courtesy or an offer contains a figure: "Shall I book the 40 seats?"."""
    talks = not _TALKING.isdisjoint(tokens.lower[first:last])
    return talks and has_measured_figure(tokens, first, last)


def is_prose(tokens: Tokens, first: int, last: int) -> bool:
    """Return whether a line in a code fence is a sentence, ignoring its comment signs."""
    first, last = without_comment_signs(tokens, first, last)
    words = tokens.kinds[first:last].count(WORD)
    if words < _LEAST_PROSE_WORDS or not _CODE_SIGNS.isdisjoint(tokens.words[first:last]):
        return False
    return states_something(tokens, first, last) or tokens.words[last - 1] in (".", "!", "?")


def without_comment_signs(tokens: Tokens, first: int, last: int) -> Range:
    """Return tokens [first, last) without the signs of a comment or a string around them."""
    while first < last and tokens.words[first] in _COMMENT_SIGNS:
        first += 1
    while last > first and tokens.words[last - 1] in _COMMENT_SIGNS:
        last -= 1
    return first, last


def announces(tokens: Tokens, first: int, last: int, *, colon: bool) -> bool:
    """Return whether a line only leads to what follows: "Here are some facts:"."""
    if not colon:
        head = " ".join(tokens.lower[first : min(first + 2, last)])
        return head in ("here is", "here are", "here's the", "below is", "below are")
    last = before_end_marks(tokens, first, last)
    words = tokens.lower[first:last]
    if not words or not _ANNOUNCING.isdisjoint(words):
        return True
    clock = tokens.kinds[last - 2] == NUMBER if len(words) > 1 else False
    ends_open = words[-1] in AUXILIARIES | PREPOSITIONS or finite(tokens, last - 1)
    return (ends_open and not clock) or not states_something(tokens, first, last)


def in_brackets(tokens: Tokens, first: int, last: int) -> Range | None:
    """Return the brackets at the end of a sentence if they contain a sentence of their own."""
    while last > first and tokens.words[last - 1] in (".", "!", ";"):
        last -= 1
    if last == first or tokens.words[last - 1] != ")" or "(" not in tokens.words[first:last]:
        return None
    start = last - 1 - tokens.words[first:last][::-1].index("(")
    words = tokens.kinds[start:last].count(WORD)
    own = words > _LEAST_PROSE_WORDS and predicates(tokens, start + 2, last - 1)
    return (start + 1, last - 1) if own and start > first else None


def stating_cells(tokens: Tokens, first: int, last: int) -> list[Range]:
    """Return the cells of a table row that are statements by themselves."""
    cells, start = list[Range](), first
    for at in range(first, last + 1):
        if at == last or tokens.words[at].startswith("|"):
            words = tokens.kinds[start:at].count(WORD)
            if words >= _LEAST_CELL_WORDS and states_something(tokens, start, at):
                cells.append((start, at))
            start = at + 1
    return cells


def stated_by_question(tokens: Tokens, first: int, last: int) -> Range | None:
    """Return what a question states: W in "W, right?" and "Did you know that W?".

    None for a question that asks.
    """
    first, end = _without_opening(tokens, first, last)
    if first == end:
        return None
    granted = _granted(tokens, first, end)
    if granted is not None:
        return granted
    tagged = _before_tag(tokens, first, end)
    if tagged is not None:
        return (first, tagged) if tagged - first >= _LEAST_TAGGED else None
    if tokens.lower[first] in AUXILIARIES | QUESTION_WORDS:
        return _of_rhetoric(tokens, first, end)
    own = tokens.lower[first] not in _NOT_STATING or has_measured_figure(tokens, first, end)
    return (first, end) if own and states_something(tokens, first, end) else None


def affirmed(tokens: Tokens, first: int, last: int) -> Range | None:
    """Return what a question states if "Yes." follows: W in "Is it true that W?", or its figure."""
    first, end = _without_opening(tokens, first, last)
    if first == end or tokens.lower[first] not in AUXILIARIES:
        return None
    if "that" in tokens.lower[first:end]:
        return _that_clause(tokens, first, end)
    return (first + 1, end) if _has_figure(tokens, first, end) else None


def affirms(tokens: Tokens, first: int, last: int) -> bool:
    """Return whether a sentence begins with "Yes", "Correct" or another affirmation."""
    return first < last and tokens.lower[first] in _AFFIRMATIONS


def _without_opening(tokens: Tokens, first: int, last: int) -> Range:
    """Return a question without "But", "And so", the label of "Q: …", and the marks at its end."""
    end = before_end_marks(tokens, first, last)
    while first < end and (tokens.lower[first] in _OPENINGS or tokens.kinds[first] == MARK):
        first += 1
    labelled = first + 1 < end and tokens.words[first + 1] == ":" and tokens.kinds[first] == WORD
    return (first + 2 if labelled else first), end


def _has_figure(tokens: Tokens, first: int, end: int) -> bool:
    read = figures(tokens, first, end)
    return bool(read.quantities or read.dates)


def _granted(tokens: Tokens, first: int, end: int) -> Range | None:
    """Return W in "Why is it that W?" or "How come W?", if it has a figure."""
    for at in range(first, min(end, first + _REACH)):
        come = tokens.lower[at] == "come" and tokens.lower[at - 1 : at] == ["how"]
        if tokens.lower[at] in _CAUSES or come:
            start = at + 1
            while start < end and tokens.lower[start] in _EXPLETIVES:
                start += 1
            return (start, end) if _has_figure(tokens, start, end) else None
    return None


def _before_tag(tokens: Tokens, first: int, end: int) -> int | None:
    """Return where the tag of a tag question begins, or None."""
    for at in range(end - 1, max(first, end - 7), -1):
        if tokens.words[at] in (",", "–", "—", "-", "…", "..."):
            tag = tokens.lower[at + 1 : end]
            inverted = len(tag) <= 3 and tag[0] in AUXILIARIES and tag[-1] in _TAG_SUBJECTS
            return at if inverted or " ".join(tag) in _TAGS else None
    return None


def _that_clause(tokens: Tokens, first: int, end: int) -> Range | None:
    at = tokens.lower.index("that", first, end) + 1
    return (at, end) if states_something(tokens, at, end) else None


def _of_rhetoric(tokens: Tokens, first: int, end: int) -> Range | None:
    """Return W in "Who would deny that W?" and "Is it not W?", which expect a yes."""
    before, that, _ = " ".join(tokens.lower[first:end]).partition(" that ")
    head = before.split()
    is_rhetorical = not _RHETORICAL.isdisjoint(head) or any(map(is_negative, head))
    clause = _that_clause(tokens, first, end) if that and is_rhetorical else None
    reach = range(first, min(first + 3, end - 1))
    return clause or next(((at + 1, end) for at in reach if is_negative(tokens.lower[at])), None)


_DECLINING = tuple(
    phrase + " "
    for phrase in (
        "as an ai", "as a language model", "as a large language model",
        "i'm sorry", "i am sorry", "sorry", "my apologies", "i apologize", "i apologise",
        "i cannot", "i can't", "i can not", "i don't know",
        "i do not know", "i don't have", "i do not have", "i'm not sure", "i am not sure",
        "i'm not certain", "i am not certain", "i'm unable", "i am unable", "i'm not able",
        "i am not able", "i could not find", "i couldn't find", "i did not find",
        "i didn't find", "unable to answer", "i have no",
        "please provide", "please specify", "please clarify", "could you please", "can you please",
    )
)  # fmt: skip
_EMPTY_OPENINGS = _DECLINING + tuple(
    phrase + " "
    for phrase in (
        "i hope", "hope this", "hope that", "let me know", "please let me", "feel free",
        "please feel free", "i am an ai", "i'm an ai", "i am a language", "i'm a language",
        "i'm just an ai", "i can help", "i can assist", "i'd be happy", "i would be happy",
        "i'm happy to", "i am happy to", "i'm glad", "i am glad",
        "i'd be glad", "i'd love to", "i'm here to", "i am here to", "i'll", "i will",
        "if you have any questions", "if you have any other", "if you have any further",
        "if you have any more", "if you have any concerns", "if you need any",
        "if you need anything", "if you need further", "if you need help",
        "if you need more help", "if you need more information",
        "if you'd like", "if you would like", "if you want me",
        "is there anything", "thank you", "thanks", "you're welcome", "you are welcome",
        "my pleasure", "nice to meet", "good morning", "good afternoon", "good evening",
        "how can i", "how may i", "happy to help", "glad to help", "hello", "hi", "hey",
        "greetings", "dear", "welcome", "great question", "good question", "please note that i",
        "have a great", "have a nice", "have a good",
        "take care", "best regards", "kind regards", "sincerely",
    )
)  # fmt: skip
_INTERJECTIONS = word_set(
    "sure certainly absolutely definitely ok okay yes no yeah yep nope great thanks hello hi hey "
    "right exactly correct indeed well alright understood welcome sorry please bye goodbye hmm oh "
    "wow congratulations cheers done course"
)
_FILLERS = word_set("of very much so you there and all everyone for the thing")
_ALONE = _INTERJECTIONS | _FILLERS
_QUESTION_MARKS = frozenset("?？؟⁇⁈⁉")
_EMPHASIS = ("**", "*", "__", "_")
_BREAKS = frozenset((",", ":", ";", "–", "—", "that", "where", "because", "since", "as", "while"))
_ABOUT_ITSELF = word_set("i we you it this that these if so and or feel please let answers helps")
_HEAD = 6
_COURTEOUS = word_set(
    "hope hesitate worry worries glad happy thanks thank welcome pleasure luck appreciate "
    "appreciated question questions concern concerns feel cheers apologies apologize apologise"
)
_COURTESIES = (
    _COURTEOUS
    | STOPWORDS
    | word_set(
        "great good excellent nice lovely wonderful fantastic interesting thoughtful important "
        "day evening weekend rest time useful helpful clear informative further anything something "
        "else ask asking contact touch free know need needs additional help helps assist "
        "assistance support please best regards kind patience interest understanding today problem "
        "problems reach clarify clarifies explains answers answered shout want ahead way fair "
        "valid understandable"
    )
)
"""A sentence of these words alone, one of the first among them, is a courtesy."""
_ANSWERING = word_set(
    "answer response reply ai ai-generated assistant chatbot bot disclaimer confidence context "
    "sources explanation reasoning"
)
_OF_ITSELF = (
    _ANSWERING
    | STOPWORDS
    | word_set(
        "generated automatically content text contain contains verify check please high low medium "
        "end final based provided given document documents source information available note "
        "reviewed checked found searched looked retrieved stated said mentioned first second last "
        "sentence paragraph support language model"
    )
)
"""A sentence of these words alone, with one of the first or after "I", is about the answer."""
_FAULTS = word_set("errors mistakes incorrect inaccurate wrong")
_HEDGES = word_set("may might can could")
_TAKES_BACK = word_set("not no never none nothing nor neither cannot but")
_TO_POINT = STOPWORDS | word_set("please want wish best recommend suggest advise kindly better")
_POINTING = word_set(
    "contact ask asking check verify see consult refer visit call reach speak try email write"
)


_DISCLAIMED = word_set("advice purposes disclaimer")
_DISCLAIMING = _DISCLAIMED | word_set(
    "legal medical financial tax professional investment substitute intended constitute "
    "constitutes informational educational general information provided note please answer "
    "response considered replace qualified"
)
_NOTES = word_set(
    "source sources reference references ref citation updated generated confidence certainty score"
)
_NOTED = STOPWORDS | MONTHS.keys() | word_set("p pp pdf high medium low today")
_CLOSINGS = word_set("regards sincerely faithfully wishes cheers")
_MORE = word_set("more further details information info")


def is_social(tokens: Tokens, first: int, last: int) -> bool:
    """Return whether a sentence is a greeting, an offer, an apology or about the answer itself."""
    while first < last - 1 and tokens.kinds[first] == MARK:
        first += 1
    word = tokens.lower[first] if first < last else ""
    if _head(tokens, first, last).startswith(_EMPTY_OPENINGS):
        return _continuation(tokens, first, last) is None
    if (word in _ALONE or not word.isalpha()) and is_interjection(tokens, first, last):
        return True
    return (
        sympathises(tokens, first, last)
        or _is_courtesy(tokens, first, last)
        or _is_of_itself(tokens, first, last)
    )


def declines(tokens: Tokens, first: int, last: int) -> bool:
    """Return whether a sentence gives no answer: "I couldn't find that.", "Please specify …"."""
    return _head(tokens, first, last).startswith(_DECLINING) and is_social(tokens, first, last)


def _head(tokens: Tokens, first: int, last: int) -> str:
    return " ".join(tokens.lower[first : min(first + _HEAD, last)]) + " "


_SYMPATHY = re.compile(
    r"(?:i|we) (?:can |fully )*(?:understand|know|realise|realize|imagine|appreciate|see)"
    r" (?:[^\W\d]+ ){1,8}?(?:be|is|are|feels?) (?:[^\W\d]+ ){0,2}"
    r"(?:frustrating|stressful|annoying|worrying|confusing|upsetting|inconvenient|difficult|hard)"
    r"(?: [.!])?"
)


def sympathises(tokens: Tokens, first: int, last: int) -> bool:
    """Return whether a sentence is about what the reader may feel: "I know that this is hard."."""
    return tokens.lower[first] in ("i", "we") and bool(
        _SYMPATHY.fullmatch(" ".join(tokens.lower[first:last]))
    )


def _is_courtesy(tokens: Tokens, first: int, last: int) -> bool:
    """Return whether a sentence is a courtesy: "Hope that's useful!", "A great question."."""
    if _COURTEOUS.isdisjoint(tokens.lower[first:last]):
        return False
    words = _bare_words(tokens, first, last)
    return all(word in _COURTESIES or word.partition("'")[0] in _COURTESIES for word in words)


def _bare_words(tokens: Tokens, first: int, last: int) -> list[str]:
    """Return the tokens in lower case, without marks."""
    pairs = zip(tokens.lower[first:last], tokens.kinds[first:last], strict=True)
    return [word for word, kind in pairs if kind != MARK]


def _is_of_itself(tokens: Tokens, first: int, last: int) -> bool:
    """Return whether a sentence is about the answer: "AI-generated.", "I checked the sources."."""
    words = tokens.lower[first:last]
    # "This is not legal advice." says what the answer is not.
    is_disclaimer = not _DISCLAIMED.isdisjoint(words) and all(
        word in _DISCLAIMING or word in STOPWORDS or not word.isalnum() for word in words
    )
    if is_disclaimer:
        return True
    if _ANSWERING.isdisjoint(words) and words[0].partition("'")[0] != "i":
        return False
    # "The answer above is wrong." takes back what was said; "may contain errors" does not.
    if not _TAKES_BACK.isdisjoint(words) or any(map(is_negative, words)):
        return False
    speech = _OF_ITSELF if _HEDGES.isdisjoint(words) else _OF_ITSELF | _FAULTS
    return all(word.partition("'")[0] in speech for word in _bare_words(tokens, first, last))


_CAUTION = re.compile(
    r"(?:please )?(?:always|(?:if|when) (?:you are |you're )?(?:in doubt|unsure) ,) (?:please )?"
    r"(?:ask|contact|consult|(?:check|speak|talk) (?:with|to)) (?!for\b)\w+(?: [^\W\d]+){0,2}"
    r"(?: [.!])?"
)


def is_aside(tokens: Tokens, first: int, last: int) -> bool:
    """Return whether what stands behind an answer says nothing of it.

    It says where to find more ("For details, see the policy."), whom to ask ("If in doubt, ask
    HR."), or is a note: "Source: page 4", "Confidence: 0.9".
    """
    words = tokens.lower[first:last]
    if _CAUTION.fullmatch(" ".join(words)):
        return True
    if not _NOTES.isdisjoint(words[:2]) and ":" in words[1:3]:
        behind = range(first + words.index(":") + 1, last)
        return all(
            tokens.kinds[at] != WORD
            or tokens.words[at][0].isupper()
            or tokens.lower[at] in _ELSEWHERE | _NOTED
            for at in behind
        )
    if NUMBER in tokens.kinds[first:last] and _SOURCE_WORDS.isdisjoint(words):
        return False
    return not (_POINTING | _MORE).isdisjoint(words) and all(
        word in _POINTING or word in _ELSEWHERE or word in STOPWORDS or kind != WORD
        for word, kind in zip(words, tokens.kinds[first:last], strict=True)
    )


def is_general_title(tokens: Tokens, first: int, last: int) -> bool:
    """Return whether a heading names no subject: "Short answer", "Our policy"."""
    return (_SAYING | _ELSEWHERE | _ANSWERING | STOPWORDS).issuperset(tokens.lower[first:last])


def signs_off(tokens: Tokens, first: int, last: int) -> bool:
    """Return whether a signature follows: "Best regards,"."""
    return last - first <= _HEAD and not _CLOSINGS.isdisjoint(tokens.lower[first:last])


def refers(tokens: Tokens, first: int, last: int) -> bool:
    """Return whether a sentence only says whom to ask: "Please contact the office."."""
    words = [tokens.lower[at] for at in range(first, last) if tokens.kinds[at] == WORD]
    at = next((at for at, word in enumerate(words[:_HEAD]) if word in _POINTING), None)
    if at is None or has_measured_figure(tokens, first, last):
        return False
    return set(words[:at]) <= _TO_POINT


def _continuation(tokens: Tokens, first: int, last: int) -> int | None:
    """Return where small talk continues as a statement: "I'm sorry, refunds take 30 days"."""
    for at in range(first + 1, last - 1):
        if tokens.lower[at] not in _BREAKS:
            continue
        start = at + 1 + (tokens.lower[at + 1] == "but")
        about_itself = start < last and tokens.lower[start] in _ABOUT_ITSELF
        if is_social(tokens, start, last):
            continue
        if has_measured_figure(tokens, start, last) or (
            not about_itself and states_something(tokens, start, last)
        ):
            return start
    return None


def is_framed(tokens: Tokens, first: int, last: int) -> bool:
    """Return whether a statement is in a question or after small talk, which is no part of it."""
    if is_question(tokens, first, last):
        return True
    is_talk = _head(tokens, first, last).startswith(_EMPTY_OPENINGS)
    return is_talk and _continuation(tokens, first, last) is not None


def is_interjection(tokens: Tokens, first: int, last: int) -> bool:
    """Return whether a sentence is only "Sure!", "Yes, of course." or the like."""
    words = _bare_words(tokens, first, last)
    return not _INTERJECTIONS.isdisjoint(words) and _ALONE.issuperset(words)


def is_question(tokens: Tokens, first: int, last: int) -> bool:
    """Return whether the sentence ends with a question mark, ignoring closing quotes."""
    for at in range(last - 1, max(first, last - 4) - 1, -1):
        if tokens.kinds[at] != MARK:
            return False
        if not _QUESTION_MARKS.isdisjoint(tokens.words[at]):
            return True
    return False


def after_opening(tokens: Tokens, first: int, last: int) -> int:
    """Return where the statement begins after "Yes," or "I hope this helps:"."""
    start = first
    while start < last and tokens.words[start] in _EMPHASIS:
        start += 1
    if _head(tokens, start, last).startswith(_EMPTY_OPENINGS):
        first = _continuation(tokens, start, last) or first
    while first + 1 < last and tokens.lower[first] in _INTERJECTIONS:
        if tokens.lower[first + 1] not in (",", "!", ".", ":", "—", "–"):
            break
        first += 2
    return first


_SAYING = word_set(
    "please according actually answer answers appear appears article asked asking assume "
    "assure attached available aware based basic basically belief believe best bottom brief "
    "briefly certainly chapter checked clarify clause clear clearly concerning conclude "
    "conclusion confirm context contrary course direct directly document documents "
    "essentially fact facts far first firstly following fortunately frankly gather generally "
    "given glad good great guess happy help hence honest honestly important importantly "
    "indeed inform information informed key know knowledge line look looked looking looks "
    "luckily matter mean means mentions mind news note noted notice noting nutshell ok okay "
    "overall page paragraph pleased point popular provided put question questions quick "
    "quickly reading regarding regards remember request results retrieved reviewed say says "
    "search section sections see seem seems sent shared short simple simply so speaking "
    "states sum summarise summarize summary suppose sure suspect takeaway tell thanks "
    "therefore think thus understand understanding unfortunately uploaded words worth"
)
"""Words of which one makes an opening talk of what follows: "I can tell you that"."""
_NO_OPENING = word_set(
    "if unless before after until since when while during without only except then not no never "
    "none nor neither cannot may might nobody nothing hardly barely scarcely doubt"
)
"""Words that are part of what is claimed."""
_SO_MUCH = word_set("that far long many much as little few , :")
_OPENING_ENDS = frozenset((",", ":", "!", "–", "—", "that"))
_LONGEST_OPENING = 10
_OPINIONS = word_set("think believe guess assume suppose suspect seems appears looks")
_THINKERS = word_set("i we it")
_BEHIND_OPINION = word_set("that like to so of about in on at as for not , :")


def after_lead(tokens: Tokens, first: int, last: int) -> int:
    """Return where a sentence begins to say something: "In summary, according to the page, …".

    Talk of what follows is skipped: "I can tell you that", "As far as I can see,", "So,".
    """
    start = first
    while (behind := _after_talk(tokens, start, last)) > start:
        start = behind
    return after_frame(tokens, start, last) if start < last else first


def _after_talk(tokens: Tokens, first: int, last: int) -> int:
    """Return the token behind an opening that talks of what follows, else the first."""
    if last - first < 2:
        return first
    if tokens.lower[first] == "so" and tokens.lower[first + 1] not in _SO_MUCH:
        return first + 1
    talks = thinks = False
    for at in range(first, min(first + _LONGEST_OPENING, last - 1)):
        lower = tokens.lower[at]
        word = lower.partition("'")[0]
        ends = talks and (lower in _OPENING_ENDS or (thinks and lower == "like"))
        if ends or (thinks and lower not in _BEHIND_OPINION):
            begin = at + ends
            begin += tokens.lower[begin] in ("that", ",", "so")
            return begin if states_something(tokens, begin, last) else first
        if tokens.kinds[at] == MARK or word in _NO_OPENING or lower.endswith("n't"):
            return first
        talks |= word in _SAYING
        numbered = tokens.kinds[at] == NUMBER and tokens.lower[at - 1] in _SAYING
        if not (numbered or word in _SAYING or word in STOPWORDS):
            return first
        thinks = word in _OPINIONS and at > first and tokens.lower[first] in _THINKERS
    return first


def has_word(tokens: Tokens, first: int, last: int) -> bool:
    """Return whether there is a word, number or ideograph."""
    return any(tokens.kinds[at] != MARK for at in range(first, last))


_SOURCE_WORDS = word_set(
    "passage passages excerpt excerpts context contexts source sources document documents text "
    "texts article articles snippet snippets information"
)
_DOCUMENT_WORDS = word_set(
    "policy policies handbook manual guide guideline guidelines faq faqs documentation docs terms "
    "agreement contract website page leaflet brochure instructions rules regulations schedule "
    "timetable menu catalogue label records data table tables"
)
_ELSEWHERE = (
    _MORE
    | _SOURCE_WORDS
    | _DOCUMENT_WORDS
    | word_set(
        "please detail additional full complete official relevant clarification questions "
        "question doubt unsure needed need help assistance support us team customer service "
        "services desk helpdesk staff section sections page pages chapter appendix link below "
        "above directly find found learn read kindly always also free feel hesitate"
    )
)
"""Words of a sentence that says where there is more, and nothing of what is asked."""
_ADVICE_WORDS = word_set("consult consulting speak talk seek check ask contact")
_LONGEST_FRAME = 60
"""Tokens examined: longer sentences say more than this."""

_SOURCE = (
    r"(?:passages?|excerpts?|contexts?|sources?|documents?|texts?|articles?|snippets?"
    r"|(?:provided|given|available|retrieved) information|information (?:provided|given))"
)
_NUMBERS = r"(?: \d+(?:(?: ,| and| &| ,? and) \d+)*)?"
_TOLD = (
    r"(?:provide|contain|mention|specify|say|state|include|give|discuss|address|explain"
    r"|indicate|cover|clarify|describe|detail|answer|elaborate|offer|list|have|touch)"
)
_GIVEN = (
    r"(?:mentioned|stated|specified|provided|given|discussed|covered|included|available"
    r"|addressed|described|clear|found|explained|listed)"
)
_NOT = r"(?:(?:do|does|did) not|don't|doesn't|didn't)"
_LACKS = re.compile(
    rf"\b{_SOURCE}{_NUMBERS} (?:\w+ ){{0,2}}{_NOT} (?:\w+ ){{0,2}}{_TOLD}\b"
    rf"|\bnot (?:\w+ly )?{_GIVEN} (?:\w+ )?(?:in|by|from) (?:\w+ ){{0,3}}{_SOURCE}\b"
    rf"|\b(?:unable|not able|not possible|impossible|cannot|can't|can not|could not|couldn't) "
    rf"(?:to )?(?:be )?(?:answer|answered|determine|determined|provide|say|tell|find|give)\b"
    rf".* {_SOURCE}\b"
    rf"|\bno (?:\w+ ){{0,3}}(?:information|mention|details?)\b.* {_SOURCE}\b"
)
_DENIES = re.compile(rf"^(?:but |and )?(?:\w+ ){{0,5}}?{_NOT} (?:\w+ ){{0,2}}{_TOLD}\b")
_POINTS = re.compile(
    rf"\b(?:information|details?|steps?|answer|instructions?|this|that) (?:\w+ )?"
    rf"(?:can|could|may) be found in (?:\w+ ){{0,2}}{_SOURCE}{_NUMBERS}$"
    rf"|\b(?:is|are|was|were) (?:\w+ly )?based (?:\w+ )?on (?:the |these )?"
    rf"(?:\w+ )?{_SOURCE}(?: provided| given| above)?$"
    rf"|\b(?:refer|referring) (?:back )?to (?:the )?(?:\w+ )?{_SOURCE}{_NUMBERS} for\b"
)
_IDLE = re.compile(
    r"(?:if|whether|when)\b|(?:so |therefore |and )?(?:additional|more|further) "
    r"(?:information|details?|research) (?:is|are|may be|might be|would be) (?:needed|required)\b"
)
"""A condition, or a wish to know more: neither claims anything."""
_FRAME_BREAKS = frozenset((",", ";", ":", "but", "—", "–", "(", ")"))
_EXPERT = (
    r"(?:doctor|physician|professional|professionals|lawyer|attorney|advis[eo]r|expert|experts"
    r"|specialist|pharmacist|accountant|veterinarian|vet|dentist|provider|therapist|dermatologist)"
)
_ADVISES = re.compile(
    r"^(?:\w+ , )?(?:(?:so|however|therefore|please|always|but|and|also|,) )*"
    r"(?:(?:it is|it's|it would be|it may be|it might be) (?:\w+ )?"
    r"(?:best|recommended|advisable|advised|important|wise|a good idea|helpful|necessary) to "
    r"|you (?:should|may want to|might want to|may wish to|can) (?:\w+ )?|we recommend )?"
    rf"(?:consult|consulting|speak|talk|seek|check|ask|contact)\b.*\b{_EXPERT}\b"
)
_NO_EDITION = (
    r"(?!(?:old(?:er)?|new(?:er)?|previous|former|draft|revised|original|first|second|third|other|another"
    r"|earlier|later|updated|amended) )"
)
"""If a document has several editions, naming one is part of the claim."""
_DOCUMENT = (
    rf"(?:(?:\w+ ){{0,3}}{_SOURCE}{_NUMBERS}(?: provided| given| above)?"
    r"|(?:(?:the|this|our|your|their|its|company|official|provided|given) ){1,3}"
    rf"(?:{_NO_EDITION}[^\W\d]+ )?(?:{'|'.join(sorted(_DOCUMENT_WORDS))}))"
)
_FRAME = re.compile(
    rf"(?:according to|based (?:\w+ )?on|as (?:\w+ )?(?:in|by|per)|per|from|in|under) "
    rf"(?:(?:the |this |these )?(?:information|data|details?) (?:\w+ )?(?:in|by|from|on) )?"
    rf"{_DOCUMENT}(?: \( [^()]{{1,40}} \))? , "
)
_REPORT = re.compile(
    rf"(?:(?:the |this )?(?:\w+ )?{_SOURCE}{_NUMBERS}|{_DOCUMENT}) (?:also |further |only |then )?"
    r"(?:state|mention|say|explain|clarifie|clarify|note|suggest|indicate|specifie|specify|add"
    r"|highlight|show|reveal|report)s? (?:that|:) "
)


def asserts_nothing(tokens: Tokens, first: int, last: int, about: Range) -> bool:
    """Return whether tokens [first, last) are only about the sources, or refer to an expert.

    `about` are the tokens of the subject, which may come from a previous clause.
    """
    words = tokens.lower[first:last]
    if len(words) > _LONGEST_FRAME:
        return False
    if not _SOURCE_WORDS.isdisjoint(words):
        return _only_about_sources(tokens, first, last)
    if not _ADVICE_WORDS.isdisjoint(words) and NUMBER not in tokens.kinds[first:last]:
        return bool(_ADVISES.match(" ".join(words)))
    of_source = not _SOURCE_WORDS.isdisjoint(tokens.lower[about[0] : about[1]])
    return of_source and bool(_DENIES.match(" ".join(words)))


def _only_about_sources(tokens: Tokens, first: int, last: int) -> bool:
    """Return whether one part names a gap in the sources and no part claims anything else.

    "The passages do not name a year, so it was 1972" claims the year.
    """
    names_a_gap = False
    for start, end in _parts(tokens, first, last):
        phrase = " ".join(tokens.lower[start:end])
        if _LACKS.search(phrase) or _POINTS.search(phrase):
            names_a_gap = True
        elif not _IDLE.match(phrase) and has_finite_verb(tokens, start, end):
            return False
    return names_a_gap


def _parts(tokens: Tokens, first: int, last: int) -> Iterator[Range]:
    start = first
    for at in range(first, last):
        if tokens.lower[at] in _FRAME_BREAKS:
            yield start, at
            start = at + 1
    yield start, last


def after_frame(tokens: Tokens, first: int, last: int) -> int:
    """Return where the claim begins after "According to passage 1," or "Passage 2 states that"."""
    head = tokens.lower[first : min(last, first + 16)]
    if (_SOURCE_WORDS | _DOCUMENT_WORDS).isdisjoint(head):
        return first
    opening = " ".join(head) + " "
    match = _FRAME.match(opening) or _REPORT.match(opening)
    after = first + match[0].count(" ") if match else first
    return after if after < last else first
