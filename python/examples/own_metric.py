"""A metric written in Python: how much longer than its shortest reference a hypothesis is."""

import bleuprint


class LengthRatio(bleuprint.Metric):
    """Tokens of the hypotheses per token of the shortest references."""

    name = "length_ratio"
    columns = ("hypothesis", "reference")
    looks_at = "tokens"
    range = (0.0, None)

    def observe(self, state: list[int], hypothesis: list[str], references: list[list[str]]) -> list[int]:
        return [state[0] + len(hypothesis), state[1] + min(len(reference) for reference in references)]

    def finalize(self, state: list[int], segments: int) -> dict[str, float]:
        return {"score": state[0] / state[1] if state[1] else 0.0, "hyp_len": state[0]}


ratio = LengthRatio()
# One call proves that states merge: any cut of the data, any order, storing.
ratio.check_laws()

score = ratio.score(["a b c", "d"], [["a b"], ["d e", "d"]])
print(score)
assert score.score == 4 / 3 and score.hyp_len == 4

# It does all that other metrics do: intervals, slices, sums.
each = ratio.statistics(["a b c", "d"], [["a b"], ["d e", "d"]])
print(each.confidence(n=100), each.slices(["news", "chat"]))
