"""Tests that the stubs list what the native module and the registry have; `BLEUPRINT_WRITE_STUBS=1` writes `_registry.pyi`."""

import ast
import importlib.metadata
import json
import keyword
import os
from pathlib import Path

import pytest

import bleuprint
from bleuprint import _native

REGISTRY = Path(bleuprint.__file__).parent / "_registry.pyi"

HEAD = '''"""Names and options of the registry, for type checkers and editors; written by `BLEUPRINT_WRITE_STUBS=1 pytest tests/test_stubs.py`."""

from collections.abc import Callable, Iterable, Sequence
from os import PathLike
from typing import Any, Literal, Optional, Protocol, TypedDict, Union, overload

from typing_extensions import Unpack

from ._metric import Metric

class _Encoder(Protocol):
    def to_str(self) -> str: ...

_Path = Union[str, PathLike[str]]
_Numbers = Union[str, float, Sequence[float]]
_Value = Union[str, float, bool, Sequence[Union[str, float]]]
EmptyReferences = Literal["error", "missing", "keep"]
'''

SETTINGS = '''
Tokenize = Union[TokenizerName, str, Callable[[str], Iterable[Any]], _Encoder]

class _Settings(TypedDict, total=False):
    tokenize: Optional[Tokenize]
    lowercase: Optional[bool]
    norm: Optional[Union[NormalizerName, str]]
    tokenizer_model: Optional[str]
    dictionary: Optional[str]
    token_space: Optional[str]
    learned: Optional[_Path]
    empty_references: EmptyReferences
'''

#: The last overloads: a name that is computed at run time contains its options, as in `bleu:max-order=2`.
TAIL = '''@overload
def metric(name: str, **settings: Unpack[_Settings]) -> Metric: ...
@overload
def metric(name: Union[Metric, type[Metric]], *, empty_references: EmptyReferences = "error", **options: Any) -> Metric: ...
'''


def literal(names):
    """Returns the `Literal` type of these names."""
    return f"Literal[{', '.join(map(repr, names))}]".replace("'", '"')


def type_of(option):
    """Returns the annotation of an option."""
    choices = option["choices"]
    if option["kind"] == "choice":
        numbers = [int(choice) for choice in choices if choice.isdigit()]
        return literal([*choices, *numbers, *([True, False] if set(choices) == {"yes", "no"} else [])])
    known = {"integer": "int", "number": "float", "numbers": "_Numbers", "path": "str", "flag": "bool"}
    return known.get(option["kind"], "_Value")


def registry():
    """Returns the text of `_registry.pyi`."""
    metrics = sorted(bleuprint.list_metrics(), key=lambda entry: entry["name"])
    lists = (
        ("MetricName", [name for entry in metrics for name in (entry["name"], *entry["other_names"])]),
        ("TokenizerName", sorted(bleuprint.list_tokenizers())),
        ("NormalizerName", sorted(bleuprint.list_normalizers())),
    )
    text = HEAD + "".join(f"{name} = {literal(names)}\n" for name, names in lists) + SETTINGS
    overloads = []
    for entry in metrics:
        name, options = entry["name"], {}
        # `given` has an option `name`, which would clash with the parameter `name`; `bleuprint.given` sets it.
        for option in [option for option in entry["options"] if option["name"] != "name"]:
            # `metric` accepts an option with and without the metric's name in front.
            short = option["name"].removeprefix(f"{name}_")
            # A setting of every metric, such as `norm`, takes precedence over an option's short name.
            known = [one for one in (short, option["name"]) if not keyword.iskeyword(one) and f"    {one}: " not in SETTINGS]
            options.update({one: f"Optional[{type_of(option)}]" for one in known})
        kind = f"_{name.title().replace('_', '')}"
        if options:
            text += f"\nclass {kind}(_Settings, total=False):\n" + "".join(f"    {known}: {own}\n" for known, own in options.items())
        names = literal([name, *entry["other_names"]])
        overloads.append(f"@overload\ndef metric(name: {names}, **options: Unpack[{kind if options else '_Settings'}]) -> Metric: ...\n")
    return text + "\n" + "".join(overloads) + TAIL


def test_the_names_and_options_are_those_of_the_registry():
    if not {"zh-jieba", "hf"} <= set(bleuprint.list_tokenizers()) or "codebleu" not in str(bleuprint.list_metrics()):
        pytest.skip("a wheel of a release has fewer tokenizers")
    text = registry()
    if os.environ.get("BLEUPRINT_WRITE_STUBS"):
        (Path(__file__).parents[1] / "bleuprint/_registry.pyi").write_text(text, encoding="utf-8")
    else:
        assert REGISTRY.read_text(encoding="utf-8") == text, "BLEUPRINT_WRITE_STUBS=1 pytest tests/test_stubs.py writes it"


@pytest.mark.parametrize("policy", ["gate", "track"])
def test_schemas_are_those_of_the_readers(policy):
    """Tests the schemas for editors in `docs/schemas`; the same variable writes them."""
    path, schema = Path(__file__).parents[2] / f"docs/schemas/{policy}.json", _native.schemas()[policy]
    if os.environ.get("BLEUPRINT_WRITE_STUBS"):
        path.write_text(json.dumps(schema, indent=2, sort_keys=True) + "\n", encoding="utf-8")
    else:
        assert json.loads(path.read_text(encoding="utf-8")) == schema, "BLEUPRINT_WRITE_STUBS=1 pytest tests/test_stubs.py writes it"


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
            inherited = dir(Warning) if issubclass(getattr(_native, name), Warning) else ()
            there = {member for member in dir(getattr(_native, name)) if not member.startswith("_") and member not in inherited}
            assert there <= told, (name, there - told)


def test_everything_public_is_documented():
    for name in bleuprint.__all__:
        thing = getattr(bleuprint, name)
        assert thing.__doc__, name
        for member, value in vars(thing).items() if isinstance(thing, type) else ():
            if not member.startswith("_") and callable(value):
                assert value.__doc__, f"{name}.{member}"
