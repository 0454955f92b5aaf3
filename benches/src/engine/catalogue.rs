//! Tasks over metrics of the registry: lines or words of a corpus, in the form that the peers take.

use std::path::Path;

use bleuprint::eval::{Panel, SystemsSegment, TokenRequest, observe_all};
use bleuprint::{Accumulator, Metric as _, Result, registry};

use bleuprint::text::FileText;

use super::answer::{Task, TaskAnswer};

struct Catalogued {
    task: &'static str,
    metrics: &'static [&'static str],
    /// Suffix of the files: empty for lines, `.tok` for words joined by spaces.
    suffix: &'static str,
    tokenizer: &'static str,
    /// `true` if the peer takes only one reference.
    one_reference: bool,
}

const WORDS: Catalogued =
    Catalogued { task: "", metrics: &[], suffix: ".tok", tokenizer: "none", one_reference: false };
const LINES: Catalogued =
    Catalogued { task: "", metrics: &[], suffix: "", tokenizer: "13a", one_reference: false };

const SESSIONS: Catalogued =
    Catalogued { task: "", metrics: &[], suffix: MEETINGS, tokenizer: "none", one_reference: true };

/// Values that replace a suffix: files of one long line, of labels, of tags and of sessions.
const PAIRS: [&str; 5] = [LONG, "labels", "spans", MEETINGS, SHORT];
const LONG: &str = "long";
const MEETINGS: &str = "meetings";
const SHORT: &str = "meetings-short";

const TASKS: &[Catalogued] = &[
    Catalogued { task: "rouge1", metrics: &["rouge1"], one_reference: true, ..LINES },
    Catalogued { task: "rouge2", metrics: &["rouge2"], one_reference: true, ..LINES },
    Catalogued { task: "rougeL", metrics: &["rougeL"], one_reference: true, ..LINES },
    Catalogued { task: "rouge", metrics: &["rouge1", "rouge2", "rougeL"], one_reference: true, ..LINES },
    Catalogued { task: "squad-f1", metrics: &["squad_f1"], ..LINES },
    Catalogued { task: "meteor", metrics: &["meteor"], ..WORDS },
    Catalogued { task: "nist", metrics: &["nist:nist-dialect=nltk"], ..WORDS },
    Catalogued { task: "cider-d", metrics: &["cider_d"], ..WORDS },
    Catalogued { task: "sari", metrics: &["sari"], ..WORDS },
    Catalogued {
        task: "mixture",
        metrics: &["bleu", "gleu", "nist", "cider_d", "distinct", "meteor"],
        one_reference: true,
        ..LINES
    },
    Catalogued { task: "wer-long", metrics: &["wer"], suffix: LONG, tokenizer: "jiwer", ..LINES },
    Catalogued { task: "rougeL-long", metrics: &["rougeL"], suffix: LONG, ..LINES },
    Catalogued {
        task: "levenshtein",
        metrics: &["edit_similarity:kind=levenshtein"],
        one_reference: true,
        ..LINES
    },
    Catalogued { task: "indel", metrics: &["edit_similarity:kind=indel"], one_reference: true, ..LINES },
    Catalogued {
        task: "jaro-winkler",
        metrics: &["edit_similarity:kind=jaro_winkler"],
        one_reference: true,
        ..LINES
    },
    Catalogued { task: "difflib", metrics: &["edit_similarity:kind=difflib"], one_reference: true, ..LINES },
    Catalogued { task: "labels", metrics: &["labels:average=macro"], suffix: "labels", ..LINES },
    Catalogued { task: "spans", metrics: &["spans"], suffix: "spans", ..LINES },
    Catalogued { task: "extractive", metrics: &["extractive"], ..WORDS },
    Catalogued { task: "tcorc", metrics: &["tcorcwer:collar=5"], ..SESSIONS },
    Catalogued { task: "tcorc-greedy", metrics: &["tcorcwer:collar=5,search=greedy"], ..SESSIONS },
    Catalogued { task: "tcmimo", metrics: &["tcmimower:collar=5"], suffix: SHORT, ..SESSIONS },
    Catalogued { task: "ditcp", metrics: &["ditcpwer:collar=5"], ..SESSIONS },
    // Like sacreBLEU's `-m bleu chrf ter`, with and without word order, over texts that are read once.
    Catalogued { task: "composition", metrics: &["bleu", "chrf", "chrf++", "ter"], ..LINES },
];

/// Prepares the task of this name, or returns `None` if this module does not have it.
pub(crate) fn prepare(task: &str, folder: &Path, apart: bool) -> Option<Result<Task>> {
    TASKS.iter().find(|one| one.task == task).map(|one| one.prepare(folder, apart))
}

impl Catalogued {
    fn prepare(&'static self, folder: &Path, apart: bool) -> Result<Task> {
        let (hypotheses, mut streams) = match self.suffix {
            pair if PAIRS.contains(&pair) => {
                let side = |side| FileText::open(folder.join(format!("{pair}.{side}")), Default::default());
                (side("hyp")?, vec![side("ref")?])
            }
            suffix => open(folder, suffix)?,
        };
        if self.one_reference {
            // Peers of these tasks take one reference, and all programs must do the same work.
            streams.truncate(1);
        }
        let hypotheses: Vec<String> = hypotheses.iter().map(str::to_owned).collect();
        let streams: Vec<Vec<String>> =
            streams.iter().map(|stream| stream.iter().map(str::to_owned).collect()).collect();
        let needs_source =
            |spec: &&str| registry().build(spec).is_ok_and(|metric| metric.identity().needs().source);
        let looked_at = self.metrics.iter().any(needs_source);
        let sources: Vec<String> =
            if looked_at { hypotheses.iter().map(|line| source(line)).collect() } else { Vec::new() };
        // With one group per metric, each reads and tokenizes the texts again, as separate programs
        // would.
        let groups: Vec<&[&str]> = if apart { self.metrics.chunks(1).collect() } else { vec![self.metrics] };
        Ok(Box::new(move || {
            let score = |metrics: &&[&str]| self.score(metrics, &hypotheses, &streams, &sources);
            let scores = groups.iter().map(score).collect::<Result<Vec<_>, _>>();
            let scores = scores.map_err(|error| error.to_string())?.concat();
            Ok(match scores[..] {
                [score] => TaskAnswer::Number(score),
                _ => TaskAnswer::Sentences(scores),
            })
        }))
    }

    fn score(
        &self,
        metrics: &[&str],
        hypotheses: &[String],
        streams: &[Vec<String>],
        sources: &[String],
    ) -> Result<Vec<f64>, Box<dyn std::error::Error>> {
        let tokenizer = Some(self.tokenizer.to_owned());
        let lowercase = Some(false);
        let request = TokenRequest { tokenizer, lowercase, ..TokenRequest::default() };
        let chosen = request.choose(bleuprint::families().tokenizers())?;
        let metrics = metrics.iter().map(|spec| registry().build(spec)).collect::<Result<Vec<_>, _>>()?;
        let panel = Panel::new(metrics, &chosen)?;
        let references =
            (0..hypotheses.len()).flat_map(|line| streams.iter().map(move |all| all[line].as_str()));
        let references: Vec<&str> = references.collect();
        let lines: Vec<[&str; 1]> = hypotheses.iter().map(|line| [line.as_str()]).collect();
        let of = |index: usize| &references[index * streams.len()..][..streams.len()];
        let segment = |index: usize| SystemsSegment {
            hypotheses: &lines[index],
            references: of(index),
            source: sources.get(index).map(String::as_str),
        };
        let panel = panel.learned_from((0..lines.len()).map(segment))?;
        let total = if sources.is_empty() {
            // The library's loop observes in batches.
            observe_all(&panel, lines.iter().enumerate().map(|(index, [line])| (*line, of(index))))?
        } else {
            let mut corpus = Accumulator::<&Panel, str>::new(&panel);
            (0..lines.len()).try_for_each(|index| corpus.add(segment(index).of_each()[0]))?;
            corpus.into()
        };
        Ok(panel.scores(&total)?.iter().map(|scored| scored.score.value).collect())
    }
}

/// Returns a source for metrics that need one: the hypothesis without every fourth word.
fn source(line: &str) -> String {
    let words = line.split(' ').enumerate().filter(|(index, _)| index % 4 != 3).map(|(_, word)| word);
    words.collect::<Vec<_>>().join(" ")
}

/// Opens the hypotheses and all reference streams of a folder, whose names end in `suffix`.
pub(crate) fn open(folder: &Path, suffix: &str) -> Result<(FileText, Vec<FileText>)> {
    let mut references = Vec::new();
    loop {
        let file = folder.join(format!("ref{}{suffix}", references.len()));
        if !file.exists() {
            return Ok((
                FileText::open(folder.join(format!("hyp{suffix}")), Default::default())?,
                references,
            ));
        }
        references.push(FileText::open(file, Default::default())?);
    }
}
