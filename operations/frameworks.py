"""Which chapters of an evidence pack bear on which duty of a law, standard or rule.

A pack supports such a duty and never fulfils it by itself. The duties are told in our own words;
`source` is where they stand.
"""

from typing import NamedTuple


class Duty(NamedTuple):
    """A duty, what it asks for, the chapters that bear on it, and where it stands."""

    framework: str
    clause: str
    asks_for: str
    chapters: tuple[str, ...]
    source: str


_AI_ACT = "Regulation (EU) 2024/1689, https://eur-lex.europa.eu/eli/reg/2024/1689/oj"
_ISO = "ISO/IEC 42001:2023, https://www.iso.org/standard/81230.html"
_NIST = "NIST AI 100-1 (2023), https://doi.org/10.6028/NIST.AI.100-1"
_FINRA = "FINRA Manual, https://www.finra.org/rules-guidance/rulebooks"
_HIPAA = "45 CFR part 164, https://www.ecfr.gov/current/title-45/part-164"

DUTIES = (
    Duty("EU AI Act", "Art. 12", "Events are recorded automatically over the system's lifetime.",
         ("volumes", "trail", "changes"), _AI_ACT),
    Duty("EU AI Act", "Art. 14", "People oversee the system, can override it, and are aware of "
         "automation bias.", ("reviewers", "held", "agreement", "quality"), _AI_ACT),
    Duty("EU AI Act", "Art. 15", "Accuracy and robustness are appropriate, and consistent over "
         "time.", ("quality", "sampling", "probes", "not_checked"), _AI_ACT),
    Duty("EU AI Act", "Art. 19", "Providers keep the automatically generated logs, for six months "
         "at least.", ("trail", "erasures"), _AI_ACT),
    Duty("EU AI Act", "Art. 26 (2), (5), (6)", "Deployers assign oversight to competent people, "
         "monitor operation and keep the logs.", ("reviewers", "volumes", "probes", "trail"),
         _AI_ACT),
    Duty("ISO/IEC 42001", "9.1", "Performance is monitored, measured, analysed and evaluated.",
         ("volumes", "quality", "sampling"), _ISO),
    Duty("ISO/IEC 42001", "A.6.2.6", "Operation is monitored, with repairs, updates and support.",
         ("probes", "not_checked", "changes"), _ISO),
    Duty("ISO/IEC 42001", "A.6.2.8", "Event logs are kept, at least while the system is in use.",
         ("trail",), _ISO),
    Duty("NIST AI RMF", "MEASURE 2.4", "Function and behaviour are monitored in production.",
         ("volumes", "not_checked", "probes"), _NIST),
    Duty("NIST AI RMF", "MANAGE 4.1", "There is monitoring after deployment, with appeal and "
         "override, and with management of change.",
         ("reviewers", "held", "quality", "changes"), _NIST),
    Duty("FINRA", "Rule 3110", "Activities are supervised by designated people, and reviews leave "
         "evidence.", ("reviewers", "sampling", "agreement"), _FINRA),
    Duty("FINRA", "Rule 4511", "Books and records are made and preserved.", ("trail", "erasures"),
         _FINRA),
    Duty("HIPAA", "§ 164.308(a)(1)(ii)(D)", "Records of system activity are reviewed regularly.",
         ("reviewers", "trail"), _HIPAA),
    Duty("HIPAA", "§ 164.312(b)", "Activity in systems with health information is recorded and "
         "can be examined.", ("trail", "changes"), _HIPAA),
)  # fmt: skip
