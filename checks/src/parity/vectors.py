# The oracle behind the comparison of BERTScore and cosine over vectors: bert_score's own matching, greedy_cos_idf, with NumPy in
# double precision in the place of torch, which is gigabytes; and cosines by their definition, each product exact and each sum
# rounded once.
#
# It is asked for pairs: of each text its vectors and their weights. Pairs go one by one, as the program's padding shows in batches.
import math

import numpy as np


class Tensor(np.ndarray):
    """What greedy_cos_idf asks of a tensor."""

    def unsqueeze(self, dim):
        return np.expand_dims(self, dim)

    def div_(self, other):
        self /= other
        return self

    def float(self):
        return self

    def to(self, _):
        return self

    def size(self, dim):
        return self.shape[dim]

    def transpose(self, one, other):
        return np.swapaxes(self, one, other)

    def contiguous(self):
        return self

    def view(self, *shape):
        return self.reshape(shape)

    def view_as(self, other):
        return self.reshape(other.shape)

    def expand(self, *shape):
        return np.broadcast_to(self, [have if want == -1 else want for have, want in zip(self.shape, shape)]).view(Tensor)

    def max(self, dim):
        return (np.max(np.asarray(self), axis=dim).view(Tensor),)

    def sum(self, dim, keepdim=False):
        return np.sum(np.asarray(self), axis=dim, keepdims=keepdim).view(Tensor)

    def eq(self, other):
        return self == other

    def masked_fill(self, mask, value):
        return np.where(mask, value, self).view(Tensor)

    @property
    def device(self):
        return None


def bert_score():
    torch = types.ModuleType("torch")
    torch.norm = lambda tensor, dim: np.sqrt(np.square(np.asarray(tensor)).sum(axis=dim)).view(Tensor)
    torch.bmm, torch.any, torch.isnan = np.matmul, np.any, np.isnan
    torch.long, torch.nn = None, types.ModuleType("torch.nn")
    torch.nn.pad_sequence = None
    for name, module in (("torch", torch), ("torch.nn", torch.nn), ("torch.nn.utils", torch.nn), ("torch.nn.utils.rnn", torch.nn)):
        sys.modules[name] = module
    names = "AutoModel AutoTokenizer BertConfig GPT2Tokenizer RobertaTokenizer RobertaConfig XLMConfig XLNetConfig"
    others = {"packaging": ["version"], "tqdm": [], "tqdm.auto": ["tqdm"], "transformers": [*names.split(), "__version__"]}
    for name, contents in others.items():
        module = sys.modules[name] = types.ModuleType(name)
        for content in contents:
            setattr(module, content, None)
    # The module alone: the package around it imports models.
    package = types.ModuleType("bert_score")
    package.__path__ = [f"{folder}/bert_score" for folder in site.getsitepackages()]
    package.__version__ = version("bert_score")
    sys.modules["bert_score"] = package
    from bert_score.utils import greedy_cos_idf

    return greedy_cos_idf


try:
    greedy_cos_idf, installed = bert_score(), version("bert_score")
except ImportError:
    greedy_cos_idf, installed = None, None


def side(rows, weights):
    tensor = np.array([rows], dtype=np.float64).view(Tensor)
    return tensor, np.ones(tensor.shape[:2]).view(Tensor), np.array([weights], dtype=np.float64).view(Tensor)


def matched(hypothesis, reference):
    with np.errstate(invalid="ignore", divide="ignore"):
        precision, recall, f = greedy_cos_idf(*side(*reference), *side(*hypothesis))
    numbers = [float(np.asarray(value)[0]) for value in (f, precision, recall)]
    return [number if math.isfinite(number) else None for number in numbers]


def mean(rows, weights):
    total = math.fsum(weights)
    if len(rows) == 1:
        return rows[0]
    return [math.fsum(w * row[at] for w, row in zip(weights, rows)) / total for at in range(len(rows[0]))]


def cosine(hypothesis, reference):
    x, y = mean(*hypothesis), mean(*reference)
    dot, xx, yy = (math.fsum(a * b for a, b in zip(one, other)) for one, other in ((x, y), (x, x), (y, y)))
    return dot / (math.sqrt(xx) * math.sqrt(yy))


def answer(question):
    score = matched if question["metric"] == "bertscore" else cosine
    return [[score(hypothesis, reference) for reference in references] for hypothesis, references in question["pairs"]]


serve({"programs": {"bert_score": installed}}, answer)
