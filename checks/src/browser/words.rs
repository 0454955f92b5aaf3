//! Groups of words by frequency, and n-grams won and lost, against the library; for many systems and any pair.

use bleuprint::eval::{NgramMatches, NgramWins};
use bleuprint::text::{TokenBuffer, TokenizerOptions, tokenizer};
use serde_json::Value;

use super::corpora::corpus;
use super::driver::Browser;
use super::numbers::{close, json};
use super::{Checks, require};

/// How many n-grams the page lists for each system of a pair.
const LISTED: usize = 15;

/// The outputs of the many systems: those of the corpora, each with words of another left out.
const MANY: usize = 15;

pub(super) fn run(checks: &Checks, browser: &mut Browser) -> Result<(), String> {
    frequencies(checks, browser, &["r1"], "13a")?;
    frequencies(checks, browser, &["r1", "r2"], "zh")?;
    many(checks, browser)
}

/// The tokens of each line of a file.
fn tokens(text: &str, name: &str) -> Result<Vec<Vec<String>>, String> {
    let tokenizer = tokenizer(name, &TokenizerOptions::default()).map_err(|error| error.to_string())?;
    let mut buffer = TokenBuffer::default();
    text.lines()
        .map(|line| {
            let tokens = tokenizer.tokenize(line, &mut buffer).map_err(|error| error.to_string())?;
            Ok(tokens.iter().map(str::to_owned).collect())
        })
        .collect()
}

fn strs(tokens: &[String]) -> Vec<&str> {
    tokens.iter().map(String::as_str).collect()
}

fn file<'f>(files: &'f [(&str, String)], name: &str) -> &'f str {
    files.iter().find(|(known, _)| *known == name).map_or("", |(_, text)| text)
}

/// Matches of words by how often the references have them.
fn frequencies(
    checks: &Checks,
    browser: &mut Browser,
    references: &[&str],
    name: &str,
) -> Result<(), String> {
    let files = corpus(8, 220).files;
    let arguments = [references, &["-i", "s2", "s3", "--tokenize", name]].concat();
    let address = checks.page("words", &files, &arguments)?;
    browser.open(&format!("{address}#by=:words"))?;
    let rows = browser.run(
        "return [...document.querySelectorAll('#slices tbody tr')].map(r => [r.dataset.label, r.children[1].textContent.replaceAll(',', ''), ...[...r.querySelectorAll('[data-value]')].map(e => e.dataset.value), r.querySelector('[data-low]').dataset.low, r.querySelector('[data-low]').dataset.high])",
    )?;
    let read = |name_of: &str| tokens(file(&files, name_of), name);
    let (one, other) = (read("s2")?, read("s3")?);
    let references: Vec<Vec<Vec<String>>> =
        references.iter().map(|file| read(file)).collect::<Result<_, _>>()?;
    let segments = one.len();
    let wins = |left_out: Option<usize>| {
        let mut wins = NgramWins::new(1);
        for segment in (0..segments).filter(|segment| Some(*segment) != left_out) {
            let lists: Vec<Vec<&str>> = references.iter().map(|file| strs(&file[segment])).collect();
            let lists: Vec<&[&str]> = lists.iter().map(Vec::as_slice).collect();
            wins.add(&strs(&one[segment]), &strs(&other[segment]), &lists);
        }
        wins
    };
    let matches = wins(None).by_frequency(1);
    let labels =
        [("once", "once"), ("2 to 5 times", "rare"), ("6 to 50 times", "medium"), ("more often", "frequent")];
    for row in rows.as_array().into_iter().flatten() {
        let class = labels.iter().find(|(label, _)| row[0] == *label).map(|(_, class)| *class);
        let class = class.ok_or_else(|| format!("no class {}", row[0]))?;
        let sums =
            matches.iter().find(|(frequency, _)| frequency.name() == class).map_or([0, 0], |(_, sums)| *sums);
        let size: f64 = row[1].as_str().and_then(|text| text.parse().ok()).unwrap_or(f64::NAN);
        for system in 0..2 {
            let share = 100.0 * sums[system] as f64 / size;
            close(&format!("words {class}"), &row[2 + system], &share.into())?;
        }
        let bound = |place: usize| row[place].as_str().and_then(|text| text.parse::<f64>().ok());
        let (difference, low, high) = (bound(4), bound(5), bound(6));
        let holds = match (difference, low, high) {
            (Some(difference), Some(low), Some(high)) if low.is_finite() => {
                low <= difference
                    && difference <= high
                    && (difference - low - (high - difference)).abs() < 1e-9
            }
            _ => true,
        };
        require(holds, || format!("the interval of {row}"))?;
    }
    // Sizes of the classes add up to the words of the references, each as often as the one that has it most.
    let size: u64 =
        rows.as_array().into_iter().flatten().filter_map(|row| row[1].as_str()?.parse::<u64>().ok()).sum();
    let mut limits = NgramMatches::new(1);
    for segment in 0..segments {
        let lists: Vec<Vec<&str>> = references.iter().map(|file| strs(&file[segment])).collect();
        let lists: Vec<&[&str]> = lists.iter().map(Vec::as_slice).collect();
        // An output that has all words of all references matches each as often as it may.
        limits.add(&[&lists.concat()], &lists);
    }
    let table = limits.finish();
    let words: u64 = (0..table.len())
        .filter(|&ngram| table.tokens(ngram).len() == 1)
        .map(|ngram| table.references(ngram))
        .sum();
    require(size == words, || format!("the classes have {size} words, the references {words}"))
}

/// Fifteen systems: the n-grams and the difference of pairs far down the list are the library's, and nothing overflows a
/// narrow window.
fn many(checks: &Checks, browser: &mut Browser) -> Result<(), String> {
    let mut files = corpus(9, 120).files;
    let names: Vec<String> = (0..MANY).map(|system| format!("m{system}")).collect();
    for (system, name) in names.iter().enumerate() {
        let source = file(&files, ["s1", "s2", "s3"][system % 3]).to_owned();
        let line = |(at, line): (usize, &str)| {
            let words = line.split(' ').enumerate().filter(|(word, _)| (word + at) % (system + 3) != 0);
            words.map(|(_, word)| word).collect::<Vec<_>>().join(" ") + "\n"
        };
        let text = source.lines().enumerate().map(line).collect();
        files.push((name.clone().leak(), text));
    }
    let outputs: Vec<&str> = names.iter().map(String::as_str).collect();
    let address = checks.page("many", &files, &[&["r1", "r2", "-i"], &outputs[..]].concat())?;
    let mut matches = NgramMatches::new(MANY);
    let read = |name: &str| tokens(file(&files, name), "13a");
    let hypotheses: Vec<_> = outputs.iter().map(|name| read(name)).collect::<Result<_, _>>()?;
    let references = [read("r1")?, read("r2")?];
    for segment in 0..references[0].len() {
        let of = |lists: &[Vec<Vec<String>>]| -> Vec<Vec<String>> {
            lists.iter().map(|list| list[segment].clone()).collect()
        };
        let (own, others) = (of(&hypotheses), of(&references));
        let (own, others): (Vec<Vec<&str>>, Vec<Vec<&str>>) =
            (own.iter().map(|list| strs(list)).collect(), others.iter().map(|list| strs(list)).collect());
        let slices: Vec<&[&str]> = own.iter().map(Vec::as_slice).collect();
        matches.add(&slices, &others.iter().map(Vec::as_slice).collect::<Vec<_>>());
    }
    let table = matches.finish();
    for (first, second) in [(0, 1), (7, 12), (14, 13)] {
        browser.open(&format!("{address}#a=m{first}&b=m{second}"))?;
        for (side, (winner, loser)) in [(first, second), (second, first)].into_iter().enumerate() {
            let listed = browser.run(&format!(
                "return [...document.querySelectorAll('#grams > div')[{side}].querySelectorAll('tbody tr')].map(r => [r.querySelector('button').textContent, ...[...r.querySelectorAll('.num')].map(e => Number(e.textContent.replaceAll(',', '')))])"
            ))?;
            let expected: Vec<Value> = table
                .surest(winner, loser, LISTED)
                .into_iter()
                .map(|ngram| {
                    let [one, other] = [first, second].map(|system| table.matches(ngram, system));
                    serde_json::json!([table.tokens(ngram).join(" "), one, other, table.references(ngram)])
                })
                .collect();
            require(listed == Value::Array(expected.clone()), || {
                format!("n-grams of m{winner} over m{loser}: {listed}, not {expected:?}")
            })?;
        }
        let compared = checks.program(&[
            "compare",
            "r1",
            "r2",
            "-i",
            &format!("m{first}"),
            &format!("m{second}"),
            "-q",
            "-f",
            "json",
        ])?;
        let pair = &json(&compared)?["metrics"][0]["pairs"][0];
        let live = browser.run("return document.querySelector('#live b').dataset.value")?;
        close("difference", &live, &pair["difference"])?;
    }
    // Pressed, an n-gram keeps the segments whose references have it.
    browser.run("document.querySelector('#grams button').click()")?;
    let (ngram, kept) = (
        browser.run("return document.querySelector('#grams button').textContent")?,
        browser.run("return Number(document.getElementById('view').getAttribute('aria-rowcount')) - 1")?,
    );
    let wanted = format!(" {} ", ngram.as_str().unwrap_or_default());
    let has = |segment: &usize| {
        references.iter().any(|file| format!(" {} ", file[*segment].join(" ")).contains(&wanted))
    };
    let expected = (0..references[0].len()).filter(has).count();
    require(kept == expected && expected > 0, || format!("{ngram} keeps {kept} segments, not {expected}"))?;
    for width in [420, 340] {
        browser.resize(width, 900)?;
        browser.open(&address)?;
        let overflow = browser.run("return document.documentElement.scrollWidth - innerWidth")?;
        require(overflow.as_i64().is_some_and(|pixels| pixels <= 0), || {
            format!("{MANY} systems overflow a window of {width} by {overflow}")
        })?;
    }
    Ok(())
}
