"""Training in several processes, which share what they learned.

Other tests need not wait until torch is imported: that takes seconds.
"""

from pathlib import Path


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
