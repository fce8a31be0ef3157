"""Samples on which the served judge is compared with its float form."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sample:
    """Claims of one answer with evidence and question."""

    question: str
    evidence: tuple[str, ...]
    claims: tuple[str, ...]


SAMPLES = (
    Sample(
        "How long do I have to return a kettle, and does the guarantee cover limescale?",
        (
            "Unopened goods may be returned within 30 days of delivery. Opened goods are taken "
            "back only when they are faulty. Refunds reach the original card within five business "
            "days. Gift cards and perishable goods are excluded from returns.",
            "The guarantee runs for two years from the date of purchase. It covers faults in "
            "material and workmanship. Damage by water, limescale or frost is excluded, unless "
            "the premium plan was bought together with the appliance.",
        ),
        (
            "You can send an unopened kettle back within a month.",
            "Limescale damage is covered by the standard guarantee.",
            "With the premium plan, limescale damage is covered.",
            "An opened kettle that works can be returned within 30 days.",
            "The refund arrives within five business days.",
            "Return shipping is free of charge.",
            "The guarantee lasts 24 months.",
            "Gift cards may be returned for a full refund.",
        ),
    ),
    Sample(
        "",
        (
            "The committee met on 3 May 2024 and approved the budget of 2.4 million euros. It "
            "asked for a second report on travel costs, which the treasurer will present in July. "
            "The bridge over the northern canal stays closed until its railing has been replaced, "
            "and cyclists are led past the old mill.",
        ),
        (
            "The committee approved the budget in May 2024.",
            "The committee rejected the budget of 2.4 million euros because of travel costs.",
            "The treasurer presented a report on travel costs in May.",
            "The bridge is open to cyclists.",
            "Until the railing is replaced, cyclists go past the old mill.",
            "The mill was built in 1830 by the mayor's father, who never saw it run.",
        ),
    ),
    Sample(
        "Which antibiotic can a patient with a penicillin allergy take, and how is it dosed?",
        (
            "Amoxicillin: 500 mg three times daily for seven days.",
            "A patient with a known allergy to penicillin must not be given amoxicillin. A "
            "macrolide may be given instead after the dose has been checked.",
            "Clarithromycin is a macrolide. Adults take 250 mg twice daily; in severe infection "
            "500 mg twice daily. The dose is halved where kidney function is poor.",
            "Store below 25 degrees. Keep out of the reach of children.",
            "Grapefruit juice does not change the effect of azithromycin. " * 12,
            "Patients on warfarin need their clotting checked within a week of starting. " * 9,
        ),
        (
            "Clarithromycin may be given to someone who is allergic to penicillin.",
            "Amoxicillin is safe for patients with a penicillin allergy.",
            "Adults take 250 mg of clarithromycin three times a day.",
            "In severe infection the dose of clarithromycin is 1 g a day in total.",
            "With poor kidney function the dose is doubled.",
            "Warfarin must be stopped before treatment.",
            "The medicine is kept in a fridge.",
            "No antibiotic is needed for a viral infection, since antibiotics act on bacteria "
            "alone, and taking them without need makes resistance more likely for everybody.",
        ),
    ),
    Sample(
        "Tell me about the restaurant.",
        (
            "The name is Harbour Table. The city is Leeds. The stars are 4.5. The opening hours on "
            "Monday are 9:00 to 17:00. The opening hours on Saturday are 9:00 to 20:00. The "
            "parking is street. Takes reservations: yes. Outdoor seating: no.",
        ),
        (
            "Harbour Table in Leeds is rated 4.5 stars.",
            "It is closed on Mondays.",
            "On Saturdays it stays open until 8 pm.",
            "Guests can sit outside.",
            "Reservations are not possible.",
            "There is a private car park.",
        ),
    ),
)
"""28 claims: right and wrong, with one passage or many, in short and in long evidence."""
