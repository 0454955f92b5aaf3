//! BLEU on random corpora and on real system outputs: corpus and sentence level, every option.

use std::fs;
use std::path::Path;

use bleuprint_testkit::golden::Options;
use bleuprint_testkit::random::Rng;
use serde_json::json;

use super::Comparison;
use super::corpus::{self, Corpus};
use super::outcome::Outcome;

/// Random corpora, each scored with several combinations of options.
const CORPORA: usize = 2_400;

/// Combinations per corpus; the grid is walked through again and again.
const OPTIONS_PER_CORPUS: usize = 3;

/// Where real data lies next to the checkout, for those who have it.
pub(super) const REAL_DATA: &str = "../shared/data/wmt23";

const SEED: u64 = 20_020_706;

/// Random corpora.
pub(super) fn random(comparison: &mut Comparison) -> Result<(), String> {
    let mut rng = Rng::new(SEED);
    let mut grid = corpus::option_grid();
    rng.shuffle(&mut grid);
    let (mut for_corpora, mut for_sentences) = (grid.iter().cycle(), grid.iter().cycle());
    for _ in 0..CORPORA {
        let corpus = corpus::random(&mut rng);
        for options in for_corpora.by_ref().take(OPTIONS_PER_CORPUS) {
            let kind = format!("BLEU of random corpora, smoothing {}", options.smooth);
            compare_corpus(comparison, &kind, "", &corpus, options)?;
        }
        for options in for_sentences.by_ref().take(1) {
            compare_sentences(comparison, "BLEU of random sentences", "", &corpus, options)?;
        }
    }
    Ok(())
}

/// Real system outputs, and our own example data.
pub(super) fn real(comparison: &mut Comparison) -> Result<(), String> {
    for (name, corpus) in &real_data(comparison)? {
        let kind = if name.contains(".hyp.") { "BLEU of WMT23 systems" } else { "BLEU of the example data" };
        compare_files(comparison, kind, name, corpus)?;
    }
    Ok(())
}

/// Our own example data, and where it is there, the outputs of real systems.
pub(super) fn real_data(comparison: &Comparison) -> Result<Vec<(String, Corpus)>, String> {
    let mut all = example_data(&comparison.root)?;
    let folder = comparison.root.join(REAL_DATA);
    if folder.is_dir() {
        all.extend(wmt(&folder)?);
    } else {
        println!("  skipped: real data, because {REAL_DATA} is not there");
    }
    Ok(all)
}

fn compare_files(comparison: &mut Comparison, kind: &str, name: &str, corpus: &Corpus) -> Result<(), String> {
    let variants =
        [("13a", "exp", false), ("13a", "floor", true), ("none", "exp", false), ("char", "exp", false)];
    for (tokenize, smooth, lowercase) in variants {
        let (tokenize, smooth) = (tokenize.to_owned(), smooth.to_owned());
        let options = Options { tokenize, lowercase, smooth, ..Options::default() };
        compare_corpus(comparison, kind, name, corpus, &options)?;
    }
    // Sentence level as the field does it.
    let options = Options { tokenize: "13a".to_owned(), effective_order: true, ..Options::default() };
    compare_sentences(comparison, &format!("{kind}, sentences"), name, corpus, &options)
}

fn compare_corpus(
    comparison: &mut Comparison,
    kind: &str,
    name: &str,
    corpus: &Corpus,
    options: &Options,
) -> Result<(), String> {
    let theirs: Outcome = comparison.ask(&question("corpus", corpus, options))?;
    let differences = match comparison.ours.corpus(corpus, options) {
        Ok(ours) => theirs.differences(&ours),
        Err(error) => vec![format!("ours refused: {error}")],
    };
    comparison.report.case(kind, &differences, || describe(name, corpus, options));
    Ok(())
}

fn compare_sentences(
    comparison: &mut Comparison,
    kind: &str,
    name: &str,
    corpus: &Corpus,
    options: &Options,
) -> Result<(), String> {
    let theirs: Vec<Outcome> = comparison.ask(&question("sentences", corpus, options))?;
    let ours = comparison.ours.sentences(corpus, options);
    for (i, theirs) in theirs.iter().enumerate() {
        let differences = match &ours {
            Ok(ours) => theirs.differences(&ours[i]),
            Err(error) => vec![format!("ours refused: {error}")],
        };
        comparison.report.case(kind, &differences, || {
            format!("{name} segment {i}: {:?} {:?} {options:?}", corpus.hypotheses[i], corpus.references(i))
        });
    }
    Ok(())
}

fn question(what: &str, corpus: &Corpus, options: &Options) -> serde_json::Value {
    json!({
        "question": what,
        "hypotheses": corpus.hypotheses,
        "references": corpus.streams,
        "options": super::options_as_json(options),
    })
}

/// A corpus that is small enough is shown whole, so that the case can be typed in again.
fn describe(name: &str, corpus: &Corpus, options: &Options) -> String {
    match corpus.hypotheses.len() {
        0..=8 => format!("{:?} {:?} {options:?}", corpus.hypotheses, corpus.streams),
        many => format!("{name}, {many} segments, {options:?}"),
    }
}

/// The committed example data, every system against both references.
fn example_data(root: &Path) -> Result<Vec<(String, Corpus)>, String> {
    let folder = root.join("examples/data");
    let mut all = Vec::new();
    for language in ["en", "de", "zh"] {
        for system in ["sys-a", "sys-b"] {
            let lines = |name: &str| lines(&folder.join(format!("{language}.{name}.txt")));
            let streams = ["ref1", "ref2"].map(lines).into_iter().collect::<Result<Vec<_>, _>>()?;
            all.push((format!("{language}.{system}"), whole(lines(system)?, streams)));
        }
    }
    Ok(all)
}

/// Every `<set>.hyp.<system>.<language>` with all references `<set>.ref.<name>.<language>` of its set.
fn wmt(folder: &Path) -> Result<Vec<(String, Corpus)>, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("cannot list {folder:?}: {error}"))?;
    let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = names.collect();
    names.sort_unstable();
    let mut all = Vec::new();
    for name in names.iter().filter(|name| name.contains(".hyp.")) {
        let set = name.split(".hyp.").next().unwrap_or_default();
        let references = names.iter().filter(|other| other.starts_with(&format!("{set}.ref.")));
        let streams = references.map(|other| lines(&folder.join(other))).collect::<Result<Vec<_>, _>>()?;
        all.push((name.clone(), whole(lines(&folder.join(name))?, streams)));
    }
    Ok(all)
}

fn whole(hypotheses: Vec<String>, streams: Vec<Vec<String>>) -> Corpus {
    let streams = streams.into_iter().map(|stream| stream.into_iter().map(Some).collect()).collect();
    Corpus { hypotheses, streams }
}

/// The lines of a file; only LF ends one.
pub(super) fn lines(path: &Path) -> Result<Vec<String>, String> {
    let text =
        fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let text = text.strip_suffix('\n').unwrap_or(&text);
    Ok(text.split('\n').map(str::to_owned).collect())
}
