//! Labels, spans and answers of random segments, against scikit-learn, seqeval, the script of SQuAD 2.0 and lm_eval.

use bleuprint::contract::{Data, Registry};
use bleuprint::{Accumulator, AnyMetric, AnyScore, Score as _};
use bleuprint_testkit::random::Rng;
use serde_json::{Value, json};
use xtask::Result;

use super::outcome::FloatBits;
use super::topic::{AnyPart, ParityTopic, PartSize, SinglePart, TopicNeeds};

/// Largest accepted difference: each program adds floats in a different order.
const LIMIT: f64 = 1e-13;

/// Draws a case for the oracle, and the metrics that answer it with the parts that it asks for.
type Draw = fn(&mut Rng) -> (Value, Vec<LabelsCase>);

struct LabelsCase {
    metric: String,
    hypotheses: Vec<Value>,
    references: Vec<Vec<Value>>,
    parts: &'static [&'static str],
}

const PROGRAMS: &[(&str, &str, Draw)] = &[
    ("scikit-learn", "single", single),
    ("scikit-learn", "sets", sets),
    ("seqeval", "spans", spans),
    ("transformers", "squad2", squad2),
    ("lm_eval", "drop", drop),
];

const PRF: &[&str] = &["precision", "recall", "f"];

pub(super) const TOPIC: ParityTopic = ParityTopic {
    script: include_str!("labels.py"),
    needs: TopicNeeds::Nothing,
    seed: 19_600_401,
    parts: |_, oracle| {
        let mut parts: Vec<Box<dyn AnyPart>> = Vec::new();
        for (program, of, draw) in PROGRAMS {
            match oracle.about["programs"][*program].as_str() {
                Some(version) => {
                    println!("  {program} {version}");
                    parts.push(part(program, of, *draw));
                }
                None => println!("  skipped: {program}, because it is not installed"),
            }
        }
        Ok(parts)
    },
};

fn part(program: &str, of: &'static str, draw: Draw) -> Box<dyn AnyPart> {
    let kind = format!("{program}, {of}");
    Box::new(SinglePart {
        size: PartSize::whole(10_000, 100),
        draw: Box::new(draw),
        question: Box::new(move |cases: &[(Value, Vec<LabelsCase>)]| {
            let given: Vec<&Value> = cases.iter().map(|(case, _)| case).collect();
            json!({ "of": of, "cases": given })
        }),
        compare: Box::new(move |report, (case, asked), theirs: Option<Vec<Option<FloatBits>>>| {
            let ours = asked.iter().map(answered).collect::<Result<Vec<_>>>()?.concat();
            let found = difference(of == "spans", LIMIT, theirs.as_deref(), &ours);
            report.case(&kind, found, || case.to_string());
            Ok(())
        }),
    })
}

/// Returns the parts of our score; a part is `None` if there is no score.
fn answered(asked: &LabelsCase) -> Result<Vec<Option<f64>>> {
    let metric = Registry::from_entries(bleuprint_labels::ENTRIES)?.build(&asked.metric)?;
    let Ok(score) = scored(&metric, asked)? else { return Ok(vec![None; asked.parts.len()]) };
    let part = |key: &&str| match *key {
        "score" => Some(score.value()),
        key => {
            let found = score.parts().into_iter().find(|part| part.key == key)?;
            if let bleuprint::contract::PartValue::Number(number) = found.value { Some(number) } else { None }
        }
    };
    Ok(asked.parts.iter().map(part).collect())
}

fn scored(metric: &AnyMetric, asked: &LabelsCase) -> Result<bleuprint::contract::Result<AnyScore>> {
    let segments = asked.hypotheses.iter().zip(&asked.references);
    let Some(form) = metric.view.form else {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let mut all = Accumulator::<_, str>::new(metric);
        for (hypothesis, references) in segments {
            let references: Vec<String> = references.iter().map(text).collect();
            let references: Vec<&str> = references.iter().map(String::as_str).collect();
            all.push(&text(hypothesis), &references)?;
        }
        return Ok(all.score().map(|scored| scored.score));
    };
    let mut all = Accumulator::<_, Data>::new(metric);
    for (hypothesis, references) in segments {
        let references =
            references.iter().map(|one| Ok(form.reference(one)?)).collect::<Result<Vec<Box<Data>>>>()?;
        let references: Vec<&Data> = references.iter().map(|one| &**one).collect();
        all.push(&*form.hypothesis(hypothesis)?, &references)?;
    }
    Ok(all.score().map(|scored| scored.score))
}

/// Spans without a score here have one or an error in the program, which says nothing.
fn difference(
    lenient: bool,
    limit: f64,
    theirs: Option<&[Option<FloatBits>]>,
    ours: &[Option<f64>],
) -> Option<String> {
    let unscored = ours.iter().all(Option::is_none);
    let theirs: Vec<Option<f64>> = match theirs {
        Some(theirs) => theirs.iter().map(|bits| bits.map(FloatBits::value)).collect(),
        None => vec![None; ours.len()],
    };
    let near = |(theirs, ours): (&Option<f64>, &Option<f64>)| match (theirs, ours) {
        (Some(theirs), Some(ours)) => (theirs - ours).abs() <= limit * theirs.abs().max(1.0),
        (theirs, ours) => theirs.is_none() && ours.is_none(),
    };
    let same = theirs.len() == ours.len() && theirs.iter().zip(ours).all(near);
    (!(same || lenient && unscored)).then(|| format!("theirs {theirs:?}, ours {ours:?}"))
}

fn draws<T>(rng: &mut Rng, most: usize, mut draw: impl FnMut(&mut Rng) -> T) -> Vec<T> {
    (0..rng.between(1, most)).map(|_| draw(rng)).collect()
}

fn texts(texts: &[String]) -> Vec<Value> {
    texts.iter().map(|text| json!(text)).collect()
}

fn each_alone(texts: &[String]) -> Vec<Vec<Value>> {
    texts.iter().map(|text| vec![json!(text)]).collect()
}

fn single(rng: &mut Rng) -> (Value, Vec<LabelsCase>) {
    let mut labels =
        ["cat", "dog", "New York", "été", "A", "a", "東京", "17", "2", ""].map(str::to_owned).to_vec();
    rng.shuffle(&mut labels);
    labels.truncate(rng.between(1, 6));
    let gold = draws(rng, 30, |rng| rng.pick(&labels).clone());
    let right = *rng.pick(&[0, 500, 900]);
    let own: Vec<String> = gold
        .iter()
        .map(|gold| if rng.chance(right) { gold.clone() } else { rng.pick(&labels).clone() })
        .collect();
    let average = *rng.pick(&["micro", "macro", "weighted"]);
    let zero = rng.below(2);
    let beta = *rng.pick(&[1.0, 0.5, 2.0]);
    // The program refuses labels of which none is in the references.
    let only: Vec<&str> = if rng.chance(200) { vec![gold[0].as_str(), "nowhere"] } else { vec![] };
    let case = json!({
        "gold": gold, "own": own, "labels": labels, "average": average, "beta": beta, "zero": zero, "only": only,
    });
    let narrowed = if only.is_empty() { String::new() } else { format!(",only={}", only.join("/")) };
    let order = labels.join("/");
    let mut names = vec![(format!("average={average},beta={beta},zero={zero}{narrowed}"), PRF)];
    for score in ["accuracy", "balanced", "mcc", "kappa"] {
        names.push((format!("score={score}"), &["score"]));
    }
    for weights in ["linear", "quadratic"] {
        names.push((format!("score=kappa,weights={weights},labels={order}"), &["score"]));
    }
    let asked = |(options, parts): (String, &'static [&'static str])| LabelsCase {
        metric: format!("labels:{options}"),
        hypotheses: texts(&own),
        references: each_alone(&gold),
        parts,
    };
    (case, names.into_iter().map(asked).collect())
}

fn sets(rng: &mut Rng) -> (Value, Vec<LabelsCase>) {
    let labels = ["red", "green", "blue", "dark blue"];
    let some = |rng: &mut Rng| -> Vec<&str> { labels.into_iter().filter(|_| rng.chance(400)).collect() };
    // Every label is somewhere, as it counts in the program's averages.
    let gold = [draws(rng, 12, some), vec![labels.to_vec()]].concat();
    let own: Vec<Vec<&str>> =
        gold.iter().map(|gold| if rng.chance(400) { gold.clone() } else { some(rng) }).collect();
    let average = *rng.pick(&["micro", "macro", "weighted", "samples"]);
    let zero = rng.below(2);
    let written = |sets: &[Vec<&str>]| sets.iter().map(|set| json!(set)).collect::<Vec<_>>();
    let asked = LabelsCase {
        metric: format!("labels:multilabel=list,average={average},zero={zero}"),
        hypotheses: written(&own),
        references: written(&gold).into_iter().map(|set| vec![set]).collect(),
        parts: &["precision", "recall", "f", "accuracy"],
    };
    (json!({ "gold": gold, "own": own, "labels": labels, "average": average, "zero": zero }), vec![asked])
}

fn spans(rng: &mut Rng) -> (Value, Vec<LabelsCase>) {
    let schemes = [
        ("default", "OOBIES"),
        ("default", "OOBIUL"),
        ("IOB1", "OOIB"),
        ("IOB2", "OOIB"),
        ("IOE1", "OOIE"),
        ("IOE2", "OOIE"),
        ("IOBES", "OOIBES"),
        ("BILOU", "OOBILU"),
    ];
    // The program reads all sequences as one, so that tags which begin no span may join two: see `differences.toml`. Sequences
    // with such tags stand alone.
    let alone = rng.chance(300);
    let (scheme, prefixes) = if alone { ("default", "OO.XBIES") } else { *rng.pick(&schemes) };
    let prefixes: Vec<char> = prefixes.chars().collect();
    let tag = |rng: &mut Rng| match *rng.pick(&prefixes) {
        'O' => "O".to_owned(),
        prefix if alone && rng.chance(200) => prefix.to_string(),
        prefix => format!("{prefix}{}", rng.pick(&["-PER", "-PER", "-LOC", "-A-B"])),
    };
    let gold = draws(rng, if alone { 1 } else { 5 }, |rng| draws(rng, 10, tag));
    let other = |rng: &mut Rng, tags: &Vec<String>| -> Vec<String> {
        tags.iter().map(|own| if rng.chance(800) { own.clone() } else { tag(rng) }).collect()
    };
    let own: Vec<Vec<String>> = gold.iter().map(|tags| other(rng, tags)).collect();
    let average = *rng.pick(&["micro", "macro", "weighted"]);
    let zero = rng.below(2);
    let lines = |all: &[Vec<String>]| all.iter().map(|tags| tags.join(" ")).collect::<Vec<_>>();
    let asked = LabelsCase {
        metric: format!("spans:scheme={scheme},average={average},zero={zero}"),
        hypotheses: texts(&lines(&own)),
        references: each_alone(&lines(&gold)),
        parts: PRF,
    };
    (json!({ "gold": gold, "own": own, "scheme": scheme, "average": average, "zero": zero }), vec![asked])
}

fn words(rng: &mut Rng, words: &[&str], most: usize) -> String {
    draws(rng, most, |rng| *rng.pick(words)).join(" ")
}

fn squad2(rng: &mut Rng) -> (Value, Vec<LabelsCase>) {
    const WORDS: &[&str] = &["the", "York", "york,", "a", "1869", "city", "É", "new-york", "“", "!"];
    let questions = draws(rng, 8, |rng| {
        let answers = if rng.chance(400) { vec![] } else { draws(rng, 3, |rng| words(rng, WORDS, 4)) };
        let own = match rng.below(3) {
            0 => String::new(),
            1 if !answers.is_empty() => answers[0].clone(),
            _ => words(rng, WORDS, 4),
        };
        // The program looks between equal probabilities: these are hardly ever equal.
        (answers, own, rng.below(1 << 40) as f64 / (1_u64 << 40) as f64)
    });
    let threshold = *rng.pick(&[1.0, 0.5, 0.1]);
    let asked = |score: &str, parts| LabelsCase {
        metric: format!("squad2_best:score={score},threshold={threshold}"),
        hypotheses: questions
            .iter()
            .map(|(_, own, odds)| json!({ "prediction_text": own, "no_answer_probability": odds }))
            .collect(),
        references: questions.iter().map(|(answers, ..)| vec![json!(answers)]).collect(),
        parts,
    };
    let parts: &[&str] = &["f1", "best_exact", "best_exact_thresh", "best_f1", "best_f1_thresh"];
    let asked = vec![asked("exact", &["score"]), asked("f1", parts)];
    (json!({ "questions": questions, "threshold": threshold }), asked)
}

fn drop(rng: &mut Rng) -> (Value, Vec<LabelsCase>) {
    const WORDS: &[&str] = &[
        "3",
        "three",
        "yards",
        "the Bears",
        "12.50",
        "1,000",
        "New-York",
        "$5",
        "a",
        "٣",
        "1e3",
        "19%",
        "",
        "nan",
        "1_0",
        "\t7",
    ];
    let spans = |rng: &mut Rng| draws(rng, 5, |rng| words(rng, WORDS, 3));
    let golds = draws(rng, 3, spans);
    let own = match rng.below(3) {
        0 => golds[0].clone(),
        1 => [spans(rng), golds[0].clone()].concat(),
        _ => spans(rng),
    };
    let asked = LabelsCase {
        metric: "drop:spans=list".to_owned(),
        hypotheses: vec![json!(own)],
        references: vec![golds.iter().map(|gold| json!(gold)).collect()],
        parts: &["exact", "f1"],
    };
    (json!({ "own": own, "golds": golds }), vec![asked])
}
