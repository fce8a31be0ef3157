"""Synthetic sources and plain restatements of them, right and wrong in the same sentences.

Judges trained on contrast sets alone doubt the plainest restatements ("Ms. Berg signed the report"
and "The report was signed by Ms. Berg"). Here each kind of statement has several wordings; a source
has one of them, a right claim another, and a wrong one is a right one's wording with another value,
the values swapped or the sense turned round, so that no word tells them apart.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from tools.training.judge.data import CONTRADICT, ENTAIL, NOT_ENTAILED, Block, LabelledClaim


def _words(words: str) -> tuple[str, ...]:
    return tuple(words.split("|"))


_FIRST = _words("Anna|Ben|Carla|David|Elena|Farid|Greta|Hugo|Ines|Jonas|Karin|Leo|Marta|Nils|Olga")
_LAST = _words(
    "Berg|Holt|Ritter|Moreno|Okafor|Tolland|Purkiss|Frobisher|Lindqvist|Marsh|Novak|Ortega|Quist|"
    "Rahman|Sato|Thorne|Varga|Whitlock|Yilmaz|Abbot|Brandt|Dunne|Falk|Grant|Hale|Jansen|Kerr|Lowe"
)
_CITIES = _words("Linz|Graz|Porto|Brno|Bergamo|Leeds|Derby|Turku|Gdansk|Lyon|Cork|Basel|Ulm|Ghent")
_MACHINES = _words(
    "lift|crane|forklift|boiler|pump|oven|drill|generator|trailer|freezer|mixer|kiln"
)
_DOCUMENTS = _words("report|contract|invoice|application|survey|budget|proposal|permit|form|plan")
_BODIES = _words("council|board|committee|club|foundation|company|school|hospital|agency")
_EVENTS = _words("meeting|fair|concert|workshop|inspection|training|audit|tour|exam|festival")
_GROUPS = _words("children|students|pensioners|members|visitors|employees|interns|guests|nurses")
_BUILDINGS = _words("railway|bridge|plant|school|mill|theatre|tower|harbour|cinema|brewery")
_SUBSTANCES = _words("lead|nitrate|copper|zinc|arsenic|mercury|iron|cadmium|nickel|fluoride")
_PLACES = _words(
    "north hall|south hall|east wing|main office|reading room|workshop|warehouse|laboratory|"
    "canteen|gym|library|archive|museum|clinic|sauna|chapel|lobby"
)
_ITEMS = _words(
    "bike|locker|towel|parking space|meeting room|projector|tent|canoe|audio guide|day ticket|"
    "season ticket|deposit|spare key|city map|guest pass|costume"
)
_ACTIONS = _words(
    "use the sauna|enter the laboratory|park in the yard|borrow equipment|work from home|"
    "bring a guest|take photographs|use the lift|swap shifts|sign invoices|download the data"
)
_DUTIES = _words(
    "wear a helmet|show a pass|sign the log|book in advance|pay a deposit|bring proof of age|"
    "report accidents|lock the door|wash their hands"
)
_RISKS = _words(
    "theft|flood damage|lost luggage|broken glass|skiing|dental treatment|storm damage|"
    "car rental|legal help|water damage|vandalism|roof damage"
)
_FEATURES = _words(
    "a dishwasher|a bathtub|a log stove|air conditioning|offline mode|a fire alarm|a balcony|"
    "wireless charging|priority support|a towbar|a spare wheel"
)
_MODELS = _words(
    "Larch cottage|Rowan cottage|blue van|red van|basic plan|team plan|north site|south site|"
    "old model|new model|desktop client|web client"
)
_POSTS = _words(
    "data protection officer|head of sales|treasurer|chair|fire warden|caretaker|head nurse|"
    "site manager|secretary|coach"
)
_CONDITIONS = _words(
    "they book online|they give two weeks' notice|their manager agrees|they pay a deposit|"
    "they have worked for a year|the course is full"
)
_BENEFITS = _words("get a refund|get a bonus|get a second key|enter early|extend the loan")
_MEN = frozenset(("Ben", "David", "Farid", "Hugo", "Jonas", "Leo", "Nils"))
_ROLES = _words(
    "the nurse|the doctor|the tenant|the landlord|the manager|the auditor|the coach|the guard|"
    "the teacher|the parent|the driver|the dispatcher|the editor|the author|the clerk|the cook"
)
_FIRMS = _words(
    "Alpha Freight|the museum|Corvus|the port|Delta Foods|the bank|Orion|the city|the university|"
    "Lumen|the hospital trust|Norden|the library|the railway company"
)
_RELATIONS = (
    ("{0} informs {1}", "{1} is informed by {0}", ("It is {0} who informs {1}",)),
    ("{0} pays {1}", "{1} is paid by {0}", ("{1} gets money from {0}",)),
    ("{0} supervises {1}", "{1} is supervised by {0}", ("{1} works under {0}",)),
    ("{0} sued {1}", "{1} was sued by {0}", ("{0} took {1} to court",)),
    ("{0} supplies {1}", "{1} is supplied by {0}", ("{1} is a customer of {0}",)),
    ("{0} called {1}", "{1} was called by {0}", ("{1} got a call from {0}",)),
    ("{0} lent {1} a van", "{1} was lent a van by {0}", ("{1} borrowed a van from {0}",)),
    ("{0} sold a van to {1}", "a van was sold to {1} by {0}", ("{1} bought a van from {0}",)),
    ("{0} reports to {1}", "{1} is the one {0} reports to", ("{1} receives the reports of {0}",)),
    ("{0} replaced {1}", "{1} was replaced by {0}", ("{0} took the place of {1}",)),
    ("{0} spent more than {1}", "{1} spent less than {0}", ("{1} had lower costs than {0}",)),
    ("{0} arrived before {1}", "{1} arrived after {0}", ("{1} came later than {0}",)),
    ("{0} won against {1}", "{1} lost to {0}", ("{0} defeated {1}", "{1} was beaten by {0}")),
    ("{0} thanked {1}", "{1} was thanked by {0}", ("{1} received thanks from {0}",)),
)  # fmt: skip
"""Active, passive, and other wordings of the same relation of one to another."""
_FAULTS = _words(
    "door not closed|filter blocked|water too hot|no paper|fan defective|low pressure|tank empty|"
    "sensor broken|cable loose|lid open|motor overheated|pump jammed"
)
_AMOUNTS = _words("loans|visits|complaints|accidents|subscriptions|passengers|calls|trees|orders")
_DEEDS = (
    ("signed", "signed"), ("wrote", "written"), ("approved", "approved"), ("checked", "checked"),
    ("rejected", "rejected"), ("translated", "translated"), ("proposed", "proposed"),
)  # fmt: skip
"""Past tense and participle."""
_DONE = _words("opened|extended|sold|renovated|closed|electrified|rebuilt")
_ASIDES = (
    "A new coffee machine was installed in spring.", "The photo contest had forty entries.",
    "Please keep the doors closed in winter.", "Questions can be sent by e-mail.",
    "The garden is looked after by volunteers.", "The old sign was taken down last week.",
)  # fmt: skip
_MONTHS = _words(
    "January|February|March|April|May|June|July|August|September|October|November|December"
)
_NUMBERS = dict(enumerate(_words("one|two|three|four|five|six|seven|eight|nine|ten"), start=1))


@dataclass(frozen=True)
class RecordKind:
    """The names of a tool's fields, and what their values say of a record.

    `states`: what each says; `dated`, `count`, `flagged` and `unflagged`: the same of a date, a
    number and a yes or no.
    """

    path: str
    letter: str
    name: str
    names: Sequence[str]
    state: str
    states: Mapping[str, str]
    date: str
    dated: str
    amount: str
    count: str
    flag: str
    flagged: str
    unflagged: str


_PEOPLE = tuple(f"{first} {last}" for first, last in zip(_FIRST, _LAST, strict=False))
_RECORDS = (
    RecordKind(
        "orders", "A", "item", tuple(f"the {item}" for item in _ITEMS), "status",
        {"SHIPPED": "has been shipped", "PROCESSING": "is still being processed",
         "DELIVERED": "has been delivered", "CANCELLED": "was cancelled",
         "IN_TRANSIT": "is on its way"},
        "eta", "should arrive on", "price eur", "costs {} euros", "gift", "is a gift",
        "is not a gift",
    ),
    RecordKind(
        "tickets", "T", "owner", _PEOPLE, "state",
        {"OPEN": "has an open ticket", "RESOLVED": "has resolved the ticket",
         "WAITING": "is waiting for the customer", "REJECTED": "rejected the ticket"},
        "due", "has to answer by", "replies", "has written {} replies", "urgent",
        "has an urgent one", "has one that is not urgent",
    ),
    RecordKind(
        "sensors", "S", "place", tuple(f"the {place}" for place in _PLACES), "alarm state",
        {"OK": "is in order", "TOO_WARM": "is too warm", "OFFLINE": "sends no data",
         "TOO_COLD": "is too cold"},
        "last service", "was serviced on", "battery pct", "has a battery at {}%", "locked",
        "is locked", "is not locked",
    ),
    RecordKind(
        "applications", "C", "candidate", _PEOPLE, "stage",
        {"INTERVIEW": "has reached the interview", "HIRED": "was hired",
         "DECLINED": "was turned down", "SCREENING": "is still being screened"},
        "start date", "can start on", "years experience", "has {} years of experience", "remote",
        "wants to work remotely", "does not want to work remotely",
    ),
    RecordKind(
        "bookings", "B", "guest", _PEOPLE, "payment status",
        {"PAID": "has paid", "PENDING": "has not paid yet", "REFUNDED": "got the money back",
         "FAILED": "tried to pay, which failed"},
        "check in", "arrives on", "nights", "stays {} nights", "breakfast",
        "has booked breakfast", "has not booked breakfast",
    ),
)  # fmt: skip
_LIKE_FIELDS = (
    ("ticket", "person", (("requester", "the ticket was opened by {}"),
                          ("assignee", "{} works on the ticket"),
                          ("closed by", "{} closed the ticket"))),
    ("purchase", "person", (("requested by", "{} asked for the purchase"),
                            ("approved by", "{} approved the purchase"),
                            ("paid by", "{} paid for it"))),
    ("deal", "person", (("owner", "{} owns the deal"),
                        ("primary contact", "the contact at the customer is {}"),
                        ("created by", "{} entered the deal"))),
    ("flight", "time", (("scheduled departure", "the flight should have left at {}"),
                        ("actual departure", "the flight left at {}"),
                        ("arrival", "the flight arrived at {}"))),
    ("outage", "time", (("started at", "the outage began at {}"),
                        ("detected at", "it was noticed at {}"),
                        ("resolved at", "it was over at {}"))),
    ("application", "date", (("submitted on", "the application was handed in on {}"),
                             ("received on", "the application arrived on {}"),
                             ("checked on", "the application was checked on {}"))),
    ("booking", "date", (("free cancellation until", "cancelling is free until {}"),
                         ("check in", "the guests arrive on {}"),
                         ("check out", "the guests leave on {}"))),
    ("plant", "kWh", (("energy produced", "{} were produced"),
                      ("energy exported", "{} went into the grid"),
                      ("energy self used", "{} were used in the house"))),
    ("leave", "days", (("entitled", "the leave of the year is {}"),
                       ("taken", "{} have been taken"), ("planned", "{} more are planned"))),
    ("hall", "seats", (("capacity", "the hall has {}"), ("sold", "{} are sold"),
                       ("held", "{} are held back"))),
    ("warehouse", "pieces", (("on hand", "{} are in stock"), ("reserved", "{} are reserved"),
                             ("on order", "{} are on order"))),
)  # fmt: skip
"""Records, the type or unit of their values, and their fields with what each says."""
_EXTREMES = (
    ("route", "takes {} minutes", ("quickest", "slowest"), "is quicker than"),
    ("ticket", "costs {} euros", ("cheapest", "most expensive"), "is cheaper than"),
    ("parcel", "weighs {} kg", ("lightest", "heaviest"), "is lighter than"),
    ("trail", "is {} km long", ("shortest", "longest"), "is shorter than"),
    ("tank", "holds {} litres", ("smallest", "largest"), "is smaller than"),
    ("mast", "is {} metres high", ("lowest", "tallest"), "is lower than"),
    ("member", "is {} years old", ("youngest", "oldest"), "is younger than"),
    ("motor", "has {} kW", ("weakest", "most powerful"), "is weaker than"),
    ("shop", "had {} customers", ("least visited", "most visited"), "had fewer customers than"),
    ("branch", "made {} sales", ("least successful", "most successful"), "made fewer sales than"),
)
"""Things, a measure of each, who has the least and the most of it, and who has less."""
_OPPOSITES = (
    ("The {} {} the parcel.", "courier|sender|neighbour", "accepted|refused"),
    ("The {} of the hall {} in spring.", "rent|price|attendance", "rose|fell"),
    ("The {} was {}.", "payment|request|claim|complaint|visa", "approved|rejected"),
    ("The {} was {}.", "flight|lecture|match|delivery", "cancelled|postponed"),
    ("The {} is {}.", "training|insurance|registration|deposit", "mandatory|voluntary"),
    ("The {} is {}.", "measure|closure|permit|contract", "temporary|permanent"),
    ("The {} is {}.", "meeting|session|beach|archive", "public|private"),
    ("The {} stands {} the hall.", "bicycle rack|generator|kiosk", "inside|outside"),
    ("The {} stands {} the freezer.", "trolley|scale|bin", "in front of|behind"),
    ("The {} lies {} of the station.", "clinic|hotel|school", "north|south"),
    ("The {} flows {} the river.", "waste water|oil|cooling water", "into|out of"),
    ("The {} lives on the {} floor.", "caretaker|owner|tenant", "upper|lower"),
    ("The {} {} the match.", "home side|guests|girls", "won|lost"),
    ("The {} {} the association in June.", "club|firm|city", "joined|left"),
    ("The {} was handed over {} the inspection.", "key|file|sample", "before|after"),
    ("The {} works {}.", "nurse|guard|driver", "by day|by night"),
    ("The {} must be paid {}.", "rent|fee|fine", "in advance|in arrears"),
    ("The {} {} money to the bank.", "firm|city|club", "lent|owed"),
    ("The {} is {} the price.", "breakfast|cleaning|fuel", "included in|not part of"),
    ("The {} was {} by the court.", "fine|ruling|sentence", "upheld|overturned"),
    ("The {} {} the deadline.", "applicant|supplier|team", "met|missed"),
    ("The {} {} the plan.", "mayor|union|owner", "supports|opposes"),
    ("The {} was {} in May.", "firm|flat|machine|land", "bought|sold"),
    ("The {} was switched {} at noon.", "pump|alarm|heating", "on|off"),
)
"""Sentences with two places, what stands in the first, and the opposites of the second."""
_COURSES = (
    ("machine|boiler|bed|lift", "ordered|delivered|installed|inspected"),
    ("bill|law|amendment", "introduced|debated|passed|signed"),
    ("suspect|driver|visitor", "stopped|questioned|released|fined"),
    ("film|book|report", "finished|announced|published|translated"),
    ("patient|child|worker", "admitted|examined|operated on|discharged"),
    ("ship|tram|aircraft", "designed|built|tested|scrapped"),
)
"""Things, and what happened to each in this order."""
Question = tuple[str, str, str]
"""A question, its answer in a word or two, and a wrong one."""


@dataclass(frozen=True)
class Statement:
    """One thing as the sources state it, and claims and questions about it."""

    sources: Sequence[str]
    right: Sequence[str]
    wrong: Sequence[str]
    questions: Sequence[Question] = ()


class Sampler:
    """Draws values, and statements about them."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.pick = rng.choice

    def two(self, words: Sequence[str]) -> list[str]:
        return self.rng.sample(words, 2)

    def coin(self, chance: float = 0.5) -> bool:
        return self.rng.random() < chance

    def number(self, first: int, last: int, *unlike: int) -> int:
        """Return a number from first to last that is none of the others."""
        return self.pick([each for each in range(first, last + 1) if each not in unlike])

    def person(self, *unlike: str) -> str:
        last = self.pick([each for each in _LAST if not any(each in other for other in unlike)])
        return self.pick(
            (f"{self.pick(_FIRST)} {last}", f"{self.pick(('Ms.', 'Mr.', 'Dr.'))} {last}")
        )

    def count(self, value: int) -> str:
        return _NUMBERS.get(value, str(value)) if self.coin() else str(value)

    def time(self, hour: int, minute: int) -> str:
        half, number = ("a.m.", hour) if hour < 12 else ("p.m.", hour - 12 or 12)
        in_words = f"{number}:{minute:02d} {half}" if minute else f"{number} {half}"
        return self.pick((f"{hour}:{minute:02d}", in_words))

    def date(self, day: int, month: str) -> str:
        return self.pick((f"{day} {month}", f"{month} {day}"))

    def money(self, amount: int, currency: str) -> str:
        words = {"€": "euros", "£": "pounds", "$": "dollars"}[currency]
        return self.pick((f"{currency}{amount}", f"{amount} {words}"))

    def days(self, count: int) -> str:
        weeks = f"{self.count(count // 7)} week{'s' * (count > 7)}"
        return weeks if count % 7 == 0 and self.coin() else f"{count} days"

    def some(
        self, count: int, right: Sequence[str], wrong: Sequence[str]
    ) -> tuple[list[str], list[str]]:
        """Return as many right claims, and the wrong ones in the same words."""
        places = self.rng.sample(range(len(right)), count)
        return [right[at] for at in places], [wrong[at] for at in places]

    def swapped(
        self, wordings: Sequence[Callable[[str, str], str]], pairs: Sequence[tuple[str, str]]
    ) -> tuple[list[str], list[str]]:
        """Return right claims of two pairs, and wrong ones with the second parts swapped."""
        (one, first), (other, second) = pairs
        right = [self.pick(wordings)(one, first), self.pick(wordings)(other, second)]
        return right, [self.pick(wordings)(one, second), self.pick(wordings)(other, first)]

    def turned(
        self, plain: Sequence[str], contrary: Sequence[str], is_contrary: bool
    ) -> tuple[str, list[str], list[str]]:
        """Return a source in one wording, right claims in others, and wrong ones that deny it."""
        own, opposite = (contrary, plain) if is_contrary else (plain, contrary)
        return self.pick(own), self.rng.sample(own, 2), self.rng.sample(opposite, 2)

    def deed(self) -> Statement:
        """Return who signed a document, and who translated it."""
        first, thing, month = self.person(), self.pick(_DOCUMENTS), self.pick(_MONTHS)
        second = self.person(first)
        (did, done), (did_too, done_too) = self.rng.sample(_DEEDS, 2)
        when = self.date(self.number(1, 28), month)
        sources = self.pick((
            [f"{first} {did} the {thing} on {when}.", f"It was {done_too} by {second}."],
            [f"The {thing} was {done} by {first} on {when} and {done_too} by {second}."],
            [f"{first} {did} the {thing} on {when}; {second} {did_too} it."],
        ))  # fmt: skip
        passive = {did: done, did_too: done_too}
        wordings = (
            lambda deed, who: f"The {thing} was {passive[deed]} by {who}.",
            lambda deed, who: f"{who} {deed} the {thing}.",
            lambda deed, who: f"It was {who} who {deed} the {thing}.",
            lambda deed, who: f"The person who {deed} the {thing} was {who}.",
        )
        right, wrong = self.swapped(wordings, [(did, first), (did_too, second)])
        questions = [(f"Who {did} the {thing}?", first, second)]
        return Statement(sources, right, wrong, questions)

    def post(self) -> Statement:
        """Return who holds which post."""
        first, (post, other) = self.person(), self.two(_POSTS)
        second = self.person(first)
        sources = [f"{first} is the {post}.", f"{second} works as {other}."]
        if self.coin(0.4):
            sources = [f"The {post} is {first}; {second} is the {other}."]
        wordings = (
            lambda what, who: f"{who} is the {what}.",
            lambda what, who: f"The {what} is {who}.",
            lambda what, who: f"The post of {what} is held by {who}.",
            lambda what, who: f"{who} serves as {what}.",
        )
        right, wrong = self.swapped(wordings, [(post, first), (other, second)])
        return Statement(sources, right, wrong, [(f"Who is the {post}?", first, second)])

    def bound(self) -> Statement:
        """Return the most or the least that is allowed."""
        thing, limit = self.pick(_MACHINES), self.number(2, 60) * self.pick((5, 10, 50))
        unit, what = self.pick((("kg", "load"), ("km/h", "speed"), ("°C", "temperature")))
        most = [
            f"The {what} of the {thing} must not exceed {limit} {unit}.",
            f"The maximum {what} of the {thing} is {limit} {unit}.",
            f"For the {thing}, a {what} of up to {limit} {unit} is allowed.",
            f"The {what} of the {thing} must be no more than {limit} {unit}.",
            f"The {thing} has a {what} limit of {limit} {unit}.",
            f"{what.capitalize()} of the {thing}: max. {limit} {unit}.",
            f"A {what} above {limit} {unit} is forbidden for the {thing}.",
        ]
        least = [
            f"The {what} of the {thing} must be at least {limit} {unit}.",
            f"The minimum {what} of the {thing} is {limit} {unit}.",
            f"The {thing} needs a {what} of {limit} {unit} or more.",
            f"The {what} of the {thing} must not fall below {limit} {unit}.",
            f"The {what} of the {thing} shall be no less than {limit} {unit}.",
        ]
        is_least = self.coin(0.4)
        source, right, wrong = self.turned(most, least, is_least)
        another = str(limit + 5 * self.number(1, 40))
        wrong[0] = re.sub(rf"\b{limit}\b", another, self.pick(least if is_least else most))
        inside, outside = int(limit * 1.3) + 1, int(limit * 0.6)
        if not is_least:
            inside, outside = outside, inside
        right.append(f"A {what} of {inside} {unit} is allowed for the {thing}.")
        wrong.append(f"A {what} of {outside} {unit} is allowed for the {thing}.")
        question = f"What is the {'minimum' if is_least else 'maximum'} {what} of the {thing}?"
        return Statement(
            [source], right, wrong, [(question, f"{limit} {unit}", f"{another} {unit}")]
        )

    def ages(self) -> Statement:
        """Return who is old and young enough for a course."""
        course, low = self.pick(("course", "trip", "camp", "class", "tour")), self.number(3, 14)
        high = low + self.number(2, 9)
        inside, outside = self.number(low, high), self.pick((high + self.number(1, 4), low - 1))
        sources = [self.pick((
            f"The {course} is for children aged {low} to {high}.",
            f"Children between {low} and {high} can join the {course}.",
            f"The {course} is open to children from {low} to {high} years of age.",
        ))]  # fmt: skip

        def claims(least: int, most: int, member: int, stranger: int) -> list[str]:
            return [
                f"Children must be at least {least} to join the {course}.",
                f"The minimum age for the {course} is {self.count(least)}.",
                f"Nobody older than {most} can take part in the {course}.",
                f"The oldest children in the {course} are {self.count(most)}.",
                f"A child of {self.count(member)} can join the {course}.",
                f"A {stranger}-year-old cannot take part in the {course}.",
            ]

        right, wrong = claims(low, high, inside, outside), claims(high, low, outside, inside)
        right, wrong = self.some(3, right, wrong)
        questions = [(f"What is the minimum age for the {course}?", str(low), str(high))]
        return Statement(sources, right, wrong, questions)

    def opening(self) -> Statement:
        """Return when a place opens and closes."""
        place, other = self.two(_PLACES)
        opens, closes = (self.number(6, 11), self.pick((0, 30))), (self.number(15, 21), 0)
        later = (closes[0] + 1, self.pick((15, 45)))
        when = self.pick(("on weekdays", "on Saturdays", "every day", "in summer"))
        sources = [self.pick((
            f"The {place} opens at {self.time(*opens)} and closes at {self.time(*closes)} {when}.",
            f"The {place} is open from {self.time(*opens)} to {self.time(*closes)} {when}.",
            f"Opening hours of the {place} {when}: {self.time(*opens)}–{self.time(*closes)}.",
        )), f"The {other} closes at {self.time(*later)}."]  # fmt: skip

        def claims(first: tuple[int, int], last: tuple[int, int]) -> list[str]:
            return [
                f"{when.capitalize()}, the {place} closes at {self.time(*last)}.",
                f"The {place} is open until {self.time(*last)} {when}.",
                f"You can get into the {place} from {self.time(*first)} {when}.",
                f"{when.capitalize()} the {place} opens its doors at {self.time(*first)}.",
            ]

        right, wrong = claims(opens, closes), claims(closes, self.pick((later, opens)))
        right, wrong = self.some(2, right, wrong)
        questions = [
            (f"When does the {place} close {when}?", self.time(*closes), self.time(*later))
        ]
        return Statement(sources, right, wrong, questions)

    def price(self) -> Statement:
        """Return what two things cost."""
        (item, other), currency = self.two(_ITEMS), self.pick("€£$")
        cost = self.number(2, 160)
        other_cost = self.number(2, 160, cost)
        per = self.pick((" a day", " a month", " per person", " an hour", ""))
        here, there = self.money(cost, currency), self.money(other_cost, currency)
        sources = self.pick((
            [f"A {item} costs {here}{per}, a {other} {there}."],
            [f"A {item} costs {here}{per}.", f"For a {other} we charge {there}{per}."],
            [f"{item.capitalize()}: {here}{per}.", f"{other.capitalize()}: {there}{per}."],
        ))  # fmt: skip
        wordings = (
            lambda what, much: f"You pay {much}{per} for a {what}.",
            lambda what, much: f"A {what} is {much}{per}.",
            lambda what, much: f"The price of a {what} is {much}{per}.",
            lambda what, much: f"For a {what}, {much} is charged{per}.",
        )
        right, wrong = self.swapped(wordings, [(item, here), (other, there)])
        dear, cheap = (item, other) if cost > other_cost else (other, item)
        right.append(self.pick((f"A {dear} costs more than a {cheap}.",
                                f"A {cheap} is cheaper than a {dear}.")))  # fmt: skip
        wrong.append(self.pick((f"A {cheap} costs more than a {dear}.",
                                f"A {dear} is cheaper than a {cheap}.")))  # fmt: skip
        return Statement(sources, right, wrong, [(f"How much is a {item}?", here, there)])

    def prices(self) -> Statement:
        """Return the prices of several, of which one is the lowest."""
        kind, currency = self.pick(("rooms", "tickets", "boats", "plans")), self.pick("€£$")
        costs = sorted(self.rng.sample(range(5, 250), 3))
        low, middle, high = (self.money(cost, currency) for cost in costs)
        one = kind.removesuffix("s")
        source = self.pick((f"The three {kind} cost {low}, {middle} and {high}.",
                            f"{kind.capitalize()} cost between {low} and {high}."))  # fmt: skip

        def claims(least: str, most: str, above: int) -> list[str]:
            return [
                f"The most expensive {one} costs {most}.",
                f"The cheapest {one} costs {least}.",
                f"No {one} costs more than {most}.",
                f"{kind.capitalize()} start at {least}.",
                f"All {kind} cost less than {self.money(costs[-1] + above, currency)}.",
            ]

        right, wrong = claims(low, high, self.number(1, 30)), claims(high, low, -1)
        right, wrong = self.some(3, right, wrong)
        questions = [(f"What does the cheapest {one} cost?", low, high)]
        return Statement([source], right, wrong, questions)

    def permission(self) -> Statement:
        """Return what a group may do, may not do, or alone may do."""
        (group, other), act = self.two(_GROUPS), self.pick(_ACTIONS)
        who = group.capitalize()
        may = [f"{who} may {act}.", f"{who} are allowed to {act}.", f"{who} can {act}.",
               f"It is permitted for {group} to {act}."]  # fmt: skip
        may_not = [f"{who} may not {act}.", f"{who} are not allowed to {act}.",
                   f"{who} must not {act}.", f"It is forbidden for {group} to {act}.",
                   f"{who} cannot {act}."]  # fmt: skip
        is_forbidden = self.coin()
        source, right, wrong = self.turned(may, may_not, is_forbidden)
        if self.coin(0.3):
            source = self.pick((f"Only {group} may {act}.", f"Nobody except {group} may {act}."))
            right = [may[0], f"{other.capitalize()} may not {act}."]
            wrong = [may_not[0], f"{other.capitalize()} may {act}."]
        return Statement([source], right, wrong)

    def duty(self) -> Statement:
        """Return what a group has to do, or need not."""
        group, act = self.pick(_GROUPS), self.pick(_DUTIES)
        who = group.capitalize()
        must = [f"{who} must {act}.", f"{who} have to {act}.", f"{who} are required to {act}.",
                f"All {group} need to {act}.",
                f"It is compulsory for {group} to {act}."]  # fmt: skip
        need_not = [f"{who} do not have to {act}.", f"{who} need not {act}.",
                    f"{who} are not required to {act}.",
                    f"It is optional for {group} to {act}."]  # fmt: skip
        source, right, wrong = self.turned(must, need_not, self.coin(0.35))
        return Statement([source], right, wrong)

    def cover(self) -> Statement:
        """Return what is insured, and what is not."""
        policy = self.pick(("policy", "plan", "warranty", "travel cover", "home policy"))
        one, two, none = self.rng.sample(_RISKS, 3)
        sources = self.pick((
            [f"The {policy} covers {one} and {two}, but not {none}."],
            [f"{one.capitalize()} and {two} are covered by the {policy}.",
             f"{none.capitalize()} is excluded."],
            [f"The {policy} pays for {one} and {two}.", f"It does not pay for {none}."],
            [f"Covered by the {policy}: {one}, {two}.", f"Not covered: {none}."],
        ))  # fmt: skip

        def covered(risk: str) -> str:
            return self.pick((f"{risk.capitalize()} is covered.",
                              f"Covered: {risk}.",
                              f"The {policy} pays for {risk}.",
                              f"You are insured against {risk} with the {policy}."))  # fmt: skip

        def excluded(risk: str) -> str:
            return self.pick((f"{risk.capitalize()} is not covered.",
                              f"Not covered: {risk}.",
                              f"The {policy} does not pay for {risk}.",
                              f"{risk.capitalize()} is excluded from the {policy}."))  # fmt: skip

        right = [covered(one), covered(two), excluded(none)]
        return Statement(sources, right, [excluded(one), excluded(two), covered(none)])

    def feature(self) -> Statement:
        """Return which of two has what."""
        (one, other), (first, second) = self.two(_MODELS), self.two(_FEATURES)
        has, lacks = [(one, first), (other, second)], [(one, second), (other, first)]
        sources = self.pick((
            [f"The {one} has {first} but not {second}.",
             f"The {other} has {second} but not {first}."],
            [f"The {one} comes with {first}; the {other} does not.",
             f"Unlike the {one}, the {other} comes with {second}."],
        ))  # fmt: skip

        def present(what: str, part: str) -> str:
            return self.pick((f"The {what} has {part}.", f"The {what} includes {part}.",
                              f"There is {part} in the {what}.",
                              f"{part.capitalize()} comes with the {what}."))  # fmt: skip

        def absent(what: str, part: str) -> str:
            return self.pick((f"The {what} does not have {part}.", f"The {what} lacks {part}.",
                              f"{part.capitalize()} does not come with the {what}."))  # fmt: skip

        right = [present(*self.pick(has)), absent(*self.pick(lacks))]
        return Statement(sources, right, [present(*self.pick(lacks)), absent(*self.pick(has))])

    def history(self) -> Statement:
        """Return what was done when."""
        what, years = self.pick(_BUILDINGS), sorted(self.rng.sample(range(1850, 2022), 3))
        deeds = self.rng.sample(_DONE, 3)
        dated = [f"{deed} in {year}" for deed, year in zip(deeds, years, strict=True)]
        sources = self.pick((
            [f"The {what} was {dated[0]}, {dated[1]} and {dated[2]}."],
            [f"The {what} was {dated[0]}.",
             f"In {years[1]} it was {deeds[1]}, and in {years[2]} it was {deeds[2]}."],
        ))  # fmt: skip
        wordings = (
            lambda deed, year: f"The {what} was {deed} in {year}.",
            lambda deed, year: f"In {year}, the {what} was {deed}.",
            lambda deed, year: f"It was in {year} that the {what} was {deed}.",
        )
        one, other = sorted(self.rng.sample(range(3), 2))
        pairs = [(deeds[at], str(years[at])) for at in (one, other)]
        right, wrong = self.swapped(wordings, pairs)
        right.append(f"The {what} was {deeds[one]} before it was {deeds[other]}.")
        wrong.append(f"The {what} was {deeds[other]} before it was {deeds[one]}.")
        question = (f"When was the {what} {deeds[one]}?", str(years[one]), str(years[other]))
        return Statement(sources, right, wrong, [question])

    def occurrence(self) -> Statement:
        """Return what happened in a year, or did not."""
        what, year = self.pick(_BUILDINGS), self.number(1850, 2022)
        happened = [
            f"The {what} opened in {year}.",
            f"In {year}, the {what} opened.",
            f"It was in {year} that the {what} opened.",
        ]
        did_not = [
            f"The {what} did not open in {year}.",
            f"In {year}, the {what} did not open.",
            f"It was not in {year} that the {what} opened.",
        ]
        source, right, wrong = self.turned(happened, did_not, self.coin())
        return Statement([source], right, wrong)

    def move(self) -> Statement:
        """Return where something is, and where it was."""
        body, (before, now), year = self.pick(_BODIES), self.two(_CITIES), self.number(1950, 2024)
        source = self.pick((
            f"The {body} moved from {before} to {now} in {year}.",
            f"In {year} the {body} left {before} and settled in {now}.",
            f"The head office of the {body} is in {now}; until {year} it was in {before}.",
        ))  # fmt: skip
        right = [f"The {body} is now in {now}.", f"Before {year}, the {body} was in {before}."]
        wrong = [f"The {body} is now in {before}.", f"Before {year}, the {body} was in {now}."]
        return Statement([source], right, wrong, [(f"Where is the {body} now?", now, before)])

    def event(self) -> Statement:
        """Return when and where an event takes place."""
        what, month, (place, other) = self.pick(_EVENTS), self.pick(_MONTHS), self.two(_PLACES)
        day, hour = self.number(8, 28), self.number(6, 19)
        last = self.number(1, day - 1)
        start, later = self.time(hour, 0), self.time(hour + 1, self.pick((0, 30)))
        sources = [self.pick((
            f"The {what} takes place on {self.date(day, month)} at {start} in the {place}.",
            f"On {self.date(day, month)}, the {what} is held in the {place}; it begins at {start}.",
            f"{what.capitalize()}: {self.date(day, month)}, {start}, {place}.",
        )), f"Registration closes on {self.date(last, month)}."]  # fmt: skip

        def claims(day: int, until: int, begins: str, where: str) -> list[str]:
            return [
                self.pick((f"The {what} is on {self.date(day, month)}.",
                           f"{self.date(day, month)} is the date of the {what}.")),
                f"You can register until {self.date(until, month)}.",
                f"The {what} begins at {begins}.",
                f"The {where} is where the {what} takes place.",
            ]  # fmt: skip

        right, wrong = claims(day, last, start, place), claims(last, day, later, other)
        right, wrong = self.some(3, right, wrong)
        questions = [(f"When is the {what}?", self.date(day, month), self.date(last, month))]
        return Statement(sources, right, wrong, questions)

    def deadline(self) -> Statement:
        """Return within how many days something is done."""
        what, done = self.pick((("Refunds", "paid"), ("Orders", "shipped"), ("Results", "sent")))
        days = self.pick((7, 14, 21, 28, 10, 30))
        other = self.pick([each for each in (7, 14, 21, 28, 10, 30, 45) if each != days])
        wordings = (
            f"{what} are {done} within {{}} of the request.",
            f"{what} are {done} no later than {{}} after the request.",
            f"It takes at most {{}} from the request until {what.lower()} are {done}.",
            f"{what} will be {done} in {{}} or less after the request.",
        )
        source, *right = (word.format(self.days(days)) for word in self.rng.sample(wordings, 3))
        wrong = [word.format(self.days(other)) for word in self.rng.sample(wordings, 2)]
        question = f"How long until {what.lower()} are {done}?"
        return Statement([source], right, wrong, [(question, self.days(days), self.days(other))])

    def vote(self) -> Statement:
        """Return who proposed and seconded a motion, and the votes."""
        motion, body = self.pick(("motion", "budget", "proposal", "amendment")), self.pick(_BODIES)
        less, more = sorted(self.rng.sample(range(2, 30), 2))
        first = self.person()
        second = self.person(first)
        sources = [
            f"{first} proposed the {motion}; {second} seconded it.",
            f"The {motion} was passed by the {body}, with {more} votes for it and {less} against.",
        ]
        right = [
            f"{second} seconded the {motion}.",
            f"The {motion} was proposed by {first}.",
            f"The {body} passed the {motion}.",
            f"{self.count(less).capitalize()} members voted against the {motion}.",
        ]
        wrong = [
            f"{first} seconded the {motion}.",
            f"The {motion} was proposed by {second}.",
            f"The {body} rejected the {motion}.",
            f"{self.count(more).capitalize()} members voted against the {motion}.",
        ]
        return Statement(sources, right, wrong, [(f"Who seconded the {motion}?", second, first)])

    def sample(self) -> Statement:
        """Return what was measured, and what was not found."""
        one, other, none = self.rng.sample(_SUBSTANCES, 3)
        where, unit = self.pick(("the well", "tank B", "the river")), self.pick(("µg/L", "mg/L"))
        much, less = self.rng.sample(range(2, 90), 2)
        sources = [
            f"In {where}, {one} was measured at {much} {unit} and {other} at {less} {unit}.",
            f"{none.capitalize()} was not detected.",
        ]
        high, low = (one, other) if much > less else (other, one)
        right = [
            f"The {one} level in {where} was {much} {unit}.",
            f"There was no {none} in {where}.",
            f"There was more {high} than {low} in {where}.",
        ]
        wrong = [
            f"The {one} level in {where} was {less} {unit}.",
            f"{none.capitalize()} was found in {where}.",
            f"There was more {low} than {high} in {where}.",
        ]
        question = f"How much {one} was found in {where}?"
        return Statement(sources, right, wrong, [(question, f"{much} {unit}", f"{less} {unit}")])

    def row(self) -> Statement:
        """Return rows of a table as the reader gives them, and what their cells say."""
        kind, names = self.pick((("Unit", _MODELS), ("Hall", _PLACES), ("Item", _ITEMS)))
        price, number = self.pick(("Price", "Fee", "Rent")), self.pick(("Places", "Bookings"))
        names, currency = tuple(self.rng.sample(names, self.pick((2, 3, 4)))), self.pick("€£$")
        costs = self.rng.sample(range(3, 300), len(names))
        counts = self.rng.sample(range(2, 60), len(names))
        sources = [
            f"{kind}: {name}, {price}: {currency}{cost}, {number}: {count}."
            for name, cost, count in zip(names, costs, counts, strict=True)
        ]
        what, thing = price.lower(), kind.lower()
        (one, here, few), (other, there, many), *_ = zip(
            names, (self.money(cost, currency) for cost in costs), counts, strict=True
        )
        wordings = (
            lambda name, much: f"The {what} of the {name} is {much}.",
            lambda name, much: f"For the {name}, the {what} is {much}.",
            lambda name, much: f"{name.capitalize()}: {much}.",
            lambda name, much: f"{kind}: {name}, {price}: {much}.",
        )
        right, wrong = self.swapped(wordings, [(one, here), (other, there)])
        most, least = (names[costs.index(choose(costs))] for choose in (max, min))
        superlative = self.pick(("highest", "lowest"))
        if superlative == "lowest":
            most, least = least, most
        claims = (
            f"The {{}} has the {superlative} {what}.",
            f"The {superlative} {what} is that of the {{}}.",
            f"Of all the {thing}s, the {{}} has the {superlative} {what}.",
        )
        right.append(self.pick(claims).format(most))
        wrong.append(self.pick(claims).format(least))
        right.append(f"The {one} has {few} {number.lower()}.")
        wrong.append(f"The {one} has {many} {number.lower()}.")
        questions = [
            (f"What is the {what} of the {one}?", here, there),
            (f"Which {thing} has the {superlative} {what}?", most.capitalize(), least.capitalize()),
        ]
        return Statement(sources, right, wrong, questions)

    def tool(self) -> Statement:
        """Return the records that a tool answers with, as the reader gives them."""
        kind = self.pick(_RECORDS)
        names = self.rng.sample(kind.names, self.pick((2, 2, 3, 4)))
        count, month, year = len(names), self.number(1, 12), self.number(2023, 2027)
        states = [self.pick(list(kind.states)) for _ in names]
        days, amounts = self.rng.sample(range(1, 29), count), self.rng.sample(range(2, 60), count)
        flags = [self.coin() for _ in names]
        dates: list[int | None] = [None if self.coin(0.2) else day for day in days]

        def record(at: int) -> str:
            day = dates[at]
            date = "not stated" if day is None else f"{year}-{month:02d}-{day:02d}"
            fields = (
                f"id: {kind.letter}-{self.number(100, 999)}",
                f"{kind.name}: {names[at].removeprefix('the ')}",
                f"{kind.state}: {states[at]}", f"{kind.date}: {date}",
                f"{kind.amount}: {amounts[at]}", f"{kind.flag}: {'yes' if flags[at] else 'no'}",
            )  # fmt: skip
            return f"{kind.path}: {', '.join(fields[self.number(0, 1) :])}."

        sources = [record(at) for at in range(count)]
        in_words = f"{{}} {_MONTHS[month - 1]}"

        def dated(name: str, day: int | None) -> str:
            if day is None:
                return f"There is no date yet for {name}."
            return f"{name} {kind.dated} {self.pick((in_words, in_words + f' {year}'))}.".format(
                day
            )

        def flagged(name: str, *, is_so: bool) -> str:
            return f"{name} {kind.flagged if is_so else kind.unflagged}."

        one, other = self.rng.sample(range(count), 2)
        right = [
            f"{names[one]} {kind.states[states[one]]}.",
            dated(names[one], dates[one]),
            f"{names[one]} {kind.count.format(amounts[one])}.",
            flagged(names[one], is_so=flags[one]),
        ]
        wrong_state = self.pick([each for each in kind.states if each != states[one]])
        wrong = [
            f"{names[one]} {kind.states[wrong_state]}.",
            dated(names[one], days[other] if dates[one] is None or self.coin(0.7) else None),
            f"{names[one]} {kind.count.format(amounts[other])}.",
            flagged(names[one], is_so=not flags[one]),
        ]
        right, wrong = self.some(3, right, wrong)
        same = states.count(states[one])
        tally = f"{{}} of the {count} {kind.path} {kind.states[states[one]]}."
        if same not in (1, count):
            right.append(tally.format(same))
            wrong.append(tally.format(self.pick([each for each in (2, 3, 4) if each != same])))
        question = self.pick((f"What about {names[one]}?", f"Which {kind.path} are there?"))
        questions = [(question, right[0], wrong[0])] if self.coin(0.2) else []
        return Statement(sources, [*map(_sentence, right)], [*map(_sentence, wrong)], questions)

    def like_fields(self) -> Statement:
        """Return several fields of one record with values of the same type."""
        record, unit, fields = self.pick(_LIKE_FIELDS)
        count, month, year = len(fields), self.number(1, 12), self.number(2023, 2027)
        hours = sorted(self.rng.sample(range(0, 24), count))
        numbers = sorted(self.rng.sample(range(2, 400), count), reverse=True)
        days = sorted(self.rng.sample(range(1, 29), count))
        texts, words = {
            "person": (self.rng.sample(_PEOPLE, count),) * 2,
            "time": ([f"{hour:02d}:15" for hour in hours],) * 2,
            "date": ([f"{year}-{month:02d}-{day:02d}" for day in days],
                     [f"{day} {_MONTHS[month - 1]}" for day in days]),
        }.get(unit, ([f"{number} {unit}" for number in numbers],) * 2)  # fmt: skip
        missing = self.number(0, count - 1) if self.coin(0.3) else -1
        stated = ["not stated" if at == missing else text for at, text in enumerate(texts)]
        lines = [f"{key}: {text}" for (key, _), text in zip(fields, stated, strict=True)]
        if self.coin():
            lines.insert(0, f"id: {self.number(1000, 9999)}")
        source = self.pick((f"{record}: {', '.join(lines)}.", f"{'. '.join(lines)}."))
        right, wrong = list[str](), list[str]()
        for at in self.rng.sample(range(count), 2):
            key, claim = fields[at]
            other = self.pick([place for place in range(count) if place != at])
            absent = self.pick((f"No {key} is recorded.", f"The {record} has no {key} yet."))
            right.append(absent if at == missing else claim.format(words[at]))
            wrong.append(claim.format(words[other]))
        if unit not in ("person", "time", "date") and missing < 0:
            (first, _), (second, _) = fields[:2]
            apart = numbers[0] - numbers[1]
            right.append(f"Between {first} and {second} there is a difference of {apart} {unit}.")
            wrong.append(
                f"Between {first} and {second} there is a difference of "
                f"{apart + self.number(1, 20)} {unit}."
            )
        return Statement([source], [*map(_sentence, right)], [*map(_sentence, wrong)])

    def record(self) -> Statement:
        """Return fields of an order as the reader gives them, and what they say."""
        item, days, cost = self.pick(_ITEMS), self.number(2, 60), self.number(2, 300)
        other_days, other_cost = self.number(2, 60, days), self.number(2, 300, cost)
        city, other_city = self.two(_CITIES)
        is_paid, is_gift = self.coin(), self.coin()
        word = {True: "yes", False: "no"}
        fields = [
            f"item: {item}", f"price: {cost} EUR", f"refund: {days} days", f"city: {city}",
            f"paid: {word[is_paid]}", f"gift: {word[is_gift]}",
        ]  # fmt: skip
        sources = [self.pick((f"order: {', '.join(fields)}.", f"{'. '.join(fields)}."))]

        def claims(days: int, cost: int, city: str, *, is_paid: bool, is_gift: bool) -> list[str]:
            return [
                f"You can get a refund within {self.days(days)}.",
                f"The order costs {self.money(cost, '€')}.",
                f"The {item} is delivered to {city}.",
                f"The order has {'' if is_paid else 'not '}been paid.",
                f"It is {'' if is_gift else 'not '}a gift.",
                f"City: {city}.",
            ]

        right = claims(days, cost, city, is_paid=is_paid, is_gift=is_gift)
        wrong = claims(other_days, other_cost, other_city, is_paid=not is_paid, is_gift=not is_gift)
        right, wrong = self.some(4, right, wrong)
        questions = [("How long can I return it?", f"{days} days", f"{other_days} days")]
        return Statement(sources, right, wrong, questions)

    def code(self) -> Statement:
        """Return what two codes of a display mean."""
        letter, (first, second) = self.pick("EFA"), self.rng.sample(range(1, 40), 2)
        one, other = self.two(_FAULTS)
        sources = [f"{letter}{first}: {one}.", f"{letter}{second}: {other}."]
        wordings = (
            lambda code, fault: f"{letter}{code} means: {fault}.",
            lambda code, fault: f"If {letter}{code} is shown, the cause is {fault}.",
            lambda code, fault: f"{fault.capitalize()} is shown as {letter}{code}.",
        )
        pairs = [(str(first), one), (str(second), other)]
        right, wrong = self.swapped(wordings, pairs)
        return Statement(sources, right, wrong, [(f"What does {letter}{first} mean?", one, other)])

    def total(self) -> Statement:
        """Return two numbers, their sum and their difference."""
        one, other = self.two(_GROUPS)
        less, more = sorted(self.rng.sample(range(3, 120), 2))
        body = self.pick(_BODIES)
        sources = self.pick((
            [f"The {body} has {more} {one} and {less} {other}."],
            [f"The {body} has {more} {one}.", f"There are {less} {other} in the {body}."],
            [f"{one.capitalize()}: {more}, {other}: {less}."],
        ))  # fmt: skip

        def claims(total: int, apart: int, many: str, few: str) -> list[str]:
            return [
                f"There are {total} {one} and {other} in all.",
                f"Together, the {one} and {other} number {total}.",
                f"There are {apart} more {many} than {few}.",
                f"There are fewer {few} than {many}.",
            ]

        wrong_total = self.pick((more, more + less + 10, more + 2 * less))
        right = claims(more + less, more - less, one, other)
        wrong = claims(wrong_total, more - less + self.number(1, 9), other, one)
        right, wrong = self.some(3, right, wrong)
        question = f"How many {one} and {other} are there in all?"
        return Statement(sources, right, wrong, [(question, str(more + less), str(wrong_total))])

    def change(self) -> Statement:
        """Return what a number was, and what it became."""
        what, (first, last) = self.pick(_AMOUNTS), self.rng.sample(range(10, 900), 2)
        before, after = sorted(self.rng.sample(range(1990, 2026), 2))
        sources = self.pick((
            [f"The number of {what} went from {first} in {before} to {last} in {after}."],
            [f"There were {first} {what} in {before}.", f"In {after} there were {last}."],
            [f"{before}: {first} {what}.", f"{after}: {last} {what}."],
        ))  # fmt: skip
        up, down = ("rose", "increased", "grew"), ("fell", "decreased", "shrank")
        actual, opposite = (up, down) if last > first else (down, up)
        difference = abs(last - first)
        right = [
            f"The number of {what} {self.pick(actual)} between {before} and {after}.",
            f"Between {before} and {after}, the number of {what} changed by {difference}.",
            f"In {after}, there were {last} {what}.",
        ]
        wrong = [
            f"The number of {what} {self.pick(opposite)} between {before} and {after}.",
            f"Between {before} and {after}, the number of {what} changed by "
            f"{difference + self.number(1, 30)}.",
            f"In {after}, there were {first} {what}.",
        ]
        questions = [(f"How many {what} were there in {after}?", str(last), str(first))]
        return Statement(sources, right, wrong, questions)

    def relation(self) -> Statement:
        """Return what one does to another, which is not the same the other way round."""
        active, passive, converse = self.pick(_RELATIONS)
        one, other = self.pick((self.two(_ROLES), self.two(_FIRMS)))
        source = self.pick((active, passive)).format(one, other)
        wordings = [active, passive, *converse]
        right = [word.format(one, other) for word in self.rng.sample(wordings, 2)]
        wrong = [word.format(other, one) for word in self.rng.sample(wordings, 2)]
        return Statement([_sentence(source)], [*map(_sentence, right)], [*map(_sentence, wrong)])

    def mention(self) -> Statement:
        """Return a thing that is named, and another one that is said of it."""
        name, city = self.person(), self.pick(_CITIES)
        body, year = self.pick(_BODIES), self.number(1950, 2024)
        mentions, claims = zip(
            (f"{name} visited the {body} in {year}.", f"{name} founded the {body}."),
            (f"The {body} spent an evening in {city}.", f"The {body} has its office in {city}."),
            (f"In {year}, a minister visited the {body}.", f"The {body} was founded in {year}."),
            (f"{name} was treated with ramipril.", f"{name} is allergic to ramipril."),
            (f"{name} asked for a refund of the deposit.", f"{name} got a refund of the deposit."),
            (f"A course in {city} was planned.", f"A course was held in {city}."),
            strict=True,
        )  # fmt: skip
        one, other = self.rng.sample(range(len(claims)), 2)
        # What is stated of one thing is right; what would follow from a mention is not.
        sources = [mentions[one], claims[other]]
        return Statement(sources, [mentions[one], claims[other]], [claims[one]])

    def life(self) -> Statement:
        """Return what a person did, named once and then by a pronoun."""
        first = self.pick(_FIRST)
        she = "He" if first in _MEN else "She"
        name, buyer = (
            f"{first} {self.pick(_LAST[:14])}",
            f"{self.pick(_FIRST)} {self.pick(_LAST[14:])}",
        )
        body, (city, other) = self.pick(_BODIES), self.two(_CITIES)
        began, sold = sorted(self.rng.sample(range(1950, 2024), 2))
        sources = [
            f"{name} founded the {body} in {began}.",
            self.pick((f"{she} sold it to {buyer} in {sold}.",
                       f"In {sold}, {she.lower()} sold it to {buyer}.")),
            f"{she} was born in {city} and now lives in {other}.",
        ]  # fmt: skip

        def claims(founder: str, owner: str, birthplace: str, home: str, year: int) -> list[str]:
            return [
                f"{founder} sold the {body} to {owner}.",
                f"The {body} was bought by {owner}.",
                f"{founder} was born in {birthplace}.",
                f"{founder} lives in {home}.",
                f"The {body} was founded in {year}.",
                f"{founder} founded the {body}.",
            ]

        right = claims(name, buyer, city, other, began)
        wrong = claims(buyer, name, other, city, sold)
        right, wrong = self.some(3, right, wrong)
        return Statement(sources, right, wrong, [(f"Who bought the {body}?", buyer, name)])

    def departures(self) -> Statement:
        """Return a list of times, of which one is the first and one the last."""
        what = self.pick(("bus", "ferry", "tram", "tour", "shuttle"))
        hours = sorted(self.rng.sample(range(6, 23), self.pick((3, 4, 5))))
        times = [f"{hour}:{self.pick((0, 10, 15, 30, 45)):02d}" for hour in hours]
        series = f"{', '.join(times[:-1])} and {times[-1]}"
        source = self.pick(
            (f"The {what} leaves at {series}.", f"Departures of the {what}: {series}.")
        )
        count, (one, other) = len(times), (times[0], times[-1])

        def claims(first: str, last: str, count: int, early: int, late: int) -> list[str]:
            return [
                f"The last {what} leaves at {last}.",
                f"The first {what} leaves at {first}.",
                f"The {what} leaves {self.count(count)} times.",
                f"There is no {what} after {late}:50.",
                f"There is no {what} before {early}:00.",
            ]

        right = claims(one, other, count, hours[0], hours[-1])
        wrong = claims(other, one, self.number(2, 7, count), hours[-1], hours[0])
        right, wrong = self.some(3, right, wrong)
        return Statement(
            [source], right, wrong, [(f"When does the last {what} leave?", other, one)]
        )

    def wells(self) -> Statement:
        """Return several values in the order of the things that have them."""
        what, unit = self.pick(_SUBSTANCES), self.pick(("µg/L", "mg/L"))
        kind = self.pick(("well", "tank", "sample"))
        values = self.rng.sample(range(1, 90), 3)
        series = "{}, {} and {}".format(*values)
        source = self.pick((
            f"{what.capitalize()} was measured at {series} {unit} in {kind}s A, B and C.",
            f"In {kind}s A, B and C, {what} was {series} {unit} respectively.",
        ))  # fmt: skip
        place_of = dict(zip(values, "ABC", strict=True))
        low, high = place_of[min(values)], place_of[max(values)]
        (one, a), (_, b) = self.rng.sample(list(place_of.items()), 2)
        limit = max(values) + self.number(1, 9)

        def claims(low: str, high: str, value: int, where: str, limit: int) -> list[str]:
            return [
                f"{kind.capitalize()} {high} had the highest value.",
                f"The lowest value was found in {kind} {low}.",
                f"{kind.capitalize()} {where} had {value} {unit} of {what}.",
                f"All {kind}s were below {limit} {unit}.",
            ]

        right = claims(low, high, one, a, limit)
        wrong = claims(high, low, one, b, max(values) - 1)
        right, wrong = self.some(3, right, wrong)
        questions = [(f"Which {kind} had the highest value?", f"{kind.capitalize()} {high}",
                      f"{kind.capitalize()} {low}")]  # fmt: skip
        return Statement([source], right, wrong, questions)

    def minimum_age(self) -> Statement:
        """Return from which age on something may be done."""
        act, age = self.pick(_ACTIONS), self.number(6, 21)
        older, younger = age + self.number(1, 9), age - self.number(1, 4)
        group = self.pick(_GROUPS)
        wordings = (
            "{group} must be at least {age} years old to {act}.",
            "{group} under {age} may not {act}.",
            "The minimum age to {act} is {age}.",
            "Only {group} aged {age} or over may {act}.",
            "Nobody younger than {age} is allowed to {act}.",
            "To {act}, {group} have to be {age} or older.",
        )
        texts = [_sentence(word.format(group=group, act=act, age=age)) for word in wordings]
        source, *right = self.rng.sample(texts, 3)
        wrong = [re.sub(rf"\b{age}\b", str(older), text)
                 for text in self.rng.sample(texts, 2)]  # fmt: skip
        right.append(self.pick((f"At the age of {older}, they may {act}.",
                                f"At the age of {younger}, they may not {act}.")))  # fmt: skip
        wrong.append(self.pick((f"At the age of {younger}, they may {act}.",
                                f"At the age of {older}, they may not {act}.")))  # fmt: skip
        question = f"How old must {group} be to {act}?"
        return Statement([source], right, wrong, [(question, f"{age}", f"{older}")])

    def everyone(self) -> Statement:
        """Return a duty of all, or of all but one group."""
        (group, other), duty = self.two(_GROUPS), self.pick(_DUTIES)
        if self.coin():
            source = self.pick((f"Everyone has to {duty}.", f"All of them must {duty}.",
                                f"Nobody is exempt: all must {duty}."))  # fmt: skip
            right = [f"{group.capitalize()} must {duty}.", f"No one may fail to {duty}."]
            wrong = [f"{group.capitalize()} need not {duty}.", f"Not everyone has to {duty}."]
        else:
            source = self.pick((f"Everyone except {group} has to {duty}.",
                                f"All must {duty}; only {group} need not."))  # fmt: skip
            right = [
                f"{group.capitalize()} do not have to {duty}.",
                f"{other.capitalize()} must {duty}.",
            ]
            wrong = [
                f"{group.capitalize()} must {duty}.",
                f"{other.capitalize()} do not have to {duty}.",
            ]
        return Statement([source], right, wrong)

    def quantity(self) -> Statement:
        """Return an amount in two units or notations."""
        number = self.number(2, 40)
        hours, thousands = f"{number * 60} minutes", f"{number}.5 thousand people"
        what, one, other, another = self.pick((
            ("The trip takes", f"{number} hours", hours, f"{number * 6} minutes"),
            ("The loan lasts", f"{number} years", f"{number * 12} months", f"{number * 10} months"),
            ("The path has", f"{number}.5 km", f"{number}500 metres", f"{number}50 metres"),
            ("The parcel weighs", f"{number} kg", f"{number * 1000} g", f"{number * 100} g"),
            ("The fund has", f"€{number} million", f"€{number},000,000", f"€{number},000"),
            ("The town has", f"{number},500 people", thousands, f"{number}.5 million people"),
            ("The rate is", f"{number}%", f"{number} percent", f"{number + 3} percent"),
        ))  # fmt: skip
        if self.coin():
            another = re.sub(r"\d+", str(number + self.number(1, 9)), one, count=1)
            one, other = other, one
        return Statement([f"{what} {one}."], [f"{what} {other}."], [f"{what} {another}."])

    def condition(self) -> Statement:
        """Return what is given on one condition."""
        group, gift, condition = self.pick(_GROUPS), self.pick(_BENEFITS), self.pick(_CONDITIONS)
        who = group.capitalize()
        source = self.pick((
            f"{who} can {gift}, provided that {condition}.",
            f"If {condition}, {group} can {gift}.",
            f"{who} can {gift} only if {condition}.",
            f"Unless {condition}, {group} cannot {gift}.",
        ))  # fmt: skip
        right = [f"{who} can {gift} if {condition}."]
        return Statement([source], right, [f"{who} can {gift} without any condition."])

    def extremes(self) -> Statement:
        """Return a measure of two to four things, and which has the least and the most of it."""
        kind, measure, ends, less = self.pick(_EXTREMES)
        names = self.rng.sample(_LAST, self.pick((2, 3, 3, 4)))
        values = self.rng.sample(range(3, 90), len(names))
        things = [f"{kind} {name}" for name in names]
        sources = [
            f"{_sentence('the ' + thing)[:-1]} {measure.format(value)}."
            for thing, value in zip(things, values, strict=True)
        ]
        if self.coin(0.3):
            sources = [
                f"{kind.capitalize()}: {name}, value: {measure.format(value).partition(' ')[2]}."
                for name, value in zip(names, values, strict=True)
            ]
        least, most = (things[values.index(choose(values))] for choose in (min, max))
        (low, high), turn = ends, self.coin()
        end, right, wrong = (high, most, least) if turn else (low, least, most)
        best = self.pick((
            f"The {end} {kind} is the {{}}.",
            f"Of all, the {{}} is the {end}.",
            f"The {{}} is the {end} {kind}.",
        ))  # fmt: skip
        claims = [best.format(right), f"The {least} {less} the {most}."]
        others = [best.format(wrong), f"The {most} {less} the {least}."]
        name, other = (each.removeprefix(kind + " ") for each in (right, wrong))
        questions = [(f"Which {kind} is the {end}?", name, other)]
        return Statement(sources, claims, others, questions)

    def opposites(self) -> Statement:
        """Return two statements of one kind, one with each of two opposites, and both denied."""
        words, things, ends = self.pick(_OPPOSITES)
        one, other = self.two(_words(things))
        first, second = self.two(_words(ends))
        sources = [words.format(one, first)]
        right, wrong = [words.format(one, first)], [words.format(one, second)]
        if self.coin(0.6):
            sources.append(words.format(other, second))
            right.append(words.format(other, second))
            wrong.append(words.format(other, first))
        return Statement(sources, right, wrong)

    def course(self) -> Statement:
        """Return when the steps of one course of events were, told in one to four sentences."""
        things, course = self.pick(_COURSES)
        thing, month, steps = self.pick(_words(things)), self.pick(_MONTHS), _words(course)
        days = sorted(self.rng.sample(range(1, 29), len(steps)))
        dates = [self.date(day, month) for day in days]
        stages = [f"{step} on {date}" for step, date in zip(steps, dates, strict=True)]
        subject = f"The {thing} was"
        sources = self.pick((
            [f"{subject} {stages[0]}, {stages[1]} and {stages[2]}."],
            [f"{subject} {stages[0]}.", *(f"It was {each}." for each in stages[1:])],
            [f"{subject} {stages[0]} and {stages[1]}.", f"It was {stages[2]}, and {stages[3]}."],
            [f"{subject} {stages[0]}; {days[1] - days[0]} days later, on {dates[1]}, it was "
             f"{steps[1]}.", f"It was finally {stages[2]}."],
        ))  # fmt: skip
        at, to = self.rng.sample(range(3), 2)
        early, late = min(at, to), max(at, to)
        say = self.pick((f"{subject} {{}} on {{}}.", f"On {{1}}, the {thing} was {{0}}."))
        order = self.pick(("before", "after"))
        first, second = (early, late) if order == "before" else (late, early)
        in_order = f"The {thing} was {{}} {order} it was {{}}."
        right = [say.format(steps[at], dates[at]), in_order.format(steps[first], steps[second])]
        wrong = [say.format(steps[at], dates[to]), in_order.format(steps[second], steps[first])]
        questions = [(f"When was the {thing} {steps[at]}?", dates[at], dates[to])]
        return Statement(sources, right, wrong, questions)


_KINDS = (
    Sampler.deed, Sampler.post, Sampler.bound, Sampler.ages, Sampler.opening, Sampler.price,
    Sampler.prices, Sampler.permission, Sampler.duty, Sampler.cover, Sampler.feature,
    Sampler.history, Sampler.occurrence, Sampler.move, Sampler.event, Sampler.deadline,
    Sampler.vote, Sampler.sample, Sampler.condition, Sampler.row, Sampler.record,
    Sampler.tool, Sampler.tool, Sampler.like_fields, Sampler.like_fields, Sampler.code,
    Sampler.total, Sampler.change, Sampler.relation, Sampler.relation, Sampler.mention,
    Sampler.life, Sampler.departures, Sampler.wells, Sampler.minimum_age, Sampler.everyone,
    Sampler.quantity, Sampler.extremes, Sampler.opposites, Sampler.opposites, Sampler.course,
)  # fmt: skip
_COUNTS = (1, 1, 1, 2, 2, 3, 4, 5)
_ASKED, _BARE, _COPIED, _ASIDE = 0.6, 0.35, 0.3, 0.35


def block(rng: Random) -> Block:
    """Return one to five statements as sources, and claims about them, or one's bare answers."""
    sampler = Sampler(rng)
    kinds = rng.sample(_KINDS, rng.choice(_COUNTS))
    statements = [kind(sampler) for kind in kinds]
    sources = [_clean(text) for each in statements for text in each.sources]
    if sampler.coin(_ASIDE):
        sources.insert(rng.randrange(len(sources) + 1), rng.choice(_ASIDES))
    text = rng.choice((" ", " ", " ", "\n")).join(sources)
    questions = [question for each in statements for question in each.questions]
    if questions and sampler.coin(_BARE):
        question, right, wrong = rng.choice(questions)
        stop = rng.choice(("", "."))
        answers = (
            LabelledClaim(right + stop, None, ENTAIL),
            LabelledClaim(wrong + stop, None, CONTRADICT),
        )
        return Block((text,), question, answers)
    claims = [
        LabelledClaim(_clean(claim), (), ENTAIL) for each in statements for claim in each.right
    ]
    claims += [
        LabelledClaim(_clean(claim), None, NOT_ENTAILED)
        for each in statements
        for claim in each.wrong
    ]
    if sampler.coin(_COPIED):
        claims.append(LabelledClaim(rng.choice(sources), (), ENTAIL))
    question = rng.choice(questions)[0] if questions and sampler.coin(_ASKED) else ""
    return Block((text,), question, tuple(claims))


def _sentence(words: str) -> str:
    return words[0].upper() + words[1:].removesuffix(".") + "."


def _clean(sentence: str) -> str:
    """Return a sentence without the second full stop behind "p.m."."""
    return re.sub(r"\.\.$", ".", sentence)
