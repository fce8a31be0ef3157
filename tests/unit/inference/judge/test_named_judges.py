import pytest

from inference.errors import ModelError
from inference.judge.named_judges import label_order


@pytest.mark.parametrize(
    ("names", "order"),
    [
        (("contradiction", "entailment", "neutral"), ("contradict", "entail", "neutral")),
        (("ENTAILMENT", "NEUTRAL", "CONTRADICTION"), ("entail", "neutral", "contradict")),
        (("entailment", "not_entailment"), ("entail", "neutral")),
        (("SUPPORTS", "REFUTES", "NOT ENOUGH INFO"), ("entail", "contradict", "neutral")),
    ],
)
def test_the_order_is_read_from_the_config(names, order):
    assert label_order({"id2label": {str(n): name for n, name in enumerate(names)}}) == order
    assert label_order({"id2label": dict(enumerate(names))}) == order


@pytest.mark.parametrize(
    "config",
    [
        {},
        {"id2label": {}},
        {"id2label": {"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"}},
        {"id2label": {"0": "LABEL_0"}},
        {"id2label": {"0": "entailment", "2": "neutral"}},
        {"id2label": {"0": "neutral", "1": "contradiction"}},
        {"id2label": {"0": "entailment", "1": "supported"}},
        {"id2label": {"0": "positive", "1": "negative"}},
    ],
)
def test_an_order_that_cannot_be_told_is_an_error_with_a_remedy(config):
    with pytest.raises(ModelError) as raised:
        label_order(config)
    assert "id2label" in raised.value.remedy
