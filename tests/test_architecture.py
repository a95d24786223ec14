"""The shape of the house: which way imports point, what the child may use, what lies where."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
from importlinter.cli import lint_imports

TOP = Path(__file__).parent.parent
SOURCE = TOP / "src" / "chainstep"
ALLOWED_AT_THE_TOP = {"pyproject.toml", "README.md", "src", "resources", "tests"}

NEVER_IN_THE_CHILD = {("chainstep.graph", "networkx")}
"""Imported by one function that draws, which the child never calls."""

MARKS = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b")


def tracked(*patterns):
    """Files of the project; those git knows, else those that are there."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *patterns]
    done = subprocess.run(command, cwd=TOP, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return [TOP / line for line in done.stdout.splitlines() if (TOP / line).is_file()]
    return [path for pattern in patterns or (".",) for path in (TOP / pattern).rglob("*")]


def module_file(name):
    path = SOURCE.joinpath(*name.split(".")[1:])
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def only_for_types(node):
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def imports(node):
    """Every module that a piece of code imports when it runs, at its top or in a function."""
    for part in ast.iter_child_nodes(node):
        if only_for_types(part):
            for statement in part.orelse:
                yield from imports(statement)
        elif isinstance(part, ast.Import):
            yield from (alias.name for alias in part.names)
        elif isinstance(part, ast.ImportFrom):
            assert part.level == 0, "an import that depends on where it stands"
            names = [f"{part.module}.{alias.name}" for alias in part.names]
            yield from (name if is_module(name) else part.module for name in names)
        else:
            yield from imports(part)


def is_module(name):
    return name.startswith("chainstep.") and module_file(name).is_file()


@pytest.fixture(scope="module")
def childs_modules():
    """Everything of ours that the child process can import, with what each imports."""
    found = {}
    waiting = ["chainstep.child", "chainstep"]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = set(imports(ast.parse(module_file(name).read_text("utf-8"))))
            waiting += [each for each in found[name] if each.split(".")[0] == "chainstep"]
    return found


def test_imports_point_one_way(monkeypatch, capsys):
    monkeypatch.chdir(TOP)
    status = lint_imports(config_filename="pyproject.toml", no_cache=True, no_logo=True)
    assert status == 0, capsys.readouterr().out


def test_the_child_reaches_what_it_should(childs_modules):
    assert {"chainstep.engine", "chainstep.recorder", "chainstep.codec"} <= set(childs_modules)
    assert not [name for name in childs_modules if name.startswith("chainstep.ui")]


def test_what_runs_in_the_child_is_standard_library_only(childs_modules):
    foreign = {
        (name, imported)
        for name, all_imported in childs_modules.items()
        for imported in all_imported
        if imported.split(".")[0] not in {*sys.stdlib_module_names, "chainstep", "__future__"}
    }
    assert foreign <= NEVER_IN_THE_CHILD


def test_what_runs_in_the_child_is_written_for_python_3_10(childs_modules):
    newer = {"tomllib", "typing.Self", "enum.StrEnum", "datetime.UTC", "typing.override"}
    for name in childs_modules:
        text = module_file(name).read_text("utf-8")
        tree = ast.parse(text, feature_version=(3, 10))
        wanted = {
            f"{node.module}.{alias.name}"
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        }
        assert not newer & (wanted | childs_modules[name]), name
        assert "except*" not in text, name


@pytest.mark.parametrize("module", ["chainstep.cli", "chainstep.explain", "chainstep.layout"])
def test_qt_is_not_loaded_by_what_does_not_draw(module):
    code = f"import sys, {module}; sys.exit('PySide6' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_nothing_is_left_to_be_done_in_a_comment():
    marked = [
        f"{path.relative_to(TOP)}:{number}"
        for path in tracked("src", "tests", "resources", "README.md", ".ci", ".github")
        if path.suffix in {".py", ".md", ".json", ""}
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1)
        if MARKS.search(line)
    ]
    assert marked == []


def test_the_top_level_holds_only_what_it_should():
    names = {path.relative_to(TOP).parts[0] for path in tracked()}
    assert {name for name in names if not name.startswith(".")} <= ALLOWED_AT_THE_TOP


def test_every_module_says_what_it_is_for():
    for path in tracked("src"):
        if path.suffix == ".py":
            assert ast.get_docstring(ast.parse(path.read_text("utf-8"))), path
