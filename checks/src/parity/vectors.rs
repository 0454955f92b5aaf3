//! BERTScore over random vectors, against bert_score's own matching in double precision; and cosines, also of means, against the
//! definition with sums that are rounded once. Both within 1e-12: the order of a sum is the program's own.

use bleuprint::families::vectors::{BertScore, Cosine, CosineReferences};
use bleuprint::metrics::FScore;
use bleuprint::{Accumulator, contract::Vector};
use bleuprint_testkit::random::Rng;
use serde_json::{Value, json};
use xtask::Result;

use super::outcome::ParityReport;
use super::topic::{ParityTopic, PartSize, SinglePart, TopicNeeds, TopicPart};

const LIMIT: f64 = 1e-12;

type Text = (Vec<Vec<f32>>, Vec<f64>);

type Pair = (Text, Vec<Text>);

const SIZE: PartSize = PartSize::whole(100_000, 500);

pub(super) const TOPIC: ParityTopic = ParityTopic {
    script: include_str!("vectors.py"),
    needs: TopicNeeds::Program("bert_score"),
    seed: 20_190_421,
    parts: |_, _| {
        Ok(vec![
            Box::new(SinglePart {
                size: SIZE,
                draw: Box::new(pair),
                question: Box::new(|pairs| json!({ "metric": "bertscore", "pairs": pairs })),
                compare: Box::new(compare_bertscore),
            }),
            Box::new(CosinePart { over: CosineReferences::Mean }),
        ])
    },
};

fn compare_bertscore(report: &mut ParityReport, pair: &Pair, theirs: Vec<[Option<f64>; 3]>) -> Result {
    // P and R that are almost opposite have an F beyond all sums.
    let is_opposite = |[_, precision, recall]: &[Option<f64>; 3]| {
        precision.zip(*recall).is_some_and(|(precision, recall)| (precision + recall).abs() < 1e-3)
    };
    if theirs.iter().any(is_opposite) {
        return Ok(());
    }
    let FScore { f1, precision, recall, .. } = scored(BertScore::new(), pair)?;
    let found = difference(&best(&theirs), &[f1, precision, recall]);
    report.case("BERTScore over vectors within 1e-12", found, || format!("{pair:?}"));
    Ok(())
}

/// Cosines, over the best reference and over the mean of the references in turn.
struct CosinePart {
    over: CosineReferences,
}

impl TopicPart for CosinePart {
    type Shared = CosineReferences;
    type Case = Pair;
    type Answer = Vec<f64>;

    fn size(&self) -> PartSize {
        SIZE
    }

    fn share(&mut self, _rng: &mut Rng) -> Result<CosineReferences> {
        self.over = match self.over {
            CosineReferences::Max => CosineReferences::Mean,
            _ => CosineReferences::Max,
        };
        Ok(self.over)
    }

    fn draw(&mut self, rng: &mut Rng, _over: &CosineReferences) -> Pair {
        loop {
            let pair = pair(rng);
            // Weights that sum to 0 have no mean.
            if has_means(&pair) {
                return pair;
            }
        }
    }

    fn question(&self, _over: &CosineReferences, pairs: &[Pair]) -> Result<Value> {
        Ok(json!({ "metric": "cosine", "pairs": pairs }))
    }

    fn compare(
        &mut self,
        report: &mut ParityReport,
        over: &CosineReferences,
        pair: &Pair,
        theirs: Vec<f64>,
    ) -> Result {
        let score = scored(Cosine::new().with_references(*over), pair)?.score;
        let theirs = match over {
            CosineReferences::Max => theirs.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            _ => theirs.iter().sum::<f64>() / theirs.len() as f64,
        };
        let found = difference(&[theirs], &[score]);
        report.case("cosine within 1e-12", found, || format!("{pair:?}, {over:?}"));
        Ok(())
    }
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
