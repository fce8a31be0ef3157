"""Parts of the adversarial inputs: sources, and right and wrong statements about them."""

from dataclasses import dataclass
from pathlib import Path

from tests.adversarial.corpus import read_blocks


@dataclass(frozen=True, slots=True)
class Fact:
    """A source, a statement that it supports, one that it contradicts, and one it says nothing of.

    All three statements end without a full stop.
    """

    source: str
    right: str
    wrong: str
    unsupported: str


FACTS = tuple(
    Fact(block.source, *block.right, *block.wrong, *block.unsupported)
    for block in read_blocks(Path(__file__).with_suffix(".txt"))
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
