"""The stubs name what the native part has."""

import ast
import importlib.metadata
from pathlib import Path

import bleuprint
from bleuprint import _native


def test_the_licences_come_with_the_package():
    files = {Path(str(file)).name for file in importlib.metadata.files("bleuprint") if "licenses" in str(file)}
    assert files == {"LICENSE-MIT", "LICENSE-APACHE"}


def test_stubs_are_complete():
    text = (Path(bleuprint.__file__).parent / "_native.pyi").read_text(encoding="utf-8")
    stubs = {node.name: node for node in ast.parse(text).body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    assert set(stubs) == {name for name in dir(_native) if not name.startswith("_")}
    for name, node in stubs.items():
        if isinstance(node, ast.ClassDef):
            told = {item.name for item in node.body if isinstance(item, ast.FunctionDef)}
            there = {member for member in dir(getattr(_native, name)) if not member.startswith("_")}
            assert there <= told, (name, there - told)


def test_everything_public_is_documented():
    for name in bleuprint.__all__:
        thing = getattr(bleuprint, name)
        assert thing.__doc__, name
        for member, value in vars(thing).items() if isinstance(thing, type) else ():
            if not member.startswith("_") and callable(value):
                assert value.__doc__, f"{name}.{member}"
