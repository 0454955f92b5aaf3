//! BLEU on random corpora and on real system outputs: corpus and sentence level, every option.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use xtask::Result;

use super::bleu::BleuOptions;
use super::corpus::{self, ParityCorpus};
use super::oracle::Oracle;
use super::outcome::CaseOutcome;
use super::{ParityRun, ours};

/// Random corpora, each scored with several combinations of options.
const CORPORA: usize = 2_400;

/// Combinations of options per corpus; successive corpora cycle through the grid.
const OPTIONS_PER_CORPUS: usize = 3;

/// Folder of real data next to the checkout; the comparison skips it if it is missing.
pub(crate) const REAL_DATA: &str = "../shared/data/wmt23";

const SEED: u64 = 20_020_706;

pub(super) fn random(comparison: &mut ParityRun<'_>) -> Result {
    let mut oracle = comparison.sacrebleu()?;
    let mut rng = comparison.rng(SEED);
    let mut grid = corpus::option_grid();
    rng.shuffle(&mut grid);
    let mut for_corpora = grid.iter().cycle();
    let mut for_sentences = grid.iter().cycle();
    for _ in 0..comparison.cases(CORPORA) {
        let corpus = corpus::random(&mut rng);
        for options in for_corpora.by_ref().take(OPTIONS_PER_CORPUS) {
            let kind = format!("BLEU of random corpora, smoothing {}", options.smooth);
            compare_corpus(comparison, &mut oracle, &kind, "", &corpus, options)?;
        }
        for options in for_sentences.by_ref().take(1) {
            compare_sentences(comparison, &mut oracle, "BLEU of random sentences", "", &corpus, options)?;
        }
    }
    Ok(())
}

pub(super) fn real(comparison: &mut ParityRun<'_>) -> Result {
    let mut oracle = comparison.sacrebleu()?;
    for (name, corpus) in &real_data(comparison)? {
        let kind = if name.contains(".hyp.") { "BLEU of WMT23 systems" } else { "BLEU of the example data" };
        let variants =
            [("13a", "exp", false), ("13a", "floor", true), ("none", "exp", false), ("char", "exp", false)];
        for (tokenize, smooth, lowercase) in variants {
            let tokenize = tokenize.to_owned();
            let smooth = smooth.to_owned();
            let options = BleuOptions { tokenize, lowercase, smooth, ..BleuOptions::default() };
            compare_corpus(comparison, &mut oracle, kind, name, corpus, &options)?;
        }
        // Sentence level as the field does it.
        let options =
            BleuOptions { tokenize: "13a".to_owned(), effective_order: true, ..BleuOptions::default() };
        let kind = format!("{kind}, sentences");
        compare_sentences(comparison, &mut oracle, &kind, name, corpus, &options)?;
    }
    Ok(())
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

fn compare_corpus(
    comparison: &mut ParityRun<'_>,
    oracle: &mut Oracle,
    kind: &str,
    name: &str,
    corpus: &ParityCorpus,
    options: &BleuOptions,
) -> Result {
    let theirs: CaseOutcome = oracle.ask(&question("corpus", corpus, options))?;
    let ours = ours::bleu(corpus, options, comparison.given.summation);
    comparison.report.case(kind, theirs.differences(ours.as_ref()), || corpus.describe(name, options));
    Ok(())
}

fn compare_sentences(
    comparison: &mut ParityRun<'_>,
    oracle: &mut Oracle,
    kind: &str,
    name: &str,
    corpus: &ParityCorpus,
    options: &BleuOptions,
) -> Result {
    let theirs: Vec<CaseOutcome> = oracle.ask(&question("sentences", corpus, options))?;
    let ours = ours::bleu_of_sentences(corpus, options, comparison.given.summation);
    for (i, theirs) in theirs.iter().enumerate() {
        let differences = theirs.differences(ours.as_ref().map(|ours| &ours[i]));
        comparison.report.case(kind, differences, || corpus.describe_segment(i, name, options));
    }
    Ok(())
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
