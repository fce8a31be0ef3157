"""Ways to write a statement so that a reader still reads it: `{W}` is the statement, `{R}` one
that the source supports. Both come without a full stop.
"""

from tests.tables import tables

TEMPLATES = tables(__file__)

CODE_FENCES = TEMPLATES["code fences"]
HEADINGS = TEMPLATES["headings"]
TABLES = TEMPLATES["tables"]
LISTS = TEMPLATES["lists"]
ASIDES = TEMPLATES["asides"]
LEAD_INS = TEMPLATES["lead ins"]
QUESTIONS = TEMPLATES["questions"]
FRAMES = TEMPLATES["frames"]
ERRORS_IN_SOURCES = TEMPLATES["errors in sources"]
GOOD = TEMPLATES["good"]
SMALL_TALK = TEMPLATES["small talk"]
EXEMPTIONS = TEMPLATES["exemptions"]
