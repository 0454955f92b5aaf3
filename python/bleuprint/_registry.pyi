"""Names and options of the registry, for type checkers and editors; written by `BLEUPRINT_WRITE_STUBS=1 pytest tests/test_stubs.py`."""

from collections.abc import Callable, Iterable, Sequence
from os import PathLike
from typing import Any, Literal, Optional, Protocol, TypedDict, Union, overload

from typing_extensions import Unpack

from ._metric import Metric

class _Encoder(Protocol):
    def to_str(self) -> str: ...

_Path = Union[str, PathLike[str]]
_Numbers = Union[str, float, Sequence[float]]
_Value = Union[str, float, bool, Sequence[Union[str, float]]]
EmptyReferences = Literal["error", "missing", "keep"]
MetricName = Literal["al", "anls", "ap", "bcubed", "bertscore", "best", "bleu", "BLEU", "boundaries", "bwer", "uwer", "cer", "CER", "character", "chrf", "chrF", "chrf++", "cider", "cider_d", "cider-d", "cmer", "CMER", "codebleu", "cosine", "cpwer", "cpWER", "dal", "der", "detection", "dicpwer", "DI-cpWER", "distinct", "dist", "distinct-1", "distinct-2", "distinct-3", "ditcpwer", "DI-tcpWER", "drop", "ece", "brier", "edit_similarity", "edit_sim", "levenshtein_similarity", "fuzz_ratio", "difflib_ratio", "jaro", "jaro_winkler", "eed", "error_rate", "exact_match", "em", "extractive", "fertility", "given", "gleu", "google_bleu", "jer", "laal", "labels", "likelihood", "nll", "perplexity", "bits", "maj", "cons", "mean_perplexity", "mer", "MER", "meteor", "meteor15", "mimower", "MIMO-WER", "nce", "ned", "nist", "novel", "novel_ngrams", "oracle_wer", "orcwer", "ORC-WER", "per", "bow", "purity", "repetition", "seq_rep", "ribes", "rouge", "rouge1", "rouge2", "rouge3", "rouge4", "rouge5", "rouge6", "rouge7", "rouge8", "rouge9", "rougeL", "rougeLsum", "rougeS", "rougeS4", "rougeSU", "rougeSU4", "rougeW", "samples", "pass", "passhat", "gpass", "mgpass", "avg", "sari", "sclite", "alternatives_wer", "alternatives_mer", "alternatives_wil", "alternatives_wip", "span_recall", "spans", "speech_detection", "spice", "squad2", "squad2_best", "squad_em", "squad_f1", "suber", "SubER", "suber-cased", "substitutions", "tcmimower", "tcMIMO-WER", "tcorcwer", "tcORC-WER", "tcpwer", "tcpWER", "ter", "TER", "term_cer", "terms", "wer", "WER", "wil", "WIL", "wip", "WIP", "worst", "yaal"]
TokenizerName = Literal["13a", "ascii-space", "bytes", "char", "codepoint", "flores101", "flores200", "grapheme", "hf", "ids", "intl", "ja-mecab", "jiwer", "jiwer-char", "ko-mecab", "lines", "mixed", "mteval", "mteval-intl", "none", "ptb", "rouge", "rouge-stem", "rouge155", "rouge155-stem", "spBLEU-1K", "spm", "squad", "squad-cjk", "tercom", "tuples", "word", "zh", "zh-jieba"]
NormalizerName = Literal["ExpandCommonEnglishContractions", "RemoveKaldiNonWords", "RemoveMultipleSpaces", "RemovePunctuation", "RemoveWhiteSpace", "Strip", "ToLowerCase", "ToUpperCase", "arabic-letters", "ascii-punct", "contractions", "csrfilt", "csrfilt-dh", "glm", "jiwer-standardize", "lower", "nfc", "nfd", "nfkc", "nfkd", "nonwords", "nospace", "open-asr-en", "open-asr-ml", "open-asr-ml-ascii", "punct", "spaces", "strip", "tospace", "upper", "visible", "whisper-basic", "whisper-basic-ascii", "whisper-basic-letters", "whisper-basic-marks", "whisper-en", "whisper-en-numbers", "whisper-normalizer-en"]

Tokenize = Union[TokenizerName, str, Callable[[str], Iterable[Any]], _Encoder]

class _Settings(TypedDict, total=False):
    tokenize: Optional[Tokenize]
    lowercase: Optional[bool]
    norm: Optional[Union[NormalizerName, str]]
    tokenizer_model: Optional[str]
    dictionary: Optional[str]
    token_space: Optional[str]
    learned: Optional[_Path]
    empty_references: EmptyReferences

class _Al(_Settings, total=False):
    form: Optional[Literal["short", "long"]]
    unit: Optional[Literal["word", "char"]]
    times: Optional[Literal["delays", "elapsed"]]

class _Anls(_Settings, total=False):
    rule: Optional[Literal["paper", "rrc"]]
    anls_rule: Optional[Literal["paper", "rrc"]]
    threshold: Optional[float]
    anls_threshold: Optional[float]

class _Ap(_Settings, total=False):
    form: Optional[Literal["short", "long"]]
    unit: Optional[Literal["word", "char"]]
    times: Optional[Literal["delays", "elapsed"]]

class _Bcubed(_Settings, total=False):
    uem: Optional[Literal["given", "extent"]]
    times: Optional[Literal["exact", "rounded"]]

class _Bertscore(_Settings, total=False):
    idf: Optional[bool]
    bertscore_idf: Optional[bool]
    specials: Optional[_Numbers]
    bertscore_specials: Optional[_Numbers]
    baseline: Optional[_Numbers]
    bertscore_baseline: Optional[_Numbers]
    producer: Optional[_Value]
    bertscore_producer: Optional[_Value]

class _Best(_Settings, total=False):
    k: Optional[_Numbers]
    better: Optional[Literal["higher", "lower"]]
    scale: Optional[_Value]
    producer: Optional[_Value]
    missing: Optional[Literal["error", "skip", "worst"]]
    keep: Optional[Literal["sums", "values"]]
    of: Optional[_Value]

class _Bleu(_Settings, total=False):
    smooth_method: Optional[Literal["none", "floor", "add-k", "exp"]]
    smooth_value: Optional[float]
    max_order: Optional[int]
    weights: Optional[_Numbers]
    effective_order: Optional[bool]
    ref_len: Optional[Literal["closest", "shortest", "average"]]
    summation: Optional[Literal["plain", "compensated"]]
    references: Optional[Literal["together", "best", "average"]]
    bleu_references: Optional[Literal["together", "best", "average"]]
    dialect: Optional[_Value]

class _Boundaries(_Settings, total=False):
    of: Optional[Literal["both", "start", "end"]]
    boundaries_of: Optional[Literal["both", "start", "end"]]

class _Bwer(_Settings, total=False):
    words: Optional[str]
    bwer_words: Optional[str]
    like: Optional[Literal["jiwer", "biasing", "texterrors", "chardiff"]]
    bwer_class: Optional[Literal["listed", "others"]]

class _Chrf(_Settings, total=False):
    char_order: Optional[int]
    chrf_char_order: Optional[int]
    word_order: Optional[int]
    chrf_word_order: Optional[int]
    beta: Optional[float]
    chrf_beta: Optional[float]
    whitespace: Optional[bool]
    chrf_whitespace: Optional[bool]
    chrf_lowercase: Optional[bool]
    eps_smoothing: Optional[bool]
    chrf_eps_smoothing: Optional[bool]

class _Cider(_Settings, total=False):
    order: Optional[int]
    cider_order: Optional[int]

class _CiderD(_Settings, total=False):
    order: Optional[int]
    cider_d_order: Optional[int]
    sigma: Optional[float]
    cider_d_sigma: Optional[float]

class _Codebleu(_Settings, total=False):
    lang: Optional[Literal["c", "c_sharp", "cpp", "go", "java", "javascript", "php", "python", "ruby", "rust"]]
    codebleu_lang: Optional[Literal["c", "c_sharp", "cpp", "go", "java", "javascript", "php", "python", "ruby", "rust"]]
    weights: Optional[_Numbers]
    codebleu_weights: Optional[_Numbers]
    flow_zero: Optional[Literal["one", "zero", "drop"]]
    codebleu_flow_zero: Optional[Literal["one", "zero", "drop"]]
    columns: Optional[Literal["bytes", "characters"]]
    codebleu_columns: Optional[Literal["bytes", "characters"]]

class _Cosine(_Settings, total=False):
    references: Optional[Literal["max", "mean"]]
    cosine_references: Optional[Literal["max", "mean"]]
    producer: Optional[_Value]
    cosine_producer: Optional[_Value]

class _Dal(_Settings, total=False):
    form: Optional[Literal["short", "long"]]
    unit: Optional[Literal["word", "char"]]
    times: Optional[Literal["delays", "elapsed"]]

class _Der(_Settings, total=False):
    like: Optional[Literal["none", "pyannote", "md-eval", "simpleder", "spyder", "dscore"]]
    collar: Optional[float]
    overlap: Optional[Literal["keep", "skip", "single", "only", "nonoverlap"]]
    uem: Optional[Literal["given", "extent"]]
    mapping: Optional[Literal["best", "greedy", "names"]]
    times: Optional[Literal["exact", "rounded"]]

class _Detection(_Settings, total=False):
    like: Optional[Literal["none", "pyannote", "md-eval", "simpleder", "spyder", "dscore"]]
    collar: Optional[float]
    uem: Optional[Literal["given", "extent"]]
    times: Optional[Literal["exact", "rounded"]]

class _Dicpwer(_Settings, total=False):
    search: Optional[Literal["greedy"]]

class _Distinct(_Settings, total=False):
    order: Optional[int]
    distinct_order: Optional[int]
    mean: Optional[bool]
    distinct_mean: Optional[bool]
    vocabulary: Optional[int]
    distinct_vocabulary: Optional[int]
    per: Optional[Literal["ngrams", "tokens"]]
    distinct_per: Optional[Literal["ngrams", "tokens"]]

class _Ditcpwer(_Settings, total=False):
    collar: Optional[float]
    ref_timing: Optional[Literal["character_based", "character_based_points", "equidistant_intervals", "equidistant_points", "full_segment", "none"]]
    hyp_timing: Optional[Literal["character_based", "character_based_points", "equidistant_intervals", "equidistant_points", "full_segment", "none"]]
    search: Optional[Literal["greedy"]]

class _Drop(_Settings, total=False):
    score: Optional[Literal["f1", "exact"]]
    drop_score: Optional[Literal["f1", "exact"]]
    spans: Optional[Literal["line", "json", "list"]]
    drop_spans: Optional[Literal["line", "json", "list"]]

class _Ece(_Settings, total=False):
    bins: Optional[int]
    ece_bins: Optional[int]
    right: Optional[Literal["aligned", "given"]]
    ece_right: Optional[Literal["aligned", "given"]]
    of: Optional[Literal["ece", "brier"]]
    ece_of: Optional[Literal["ece", "brier"]]

class _EditSimilarity(_Settings, total=False):
    kind: Optional[Literal["levenshtein", "indel", "difflib", "jaro", "jaro_winkler"]]
    edit_similarity_kind: Optional[Literal["levenshtein", "indel", "difflib", "jaro", "jaro_winkler"]]
    autojunk: Optional[Literal["yes", "no", True, False]]
    edit_similarity_autojunk: Optional[Literal["yes", "no", True, False]]
    round: Optional[Literal["none", "percent"]]
    edit_similarity_round: Optional[Literal["none", "percent"]]

class _Eed(_Settings, total=False):
    language: Optional[Literal["en", "ja"]]
    eed_language: Optional[Literal["en", "ja"]]

class _Extractive(_Settings, total=False):
    micro: Optional[bool]
    extractive_micro: Optional[bool]

class _Fertility(_Settings, total=False):
    tokens: Optional[_Value]
    fertility_tokens: Optional[_Value]
    per: Optional[Literal["word", "byte", "char", "token"]]
    fertility_per: Optional[Literal["word", "byte", "char", "token"]]

class _Given(_Settings, total=False):
    column: Optional[_Value]
    over: Optional[_Value]
    better: Optional[Literal["higher", "lower"]]
    scale: Optional[_Value]
    producer: Optional[_Value]
    missing: Optional[Literal["error", "skip", "worst"]]
    map: Optional[_Value]
    spread: Optional[bool]

class _Gleu(_Settings, total=False):
    min_order: Optional[int]
    max_order: Optional[int]
    ties: Optional[Literal["shorter", "first"]]

class _Jer(_Settings, total=False):
    like: Optional[Literal["none", "pyannote", "md-eval", "simpleder", "spyder", "dscore"]]
    collar: Optional[float]
    uem: Optional[Literal["given", "extent"]]
    mapping: Optional[Literal["overlap", "jaccard"]]
    times: Optional[Literal["exact", "rounded"]]

class _Laal(_Settings, total=False):
    form: Optional[Literal["short", "long"]]
    unit: Optional[Literal["word", "char"]]
    times: Optional[Literal["delays", "elapsed"]]

class _Labels(_Settings, total=False):
    score: Optional[Literal["f", "precision", "recall", "accuracy", "balanced", "mcc", "kappa"]]
    labels_score: Optional[Literal["f", "precision", "recall", "accuracy", "balanced", "mcc", "kappa"]]
    average: Optional[Literal["micro", "macro", "weighted", "samples"]]
    labels_average: Optional[Literal["micro", "macro", "weighted", "samples"]]
    labels: Optional[_Value]
    labels_labels: Optional[_Value]
    only: Optional[_Value]
    labels_only: Optional[_Value]
    multilabel: Optional[_Value]
    labels_multilabel: Optional[_Value]
    tokens: Optional[bool]
    labels_tokens: Optional[bool]
    confusion: Optional[bool]
    labels_confusion: Optional[bool]
    weights: Optional[Literal["none", "linear", "quadratic"]]
    labels_weights: Optional[Literal["none", "linear", "quadratic"]]
    beta: Optional[float]
    labels_beta: Optional[float]
    zero: Optional[Literal["0", "1", "nan", 0, 1]]
    labels_zero: Optional[Literal["0", "1", "nan", 0, 1]]
    per: Optional[Literal["all", "label"]]
    labels_per: Optional[Literal["all", "label"]]

class _Likelihood(_Settings, total=False):
    of: Optional[Literal["nll", "perplexity", "bits"]]
    per: Optional[Literal["token", "byte", "char", "word", "segment", "weight"]]
    words: Optional[Literal["lm-eval", "split"]]
    base: Optional[Literal["e", "2", "10", 2, 10]]
    positive: Optional[Literal["error", "allow"]]
    missing: Optional[Literal["error", "skip"]]
    producer: Optional[_Value]

class _Maj(_Settings, total=False):
    k: Optional[_Numbers]
    ties: Optional[Literal["first", "share"]]
    missing: Optional[Literal["error", "skip"]]

class _MeanPerplexity(_Settings, total=False):
    per: Optional[Literal["token", "byte", "char", "word", "segment", "weight"]]
    words: Optional[Literal["lm-eval", "split"]]
    base: Optional[Literal["e", "2", "10", 2, 10]]
    positive: Optional[Literal["error", "allow"]]
    producer: Optional[_Value]

class _Meteor(_Settings, total=False):
    wordnet: Optional[str]
    meteor_wordnet: Optional[str]
    alpha: Optional[float]
    meteor_alpha: Optional[float]
    beta: Optional[float]
    meteor_beta: Optional[float]
    gamma: Optional[float]
    meteor_gamma: Optional[float]

class _Meteor15(_Settings, total=False):
    data: Optional[str]
    meteor15_data: Optional[str]
    wordnet: Optional[str]
    meteor15_wordnet: Optional[str]
    paraphrases: Optional[str]
    meteor15_paraphrases: Optional[str]
    function_words: Optional[str]
    meteor15_function_words: Optional[str]
    lang: Optional[_Value]
    meteor15_lang: Optional[_Value]
    meteor15_norm: Optional[Literal["norm", "nopunct", "lower", "none"]]
    task: Optional[Literal["rank", "adq", "hter", "util", "li", "tune", "universal"]]
    meteor15_task: Optional[Literal["rank", "adq", "hter", "util", "li", "tune", "universal"]]
    params: Optional[_Numbers]
    meteor15_params: Optional[_Numbers]
    weights: Optional[_Numbers]
    meteor15_weights: Optional[_Numbers]
    modules: Optional[_Value]
    meteor15_modules: Optional[_Value]
    beam: Optional[int]
    meteor15_beam: Optional[int]
    chars: Optional[bool]
    meteor15_chars: Optional[bool]

class _Nce(_Settings, total=False):
    optional: Optional[Literal["word", "free", "sclite"]]
    fragments: Optional[bool]
    keep_case: Optional[bool]
    equal_costs: Optional[bool]

class _Nist(_Settings, total=False):
    order: Optional[int]
    nist_order: Optional[int]
    dialect: Optional[Literal["standard", "mteval", "nltk"]]
    nist_dialect: Optional[Literal["standard", "mteval", "nltk"]]

class _Novel(_Settings, total=False):
    n: Optional[int]
    novel_n: Optional[int]

class _OracleWer(_Settings, total=False):
    k: Optional[int]
    oracle_wer_k: Optional[int]

class _Orcwer(_Settings, total=False):
    search: Optional[Literal["exact", "greedy"]]

class _Per(_Settings, total=False):
    of: Optional[Literal["per", "bow"]]
    per_of: Optional[Literal["per", "bow"]]

class _Purity(_Settings, total=False):
    uem: Optional[Literal["given", "extent"]]
    like: Optional[Literal["none", "pyannote", "md-eval", "simpleder", "spyder", "dscore"]]
    times: Optional[Literal["exact", "rounded"]]

class _Repetition(_Settings, total=False):
    order: Optional[int]
    repetition_order: Optional[int]

class _Rouge(_Settings, total=False):
    order: Optional[Literal["1", "2", "3", "4", "5", "6", "7", "8", "9", "L", "Lsum", "S", "SU", "W", 1, 2, 3, 4, 5, 6, 7, 8, 9]]
    rouge_order: Optional[Literal["1", "2", "3", "4", "5", "6", "7", "8", "9", "L", "Lsum", "S", "SU", "W", 1, 2, 3, 4, 5, 6, 7, 8, 9]]
    skip: Optional[int]
    rouge_skip: Optional[int]
    weight: Optional[float]
    rouge_weight: Optional[float]
    stemmer: Optional[bool]
    rouge_stemmer: Optional[bool]
    references: Optional[Literal["best", "average", "sum", "each", "best-recall"]]
    rouge_references: Optional[Literal["best", "average", "sum", "each", "best-recall"]]
    alpha: Optional[float]
    rouge_alpha: Optional[float]

class _Samples(_Settings, total=False):
    of: Optional[Literal["pass", "passhat", "gpass", "mgpass", "avg"]]
    k: Optional[_Numbers]
    t: Optional[_Value]
    n: Optional[int]
    right: Optional[float]
    missing: Optional[Literal["error", "skip", "worst"]]

class _Sari(_Settings, total=False):
    dialect: Optional[Literal["hf", "easse"]]
    sari_dialect: Optional[Literal["hf", "easse"]]
    deletion_precision: Optional[bool]
    sari_deletion_precision: Optional[bool]
    average_first: Optional[bool]
    sari_average_first: Optional[bool]

class _Sclite(_Settings, total=False):
    optional: Optional[Literal["word", "free", "sclite"]]
    fragments: Optional[bool]
    keep_case: Optional[bool]
    equal_costs: Optional[bool]
    of: Optional[Literal["er", "wer", "mer", "wil", "wip"]]
    sclite_of: Optional[Literal["er", "wer", "mer", "wil", "wip"]]

class _SpanRecall(_Settings, total=False):
    label: Optional[_Value]
    span_recall_label: Optional[_Value]
    like: Optional[Literal["jiwer", "biasing", "texterrors", "chardiff"]]

class _Spans(_Settings, total=False):
    scheme: Optional[Literal["default", "IOB1", "IOB2", "IOE1", "IOE2", "IOBES", "BILOU"]]
    spans_scheme: Optional[Literal["default", "IOB1", "IOB2", "IOE1", "IOE2", "IOBES", "BILOU"]]
    affix: Optional[Literal["prefix", "suffix"]]
    spans_affix: Optional[Literal["prefix", "suffix"]]
    match: Optional[Literal["equal", "strict", "exact", "partial", "type"]]
    spans_match: Optional[Literal["equal", "strict", "exact", "partial", "type"]]
    types: Optional[_Value]
    spans_types: Optional[_Value]
    score: Optional[Literal["f", "precision", "recall"]]
    spans_score: Optional[Literal["f", "precision", "recall"]]
    average: Optional[Literal["micro", "macro", "weighted", "samples"]]
    spans_average: Optional[Literal["micro", "macro", "weighted", "samples"]]
    zero: Optional[Literal["0", "1", "nan", 0, 1]]
    spans_zero: Optional[Literal["0", "1", "nan", 0, 1]]
    tags: Optional[Literal["text", "list", "spans"]]
    spans_tags: Optional[Literal["text", "list", "spans"]]
    per: Optional[Literal["all", "type"]]
    spans_per: Optional[Literal["all", "type"]]

class _SpeechDetection(_Settings, total=False):
    like: Optional[Literal["none", "pyannote", "md-eval", "simpleder", "spyder", "dscore"]]
    collar: Optional[float]
    uem: Optional[Literal["given", "extent"]]
    times: Optional[Literal["exact", "rounded"]]
    beta: Optional[float]
    speech_detection_beta: Optional[float]
    miss_weight: Optional[float]
    alarm_weight: Optional[float]

class _Spice(_Settings, total=False):
    wordnet: Optional[str]
    spice_wordnet: Optional[str]
    synsets: Optional[str]
    spice_synsets: Optional[str]
    match: Optional[Literal["similar", "equal"]]
    spice_match: Optional[Literal["similar", "equal"]]
    cap: Optional[bool]
    spice_cap: Optional[bool]

class _Squad2(_Settings, total=False):
    score: Optional[Literal["f1", "exact"]]
    squad2_score: Optional[Literal["f1", "exact"]]

class _Squad2Best(_Settings, total=False):
    score: Optional[Literal["f1", "exact"]]
    squad2_best_score: Optional[Literal["f1", "exact"]]
    threshold: Optional[float]
    squad2_best_threshold: Optional[float]

class _SquadEm(_Settings, total=False):
    squad_normalize: Optional[Literal["squad", "cjk", "none"]]

class _SquadF1(_Settings, total=False):
    squad_normalize: Optional[Literal["squad", "cjk", "none"]]

class _Suber(_Settings, total=False):
    words: Optional[Literal["plain", "cased"]]
    language: Optional[Literal["none", "zh", "ja", "ko"]]

class _Substitutions(_Settings, total=False):
    like: Optional[Literal["jiwer", "biasing", "texterrors", "chardiff"]]
    of: Optional[Literal["all", "case", "punctuation", "marks", "digits", "compound", "near", "other"]]
    substitutions_of: Optional[Literal["all", "case", "punctuation", "marks", "digits", "compound", "near", "other"]]

class _Tcmimower(_Settings, total=False):
    collar: Optional[float]
    ref_timing: Optional[Literal["character_based", "character_based_points", "equidistant_intervals", "equidistant_points", "full_segment", "none"]]
    hyp_timing: Optional[Literal["character_based", "character_based_points", "equidistant_intervals", "equidistant_points", "full_segment", "none"]]

class _Tcorcwer(_Settings, total=False):
    collar: Optional[float]
    ref_timing: Optional[Literal["character_based", "character_based_points", "equidistant_intervals", "equidistant_points", "full_segment", "none"]]
    hyp_timing: Optional[Literal["character_based", "character_based_points", "equidistant_intervals", "equidistant_points", "full_segment", "none"]]
    search: Optional[Literal["exact", "greedy"]]

class _Tcpwer(_Settings, total=False):
    collar: Optional[float]
    ref_timing: Optional[Literal["character_based", "character_based_points", "equidistant_intervals", "equidistant_points", "full_segment", "none"]]
    hyp_timing: Optional[Literal["character_based", "character_based_points", "equidistant_intervals", "equidistant_points", "full_segment", "none"]]

class _Ter(_Settings, total=False):
    case_sensitive: Optional[bool]
    ter_case_sensitive: Optional[bool]
    asian_support: Optional[bool]
    ter_asian_support: Optional[bool]
    no_punct: Optional[bool]
    ter_no_punct: Optional[bool]
    normalized: Optional[bool]
    ter_normalized: Optional[bool]

class _TermCer(_Settings, total=False):
    words: Optional[str]
    term_cer_words: Optional[str]
    like: Optional[Literal["jiwer", "biasing", "texterrors", "chardiff"]]

class _Terms(_Settings, total=False):
    words: Optional[str]
    terms_words: Optional[str]
    of: Optional[Literal["recall", "precision", "f1", "error"]]
    terms_of: Optional[Literal["recall", "precision", "f1", "error"]]
    match: Optional[Literal["align", "count"]]
    terms_match: Optional[Literal["align", "count"]]
    like: Optional[Literal["jiwer", "biasing", "texterrors", "chardiff"]]
    per: Optional[Literal["category", "term"]]
    terms_per: Optional[Literal["category", "term"]]
    category: Optional[_Value]
    terms_category: Optional[_Value]

class _Wer(_Settings, total=False):
    compounds: Optional[Literal["keep", "merge"]]

class _Worst(_Settings, total=False):
    k: Optional[_Numbers]
    better: Optional[Literal["higher", "lower"]]
    scale: Optional[_Value]
    producer: Optional[_Value]
    missing: Optional[Literal["error", "skip", "worst"]]
    keep: Optional[Literal["sums", "values"]]
    of: Optional[_Value]

class _Yaal(_Settings, total=False):
    form: Optional[Literal["short", "long"]]
    unit: Optional[Literal["word", "char"]]
    times: Optional[Literal["delays", "elapsed"]]

@overload
def metric(name: Literal["al"], **options: Unpack[_Al]) -> Metric: ...
@overload
def metric(name: Literal["anls"], **options: Unpack[_Anls]) -> Metric: ...
@overload
def metric(name: Literal["ap"], **options: Unpack[_Ap]) -> Metric: ...
@overload
def metric(name: Literal["bcubed"], **options: Unpack[_Bcubed]) -> Metric: ...
@overload
def metric(name: Literal["bertscore"], **options: Unpack[_Bertscore]) -> Metric: ...
@overload
def metric(name: Literal["best"], **options: Unpack[_Best]) -> Metric: ...
@overload
def metric(name: Literal["bleu", "BLEU"], **options: Unpack[_Bleu]) -> Metric: ...
@overload
def metric(name: Literal["boundaries"], **options: Unpack[_Boundaries]) -> Metric: ...
@overload
def metric(name: Literal["bwer", "uwer"], **options: Unpack[_Bwer]) -> Metric: ...
@overload
def metric(name: Literal["cer", "CER"], **options: Unpack[_Settings]) -> Metric: ...
@overload
def metric(name: Literal["character"], **options: Unpack[_Settings]) -> Metric: ...
@overload
def metric(name: Literal["chrf", "chrF", "chrf++"], **options: Unpack[_Chrf]) -> Metric: ...
@overload
def metric(name: Literal["cider"], **options: Unpack[_Cider]) -> Metric: ...
@overload
def metric(name: Literal["cider_d", "cider-d"], **options: Unpack[_CiderD]) -> Metric: ...
@overload
def metric(name: Literal["cmer", "CMER"], **options: Unpack[_Settings]) -> Metric: ...
@overload
def metric(name: Literal["codebleu"], **options: Unpack[_Codebleu]) -> Metric: ...
@overload
def metric(name: Literal["cosine"], **options: Unpack[_Cosine]) -> Metric: ...
@overload
def metric(name: Literal["cpwer", "cpWER"], **options: Unpack[_Settings]) -> Metric: ...
@overload
def metric(name: Literal["dal"], **options: Unpack[_Dal]) -> Metric: ...
@overload
def metric(name: Literal["der"], **options: Unpack[_Der]) -> Metric: ...
@overload
def metric(name: Literal["detection"], **options: Unpack[_Detection]) -> Metric: ...
@overload
def metric(name: Literal["dicpwer", "DI-cpWER"], **options: Unpack[_Dicpwer]) -> Metric: ...
@overload
def metric(name: Literal["distinct", "dist", "distinct-1", "distinct-2", "distinct-3"], **options: Unpack[_Distinct]) -> Metric: ...
@overload
def metric(name: Literal["ditcpwer", "DI-tcpWER"], **options: Unpack[_Ditcpwer]) -> Metric: ...
@overload
def metric(name: Literal["drop"], **options: Unpack[_Drop]) -> Metric: ...
@overload
def metric(name: Literal["ece", "brier"], **options: Unpack[_Ece]) -> Metric: ...
@overload
def metric(name: Literal["edit_similarity", "edit_sim", "levenshtein_similarity", "fuzz_ratio", "difflib_ratio", "jaro", "jaro_winkler"], **options: Unpack[_EditSimilarity]) -> Metric: ...
@overload
def metric(name: Literal["eed"], **options: Unpack[_Eed]) -> Metric: ...
@overload
def metric(name: Literal["error_rate"], **options: Unpack[_Settings]) -> Metric: ...
@overload
def metric(name: Literal["exact_match", "em"], **options: Unpack[_Settings]) -> Metric: ...
@overload
def metric(name: Literal["extractive"], **options: Unpack[_Extractive]) -> Metric: ...
@overload
def metric(name: Literal["fertility"], **options: Unpack[_Fertility]) -> Metric: ...
@overload
def metric(name: Literal["given"], **options: Unpack[_Given]) -> Metric: ...
@overload
def metric(name: Literal["gleu", "google_bleu"], **options: Unpack[_Gleu]) -> Metric: ...
@overload
def metric(name: Literal["jer"], **options: Unpack[_Jer]) -> Metric: ...
@overload
def metric(name: Literal["laal"], **options: Unpack[_Laal]) -> Metric: ...
@overload
def metric(name: Literal["labels"], **options: Unpack[_Labels]) -> Metric: ...
@overload
def metric(name: Literal["likelihood", "nll", "perplexity", "bits"], **options: Unpack[_Likelihood]) -> Metric: ...
@overload
def metric(name: Literal["maj", "cons"], **options: Unpack[_Maj]) -> Metric: ...
@overload
def metric(name: Literal["mean_perplexity"], **options: Unpack[_MeanPerplexity]) -> Metric: ...
@overload
def metric(name: Literal["mer", "MER"], **options: Unpack[_Settings]) -> Metric: ...
@overload
def metric(name: Literal["meteor"], **options: Unpack[_Meteor]) -> Metric: ...
@overload
def metric(name: Literal["meteor15"], **options: Unpack[_Meteor15]) -> Metric: ...
@overload
def metric(name: Literal["mimower", "MIMO-WER"], **options: Unpack[_Settings]) -> Metric: ...
@overload
def metric(name: Literal["nce"], **options: Unpack[_Nce]) -> Metric: ...
@overload
def metric(name: Literal["ned"], **options: Unpack[_Settings]) -> Metric: ...
@overload
def metric(name: Literal["nist"], **options: Unpack[_Nist]) -> Metric: ...
@overload
def metric(name: Literal["novel", "novel_ngrams"], **options: Unpack[_Novel]) -> Metric: ...
@overload
def metric(name: Literal["oracle_wer"], **options: Unpack[_OracleWer]) -> Metric: ...
@overload
def metric(name: Literal["orcwer", "ORC-WER"], **options: Unpack[_Orcwer]) -> Metric: ...
@overload
def metric(name: Literal["per", "bow"], **options: Unpack[_Per]) -> Metric: ...
@overload
def metric(name: Literal["purity"], **options: Unpack[_Purity]) -> Metric: ...
@overload
def metric(name: Literal["repetition", "seq_rep"], **options: Unpack[_Repetition]) -> Metric: ...
@overload
def metric(name: Literal["ribes"], **options: Unpack[_Settings]) -> Metric: ...
@overload
def metric(name: Literal["rouge", "rouge1", "rouge2", "rouge3", "rouge4", "rouge5", "rouge6", "rouge7", "rouge8", "rouge9", "rougeL", "rougeLsum", "rougeS", "rougeS4", "rougeSU", "rougeSU4", "rougeW"], **options: Unpack[_Rouge]) -> Metric: ...
@overload
def metric(name: Literal["samples", "pass", "passhat", "gpass", "mgpass", "avg"], **options: Unpack[_Samples]) -> Metric: ...
@overload
def metric(name: Literal["sari"], **options: Unpack[_Sari]) -> Metric: ...
@overload
def metric(name: Literal["sclite", "alternatives_wer", "alternatives_mer", "alternatives_wil", "alternatives_wip"], **options: Unpack[_Sclite]) -> Metric: ...
@overload
def metric(name: Literal["span_recall"], **options: Unpack[_SpanRecall]) -> Metric: ...
@overload
def metric(name: Literal["spans"], **options: Unpack[_Spans]) -> Metric: ...
@overload
def metric(name: Literal["speech_detection"], **options: Unpack[_SpeechDetection]) -> Metric: ...
@overload
def metric(name: Literal["spice"], **options: Unpack[_Spice]) -> Metric: ...
@overload
def metric(name: Literal["squad2"], **options: Unpack[_Squad2]) -> Metric: ...
@overload
def metric(name: Literal["squad2_best"], **options: Unpack[_Squad2Best]) -> Metric: ...
@overload
def metric(name: Literal["squad_em"], **options: Unpack[_SquadEm]) -> Metric: ...
@overload
def metric(name: Literal["squad_f1"], **options: Unpack[_SquadF1]) -> Metric: ...
@overload
def metric(name: Literal["suber", "SubER", "suber-cased"], **options: Unpack[_Suber]) -> Metric: ...
@overload
def metric(name: Literal["substitutions"], **options: Unpack[_Substitutions]) -> Metric: ...
@overload
def metric(name: Literal["tcmimower", "tcMIMO-WER"], **options: Unpack[_Tcmimower]) -> Metric: ...
@overload
def metric(name: Literal["tcorcwer", "tcORC-WER"], **options: Unpack[_Tcorcwer]) -> Metric: ...
@overload
def metric(name: Literal["tcpwer", "tcpWER"], **options: Unpack[_Tcpwer]) -> Metric: ...
@overload
def metric(name: Literal["ter", "TER"], **options: Unpack[_Ter]) -> Metric: ...
@overload
def metric(name: Literal["term_cer"], **options: Unpack[_TermCer]) -> Metric: ...
@overload
def metric(name: Literal["terms"], **options: Unpack[_Terms]) -> Metric: ...
@overload
def metric(name: Literal["wer", "WER"], **options: Unpack[_Wer]) -> Metric: ...
@overload
def metric(name: Literal["wil", "WIL"], **options: Unpack[_Settings]) -> Metric: ...
@overload
def metric(name: Literal["wip", "WIP"], **options: Unpack[_Settings]) -> Metric: ...
@overload
def metric(name: Literal["worst"], **options: Unpack[_Worst]) -> Metric: ...
@overload
def metric(name: Literal["yaal"], **options: Unpack[_Yaal]) -> Metric: ...
@overload
def metric(name: str, **settings: Unpack[_Settings]) -> Metric: ...
@overload
def metric(name: Union[Metric, type[Metric]], *, empty_references: EmptyReferences = "error", **options: Any) -> Metric: ...
