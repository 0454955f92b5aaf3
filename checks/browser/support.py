"""What the checks share: random corpora, pages that the program makes of them, and what a page shows."""

import json
import math
import os
import random
import subprocess

WORDS = ["the", "dog", "bit", "a", "man", ",", "it's", "not", "(unexpected)", "2,000", "שלום", "是的", "sat", "."]

# A browser that makes no connection of its own.
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --hide-scrollbars"
)

# Half the width of an interval of 95 %, in standard errors.
Z = 1.959963984540054


def launch(playwright):
    return playwright.chromium.launch(executable_path=os.environ["CHROMIUM"], args=FLAGS.split())


def lines(texts):
    return "".join(f"{text}\n" for text in texts)


def corpus(seed, segments):
    """References `r1` and `r2`, systems `s1` to `s3`, labels `domain` of two values; as files."""
    rng = random.Random(seed)

    def noisy(reference, noise):
        for word in reference:
            chance = rng.randrange(noise)
            if chance == 0:
                yield rng.choice(WORDS)
            elif chance != 1 or noise == 10:
                yield word

    texts = {name: [] for name in ("r1", "r2", "s1", "s2", "s3")}
    for _ in range(segments):
        reference = rng.choices(WORDS, k=rng.randint(1, 24))
        texts["r1"].append(" ".join(reference))
        # Ever farther from the reference; some outputs are empty, some equal.
        for name, noise in (("r2", 10), ("s1", 8), ("s2", 5), ("s3", 3)):
            empty = name != "r2" and rng.randrange(25) == 0
            texts[name].append("" if empty else " ".join(noisy(reference, noise)))
    files = {name: lines(text) for name, text in texts.items()}
    return files | {"domain": lines("chat \u202ex" if segment % 3 else "news" for segment in range(segments))}


def close(page, program, what=""):
    """Two numbers that script and library compute in the same way but with other logarithms; or neither is one."""
    page, program = (number(value) for value in (page, program))
    assert (page is None) == (program is None), what
    assert page is None or math.isclose(page, program, rel_tol=1e-9, abs_tol=1e-9), f"{what}: {page}, not {program}"


def interval(shown, pair):
    """A difference and the ends of its interval."""
    half = Z * pair["standard_error"]
    for found, expected in zip(shown, (0, -half, half)):
        close(found, pair["difference"] + expected, "difference or interval")


def number(value):
    try:
        value = float(value)
    except (TypeError, ValueError):
        return None
    return value if math.isfinite(value) else None


class Report:
    """A page of `bleuprint report` in the browser, and the program that it is compared with."""

    def __init__(self, page, program, folder):
        self.page, self.bleuprint, self.folder = page, program, folder
        self.console, self.requests, self.dialogs = [], [], []
        page.on("console", lambda message: self.console.append(message.text))
        page.on("pageerror", lambda error: self.console.append(str(error)))
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("dialog", lambda dialog: (self.dialogs.append(dialog.message), dialog.dismiss()))

    def write(self, files):
        for name, text in files.items():
            (self.folder / name).write_text(text, encoding="utf-8")

    def part(self, files, names, segments):
        """Writes these segments of some files, and gives the names of what was written."""
        kept = {name: files[name].split("\n") for name in names}
        self.write({f"{name}.part": lines(kept[name][segment] for segment in segments) for name in names})
        return [f"{name}.part" for name in names]

    def program(self, *arguments):
        """What the program prints."""
        clean = {name: value for name, value in os.environ.items() if not name.startswith("SACREBLEU_")}
        run = subprocess.run([self.bleuprint, *arguments], cwd=self.folder, capture_output=True, encoding="utf-8", env=clean)
        assert run.returncode == 0, run.stderr
        return run.stdout

    def json(self, *arguments):
        return json.loads(self.program(*arguments, "-q", "-f", "json"))

    def jsonl(self, *arguments):
        return [json.loads(line) for line in self.program(*arguments, "-q", "-f", "json").splitlines()]

    def make(self, files, *arguments):
        """Writes files and makes a page of them; gives its address."""
        self.write(files)
        self.program("report", *arguments, "-q", "--overwrite", "-o", "page.html")
        return (self.folder / "page.html").as_uri()

    def open(self, address, width=None, height=1000):
        """Opens a page anew, even one whose address differs in its fragment alone."""
        if width is not None:
            self.page.set_viewport_size({"width": width, "height": height})
        self.page.goto("about:blank")
        self.page.goto(address)

    def js(self, script):
        return self.page.evaluate(script)

    def choose(self, control, value):
        """Sets a control, as a reader would."""
        self.page.evaluate(
            "([id, value]) => { const e = document.getElementById(id); e.value = value; e.dispatchEvent(new Event(e.id === 'q' ? 'input' : 'change')); }",
            [control, value],
        )

    def search(self, text):
        self.choose("q", text)
        self.page.wait_for_timeout(250)

    def listed(self):
        """The number of segments in the list."""
        return self.js("Number(document.getElementById('view').getAttribute('aria-rowcount')) - 1")

    def saved(self):
        """The table that the page saves."""
        text = self.js(
            "new Promise(done => { const make = URL.createObjectURL;"
            " URL.createObjectURL = blob => { blob.text().then(done); URL.createObjectURL = make; return make.call(URL, blob); };"
            " document.getElementById('tsv').click(); })"
        )
        return [line.split("\t") for line in text.split("\n")[:-1]]
