"""Short claims against short sources, one line a verdict: what words alone can tell."""

import pytest

from analysis.engine import Source, Submission, analyze, measure

S, C, U = {"SUPPORTED"}, {"CONTRADICTED"}, {"UNVERIFIED"}

CORRECT = [
    # Numbers, units, currencies, words for numbers.
    ("The trial enrolled 1,200 patients.", "A total of 1200 patients were enrolled in the trial."),
    ("The firm has 2000 employees.", "The firm has 2,000 employees."),
    ("The river is 5 km long.", "The river is 5,000 metres long."),
    ("The run is 3.1 miles long.", "The run is 5 km long."),
    ("The wall is 6 ft high.", "The wall is 72 inches high."),
    ("The limit is 60 mph.", "The limit is 97 km/h."),
    ("Water boils at 100 °C.", "Water boils at 212 °F."),
    ("The low was -40 °C.", "The low was -40 °F."),
    ("The turnout was 45 percent.", "The turnout was 45%."),
    ("The turnout was 45 per cent.", "Turnout was 45 %."),
    ("The phone costs $30.", "The phone costs 30 USD."),
    ("The phone costs 30 euros.", "The phone costs €30."),
    ("The fund holds $1.2 million.", "The fund holds $1,200,000."),
    ("The committee has five members.", "The committee has 5 members."),
    ("The committee has twenty-five members.", "The committee has 25 members."),
    ("Half of the members voted.", "50% of the members voted."),
    ("Two thirds of the members voted.", "2/3 of the members voted."),
    ("She finished in third place.", "She finished in 3rd place."),
    ("The meeting starts at 3 pm.", "The meeting starts at 15:00."),
    ("The meeting starts at 9:30 am.", "The meeting starts at 09:30."),
    ("The tool needs Python 3.11.", "The tool needs Python 3.11 or later."),
    ("Call 555-0134 for help.", "For help, call 555-0134."),
    ("The dose is between 5 and 10 mg.", "The dose is 5-10 mg."),
    ("The dose is 5 to 10 mg.", "The dose is between 5 and 10 mg."),
    ("About 1.2 million people live there.", "1,203,114 people live there."),
    ("More than 500 people attended.", "620 people attended."),
    # Dates.
    ("The treaty was signed on 5 March 2024.", "The treaty was signed on March 5, 2024."),
    ("The treaty was signed on March 5, 2024.", "The treaty was signed on 2024-03-05."),
    ("The treaty was signed on 2024-03-05.", "The treaty was signed on the 5th of March 2024."),
    ("The treaty was signed in March 2024.", "The treaty was signed on 5 March 2024."),
    ("The bank was founded in the 1990s.", "The bank was founded in 1994."),
    # Names.
    ("Curie won the prize.", "Marie Curie won the prize in 1903."),
    ("Paris is the capital of France.", "Paris is the capital of France."),
    (
        "NASA launched the probe.",
        "The National Aeronautics and Space Administration (NASA) launched the probe.",
    ),
    ("The WHO declared an emergency.", "The World Health Organization declared an emergency."),
    ("Ann plays the violin.", "Ann and Bob play the violin."),
    ("Ann Miller chairs the board.", "The board is chaired by Ann Miller."),
    ("Berlin is a city in Germany.", "Berlin and Hamburg are cities in Germany."),
    # Negation and its look-alikes.
    (
        "The restaurant has outdoor seating.",
        "The restaurant does not only offer but has heated outdoor seating.",
    ),
    (
        "The restaurant has outdoor seating.",
        "The restaurant has outdoor seating but does not take reservations.",
    ),
    ("The work was done by May 2020.", "The work was done no later than May 2020."),
    ("The museum does not charge admission.", "The museum does not charge for admission."),
    ("The mill is not closed.", "The mill is open."),
    ("Dogs are not allowed on the beach.", "Dogs are not allowed on the beach."),
    ("The vaccine is safe.", "Not only is the vaccine safe, it is cheap."),
    # Quantifiers, comparatives, roles.
    ("All members voted for the bill.", "Every member voted for the bill."),
    ("Some members voted for the bill.", "All members voted for the bill."),
    ("The Nile is longer than the Amazon.", "The Nile is longer than the Amazon."),
    ("The Amazon is shorter than the Nile.", "The Nile is longer than the Amazon."),
    ("Google acquired YouTube.", "Google acquired YouTube in 2006."),
    ("YouTube was acquired by Google.", "Google acquired YouTube in 2006."),
    ("Ann defeated Bob in the final.", "Ann defeated Bob in the final."),
    # Paraphrases, partial, rows, lists, scripts.
    ("The ship sank in 1912.", "In 1912 the ship sank after striking an iceberg."),
    ("The price is 30 USD.", "| Item | Value |\n|---|---|\n| Price | 30 USD |"),
    ("The store sells apples, pears and plums.", "The store sells:\n- apples\n- pears\n- plums"),
    ("公司成立于1998年。", "我们的公司成立于1998年。"),
    ("Москва является столицей России.", "Москва является столицей России."),
    ("दिल्ली भारत की राजधानी है।", "दिल्ली भारत की राजधानी है।"),
]

WRONG = [
    ("Google was acquired by YouTube.", "Google acquired YouTube in 2006."),
    ("YouTube acquired Google.", "Google acquired YouTube in 2006."),
    ("Bob defeated Ann in the final.", "Ann defeated Bob in the final."),
    ("The trial enrolled 1,300 patients.", "A total of 1200 patients were enrolled in the trial."),
    ("The river is 6 km long.", "The river is 5,000 metres long."),
    ("The limit is 70 mph.", "The limit is 97 km/h."),
    ("Water boils at 90 °C.", "Water boils at 212 °F."),
    ("The turnout was 54%.", "The turnout was 45 percent."),
    ("The phone costs $40.", "The phone costs 30 USD."),
    ("The committee has six members.", "The committee has 5 members."),
    ("The low was -4 °C.", "The low was 4 °C."),
    ("The meeting starts at 4 pm.", "The meeting starts at 15:00."),
    ("She finished in second place.", "She finished in 3rd place."),
    ("The tool needs Python 3.9.", "The tool needs Python 3.11."),
    ("The limit is 20 mg.", "The limit is between 5 and 10 mg."),
    ("The treaty was signed on 6 March 2024.", "The treaty was signed on March 5, 2024."),
    ("The treaty was signed on 2024-04-05.", "The treaty was signed on 5 March 2024."),
    ("The treaty was signed in 2023.", "The treaty was signed on 2024-03-05."),
    ("The bank was founded in the 1980s.", "The bank was founded in 1994."),
    ("Google was founded by Steve Jobs.", "Google was founded by Larry Page and Sergey Brin."),
    ("The restaurant has outdoor seating.", "The restaurant does not offer outdoor seating."),
    ("The restaurant offers outdoor seating.", "The restaurant has no outdoor seating."),
    ("The hotel provides free parking.", "The hotel doesn't have free parking."),
    ("The drug cures malaria.", "The drug does not cure malaria."),
    ("The mill never closed.", "The mill closed."),
    ("Sales rose in May.", "Sales fell in May."),
    ("The park is free.", "The park is not free."),
    ("All members voted for the bill.", "No members voted for the bill."),
    ("None of the members voted for the bill.", "All members voted for the bill."),
    ("All members voted for the bill.", "Not all members voted for the bill."),
    ("The price is 40 USD.", "Price | 30 USD"),
    ("The treatment is effective.", "The treatment is ineffective."),
    ("The app supports offline mode.", "The app does not include an offline mode."),
    ("The hotel has a pool.", "The hotel lacks a pool."),
    (
        "The Blue Inn has outdoor seating.",
        '{"name": "The Blue Inn", "attributes": {"OutdoorSeating": false, "WiFi": "free"}}',
    ),
    ("The hotel does not offer breakfast.", "The hotel serves breakfast from 7 am."),
    ("The CEO of Apple is Tim Cook.", "The CEO of Apple is Steve Jobs."),
    ("Fewer than 10 people died.", "12 people died."),
]

OPEN = [
    ("The limit is between 5 and 10 mg.", "The limit is 7 mg."),
    ("The limit is 7 mg.", "The limit is between 5 and 10 mg."),
    ("The firm was founded in 1998 in Oslo.", "The firm was founded in 1998."),
    ("The firm hired Ann Miller.", "The firm hired a new lawyer."),
    ("Bob plays the violin.", "Ann plays the violin."),
    ("Paris is the capital of Germany.", "Berlin is the capital of Germany."),
    ("Hamburg is a city in Germany.", "Berlin is a city in Germany."),
    ("The turnout rose by 5%.", "The turnout rose by 5 percentage points."),
    ("The tower is 300 m tall.", "The tower is tall."),
    ("The treaty was signed on 5 March 2024.", "The treaty was signed in March 2024."),
    ("The treaty was signed in Oslo.", "Was the treaty signed in Oslo?"),
    ("The mayor lives in Oslo.", "The weather in Oslo was fine."),
]

# What words alone cannot see: these would be SUPPORTED or CONTRADICTED to a reader.
BLIND = [
    ("The physician prescribed penicillin.", "The doctor gave her an antibiotic."),
    ("The film flopped.", "The film was a commercial failure."),
    ("Marie Curie won the prize.", "Curie won the prize in 1903."),
    ("The shop is shut on Sundays.", "The shop opens from Monday to Saturday."),
    ("Two in three members voted.", "67% of the members voted."),
    ("The firm is based in the UK.", "The firm has its seat in London."),
    ("The bridge is more than a century old.", "The bridge was opened in 1890."),
]

# Neither a wrong support nor a wrong contradiction.
NOT_CONTRADICTED = [
    ("Ann is the author of the book.", "Ann and Bob are the authors of the book."),
    ("JFK was the president in 1962.", "John Fitzgerald Kennedy was the president in 1962."),
    (
        "Burma is the largest exporter.",
        "Myanmar is also known as Burma. Myanmar is the largest exporter.",
    ),
    ("Curie was the first to win twice.", "Marie Curie was the first to win twice."),
    ("She was the first to win twice.", "Marie Curie was the first to win twice."),
    ("The restaurant has outdoor seating.", "The restaurant does not charge for outdoor seating."),
    (
        "The restaurant has outdoor seating.",
        "The bar next door does not offer food. The restaurant has outdoor seating.",
    ),
    (
        "The Blue Inn has free wi-fi.",
        '{"name": "The Blue Inn", "attributes": {"OutdoorSeating": false, "WiFi": "free"}}',
    ),
    ("The Blue Inn has a pool.", "The Blue Inn: pool: no smoking, sauna: none."),
    ("The plan covers dental care.", "The plan covers dental care and does not include eye care."),
    ("The plan includes eye care.", "Dental care is not covered, but the plan includes eye care."),
    ("She was more excited than ever.", "She couldn't be more excited."),
    ("Oslo is lower than Rome.", "Rome is higher than Oslo."),
    ("The wind is 7 to 8 mph.", "Winds of 7 mph are expected."),
    ("The show is at 3:30.", "The show is at 3:30 pm."),
    ("The talk is on page 3.", "The talk is announced on pages 3 and 5."),
    ("Apollo 12 landed on the Moon.", "Apollo 11 landed on the Moon in 1969."),
    ("Version 3.1 was released in May.", "Version 3.11 was released in October."),
    ("Most members voted for it.", "62% of the members voted for it."),
    ("Ann married Bob.", "Bob married Ann."),
    ("It opened on 05/03/2024.", "It opened on 3 May 2024."),
    ("The hotel has a pool.", "Guests without a booking can use the pool of the hotel."),
    ("The show runs from 3-5 pm.", "The show runs from 3:00 pm to 5:00 pm."),
]

# Not what the source says, whatever else: never SUPPORTED.
NOT_SUPPORTED = [
    (
        "Paris is the capital of Germany.",
        "Berlin is the capital of Germany. Paris is the capital of France.",
    ),
    ("Ann lives in Rome.", "Ann lives in Oslo. Bob lives in Rome."),
    ("Version 3.1 was released in May.", "Version 3.11 was released in May."),
    (
        "The restaurant has outdoor seating.",
        "The restaurant does not offer outdoor seating in winter.",
    ),
    ("The minister resigned.", "Did the minister resign?"),
    ("Some students failed.", "No student failed."),
]


def status(claim, source):
    return analyze("", claim, [source])["claims"][0]["status"]


TABLES = (
    (CORRECT, S), (WRONG, C), (OPEN, U), (BLIND, U), (NOT_CONTRADICTED, S | U),
    (NOT_SUPPORTED, C | U),
)  # fmt: skip


@pytest.mark.parametrize(
    ("claim", "source", "verdicts"),
    [(*pair, verdicts) for pairs, verdicts in TABLES for pair in pairs],
)
def test_a_claim_has_one_of_its_verdicts(claim, source, verdicts):
    assert status(claim, source) in verdicts


def test_a_conflict_quotes_the_word_and_not_its_stem():
    source = Source("a", "SSN College did not merge with SNU.")
    [signal] = measure(Submission("SSN College merged with SNU.", "", (source,))).signals
    assert signal.conflicts[0].detail == "“merged”: negated in the source"
