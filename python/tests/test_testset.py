"""sacreBLEU's test sets, where they lie on disk: its files, and nothing downloaded."""

import pytest

import bleuprint


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("SACREBLEU", str(tmp_path))
    here = tmp_path / "wmt22"
    here.mkdir()
    lines = {"src": "Eins.\nZwei.\n", "ref-A": "One.\nTwo.\n", "ref-B": "One!\nTwo!\n", "docid": "d\nd\n"}
    for field, text in lines.items():
        (here / f"wmt22.de-en.{field}").write_text(text, encoding="utf-8")
    return here


def test_a_test_set_is_read(folder):
    data = bleuprint.TestSet(testset="wmt22", langpair="de-en")
    assert data.source == ["Eins.", "Zwei."] and data.fields == ["docid", "ref-A", "ref-B", "src"]
    # The translator that sacreBLEU takes of two.
    assert data.reference_streams == [["One.", "Two."]] and data.field("ref:B") == ["One!", "Two!"]
    assert bleuprint.metric("chrf").score(["One.", "Two."], reference_streams=data.reference_streams).score == 100


def test_what_is_missing_says_where_and_how(folder):
    with pytest.raises(ValueError) as error:
        bleuprint.TestSet("wmt22", "en-de").source
    assert str(folder) in str(error.value) and "`sacrebleu -t wmt22 -l en-de --echo src` fetches it" in str(error.value)


def test_files_are_those_of_sacrebleu(folder):
    import bleuprint.sacrebleu as sacrebleu

    assert sacrebleu.get_source_file("wmt22", "de-en") == str(folder / "wmt22.de-en.src")
    assert sacrebleu.get_reference_files("wmt22", "de-en") == [str(folder / "wmt22.de-en.ref-A")]


def test_translators_are_those_of_sacrebleu(tmp_path, monkeypatch):
    """By the names of its catalogue: with the files of all translators there, those that it takes by default."""
    dataset = pytest.importorskip("sacrebleu.dataset")
    monkeypatch.setenv("SACREBLEU", str(tmp_path))
    checked = 0
    for name, known in dataset.DATASETS.items():
        if type(known).__name__ != "WMTXMLDataset":
            continue
        for pair in known.langpairs:
            taken = [field.replace(":", "-") for field in known._get_langpair_allowed_refs(pair)]
            if "ref" in taken:
                continue
            here = tmp_path / name
            here.mkdir(parents=True, exist_ok=True)
            others = ["ref-refA", "ref-refB"] if taken[0].startswith("ref-ref") else ["ref-A", "ref-B", "ref-C", "ref-D"]
            for field in others:
                (here / f"{name.replace('/', '_')}.{pair}.{field}").write_text("a\n")
            found = [path.suffix[1:] for path in bleuprint.TestSet(name, pair)._reference_files()]
            assert found == taken, (name, pair)
            checked += 1
    assert checked > 80
