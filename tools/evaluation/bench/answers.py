"""Answers to measure with: prose of a given length, in sentences like those users submit."""

_SENTENCES = (
    "The northern tower of the bridge was completed in 1932 after four years of work.",
    "It carries six lanes of traffic and two footpaths, and it is repainted every ten years.",
    "Engineers inspect the suspension cables twice a year, usually in April and October.",
    "The main span is 1,280 metres long, which made it the longest in the world until 1964.",
    "Wind above 110 km/h closes the deck to high-sided vehicles.",
    "The toll was raised to $8 in 2019, and the income pays for maintenance.",
    "According to the operator, about 112,000 vehicles cross on an average weekday.",
    "A second deck was proposed in 1967 but was never built.",
    "The foundations rest on rock 30 metres below the surface of the water.",
    "Dr. Ellis, who led the design, had worked on smaller bridges before.",
)


def prose(words: int) -> str:
    """Return about `words` words of distinct sentences (each round names another bridge)."""
    text: list[str] = []
    count = turn = 0
    while count < words:
        sentence = _SENTENCES[turn % len(_SENTENCES)]
        round_ = turn // len(_SENTENCES)
        if round_:
            sentence = f"On bridge {round_}, {sentence}"
        excerpt = sentence.split()[: words - count]
        text.append(" ".join(excerpt).rstrip(".,") + ".")
        count += len(excerpt)
        turn += 1
    return " ".join(text)
