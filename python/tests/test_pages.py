"""Every metric with options that a page of the checkout names can be built."""

import re
from pathlib import Path

import bleuprint

ROOT = Path(__file__).resolve().parents[2]
SKIPPED = {"target", "node_modules", ".git", "trials"}

#: A metric with options in backticks.
IN_BACKTICKS = re.compile(r"`([a-z][A-Za-z0-9_+-]*:[^`\s|]*)`")
#: The words after `-m` or `--metrics`, up to the next option.
AFTER_OPTION = re.compile(r"(?:^|\s|`)(?:-m|--metrics) ([^|`]*?)(?=\s--?[a-zA-Z]|[|`]|\\?$)")

#: Names in these specs stand for data of the reader.
PLACES = re.compile(r"=([A-Z]+|\.\.|[^,]*/[^,]*\.[a-z]+|[^,]*/pycocoevalcap/[^,]*|hf:tokenizer\.json|terms?\.\w+|[^,]*\.(txt|json|tsv|glm|list))(,|$)")


#: Errors of specs that exist: files of the reader, data of another kind than text, and features that this build lacks.
ALLOWED = re.compile("No such file or directory|looks at (numbers|vectors), but text is given|built without the feature")


def pages(folder=ROOT):
    for path in sorted(folder.iterdir()):
        if path.is_dir() and not path.is_symlink() and path.name not in SKIPPED and not path.name.startswith("."):
            yield from pages(path)
        elif path.suffix == ".md" and not path.is_symlink():
            yield path


def named():
    """Specs with the place of their first occurrence."""
    names = {name for entry in bleuprint.list_metrics() for name in (entry["name"], *entry["other_names"])}
    found = {}
    for page in pages():
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
            specs = IN_BACKTICKS.findall(line)
            for words in AFTER_OPTION.findall(line):
                specs += [word.strip("'\"") for word in words.split()]
            for spec in specs:
                name, _, options = spec.partition(":")
                # `..` abbreviates, and a name alone needs no check.
                if name in names and options and ".." not in spec and not spec.endswith("=") and not PLACES.search(spec):
                    found.setdefault(spec, f"{page.relative_to(ROOT)}:{number}")
    return found


def test_every_metric_that_a_page_names_can_be_built():
    found = named()
    assert len(found) > 80, sorted(found)
    failed = []
    for spec, place in found.items():
        try:
            bleuprint.metric(spec)
        except ValueError as error:
            if not ALLOWED.search(str(error)):
                failed.append(f"{place}: {spec}: {error}")
    assert not failed, "\n".join(failed)
