"""Where the encoders of the judges come from."""

from pathlib import Path

from inference.judge import ANSWERS, BASE, judge_folder, preparing
from inference.judge.bases import FOLDER


def no_links(*_: object) -> None:
    raise PermissionError


def test_the_judge_of_answers_shares_the_encoder_of_the_base_judge(tmp_path, monkeypatch) -> None:
    def provide(folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "weights").write_text("learned", encoding="utf-8")

    monkeypatch.setattr(preparing.bases, "provide", provide)
    folder = judge_folder(tmp_path, ANSWERS) / FOLDER
    preparing.share_base(folder)
    shared = judge_folder(tmp_path, BASE) / FOLDER / "weights"
    assert (folder / "weights").samefile(shared)
    (folder / "weights").unlink()
    (folder / "weights").write_text("damaged", encoding="utf-8")
    monkeypatch.setattr(preparing.os, "link", no_links)
    preparing.share_base(folder)
    assert (folder / "weights").read_text(encoding="utf-8") == "learned"
    assert preparing.kind_of(folder.parent).differences.name == "answers.npz"
