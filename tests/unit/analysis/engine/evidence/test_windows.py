import random

from analysis.engine.evidence.corpus import build, terms_of
from analysis.engine.evidence.windows import choose, text_of
from analysis.engine.types import Source
from lib.text.tokens import tokenize

FACTS = "The bridge at Kvalsund opened in 1977. It is 741 metres long."
FILLER = "The council met on Tuesday to speak about school meals and the price of milk. "


def window(claim: str, *texts: str, count: int = 1, words: int = 80):
    corpus = build(tuple(Source(f"s{at}", text) for at, text in enumerate(texts)))
    tokens = tokenize(claim)
    terms = frozenset(terms_of(tokens, 0, len(tokens)))
    return corpus, choose(corpus, terms, frozenset(), count, words)


def test_the_window_holds_the_passage_that_says_it():
    _, choice = window("The Kvalsund bridge opened in 1977", FILLER * 9 + FACTS + FILLER * 9)
    assert "opened in 1977" in choice.windows[0].text


def test_evidence_from_two_sources_shares_a_window():
    _, choice = window(
        "The Kvalsund bridge opened in 1977 and Eva Holm designed it",
        FILLER * 5 + FACTS,
        FILLER * 5 + "Eva Holm designed several bridges in the north.",
    )
    assert "1977" in choice.windows[0].text
    assert "Eva Holm" in choice.windows[0].text


def test_padding_does_not_change_the_leading_passage():
    chance = random.Random(5)
    words = [
        "harbour",
        "season",
        "council",
        "weather",
        "ferry",
        "market",
        "school",
        "bread",
        "stone",
        "garden",
    ]
    noise = " ".join(
        f"The {chance.choice(words)} and the {chance.choice(words)} were {at} apart."
        for at in range(1200)
    )
    assert len(noise) > 45_000
    bare, alone = window("The Kvalsund bridge opened in 1977", FACTS)
    padded, among = window("The Kvalsund bridge opened in 1977", noise + " " + FACTS + " " + noise)
    lead = [
        corpus.text_of(choice.windows[0].lead)
        for corpus, choice in ((bare, alone), (padded, among))
    ]
    assert lead[0] == lead[1]


def test_a_window_keeps_its_size_and_a_long_passage_its_best_stretch():
    long = " ".join(f"word{at}" for at in range(500)) + " the Kvalsund bridge opened " + "x " * 300
    corpus, choice = window("The Kvalsund bridge opened in 1977", long, words=40)
    [piece] = choice.windows[0].pieces
    assert piece.last - piece.first == 40
    assert "Kvalsund bridge opened" in text_of(corpus, piece)


def test_sources_that_repeat_each_other_are_read_once():
    _, choice = window("The Kvalsund bridge opened in 1977", FACTS, FACTS, FACTS)
    assert choice.windows[0].text.count("opened in 1977") == 1


def test_several_windows_do_not_share_their_lead():
    texts = [f"The Kvalsund bridge was painted in {1980 + at}. {FILLER * 6}" for at in range(4)]
    claim = "The Kvalsund bridge was painted in 1980, 1981 and 1983"
    _, choice = window(claim, *texts, count=4, words=12)
    assert len({window.lead for window in choice.windows}) == 3


def test_no_shared_word_no_window():
    _, choice = window("Penguins swim", FACTS)
    assert choice.windows == ()


def test_a_passage_that_begins_with_a_pronoun_brings_the_one_that_names_it():
    other = "The bridge at Alvik opened in 1950. It is 300 metres long. "
    claim = "The bridge is 741 metres long, and opened in 1950"
    _, choice = window(claim, other * 3 + FACTS, words=16)
    assert choice.windows[0].text == FACTS


def test_of_passages_with_the_same_words_the_one_beside_a_rare_word_leads():
    places = [f"Alvik{at}" for at in range(30)]
    places[17:17] = ["Kvalsund"]
    text = "\n\n".join(f"The bridge at {name} is old. It costs 35 kroner." for name in places)
    corpus = build((Source("s", text),))
    tokens = tokenize("It costs 35 kroner")
    terms = frozenset(terms_of(tokens, 0, len(tokens)))
    [lead_window] = choose(corpus, terms, frozenset({"kvalsund"})).windows
    assert corpus.text_of(lead_window.lead) == "It costs 35 kroner."
    assert corpus.text_of(lead_window.lead - 1) == "The bridge at Kvalsund is old."
