//! Implements `bleuprint align`: shows a system's words aligned with the reference words, and tables of its
//! errors. Families add tables, reports of other programs, and alignments.

mod families;
mod jiwer;
mod json;
mod rate;
mod tables;
mod text;

use bleuprint::eval::evaluation::TextCorpus;
use bleuprint::eval::{Encoder, EncoderScratch, EncoderTexts, SharedTokenizer, TokenRequest};
use bleuprint::metrics::edit::{Aligner, Alignment, AlignmentRule, ErrorTables};
use bleuprint::text::{AlignmentPart, AlignmentReport};
use bleuprint::{EditRate, InputError, Location, Metric as _, SegmentCounts, Signature, Stats as _};
use bleuprint_requests::corpus;
use bleuprint_requests::input::{RecordFile, Streams};
use bleuprint_requests::terminal::terminal_width;
use bleuprint_requests::warn;
use bleuprint_requests::words::{WordPair, aligned, pairs};
use clap::builder::PossibleValuesParser;
use clap::value_parser;

use self::families::{FamilyOutputs, WordTables};
use crate::shared::command::*;
use crate::shared::sources::{self, FieldNeeds, Sources};
use crate::shared::tokens::{self, TokenChoice, text_options};

const TOP: usize = 20;

pub(crate) struct Align {
    sources: Sources,
    tokens: TokenRequest,
    rule: AlignmentRule,
    labels: Vec<String>,
    by: Vec<String>,
    of_families: FamilyOutputs,
    form: AlignForm,
    view: AlignView,
    quiet: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AlignForm {
    Text,
    Json,
    Csv,
    Jiwer,
}

#[derive(Debug, Clone)]
struct AlignView {
    min_errors: u64,
    /// Largest number of segments to show (most errors first), and of rows in each table; `None` for no
    /// limit.
    top: Option<usize>,
    vertical: bool,
    width: usize,
    tables: bool,
    phrases: bool,
}

struct AlignedSystem {
    /// Number of the segment in the test set, counted from 1.
    number: usize,
    id: Option<String>,
    reference: Vec<String>,
    hypothesis: Vec<String>,
    alignment: Alignment,
}

struct AlignOutcome {
    shown: Vec<AlignedSystem>,
    tables: ErrorTables,
    /// Groups of segments in order of appearance: name and value of the label, and the error tables.
    groups: Vec<(String, String, ErrorTables)>,
    /// Tables that families add to text and CSV, and to JSON.
    word_tables: WordTables,
    signature: Signature,
    /// `true` if each token is a single character, so that tokens are printed without spaces between them.
    characters: bool,
}

impl AlignedSystem {
    fn errors(&self) -> u64 {
        self.alignment.counts().edits()
    }

    fn pairs(&self) -> Vec<WordPair<'_>> {
        pairs(&self.alignment, &self.reference, &self.hypothesis)
    }

    fn name(&self) -> String {
        self.id.clone().unwrap_or_else(|| self.number.to_string())
    }
}

impl AlignOutcome {
    fn between(&self) -> &'static str {
        if self.characters { "" } else { " " }
    }
}

/// Alignments of the segments so far: those to show, the tables of all, and the tables of groups.
struct FoundAlignments<'c> {
    corpus: &'c TextCorpus,
    by: &'c [String],
    /// Number of segments to show, or `None` to show all.
    top: Option<usize>,
    /// Least number of errors of a segment that is shown.
    least: u64,
    shown: Vec<AlignedSystem>,
    tables: ErrorTables,
    groups: Vec<(String, String, ErrorTables)>,
    counts: SegmentCounts,
}

impl<'c> FoundAlignments<'c> {
    fn new(corpus: &'c TextCorpus, request: &'c Align) -> Self {
        FoundAlignments {
            corpus,
            by: &request.by,
            top: request.view.top,
            least: request.view.min_errors,
            shown: Vec::new(),
            tables: ErrorTables::default(),
            groups: Vec::new(),
            counts: SegmentCounts::default(),
        }
    }

    /// Returns the value of a label of the segment at the index `place`.
    fn label(&self, place: usize, name: &str) -> Option<String> {
        let labels = &self.corpus.labels;
        let column = labels.names.iter().position(|known| known == name)?;
        labels.values[place][column].clone()
    }

    /// Adds the alignment of the segment at the index `place`.
    fn add(
        &mut self,
        place: usize,
        alignment: Alignment,
        reference: &[&str],
        hypothesis: &[&str],
    ) -> Result<()> {
        self.tables.add(place + 1, &alignment, reference, hypothesis)?;
        for by in self.by {
            let value = self.label(place, by).unwrap_or_else(|| "(none)".to_owned());
            let known = self.groups.iter().position(|(name, known, _)| name == by && *known == value);
            let group = known.unwrap_or_else(|| {
                self.groups.push((by.clone(), value, ErrorTables::default()));
                self.groups.len() - 1
            });
            self.groups[group].2.add(place + 1, &alignment, reference, hypothesis)?;
        }
        if alignment.counts().edits() < self.least {
            return Ok(());
        }
        let owned = |tokens: &[&str]| tokens.iter().map(|&token| token.to_owned()).collect();
        let id = self.label(place, "id");
        let reference = owned(reference);
        let hypothesis = owned(hypothesis);
        self.shown.push(AlignedSystem { number: place + 1, id, reference, hypothesis, alignment });
        // With --top, only the worst segments are kept in memory. Pruning at four times their number keeps
        // sorting cheap. Afterwards a segment must have more errors than the last one kept: on a tie the
        // earlier segment wins, so `least` rises by one.
        if self.top.is_some_and(|top| self.shown.len() >= top.saturating_mul(4)) {
            self.keep_worst();
            self.least = self.shown.last().map_or(self.least, |last| self.least.max(last.errors() + 1));
        }
        Ok(())
    }

    /// Keeps the segments with the most errors, if only some are shown.
    fn keep_worst(&mut self) {
        if let Some(top) = self.top {
            // The sort is stable, so segments with the same number of errors stay in order.
            self.shown.sort_by_key(|aligned| std::cmp::Reverse(aligned.errors()));
            self.shown.truncate(top);
        }
    }
}

impl Subcommand for Align {
    const NAME: &'static str = "align";

    fn define(command: Command, families: &Families) -> Command {
        let rules = AlignmentRule::ALL.map(AlignmentRule::as_str);
        let reports: Vec<&AlignmentReport> = families::reports(families).collect();
        let programs = std::iter::once("jiwer").chain(reports.iter().map(|report| report.program));
        let programs: Vec<&str> = programs.collect();
        let forms = reports.iter().flat_map(|report| report.forms);
        let formats: Vec<&str> = ["text", "json", "csv"].iter().chain(forms).copied().collect();
        let of_programs = reports.iter().map(|report| format!(", or {} {}", report.program, report.help));
        let command = families::arguments(command, families);
        command
            .about("Show the words of a system next to the words of the references, and which words are confused, left out and added")
            .args([sources::references(), sources::systems(), sources::segments(), sources::num_refs()])
            // Other arguments are declared to exclude --source, so it must exist; `request` rejects it.
            .arg(sources::source().hide(true))
            .args(sources::records())
            .args(sources::reading())
            .args(text_options())
            .arg(option("alignment", "NAME").value_parser(rules).default_value("jiwer").help(
                "The program whose alignment is shown if several are cheapest: jiwer, which WER counts, or kaldi, sclite or texterrors",
            ))
            .arg(args::label())
            .arg(args::by().help("Show the errors of groups of segments as well, by a label such as speaker"))
            .arg(args::format().value_parser(PossibleValuesParser::new(formats)))
            .arg(option("like", "PROGRAM").value_parser(PossibleValuesParser::new(programs)).help(format!(
                "Print the text of this program: jiwer{}",
                of_programs.collect::<String>()
            )))
            .arg(flag("all").conflicts_with("min-errors").help("Show segments without errors as well"))
            .arg(args::number("min-errors", 1..).help("Show segments with at least this number of errors [default: 1]"))
            .arg(args::number("top", 1..).help(format!(
                "The number of segments to show, those with the most errors first, and of rows of each table [default: all segments, {TOP} rows]"
            )))
            .arg(flag("tables").help("Show tables of the words that are confused, left out and added most"))
            .arg(flag("phrases").help("Count whole phrases in the tables, as jiwer does"))
            .arg(flag("vertical").help("Print one pair of words per line"))
            .arg(option("width", "N").value_parser(value_parser!(u64).range(20..)).help("The width of a line, in columns [default: that of the terminal, else 100]"))
            .arg(args::quiet())
    }

    fn request(matches: &ArgMatches, families: &Families) -> Result<Self> {
        let sources = Sources {
            streams: sources::streams(matches),
            records: matches.text("segments"),
            needs: FieldNeeds { references: Some("an alignment".to_owned()), ..FieldNeeds::default() },
            ..sources::of_records(matches)?
        };
        if matches.contains_id("source") {
            fail!("an alignment does not use the source: leave out --source");
        }
        if sources.records.is_none() && sources.streams.references.is_empty() {
            fail!("an alignment needs references: give the files REF, or --segments");
        }
        let named = matches.text("alignment");
        let rule = AlignmentRule::ALL.into_iter().find(|rule| named.as_deref() == Some(rule.as_str()));
        let least = if matches.get_flag("all") { 0 } else { 1 };
        let form = match (matches.text("like").as_deref(), matches.text("format").as_deref()) {
            (Some("jiwer"), Some(_)) => fail!("--like jiwer has only one format: leave out --format"),
            (Some("jiwer"), None) => AlignForm::Jiwer,
            (_, Some("json")) => AlignForm::Json,
            (_, Some("csv")) => AlignForm::Csv,
            _ => AlignForm::Text,
        };
        let labels = matches.texts("label");
        let by = matches.texts("by");
        if !labels.is_empty() && by.is_empty() {
            fail!("--label has no effect without --by");
        }
        Ok(Align {
            sources,
            tokens: tokens::request(matches)?,
            rule: rule.unwrap_or_default(),
            labels,
            by,
            of_families: FamilyOutputs::from_matches(matches, families)?,
            form,
            view: AlignView {
                min_errors: matches.count("min-errors").map_or(least, |count| count as u64),
                top: matches.count("top"),
                vertical: matches.get_flag("vertical"),
                width: matches.count("width").or_else(terminal_width).unwrap_or(100).max(20),
                tables: matches.get_flag("tables"),
                phrases: matches.get_flag("phrases"),
            },
            quiet: matches.get_flag("quiet"),
        })
    }

    fn run(self, program: &CommandContext<'_>, out: &mut Out) -> Result<()> {
        // Options of families are checked before files are read.
        let parts = self.of_families.open(program.families)?;
        // WER counts jiwer's words, so the alignment of them is the default.
        let mut request = self.tokens.clone();
        request.tokenizer.get_or_insert_with(|| "jiwer".to_owned());
        let tokens = TokenChoice::new(request, program.tokenizers)?;
        let corpus = self.read(&tokens)?;
        let encoder = Encoder::new(tokens.tokenizer()?, tokens.case())?;
        let encoder = match tokens.normalizer()? {
            Some(chain) => encoder.with_normalizer(chain)?,
            None => encoder,
        };
        if let Some(report) = &self.of_families.report {
            let streams = &self.sources.streams;
            let reference = self.sources.records.as_ref().or(streams.references.first());
            let system = streams.systems.as_ref().and_then(|systems| systems.first());
            let files = [reference, system.or(reference)].map(|name| name.map_or("-", |name| name));
            let segments = report.texts(&corpus, &encoder)?;
            return report.write(files, segments, program.families, out);
        }
        let outcome = self.align(&corpus, &encoder, parts)?;
        match self.form {
            AlignForm::Text => text::write(&outcome, &self.view, out)?,
            AlignForm::Json => json::write(&outcome, &self.view, out)?,
            AlignForm::Csv => tables::write_csv(&outcome, &self.view, out)?,
            AlignForm::Jiwer => jiwer::write(&outcome, &self.view, out)?,
        }
        if !self.quiet {
            warn::say_normalized(encoder.normalizer());
        }
        Ok(())
    }
}

impl Align {
    fn read(&self, tokens: &TokenChoice) -> Result<TextCorpus> {
        let mut corpus = match &self.sources.records {
            None => corpus::of_streams(Streams::open(&self.sources.streams)?)?,
            Some(file) => {
                let ids = tokens.is_ids();
                corpus::of_records(
                    file,
                    RecordFile::open(file, &self.sources, ids.then(|| tokens.ids()))?,
                    ids,
                )?
            }
        };
        if corpus.systems.len() != 1 {
            fail!("align takes one system, but {} were given", corpus.systems.len());
        }
        self.labels.iter().try_for_each(|label| corpus::add_label(&mut corpus, label))?;
        for by in &self.by {
            if !corpus.labels.names.contains(by) {
                corpus.labels.values_of(by)?;
            }
        }
        Ok(corpus)
    }

    fn align(
        &self,
        corpus: &TextCorpus,
        encoder: &Encoder<SharedTokenizer>,
        mut parts: Vec<Box<dyn AlignmentPart>>,
    ) -> Result<AlignOutcome> {
        let mut found = FoundAlignments::new(corpus, self);
        let mut scratch = EncoderScratch::default();
        let mut aligner = Aligner::default();
        for (place, segment) in corpus.segments.iter().enumerate() {
            let at = |error: InputError| error.at(Location::segment(place as u64 + 1));
            let all: Vec<&str> =
                segment.hypotheses.iter().chain(&segment.references).map(String::as_str).collect();
            // Hypothesis and references are encoded together: list 0 is the hypothesis.
            let lists = encoder
                .tokens(&mut scratch, EncoderTexts::new(&all, 1, segment.references.len()))
                .map_err(at)?;
            let references: Vec<&[&str]> = (1..all.len()).map(|index| lists.get(index)).collect();
            let path = families::path(&parts, &references, lists.get(0)).map_err(at)?;
            let taken = path.as_ref().map(families::AlignedPath::words);
            let (reference, hypothesis, alignment) = match (&taken, &path) {
                (Some([own, other]), Some(path)) => (&own[..], &other[..], path.alignment()),
                _ => {
                    let (chosen, alignment) =
                        aligned(self.rule, &mut aligner, &references, lists.get(0)).map_err(at)?;
                    (references[chosen], lists.get(0), alignment)
                }
            };
            parts.iter_mut().try_for_each(|part| part.add(reference, hypothesis)).map_err(at)?;
            found.counts.merge(&SegmentCounts::of_segment(references.len()))?;
            found.add(place, alignment, reference, hypothesis)?;
        }
        found.keep_worst();
        self.outcome(found, encoder, &parts)
    }

    fn outcome(
        &self,
        found: FoundAlignments<'_>,
        encoder: &Encoder<SharedTokenizer>,
        parts: &[Box<dyn AlignmentPart>],
    ) -> Result<AlignOutcome> {
        let FoundAlignments { shown, tables, groups, counts, .. } = found;
        // A screen shows few rows, and data has all of them.
        let usual = if self.form == AlignForm::Text { TOP } else { usize::MAX };
        let space = encoder.token_space();
        // The counts of an alignment are those of WER, so its signature describes them.
        let mut signature = EditRate::WER.identity().over(space).signature(&counts);
        if self.rule != AlignmentRule::Jiwer {
            signature = signature.with("alignment", "al", self.rule.as_str());
        }
        signature = parts.iter().fold(signature, |signature, part| part.sign(signature));
        let characters = ["jiwer-char", "char", "grapheme"].contains(&space.label());
        Ok(AlignOutcome {
            shown,
            tables,
            groups,
            word_tables: WordTables::new(parts, self.view.top.unwrap_or(usual)),
            signature,
            characters,
        })
    }
}
