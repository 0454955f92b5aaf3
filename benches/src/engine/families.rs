//! Tasks of families over data of other forms: pass@k from counts, perplexity and bits from log-likelihoods.

use std::path::Path;

use bleuprint::families::likelihood::{
    Likelihood, LikelihoodScore as Number, LikelihoodUnit, Likelihoods, Loglik,
};
use bleuprint::families::samples::{Prompt, PromptNumber, Samples};
use bleuprint::text::FileText;
use bleuprint::{Accumulator, Metric as _, Score as _, Segment};

use super::answer::{Task, TaskAnswer};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Prepares the task of this name, or returns `None` if this module does not have it.
pub(crate) fn prepare(task: &str, folder: &Path) -> Option<Result<Task>> {
    match task {
        "pass@k" => Some(passes(folder)),
        "likelihood" => Some(likelihood(folder)),
        _ => None,
    }
}

fn told(scores: impl Fn() -> Result<Vec<f64>> + 'static) -> Task {
    Box::new(move || scores().map(TaskAnswer::Sentences).map_err(|error| error.to_string()))
}

fn passes(folder: &Path) -> Result<Task> {
    let text = FileText::open(folder.join("samples"), Default::default())?;
    let prompt = |line: &str| -> Result<Prompt> {
        let (n, c) = line.split_once(' ').ok_or("a line without two counts")?;
        Ok(Prompt::Counts { n: n.parse()?, c: c.parse()? })
    };
    let prompts = text.iter().map(prompt).collect::<Result<Vec<Prompt>>>()?;
    let samples = Samples::new(PromptNumber::Pass, Some(&[1.0, 10.0, 100.0]), None)?;
    Ok(told(move || {
        let mut all = Accumulator::<_, Prompt>::new(&samples);
        for prompt in &prompts {
            all.add(Segment::with_source(prompt, &[], None))?;
        }
        Ok(all.score()?.score.headlines())
    }))
}

fn likelihood(folder: &Path) -> Result<Task> {
    let texts = FileText::open(folder.join("hyp"), Default::default())?;
    let logliks = FileText::open(folder.join("logliks"), Default::default())?;
    let segment = |(loglik, text): (&str, &str)| -> Result<Likelihood> {
        let loglik = Loglik::Sum(loglik.parse()?);
        Ok(Likelihood { loglik, text: Some(text.to_owned()), ..Likelihood::default() })
    };
    let segments = logliks.iter().zip(texts.iter()).map(segment).collect::<Result<Vec<_>>>()?;
    Ok(told(move || {
        // Perplexity and bits per byte follow from one state, so the text is counted once for both.
        let mut scores = Vec::new();
        for (per, numbers) in [
            (LikelihoodUnit::Word, &[Number::Perplexity][..]),
            (LikelihoodUnit::Byte, &[Number::Perplexity, Number::Bits]),
        ] {
            let mut all = Accumulator::<_, Likelihood>::new(Likelihoods::new(numbers[0], per));
            for segment in &segments {
                all.add(Segment::with_source(segment, &[], None))?;
            }
            let total = all.total();
            for &number in numbers {
                scores.push(Likelihoods::new(number, per).number(total.stats(), total.counts())?);
            }
        }
        Ok(scores)
    }))
}
