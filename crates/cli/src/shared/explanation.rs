//! Explains a reported BLEU score or error rate: computes the score under all common settings and likely
//! mistakes, on the same data.

use bleuprint::contract::Choice as _;
use bleuprint::contract::counted;
use bleuprint::explain::{
    Explainer, NORMALIZERS, NumberExplanation, RateExplainer, RateExplanation, RoundedTarget, TOKENIZERS,
    Working, WorkingError,
};
use bleuprint::text::Encoding;
use bleuprint::{Case, TokenizerOptions, Tokenizers, report};
use bleuprint_requests::failure::{Failure, Result, fail};
use bleuprint_requests::input::{InputRow, Streams};
use bleuprint_requests::warn::{WarnRequest, Warnings};
use serde_json::{Value, json};

use crate::shared::command::Out;
use crate::shared::sources::StreamsRequest;

/// Largest number of settings that are printed for the same score value.
const MOST_OF_A_GROUP: usize = 4;

/// Number of closest results that are printed if no setting gives the reported score.
const NEAREST: usize = 5;

/// Exit code if no setting gives the reported score.
const NOTHING_FITS: u8 = 1;

pub(crate) struct ExplainRequest {
    pub(crate) streams: StreamsRequest,
    pub(crate) tokenizers: Vec<String>,
    pub(crate) target: Option<RoundedTarget>,
    pub(crate) most: Option<usize>,
    pub(crate) json: bool,
    pub(crate) quiet: bool,
    pub(crate) force: bool,
}

impl ExplainRequest {
    pub(crate) fn new(streams: StreamsRequest) -> Self {
        // Each tokenizer trims the ends of lines by itself. Standard input is read as by `score`, where CR
        // ends a line too.
        let streams = StreamsRequest { raw_lines: streams.systems.is_some(), ..streams };
        let tokenizers = TOKENIZERS.iter().map(|&name| name.to_owned()).collect();
        ExplainRequest {
            streams,
            tokenizers,
            target: None,
            most: None,
            json: false,
            quiet: false,
            force: false,
        }
    }
}

/// Parses a reported score, the value of the option `name`. The number of its decimals determines how exactly
/// it must be matched.
pub(crate) fn target(name: &str, text: &str) -> Result<RoundedTarget> {
    let target = RoundedTarget::parse(text);
    target.ok_or_else(|| Failure::Message(format!("--{name} is `{text}`, but must be a number")))
}

/// Prints BLEU under many settings, beginning with the settings that give the reported score.
///
/// # Errors
/// Returns [`Failure::Verdict`] if no setting gives the reported score.
pub(crate) fn explain(request: &ExplainRequest, tokenizers: &Tokenizers, out: &mut Out) -> Result<()> {
    let all = count(request, tokenizers)?;
    // The explainer lists the default settings first; changes are relative to them.
    let default = all.first().and_then(|first| first.percent.clone().ok()).unwrap_or(0.0);
    match request.target {
        // With a target every combination is a candidate; without one, every single choice.
        Some(target) => {
            let (groups, mut others) = NumberExplanation::ranked(all, target);
            // Several nearest settings often print the same number; the first, with the fewest changes, is enough.
            let shown = |row: &NumberExplanation| {
                row.percent.as_ref().ok().map(|number| shown(*number, Some(target)))
            };
            others.dedup_by(|next, row| shown(next).is_some_and(|number| Some(number) == shown(row)));
            let fits = !groups.is_empty();
            let rows = ExplanationRows { default, target: Some(target), groups, others };
            rows.write(request.most.unwrap_or(if fits { 20 } else { NEAREST }), request.json, out)?;
            if fits { Ok(()) } else { Err(Failure::Verdict(NOTHING_FITS)) }
        }
        None => {
            // Combinations would bury the effect of each choice.
            let single = all.into_iter().filter(|row| row.choices.distance() <= 1);
            let rows =
                ExplanationRows { default, target: None, groups: Vec::new(), others: single.collect() };
            rows.write(request.most.unwrap_or(usize::MAX), request.json, out)
        }
    }
}

/// Prints step by step how the sentence BLEU of one segment is computed, with the first tokenizer of the
/// request. Segments are numbered from 1.
pub(crate) fn working(
    request: &ExplainRequest,
    segment: usize,
    tokenizers: &Tokenizers,
    out: &mut Out,
) -> Result<()> {
    let name = request.tokenizers.first().map_or(TOKENIZERS[0], String::as_str);
    let tokenizer = tokenizers.build(name, &TokenizerOptions::default())?;
    let mut streams = Streams::open(&request.streams)?;
    for read in 0..segment {
        if !streams.advance()? {
            fail!("--working asks for segment {segment}, but the input has {read}");
        }
    }
    let row = streams.row();
    let hypothesis = one_system(&row)?;
    match Working::new(tokenizer, Case::Mixed, hypothesis, &row.references) {
        Ok(working) => Ok(write!(out, "segment {segment}\n{working}")?),
        Err(WorkingError::Config(error)) => Err(error.into()),
        Err(WorkingError::Input(error)) => Err(error.at(streams.location()).into()),
    }
}

/// Prints the error rates under all normalizers and likely mistakes. Rates that equal the reported one come
/// first, then the closest.
///
/// # Errors
/// Returns [`Failure::Verdict`] if no rate equals the reported rate.
pub(crate) fn rates(
    request: &ExplainRequest,
    normalizers: &[String],
    tokenizers: &Tokenizers,
    out: &mut Out,
) -> Result<()> {
    let mut names: Vec<&str> = normalizers.iter().map(String::as_str).collect();
    if names.is_empty() {
        names = NORMALIZERS.to_vec();
    }
    let mut explainer = RateExplainer::with_tokenizers(tokenizers, &names)?;
    // Error rates read lines like `score`, which drops CR at their ends.
    let mut streams = Streams::open(&StreamsRequest { raw_lines: false, ..request.streams.clone() })?;
    while streams.advance()? {
        let row = streams.row();
        let hypothesis = one_system(&row)?;
        explainer.push(hypothesis, &row.references).map_err(|error| error.at(streams.location()))?;
    }
    let mut rows = explainer.explain()?;
    let target = request.target;
    let default = rows.first().map_or(0.0, |first| first.percent);
    let fits = |row: &RateExplanation| target.is_none_or(|target| target.fits_percent(row.percent));
    let off_by = |percent: f64| target.map_or(percent - default, |target| target.off_by(percent));
    if target.is_some() {
        // Among rates that fit, the fewest settings are the likeliest explanation, so they come first.
        rows.sort_by(|one, other| {
            let order = |row: &RateExplanation| if fits(row) { row.settings.len() } else { usize::MAX };
            let distance = |row: &RateExplanation| if fits(row) { 0.0 } else { off_by(row.percent).abs() };
            order(one).cmp(&order(other)).then(distance(one).total_cmp(&distance(other)))
        });
    }
    let any = rows.iter().any(fits);
    // Many settings may round to a coarse target, so the text is limited; without a target each row is asked
    // for.
    let usual = match (target.is_some(), any) {
        (false, _) => usize::MAX,
        (true, true) => 20,
        (true, false) => NEAREST,
    };
    rows.truncate(request.most.unwrap_or(usual));
    if request.json {
        let row = |row: &RateExplanation| {
            json!({
                "settings": row.settings, "percent": row.percent, "change": row.percent - default,
                "off_by": target.map(|target| target.off_by(row.percent)),
                "fits": target.map(|target| target.fits_percent(row.percent)), "signature": row.signature,
            })
        };
        writeln!(out, "{}", report::pretty(&Value::Array(rows.iter().map(row).collect()), 1))?;
    } else {
        if !any {
            writeln!(
                out,
                "nothing fits: no tried normalizer and no tried mistake gives this number. Other references, other data \
                 and other normalizers are not tried. The nearest:"
            )?;
        }
        let change = if target.is_some() { "off by" } else { "change" };
        writeln!(out, "{:>8}  {change:>7}  settings", "rate")?;
        let decimals = decimals(target);
        for row in &rows {
            let settings =
                if row.settings.is_empty() { "default".to_owned() } else { row.settings.join(", ") };
            let shown = shown(row.percent, target);
            let off = off_by(row.percent);
            writeln!(out, "{shown:>8}  {off:+7.decimals$}  {settings}")?;
        }
    }
    if any { Ok(()) } else { Err(Failure::Verdict(NOTHING_FITS)) }
}

fn one_system<'s>(row: &InputRow<'s>) -> Result<&'s str> {
    match row.hypotheses[..] {
        [hypothesis] => Ok(hypothesis),
        _ => fail!("explain takes one system, but {} were given", row.hypotheses.len()),
    }
}

fn count(request: &ExplainRequest, tokenizers: &Tokenizers) -> Result<Vec<NumberExplanation>> {
    let names: Vec<&str> = request.tokenizers.iter().map(String::as_str).collect();
    let drops_marks = request.streams.encoding == Encoding::Utf8Sig;
    let mut explainer = Explainer::with_tokenizers(tokenizers, &names)?.drop_marks(drops_marks);
    // Byte order marks are kept for the explainer, which tries their effect.
    let quiet = request.quiet || drops_marks;
    let mut streams =
        Streams::open(&StreamsRequest { encoding: Encoding::Utf8, quiet, ..request.streams.clone() })?;
    // Only the default tokenizer matters for the warning about tokenized text.
    let tokenizers = names.iter().take(1).map(|&name| name.to_owned()).collect();
    let quiet = request.quiet;
    let force = request.force;
    let mut warnings = Warnings::new(&WarnRequest { quiet, force, tokenizers, ..WarnRequest::default() });
    while streams.advance()? {
        let row = streams.row();
        let hypothesis = one_system(&row)?;
        warnings.look_at(&row.hypotheses, &row.references);
        explainer.push(hypothesis, &row.references).map_err(|error| error.at(streams.location()))?;
    }
    let all = explainer.explain()?;
    warnings.say();
    Ok(all)
}

/// Returns the number of decimals to print: the number of decimals of the reported score, but at least two.
/// Returns 2 without a reported score.
fn decimals(target: Option<RoundedTarget>) -> usize {
    target.map_or(2, |target| target.decimals.max(2))
}

fn shown(percent: f64, target: Option<RoundedTarget>) -> String {
    format!("{percent:.decimals$}", decimals = decimals(target))
}

struct ExplanationRows {
    /// BLEU score under the default settings, in percent, with which other settings are compared.
    default: f64,
    target: Option<RoundedTarget>,
    /// Settings that give the reported score, grouped by their unrounded score.
    groups: Vec<Vec<NumberExplanation>>,
    others: Vec<NumberExplanation>,
}

impl ExplanationRows {
    fn write(&self, most: usize, as_json: bool, out: &mut Out) -> Result<()> {
        if as_json {
            let grouped = self.groups.iter().enumerate();
            let grouped =
                grouped.flat_map(|(group, rows)| rows.iter().map(move |row| (Some(group + 1), row)));
            let rows = grouped.chain(self.others.iter().map(|row| (None, row))).take(most);
            let rows: Vec<Value> = rows.map(|(group, row)| self.object(group, row)).collect();
            writeln!(out, "{}", report::pretty(&Value::Array(rows), 1))?;
            return Ok(());
        }
        self.write_heading(out)?;
        let mut left = most;
        for group in &self.groups {
            // The first line has the number; the others are further settings for it.
            let shown = group.len().min(MOST_OF_A_GROUP).min(left);
            for (place, row) in group[..shown].iter().enumerate() {
                writeln!(out, "{}", self.line(row, place > 0))?;
            }
            if shown > 0 && shown < group.len() {
                writeln!(out, "{:>8}  {:>7}  and {} more", "", "same", group.len() - shown)?;
            }
            left -= shown;
        }
        self.others.iter().take(left).try_for_each(|row| Ok(writeln!(out, "{}", self.line(row, false))?))
    }

    fn write_heading(&self, out: &mut Out) -> Result<()> {
        if self.target.is_none() {
            writeln!(out, "{:>8}  {:>7}  settings", "score", "change")?;
            return Ok(());
        }
        if self.groups.is_empty() {
            writeln!(
                out,
                "nothing fits: no tried setting and no tried cause gives this number. Other references, other \
                 data, text tokenized by another program and metrics besides BLEU are not tried. The nearest:"
            )?;
        } else {
            let settings: usize = self.groups.iter().map(Vec::len).sum();
            writeln!(
                out,
                "{} to this number, by {}; the most usual first, then the nearest others:",
                if settings == 1 {
                    "1 setting rounds".to_owned()
                } else {
                    format!("{settings} settings round")
                },
                counted(self.groups.len(), "different number")
            )?;
        }
        writeln!(out, "{:>8}  {:>7}  settings", "score", "off by")?;
        Ok(())
    }

    fn line(&self, row: &NumberExplanation, same: bool) -> String {
        let changes = row.choices.changes();
        let settings = if changes.is_empty() { "default".to_owned() } else { changes.join(", ") };
        match &row.percent {
            Ok(_) if same => format!("{:>8}  {:>7}  {settings}", "", "same"),
            Ok(percent) => {
                let difference = self.target.map_or(percent - self.default, |target| target.off_by(*percent));
                let decimals = decimals(self.target);
                format!("{:>8}  {difference:+7.decimals$}  {settings}", shown(*percent, self.target))
            }
            Err(error) => format!("{:>8}  {:>7}  {settings}  ({error})", "-", ""),
        }
    }

    /// Returns the settings and their score as a JSON object, with unrounded numbers and the score on the
    /// scale of its program.
    fn object(&self, group: Option<usize>, row: &NumberExplanation) -> Value {
        let mut object = json!({
            "settings": row.choices.changes(),
            "tokenize": row.choices.tokenizer,
            "case": row.choices.case.name(),
            "order": row.choices.order,
            "cause": row.choices.cause.map(|cause| cause.to_string()),
        });
        if self.target.is_some() {
            object["group"] = json!(group);
        }
        match &row.percent {
            Ok(percent) => {
                object["percent"] = json!(percent);
                object["change"] = json!(percent - self.default);
                if let Some(target) = self.target {
                    object["off_by"] = json!(target.off_by(*percent));
                }
            }
            Err(error) => object["error"] = json!(error.to_string()),
        }
        if let Some(scored) = &row.scored {
            object["score"] = json!(scored.score.value);
            // A cause changes the data, and no signature describes changed data.
            if row.choices.cause.is_none() {
                object["signature"] = json!(scored.signature.to_string());
            }
        }
        object
    }
}
