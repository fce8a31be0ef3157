"""Word lists that identify questions about the weather. English, lower case."""

from lib.text.words import word_set

NAMING = word_set("weather forecast forecasts meteorological")
"""Name the subject itself."""
SKY = NAMING | word_set(
    "wind winds windy windier gust gusts gusting gusty breeze breezy storm storms stormy gale "
    "gales rain rains raining rainy rainfall wet dry shower showers precipitation drizzle snow "
    "snows snowing snowy snowfall sleet hail ice icy frost frosty freeze freezes freezing "
    "temperature temperatures hot cold warm warmer colder heat heatwave humid humidity fog foggy "
    "mist visibility lightning thunder thunderstorm thunderstorms sunny cloudy"
)
DIRECT = word_set(
    "raining rainy snowing snowy windy windier stormy freezing frosty icy foggy sunny cloudy gusty"
)
"""Ask of the sky by themselves: "Is it raining?"."""
OUTDOOR_WORK = word_set(
    "crane cranes lift lifts lifting hoist hoisting scaffold scaffolds scaffolding roof roofing "
    "roofs glazing facade façade cladding steel erection erect pour pours pouring concrete "
    "concreting paint painting excavate excavation excavating trench trenching earthworks asphalt "
    "paving welding formwork rigging ladder ladders mewp platform platforms derrick pile piling "
    "work working works operate operating operations outside outdoors"
)
PERMISSION = word_set(
    "can may should could safe safely allowed ok okay stop possible permitted suitable proceed "
    "continue postpone delay plan briefing"
)
DOCUMENTS = word_set(
    "handbook handbooks manual manuals policy policies procedure procedures document documents "
    "regulation regulations rule rules limit limits threshold thresholds maximum minimum standard "
    "standards osha according say says state states written definition define defined clause "
    "section paragraph"
)
PAST = word_set("was were did had fell blew rained snowed gusted reached got happened")
WEEKDAYS = {
    name: number
    for number, name in enumerate(
        ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
    )
}
NO_PLACES = (
    frozenset(WEEKDAYS)
    | SKY
    | OUTDOOR_WORK
    | PERMISSION
    | word_set(
        "a an the this that these those our my your their any all each every it its we i you they "
        "he she who what when where which why how is are was were will would must shall do does "
        "did if and or but not please level levels zone zones building block gate tower area phase "
        "bay floor section site sites annex appendix chapter unit lot plot step week weekend month "
        "year day days today tomorrow tonight yesterday now morning afternoon evening night noon "
        "midday midnight hour hours minutes dawn dusk sunrise sunset next last coming past height "
        "heights case general order advance future detail total progress least most once present "
        "moment time times place question excess accordance january february march april june july "
        "august september october november december jan feb mar apr jun jul aug sep sept oct nov "
        "dec employees workers crew crews team teams manager managers us me them km kmh mph mm work"
    )
)
"""Words that follow "in" or "at" and are no town."""
