"""Type checkers beside the package: examples are right, and each wrong call is found."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
#: Calls of the framework, and of each family beside its tests.
CALLS = [HERE / "types/calls.py", *sorted((HERE.parents[1] / "crates/families").glob("*/python/types/*.py"))]
EXAMPLES = sorted((HERE.parent / "examples").glob("*.py"))


def mypy(files, folder):
    """The lines with errors, by file; a line of the output is one error."""
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--hide-error-context", *map(str, files)]
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, text=True)
    errors = [line.split(":", 2) for line in done.stdout.splitlines() if ": error:" in line]
    return {(Path(file).name, int(line)): rest for file, line, rest in errors}


def pyright(files, folder):
    config = folder / "pyrightconfig.json"
    config.write_text(json.dumps({"include": [os.path.relpath(file, folder) for file in files], "typeCheckingMode": "standard"}))
    command = [sys.executable, "-m", "pyright", "--outputjson", "--project", str(config), "--pythonpath", sys.executable]
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, text=True)
    found = json.loads(done.stdout)["generalDiagnostics"]
    errors = [one for one in found if one["severity"] == "error"]
    return {(Path(one["file"]).name, one["range"]["start"]["line"] + 1): one["message"] for one in errors}


def test_the_sources_are_right(tmp_path):
    pytest.importorskip("mypy")
    # What other libraries lack is theirs.
    command = [sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", "--package", "bleuprint"]
    done = subprocess.run(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("checker", [mypy, pyright])
def test_examples_are_right_and_wrong_calls_are_found(checker, tmp_path):
    pytest.importorskip(checker.__name__)
    assert len(CALLS) > 1 and len({file.name for file in CALLS}) == len(CALLS)
    found = checker([*CALLS, *EXAMPLES], tmp_path)
    lines = [(file.name, *line) for file in CALLS for line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)]
    wrong = {(name, number) for name, number, line in lines if line.endswith("# wrong")}
    assert set(found) == wrong, {place: found.get(place, "not found") for place in set(found) ^ wrong}
