# The oracle behind the comparison of SQuAD's measures: the evaluation script of version 1.1, which the package allennlp
# ships; only that file of it is run.
#
# It is asked with a list of an answer and its references each, for the bits of F1, whether it is an exact match, and the
# normalized answer.
script = squad_script()
best = script.metric_max_over_ground_truths


def judge(answer, references):
    f1 = best(script.f1_score, answer, references)
    em = best(script.exact_match_score, answer, references)
    return [bits(f1), bool(em), script.normalize_answer(answer)]


serve({"allennlp": version("allennlp")}, lambda question: [judge(*case) for case in question])
