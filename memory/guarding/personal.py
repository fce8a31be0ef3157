"""Detects personal data: phone, card, identity and account numbers, e-mail, addresses.

Numbers are checked by established libraries: phonenumbers (Google's metadata) and python-stdnum
(check digits of cards, accounts and national numbers). Addresses have no check digit and are
recognised by their form.
"""

import re
from collections.abc import Callable, Iterator

import phonenumbers
from stdnum import iban, luhn
from stdnum.au import tfn
from stdnum.ca import sin
from stdnum.de import idnr
from stdnum.es import dni, nie
from stdnum.fr import nir
from stdnum.gb import nhs
from stdnum.in_ import aadhaar, pan
from stdnum.it import codicefiscale
from stdnum.nl import bsn
from stdnum.pl import pesel
from stdnum.us import itin, ssn

from memory.outcomes import Refusal

PHONE_REGIONS = ("US", "GB", "IN", "DE", "FR", "ES", "IT", "NL", "PL", "AU", "AE")
"""Countries whose numbers are known without their international prefix."""
_CARD_DIGITS = range(13, 20)
_IBAN_LENGTHS = range(15, 35)
_EMAIL = re.compile(r"[\w.+-]{1,64}(?:@|\s?\(at\)\s?|\s?\[at\]\s?)[\w-]{1,63}(?:\.[\w-]{2,63})+")
LONG_NUMBER = re.compile(r"\d(?:[ .-]?\d){6,24}")
"""Seven digits or more, also in groups."""
_CODE = re.compile(r"\b[A-Za-z]{1,6}[ -]?\d[A-Za-z0-9 -]{5,32}\b")
_FORMS: tuple[tuple[Callable[[str], bool], tuple[int, ...]], ...] = (
    (aadhaar.is_valid, (12,)),
    (pesel.is_valid, (11,)),
    (idnr.is_valid, (11,)),
    (nhs.is_valid, (10,)),
    (nir.is_valid, (15,)),
    (sin.is_valid, (9,)),
    (bsn.is_valid, (9,)),
    (tfn.is_valid, (8, 9)),
)
_LETTERED = (pan.is_valid, dni.is_valid, nie.is_valid, codicefiscale.is_valid)
_US_NUMBER = re.compile(r"(?<!\d)\d{3}[- ]\d{2}[- ]\d{4}(?!\d)")
_NINO = re.compile(r"\b[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D]\b", re.I)
_NAMED = re.compile(
    r"\b(?:passport|driving licen[cs]e|driver'?s licen[cs]e|national insurance|social security|"
    r"ssn|identity card|id card|tax id|employee id|visa|iban|bank account|account number|"
    r"sort code|credit card|debit card|card number)\b[^.?!]{0,40}?\b[A-Z]{0,4}\d[\w-]{3,}",
    re.I,
)
_STREET = re.compile(
    r"\b\d{1,5}[a-zA-Z]?,?\s+(?:[A-Z][\w'’.-]*\s+){1,4}(?i:street|st|road|rd|avenue|ave|lane|ln|"
    r"drive|dr|close|court|ct|boulevard|blvd|way|terrace|crescent|square|place|gardens|grove|"
    r"row|mews|nagar|marg)\b"
)
_STREET_FIRST = re.compile(
    r"\b(?:[A-ZÄÖÜ][\w'’.-]*(?:stra(?:ß|ss)e|str\.|gasse|weg|platz|allee)|"
    r"(?:Rue|Via|Calle|Avenida|Rua|Ulica|ul\.)(?:\s+[\w'’.-]+){1,4}),?\s+\d{1,4}\b"
)
_FLAT = re.compile(r"\b(?:flat|apartment|apt\.?|p\.?\s?o\.?\s?box)\s*#?\s*\d{1,5}[a-z]?\b", re.I)
_POSTCODE = re.compile(r"\b[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}\b")
_HOME = re.compile(r"\b(?:my|his|her|their|whose)\s+(?:home|private|personal)\s+address\b", re.I)


def refusal(text: str) -> Refusal | None:
    """Return the refusal of the first kind of personal data in the text, or None."""
    kind = next((kind for kind, holds in _KINDS if holds(text)), None)
    if kind is None:
        return None
    return Refusal("personal_data", f"It holds {kind}, which is never stored.", hidden=True)


def has_email(text: str) -> bool:
    """Return whether a text has an e-mail address, with @ or (at)."""
    return bool(_EMAIL.search(text))


def has_phone(text: str) -> bool:
    """Return whether a text has a number that is valid in some country's numbering plan."""
    for run in LONG_NUMBER.finditer(text):
        start = max(0, run.start() - 3)
        if any(_finds_phone(text[start : run.end()], region) for region in PHONE_REGIONS):
            return True
    return False


def has_card(text: str) -> bool:
    """Return whether a text has 13 to 19 digits with a valid check digit (Luhn)."""
    return any(len(run) in _CARD_DIGITS and luhn.is_valid(run) for run in _digit_runs(text))


def has_account(text: str) -> bool:
    """Return whether a text has an IBAN."""
    # What follows the number may be the next words, so each beginning of a code is tried.
    return any(
        iban.is_valid(code[:size])
        for code in _codes(text)
        for size in _IBAN_LENGTHS
        if size <= len(code)
    )


def has_identity(text: str) -> bool:
    """Return whether a text has a national number with valid check digits, or one called so."""
    if _NINO.search(text) or _NAMED.search(text):
        return True
    if any(ssn.is_valid(number) or itin.is_valid(number) for number in _US_NUMBER.findall(text)):
        return True
    codes = [code for code in _codes(text) if len(code) <= 16]
    if any(is_valid(code) for is_valid in _LETTERED for code in codes):
        return True
    runs = set(_digit_runs(text))
    return any(len(run) in lengths and valid(run) for valid, lengths in _FORMS for run in runs)


def has_address(text: str) -> bool:
    """Return whether a text has a street with a number, a flat, a box or a British postcode."""
    patterns = (_STREET, _STREET_FIRST, _FLAT, _POSTCODE, _HOME)
    return any(pattern.search(text) for pattern in patterns)


_KINDS: tuple[tuple[str, Callable[[str], bool]], ...] = (
    ("an e-mail address", has_email),
    ("a card number", has_card),
    ("a bank account", has_account),
    ("an identity number", has_identity),
    ("a phone number", has_phone),
    ("an address", has_address),
)


def _finds_phone(text: str, region: str) -> bool:
    leniency = phonenumbers.Leniency.VALID
    return phonenumbers.PhoneNumberMatcher(text, region, leniency=leniency).has_next()


def _digit_runs(text: str) -> Iterator[str]:
    """Yield runs of at least seven digits, without their separators."""
    for run in LONG_NUMBER.findall(text):
        yield "".join(char for char in run if char.isdigit())


def _codes(text: str) -> Iterator[str]:
    """Yield runs of letters and digits that could be account or identity numbers."""
    for match in _CODE.finditer(text):
        yield match[0].replace(" ", "").replace("-", "").upper()
    for word in text.split():
        if any(char.isdigit() for char in word):
            yield word.strip(".,;:!?()\"'").upper()
