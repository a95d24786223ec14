"""Keys as they come from a real X server, through its layout and Qt's own translation."""

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from xserver import XVFB, display

HOMES = ("XDG_DATA_HOME", "XDG_CONFIG_HOME")
DRIVER = Path(__file__).with_name("pressed.py")

pytestmark = pytest.mark.skipif(
    not (XVFB and shutil.which("xdotool")),
    reason="needs a virtual X server and xdotool",
)


@pytest.fixture(scope="module")
def presses(tmp_path_factory):
    folder = tmp_path_factory.mktemp("keys")
    with display() as name:
        done = subprocess.run(
            [sys.executable, str(DRIVER)],
            capture_output=True,
            text=True,
            env={**os.environ, "DISPLAY": name, **dict.fromkeys(HOMES, str(folder))},
            check=False,
        )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_every_key_of_every_command_carries_it_out_once_wherever_it_has_to_work(presses):
    assert [each for each in presses if each["did"] != [each["of"]]] == []


def test_no_key_belongs_to_two_commands(presses):
    keys = Counter((each["where"], each["key"]) for each in presses)
    assert [key for key, count in keys.items() if count > 1] == []
