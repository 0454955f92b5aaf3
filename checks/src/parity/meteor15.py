# The oracle behind the comparison of METEOR 1.5: the jar of pycocoevalcap, over small lists of ours or over its own data.
#
# It is asked once for `lists`, texts of files that it writes, then for `cases` of a hypothesis and its references, with the
# arguments of the program and, in `tiny`, if our lists count. It answers with the counts and the score of each case.
import gzip
import shutil
import subprocess
import tempfile
import threading
from pathlib import Path

try:
    own = Path(importlib.metadata.distribution("pycocoevalcap").locate_file("pycocoevalcap/meteor"))
except importlib.metadata.PackageNotFoundError:
    own = None
java = shutil.which("java")
written = tempfile.TemporaryDirectory()


def write(lists):
    folder = Path(written.name)
    for name, text in lists.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        data = text.encode()
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return str(folder)


def scores(question):
    arguments = ["-Dfile.encoding=UTF-8", "-jar", "-Xmx2G", str(own / "meteor-1.5.jar"), "-", "-", "-stdio", *question["arguments"]]
    if question["tiny"]:
        folder = Path(written.name)
        arguments += ["-d", str(folder / "synonym"), "-s", str(folder / "words"), "-a", str(folder / "data/paraphrase-en.gz")]
    program = subprocess.Popen([java, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
    cases = question["cases"]

    def ask(lines):
        # In a thread, so that neither side waits for room in a pipe.
        asking = threading.Thread(target=lambda: (program.stdin.writelines(lines), program.stdin.flush()))
        asking.start()
        return asking

    # The blank at the end keeps an empty hypothesis.
    asking = ask(["SCORE ||| " + " ||| ".join([*references, hypothesis]) + " \n" for hypothesis, references in cases])
    counts = [program.stdout.readline().strip() for _ in cases]
    asking.join()
    asking = ask([f"SING ||| {line}\n" for line in counts])
    found = [bits(program.stdout.readline()) for _ in cases]
    asking.join()
    program.stdin.close()
    program.wait()
    return [[[int(float(number)) for number in line.split()], score] for line, score in zip(counts, found)]


ready = own and own.is_dir() and java
serve(
    {"programs": {"METEOR 1.5": "of pycocoevalcap" if ready else None}, "folder": str(own)},
    lambda question: write(question["lists"]) if "lists" in question else scores(question),
)
