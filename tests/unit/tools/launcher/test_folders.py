import stat

import pytest

from tools.launcher import folders
from tools.launcher.errors import LauncherError


@pytest.fixture
def open_root(tmp_path, monkeypatch):
    """Make a folder below which everything counts as open, whatever pytest's own folders allow."""
    real = folders.closed_ancestor

    def only_below(path):
        closed = real(path)
        while closed is not None and tmp_path not in (closed, *closed.parents):
            below = [p for p in reversed(path.resolve().parents) if tmp_path in p.parents]
            closed = next((p for p in below if p.exists() and not p.stat().st_mode & 1), None)
        return closed

    monkeypatch.setattr(folders, "closed_ancestor", only_below)
    return tmp_path


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_finds_the_topmost_closed_folder(tmp_path):
    closed = tmp_path / "closed"
    inner = closed / "also closed"
    inner.mkdir(parents=True)
    closed.chmod(0o700)
    inner.chmod(0o700)
    ancestor = folders.closed_ancestor(inner / "data")
    assert ancestor in (closed, *closed.parents)


def test_our_own_processes_never_move(tmp_path):
    tmp_path.chmod(0o700)
    place = folders.place_for(tmp_path, "postgres", other_user=False)
    assert place == folders.ServerFolder(tmp_path.resolve() / "postgres")


def test_another_user_gets_a_folder_of_its_own_below_a_closed_one(tmp_path):
    closed = tmp_path / "home"
    closed.mkdir()
    closed.chmod(0o700)
    place = folders.place_for(closed / ".data", "postgres", other_user=True, var_lib=tmp_path)
    assert place.folder.parent.parent == tmp_path
    assert "only its owner may enter" in place.moved_because
    assert mode(closed) == 0o700


def test_another_user_stays_where_the_way_is_open(open_root):
    data_dir = open_root / ".data"
    data_dir.mkdir()
    data_dir.chmod(0o755)
    place = folders.place_for(data_dir, "postgres", other_user=True, var_lib=open_root / "var")
    assert place == folders.ServerFolder(data_dir / "postgres")


def test_files_that_exist_stay_where_they_are(tmp_path):
    own = folders.folder_of_its_own(tmp_path / ".data", tmp_path) / "postgres"
    own.mkdir(parents=True)
    place = folders.place_for(tmp_path / ".data", "postgres", other_user=True, var_lib=tmp_path)
    assert place.folder == own


def test_a_database_behind_a_newly_closed_folder_is_never_replaced_by_an_empty_one(tmp_path):
    closed = tmp_path / "home"
    (closed / "postgres").mkdir(parents=True)
    closed.chmod(0o700)
    with pytest.raises(LauncherError, match="chmod o\\+x"):
        folders.place_for(closed, "postgres", other_user=True, var_lib=tmp_path)


def test_each_data_folder_has_its_own_place(tmp_path):
    first, second = (folders.folder_of_its_own(tmp_path / name) for name in "ab")
    assert first != second
    assert first == folders.folder_of_its_own(tmp_path / "a")


def test_private_files_are_private_and_whole(tmp_path):
    file = tmp_path / "secret"
    file.write_text("old")
    file.chmod(0o644)
    folders.write_private(file, "new")
    assert (file.read_text(), mode(file)) == ("new", 0o600)
    assert list(tmp_path.iterdir()) == [file]


def test_an_existing_data_folder_keeps_its_mode(tmp_path):
    tmp_path.chmod(0o750)
    folders.make_data_folder(tmp_path)
    assert mode(tmp_path) == 0o750
    folders.make_data_folder(tmp_path / "new")
    assert mode(tmp_path / "new") == 0o711


def test_a_link_in_place_of_a_private_folder_is_refused(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with pytest.raises(LauncherError, match="somebody else"):
        folders.make_private_folder(tmp_path / "link")
