"""Words that edits put in place of others. All lists are ours."""


def _pairs(text: str) -> dict[str, tuple[str, ...]]:
    others_of: dict[str, list[str]] = {}
    for group in " ".join(text.split()).split(";"):
        left_words, _, right_words = group.strip().partition("/")
        for word in left_words.split(","):
            others_of.setdefault(word.strip(), []).extend(w.strip() for w in right_words.split(","))
        for word in right_words.split(","):
            others_of.setdefault(word.strip(), []).extend(w.strip() for w in left_words.split(","))
    return {word: tuple(others) for word, others in others_of.items() if word}


OPPOSITES = _pairs("""
increased, rose, grew/decreased, fell, declined; increase, rise/decrease, decline; increases/decreases;
increasing, rising, growing/decreasing, falling, shrinking; higher, greater/lower, smaller; high/low;
more/fewer, less; most/least; above/below; over/under; before/after; earlier/later; early/late; won/lost;
win/lose; success/failure; successful/unsuccessful; accepted/rejected, refused; approved/rejected;
started, began/ended, stopped; start, begin/end, stop; positive/negative; effective/ineffective;
hot/cold; warm/cool; first/last; largest, biggest/smallest; highest/lowest; oldest/youngest; best/worst;
male/female; man/woman; men/women; husband/wife; son/daughter; brother/sister; father/mother; boy/girl;
north/south; northern/southern; east/west; eastern/western; public/private; guilty/not guilty;
bought/sold; buy/sell; includes/excludes; included/excluded; present/absent; full/empty; old/new;
left/right; supported/opposed; supports/opposes; confirmed/denied; likely/unlikely; common/rare;
strong/weak; stronger/weaker; fast/slow; faster/slower; easy/difficult; imported/exported;
married/divorced; maximum/minimum; upper/lower; inside/outside; indoor/outdoor; better/worse;
improved/worsened; cheap/expensive; short/long; tall/short; longer/shorter; allowed, permitted/prohibited,
forbidden; allow/prohibit; required/optional; safe/unsafe; legal/illegal; possible/impossible;
available/unavailable; opened/closed; open/closed; alive/dead; survived/died; heavy/light; wide/narrow;
deep/shallow; gained/lost; raised/cut; appointed/dismissed; hired/fired; arrived/left; joined/left;
acquitted/convicted; innocent/guilty; rural/urban; domestic/foreign; internal/external; junior/senior;
primary/secondary; temporary/permanent; voluntary/mandatory; true/false; correct/incorrect;
attached/removed; inner/outer; top/bottom; front/back; young/old; rich/poor; expand/reduce; expanded/reduced;
major/minor; majority/minority; increase in/decrease in; up to/at least; advantage/disadvantage;
agreed/disagreed; agree/disagree; failed/succeeded; passed/failed; morning/evening; winter/summer;
day/night; daily/monthly; weekly/yearly; annual/monthly; buy/rent; love/hate; liked/disliked;
friendly/unfriendly, rude; clean/dirty; good/bad; great/terrible; delicious/bland; quiet/noisy
""")
SYNONYMS = _pairs("""
large/big; began/started; begin/start; ended/finished; purchased/bought; purchase/buy; also/additionally;
about/approximately; around/roughly; near/close to; help/assist; helps/assists; show/demonstrate;
shows/demonstrates; showed/demonstrated; said/stated; says/states; told/informed; wanted/wished; use/utilize;
used/utilized; many/numerous; important/significant; major/main; quickly/rapidly; fast/quick;
children/kids; physician/doctor; doctors/physicians; car/vehicle; cars/vehicles; attempted/tried;
attempt/effort; obtain/get; obtained/got; received/got; require/need; requires/needs; required/needed;
located/situated; famous/well-known; killed/slain; died/passed away; film/movie; films/movies; company/firm;
companies/firms; built/constructed; build/construct; made/produced; created/made; allows/lets;
enables/allows; provide/offer; provides/offers; provided/offered; because/since; however/nevertheless;
although/though; often/frequently; usually/typically; sometimes/occasionally; entire/whole; ensure/make sure;
choose/select; chosen/selected; keep/maintain; kept/maintained; reduce/lower; reduced/lowered;
increased/rose; decreased/fell; discovered/found; investigators/detectives; wrote/authored; consists of/comprises;
contains/includes; job/position; residents/inhabitants; city/town; street/road; house/home; ill/sick;
injured/hurt; difficult/hard; simple/easy; complete/finish; completed/finished; entire/full; remove/take away;
place/put; remain/stay; remained/stayed; several/a number of; employees/workers; employee/worker;
whole/entire; annual/yearly; approximately/roughly; former/ex-; attorney/lawyer; reveal/show; revealed/showed;
end/conclude; meal/dish; tasty/delicious; nice/pleasant; pupils/students; movie/picture; speak/talk;
answer/reply; main/primary; happy/glad; sad/unhappy; rapid/fast; error/mistake; gift/present; area/region
""")
QUANTIFIERS = _pairs("""
all/some, none of; every/no; each/no; always/never; most/few; many/few; at least/at most;
more than/less than; over/under; up to/more than; both/neither; several/no; only/not only;
often/never; usually/rarely; everyone/no one; entire/half of the; exactly/more than; some/all
""")
WEAK = _pairs("""
may, might, could/will; can/must; should/must; planned to, plans to/has already decided to; expected to/certain to;
suggests, suggested/proves; alleged, allegedly/proven; hopes to/will; reportedly/definitely; likely/certainly;
some/all; considering/carrying out; proposed/adopted; aims to/managed to; associated with/caused by;
linked to/caused by; accused of/convicted of; correlated with/caused by; suspected/confirmed
""")
UNITS = _pairs("""
km/miles; kilometers/miles; meters, metres/feet; inches/feet, centimeters; feet/yards; pounds/kilograms, tons;
mg/g; milligrams/grams; grams/kilograms, ounces; cups/tablespoons; tablespoon/cup; teaspoon/tablespoon;
minutes/hours; hours/days; seconds/minutes; days/weeks; weeks/months; months/years; years/decades;
million/billion; thousand/million; hundred/thousand; percent/percentage points; mph/km/h; dollars/euros, pounds;
tons/kilograms; acres/square miles; liters/gallons; degrees Fahrenheit/degrees Celsius; volts/watts; minute/hour;
hour/day; week/month; month/year; day/week
""")
NUMBER_WORDS = (
    ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
)  # fmt: skip
MONTHS = (
    ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"]
)  # fmt: skip
DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
PREFIXES = (
    "According to the passage, ", "According to the text, ", "The passage states that ",
    "Overall, ", "In addition, ", "It is stated that ", "Based on the given passages, ",
    "As mentioned, ", "Additionally, ", "Note that ", "The document notes that ", "In short, ",
    "The provided information says that ", "The article reports that ",
)  # fmt: skip
FILLERS = (
    "making it a popular choice", "which has drawn wide attention", "and is known around the world",
    "which experts have praised", "as confirmed by an independent study", "for safety reasons",
    "to the surprise of many observers", "and it is expected to grow further", "free of charge",
    "in partnership with a local university", "for the first time in a decade",
    "due to a shortage of staff", "because of bad weather", "leading to a public debate",
    "with the support of the government", "despite heavy criticism", "under a new law",
    "which caused delays", "according to several witnesses", "and has won several awards",
    "in order to save costs", "on weekends only", "for members only", "by appointment",
    "in the heart of the city", "with a wide range of options", "and a family-friendly atmosphere",
    "which can take several days", "without any side effects", "after consulting a lawyer",
    "in most cases", "as part of a larger programme", "at no extra cost", "in the last two years",
    "using a special tool", "before it gets cold", "for best results", "to avoid burning",
    "and should not be used by children", "which is recommended by doctors", "in the early morning",
)  # fmt: skip
LINKS = ("because", "as a result of which", "which led to the fact that", "so", "since", "after")
