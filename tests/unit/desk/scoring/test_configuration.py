"""Configurations: shipped ones, ones from a file, and what is wrong with others."""

import re
from pathlib import Path

import pytest
from django.conf import settings

from analysis.engine.policy import PRESETS
from desk.scoring.configuration import DEFAULT, SHIPPED, ConfigurationError, applied, load, parse


def test_the_default_sets_nothing_otherwise() -> None:
    assert load("default") is DEFAULT
    assert DEFAULT.rules.to_json() == parse("x", "").rules.to_json()


@pytest.mark.parametrize("name", sorted(file.stem for file in SHIPPED.glob("*.toml")))
def test_every_shipped_configuration_loads(name) -> None:
    assert load(name).name == name


def test_the_shipped_ones_name_the_model() -> None:
    assert load("lexical").settings == {"NLI_MODEL": "lexical"}
    assert load("small").settings == {"NLI_MODEL": "small"}


def test_the_file_that_the_page_shows_is_one() -> None:
    page = Path("docs/how-to/evaluation.md").read_text()
    (shown,) = re.findall(r"^```toml\n(.*?)^```$", page, re.M | re.S)
    configuration = parse("page", shown)
    assert configuration.settings == {"NLI_MODEL": "lexical"}
    assert configuration.rules.support_at == 0.7


def test_a_file_sets_settings_and_parts_of_the_policy(tmp_path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("[settings]\nCHUNK_SIZE = 7\n[policy]\nsupport_at = 0.3\n")
    configuration = load(str(file))
    assert configuration.name == "mine"
    assert configuration.rules.support_at == 0.3
    before = settings.CHUNK_SIZE
    with applied(configuration):
        assert settings.CHUNK_SIZE == 7
    assert before == settings.CHUNK_SIZE


def test_settings_are_put_back_after_an_error() -> None:
    before = settings.CHUNK_SIZE
    with pytest.raises(KeyError), applied(parse("x", "[settings]\nCHUNK_SIZE = 7")):
        raise KeyError
    assert before == settings.CHUNK_SIZE


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[settings]\nNO_SUCH = 1", "settings.NO_SUCH: there is no such setting"),
        ("[policy]\nodd = 1", "odd: unknown key"),
        ("[policy]\nsupport_at = 2", "support_at: must be at most 1"),
        ("other = 1", "other: not a part"),
        ("settings = 1", "settings: not a part of a configuration, or of a wrong type"),
        ("= 1", "Invalid"),
    ],
)
def test_what_is_wrong_is_named(tmp_path, text, message) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(text)
    with pytest.raises(ConfigurationError, match=message):
        load(str(file))


def test_an_unknown_name_lists_the_known() -> None:
    names = "default, base, conservative, lexical"
    with pytest.raises(ConfigurationError, match=f"known: {names}"):
        load("nothing")


def test_the_conservative_one_is_the_preset() -> None:
    assert load("conservative").rules == PRESETS["conservative"]
