//! Tasks of the engine: each is prepared once, and does its timed work at every call.

use std::path::Path;

use bleuprint::eval::{Tokenized, leave_one_out, observe_all, pairwise};
use bleuprint::text::tokenize::{Tercom, TercomOptions};
use bleuprint::text::{FileText, TokenBuffer};
use bleuprint::{
    Accumulator, Bleu, Case, Chrf, EditRate, Observe, Result, Score, State, Ter, TokenizerOptions,
    contract::{Linear, zip_streams},
    tokenizer,
};

use super::answer::{Task, TaskAnswer};
use super::catalogue::open;
use super::{catalogue, families, significance};

pub(crate) fn prepare(task: &str, folder: &Path, apart: bool) -> Result<Task, String> {
    if let Some(task) = catalogue::prepare(task, folder, apart) {
        return task.map_err(|error| error.to_string());
    }
    if let Some(task) = families::prepare(task, folder) {
        return task.map_err(|error| error.to_string());
    }
    if let Some(task) = significance::prepare(task, folder) {
        return task;
    }
    if let Some(spec) = task.strip_prefix("metric:") {
        return metric(folder, spec).map_err(|error| error.to_string());
    }
    let prepared = match task {
        "corpus-files" => corpus_files(folder),
        "corpus-tokens" => corpus_tokens(folder),
        "sentence-tokens" => sentence_tokens(folder),
        "tokenize" => tokenize(folder),
        "chrf" => chrf(folder, Chrf::default()),
        "chrf++" => chrf(folder, Chrf::plus_plus()),
        "ter" => ter(folder),
        "pairs-bleu" => pairs_of_tokens(folder),
        "pairs-chrf" => pairs_of_texts(folder),
        "self-bleu" => self_bleu(folder),
        "wer" => error_rate(folder, EditRate::WER, "jiwer"),
        "cer" => error_rate(folder, EditRate::CER, "jiwer-char"),
        _ => return Err(format!("unknown task `{task}`")),
    };
    prepared.map_err(|error| error.to_string())
}

/// Prepares the task of any metric by its name, which runs the library's own loop.
fn metric(folder: &Path, spec: &str) -> Result<Task, Box<dyn std::error::Error>> {
    let (hypotheses, streams) = open(folder, "")?;
    let metric = bleuprint::metric(spec)?;
    let score = move || -> Result<TaskAnswer> {
        let references = |line| streams.iter().map(|stream| stream.get(line)).collect::<Option<Vec<&str>>>();
        let segments =
            hypotheses.iter().enumerate().map(|(line, own)| (own, references(line).unwrap_or_default()));
        let scores = metric.scores(&observe_all(&metric, segments)?)?;
        Ok(TaskAnswer::Sentences(scores.iter().map(|one| one.score.value).collect()))
    };
    Ok(Box::new(move || score().map_err(|error| error.to_string())))
}

fn thirteen_a() -> Box<dyn bleuprint::Tokenizer> {
    tokenizer("13a", &TokenizerOptions::default()).expect("13a needs no file")
}

fn corpus_files(folder: &Path) -> Result<Task> {
    let folder = folder.to_path_buf();
    let score = move || -> Result<TaskAnswer> {
        let (hypotheses, streams) = open(&folder, "")?;
        // The tokenizer is built within the timed work, because a user's program builds it too.
        let bleu = Tokenized::new(Bleu::default(), thirteen_a(), Case::Mixed).expect("13a can be printed");
        let hypotheses: Vec<&str> = hypotheses.iter().collect();
        let streams: Vec<Vec<&str>> = streams.iter().map(|stream| stream.iter().collect()).collect();
        let streams: Vec<&[&str]> = streams.iter().map(Vec::as_slice).collect();
        let segments = zip_streams::<str, _>(&hypotheses, &streams)?;
        Ok(TaskAnswer::Corpus(observe_all(&bleu, segments)?.score(&bleu)?.score))
    };
    Ok(Box::new(move || score().map_err(|error| error.to_string())))
}

type Words = Vec<Vec<String>>;

/// Reads token lists in the usual form: a list of words for every line.
fn words(folder: &Path) -> Result<(Words, Vec<Words>)> {
    let (hypotheses, streams) = open(folder, ".tok")?;
    let split = |text: &FileText| -> Words {
        text.iter().map(|line| line.split_whitespace().map(str::to_owned).collect()).collect()
    };
    Ok((split(&hypotheses), streams.iter().map(split).collect()))
}

fn corpus_tokens(folder: &Path) -> Result<Task> {
    let (hypotheses, streams) = words(folder)?;
    Ok(Box::new(move || {
        let mut corpus = Accumulator::<_, [String]>::new(Bleu::default());
        for (index, hypothesis) in hypotheses.iter().enumerate() {
            let references: Vec<&[String]> = streams.iter().map(|stream| &stream[index][..]).collect();
            corpus.push(hypothesis, &references).map_err(|error| error.to_string())?;
        }
        Ok(TaskAnswer::Corpus(corpus.score().map_err(|error| error.to_string())?.score))
    }))
}

fn sentence_tokens(folder: &Path) -> Result<Task> {
    let (hypotheses, streams) = words(folder)?;
    let bleu = Bleu::default().sentence();
    Ok(Box::new(move || {
        let mut sentences = Accumulator::<_, [String]>::new(&bleu);
        let mut scores = Vec::with_capacity(hypotheses.len());
        for (index, hypothesis) in hypotheses.iter().enumerate() {
            let references: Vec<&[String]> = streams.iter().map(|stream| &stream[index][..]).collect();
            let sentence = sentences.push(hypothesis, &references).map_err(|error| error.to_string())?;
            scores.push(sentences.score_of(&sentence).map_err(|error| error.to_string())?.score.score);
        }
        Ok(TaskAnswer::Sentences(scores))
    }))
}

/// Prepares 13a tokenization of all lines. Peers return a string or a list of strings for a line; here it is
/// a joined string.
fn tokenize(folder: &Path) -> Result<Task> {
    let (hypotheses, streams) = open(folder, "")?;
    let tokenizer = thirteen_a();
    let mut buffer = TokenBuffer::default();
    Ok(Box::new(move || {
        let lines = hypotheses.iter().chain(streams.iter().flat_map(FileText::iter));
        let join = |line: &str| {
            // Tokens are a few more than words, so a quarter more room avoids most reallocations.
            let mut joined = String::with_capacity(line.len() + line.len() / 4);
            let tokens = tokenizer.tokenize(line, &mut buffer).map_err(|error| error.to_string())?;
            tokens.join(&mut joined);
            Ok(joined)
        };
        Ok(TaskAnswer::Lines(lines.map(join).collect::<Result<_, String>>()?))
    }))
}

fn chrf(folder: &Path, chrf: Chrf) -> Result<Task> {
    let (hypotheses, streams) = open(folder, "")?;
    Ok(Box::new(move || {
        let mut corpus = Accumulator::<_, str>::new(chrf);
        let mut references = Vec::new();
        for (index, hypothesis) in hypotheses.iter().enumerate() {
            references.clear();
            references.extend(streams.iter().map(|stream| stream.line(index)));
            corpus.push(hypothesis, &references).map_err(|error| error.to_string())?;
        }
        Ok(TaskAnswer::Number(corpus.score().map_err(|error| error.to_string())?.score.score))
    }))
}

fn ter(folder: &Path) -> Result<Task> {
    let (hypotheses, streams) = open(folder, "")?;
    Ok(Box::new(move || {
        let ter = Tokenized::new(Ter::default(), Tercom::new(TercomOptions::default()), Case::Lower);
        let mut corpus = Accumulator::<_, str>::new(ter.expect("tercom can be printed"));
        let mut references = Vec::new();
        for (index, hypothesis) in hypotheses.iter().enumerate() {
            references.clear();
            references.extend(streams.iter().map(|stream| stream.line(index)));
            corpus.push(hypothesis, &references).map_err(|error| error.to_string())?;
        }
        let score = corpus.score().map_err(|error| error.to_string())?.score;
        Ok(TaskAnswer::Counted(score.score, vec![score.edits]))
    }))
}

/// Prepares an error rate against the first reference, because the peer takes only one. The library's loop
/// observes in batches.
fn error_rate(folder: &Path, rate: EditRate, tokens: &'static str) -> Result<Task> {
    let (hypotheses, streams) = open(folder, "")?;
    Ok(Box::new(move || {
        let tokens = tokenizer(tokens, &TokenizerOptions::default()).expect("a tokenizer without a model");
        let rate = Tokenized::new(rate, tokens, Case::Mixed).expect("its name can be printed");
        let segments = hypotheses.iter().zip(streams[0].iter().map(|reference| [reference]));
        let total = observe_all(&rate, segments).map_err(|error| error.to_string())?;
        let score = total.score(&rate).map_err(|error| error.to_string())?.score.score;
        Ok(TaskAnswer::Counted(score, total.stats().row()))
    }))
}

/// Number of candidates that are scored against each other; `ROWS` is the number of rows of scores in the
/// answer.
const CANDIDATES: usize = 1_024;
const ROWS: usize = 2;

const SAMPLES: usize = 1_900;

/// Scores all pairs row by row, and keeps only the first rows.
fn first_rows<M: Observe<S>, S: ?Sized + Sync>(metric: &M, pool: &[&S]) -> Result<TaskAnswer, String>
where
    M::Score: Score,
{
    let mut scores = vec![0.0; ROWS.min(pool.len()) * pool.len()];
    let keep = |hypothesis: usize, reference: usize, row: &[f64]| {
        // The answer would be a million numbers otherwise, and printing them is not the work to measure.
        if hypothesis < ROWS {
            let first = hypothesis * pool.len() + reference;
            scores[first..first + row.len()].copy_from_slice(row);
        }
    };
    pairwise::rows(metric, pool, pool, keep).map_err(|error| error.to_string())?;
    Ok(TaskAnswer::Sentences(scores))
}

fn pairs_of_tokens(folder: &Path) -> Result<Task> {
    let (hypotheses, _) = open(folder, ".tok")?;
    Ok(Box::new(move || {
        let tokens: Vec<Vec<&str>> = hypotheses.iter().take(CANDIDATES).map(split).collect();
        let pool: Vec<&[&str]> = tokens.iter().map(Vec::as_slice).collect();
        first_rows(&Bleu::default().sentence(), &pool)
    }))
}

fn pairs_of_texts(folder: &Path) -> Result<Task> {
    let (hypotheses, _) = open(folder, "")?;
    Ok(Box::new(move || {
        let pool: Vec<&str> = hypotheses.iter().take(CANDIDATES).collect();
        first_rows(&Chrf::default(), &pool)
    }))
}

fn self_bleu(folder: &Path) -> Result<Task> {
    let (hypotheses, _) = open(folder, ".tok")?;
    Ok(Box::new(move || {
        let tokens: Vec<Vec<&str>> = hypotheses.iter().take(SAMPLES).map(split).collect();
        let pool: Vec<&[&str]> = tokens.iter().map(Vec::as_slice).collect();
        let bleu = Bleu::default().sentence();
        let states = leave_one_out(&bleu, &pool).map_err(|error| error.to_string())?;
        let score = |state: &State<_>| state.score(&bleu).map(|scored| scored.score.score);
        let scores: Result<_> = states.iter().map(score).collect();
        scores.map(TaskAnswer::Sentences).map_err(|error| error.to_string())
    }))
}

fn split(line: &str) -> Vec<&str> {
    line.split(' ').filter(|token| !token.is_empty()).collect()
}
