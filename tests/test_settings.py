import pytest
from PySide6.QtCore import QByteArray, QSettings

from chainstep.settings import RECENT, Settings, Theme


@pytest.fixture
def store(tmp_path):
    return QSettings(str(tmp_path / "s.ini"), QSettings.Format.IniFormat)


def test_an_empty_store_gives_the_defaults(store):
    settings = Settings(store)
    assert settings.theme is Theme.SYSTEM
    assert settings.scale == 100
    assert settings.speed == 1.0
    assert settings.follows
    assert settings.recent == []
    assert settings.bytes_of("geometry") is None


def test_what_is_set_is_there_in_the_next_window(store, tmp_path):
    settings = Settings(store)
    settings.theme, settings.scale, settings.speed = Theme.DARK, 125, 4.0
    settings.follows = False
    settings.keep_bytes("geometry", QByteArray(b"abc"))
    store.sync()
    again = Settings(QSettings(store.fileName(), QSettings.Format.IniFormat))
    assert (again.theme, again.scale, again.speed) == (Theme.DARK, 125, 4.0)
    assert not again.follows
    assert again.bytes_of("geometry") == b"abc"


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("window/theme", "purple"),
        ("window/scale", "many"),
        ("window/scale", 3),
        ("play/speed", "x"),
        ("files/recent", 7),
        ("state/geometry", "text"),
    ],
)
def test_a_damaged_store_gives_the_defaults(store, key, value):
    store.setValue(key, value)
    settings = Settings(store)
    assert settings.theme is Theme.SYSTEM
    assert settings.scale == 100
    assert settings.speed == 1.0
    assert settings.recent == []
    assert settings.bytes_of("geometry") is None


def test_recent_files_are_latest_first_without_doubles_and_only_those_that_exist(store, tmp_path):
    settings = Settings(store)
    paths = [tmp_path / f"{number}.py" for number in range(RECENT + 2)]
    for path in paths:
        path.touch()
        settings.add_recent(path)
    settings.add_recent(paths[5])
    assert settings.recent[:2] == [paths[5], paths[-1]]
    assert len(settings.recent) == RECENT
    paths[-1].unlink()
    assert paths[-1] not in settings.recent


def test_a_single_recent_file_survives_the_ini_format(store, tmp_path):
    path = tmp_path / "one.py"
    path.touch()
    Settings(store).add_recent(path)
    store.sync()
    again = Settings(QSettings(store.fileName(), QSettings.Format.IniFormat))
    assert again.recent == [path]
