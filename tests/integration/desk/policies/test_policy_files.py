"""`manage.py policy`: out as YAML, in as a new version; nothing half-read, nothing lost."""

from functools import partial

import pytest
import yaml
from django.core.management import CommandError

from analysis.engine.policy import PRESETS
from analysis.models import Policy
from analysis.services.policies import active_policy
from tests.commands import run

policy = partial(run, "policy")


def test_what_is_exported_comes_in_again_as_it_was(application, tmp_path) -> None:
    file = tmp_path / "policy.yaml"
    policy("export", "--application", application.slug, "--out", str(file))
    output = policy("import", str(file), "--application", application.slug, "--note", "a copy")
    assert output == f"{application.slug}: version 2, not in force.\n"
    first, second = Policy.objects.filter(application=application).order_by("version")
    assert (first.rules, first.is_active) == (second.rules, True)
    assert (second.note, second.is_active) == ("a copy", False)
    assert yaml.safe_load(policy("export", "--application", application.slug, "--version", "2"))


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_a_preset_can_be_put_in_force(application, name) -> None:
    policy("preset", name, "--application", application.slug, "--activate")
    assert active_policy(application.pk).rules == PRESETS[name].to_json()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("warn_at: 90\nblock_at: 40\n", "warn_at: 90 is above block_at 40"),
        ("safety: {thresholds: {min_grounding_score: 1.5}}\n", "must be at most 1, not 1.5"),
        ("unheard: 1\n", "unheard: unknown key"),
        ("- a list\n", "must be an object"),
        ("", "must be an object"),
        ("{:", "is not a YAML document"),
        ("!!python/object/apply:os.system ['true']\n", "is not a YAML document"),
        ("x" * 1_000_001, "more than 1,000,000 bytes"),
    ],
)
def test_a_bad_file_is_refused_and_makes_no_version(application, tmp_path, text, problem) -> None:
    file = tmp_path / "policy.yaml"
    file.write_text(text)
    with pytest.raises(CommandError, match=problem):
        policy("import", str(file), "--application", application.slug)
    assert not Policy.objects.filter(application=application).exists()


def test_a_binary_or_missing_file_is_refused(application, tmp_path) -> None:
    file = tmp_path / "policy.yaml"
    with pytest.raises(CommandError, match="cannot be read"):
        policy("import", str(file), "--application", application.slug)
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(CommandError, match="is not a YAML document"):
        policy("import", str(file), "--application", application.slug)


def test_an_unknown_application_or_version_is_named(application) -> None:
    with pytest.raises(CommandError, match="'nobody'"):
        policy("export", "--application", "nobody")
    with pytest.raises(CommandError, match="no policy version 9"):
        policy("export", "--application", application.slug, "--version", "9")
