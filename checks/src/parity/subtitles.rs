//! SubER against subtitle-edit-rate, over random films.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use bleuprint::Accumulator;
use bleuprint::text::TokenizerOptions;
use bleuprint_subtitles::{Suber, Subtitles};
use bleuprint_testkit::random::Rng;
use serde_json::{Value, json};
use xtask::Result;

use super::corpus;
use super::outcome::ParityReport;
use super::topic::{ParityTopic, PartSize, SinglePart, TopicNeeds};
use crate::pieces;

const PROGRAM: &str = "subtitle-edit-rate";

/// Largest accepted difference: subtitle-edit-rate rounds to three decimals.
const ROUNDED: f64 = 5.1e-4;

/// Languages of half of the films; the other films have words of no language.
const LANGUAGES: [(&str, &str); 3] = [("zh", "subtitles-zh"), ("ja", "subtitles-ja"), ("ko", "subtitles-ko")];

pub(super) const TOPIC: ParityTopic = ParityTopic {
    script: include_str!("subtitles.py"),
    needs: TopicNeeds::Program(PROGRAM),
    seed: 3_606,
    parts: |_, oracle| {
        let dictionaries = oracle.about["dictionaries"].take();
        // Only the languages whose dictionary the oracle has installed can be compared.
        let languages = LANGUAGES.iter().filter(|(language, _)| dictionaries[language].is_string());
        let languages: Vec<(&str, &str)> = languages.copied().collect();
        let mut metrics = BTreeMap::from([(None, Suber::default())]);
        for &(language, _) in &languages {
            let dictionary = dictionaries[language].as_str().map(PathBuf::from);
            let options = TokenizerOptions { dictionary, ..TokenizerOptions::default() };
            metrics.insert(Some(language), Suber::default().language(language, &options)?);
        }
        Ok(vec![Box::new(SinglePart {
            size: PartSize::whole(10_000, 100),
            draw: Box::new(move |rng| FilmCase::random(rng, &languages)),
            question: Box::new(|cases| cases.iter().map(FilmCase::question).collect()),
            compare: Box::new(move |report, case, theirs| {
                compare(report, &metrics[&case.language], case, theirs)
            }),
        })])
    },
};

/// A film in a language, or in words of no language.
struct FilmCase {
    language: Option<&'static str>,
    reference: String,
    hypothesis: String,
}

impl FilmCase {
    fn random(rng: &mut Rng, languages: &[(&'static str, &str)]) -> Self {
        let (language, words) = match rng.below(2) {
            0 => (None, "subtitles"),
            _ => {
                let (language, words) = *rng.pick(languages);
                (Some(language), words)
            }
        };
        let [reference, hypothesis] = pair(rng, pieces::pieces(words));
        FilmCase { language, reference, hypothesis }
    }

    fn question(&self) -> Value {
        json!({ "ref": self.reference, "hyp": self.hypothesis, "language": self.language })
    }
}

/// Compares SubER and SubER-cased.
fn compare(report: &mut ParityReport, metric: &Suber, case: &FilmCase, theirs: [Option<f64>; 2]) -> Result {
    for (cased, theirs) in [false, true].into_iter().zip(theirs) {
        let metric = metric.clone();
        let ours = score(if cased { metric.cased() } else { metric }, case)?;
        let line = theirs
            .filter(|theirs| (ours - theirs).abs() > ROUNDED)
            .map(|theirs| format!("{:?}, cased {cased}: theirs {theirs}, ours {ours}", case.language));
        report.case(PROGRAM, line, || format!("{}--\n{}", case.reference, case.hypothesis));
    }
    Ok(())
}

fn score(metric: Suber, case: &FilmCase) -> Result<f64> {
    let mut all = Accumulator::<_, Subtitles>::new(metric);
    all.push(&Subtitles::from_text(&case.hypothesis)?, &[&Subtitles::from_text(&case.reference)?])?;
    Ok(all.score()?.value())
}

/// Start and end in tenths of a second, and lines of words.
type Block = (usize, usize, Vec<Vec<&'static str>>);

/// Returns a reference of one, some or many subtitles, and a hypothesis with other times, words and breaks.
fn pair(rng: &mut Rng, words: &[&'static str]) -> [String; 2] {
    let most = *rng.pick(&[1, 3, 8, 25]);
    let words = &words[..*rng.pick(&[4, words.len()])];
    // Gaps of 0 chain subtitles to one part, as films do.
    let gaps = *rng.pick(&[1, 4, 30]);
    let mut at = 0;
    let reference: Vec<Block> = (0..rng.between(1, most))
        .map(|_| {
            let start = at + rng.below(gaps);
            at = start + rng.between(1, 40);
            // Some overlap the next one.
            let end = if rng.below(12) == 0 { at + 9 } else { at };
            let lines =
                (0..rng.between(1, 2)).map(|_| (0..rng.between(1, 8)).map(|_| *rng.pick(words)).collect());
            (start, end, lines.collect())
        })
        .collect();
    let mut hypothesis = Vec::new();
    for (start, end, lines) in &reference {
        if rng.below(10) == 0 {
            continue;
        }
        let shift = rng.below(8).saturating_sub(3);
        let longer = rng.below(6).saturating_sub(3);
        let start = start + shift;
        let end = end + shift + longer;
        let mut all: Vec<&str> = corpus::edited(&lines.concat(), words, 3, rng);
        if all.is_empty() {
            all.push("a");
        }
        // A block of words may move.
        if rng.below(3) == 0 {
            let from = rng.below(all.len());
            let to = rng.between(1, all.len());
            all[from.min(to)..from.max(to)].rotate_left(from.abs_diff(to) / 2);
        }
        let cut = rng.between(1, all.len());
        let (first, second) = all.split_at(cut);
        if rng.below(6) == 0 && !second.is_empty() && end > start + 1 {
            let middle = usize::midpoint(start, end);
            hypothesis.extend([(start, middle, vec![first.to_vec()]), (middle, end, vec![second.to_vec()])]);
        } else {
            let lines = [first, second].into_iter().filter(|line| !line.is_empty()).map(<[_]>::to_vec);
            hypothesis.push((start, end, lines.collect()));
        }
    }
    hypothesis.sort_by_key(|block| block.0);
    [srt(&reference), srt(&hypothesis)]
}

fn srt(blocks: &[Block]) -> String {
    let time = |tenths: usize| {
        let seconds = tenths / 10;
        format!("{:02}:{:02}:{:02},{}00", seconds / 3600, seconds / 60 % 60, seconds % 60, tenths % 10)
    };
    let mut text = String::new();
    for (number, (start, end, lines)) in (1..).zip(blocks) {
        let lines: Vec<String> = lines.iter().map(|line| line.join(" ")).collect();
        // Writing to a string never fails.
        let _ = write!(text, "{number}\n{} --> {}\n{}\n\n", time(*start), time(*end), lines.join("\n"));
    }
    text
}
