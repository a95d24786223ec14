from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray, QSettings

from chainstep.figures import DIGITS
from chainstep.options import Limits
from chainstep.settings import BOUNDS, RECENT, Settings, Theme


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


def test_digits_limits_interpreter_and_keys_are_there_in_the_next_window(store):
    settings = Settings(store)
    assert (settings.digits, settings.limits, settings.python) == (DIGITS, Limits(), None)
    assert settings.keys == {}
    settings.digits = 7
    settings.limits = Limits(2.5, 512, 64, 500, 9000)
    settings.python = "/usr/bin/python3"
    settings.keys = {"run": (("Ctrl+R", "F5"), ()), "fit": ((), ("X",))}
    store.sync()
    again = Settings(QSettings(store.fileName(), QSettings.Format.IniFormat))
    assert (again.digits, again.python) == (7, "/usr/bin/python3")
    assert again.limits == Limits(2.5, 512, 64, 500, 9000)
    assert isinstance(again.limits.nodes, int)
    assert again.keys == {"run": (("Ctrl+R", "F5"), ()), "fit": ((), ("X",))}
    again.python = None
    assert again.python is None


@pytest.mark.parametrize("value", ["0", "-1", "nan", "inf", "1e99", "many", ""])
def test_limits_that_make_no_sense_are_the_usual_ones(store, value):
    for name in BOUNDS:
        store.setValue(f"limits/{name}", value)
    store.setValue("window/digits", value)
    assert Settings(store).limits == Limits()
    assert Settings(store).digits == DIGITS


@pytest.mark.parametrize("value", ["", "{", "[]", "7", '{"run": 1}', '{"run": [["F5"]]}', "null"])
def test_keys_that_cannot_be_read_are_the_usual_ones(store, value):
    store.setValue("keys/chosen", value)
    assert Settings(store).keys == {}


def test_what_is_large_lies_beside_the_store_or_in_the_users_own_folder(store, monkeypatch):
    assert Settings(store).folder == Path(store.fileName()).parent
    monkeypatch.setenv("XDG_DATA_HOME", "/somewhere")
    assert Settings().folder == Path("/somewhere/chainstep")


def test_the_state_of_panels_can_be_forgotten(store):
    settings = Settings(store)
    settings.keep_bytes("middle", QByteArray(b"abc"))
    settings.theme = Theme.DARK
    settings.forget_state()
    assert settings.bytes_of("middle") is None
    assert settings.theme is Theme.DARK


class Counted:
    """A store that counts how often it is read."""

    def __init__(self, store):
        self.store, self.reads = store, 0

    def value(self, *question):
        self.reads += 1
        return self.store.value(*question)

    def __getattr__(self, name):
        return getattr(self.store, name)


def test_what_commands_ask_at_every_step_is_read_once(store):
    counted = Counted(store)
    settings = Settings(counted)
    for _ in range(3):
        assert settings.theme is Theme.SYSTEM
        assert settings.follows
    assert counted.reads == 2
    settings.theme, settings.follows = Theme.DARK, False
    assert (settings.theme, settings.follows) == (Theme.DARK, False)
    assert counted.reads == 2
    assert store.value("window/theme") == Theme.DARK.value
