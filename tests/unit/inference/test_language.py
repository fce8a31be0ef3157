"""Texts in other languages are told apart from English; in doubt nothing is said."""

import pytest

from inference.language import other_language, other_languages


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Die Rückerstattung dauert 14 Tage.", "German"),
        ("Das Gerät kostet 40 Euro und wird in drei Tagen geliefert.", "German"),
        ("Le remboursement prend 14 jours et il est gratuit pour tous.", "French"),
        ("El reembolso tarda 14 días y se paga a la misma cuenta.", "Spanish"),
        ("O reembolso demora 14 dias e vai para a mesma conta.", "Portuguese"),
        ("Il rimborso richiede 14 giorni.", "Italian"),
        ("De terugbetaling duurt veertien dagen en is gratis.", "Dutch"),
        ("Возврат занимает четырнадцать дней после получения товара.", "Russian"),
        ("返金には14日かかります。商品を受け取った後です。", "Japanese"),
    ],
)
def test_another_language_is_named(text, language) -> None:
    assert other_language(text) == language


@pytest.mark.parametrize(
    "text",
    [
        "", "14", "Yes.", "Paris", "Angela Merkel", "Refunds take 14 days.", "Water damage: no",
        "The Schengen visa costs 80 euros.", '{"refund_days": 14}', "GET /api/v1/checks: 200",
        "Paul von Hindenburg was a private man.", "The girl wears a sombrero.",
        "Emrich \"Imi\" Lichtenfeld", "The River Boia Mică is a tributary in Romania.",
        "Take metformin 500 mg BID with meals.", "Mon–Fri 09:00–17:00",
    ],
)  # fmt: skip
def test_english_and_names_are_not(text) -> None:
    assert other_language(text) == ""


def test_each_language_is_named_once() -> None:
    german = "Die Rückerstattung dauert 14 Tage."
    assert other_languages([german, "Refunds take 14 days.", german]) == ("German",)
