"""Defines a metric in Python: the length of the hypotheses relative to their shortest references."""

import bleuprint


class LengthRatio(bleuprint.Metric):
    """Number of hypothesis tokens divided by the number of tokens of the shortest references."""

    name = "length_ratio"
    columns = ("hypothesis", "reference")
    looks_at = "tokens"
    score_range = (0.0, None)

    def observe(self, state: list[int], hypothesis: list[str], references: list[list[str]]) -> list[int]:
        """Add the lengths of one segment to the counts."""
        return [state[0] + len(hypothesis), state[1] + min(len(reference) for reference in references)]

    def finalize(self, state: list[int], segments: int) -> dict[str, float]:
        """Return the ratio for the counts of all segments, and the hypothesis length as a part."""
        return {"score": state[0] / state[1] if state[1] else 0.0, "hyp_len": state[0]}


ratio = LengthRatio()
# Test that states merge: however the data is split or ordered, and after a state was stored.
ratio.check_laws()

score = ratio.score(["a b c", "d"], [["a b"], ["d e", "d"]])
print(score)
assert score.score == 4 / 3 and score.hyp_len == 4

# The metric has what all other metrics have: intervals, slices, sums.
each = ratio.statistics(["a b c", "d"], [["a b"], ["d e", "d"]])
print(each.confidence(n=100), each.slices(["news", "chat"]))
