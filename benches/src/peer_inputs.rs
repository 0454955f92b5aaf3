//! Generated inputs of the tasks that peers do too, such as scikit-learn and seqeval: labels, tags, counts of right
//! samples, and log-likelihoods of lines. Seeds make them reproducible.
//!
//! Their distributions resemble those of users, and answers to them are recorded. A metric without a peer needs none of
//! them: `parts` measures every metric over variations of its example.

use bleuprint_testkit::random::Rng;

const CLASSES: usize = 20;
const LABELS: usize = 100_000;
const SEQUENCES: usize = 5_000;
const TAGS: usize = 25;
const PROMPTS: usize = 2_000;

/// Returns the files by their names, for a corpus of this number of lines.
pub fn files(lines: usize) -> impl Iterator<Item = (&'static str, Vec<String>)> {
    let labels = labels();
    let spans = spans();
    let [labels_hyp, labels_ref] = labels;
    let [spans_hyp, spans_ref] = spans;
    [
        ("labels.hyp", labels_hyp),
        ("labels.ref", labels_ref),
        ("spans.hyp", spans_hyp),
        ("spans.ref", spans_ref),
        ("samples", samples()),
        ("logliks", logliks(lines)),
    ]
    .into_iter()
}

/// Returns predictions and references; about four in five are equal.
fn labels() -> [Vec<String>; 2] {
    let mut rng = Rng::new(21);
    // The smaller of two draws makes low classes more frequent, as labels are in practice.
    let label = |rng: &mut Rng| format!("class {}", rng.below(CLASSES).min(rng.below(CLASSES)));
    let gold: Vec<String> = (0..LABELS).map(|_| label(&mut rng)).collect();
    let own = gold.iter().map(|gold| if rng.chance(800) { gold.clone() } else { label(&mut rng) }).collect();
    [own, gold]
}

fn spans() -> [Vec<String>; 2] {
    let mut rng = Rng::new(22);
    let mut gold = Vec::new();
    for _ in 0..SEQUENCES {
        let mut tags = Vec::new();
        while tags.len() < TAGS {
            let kind = *rng.pick(&["PER", "LOC", "ORG", "MISC"]);
            tags.extend((0..rng.between(1, 6)).map(|_| "O".to_owned()));
            tags.push(format!("B-{kind}"));
            tags.extend((0..rng.below(3)).map(|_| format!("I-{kind}")));
        }
        // All sequences have the same length, so that the number of tags is known.
        tags.truncate(TAGS);
        gold.push(tags);
    }
    let mut other = |tag: &String| if rng.chance(50) { "O".to_owned() } else { tag.clone() };
    let own = gold.iter().map(|tags| tags.iter().map(&mut other).collect::<Vec<_>>().join(" ")).collect();
    [own, gold.iter().map(|tags| tags.join(" ")).collect()]
}

/// Returns the number of samples and of right samples of each prompt, separated by a space.
fn samples() -> Vec<String> {
    let mut rng = Rng::new(23);
    (0..PROMPTS)
        .map(|_| {
            let n = rng.between(100, 200);
            format!("{n} {}", rng.below(n + 1))
        })
        .collect()
}

fn logliks(lines: usize) -> Vec<String> {
    let mut rng = Rng::new(24);
    (0..lines).map(|_| format!("-{}.{:03}", rng.between(10, 200), rng.below(1_000))).collect()
}
