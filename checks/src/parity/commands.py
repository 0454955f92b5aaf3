# The oracle behind the comparison of command lines: what sacreBLEU prints for each, and its exit code.
import subprocess


def run(folder, line):
    arguments, _, file = line.partition(" < ")
    options = {"cwd": folder, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    environment = {name: os.environ[name] for name in os.environ if name not in UNSET}
    with open(os.path.join(folder, file) if file else os.devnull, "rb") as given:
        command = [sys.executable, "-X", "utf8", "-m", "sacrebleu", *arguments.split(" ")]
        done = subprocess.run(command, stdin=given, env=environment, **options)
    return {"text": done.stdout.decode(errors="replace"), "code": done.returncode}


UNSET = ("SACREBLEU_FORMAT", "SACREBLEU_SEED", "NO_COLOR")
serve({"programs": {"sacrebleu": version("sacrebleu")}}, lambda question: [run(question["folder"], line) for line in question["lines"]])
