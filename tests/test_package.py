"""What is installed: the wheel and the editable install hold the same, resources included."""

from __future__ import annotations

import importlib.resources
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import tomllib

TOP = Path(__file__).parent.parent
PARTS = {"src/chainstep": "chainstep", "resources": "chainstep/resources"}


def files_of(folder):
    return {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, built without a network from a copy of what it is built from."""
    work = tmp_path_factory.mktemp("wheel")
    for name in ("src", "resources"):
        shutil.copytree(
            TOP / name, work / name, ignore=shutil.ignore_patterns("*.egg-info", "__pycache__")
        )
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(TOP / name, work)
    # What an editable install leaves behind must not find its way in.
    (work / "resources" / "__pycache__").mkdir()
    (work / "resources" / "__pycache__" / "stale.pyc").touch()
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, "-w", work / "dist", work], check=True)
    (built,) = (work / "dist").iterdir()
    return built


@pytest.mark.parametrize("folder", PARTS)
def test_the_wheel_holds_every_file_and_no_byte_code(wheel, folder):
    names = zipfile.ZipFile(wheel).namelist()
    assert {f"{PARTS[folder]}/{name}" for name in files_of(TOP / folder)} <= set(names)
    assert not [name for name in names if name.endswith(".pyc")]


def test_what_the_wheel_holds_runs_without_the_source_tree(wheel, tmp_path):
    zipfile.ZipFile(wheel).extractall(tmp_path)
    code = (
        "import chainstep, chainstep.program as p;"
        "print(chainstep.__file__, len(p.load('example:neuron').text) > 0, len(p.examples()))"
    )
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", code],
        check=False,
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.stderr == ""
    file, found, count = done.stdout.split()
    assert Path(file).is_relative_to(tmp_path)
    assert (found, int(count)) == ("True", len(files_of(TOP / "resources" / "examples")) - 2)


def test_the_resources_are_in_reach_as_installed():
    folder = importlib.resources.files("chainstep.resources")
    for name in files_of(TOP / "resources"):
        assert folder.joinpath(name).is_file(), name


def test_every_package_of_the_tree_is_declared():
    declared = tomllib.loads((TOP / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]
    source = TOP / "src" / "chainstep"
    found = {
        ".".join(("chainstep", *init.parent.relative_to(source).parts))
        for init in source.rglob("__init__.py")
    }
    assert set(declared) == found | {"chainstep.resources"}
