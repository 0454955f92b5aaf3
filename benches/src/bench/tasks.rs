//! Tasks of the benchmark, and how often they are done.

pub(crate) const TASKS: &[(&str, &str)] = &[
    ("corpus-files", "corpus BLEU from files, 13a"),
    ("corpus-tokens", "corpus BLEU of token lists"),
    ("sentence-tokens", "sentence BLEU of token lists"),
    ("tokenize", "13a alone"),
    ("chrf", "corpus chrF of lines in memory"),
    ("chrf++", "corpus chrF++ of lines in memory"),
    (TER, "corpus TER of lines in memory"),
    ("wer", "word error rate of lines in memory, one reference"),
    ("cer", "character error rate of lines in memory, one reference"),
    ("rouge1", "ROUGE-1 of lines in memory, one reference"),
    ("rouge2", "ROUGE-2 of lines in memory, one reference"),
    ("rougeL", "ROUGE-L of lines in memory, one reference"),
    ("rouge", "ROUGE-1, ROUGE-2 and ROUGE-L of lines in memory, one reference"),
    ("squad-f1", "SQuAD's F1 of lines in memory"),
    ("meteor", "METEOR of words, without synonyms"),
    ("nist", "NIST of words, NLTK's"),
    ("cider-d", "CIDEr-D of words"),
    ("sari", "SARI of words"),
    ("levenshtein", "mean Levenshtein similarity of lines in memory, one reference"),
    ("indel", "mean Indel similarity of lines in memory, one reference"),
    ("jaro-winkler", "mean Jaro-Winkler similarity of lines in memory, one reference"),
    ("difflib", "mean ratio of difflib of lines in memory, one reference"),
    ("labels", "macro F of 100,000 labels of 20 classes in memory"),
    ("spans", "micro F of spans of 5,000 sequences of 25 tags in memory"),
    ("pass@k", "pass@k of 2,000 prompts for k of 1, 10 and 100, from counts in memory"),
    (
        "likelihood",
        "perplexity per word and byte and bits per byte of lines in memory with their log-likelihoods",
    ),
    ("extractive", "mean coverage of words in lower case by sources without every fourth"),
    ("paired-bs", "15 systems counted and tested by BLEU, 13a: paired bootstrap, 1,000 resamples"),
    ("bootstrap", "the test of these alone, from counts of segments in memory: 15 systems, 1,000 resamples"),
    (
        "paired-ar",
        "15 systems counted and tested by BLEU, 13a: paired approximate randomization, 1,000 trials",
    ),
    (COMPOSITION, "corpus BLEU, chrF, chrF++ and TER together, lines in memory"),
    (MIXTURE, "corpus BLEU, GLEU, NIST, CIDEr-D, distinct and METEOR together, lines in memory"),
    ("wer-long", "word error rate of one line of 100,000 words, one edit in 20"),
    ("rougeL-long", "ROUGE-L of one line of 100,000 words, one edit in 20"),
    ("tcorc", "tcORC-WER of sessions of two and three speakers"),
    ("tcorc-greedy", "greedy tcORC-WER of these"),
    ("ditcp", "DI-tcpWER of these"),
    ("tcmimo", "tcMIMO-WER of short sessions of two speakers"),
    ("pairs-bleu", "all pairs of 1,024 candidates, sentence BLEU (sacreBLEU: two rows, times 512)"),
    (
        "pairs-chrf",
        "all pairs of 1,024 candidates, chrF (sacreBLEU: two rows, times 512; fastChrF: 64, times 16)",
    ),
    ("self-bleu", "Self-BLEU of 1,900 samples"),
    (COMMAND_LINE, "from the shell, 13a"),
];

/// Task of the command line programs, which is measured from start to end and by no engine.
pub(crate) const COMMAND_LINE: &str = "command-line";

/// Tasks that take a peer seconds or minutes; they get one turn of one round.
pub(crate) const LONG: &[&str] =
    &[TER, COMPOSITION, "paired-bs", "paired-ar", "pairs-bleu", "pairs-chrf", "self-bleu"];

/// Number of turns of every engine; `ROUNDS` is the number of rounds in a turn.
pub(crate) const TURNS: usize = 5;
pub(crate) const ROUNDS: usize = 3;

const TER: &str = "ter";
const COMPOSITION: &str = "composition";
const MIXTURE: &str = "mixture";

/// Tasks of several metrics, whose peer is our own program with the metrics apart.
pub(crate) const APART: &[&str] = &[COMPOSITION, MIXTURE];

/// Targets for the peer's time relative to ours, from Rust and from Python. An empty name means the
/// strongest peer.
#[rustfmt::skip]
pub(crate) const WANTED: &[(&str, &str, Option<f64>, Option<f64>)] = &[
    ("wer", "", Some(4.0), Some(4.0)), ("wer", "jiwer", Some(20.0), None),
    ("cer", "", Some(1.5), Some(1.3)), ("cer", "rapidfuzz, editops", Some(3.0), None),
    ("rouge", "", Some(4.0), Some(4.0)), ("rougeL", "rouge_score", Some(40.0), None),
    ("rouge1", "rouge_score", Some(50.0), None), ("rouge2", "rouge_score", Some(50.0), None),
    ("bootstrap", "", Some(3.0), None), (COMMAND_LINE, "", Some(100.0), None),
    (COMPOSITION, "", Some(1.3), None), (MIXTURE, "", Some(1.1), None),
    ("nist", "", Some(25.0), None), ("squad-f1", "", Some(20.0), None),
    ("levenshtein", "", Some(2.0), Some(1.5)), ("indel", "", Some(1.5), Some(1.3)), ("jaro-winkler", "", Some(2.0), Some(2.0)),
    ("difflib", "", Some(20.0), None), ("labels", "", Some(20.0), None), ("spans", "", Some(20.0), None),
    ("pass@k", "", Some(20.0), None), ("likelihood", "", Some(20.0), None), ("extractive", "", Some(20.0), None),
];

/// Corpora: one reference, longer segments, two references, text without spaces, text other than ASCII.
pub(crate) const CORPORA: &[&str] = &["en-cs", "zh-en", "he-en", "en-zh", CYRILLIC];

/// Name of the corpus zh-en with Cyrillic letters.
pub(crate) const CYRILLIC: &str = "zh-en-cyrillic";

/// Tasks of families of metrics, which are done on one corpus only.
const FAMILIES: &[&str] = &["indel", "difflib", "labels", "spans", "pass@k", "likelihood", "extractive"];

/// Returns `true` if a task is done on this corpus. The last two corpora have only the tasks that depend on
/// their script, and tasks with their own input are done once.
pub(crate) fn is_done(task: &str, corpus: &str) -> bool {
    match corpus {
        "en-zh" => [COMMAND_LINE, "corpus-files"].contains(&task),
        CYRILLIC => ["wer", "cer", "rougeL", "rouge", "levenshtein", "jaro-winkler"].contains(&task),
        "zh-en" => true,
        _ => {
            ![MIXTURE, "wer-long", "rougeL-long", "tcorc", "tcorc-greedy", "ditcp", "tcmimo"].contains(&task)
                && !FAMILIES.contains(&task)
        }
    }
}
