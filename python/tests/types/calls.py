"""Calls as people write them. Type checkers find a mistake in each line that ends in `# wrong`, and in no other."""

from typing import Any

import bleuprint

texts = ["a b", "c"]
bleuprint.metric("bleu", tokenize="13a", max_order=2, smooth_method="floor", smooth_value=0.5)
bleuprint.metric("bleu", tokenise="13a")  # wrong
bleuprint.metric("bleu", smooth_method="flor")  # wrong
bleuprint.metric("bleu", max_order="two")  # wrong
bleuprint.metric("chrf++", beta=3, lowercase=True, empty_references="keep")
bleuprint.metric("chrf++", beta="three")  # wrong
bleuprint.metric("chrf", empty_references="drop")  # wrong
bleuprint.metric("bleu", tokenize=str.split)
bleuprint.metric("bleu", tokenize=13)  # wrong
bleuprint.metric("blue", max_order=2)  # wrong
known: bleuprint.MetricName = "chrf++"
bleuprint.metric(known)
misspelt: bleuprint.MetricName = "blue"  # wrong
name: str = input()
bleuprint.metric(name, norm="nfkc+lower")
options: dict[str, Any] = {"max_order": 2}
bleuprint.metric("bleu", **options)

score = bleuprint.metric("ter").score(texts, texts)
number: float = score.score
text: str = score.score  # wrong
score.headlines["TER"].upper()  # wrong

rewards = bleuprint.rewards(texts, texts, metric="rougeL", group_size=1)
mean: float = float(rewards.mean())
rewards.append(1.0)  # wrong
bleuprint.rewards(texts, texts, metric=3)  # wrong
bleuprint.rewards(texts, texts, group_size="one")  # wrong
bleuprint.rewards(None, texts)  # wrong
bleuprint.pairwise(texts, texts).shape
bleuprint.pairwise(texts)  # wrong
bleuprint.pairwise(5, texts)  # wrong

comparison = bleuprint.compare({"a": texts, "b": texts}, texts, test="bootstrap", n=10)
difference: float = comparison["pairs"][0]["difference"]
comparison["pairs"][0]["diference"]  # wrong
comparison["scores"]["a"].lower()  # wrong
bleuprint.compare({"a": texts, "b": texts}, texts, test="bootstrp")  # wrong
bleuprint.compare([texts, texts], texts)  # wrong

run = bleuprint.Evaluation(["bleu", "chrf"], tokenize="intl").run({"a": texts, "b": texts}, texts)
bleuprint.Evaluation(["bleu"], lowercase="yes")  # wrong
interval["lower"] + 1.0 if (interval := run.confidence("bleu", n=10)["a"]) else 0.0
run.confidence("bleu", precision="single")  # wrong
run.compare(by=["length"], correction="holm")["bleu"]["groups"][0]["points"] + 1.0
run.compare(correction="bonferroni")  # wrong
run.report("page.html", texts="no")  # wrong
run.report().html.upper()
run.to_arrow(segments=True).columns[0].upper()
logs = bleuprint.from_logs("lm-eval", {"a": "results/a", "b": "results/b"}, "given:name=acc", where={"filter": "strict"})
bleuprint.from_logs("lm_eval", ["results/a"], "given:name=acc")  # wrong
logs.paired(test="welch")  # wrong
bleuprint.normalize(["A"], "nfkc+lower")[0].upper()
rows = bleuprint.explain(texts, texts, target="51.2")
rows[0]["tokenize"].upper()
rows[0]["tokenizer"]  # wrong
bleuprint.meta({"a": [1, 2]}, {"m": {"a": [1, 2]}}, level="segments")  # wrong
bleuprint.given("acc", [1, 0], better="high")  # wrong
