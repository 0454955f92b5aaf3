//! Writes the messages about likely mistakes in texts, with option names for the command line or for Python.

use bleuprint_core::{Metric as _, PartValue, Scale, counted};
use bleuprint_registry::{AnyMetric, AnyScore};
use bleuprint_text::script_advice;

use super::characters::{LoneCharacter, Menders, shown};
use super::marks::MarkedTexts;
use super::{LikelyMistake, LikelyMistakes, MistakeWording, TextSide};
use crate::Panel;

/// Smallest number of hypotheses with a space and a full stop at the end for a warning about tokenized text,
/// as in sacreBLEU 2.6.0.
const TOKENIZED_PERIODS: u64 = 100;

/// Largest number of characters that a message names, if only the hypotheses or only the references contain
/// them.
const NAMED: usize = 3;

/// Largest number of characters for which a normalizer is looked for, if only the hypotheses or only the
/// references contain them.
const LOOKED_UP: usize = 16;

/// Returns the names of the tokenizers that the metrics of a panel use, as signatures write them.
fn tokenizer_labels(panel: &Panel) -> Vec<String> {
    let mut labels: Vec<String> = Vec::new();
    for space in panel.state_key().parts.iter().map(|part| &part.space).filter(|space| !space.is_text()) {
        if !labels.iter().any(|label| label == space.label()) {
            labels.push(space.label().to_owned());
        }
    }
    labels
}

/// Returns the metrics of a panel that are error rates with a scale from 0 to 1, such as WER.
pub(super) fn error_rates(panel: &Panel) -> impl Iterator<Item = &AnyMetric> {
    panel.metrics().filter(|metric| metric.scale() == Scale::ERROR_RATE)
}

/// Returns the name of the first error rate with a scale from 0 to 1, such as WER, among the metrics of a
/// panel. The flag is `true` if all such rates are computed on normalized texts.
fn error_rate(panel: &Panel) -> Option<(String, bool)> {
    let mut rates = error_rates(panel).peekable();
    let name = rates.peek()?.identity().heading();
    // An error rate over texts with case and punctuation surprises most people, so the warning needs this.
    let is_normalized =
        |metric: &AnyMetric| metric.state_key().parts.iter().all(|part| part.space.normalizer().is_some());
    Some((name, rates.all(is_normalized)))
}

/// Returns a message if a score is 0 only because all hypotheses are shorter than the highest n-gram order.
/// Returns `None` for any other score.
///
/// For example, BLEU multiplies the precisions of orders 1 to 4. If no hypothesis has 4 tokens, there are no
/// 4-grams, and even a copy of the reference scores 0.
pub fn unreached_order(score: &AnyScore, wording: MistakeWording) -> Option<LikelyMistake> {
    // The value is compared first, because this function sees every score.
    if score.value != score.scale.min {
        return None;
    }
    let totals = score.parts.iter().find(|part| part.key == "totals")?;
    let PartValue::Counts(totals) = &totals.value else { return None };
    let reached = totals.iter().take_while(|&&total| total > 0).count();
    if reached == 0 || reached == totals.len() {
        return None;
    }
    let order = totals.len();
    let option = wording.choose("`:max-order=", "`max_order=");
    let remedy = match reached {
        1 => "does the tokenizer suit the language?".to_owned(),
        _ => format!("{option}{reached}` counts shorter n-grams"),
    };
    let message = format!(
        "{name} is 0 because no hypothesis has {order} tokens, so there are no {order}-grams, and even a copy of the \
         reference scores 0; {remedy}",
        name = score.name
    );
    Some(LikelyMistake { rule: "order", message })
}

impl LikelyMistakes {
    /// Returns the likely mistakes in the texts that were examined. `panel` has the metrics that score these
    /// texts. Without a panel, the rules about metrics and normalizers are left out.
    ///
    /// `tokenizers` are the names of the tokenizers in use. If the list is empty, the panel's tokenizers are
    /// in use. `wording` chooses how messages write options.
    pub fn found(
        &self,
        panel: Option<&Panel>,
        tokenizers: &[String],
        wording: MistakeWording,
    ) -> Vec<LikelyMistake> {
        let mut messages = MistakeMessages { all: Vec::new(), wording };
        let labels = || match panel {
            Some(panel) if tokenizers.is_empty() => tokenizer_labels(panel),
            _ => tokenizers.to_vec(),
        };
        let worst = self.systems.iter().map(|side| side.periods).max().unwrap_or(0);
        // The programs behind this tokenizer, such as multi-bleu.perl, expect text that is tokenized already.
        if worst >= TOKENIZED_PERIODS && !labels().iter().all(|name| name == "ascii-space") {
            messages.add(
                "periods",
                format!("{worst} hypotheses end in a tokenized period (' .'); metrics that tokenize expect plain text.{}", messages.force()),
            );
        }
        self.marks(&mut messages);
        if let Some(panel) = panel {
            self.emptied(panel, &mut messages);
            self.rates(panel, &mut messages);
            normalizers(panel, &mut messages);
        }
        if script_advice("none", &self.script).is_some() {
            self.scripts(&labels(), &mut messages);
        }
        self.references_found(&mut messages);
        // Last, because it tokenizes texts, and the findings of tokenizers and normalizers count them.
        if let Some(panel) = panel {
            self.characters(panel, &mut messages);
        }
        messages.all
    }

    fn marks(&self, messages: &mut MistakeMessages) {
        for side in &self.systems {
            messages.marked("pieces", &side.marks.pieces, side.texts, "hypotheses", None);
        }
        let references = &self.references;
        let name = if self.systems.is_empty() { "texts" } else { "references" };
        messages.marked("pieces", &references.marks.pieces, references.texts, name, None);
        for side in &self.systems {
            let other = references.marks.special.texts == 0;
            let other = other.then_some("references");
            messages.marked("special tokens", &side.marks.special, side.texts, "hypotheses", other);
        }
        let other = self.systems.iter().all(|side| side.marks.special.texts == 0).then_some("hypotheses");
        let other = other.filter(|_| !self.systems.is_empty());
        messages.marked("special tokens", &references.marks.special, references.texts, name, other);
    }

    fn emptied(&self, panel: &Panel, messages: &mut MistakeMessages) {
        if !panel.has_emptied() {
            return;
        }
        for (tokenizer, metrics, emptied) in panel.emptied() {
            let count = emptied.take();
            if count == 0 {
                continue;
            }
            // Scripts without spaces between words have their own advice; all other scripts separate words by
            // spaces.
            let better = script_advice("none", &self.script).map_or("word", |advice| advice.suggested);
            let lines = if tokenizer.starts_with("lines:") { "lines:" } else { "" };
            let remedy = match messages.wording {
                MistakeWording::Program => format!(
                    "another for one metric is given behind its name, as in `METRIC:tokenize={lines}{better}`."
                ),
                MistakeWording::Python => format!("use tokenize=\"{lines}{better}\""),
            };
            let metrics = metrics.join(", ");
            let texts = counted(count, "text");
            messages.add(
                "emptied",
                format!(
                    "the tokenizer `{tokenizer}` of {metrics} leaves nothing of {texts} with letters or digits, which then match \
                     nothing; {remedy}"
                ),
            );
        }
    }

    fn rates(&self, panel: &Panel, messages: &mut MistakeMessages) {
        if self.sides.are_plain() {
            return;
        }
        let Some((rate, normalized)) = error_rate(panel) else { return };
        let option = messages.wording.choose("--norm", "norm=");
        for (rule, message) in self.sides.findings(normalized, option) {
            messages.add(rule, format!("{rate}: {message}"));
        }
    }

    fn scripts(&self, tokenizers: &[String], messages: &mut MistakeMessages) {
        let advised = tokenizers.iter().filter_map(|one| Some((one, script_advice(one, &self.script)?)));
        let advised: Vec<_> = advised.collect();
        let Some((_, advice)) = advised.first() else { return };
        let names: Vec<String> = advised.iter().map(|(name, _)| format!("`{name}`")).collect();
        let split = match &names[..] {
            [name] => format!("the tokenizer {name} splits"),
            _ => format!("the tokenizers {} split", names.join(", ")),
        };
        let better = messages.wording.option("tokenize", advice.suggested);
        let characters = messages.wording.option("tokenize", "char");
        messages.add(
            "script",
            format!(
                "{} % of the letters of the references are {}, {}, but {split} at spaces; use {better}, or {characters}.",
                (advice.share * 100.0).round(),
                advice.script,
                advice.reason,
            ),
        );
    }

    fn references_found(&self, messages: &mut MistakeMessages) {
        if let Some((one, other)) = self.equal.found() {
            messages.add(
                "equal references",
                format!(
                    "reference {} is equal to reference {} in every segment, so it adds nothing; was a file given twice?",
                    other + 1,
                    one + 1
                ),
            );
        }
        let (tabbed, first, last) = self.references.tabs;
        let is_plain = !self.systems.is_empty() && self.systems.iter().all(|side| side.tabs.0 == 0);
        if tabbed > 0 && 2 * tabbed >= self.references.texts && is_plain {
            let count = if first == last { first + 1 } else { first.max(last) + 1 };
            let remedy = match messages.wording {
                MistakeWording::Program => format!("`--num-refs {count}` reads them as references"),
                MistakeWording::Python => "`text.split(\"\\t\")` makes a list of references".to_owned(),
            };
            messages.add(
                "tabs",
                format!(
                    "{tabbed} of {} references have a tab, and no hypothesis has one: are they several references in a line? {remedy}",
                    self.references.texts
                ),
            );
        }
        if let Some(first) = self.words.found() {
            let forms = messages.wording.choose(
                "give each reference as a text",
                "so give each reference as a text, or all texts as lists of tokens",
            );
            messages.add(
                "words",
                format!(
                    "every reference is one word, such as '{first}', and the hypotheses are of several words: a list in `references` \
                     is a list of references, {forms}"
                ),
            );
        }
    }

    fn characters(&self, panel: &Panel, messages: &mut MistakeMessages) {
        for system in &self.systems {
            let pairs = [
                (system, &self.references, "hypotheses", "reference"),
                (&self.references, system, "references", "hypothesis"),
            ];
            for (own, other, owners, others) in pairs {
                let alone = of_one_side(own, other, panel);
                if !alone.is_empty() {
                    messages.characters(&alone, own.texts, (owners, others));
                    // The other side often has the counterparts of the same characters.
                    return;
                }
            }
        }
    }
}

/// Returns the characters that the texts `own` contain and the texts `other` lack, the most frequent first.
/// Characters are left out if they change neither tokens nor normalized texts for any metric of the panel.
fn of_one_side(own: &TextSide, other: &TextSide, panel: &Panel) -> Vec<LoneCharacter> {
    let mut alone = own.characters.alone(own.texts, &other.characters, other.texts);
    if alone.is_empty() {
        return Vec::new();
    }
    alone.sort_by_key(|&(_, texts)| std::cmp::Reverse(texts));
    let menders = Menders::new(&own.characters, &other.characters);
    let lone = alone.iter().take(LOOKED_UP).map(|&(c, texts)| menders.mend(c, texts));
    let matters = |lone: &LoneCharacter| {
        let [one, other] = lone.in_words();
        panel.tells_apart(&one, &other)
    };
    lone.filter(matters).collect()
}

/// Adds a message for each harmful effect that a normalizer of the panel had on texts, such as texts that
/// became empty.
fn normalizers(panel: &Panel, messages: &mut MistakeMessages) {
    for (name, findings) in panel.normalizers() {
        for message in normalizer_findings(name, findings) {
            messages.add("normalizer", message);
        }
    }
}

/// Returns a message for each harmful effect that the normalizer with this name had on texts, such as texts
/// that became empty. `findings` has the counts of these effects.
pub fn normalizer_findings(name: &str, findings: &bleuprint_text::NormalizerFindings) -> Vec<String> {
    let mut all = Vec::new();
    for marks in findings.stripped_marks() {
        let kept = if name.contains("whisper-basic") {
            "`whisper-basic-marks` keeps them"
        } else {
            "NFC keeps them"
        };
        all.push(format!(
            "strips marks from {} of {} words of the script {}, vowel signs among them: words that differ in marks alone \
             become equal; {kept}",
            marks.stripped, marks.words, marks.script
        ));
    }
    if findings.emptied() > 0 {
        all.push(format!("leaves nothing of {} with letters or digits", counted(findings.emptied(), "text")));
    }
    if let Some((before, after)) = findings.words_if_unlike() {
        all.push(format!("makes {} of the {before} of the references", counted(after, "word")));
    }
    all.into_iter().map(|message| format!("the normalizer `{name}` {message}")).collect()
}

/// The messages found so far, and whether they write options for the command line or for Python.
struct MistakeMessages {
    all: Vec<LikelyMistake>,
    wording: MistakeWording,
}

impl MistakeMessages {
    fn add(&mut self, rule: &'static str, message: String) {
        self.all.push(LikelyMistake { rule, message });
    }

    fn force(&self) -> &'static str {
        self.wording.choose(" Use --force if this is what you mean.", "")
    }

    fn marked(&mut self, rule: &'static str, marked: &MarkedTexts, of: u64, side: &str, other: Option<&str>) {
        // One message is enough for several systems.
        if !marked.is_many(of) || self.all.iter().any(|known| known.rule == rule) {
            return;
        }
        let (what, remedy) = match rule {
            "pieces" => {
                ("subword pieces", "join the pieces into words first, as the vocabulary decodes them")
            }
            _ => ("special tokens", "remove them first"),
        };
        let other = other.map_or_else(String::new, |other| format!(", and none of the {other}"));
        let force = self.force();
        self.add(
            rule,
            format!(
                "{} of {of} {side} have {what} such as `{}`, which count as words{other}: {remedy}.{force}",
                marked.texts, marked.first
            ),
        );
    }

    fn characters(&mut self, alone: &[LoneCharacter], texts: u64, (owners, others): (&str, &str)) {
        let Some(first) = alone.first() else { return };
        let alike: Vec<&LoneCharacter> = alone.iter().filter(|one| one.mender == first.mender).collect();
        let names: Vec<String> = alike.iter().take(NAMED).map(|one| shown(one.character)).collect();
        let more = alike.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let remedy = match first.mender {
            Some((name, effect)) => format!("{}, {effect}", self.wording.option("norm", name)),
            None => "was one side normalized, or written in another alphabet?".to_owned(),
        };
        self.add(
            "characters",
            format!(
                "{} of {texts} {owners} have {}{more}, which no {others} has: {remedy}",
                first.texts,
                names.join(", ")
            ),
        );
    }
}
