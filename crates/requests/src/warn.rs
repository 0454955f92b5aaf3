//! Prints messages on standard error: the error that ends the program, and warnings that do not change
//! results.

use std::cell::RefCell;
use std::io::Write;

use bleuprint::eval::{LikelyMistake, LikelyMistakes, MistakeWording, Panel, normalizer_findings};
use bleuprint::text::NormalizerFindings;
use bleuprint::text::read::Findings;
use bleuprint::{AnyMetric, Location};

use crate::terminal::printable;

/// Options that select which warnings are printed, and the metrics whose findings are reported.
#[derive(Clone, Default)]
pub struct WarnRequest {
    /// `true` to print no warnings at all.
    pub quiet: bool,
    /// `true` to suppress the warnings about tokenized text, like sacreBLEU's `--force`.
    pub force: bool,
    /// Metrics that count the texts; `None` if only the tokenizers are known.
    pub panel: Option<Panel>,
    /// Names of the tokenizers in use, as in signatures. An empty list means the tokenizers of the metrics.
    pub tokenizers: Vec<String>,
    /// Name of the first error rate over text among the metrics; `None` without error rates.
    pub rate: Option<String>,
    /// Metrics whose remarks about the data that they have observed are printed.
    pub observing: Vec<AnyMetric>,
}

/// Collects signs of likely mistakes in the input texts, such as many hypotheses that look tokenized, and
/// prints warnings about them. [`LikelyMistakes`] has the rules.
pub struct Warnings {
    request: WarnRequest,
    mistakes: LikelyMistakes,
}

impl Warnings {
    /// Creates an object that collects signs of likely mistakes in input texts and prints warnings about
    /// them. `request` selects which warnings.
    pub fn new(request: &WarnRequest) -> Self {
        let mistakes = LikelyMistakes::new(u64::MAX);
        let mistakes = if request.rate.is_some() { mistakes } else { mistakes.without_rates() };
        Warnings { request: request.clone(), mistakes }
    }

    /// Examines the texts of one segment for likely mistakes, such as tokenized text.
    pub fn look_at(&mut self, hypotheses: &[impl AsRef<str>], references: &[impl AsRef<str>]) {
        if !self.request.quiet {
            self.mistakes.look_at(hypotheses, references);
        }
    }

    /// Prints warnings about likely mistakes in the segments that were examined.
    pub fn say(&self) {
        if self.request.quiet {
            return;
        }
        let WarnRequest { panel, tokenizers, force, .. } = &self.request;
        let found = self.mistakes.found(panel.as_ref(), tokenizers, wording());
        // Only Python knows metrics whose references are single words by nature.
        let told = found.iter().filter(|mistake| mistake.rule != "words");
        told.filter(|mistake| !(*force && mistake.is_forced())).for_each(say_mistake);
        LikelyMistake::of_data(&self.request.observing).iter().for_each(say_mistake);
    }

    /// Prints warnings about likely mistakes that were found outside of the texts, such as in scores.
    pub(crate) fn say_also(&self, found: &[LikelyMistake]) {
        if !self.request.quiet {
            found.iter().for_each(say_mistake);
        }
    }

    pub(crate) fn say_of_segments(&self) {
        if let (Some(rate), false) = (&self.request.rate, self.request.quiet) {
            note(&format!(
                "these are rates of segments; their mean is not the {rate} of the corpus, which divides all errors by all words"
            ));
        }
    }
}

/// Prints a warning about a likely mistake.
pub fn say_mistake(mistake: &LikelyMistake) {
    say(&format!("bleuprint: warning: {}", mistake.message));
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

/// Prints notes about the effects that normalizers had on texts, such as texts that became empty.
pub fn say_normalized<'f>(all: impl IntoIterator<Item = (&'f str, &'f NormalizerFindings)>) {
    for message in all.into_iter().flat_map(|(name, findings)| normalizer_findings(name, findings)) {
        say(&format!("bleuprint: warning: {message}"));
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

/// Returns `true` if users of Python read the messages of this thread, which a host program keeps for them.
pub(crate) fn is_for_python() -> bool {
    KEPT.with_borrow(Option::is_some)
}

/// Returns the interface whose users read the messages of this thread.
pub(crate) fn wording() -> MistakeWording {
    if is_for_python() { MistakeWording::Python } else { MistakeWording::Program }
}

/// Runs `work` and returns its result together with the messages that this thread would have printed on
/// standard error. Messages of `work` name options as keywords of Python.
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
