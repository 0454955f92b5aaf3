//! References with alternatives, STM, CTM, reports and GLM rules against sclite, rfilter1 and csrfilt.sh, if they are installed.

use bleuprint::text::{Chain, Normalizers};
use bleuprint_sclite::{AlignedStep, NORMALIZERS, Optional, ScliteSettings, StepKind, aligned, transcripts};
use bleuprint_testkit::random::Rng;
use serde_json::{Value, json};
use xtask::{Result, process};

use std::path::Path;
use std::process::Command;

use super::corpus::edited;
use super::outcome::ParityReport;
use super::topic::{ParityTopic, PartSize, SinglePart, TopicNeeds, TopicPart};

/// Number of pairs and of texts in one question to the oracle.
const BATCH: usize = 200;

const WORDS: [&str; 12] = ["a", "b", "ab", "a-", "-b", "(a)", "(ab-)", "c", "d", "e", "@", "C*"];

pub(super) const TOPIC: ParityTopic = ParityTopic {
    script: include_str!("sclite.py"),
    needs: TopicNeeds::Versions("", "programs"),
    seed: 3_640,
    parts: |comparison, oracle| {
        if !comparison.has_sctk(oracle, "sctk")? {
            return Ok(Vec::new());
        }
        let program = process::program(&comparison.given.root, &comparison.given.target, "bleuprint")?;
        Ok(vec![
            Box::new(AlignedPart),
            Box::new(SinglePart {
                size: PartSize::exact(400, 10),
                draw: Box::new(corpus),
                question: Box::new(|corpora| json!(["times", corpora])),
                compare: Box::new(compare_times),
            }),
            Box::new(SinglePart {
                size: PartSize::exact(400, 10),
                draw: Box::new(ReportCase::random),
                question: Box::new(|cases| {
                    json!(["reports", cases.iter().map(ReportCase::question).collect::<Value>()])
                }),
                compare: Box::new(move |report, case, theirs| case.compare(report, &program, theirs)),
            }),
            Box::new(FilterPart { round: 0 }),
        ])
    },
};

/// Steps of pairs with alternatives, under the same settings in one question.
struct AlignedPart;

impl TopicPart for AlignedPart {
    /// Our settings, and the flags of sclite.
    type Shared = (ScliteSettings, Vec<&'static str>);
    /// Reference and hypothesis.
    type Case = [String; 2];
    type Answer = Value;

    fn size(&self) -> PartSize {
        PartSize::whole(10_000, BATCH)
    }

    fn share(&mut self, rng: &mut Rng) -> Result<Self::Shared> {
        let optional = *rng.pick(&[Optional::Word, Optional::Sclite]);
        let fragments = rng.below(2) == 0;
        let case = rng.below(8) == 0;
        let given = [("-D", optional == Optional::Sclite), ("-F", fragments), ("-s", case)];
        let flags = given.iter().filter(|(_, given)| *given).map(|(flag, _)| *flag).collect();
        Ok((ScliteSettings { optional, fragments, case, ..ScliteSettings::default() }, flags))
    }

    fn draw(&mut self, rng: &mut Rng, _shared: &Self::Shared) -> [String; 2] {
        [text(rng, 8, 2), text(rng, 8, 1)]
    }

    fn question(&self, (_, flags): &Self::Shared, pairs: &[[String; 2]]) -> Result<Value> {
        Ok(json!(["sclite", flags, pairs]))
    }

    fn compare(
        &mut self,
        report: &mut ParityReport,
        (settings, flags): &Self::Shared,
        [reference, hypothesis]: &[String; 2],
        theirs: Value,
    ) -> Result {
        let ours: Value = aligned(hypothesis, reference, *settings)?.iter().map(shown).collect();
        let line = (ours != theirs).then(|| format!("theirs {theirs}, ours {ours}"));
        report.case("sclite", line, || format!("{flags:?} {reference:?} {hypothesis:?}"));
        Ok(())
    }
}

fn compare_times(report: &mut ParityReport, [stm, ctm]: &[String; 2], theirs: Option<Vec<String>>) -> Result {
    let ours = sums(stm, ctm)?;
    // Without segments it prints no table.
    if ours[0] != "0" {
        let theirs = theirs.unwrap_or_default();
        let line = (theirs.get(..8) != Some(&ours[..])).then(|| format!("theirs {theirs:?}, ours {ours:?}"));
        report.case("sclite of CTM", line, || format!("{stm}\n{ctm}"));
    }
    Ok(())
}

/// Two files, and some of [`FLAGS`].
struct ReportCase {
    files: Files,
    given: Vec<(&'static str, &'static str)>,
}

impl ReportCase {
    fn random(rng: &mut Rng) -> Self {
        let files = if rng.below(2) == 0 { utterances(rng) } else { recordings(rng) };
        ReportCase { files, given: FLAGS.into_iter().filter(|_| rng.below(3) == 0).collect() }
    }

    fn flags(&self) -> Vec<&str> {
        self.given.iter().map(|(flag, _)| *flag).collect()
    }

    fn question(&self) -> Value {
        let [names, texts] = [0, 1].map(|at| self.files.each_ref().map(|file| file[at].clone()));
        json!([names, self.flags(), texts])
    }

    fn compare(&self, report: &mut ParityReport, program: &Path, theirs: Vec<String>) -> Result {
        let options: Vec<&str> = self.given.iter().flat_map(|(_, options)| options.split(' ')).collect();
        for (form, theirs) in REPORTS.into_iter().zip(theirs) {
            let ours = written(program, &self.files, &options, form)?;
            let [theirs, ours] = if theirs.contains(NO_NCE) {
                [theirs, ours].map(|text| without_nce(&text))
            } else {
                [theirs, ours]
            };
            // The first differing line is printed; files may still differ in length, so equality is tested apart.
            let unlike = theirs.lines().zip(ours.lines()).find(|(theirs, ours)| theirs != ours);
            let line =
                (theirs != ours).then(|| format!("{form} {:?}: theirs, ours {unlike:?}", self.flags()));
            let texts = || self.files.each_ref().map(|file| file[1].as_str()).join("--\n");
            report.case("reports of sclite", line, texts);
        }
        Ok(())
    }
}

/// Texts under GLM rules, which are the same in one question, by the programs in turn.
struct FilterPart {
    round: usize,
}

struct FilterRules {
    program: &'static str,
    glm: String,
    chain: Chain,
}

impl TopicPart for FilterPart {
    type Shared = FilterRules;
    type Case = String;
    type Answer = Option<String>;

    fn size(&self) -> PartSize {
        PartSize::whole(4_000, BATCH)
    }

    fn share(&mut self, rng: &mut Rng) -> Result<FilterRules> {
        let program = ["glm", "csrfilt", "csrfilt-dh"][self.round % 3];
        self.round += 1;
        let glm = rules(rng);
        let mut normalizers = Normalizers::default();
        NORMALIZERS.iter().try_for_each(|entry| normalizers.add(*entry))?;
        // The process number keeps two runs on one machine apart.
        let path = std::env::temp_dir().join(format!("parity-{}.glm", std::process::id()));
        std::fs::write(&path, &glm)?;
        let chain = normalizers.build(&format!("{program}={}", path.display()))?;
        std::fs::remove_file(&path)?;
        Ok(FilterRules { program, glm, chain })
    }

    fn draw(&mut self, rng: &mut Rng, _rules: &FilterRules) -> String {
        line_of(rng)
    }

    fn question(&self, rules: &FilterRules, texts: &[String]) -> Result<Value> {
        Ok(json!(["filter", rules.program, rules.glm, texts]))
    }

    fn compare(
        &mut self,
        report: &mut ParityReport,
        FilterRules { program, glm, chain }: &FilterRules,
        text: &String,
        theirs: Option<String>,
    ) -> Result {
        let ours = chain.apply(text);
        let line = (Some(&ours) != theirs.as_ref()).then(|| format!("theirs {theirs:?}, ours {ours:?}"));
        report.case(program, line, || format!("{glm}\n{text:?}"));
        Ok(())
    }
}

const REPORTS: [&str; 5] = ["pra", "sgml", "sum", "rsum", "dtl"];

/// The flags of sclite, and our options for them.
const FLAGS: [(&str, &str); 3] = [("-D", "--optional sclite"), ("-F", "--fragments"), ("-s", "--case")];

/// A number that is not finite as sclite prints it: the entropy of words that are all right, or all wrong, is 0.
const NO_NCE: &str = "-2147483.648";

/// Returns the cells of a table without the column NCE, whose width varies.
fn without_nce(table: &str) -> String {
    let rows = table.lines().filter(|line| !line.contains("--") && !line.contains("=="));
    let cells = rows.map(|line| line.split('|').take(4).map(str::trim).collect::<Vec<_>>().join("|"));
    cells.collect::<Vec<_>>().join("\n")
}

/// Two files, each with its name.
type Files = [[String; 2]; 2];

fn files(names: [&str; 2], texts: [String; 2]) -> Files {
    let [reference, hypothesis] = texts;
    [[names[0].to_owned(), reference], [names[1].to_owned(), hypothesis]]
}

fn written(program: &Path, files: &Files, options: &[&str], form: &str) -> Result<String> {
    let folder = std::env::temp_dir().join(format!("parity-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    files.iter().try_for_each(|[name, text]| std::fs::write(folder.join(name), text))?;
    let mut command = Command::new(program);
    command
        .current_dir(&folder)
        .args(["transcripts", &files[0][0], "-i", &files[1][0], "--form", form])
        .args(options);
    let output = command.output()?;
    std::fs::remove_dir_all(folder)?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

const SPEAKERS: [&str; 4] = ["s1", "Bob", "longspeakername", "x_y"];
const SPOKEN: [&str; 11] = ["a", "b", "ab", "c", "d", "abc", "C*", "(uh)", "go-", "-b", "longerword"];

/// Returns a text with alternatives, and the words that a recognizer hears.
fn spoken(rng: &mut Rng, most: usize) -> (String, Vec<&'static str>) {
    let words: Vec<&str> = (0..rng.below(most + 1)).map(|_| *rng.pick(&SPOKEN)).collect();
    let other = |rng: &mut Rng, word: &str| match rng.below(8) {
        0 => format!("{{ {word} / {} }}", text(rng, 2, 1)),
        _ => word.to_owned(),
    };
    let reference: Vec<String> = words.iter().map(|word| other(rng, word)).collect();
    (reference.join(" "), edited(&words, &SPOKEN, 4, rng))
}

/// Returns two files of TRN.
fn utterances(rng: &mut Rng) -> Files {
    let mut sides = [String::new(), String::new()];
    let speakers = rng.between(1, SPEAKERS.len());
    for number in 0..rng.between(1, 14) {
        let (reference, heard) = spoken(rng, 15);
        let id = format!("({}-{number:03})\n", rng.pick(&SPEAKERS[..speakers]).replace('_', ""));
        sides[0] += &format!("{reference} {id}");
        sides[1] += &format!("{} {id}", heard.join(" "));
    }
    files(["a.trn", "b.trn"], sides)
}

/// Returns STM and CTM of two recordings; half of them have confidences.
fn recordings(rng: &mut Rng) -> Files {
    let mut stm = String::new();
    let mut ctm = String::new();
    let sure = rng.below(2) == 0;
    for file in ["F", "g"] {
        let mut time = 0;
        for _ in 0..rng.between(1, 7) {
            let (reference, heard) = spoken(rng, 9);
            let ends = [time + 10 * rng.below(3), time + 50 + 30 * heard.len()];
            let [start, end] = ends.map(|time| time as f64 / 100.0);
            let speaker = *rng.pick(&SPEAKERS);
            stm += &format!("{file} A {speaker} {start:.2} {end:.2} <o,F0,male> {reference}\n");
            for (place, word) in heard.iter().enumerate() {
                let confidence = if sure { format!(" 0.{:03}", rng.between(1, 999)) } else { String::new() };
                // Odd middles, so that none is the end of a segment.
                let at = start + 0.013 + 0.3 * place as f64;
                ctm += &format!("{file} A {at:.3} 0.053 {word}{confidence}\n");
            }
            time += 50 + 30 * heard.len();
        }
    }
    files(["a.stm", "b.ctm"], [stm, ctm])
}

/// Returns words with nested alternatives up to `depth`. No alternative is empty, because sclite drops such.
fn text(rng: &mut Rng, most: usize, depth: usize) -> String {
    let mut words: Vec<String> = Vec::new();
    for _ in 0..rng.between(1, most) {
        words.push(match rng.below(6) {
            0 if depth > 0 => {
                let all: Vec<String> = (0..rng.between(1, 3)).map(|_| text(rng, 3, depth - 1)).collect();
                format!("{{ {} }}", all.join(" / "))
            }
            _ => (*rng.pick(&WORDS)).to_owned(),
        });
    }
    words.join(" ")
}

/// Returns a step in the oracle's form: a missing word is the empty word.
fn shown(step: &AlignedStep) -> Value {
    let kind = match step.kind {
        StepKind::Correct | StepKind::Skipped => "C",
        StepKind::Substitution => "S",
        StepKind::Deletion => "D",
        StepKind::Insertion => "I",
    };
    json!([kind, step.reference.as_deref().unwrap_or(""), step.hypothesis.as_deref().unwrap_or("")])
}

/// Returns segments with gaps, some of which are not scored, and words in and between them.
fn corpus(rng: &mut Rng) -> [String; 2] {
    let mut stm = String::new();
    let mut ctm = String::new();
    let mut time = 0;
    for _ in 0..rng.between(1, 6) {
        let start = time + 10 * rng.below(6);
        let end = time + 60 + 10 * rng.between(1, 30);
        let text = match rng.below(6) {
            0 => "IGNORE_TIME_SEGMENT_IN_SCORING".to_owned(),
            _ => text(rng, 6, 1),
        };
        let speaker = *rng.pick(&["s1", "s2"]);
        stm += &format!(
            "f 1 {speaker} {}.{:02} {}.{:02} <o,f0,male> {text}\n",
            start / 100,
            start % 100,
            end / 100,
            end % 100
        );
        time = end;
    }
    let mut at = 3;
    while at < time + 40 {
        // Odd middles, so that none is the end of a segment.
        let word = *rng.pick(&["a", "b", "ab", "c", "d"]);
        let confidence = rng.between(1, 999);
        ctm += &format!("f 1 {}.{:02} 0.05 {word} 0.{confidence:03}\n", at / 100, at % 100);
        at += rng.between(7, 60);
    }
    [stm, ctm]
}

/// Returns the numbers of segments, words, C, S, D, I, errors and segments with errors.
fn sums(stm: &str, ctm: &str) -> Result<Vec<String>> {
    let path = |end: &str| std::env::temp_dir().join(format!("parity-{}.{end}", std::process::id()));
    let files = [path("stm"), path("ctm")];
    std::fs::write(&files[0], stm)?;
    std::fs::write(&files[1], ctm)?;
    let [reference, hypothesis] = files.each_ref().map(|path| path.to_string_lossy().into_owned());
    let all = transcripts(&reference, &hypothesis, true)?;
    files.iter().try_for_each(std::fs::remove_file)?;
    let mut counts = [0_usize; 5];
    for one in &all {
        let steps = aligned(&one.text(), &one.reference, ScliteSettings::default())?;
        let kinds = [StepKind::Correct, StepKind::Substitution, StepKind::Deletion, StepKind::Insertion];
        let here = kinds.map(|kind| steps.iter().filter(|step| step.kind == kind).count());
        counts.iter_mut().zip(here).for_each(|(sum, count)| *sum += count);
        counts[4] += usize::from(here[1..].iter().any(|count| *count > 0));
    }
    let [correct, substitutions, deletions, insertions, wrong] = counts;
    let words = correct + substitutions + deletions;
    let errors = substitutions + deletions + insertions;
    let sums = [all.len(), words, correct, substitutions, deletions, insertions, errors, wrong];
    Ok(sums.iter().map(ToString::to_string).collect())
}

fn rules(rng: &mut Rng) -> String {
    let mut glm = ";; rules\n* name \"x\"\n* desc \"x\"\n* format = 'NIST1'\n* max_nrules = '50'\n* copy_no_hit = 'T'\n".to_owned();
    glm += &format!("* case_sensitive = '{}'\n", rng.pick(&["T", "F", "F"]));
    for _ in 0..rng.between(1, 8) {
        let from = *rng.pick(&["a", "b c", "a-b", "Ab", "c", "uh", "d e", "é"]);
        let to = *rng.pick(&["[x]", "[x y]", "[(%x)]", "{x / x y}", "[]", "[a]"]);
        let context = *rng.pick(&["", " / [ ] __ [ ]", " / [ ] __ [ ]", " / [a] __ []", " / [] __ [ c]"]);
        // Braces without a context are cut at their first slash there.
        let context = if to.starts_with('{') { " / [ ] __ [ ]" } else { context };
        glm += &format!("[{from}] => {to}{context}\n");
    }
    glm
}

fn line_of(rng: &mut Rng) -> String {
    const PIECES: [&str; 13] =
        ["a", "b", "c", "ab", "a-b", "Ab", "uh", "(uh)", "(a b c)", "d e", "x--y-", "-é", "É"];
    (0..rng.between(1, 9)).map(|_| *rng.pick(&PIECES)).collect::<Vec<_>>().join(" ")
}
