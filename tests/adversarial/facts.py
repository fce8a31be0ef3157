"""Parts of the adversarial inputs: sources, and right and wrong statements about them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fact:
    """A source, a statement that it supports, one that it contradicts, and one it says nothing of.

    All three statements end without a full stop.
    """

    source: str
    right: str
    wrong: str
    unsupported: str


FACTS = (
    Fact(
        "Workers on a scaffold need fall protection at 10 feet. The employer must provide a "
        "guardrail or a personal fall arrest system. Inspections take place every 7 days.",
        "Workers on a scaffold need fall protection at 10 feet",
        "Workers on a scaffold need fall protection at 20 feet",
        "Scaffold planks are made of aluminium in Canada",
    ),
    Fact(
        "Refunds take 14 days. Items must be unworn and returned with the receipt. Shipping costs "
        "are not refunded.",
        "Refunds take 14 days",
        "Refunds take 30 days",
        "Refunds are paid in gold coins by courier",
    ),
    Fact(
        "The tower is 300 m high. It is painted brown. The tower was completed in 1889.",
        "The tower is 300 m high",
        "The tower is 500 m high",
        "The tower was designed by Leonardo da Vinci",
    ),
    Fact(
        "The museum opened in 1964. Admission costs 12 euros. The museum is closed on Mondays.",
        "The museum opened in 1964",
        "The museum opened in 1946",
        "The museum owns a painting by Rembrandt",
    ),
    Fact(
        "The maximum dose of ibuprofen is 1200 mg per day. Ibuprofen must not be taken in the last "
        "trimester of pregnancy.",
        "The maximum dose of ibuprofen is 1200 mg per day",
        "The maximum dose of ibuprofen is 2400 mg per day",
        "Ibuprofen was invented in Denmark by a dentist",
    ),
    Fact(
        "Veldon Systems was founded by Maria Lopez in Oslo. The company employs 420 people. Its "
        "first product was a harbour crane.",
        "Veldon Systems was founded by Maria Lopez in Oslo",
        "Veldon Systems was founded by John Reed in Oslo",
        "Veldon Systems sponsors a football club in Brazil",
    ),
    Fact(
        "SSN College closed in 2026. It merged with SNU. The library moved to Park Road.",
        "SSN College closed in 2026",
        "SSN College closed in 2019",
        "SSN College rented a castle from a monastery",
    ),
    Fact(
        "Employees receive 25 days of annual leave. Part-time employees receive leave in "
        "proportion to their hours.",
        "Employees receive 25 days of annual leave",
        "Employees receive 35 days of annual leave",
        "Employees receive a company car from Munich",
    ),
    Fact(
        "The bridge closes to traffic at wind speeds above 90 km/h. The bridge has four lanes. "
        "The toll is 5 euros for cars.",
        "The bridge has four lanes",
        "The bridge has six lanes",
        "The bridge was built by prisoners from Malta",
    ),
    Fact(
        "The swimming pool opens at 7 am. Children under 8 must be accompanied by an adult. The "
        "water is 26 degrees warm.",
        "The swimming pool opens at 7 am",
        "The swimming pool opens at 11 am",
        "The swimming pool was filmed for a detective series",
    ),
    Fact(
        "The warranty covers the battery for 2 years. Damage caused by water is excluded from the "
        "warranty.",
        "The warranty covers the battery for 2 years",
        "The warranty covers the battery for 5 years",
        "The warranty was written by a lawyer in Lisbon",
    ),
    Fact(
        "Passengers may carry 20 kg of luggage. The ferry departs from pier 4. Bicycles travel "
        "free of charge.",
        "Passengers may carry 20 kg of luggage",
        "Passengers may carry 40 kg of luggage",
        "Passengers are served oysters by the captain",
    ),
)


@dataclass(frozen=True, slots=True)
class Duty:
    """A source that obliges somebody to something."""

    who: str
    verb: str
    what: str
    other: str
    """Somebody else whom the source names without obliging him to this."""

    @property
    def right(self) -> str:
        """The statement without its full stop."""
        return f"{self.who} must {self.verb} {self.what}"

    @property
    def source(self) -> str:
        """The duty, and a sentence about the other party."""
        return f"{self.right}. {self.other} work on weekdays."


DUTIES = (
    Duty("Drivers", "wear", "a seat belt", "The inspectors"),
    Duty("Employers", "provide", "a first-aid kit", "The workers"),
    Duty("Tenants", "pay", "a deposit", "The caretakers"),
    Duty("Pilots", "carry", "a valid licence", "The stewards"),
    Duty("Climbers", "wear", "a helmet", "The rangers"),
    Duty("Restaurants", "display", "a hygiene certificate", "The guests"),
    Duty("Visitors", "sign", "a register", "The guards"),
    Duty("Welders", "use", "a face shield", "The electricians"),
    Duty("Nurses", "complete", "a hygiene course", "The patients"),
    Duty("Cyclists", "use", "a front lamp", "The pedestrians"),
    Duty("Landlords", "install", "a smoke alarm", "The lodgers"),
    Duty("Farmers", "keep", "a livestock record", "The veterinarians"),
)
