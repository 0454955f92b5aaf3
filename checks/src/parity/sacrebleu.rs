//! BLEU on random corpora and on real system outputs: corpus and sentence level, every option.

use std::fs;
use std::path::Path;
use std::rc::Rc;

use bleuprint::metrics::Summation;
use bleuprint_testkit::random::Rng;
use serde_json::{Value, json};
use xtask::Result;

use super::bleu::BleuOptions;
use super::corpus::{self, ParityCorpus};
use super::outcome::CaseOutcome;
use super::topic::{AnyPart, DrawCase, ParityTopic, PartSize, SinglePart, TopicNeeds, in_order};
use super::{DRIVER, ParityRun, ours};

/// Folder of real data next to the checkout; the comparison skips it if it is missing.
pub(crate) const REAL_DATA: &str = "../shared/data/wmt23";

/// Number of random corpora in one question to the oracle.
const BATCH: usize = 30;

const SEED: u64 = 20_020_706;

pub(super) const RANDOM: ParityTopic = ParityTopic {
    script: DRIVER,
    needs: TopicNeeds::Nothing,
    seed: SEED,
    parts: |comparison, _| {
        let summation = comparison.given.summation;
        let mut grid = corpus::option_grid();
        comparison.rng(SEED).shuffle(&mut grid);
        let smoothed =
            |options: &BleuOptions| format!("BLEU of random corpora, smoothing {}", options.smooth);
        let of_sentences = |_: &BleuOptions| "BLEU of random sentences".to_owned();
        Ok(vec![
            corpora(PartSize::whole(7_200, BATCH), summation, random(grid.clone(), smoothed)),
            sentences(PartSize::whole(2_400, BATCH), summation, random(grid, of_sentences)),
        ])
    },
};

pub(super) const REAL: ParityTopic = ParityTopic {
    script: DRIVER,
    needs: TopicNeeds::Nothing,
    seed: 0,
    parts: |comparison, _| {
        let mut whole = Vec::new();
        let mut single = Vec::new();
        for (name, corpus) in real_data(comparison)? {
            let kind =
                if name.contains(".hyp.") { "BLEU of WMT23 systems" } else { "BLEU of the example data" };
            let corpus = Rc::new(corpus);
            let case = |kind: &str, options| BleuCase {
                kind: kind.to_owned(),
                name: name.clone(),
                corpus: Rc::clone(&corpus),
                options,
            };
            let variants = [
                ("13a", "exp", false),
                ("13a", "floor", true),
                ("none", "exp", false),
                ("char", "exp", false),
            ];
            for (tokenize, smooth, lowercase) in variants {
                let tokenize = tokenize.to_owned();
                let smooth = smooth.to_owned();
                whole.push(case(kind, BleuOptions { tokenize, lowercase, smooth, ..BleuOptions::default() }));
            }
            // Sentence level as the field does it.
            let options =
                BleuOptions { tokenize: "13a".to_owned(), effective_order: true, ..BleuOptions::default() };
            single.push(case(&format!("{kind}, sentences"), options));
        }
        let summation = comparison.given.summation;
        Ok(vec![
            corpora(PartSize::given(whole.len(), 1), summation, in_order(whole)),
            sentences(PartSize::given(single.len(), 1), summation, in_order(single)),
        ])
    },
};

/// A corpus with options; real data has a name.
struct BleuCase {
    kind: String,
    name: String,
    corpus: Rc<ParityCorpus>,
    options: BleuOptions,
}

/// Returns the drawing of random corpora, which take turns over the options.
fn random(grid: Vec<BleuOptions>, kind: impl Fn(&BleuOptions) -> String + 'static) -> DrawCase<BleuCase> {
    let mut grid = grid.into_iter().cycle();
    Box::new(move |rng: &mut Rng| {
        let options = grid.next().unwrap_or_default();
        let corpus = Rc::new(corpus::random(rng));
        BleuCase { kind: kind(&options), name: String::new(), corpus, options }
    })
}

fn corpora(size: PartSize, summation: Summation, draw: DrawCase<BleuCase>) -> Box<dyn AnyPart> {
    Box::new(SinglePart {
        size,
        draw,
        question: Box::new(|cases| questions("corpus", cases)),
        compare: Box::new(move |report, case: &BleuCase, theirs: CaseOutcome| {
            let ours = ours::bleu(&case.corpus, &case.options, summation);
            let describe = || case.corpus.describe(&case.name, &case.options);
            report.case(&case.kind, theirs.differences(ours.as_ref()), describe);
            Ok(())
        }),
    })
}

fn sentences(size: PartSize, summation: Summation, draw: DrawCase<BleuCase>) -> Box<dyn AnyPart> {
    Box::new(SinglePart {
        size,
        draw,
        question: Box::new(|cases| questions("sentences", cases)),
        compare: Box::new(move |report, case: &BleuCase, theirs: Vec<CaseOutcome>| {
            let ours = ours::bleu_of_sentences(&case.corpus, &case.options, summation);
            for (i, theirs) in theirs.iter().enumerate() {
                let differences = theirs.differences(ours.as_ref().map(|ours| &ours[i]));
                let describe = || case.corpus.describe_segment(i, &case.name, &case.options);
                report.case(&case.kind, differences, describe);
            }
            Ok(())
        }),
    })
}

fn questions(what: &str, cases: &[BleuCase]) -> Value {
    cases.iter().map(|case| question(what, &case.corpus, &case.options)).collect()
}

/// Returns the example data, and outputs of real systems if they are available.
pub(super) fn real_data(comparison: &ParityRun<'_>) -> Result<Vec<(String, ParityCorpus)>> {
    let mut all = example_data(&comparison.given.root)?;
    let folder = comparison.given.root.join(REAL_DATA);
    if folder.is_dir() {
        all.extend(comparison.turn(wmt(&folder)?));
    } else {
        println!("  skipped: real data, because {REAL_DATA} is not there");
    }
    Ok(all)
}

pub(super) fn question(what: &str, corpus: &ParityCorpus, options: &BleuOptions) -> Value {
    let hypotheses = &corpus.hypotheses;
    let references = &corpus.streams;
    json!({ "question": what, "hypotheses": hypotheses, "references": references, "options": options })
}

/// Returns the committed example data: every system with both references.
fn example_data(root: &Path) -> Result<Vec<(String, ParityCorpus)>> {
    let folder = root.join("examples/data");
    let mut all = Vec::new();
    for language in ["en", "de", "zh"] {
        for system in ["sys-a", "sys-b"] {
            let lines = |name: &str| lines(&folder.join(format!("{language}.{name}.txt")));
            let streams = ["ref1", "ref2"].map(lines).into_iter().collect::<Result<Vec<_>>>()?;
            all.push((format!("{language}.{system}"), whole(lines(system)?, streams)));
        }
    }
    Ok(all)
}

/// Returns every `<set>.hyp.<system>.<language>` with all references `<set>.ref.<name>.<language>` of its
/// set.
fn wmt(folder: &Path) -> Result<Vec<(String, ParityCorpus)>> {
    let entries = fs::read_dir(folder).map_err(|error| format!("cannot list {folder:?}: {error}"))?;
    let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = names.collect();
    names.sort_unstable();
    let mut all = Vec::new();
    for name in names.iter().filter(|name| name.contains(".hyp.")) {
        let set = name.split(".hyp.").next().unwrap_or_default();
        let references = names.iter().filter(|other| other.starts_with(&format!("{set}.ref.")));
        let streams = references.map(|other| lines(&folder.join(other))).collect::<Result<Vec<_>>>()?;
        all.push((name.clone(), whole(lines(&folder.join(name))?, streams)));
    }
    Ok(all)
}

fn whole(hypotheses: Vec<String>, streams: Vec<Vec<String>>) -> ParityCorpus {
    let streams = streams.into_iter().map(|stream| stream.into_iter().map(Some).collect()).collect();
    ParityCorpus { hypotheses, streams }
}

/// Returns the lines of a file; only LF ends a line.
pub(crate) fn lines(path: &Path) -> Result<Vec<String>> {
    let text =
        fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let text = text.strip_suffix('\n').unwrap_or(&text);
    Ok(text.split('\n').map(str::to_owned).collect())
}
