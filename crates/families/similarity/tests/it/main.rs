//! Tests of the metrics through the public API. `tests/rows` has the values of other programs.

mod hostile;

use bleuprint_core::{Accumulator, Metric, Observe, Result, Score as _};
use bleuprint_similarity::*;

/// Returns the score of texts under a metric over their code points.
fn over_chars<M>(metric: M, segments: &[(&str, Vec<&str>)]) -> Result<f64>
where
    M: Observe<[char]>,
{
    over(metric, segments, &|text| text.chars().collect())
}

fn over_words<M>(metric: M, segments: &[(&str, Vec<&str>)]) -> Result<f64>
where
    M: Observe<[String]>,
{
    over(metric, segments, &|text| text.split_whitespace().map(str::to_owned).collect())
}

fn over<T, M>(metric: M, segments: &[(&str, Vec<&str>)], cut: &dyn Fn(&str) -> Vec<T>) -> Result<f64>
where
    M: Observe<[T]>,
{
    let mut all = Accumulator::<_, [T]>::new(metric);
    for (hypothesis, references) in segments {
        let references: Vec<Vec<T>> = references.iter().map(|text| cut(text)).collect();
        let references: Vec<&[T]> = references.iter().map(Vec::as_slice).collect();
        all.push(&cut(hypothesis), &references)?;
    }
    Ok(all.score()?.score.value())
}

fn for_text<M: Metric + Observe<str>>(metric: M, segments: &[(&str, Vec<&str>)]) -> Result<f64> {
    let mut all = Accumulator::<_, str>::new(metric);
    for (hypothesis, references) in segments {
        all.push(hypothesis, references)?;
    }
    Ok(all.score()?.score.value())
}

/// Returns the value of a function by its name in `data/programs.py`.
fn value(program: &str, hypothesis: &str, references: &[&str]) -> Result<f64> {
    let segment = [(hypothesis, references.to_vec())];
    let edits = |kind| over_chars(EditSimilarity::new(kind), &segment);
    match program {
        "levenshtein" => edits(EditKind::Levenshtein),
        "indel" => edits(EditKind::Indel),
        "jaro" => edits(EditKind::Jaro),
        "jaro_winkler" => edits(EditKind::JaroWinkler),
        "difflib" => edits(EditKind::Difflib),
        "difflib-all" => over_chars(EditSimilarity::new(EditKind::Difflib).without_autojunk(), &segment),
        "percent" => over_chars(EditSimilarity::new(EditKind::Indel).percent(), &segment),
        "ned" => over_chars(Ned, &segment),
        "anls" => for_text(Anls::new(AnlsRule::Paper, 0.5).unwrap(), &segment),
        "eed" => for_text(Eed::new(EedLanguage::English), &segment),
        "eed-ja" => for_text(Eed::new(EedLanguage::Japanese), &segment),
        "character" => for_text(Character, &segment),
        "ribes" => over_words(Ribes, &segment),
        other => panic!("no function {other}"),
    }
}
