//! Prints messages on standard error: the error that ends the program, and warnings that do not change
//! results.

use std::cell::RefCell;
use std::io::Write;

use bleuprint::contract::{DataRemarks, counted};

use bleuprint::Location;
use bleuprint::eval::Emptied;
use bleuprint::text::read::Findings;
use bleuprint::text::{NormalizerFindings, ScriptCounts, script_advice};

use crate::sides::Sides;
use crate::terminal::printable;

/// Sample of segments whose references are examined for their script. It has all segments up to the first
/// number, then one of eight up to the second number.
const SAMPLE: (u64, u64) = (64, 1000);

/// Number of hypotheses ending in a space and a full stop from which a warning about tokenized text is
/// printed, as in sacreBLEU 2.6.0.
const TOKENIZED_PERIODS: u64 = 100;

/// Options that select which warnings are printed, and findings of tokenizers and normalizers to warn about.
#[derive(Debug, Clone, Default)]
pub struct WarnRequest {
    /// `true` to print no warnings at all.
    pub quiet: bool,
    /// `true` to suppress the warning about tokenized text, like sacreBLEU's `--force`.
    pub force: bool,
    /// Names of the tokenizers in use, as in signatures.
    pub tokenizers: Vec<String>,
    /// Tokenizers that found no tokens in some texts: name, metrics that use the tokenizer, and number of
    /// such texts.
    pub emptied: Vec<(String, Vec<String>, Emptied)>,
    /// Name and findings of each normalizer, such as texts that it emptied.
    pub normalizers: Vec<(String, NormalizerFindings)>,
    /// Name of the first error rate among the metrics, and `true` if the texts of all error rates are
    /// normalized; `None` without error rates.
    pub rates: Option<(String, bool)>,
    /// Names of metrics with their remarks about the data that they have observed.
    pub remarks: Vec<(String, DataRemarks)>,
}

/// Collector of signs of likely mistakes in the input texts, such as many hypotheses that look tokenized. It
/// prints warnings about them.
pub struct Warnings {
    request: WarnRequest,
    /// Number of hypotheses that end in a space and a full stop, for each system.
    periods: Vec<u64>,
    script: ScriptCounts,
    segments: u64,
    sides: Sides,
}

impl Warnings {
    /// Creates an object that collects signs of likely mistakes in input texts and prints warnings about
    /// them. `request` selects which warnings.
    pub fn new(request: &WarnRequest) -> Self {
        Warnings {
            request: request.clone(),
            periods: Vec::new(),
            script: ScriptCounts::default(),
            segments: 0,
            sides: Sides::default(),
        }
    }

    /// Examines the texts of one segment for likely mistakes, such as tokenized text.
    pub fn look_at(&mut self, hypotheses: &[impl AsRef<str>], references: &[impl AsRef<str>]) {
        if self.request.quiet {
            return;
        }
        self.periods.resize(self.periods.len().max(hypotheses.len()), 0);
        for (periods, hypothesis) in self.periods.iter_mut().zip(hypotheses) {
            *periods += u64::from(hypothesis.as_ref().ends_with(" ."));
        }
        // A sample is enough for the script, and looking at every reference would cost time.
        if self.segments < SAMPLE.0 || self.segments < SAMPLE.1 && self.segments.is_multiple_of(8) {
            references.iter().for_each(|reference| self.script.add(reference.as_ref()));
        }
        self.segments += 1;
        if self.request.rates.is_some() {
            self.sides.look_at(hypotheses, references);
        }
    }

    /// Prints warnings about likely mistakes in the segments that were examined.
    pub fn say(&self) {
        if self.request.quiet {
            return;
        }
        let worst = self.periods.iter().copied().max().unwrap_or(0);
        // The programs behind this tokenizer, such as multi-bleu.perl, expect text that is tokenized already.
        let tokenized = |name: &String| name == "ascii-space";
        let wants_plain = !self.request.tokenizers.iter().all(tokenized);
        if worst >= TOKENIZED_PERIODS && wants_plain && !self.request.force {
            say(&format!(
                "bleuprint: warning: {worst} hypotheses end in a tokenized period (' .'); metrics that tokenize \
                 expect plain text. Use --force if this is what you mean."
            ));
        }
        let emptied = self.request.emptied.iter();
        let emptied = emptied.map(|(tokenizer, metrics, emptied)| (&**tokenizer, &**metrics, emptied));
        say_emptied(emptied, &self.script);
        if let Some((rate, normalized)) = &self.request.rates {
            let findings = self.sides.findings(*normalized);
            findings.iter().for_each(|finding| say(&format!("bleuprint: warning: {rate}: {finding}")));
        }
        for (metric, remarks) in &self.request.remarks {
            remarks
                .sentences()
                .iter()
                .for_each(|remark| say(&format!("bleuprint: warning: {metric}: {remark}")));
        }
        say_normalized(self.request.normalizers.iter().map(|(name, findings)| (&**name, findings)));
        for tokenizer in &self.request.tokenizers {
            let Some(advice) = script_advice(tokenizer, &self.script) else { continue };
            say(&format!(
                "bleuprint: warning: {:.0} % of the letters of the references are {}, {}, but the tokenizer `{tokenizer}` \
                 splits at spaces; use `--tokenize {}`, or `--tokenize char`.",
                advice.share * 100.0,
                advice.script,
                advice.reason,
                advice.suggested
            ));
        }
    }
}

impl Warnings {
    pub(crate) fn say_of_segments(&self) {
        if let (Some((rate, _)), false) = (&self.request.rates, self.request.quiet) {
            note(&format!(
                "these are rates of segments; their mean is not the {rate} of the corpus, which divides all errors by all words"
            ));
        }
    }
}

/// Prints warnings about likely mistakes that a file reader has found.
pub fn findings(place: &Location, findings: &Findings) {
    let file = place.file.as_deref().unwrap_or("the input");
    let warn = |message: String| say(&format!("bleuprint: warning: {file}: {message}"));
    if findings.leading_mark {
        warn(
            "begins with a byte order mark, which is a character of the first token, as it is for sacreBLEU; with \
             --encoding utf-8-sig it is dropped"
                .to_owned(),
        );
    }
    if let Some(kind) = findings.looks_like {
        warn(format!(
            "looks like {}, whose lines are not one text each: {}; --plain reads the lines as they are, without this warning",
            kind.name(),
            kind.remedy()
        ));
    }
    if let Some(line) = findings.mark {
        warn(format!("line {line} has a byte order mark in it, which is text there; were files joined?"));
    }
    if let Some(line) = findings.nul {
        warn(format!("line {line} has a NUL in it, which is text there; was the file written to its end?"));
    }
    findings.notes.iter().for_each(|sentence| note(sentence));
    findings.left_out.iter().for_each(|left_out| note(&left_out.to_string()));
    if !findings.ignored.is_empty() {
        let shown = |name: &String| match name.as_str() {
            // pandas writes its index in such a column.
            "" => "the column without a name".to_owned(),
            name => format!("`{name}`"),
        };
        let names: Vec<String> = findings.ignored.iter().map(shown).collect();
        note(&format!("{file}: not read: {}", names.join(", ")));
    }
}

/// Prints a warning for each tokenizer that found no tokens in some texts.
pub fn say_emptied<'e>(
    all: impl IntoIterator<Item = (&'e str, &'e [String], &'e Emptied)>,
    script: &ScriptCounts,
) {
    for (tokenizer, metrics, emptied) in all {
        let count = emptied.take();
        if count == 0 {
            continue;
        }
        // Scripts without spaces between words have their own advice; all other scripts separate words by
        // spaces.
        let better = script_advice("none", script).map_or("word", |advice| advice.suggested);
        let lines = if tokenizer.starts_with("lines:") { "lines:" } else { "" };
        let metrics = metrics.join(", ");
        say(&format!(
            "bleuprint: warning: the tokenizer `{tokenizer}` of {metrics} leaves nothing of {} with letters or \
             digits, which then match nothing; another for one metric is given behind its name, as in \
             `METRIC:tokenize={lines}{better}`.",
            counted(count, "text")
        ));
    }
}

/// Prints notes about the effects that normalizers had on texts, such as texts that became empty.
pub fn say_normalized<'f>(all: impl IntoIterator<Item = (&'f str, &'f NormalizerFindings)>) {
    let warn =
        |name: &str, message: String| say(&format!("bleuprint: warning: the normalizer `{name}` {message}"));
    for (name, findings) in all {
        for marks in findings.stripped_marks() {
            let kept = if name.contains("whisper-basic") {
                "`whisper-basic-marks` keeps them"
            } else {
                "NFC keeps them"
            };
            warn(
                name,
                format!(
                    "strips marks from {} of {} words of the script {}, vowel signs among them: words that differ in marks \
                     alone become equal; {kept}",
                    marks.stripped, marks.words, marks.script
                ),
            );
        }
        if findings.emptied() > 0 {
            warn(
                name,
                format!("leaves nothing of {} with letters or digits", counted(findings.emptied(), "text")),
            );
        }
        if let Some((before, after)) = findings.words_if_unlike() {
            warn(name, format!("makes {} of the {before} of the references", counted(after, "word")));
        }
    }
}

/// Prints the error message that ends the program on standard error.
pub fn error(message: &str) {
    say(&format!("bleuprint: error: {message}"));
}

/// Prints a note for the user on standard error.
pub fn note(message: &str) {
    say(&format!("bleuprint: {message}"));
}

thread_local! {
    /// Messages of this thread that are collected instead of printed, if a host program such as Python
    /// requests it; else `None`.
    static KEPT: RefCell<Option<Vec<String>>> = const { RefCell::new(None) };
}

/// Runs `work` and returns its result together with the messages that this thread would have printed on
/// standard error.
pub fn kept<R>(work: impl FnOnce() -> R) -> (R, Vec<String>) {
    KEPT.set(Some(Vec::new()));
    let result = work();
    (result, KEPT.take().unwrap_or_default())
}

fn say(message: &str) {
    let keep = |kept: &mut Option<Vec<String>>| {
        // A host program adds a prefix itself, so the prefixes for a terminal are removed.
        let plain = message.trim_start_matches("bleuprint: ").trim_start_matches("warning: ");
        kept.as_mut().map(|kept| kept.push(plain.to_owned()))
    };
    if KEPT.with_borrow_mut(keep).is_some() {
        return;
    }
    // If standard error is closed, nobody reads the message, and there is nothing to do.
    let _ = writeln!(std::io::stderr(), "{}", printable(message));
}
