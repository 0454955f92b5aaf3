# The oracle behind the comparison of SPICE: the classes of SPICE 1.0 in pycocoevalcap, which Java runs beside the jar of the
# tokenizer, for its graphs. It is asked with the source of the driver, once, then with lists of cases.
import shutil
import subprocess
import tempfile

try:
    package = importlib.metadata.distribution("pycocoevalcap").locate_file("pycocoevalcap")
except importlib.metadata.PackageNotFoundError:
    package = None
java = shutil.which("java")
folder = tempfile.TemporaryDirectory()
source = os.path.join(folder.name, "Driver.java")


def command():
    jars = [*package.glob("spice/*.jar"), *package.glob("spice/lib/*.jar"), package / "tokenizer/stanford-corenlp-3.4.1.jar"]
    return [java, "-cp", os.pathsep.join(map(str, jars)), source]


def answer(question):
    if "driver" in question:
        with open(source, "w", encoding="utf-8") as file:
            file.write(question["driver"])
        lines = ""
    else:
        lines = "".join(json.dumps(case) + "\n" for case in question["cases"])
    done = subprocess.run(command(), input=lines.encode(), capture_output=True)
    if done.returncode:
        # Without its compiler Java runs no source.
        return None if "driver" in question else done.stderr.decode()[-2000:]
    return [json.loads(line) for line in done.stdout.decode().splitlines()]


serve({"programs": {"SPICE": "1.0 of pycocoevalcap" if package and package.is_dir() and java else None}}, answer)
