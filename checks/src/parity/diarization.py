# The oracle behind the comparison of diarization: pyannote.metrics, simpleder and spyder, and md-eval of sctk, if installed.
#
# It is asked with a list of cases, and answers with the numbers of each program, in seconds. A program that is not installed, or
# that fails, answers null.
import subprocess
import tempfile

MD_EVAL = next((path for path in ("/usr/lib/sctk/bin/md-eval.pl", "/usr/bin/md-eval.pl") if os.path.exists(path)), None)

try:
    import pyannote.core as core
    from pyannote.metrics import detection, diarization
except ImportError:
    core = None
try:
    import simpleder
except ImportError:
    simpleder = None
try:
    import spyder
except ImportError:
    spyder = None


def annotation(turns):
    result = core.Annotation()
    for place, (speaker, start, end) in enumerate(turns):
        result[core.Segment(start, end), place] = speaker
    return result


def of_pyannote(case):
    if core is None:
        return None
    regions = case["uem"] and core.Timeline([core.Segment(*region) for region in case["uem"]])
    skip = case["skip"]

    def rate(kind, **options):
        metric = kind(collar=case["collar"], **options)
        return float(metric(annotation(case["ref"]), annotation(case["hyp"]), uem=regions))

    sides = (annotation(case["ref"]), annotation(case["hyp"]))
    return [
        rate(diarization.DiarizationErrorRate, skip_overlap=skip),
        rate(detection.DetectionErrorRate),
        float(diarization.DiarizationPurity()(*sides)),
        float(diarization.DiarizationCoverage()(*sides)),
        rate(diarization.JaccardErrorRate),
    ]


def tuples(turns):
    return [tuple(turn) for turn in turns]


def of_simpleder(case):
    if simpleder is None or not case["ref"] or not case["hyp"]:
        return None
    return [float(simpleder.DER(tuples(case["ref"]), tuples(case["hyp"]), collar=case["collar"]))]


def of_spyder(case):
    # Without a turn or without scored time it divides by zero, or ends the process.
    if spyder is None or not case["ref"] or not case["hyp"]:
        return None
    regions = [tuple(region) for region in case["uem"]] if case["uem"] else None
    try:
        return float(spyder.DER(tuples(case["ref"]), tuples(case["hyp"]), uem=regions, collar=case["collar"], regions="all").der)
    except ZeroDivisionError:
        return None


def of_md_eval(cases):
    """The times of every file, of one run for each collar and overlap, as the program prints them."""
    found = [None] * len(cases)
    if MD_EVAL is None:
        return found
    settings = [case["scored"] and (case["collar"], case["skip"]) for case in cases]
    for collar, skip in sorted(set(filter(None, settings))):
        group = [place for place, setting in enumerate(settings) if setting == (collar, skip)]
        with tempfile.TemporaryDirectory() as folder:
            for side in ("ref", "hyp"):
                with open(f"{folder}/{side}", "w") as file:
                    for place in group:
                        for speaker, start, end in cases[place][side]:
                            file.write(f"SPEAKER f{place} 1 {start} {round(end - start, 6)} <NA> <NA> {speaker} <NA>\n")
            with open(f"{folder}/uem", "w") as file:
                for place in group:
                    for start, end in cases[place]["uem"]:
                        file.write(f"f{place} 1 {start} {end}\n")
            command = ["perl", MD_EVAL, "-af", "-c", str(collar), "-r", "ref", "-s", "hyp", "-u", "uem"]
            run = subprocess.run(command + ["-1"] * skip, cwd=folder, capture_output=True, text=True)
            name = None
            for line in run.stdout.splitlines():
                if line.startswith("*** Performance analysis"):
                    name = next((part[2:] for part in line.split() if part.startswith("f=")), None)
                for key, words in TIMES.items():
                    if name and name.startswith("f") and name[1:].isdigit() and line.strip().startswith(words):
                        place = int(name[1:])
                        found[place] = found[place] or {}
                        found[place][key] = float(line.split("=")[1].split()[0])
    return [times and [times.get(key) for key in TIMES] for times in found]


TIMES = {
    "scored": "SCORED SPEAKER TIME",
    "miss": "MISSED SPEAKER TIME",
    "false_alarm": "FALARM SPEAKER TIME",
    "confusion": "SPEAKER ERROR TIME",
}


def answer(cases):
    return [
        {"pyannote": of_pyannote(case), "simpleder": of_simpleder(case), "spyder": of_spyder(case), "md_eval": times}
        for case, times in zip(cases, of_md_eval(cases))
    ]


serve(
    {
        "programs": {name: version(name) for name in ("pyannote.metrics", "simpleder", "spy-der")}
        | {"md-eval": MD_EVAL and "22"}
    },
    answer,
)
