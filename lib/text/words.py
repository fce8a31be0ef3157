"""Closed word classes of English, as sets of lower-case words."""


def word_set(words: str) -> frozenset[str]:
    """Return the words of one string, split at spaces."""
    return frozenset(words.split())


PRONOUNS = word_set(
    "i you he she it we they me him her us them this that these those one who which what "
    "itself himself herself themselves myself yourself ourselves there"
)
SUBJECT_PRONOUNS = word_set("he she it they this these those")
DETERMINERS = word_set(
    "a an the this that these those my your his her its our their some any each every no all both "
    "another such"
)
PREPOSITIONS = word_set(
    "in on at by for from of to with into onto over under about after before between during "
    "since until till through throughout against among around across behind below above beside "
    "near off per than toward towards upon via within without as like along amid"
)
CONJUNCTIONS = word_set(
    "and or but nor so yet because although though while whereas if unless when"
)
BE = word_set(
    "is are was were be been being am isn't aren't wasn't weren't 's 're 'm it's he's she's"
)
HAVE = word_set("has have had having hasn't haven't hadn't")
DO = word_set("do does did doing don't doesn't didn't")
MODALS = word_set(
    "will would can could may might must shall should won't wouldn't can't cannot couldn't "
    "mustn't shouldn't needn't"
)
AUXILIARIES = BE | HAVE | DO | MODALS
ADVERBS = word_set(
    "also then later now still just only even not n't never always often usually then again soon "
    "eventually subsequently definitely certainly absolutely however therefore thus already "
    "currently recently formerly originally initially finally once too very quite rather well "
    "almost nearly about approximately ultimately permanently officially actually really simply"
)
STOPWORDS = (
    PRONOUNS | DETERMINERS | PREPOSITIONS | CONJUNCTIONS | AUXILIARIES | ADVERBS
) | word_set(
    "s t re ve ll d m other others more most much many few less least own same here where how why "
    "whose whom out up down also etc e.g i.e eg ie get got let not no none yes non"
)
MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan",
            "february feb",
            "march mar",
            "april apr",
            "may",
            "june jun",
            "july jul",
            "august aug",
            "september sep sept",
            "october oct",
            "november nov",
            "december dec",
        ),
        start=1,
    )
    for name in names.split()
}
