"""Texts of many lengths and scripts on which an exported model is compared with its original."""

SAMPLES: tuple[str, ...] = (
    "",
    "Hello",
    "When did the college close?",
    "The refund is paid within 14 days of the return.",
    "The refund is not paid, whatever the reason.",
    "IT SUPPORT IS REACHABLE UNDER +44 20 7946 0000, MONDAY TO FRIDAY.",
    "Profit rose by 3.4 % to €12.7 million in the second quarter.",
    "Café prices in Zürich are higher than in Kraków.",
    "Die Rechnung ist innerhalb von dreißig Tagen zu bezahlen.",
    "会議は来週の火曜日に延期されました。",
    "Встреча перенесена на следующий вторник.",
    "تم تأجيل الاجتماع إلى يوم الثلاثاء المقبل.",
    "🙂 thanks! 👍🏽",
    "def mean(values):\n    return sum(values) / len(values)",
    "| city | inhabitants |\n|---|---|\n| Leeds | 536,280 |",
    "The committee met on 3 May 2024 and approved the budget. It asked for a second report on "
    "travel costs, which the treasurer will present in July.",
    "A patient with a known allergy to penicillin must not be given amoxicillin. " * 4,
    "Water boils at 100 degrees Celsius at sea level, and at less on a mountain. " * 12,
    "The contract may be ended by either side with three months of notice. " * 60,
)
