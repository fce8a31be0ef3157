"""What is read from each kind of file: visible text, structure, encodings, titles, pages."""

import pytest
from docx.oxml import OxmlElement
from docx.shared import RGBColor

from documents.parsing.funnel import parse
from documents.parsing.types import FileType, HiddenText, PageSpan
from tests.unit.documents.parsing.parsing_files import pdf, word


def read(data, filename="a.html"):
    return parse(data if isinstance(data, bytes) else data.encode(), filename=filename)


@pytest.mark.parametrize(
    ("markup", "how"),
    [
        ("<p hidden>secret</p>", "hidden"),
        ('<p aria-hidden="true">secret</p>', "aria-hidden"),
        ('<p style="display: NONE !important">secret</p>', "display:none"),
        ('<p style="visibility:hidden">secret</p>', "visibility:hidden"),
        ('<p style="opacity:0">secret</p>', "opacity:0"),
        ('<p style="font-size:0">secret</p>', "font-size:0"),
        ('<p style="font-size:1px">secret</p>', "font-size:0"),
        ('<p style="height:0;overflow:hidden">secret</p>', "zero size"),
        ('<p style="position:absolute;left:-9999px">secret</p>', "off screen"),
        ('<p style="text-indent:-999em">secret</p>', "off screen"),
        ('<p style="clip:rect(0,0,0,0)">secret</p>', "clipped away"),
        ('<p style="color:#fff">secret</p>', "same colour as its background"),
        ('<font color="white">secret</font>', "same colour as its background"),
        (
            '<div style="background:#123"><i style="color:rgb(17,34,51)">secret</i></div>',
            "same colour as its background",
        ),
        ('<p style="color:transparent">secret</p>', "transparent"),
        ('<div style="color:transparent"><b style="margin:0">secret</b></div>', "transparent"),
        ("<template>secret</template>", "template"),
        ("<script>secret</script>", "script"),
        ("<!--secret-->", "comment"),
        ("<div hidden><p><b>secret</b></p></div>", "hidden"),
    ],
)
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


@pytest.mark.parametrize(
    "markup",
    [
        '<p style="color:red">shown</p>',
        '<p style="font-size:0.8em">shown</p>',
        '<div style="background:#000"><p style="color:#fff">shown</p></div>',
        '<div style="background:url(a.png)"><p style="color:#fff">shown</p></div>',
        '<p style="left:-5px;opacity:0.5;height:10px;overflow:hidden">shown</p>',
        '<div style="visibility:hidden"><p style="visibility:visible">shown</p></div>',
        '<p aria-hidden="false">shown</p>',
        "<details>shown</details>",
    ],
)
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
        *("a", "b", "", "x", "  y", "", "10⁻⁹ m² H2O"),
    ]
    assert document.pages == ()


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


def test_what_postgresql_cannot_store_is_cleaned():
    text = read("a\r\nb\rc\x0bd\x01\x7f \ufeff&", "a.txt").text
    assert text == "a\nb\nc\nd &"
    assert "\ud83d" not in read("<html><p>x &#xD83D; &#0; y").text
