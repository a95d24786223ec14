"""Keys as they come from a real X server, through its layout and Qt's own translation."""

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

DRIVER = Path(__file__).with_name("pressed.py")

pytestmark = pytest.mark.skipif(
    not (shutil.which("xvfb-run") and shutil.which("xdotool")),
    reason="needs a virtual X server and xdotool",
)


@pytest.fixture(scope="module")
def presses(tmp_path_factory):
    folder = tmp_path_factory.mktemp("keys")
    done = subprocess.run(
        ["xvfb-run", "-a", sys.executable, str(DRIVER)],
        capture_output=True,
        text=True,
        timeout=200,
        env={**os.environ, "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_every_key_of_every_command_carries_it_out_once_wherever_it_has_to_work(presses):
    assert [each for each in presses if each["did"] != [each["of"]]] == []


def test_no_key_belongs_to_two_commands(presses):
    keys = Counter((each["where"], each["key"]) for each in presses)
    assert [key for key, count in keys.items() if count > 1] == []
