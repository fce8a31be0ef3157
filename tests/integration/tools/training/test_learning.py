"""How the judge learns: its loss, its rates, and several processes."""

from pathlib import Path

LOGITS = [[2.0, 0.5, -1.0], [0.0, 1.0, 3.0]]


def test_not_entailed_is_either_of_two_labels():
    import torch

    from tools.training.judge.train import labels_loss

    logits = torch.tensor(LOGITS)
    entailed = logits.softmax(-1)[:, 0]
    expected = -(1 - entailed).log().mean()
    assert torch.isclose(labels_loss(logits, torch.tensor([-1, -1])), expected)


def test_heads_learn_faster_than_the_encoder():
    from torch import nn

    from tools.training.judge.train import optimiser

    model = nn.Module()
    model.enc = nn.Linear(1, 1, bias=False)
    model.head = nn.Linear(1, 1, bias=False)
    groups = optimiser(model, 1e-5).param_groups
    factors = {group["params"][0]: group["factor"] for group in groups}
    assert factors == {model.enc.weight: 1.0, model.head.weight: 5.0}


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


def test_processes_take_the_mean_of_what_they_trained_and_stop_together(tmp_path) -> None:
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
