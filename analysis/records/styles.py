"""How the text of a record on paper looks."""

from reportlab.lib.styles import ParagraphStyle

from analysis.records.glyphs import BOLD, PLAIN

TEXT = ParagraphStyle("text", fontName=PLAIN, fontSize=9, leading=13, wordWrap="LTR")
SMALL = ParagraphStyle("small", TEXT, fontSize=7, leading=10, textColor="#555555")
HEADING = ParagraphStyle("heading", TEXT, fontName=BOLD, fontSize=12, leading=16, spaceBefore=12,
                         spaceAfter=4)  # fmt: skip
TITLE = ParagraphStyle("title", HEADING, fontSize=18, leading=24, spaceBefore=0)
