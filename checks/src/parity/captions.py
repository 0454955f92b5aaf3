# The oracle behind the comparison of PTB tokens: Stanford's tokenizer with the options of pycocoevalcap, whose jar it runs
# where Java is. It is asked with a list of captions; each stands beside a line of its own, so that none sees the next.
import os
import shutil
import subprocess
import tempfile

try:
    package = importlib.metadata.distribution("pycocoevalcap")
    jar = package.locate_file("pycocoevalcap/tokenizer/stanford-corenlp-3.4.1.jar")
except importlib.metadata.PackageNotFoundError:
    jar = None
java = shutil.which("java")
punctuation = ["''", "'", "``", "`", ".", "?", "!", ",", ":", "-", "--", "...", ";"]


def tokens(captions):
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", newline="\n", delete=False) as file:
        file.write("\nqqq\n".join(captions) + "\nqqq\n")
    command = [java, "-cp", str(jar), "edu.stanford.nlp.process.PTBTokenizer", "-preserveLines", "-lowerCase", file.name]
    try:
        lines = subprocess.run(command, capture_output=True, check=True).stdout.decode("utf-8").split("\n")
    finally:
        os.remove(file.name)
    if len(lines) != 2 * len(captions) + 1:
        raise ValueError(f"{len(lines)} lines of {len(captions)} captions")
    kept = lambda line: " ".join(token for token in line.split(" ") if token not in punctuation)
    return [" ".join(kept(line).split()) for line in lines[:-1:2]]


serve({"programs": {"PTBTokenizer": "of CoreNLP 3.4.1" if jar and os.path.isfile(jar) and java else None}}, tokens)
