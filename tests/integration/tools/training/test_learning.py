"""The judge's training data, and how fast each of its layers learns."""

from pathlib import Path
from types import SimpleNamespace

import pytest

LOGITS = [[2.0, 0.5, -1.0], [0.0, 1.0, 3.0]]


def test_a_teacher_that_is_certain_teaches_what_labels_do():
    import torch

    from tools.training.judge.train import labels_loss

    logits, certain = torch.tensor(LOGITS), torch.tensor([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    by_labels = labels_loss(logits, torch.tensor([0, 2]))
    assert torch.isclose(labels_loss(logits, certain), by_labels)


def test_a_judge_that_says_what_its_teacher_says_has_nothing_to_learn():
    import torch

    from tools.training.judge.train import labels_loss

    logits = torch.tensor(LOGITS, requires_grad=True)
    labels_loss(logits, logits.detach().softmax(-1)).backward()
    assert torch.allclose(logits.grad, torch.zeros(2, 3), atol=1e-6)
    labels_loss(logits, torch.tensor([1, 1])).backward()
    assert logits.grad.abs().sum() > 0.5


def test_not_entailed_is_either_of_two_labels():
    import torch

    from tools.training.judge.train import labels_loss

    logits = torch.tensor(LOGITS)
    entailed = logits.softmax(-1)[:, 0]
    expected = -(1 - entailed).log().mean()
    assert torch.isclose(labels_loss(logits, torch.tensor([-1, -1])), expected)


@pytest.mark.parametrize(("decay", "lowest"), [(1.0, 1.0), (0.5, 0.25)])
def test_a_layer_learns_slower_than_the_one_above(decay, lowest):
    from torch import nn

    from tools.training.judge.train import optimiser

    layers = nn.ModuleList(nn.Linear(1, 1, bias=False) for _ in range(3))
    model = nn.Module()
    model.enc = nn.Module()
    model.enc.encoder = nn.Module()
    model.enc.encoder.layer = layers
    model.head = nn.Linear(1, 1, bias=False)
    factors = {
        group["params"][0]: group["factor"] for group in optimiser(model, 1e-5, decay).param_groups
    }
    assert [factors[layer.weight] for layer in layers] == [lowest, lowest**0.5, 1.0]
    assert factors[model.head.weight] == 5.0


def test_training_needs_the_teachers_base_beside_its_checkpoint(capsys, monkeypatch):
    from tools.training.judge import train

    paths = ["--base", "b", "--data", "d", "--out", "o", "--teacher", "t.pt"]
    monkeypatch.setattr("sys.argv", ["train", *paths, "--seconds", "1"])
    with pytest.raises(SystemExit):
        train.main()
    assert "--teacher and --teacher-base go together" in capsys.readouterr().err


def test_without_a_teacher_labels_are_learned():
    from tools.training.judge.train import _teacher_of

    options = SimpleNamespace(teacher=None, teacher_base=Path("base"))
    assert _teacher_of(options, "cpu") is None


def learn(rank: int, meeting: str, out: str) -> None:
    """Run one of two processes: its model differs, and only the second is out of time."""
    import torch
    from torch import nn

    from tools.training.judge.train import average, process_group

    model = nn.Linear(2, 2)
    nn.init.constant_(model.weight, float(rank))
    nn.init.constant_(model.bias, float(rank))
    model.bias.requires_grad = False
    with process_group(Path(meeting), rank, 2):
        over = average(model, over=rank == 1)
    torch.save((model.weight.detach(), model.bias.detach(), over), f"{out}/{rank}.pt")


def test_processes_take_the_mean_of_what_they_trained_and_stop_together(tmp_path: Path) -> None:
    import torch
    from torch.multiprocessing.spawn import spawn

    spawn(learn, (str(tmp_path / "meeting"), str(tmp_path)), nprocs=2)
    for rank in (0, 1):
        weight, bias, over = torch.load(tmp_path / f"{rank}.pt")
        assert torch.equal(weight, torch.full((2, 2), 0.5))
        assert torch.equal(bias, torch.full((2,), float(rank))), "frozen parameters stay"
        assert over


def test_one_process_is_its_own_mean() -> None:
    import torch
    from torch import nn

    from tools.training.judge.train import average

    model = nn.Linear(2, 2)
    before = model.weight.clone()
    assert not average(model, over=False)
    assert torch.equal(model.weight, before)
