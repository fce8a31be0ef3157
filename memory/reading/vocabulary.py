"""Words of building sites and standing rules, as closed sets in lower case."""

from lib.text.words import word_set

LIMIT_WORDS = word_set(
    "limit limits limited threshold thresholds maximum max minimum min cap capped ceiling cutoff"
)
RULE_WORDS = LIMIT_WORDS | word_set(
    "must mandate mandates mandated require requires required mandatory compulsory obligatory "
    "allowed allow allows permitted permit permits prohibited prohibit prohibits forbidden forbid "
    "forbids banned bans policy rule rules nobody never only stop stops ceases cease "
    "prohibition insists insist anyone everyone everybody needs shall cannot"
)
BOUND_WORDS = word_set(
    "above below over under beyond exceed exceeds exceeding than least most until"
)
BOUND_PHRASES = (("up", "to"),)
RECURRING = word_set(
    "every each daily weekly monthly yearly always usually weekdays weekday mornings evenings "
    "mondays tuesdays wednesdays thursdays fridays saturdays sundays nightly normally regularly"
)
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
NOW = word_set("now currently presently already today tonight outside")
NOW_PHRASES = (
    ("right", "now"), ("at", "the", "moment"), ("at", "present"), ("this", "morning"),
    ("this", "afternoon"), ("this", "evening"), ("at", "noon"), ("just", "now"),
)  # fmt: skip
PASSING = word_set("today tomorrow tonight yesterday later soon")
PASSING_PHRASES = (
    ("this", "morning"), ("this", "afternoon"), ("this", "evening"), ("last", "night"),
    ("last", "week"), ("right", "now"), ("just", "now"), ("in", "a", "minute"),
    ("minutes", "late"), ("ten", "minutes"),
)  # fmt: skip
WEATHER = word_set(
    "wind winds gust gusts gusting temperature rain raining rained snow snowing hail fog foggy "
    "humidity storm stormy thunder lightning visibility anemometer gauge thermometer sensor "
    "windy hot cold degrees pressure forecast ice icy frost heat noise reading"
)
READINGS = word_set("measured reads read showed shows showing shown measures recorded logged")
ROLE_NOUNS = word_set(
    "manager engineer supervisor foreman forewoman foreperson director coordinator officer "
    "superintendent lead leader head planner surveyor inspector architect operator banksman "
    "slinger signaller rigger scaffolder electrician plumber welder safety-officer warden "
    "contractor subcontractor supplier client consultant technician buyer estimator chief deputy "
    "ganger chargehand marshal driver steward representative insurer owner"
)
LEADS = word_set(
    "leads heads runs manages supervises oversees coordinates directs lead head run manage "
    "supervise oversee coordinate direct"
)
SCHEDULE_NOUNS = word_set(
    "briefing briefings talk talks toolbox meeting meetings walk walks review reviews shift shifts "
    "inspection inspections delivery deliveries hours handover check-in standup audit audits call "
    "calls round rounds start rota drill"
)
TEAM_NOUNS = word_set(
    "crew crews team teams gang gangs worker workers operator operators scaffolder scaffolders "
    "welder welders electrician electricians foreman foremen supervisor supervisors engineer "
    "engineers subcontractor subcontractors slinger slingers banksman banksmen rigger riggers "
    "labourer labourers laborer laborers carpenter carpenters plumber plumbers people apprentices "
    "staff shifts contractors marshals drivers"
)
EQUIPMENT_NOUNS = word_set(
    "crane cranes hoist hoists excavator excavators lift lifts mewp mewps pump pumps truck trucks "
    "mixer mixers generator generators telehandler telehandlers forklift forklifts scaffold "
    "scaffolds anemometer anemometers loader loaders dumper dumpers compressor compressors "
    "bulldozer rig rigs container containers cabins platforms platform elevator elevators "
    "first-aiders aiders gates gate towers blocks storeys floors levels buildings defibrillator "
    "defibrillators extinguishers"
)
WORKS = word_set(
    "running glazing pouring erecting excavating piling supervising installing building lifting "
    "digging cladding roofing demolishing dismantling welding concreting casting scaffolding "
    "fitting wiring painting tiling trenching dewatering drilling bricklaying assembling placing "
    "fixing doing working waterproofing insulating paving grading blasting rigging stripping"
)
UNIT_CHOICES = {
    "units": word_set("metric imperial"),
    "temperature": word_set("celsius fahrenheit kelvin"),
    "speed": frozenset({"knots", "mph", "km/h", "m/s", "beaufort", "kilometres per hour"}),
    "length": word_set("metres meters feet inches yards"),
    "size": word_set("short brief concise long detailed"),
    "language": word_set(
        "english german french spanish italian dutch polish portuguese hindi arabic turkish"
    ),
    "layout": word_set("bullets bullet table tables prose"),
    "sources": word_set("sources citations"),
}
PREFERS = word_set("prefer prefers rather like want wants need favour favor preferred preference")
