//! BERTScore over random vectors, against bert_score's own matching in double precision; and cosines, also of means, against the
//! definition with sums that are rounded once. Both within 1e-12: the order of a sum is the program's own.

use bleuprint::families::vectors::{BertScore, Cosine, CosineReferences};
use bleuprint::metrics::FScore;
use bleuprint::{Accumulator, contract::Vector};
use bleuprint_testkit::random::Rng;
use serde_json::json;
use xtask::Result;

use super::ParityRun;

/// Random segments of each metric, and number in one question to the oracle.
const CASES: usize = 100_000;
const BATCH: usize = 500;

const SEED: u64 = 20_190_421;

const LIMIT: f64 = 1e-12;

type Text = (Vec<Vec<f32>>, Vec<f64>);

type Pair = (Text, Vec<Text>);

pub(super) fn random(comparison: &mut ParityRun<'_>) -> Result {
    let Some(mut oracle) = comparison.oracle_with(include_str!("vectors.py"), "bert_score")? else {
        return Ok(());
    };
    let mut rng = comparison.rng(SEED);
    for number in 0..comparison.cases(CASES).div_ceil(BATCH) {
        let pairs: Vec<Pair> = (0..BATCH).map(|_| pair(&mut rng)).collect();
        let theirs: Vec<Vec<[Option<f64>; 3]>> =
            oracle.ask(&json!({ "metric": "bertscore", "pairs": pairs }))?;
        for (pair, theirs) in pairs.iter().zip(&theirs) {
            // P and R that are almost opposite have an F beyond all sums.
            let is_opposite = |[_, precision, recall]: &[Option<f64>; 3]| {
                precision.zip(*recall).is_some_and(|(precision, recall)| (precision + recall).abs() < 1e-3)
            };
            if theirs.iter().any(is_opposite) {
                continue;
            }
            let FScore { f1, precision, recall, .. } = scored(BertScore::new(), pair)?;
            let found = difference(&best(theirs), &[f1, precision, recall]);
            comparison.report.case("BERTScore over vectors within 1e-12", found, || format!("{pair:?}"));
        }
        let over = if number % 2 == 0 { CosineReferences::Max } else { CosineReferences::Mean };
        // Weights that sum to 0 have no mean.
        let pairs: Vec<Pair> = pairs.into_iter().filter(has_means).collect();
        let theirs: Vec<Vec<f64>> = oracle.ask(&json!({ "metric": "cosine", "pairs": pairs }))?;
        for (pair, theirs) in pairs.iter().zip(&theirs) {
            let score = scored(Cosine::new().with_references(over), pair)?.score;
            let theirs = match over {
                CosineReferences::Max => theirs.iter().copied().fold(f64::NEG_INFINITY, f64::max),
                _ => theirs.iter().sum::<f64>() / theirs.len() as f64,
            };
            let found = difference(&[theirs], &[score]);
            comparison.report.case("cosine within 1e-12", found, || format!("{pair:?}, {over:?}"));
        }
    }
    Ok(())
}

fn scored<M>(metric: M, (hypothesis, references): &Pair) -> Result<M::Score>
where
    M: bleuprint::Metric + for<'v> bleuprint::Observe<[Vector<'v>]>,
{
    let own = vectors(hypothesis);
    let others: Vec<Vec<Vector<'_>>> = references.iter().map(vectors).collect();
    let others: Vec<&[Vector<'_>]> = others.iter().map(Vec::as_slice).collect();
    let mut all = Accumulator::<M, [Vector<'_>]>::new(metric);
    all.push(&own, &others)?;
    Ok(all.score()?.score)
}

fn vectors((rows, weights): &Text) -> Vec<Vector<'_>> {
    rows.iter()
        .zip(weights)
        .map(|(row, weight)| Vector { weight: *weight, ..Vector::from(&row[..]) })
        .collect()
}

/// Returns the greatest value of each number over the references. The program returns NaN for a side whose
/// weights sum to 0; ours is 0.
fn best(theirs: &[[Option<f64>; 3]]) -> [f64; 3] {
    let of_reference = |scores: &[Option<f64>; 3]| match scores {
        [f, Some(precision), Some(recall)] => [f.unwrap_or_default(), *precision, *recall],
        _ => [0.0; 3],
    };
    theirs.iter().map(of_reference).fold([f64::NEG_INFINITY; 3], |best, scores| {
        [best[0].max(scores[0]), best[1].max(scores[1]), best[2].max(scores[2])]
    })
}

fn difference(theirs: &[f64], ours: &[f64]) -> Option<String> {
    // F has no limits where P and R have unlike signs, and grows the more the nearer their sum is to 0.
    let near = |(theirs, ours): (&f64, &f64)| (theirs - ours).abs() <= LIMIT * (theirs * theirs).max(1.0);
    (!theirs.iter().zip(ours).all(near)).then(|| format!("theirs {theirs:?}, ours {ours:?}"))
}

fn has_means((hypothesis, references): &Pair) -> bool {
    references.iter().chain([hypothesis]).all(|(rows, weights)| {
        let width = rows[0].len();
        let mean =
            |at: usize| -> f64 { rows.iter().zip(weights).map(|(row, w)| f64::from(row[at]) * w).sum() };
        weights.iter().sum::<f64>() > 0.0 && (0..width).map(mean).any(|sum| sum.abs() > 1e-3)
    })
}

fn pair(rng: &mut Rng) -> Pair {
    // Some vectors come again, so that several are the most similar.
    let width = *rng.pick(&[1, 2, 3, 5, 8, 9, 17]);
    let known: Vec<Vec<f32>> = (0..rng.between(1, 6)).map(|_| row(rng, width)).collect();
    let references = (0..rng.between(1, 3)).map(|_| text(rng, width, &known)).collect();
    (text(rng, width, &known), references)
}

fn text(rng: &mut Rng, width: usize, known: &[Vec<f32>]) -> Text {
    // Two rows are an empty text for the program, whose P and R it sets to 0.
    let rows = *rng.pick(&[1, 3, 4, 5, 6, 9]);
    let rows: Vec<Vec<f32>> =
        (0..rows).map(|_| if rng.chance(300) { rng.pick(known).clone() } else { row(rng, width) }).collect();
    let weights = *rng.pick(&[&[1.0][..], &[1.0, 0.0], &[0.25, 1.5, 3.7, 0.0]]);
    let weights = rows.iter().map(|_| *rng.pick(weights)).collect();
    (rows, weights)
}

fn row(rng: &mut Rng, width: usize) -> Vec<f32> {
    let scale = *rng.pick(&[1.0, 1.0, 1e-3, 4096.0]);
    let mut number = || (rng.below(20_001) as f32 - 10_000.0) / 10_000.0 * scale;
    let mut row: Vec<f32> = (0..width).map(|_| number()).collect();
    if row.iter().all(|number| *number == 0.0) {
        row[0] = 1.0;
    }
    row
}
