# The oracle behind the comparison with NIST's sctk: sclite, rfilter1 and csrfilt.sh, if they are installed.
import re
import subprocess
import tempfile
from pathlib import Path

BIN = next((path for path in map(Path, ("/usr/lib/sctk/bin", "/usr/local/bin", "/usr/bin")) if (path / "sclite").is_file()), None)


def of_sclite(flags, pairs):
    """The steps of every pair, as sclite's .sgml has them."""
    with tempfile.TemporaryDirectory() as folder:
        for side, place in (("ref", 0), ("hyp", 1)):
            lines = (f"{pair[place]} (s-{number})\n" for number, pair in enumerate(pairs))
            Path(folder, side).write_text("".join(lines), encoding="utf-8")
        command = [BIN / "sclite", "-r", "ref", "trn", "-h", "hyp", "trn", "-i", "wsj", "-o", "sgml", "stdout", *flags]
        run = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    found = [None] * len(pairs)
    for number, steps in re.findall(r'<PATH id="\(s-(\d+)\)".*?>\n(.*?)\n?</PATH>', run.stdout, re.S):
        steps = re.findall(r'([CSDI]),(?:"([^"]*)")?,(?:"([^"]*)")?', steps)
        found[int(number)] = [list(step) for step in steps]
    return found


def of_times(stm, ctm):
    """The raw sums of a corpus: segments, words, C, S, D, I, errors, segments with errors, NCE."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("a.stm", stm), ("a.ctm", ctm)):
            Path(folder, name).write_text(text, encoding="utf-8")
        command = [BIN / "sclite", "-r", "a.stm", "stm", "-h", "a.ctm", "ctm", "-o", "rsum", "stdout"]
        run = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    row = next((line for line in run.stdout.splitlines() if line.strip().startswith("| Sum")), None)
    return row and row.replace("|", " ").split()[1:]


def of_reports(names, flags, texts):
    """The reports of two files, each by its name."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in zip(names, texts):
            Path(folder, name).write_text(text, encoding="utf-8")
        kinds = [name.rpartition(".")[2] for name in names]
        command = [BIN / "sclite", "-r", names[0], kinds[0], "-h", names[1], kinds[1], "-i", "spu_id", *flags, "-o"]

        def report(form):
            run = subprocess.run([*command, form, "stdout"], cwd=folder, capture_output=True, text=True)
            return re.sub(r'creation_date="[^"]*"', 'creation_date=""', run.stdout)

        return [report(form) for form in ("pra", "sgml", "sum", "rsum", "dtl")]


def of_filter(program, glm, texts):
    """Each text as the program writes it; None of those that csrfilt.sh refuses."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "a.glm").write_text(glm, encoding="utf-8")
        command = {
            "glm": [BIN / "rfilter1", "a.glm"],
            "csrfilt": [BIN / "csrfilt.sh", "-i", "txt", "a.glm"],
            "csrfilt-dh": [BIN / "csrfilt.sh", "-i", "txt", "-dh", "a.glm"],
        }[program]
        lines = "".join(f"{text}\n" for text in texts)
        run = subprocess.run(
            command, cwd=folder, input=lines, capture_output=True, text=True, env={"PATH": f"{BIN}:/usr/bin:/bin"}
        )
    out = run.stdout.split("\n")[:-1]
    return out if len(out) == len(texts) else [None] * len(texts)


SINGLE = {"times": of_times, "reports": of_reports}


def answer(question):
    if BIN is None:
        return None
    kind, *given = question
    if kind in SINGLE:
        return [SINGLE[kind](*case) for case in given[0]]
    return {"sclite": of_sclite, "filter": of_filter}[kind](*given)


serve({"programs": {"sctk": BIN and "sclite 2.10, rfilter1 and csrfilt.sh of sctk 2.4.10"}}, answer)
