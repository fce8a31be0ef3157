"""Any policy document is read whole, or refused with the name of the faulty setting."""

from collections.abc import Iterator, Mapping
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from analysis.engine.policy.presets import PRESETS
from analysis.engine.policy.rules import PolicyError, PolicyRules, overlaid
from analysis.engine.types import Action

Path = tuple[str, ...]

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=5,
)
SETTINGS = st.one_of(
    st.floats(0, 1), st.integers(0, 100), st.booleans(), st.sampled_from([*Action]).map(str), JSON
)


def paths_of(document: Mapping[str, Any], above: Path = ()) -> Iterator[Path]:
    """Yield the path of each setting of a rules document."""
    for key, value in document.items():
        yield (*above, key)
        if isinstance(value, Mapping):
            yield from paths_of(value, (*above, key))


def change(path: Path, value: Any) -> dict[str, Any]:
    """Return a document with one setting."""
    for key in reversed(path):
        value = {key: value}
    return dict(value)


def rules_or_error(document: Any) -> PolicyRules | PolicyError:
    """Return the result of reading the document."""
    try:
        return PolicyRules.from_json(document)
    except PolicyError as error:
        return error


PATHS = sorted(paths_of(PRESETS["balanced"].to_json()))
CHANGES = st.builds(change, st.sampled_from(PATHS), SETTINGS)


@given(st.sampled_from(sorted(PRESETS)), st.lists(CHANGES, min_size=1, max_size=3))
def test_a_changed_document_is_read_whole_or_refused_by_setting(
    preset: str, changes: list[dict[str, Any]]
) -> None:
    document = PRESETS[preset].to_json()
    for each in changes:
        document = overlaid(document, each)
    rules = rules_or_error(document)
    if isinstance(rules, PolicyError):
        assert rules.field.split(".")[0].split("[")[0] in document
        assert rules.reason
    else:
        # A setting that the document leaves out has its default.
        assert overlaid(rules.to_json(), document) == rules.to_json()
        assert PolicyRules.from_json(rules.to_json()) == rules


@given(JSON)
def test_any_json_is_rules_or_refused(document: Any) -> None:
    rules = rules_or_error(document)
    if isinstance(rules, PolicyError):
        assert rules.field
    else:
        assert PolicyRules.from_json(rules.to_json()) == rules
