"""The content read from each kind of file: visible text, structure, encodings, titles, pages."""

import io

import pytest
from docx.opc.constants import RELATIONSHIP_TYPE as RT
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import OxmlElement, parse_xml
from docx.oxml.ns import qn
from docx.shared import RGBColor
from reportlab.pdfgen.canvas import Canvas

from documents.parsing.funnel import parse
from documents.parsing.types import FileType, HiddenText, PageSpan
from tests.tables import tables
from tests.unit.documents.parsing.files import pdf, pdf_of_lines, raw_pdf, word

TABLES = tables(__file__)

FRACTION = (
    '<m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math">'
    "<m:f><m:num><m:r><m:t>5 mg</m:t></m:r></m:num><m:den><m:r><m:t>kg</m:t></m:r></m:den></m:f>"
    "</m:oMath>"
)
FOOTNOTES = "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"


def read(data, filename="a.html"):
    return parse(data if isinstance(data, bytes) else data.encode(), filename=filename)


@pytest.mark.parametrize(("markup", "how"), TABLES["hidden text is dropped and reported"])
def test_hidden_text_is_dropped_and_reported(markup, how):
    document = read(f"<html><body>Before {markup} after")
    assert document.text.split() == ["Before", "after"]
    assert document.hidden_text == (HiddenText(how, "secret"),)


@pytest.mark.parametrize("selector", [".x", "#x", "p", "p.x"])
def test_rules_of_style_sheets_hide_too(selector):
    sheet = f"<style>/* a */ {selector} {{ display: none }} @media print {{ b {{display:none}} }}"
    document = read(f'<html><head>{sheet}</style><body><b>shown</b><p class="x" id="x">secret</p>')
    assert document.text == "shown"
    assert HiddenText("display:none", "secret") in document.hidden_text


@pytest.mark.parametrize("markup", TABLES["what is seen stays"])
def test_what_is_seen_stays(markup):
    document = read(f"<html>{markup}")
    assert document.text == "shown"
    assert not document.hidden_text


def test_structure_of_a_page():
    document = read(
        "<html><title>The  title</title><h1>Ladders</h1><p>One\n two.<p>Three<br>four."
        "<table><tr><th>Wind<th>Limit</tr><tr><td>gust<td>38 km/h</tr></table>"
        "<ul><li>a<li>b</ul><pre>x\n  y</pre>10<sup>-9</sup> m<sup>2</sup> H<sub>2</sub>O"
    )
    assert document.title == "The title"
    assert document.text.splitlines() == [
        *("Ladders", "One two.", "", "Three", "four.", "", "Wind | Limit", "gust | 38 km/h", ""),
        *("- a", "- b", "", "x", "  y", "", "10⁻⁹ m² H2O"),
    ]
    assert document.pages == ()


@pytest.mark.parametrize(
    ("markup", "rows"),
    [(first, rest) for first, *rest in TABLES["a row stays one line with what spans it"]],
)
def test_a_row_stays_one_line_with_what_spans_it(markup, rows):
    assert read(f"<table>{markup}</table>").text.splitlines() == rows


@pytest.mark.parametrize(
    ("markup", "lines"), [(first, rest) for first, *rest in TABLES["the numbers of a list"]]
)
def test_the_numbers_of_a_list_are_read(markup, lines):
    assert read(markup).text.splitlines() == lines


def test_a_formula_stands_in_one_line():
    half = "<mfrac><mn>1</mn><mn>2</mn></mfrac>"
    mean = "<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></mfrac>"
    power = "<msup><mn>10</mn><mn>6</mn></msup><annotation>10^6</annotation>"
    markup = f"<p>Take <math>{half}</math> of <math>{power}</math>, or <math>{mean}</math>.</p>"
    assert read(markup).text == "Take 1/2 of 10^6, or (a+b)/2."


@pytest.mark.parametrize(("text", "name"), TABLES["what is struck out"])
def test_what_is_struck_out_no_longer_holds(text, name):
    document = read(text, name)
    assert document.text == "The fee is 90 euros."
    assert document.hidden_text[0] == HiddenText("struck out", "70")
    assert not document.hidden_text[0].suspicious


def test_placeholders_addresses_and_front_matter_of_markdown_are_read():
    text = (
        "---\ntitle: Keys\nowner: HR\n---\n\nAsk <your-team> or <https://a.example/k>.\n\n7. Wait\n"
    )
    lines = read(text, "a.md").text.splitlines()
    assert lines[:2] == ["title: Keys", "owner: HR"]
    assert lines[-3:] == ["Ask <your-team> or https://a.example/k.", "", "7. Wait"]


def test_markdown_is_read_as_it_is_seen():
    document = read("# Ladders\n\n*Secured*\n\n<!-- secret -->\n\n|a|b|\n|-|-|\n|1|2|\n", "a.md")
    assert document.text == "Ladders\nSecured\n\na | b\n1 | 2"
    assert (document.file_type, document.title) == (FileType.MARKDOWN, "Ladders")
    assert document.hidden_text == (HiddenText("comment", "secret"),)


def test_pages_of_a_pdf():
    document = read(pdf("Ladders", "", "Trenches", title="Safety"), "a.pdf")
    assert document.text == "Ladders\n\n\n\nTrenches"
    assert document.pages == (PageSpan(1, 0, 7), PageSpan(2, 9, 9), PageSpan(3, 11, 19))
    assert document.title == "Safety"


def test_a_sentence_goes_on_over_a_page_break_and_running_lines_stand_once():
    pages = [
        ("Harbour rules", "A berth is free for", "Edition 3, page 1 of 3"),
        ("Harbour rules", "two nights. The slip is", "Edition 3, page 2 of 3"),
        ("Harbour rules", "closed in winter.", "Edition 3, page 3 of 3"),
    ]
    document = read(pdf_of_lines(*pages), "a.pdf")
    assert document.text.split("\n") == [
        *("Harbour rules", "A berth is free for two nights. The slip is closed in winter."),
        "Edition 3, page 3 of 3",
    ]
    assert [document.text[page.start : page.end] for page in document.pages][1] == (
        "two nights. The slip is"
    )


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        (("The deposit is reim-", "bursed in May."), "The deposit is reimbursed in May."),
        (("A well-known rule: well-", "known to all."), "A well-known rule: well-known to all."),
        (("From 2-", "4 May."), "From 2-\n4 May."),
    ],
)
def test_words_that_a_line_end_cut_are_whole(lines, text):
    assert read(pdf_of_lines(lines), "a.pdf").text == text


def test_what_was_filled_into_a_form_is_read():
    file = io.BytesIO()
    canvas = Canvas(file)
    canvas.drawString(72, 720, "Permit")
    canvas.acroForm.textfield(name="Berth", value="14 B", x=72, y=680)
    canvas.acroForm.textfield(name="Notes", x=72, y=640)
    canvas.acroForm.checkbox(name="Power", checked=True, x=72, y=600)
    canvas.acroForm.checkbox(name="Water", x=72, y=560)
    canvas.save()
    assert read(file.getvalue(), "a.pdf").text == "Permit\nBerth: 14 B\nPower: yes\nWater: no"


def test_word_in_document_order():
    def build(document):
        document.core_properties.title = "Plan"
        document.add_heading("Ladders")
        document.add_paragraph("Before.")
        table = document.add_table(1, 2)
        table.cell(0, 0).text, table.cell(0, 1).text = "Wind", "38 km/h"
        last = document.add_paragraph("After 10")
        last.add_run("-9").font.superscript = True
        last.add_run("secret").font.hidden = True
        last.add_run("white").font.color.rgb = RGBColor(255, 255, 255)
        inserted = OxmlElement("w:ins")
        inserted.append(document.add_paragraph().add_run(" inserted")._r)
        last._p.append(inserted)

    parsed_document = read(word(build), "a.docx")
    lines = [line for line in parsed_document.text.splitlines() if line]
    assert lines == ["Ladders", "Before.", "Wind | 38 km/h", "After 10⁻⁹ inserted"]
    assert [hidden.text for hidden in parsed_document.hidden_text] == ["secret", "white"]
    assert parsed_document.title == "Plan"


def test_word_numbers_symbols_merged_cells_and_headers():
    def build(document):
        document.sections[0].header.paragraphs[0].text = "In force from 2 May 2031"
        document.sections[0].footer.paragraphs[0].text = "7"
        for text in ("Oak", "Elm"):
            document.add_paragraph(text, style="List Number")
        document.add_paragraph("Ash", style="List Bullet")
        paragraph = document.add_paragraph("At most ")
        sign = OxmlElement("w:sym")
        sign.set(qn("w:font"), "Symbol")
        sign.set(qn("w:char"), "F0A3")
        run = paragraph.add_run()
        run._r.append(sign)
        paragraph.add_run(" 4 m")
        paragraph.add_run(" or 9 m").font.strike = True
        paragraph._p.append(parse_xml(FRACTION))
        table = document.add_table(3, 3)
        table.cell(0, 0).merge(table.cell(1, 0)).text = "East"
        for row, texts in enumerate((("Bus", "4 km"), ("Tram", "3 km"))):
            table.cell(row, 1).text, table.cell(row, 2).text = texts
        table.cell(2, 0).text = "West"
        table.cell(2, 1).merge(table.cell(2, 2)).text = "closed"

    document = read(word(build), "a.docx")
    assert [line for line in document.text.splitlines() if line] == [
        *("In force from 2 May 2031", "1. Oak", "2. Elm", "- Ash", "At most ≤ 4 m5 mg/kg"),
        *("East | Bus | 4 km", "East | Tram | 3 km", "West | closed | closed"),
    ]
    assert document.hidden_text == (HiddenText("struck out", " or 9 m"),)


def test_digits_content_controls_and_white_heads_of_a_word_table_are_read():
    def build(document):
        last = document.add_paragraph("See table ")
        last.add_run("24")
        last.add_run("2").font.subscript = True
        table = document.add_table(2, 2)
        for cell, text in zip(table.row_cells(0), ("Wind", "Gust"), strict=True):
            cell.paragraphs[0].add_run(text).font.color.rgb = RGBColor(255, 255, 255)
        shade = OxmlElement("w:shd")
        shade.set(qn("w:fill"), "1F4E79")
        table.cell(0, 0)._tc.get_or_add_tcPr().append(shade)
        table.cell(1, 0).text, table.cell(1, 1).text = "38", "45"
        control, content = OxmlElement("w:sdt"), OxmlElement("w:sdtContent")
        control.append(content)
        content.append(table.rows[1]._tr)
        table._tbl.append(control)

    document = read(word(build), "a.docx")
    lines = [line for line in document.text.splitlines() if line]
    assert lines == ["See table 24₂", "Wind | ", "38 | 45"]
    assert document.hidden_text == (HiddenText("same colour as its background", "Gust"),)


def test_lists_of_word_that_share_numbers_go_on_counting_unless_they_restart():
    def build(document):
        numbering = document.part.numbering_part.element
        first = document.styles["List Number"].element.pPr.numPr.numId.val
        abstract = numbering.num_having_numId(first).abstractNumId.val
        going_on, restarting = (numbering.add_num(abstract).numId for _ in range(2))
        numbering.num_having_numId(restarting).add_lvlOverride(0).add_startOverride(1)
        for text, number in (
            ("Oak", first),
            ("Elm", going_on),
            ("Ash", restarting),
            ("Fir", first),
        ):
            properties = document.add_paragraph(text)._p.get_or_add_pPr().get_or_add_numPr()
            properties.get_or_add_ilvl().val = 0
            properties.get_or_add_numId().val = number

    lines = [line for line in read(word(build), "a.docx").text.splitlines() if line]
    assert lines == ["1. Oak", "2. Elm", "1. Ash", "2. Fir"]


def test_a_footnote_of_word_stands_behind_its_paragraph():
    names = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    note = (
        f'<w:footnotes {names}><w:footnote w:type="separator" w:id="-1"><w:p/></w:footnote>'
        '<w:footnote w:id="2"><w:p><w:r><w:t>Children pay half.</w:t></w:r></w:p></w:footnote>'
        "</w:footnotes>"
    )

    def build(document):
        run = document.add_paragraph("The ferry costs 8 euros.").add_run()
        reference = OxmlElement("w:footnoteReference")
        reference.set(qn("w:id"), "2")
        run._r.append(reference)
        part = Part(PackURI("/word/footnotes.xml"), FOOTNOTES, note.encode(), document.part.package)
        document.part.relate_to(part, RT.FOOTNOTES)

    document = read(word(build), "a.docx")
    assert document.text.strip() == "The ferry costs 8 euros. (Note: Children pay half.)"


@pytest.mark.parametrize(
    ("text", "encodings"),
    [
        ("Ladders – 10 °C\n", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"]),
        ("Ladders shall be secured.\n", ["utf-32", "utf-32-le", "utf-32-be"]),
        ("Les échafaudages doivent résister. À côté de l'école, déjà fermé.", ["cp1252"]),
        ("Скорость ветра не должна превышать 38 км/ч.", ["cp1251", "koi8_r", "utf-16-le"]),
        ("風速が毎秒10メートルを超える場合は作業を中止すること。", ["shift_jis", "euc_jp"]),
        ("Prędkość wiatru nie może przekraczać 38 km/h. Żółć.", ["cp1250", "iso8859_2"]),
        ("风速超过每秒十米时必须停止高处作业。使用安全带。", ["gb18030"]),
    ],
)
def test_encodings(text, encodings):
    for encoding in encodings:
        assert read((text * 5).encode(encoding), "a.txt").text == text * 5, encoding


def test_the_encoding_a_page_declares():
    page = '<html><meta charset="koi8-r"><p>Леса'.encode("koi8-r")
    assert (read(page).text, read(page).encoding) == ("Леса", "koi8-r")


def test_a_stray_byte_in_utf8_is_told():
    document = read("Gerüste müssen größer sein. ".encode() * 50 + b"\xff", "a.txt")
    assert document.encoding == "utf-8"
    assert document.warnings == ("1 characters could not be read and were replaced by �.",)


@pytest.mark.parametrize(
    ("data", "name", "kind"),
    [
        (pdf("Ladders"), "a.txt", FileType.PDF),
        (word(lambda document: document.add_paragraph("Ladders")), "a.pdf", FileType.DOCX),
        (b"<!DOCTYPE html><p>Ladders", "a.docx", FileType.HTML),
        (b"Ladders", "a.html", FileType.TXT),
    ],
)
def test_a_wrong_name_is_told_and_the_content_read(data, name, kind):
    document = read(data, name)
    assert document.text.strip() == "Ladders"
    assert document.file_type is kind
    assert f"content is {kind}" in document.warnings[0]


def test_tables_in_columns_of_plain_text_have_cells_and_other_lines_stay_as_they_are():
    table = (
        "2. WIND\n"
        "Machine          slow down    stop\n"
        "Tower crane 1    14 m/s       18 m/s\n"
        "Hark 60          9 m/s        11.5 m/s\n"
        "Two spaces.  Then words.\n"
        "Label    value\n"
    )
    assert read(table.encode(), "a.txt").text == (
        "2. WIND\n"
        "Machine | slow down | stop\n"
        "Tower crane 1 | 14 m/s | 18 m/s\n"
        "Hark 60 | 9 m/s | 11.5 m/s\n"
        "Two spaces.  Then words.\n"
        "Label    value\n"
    )
    form = "Name:     Jonas Ek\nPhone:    6601\nRoom:     2.14\n"
    assert read(form.encode(), "a.txt").text == form
    figures = "Item      EUR\nDesk      120\nChair    1,085\n"
    assert read(figures.encode(), "a.txt").text == figures  # neither edge is shared
    right = "Item      EUR\nDesk      120\nTable   1,085\n"
    assert read(right.encode(), "a.txt").text == "Item | EUR\nDesk | 120\nTable | 1,085\n"


def test_what_postgresql_cannot_store_is_cleaned():
    text = read("a\r\nb\rc\x0bd\x01\x7f \ufeff&", "a.txt").text
    assert text == "a\nb\nc\nd &"
    assert "\ud83d" not in read("<html><p>x &#xD83D; &#0; y").text


@pytest.mark.parametrize(
    ("text", "name", "rows"),
    [
        ("Room,Rent\nElm,900\n", "a.csv", "Room | Rent\nElm | 900"),
        ("Raum;Miete\nUlme;1.250,50\n", "a.csv", "Raum | Miete\nUlme | 1.250,50"),
        ("Room\tRent\nElm\t900", "a.tsv", "Room | Rent\nElm | 900"),
        ('Room,Note\n"Elm, red","two\nlines"\n\n', "a.csv", "Room | Note\nElm, red | two lines"),
        ("Room,Rent\r\nElm,\r\n", "a.csv", "Room | Rent\nElm | "),
    ],
)
def test_a_csv_file_is_read_as_rows(text, name, rows):
    document = read(text, name)
    assert (document.file_type, document.text, document.warnings) == (FileType.CSV, rows, ())


def test_what_a_csv_file_lacks_is_told():
    uneven = read("Room,Rent\nElm,900\nFir,800\nOak,700,sold\n", "a.csv")
    assert uneven.warnings == ("Rows with other columns than the first row: 1.",)
    prose = read("Ladders shall be secured.\n", "a.csv")
    assert prose.text == "Ladders shall be secured.\n"
    assert prose.warnings == ("No columns were found; it was read as plain text.",)


def pdf_across(*rows: tuple[str, str]) -> bytes:
    """Return a PDF with two columns, written line by line across both."""
    return raw_pdf(
        b"".join(
            f"BT /F1 11 Tf {x} {720 - 16 * at} Td ({line}) Tj ET ".encode()
            for at, row in enumerate(rows)
            for x, line in zip((60, 330), row, strict=True)
        )
    )


def test_words_that_are_written_one_by_one_make_lines():
    words = ["Visitors", "must", "wear", "a", "helmet", "on", "the", "whole", "site."]
    placed = b" ".join(
        f"BT /F1 11 Tf {60 + 50 * at} 720 Td ({word}) Tj ET".encode()
        for at, word in enumerate(words)
    )
    assert read(raw_pdf(placed), "a.pdf").text == " ".join(words)


def test_columns_written_across_are_read_one_after_the_other():
    page = pdf_across(
        ("Refunds are paid within", "Deliveries take three"),
        ("fourteen days of the return.", "working days. A delivery by"),
        ("Items must be unworn and", "express takes one day and"),
        ("have their labels on.", "costs nine euros."),
    )
    text = read(page, "a.pdf").text.replace("\n", " ")
    assert text == (
        "Refunds are paid within fourteen days of the return. Items must be unworn and have their "
        "labels on. Deliveries take three working days. A delivery by express takes one day and "
        "costs nine euros."
    )


def test_rows_of_a_table_stay_rows():
    rows = [("Door is open", "Close the door"), ("Filter is full", "Change the filter")] * 3
    assert read(pdf_across(*rows), "a.pdf").text.split("\n") == list(map(" ".join, rows))
