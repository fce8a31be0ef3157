"""Names, recognised by form alone, and other ways to write the same name.

A name is a run of capitalised words, an acronym or a word with digits. Aliases ("CA" and
"California", "Feb" and "February", "Wi-Fi") are only what is the same wherever it stands; words
that mean nearly the same are not here. States by the codes of the United States Postal Service
(Publication 28, appendix B).
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import compress
from operator import itemgetter

from msgspec import Struct

from lib.text.stems import term
from lib.text.tokens import NUMBER, WORD, Tokens
from lib.text.units import CURRENCIES
from lib.text.words import MONTHS, STOPWORDS, word_set

_FIRST_CHARACTER: Callable[[str], str] = itemgetter(0)
_JOINERS = word_set("of the de da di du van von der den la le al bin ibn & ' - .")
_NOT_NAMES = (
    STOPWORDS | frozenset(MONTHS) | frozenset({"mr", "mrs", "ms", "dr"}) | CURRENCIES.keys()
)


class Name(Struct, frozen=True, gc=False):
    """Tokens [first, last) of one name."""

    first: int
    last: int


def names(tokens: Tokens, first: int, last: int) -> list[Name]:
    """Return the names in tokens [first, last); a lone capitalised first word is none."""
    names: list[Name] = []
    end = first
    for at in capitals(tokens, first, last):
        if at < end or not _capital(tokens, at):
            continue
        end = _run_end(tokens, at, last)
        if end - at > 1 or at > first or _strong(tokens.words[at]):
            names.append(Name(at, end))
    return names


def capitals(tokens: Tokens, first: int, last: int) -> Iterator[int]:
    """Yield the tokens of [first, last) that begin with a capital."""
    large = map(str.isupper, map(_FIRST_CHARACTER, tokens.words[first:last]))
    return compress(range(first, last), large)


def _capital(tokens: Tokens, at: int) -> bool:
    word = tokens.words[at]
    return tokens.kinds[at] == WORD and word[0].isupper() and tokens.lower[at] not in _NOT_NAMES


def _strong(word: str) -> bool:
    """Return whether a word is a name anywhere: an acronym or mixed case (NASA, iPhone, B2B)."""
    return len(word) > 1 and (word[1:] != word[1:].lower() or any(c.isdigit() for c in word))


def _run_end(tokens: Tokens, at: int, last: int) -> int:
    end = at + 1
    while end < last:
        if _capital(tokens, end):
            end += 1
        elif tokens.lower[end] in _JOINERS and end + 1 < last and _capital(tokens, end + 1):
            if tokens.words[end] == "." and len(tokens.words[end - 1]) > 2:
                break
            end += 2
        else:
            break
    return end


_STATES = """
AL Alabama|AK Alaska|AZ Arizona|AR Arkansas|CA California|CO Colorado|CT Connecticut|DE Delaware|
DC D.C.|FL Florida|GA Georgia|HI Hawaii|ID Idaho|IL Illinois|IN Indiana|IA Iowa|KS Kansas|
KY Kentucky|LA Louisiana|ME Maine|MD Maryland|MA Massachusetts|MI Michigan|MN Minnesota|
MS Mississippi|MO Missouri|MT Montana|NE Nebraska|NV Nevada|NH New_Hampshire|NJ New_Jersey|
NM New_Mexico|NY New_York|NC North_Carolina|ND North_Dakota|OH Ohio|OK Oklahoma|OR Oregon|
PA Pennsylvania|RI Rhode_Island|SC South_Carolina|SD South_Dakota|TN Tennessee|TX Texas|UT Utah|
VT Vermont|VA Virginia|WA Washington|WV West_Virginia|WI Wisconsin|WY Wyoming
"""
_DATES = """
Jan January|Feb February|Mar March|Apr April|Jun June|Jul July|Aug August|Sep Sept September|
Oct October|Nov November|Dec December|Mon Monday|Tue Tues Tuesday|Wed Wednesday|
Thu Thur Thurs Thursday|Fri Friday|Sat Saturday|Sun Sunday
"""
_TERMS = """
WiFi Wi-Fi|Q1 first_quarter|Q2 second_quarter|Q3 third_quarter|Q4 fourth_quarter|
YoY year-over-year year-on-year|EU European_Union|UN United_Nations|NYC New_York_City|
UAE United_Arab_Emirates|TV television|GP general_practitioner|CEO chief_executive_officer|
CFO chief_financial_officer|GDP gross_domestic_product|AI artificial_intelligence
"""
_PEOPLES = """
US U.S. USA U.S.A. United_States American America|UK U.K. United_Kingdom British Britain|
France French|Germany German|Italy Italian|Spain Spanish|Portugal Portuguese|Greece Greek|
Netherlands Dutch|Belgium Belgian|Denmark Danish|Sweden Swedish|Norway Norwegian|Finland Finnish|
Iceland Icelandic|Ireland Irish|Scotland Scottish|Wales Welsh|England English|Poland Polish|
Austria Austrian|Switzerland Swiss|Hungary Hungarian|Slovenia Slovenian|Slovakia Slovak|
Croatia Croatian|Serbia Serbian|Romania Romanian|Bulgaria Bulgarian|Ukraine Ukrainian|
Russia Russian|Turkey Turkish|Israel Israeli|Egypt Egyptian|Libya Libyan|Syria Syrian|Iraq Iraqi|
Iran Iranian|India Indian|Pakistan Pakistani|China Chinese|Japan Japanese|Korea Korean|
Vietnam Vietnamese|Thailand Thai|Philippines Filipino|Indonesia Indonesian|Australia Australian|
Canada Canadian|Mexico Mexican|Cuba Cuban|Brazil Brazilian|Argentina Argentine|Chile Chilean|
Peru Peruvian|Colombia Colombian|Nigeria Nigerian|Kenya Kenyan|Ethiopia Ethiopian|Africa African|
Europe European|Asia Asian
"""


_SMALL_MEANS_ANOTHER = frozenset({"Mar", "Jan", "Sat", "Sun", "Mon", "Wed", "March", "Turkey"})
_APART = str.maketrans("_-.", "   ")
_BETWEEN = (("-",), ("-", "."))
"""Marks inside a name, and inside one of single letters."""


@dataclass(frozen=True, slots=True)
class _Form:
    """One spelling of a name, word by word, with the terms of the others.

    Where it is a `code`, capitals count.
    """

    words: tuple[str, ...]
    code: bool
    others: frozenset[str]


def _forms() -> dict[str, list[_Form]]:
    """Return all forms by their first word in lower case."""
    forms: dict[str, list[_Form]] = defaultdict(list)
    for entry in "|".join((_STATES, _DATES, _TERMS, _PEOPLES)).split("|"):
        group = [form.translate(_APART).split() for form in entry.split()]
        for words in group:
            others = [term(word.lower()) for other in group if other is not words for word in other]
            code = words[0].isupper() or words[0] in _SMALL_MEANS_ANOTHER
            terms = frozenset(other for other in others if len(other) > 1)
            forms[words[0].lower()].append(_Form(tuple(words), code, terms))
    return dict(forms)


_FORMS = _forms()
_ADJECTIVES = {
    "high": "height", "tall": "height", "long": "length", "wide": "width", "broad": "width",
    "deep": "depth", "thick": "thickness",
}  # fmt: skip
_DIMENSIONS = {adjective: term(noun) for adjective, noun in _ADJECTIVES.items()}
_OF_NOUN = {
    noun: tuple(term(adjective) for adjective, its in _ADJECTIVES.items() if its == noun)
    for noun in _ADJECTIVES.values()
} | {"weight": ("weigh",), "weighs": ("weight",), "weigh": ("weight",)}
_MEASURING = frozenset(_DIMENSIONS.keys() | _OF_NOUN.keys())


def aliases(tokens: Tokens, first: int, last: int) -> frozenset[str]:
    """Return the terms of other ways to write what stands in tokens [first, last)."""
    other_terms = frozenset[str]()
    if _FORMS.keys().isdisjoint(tokens.lower[first:last]):
        return other_terms
    for at in compress(range(first, last), map(_FORMS.__contains__, tokens.lower[first:last])):
        for form in _FORMS[tokens.lower[at]]:
            if _is_form_at(form, tokens, at, last):
                other_terms |= form.others
    return other_terms


def dimensions(tokens: Tokens, first: int, last: int) -> frozenset[str]:
    """Return the other word for what is measured: "62 m high" has the height.

    An adjective counts only behind a number and its unit: "of high quality" has no height.
    """
    if _MEASURING.isdisjoint(tokens.lower[first:last]):
        return frozenset()
    nouns = set[str]()
    for at in compress(range(first, last), map(_MEASURING.__contains__, tokens.lower[first:last])):
        noun = _DIMENSIONS.get(tokens.lower[at])
        if noun and at >= first + 2 and NUMBER in tokens.kinds[at - 2 : at]:
            nouns.add(noun)
        nouns.update(_OF_NOUN.get(tokens.lower[at], ()))
    return frozenset(nouns)


def _is_form_at(form: _Form, tokens: Tokens, at: int, last: int) -> bool:
    words = tokens.words if form.code else tokens.lower
    for index, word in enumerate(form.words):
        at += index > 0 and at < last and tokens.words[at] in _BETWEEN[len(word) == 1]
        if at >= last or words[at] != (word if form.code else word.lower()):
            return False
        at += 1
    return True
