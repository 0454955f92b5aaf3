//! Implements `bleuprint align`: shows a system's words aligned with the reference words, and tables of its
//! errors.

#[cfg(feature = "sclite")]
mod alternatives;
mod jiwer;
mod json;
mod tables;
mod text;
#[cfg(feature = "recognition")]
mod words;

use bleuprint::eval::evaluation::TextCorpus;
use bleuprint::eval::{Encoder, EncoderScratch, EncoderTexts, SharedTokenizer, TokenRequest};
use bleuprint::metrics::edit::{Aligner, Alignment, AlignmentRule, ErrorTables};
use bleuprint::{EditRate, InputError, Location, Metric as _, SegmentCounts, Signature, Stats as _};
use bleuprint_inputs::corpus;
use bleuprint_inputs::input::{RecordFile, Streams};
use bleuprint_inputs::terminal::terminal_width;
use bleuprint_inputs::warn;
use bleuprint_inputs::words::{WordPair, aligned, pairs};
use clap::builder::PossibleValuesParser;
use clap::value_parser;

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
    #[cfg(feature = "recognition")]
    words: words::WantedTables,
    #[cfg(feature = "sclite")]
    alternatives: Option<alternatives::Alternatives>,
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

/// Reference words, hypothesis words and their alignment. If the texts contain alternatives, only the chosen
/// ones are included.
type Path = (Vec<String>, Vec<String>, Alignment);

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
    #[cfg(feature = "recognition")]
    words: words::WordTables,
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

fn keep_worst(shown: &mut Vec<AlignedSystem>, top: usize) {
    // The sort is stable, so segments with the same number of errors stay in order.
    shown.sort_by_key(|aligned| std::cmp::Reverse(aligned.errors()));
    shown.truncate(top);
}

impl Subcommand for Align {
    const NAME: &'static str = "align";

    fn define(command: Command, _: &Families) -> Command {
        let rules = AlignmentRule::ALL.map(AlignmentRule::as_str);
        #[cfg(feature = "recognition")]
        let command = command.args(words::options());
        #[cfg(feature = "sclite")]
        let command = alternatives::options(command);
        #[cfg(feature = "sclite")]
        let programs = &["jiwer", "sclite"][..];
        #[cfg(feature = "sclite")]
        let forms = &alternatives::FORMS[..];
        #[cfg(not(feature = "sclite"))]
        let programs = &["jiwer"][..];
        #[cfg(not(feature = "sclite"))]
        let forms = &[][..];
        let formats: Vec<&str> = ["text", "json", "csv"].iter().chain(forms).copied().collect();
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
            .arg(option("like", "PROGRAM").value_parser(PossibleValuesParser::new(programs.to_vec())).help(
                "Print the text of this program: jiwer, or sclite with its own alignment (--format pra, sgml, sum, rsum or dtl)",
            ))
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

    fn request(matches: &ArgMatches, _: &Families) -> Result<Self> {
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
            #[cfg(feature = "recognition")]
            words: words::WantedTables::from_matches(matches)?,
            #[cfg(feature = "sclite")]
            alternatives: alternatives::Alternatives::from_matches(matches, rule.unwrap_or_default())?,
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
        #[cfg(feature = "sclite")]
        if let Some(alternatives) = &self.alternatives {
            let streams = &self.sources.streams;
            let reference = self.sources.records.as_ref().or(streams.references.first());
            let system = streams.systems.as_ref().and_then(|systems| systems.first());
            let names = [reference, system.or(reference)].map(|name| name.map_or("-", |name| name));
            if alternatives.write(names, texts(&corpus, &encoder), out)? {
                return Ok(());
            }
        }
        let outcome = self.align(&corpus, &encoder)?;
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

    fn align(&self, corpus: &TextCorpus, encoder: &Encoder<SharedTokenizer>) -> Result<AlignOutcome> {
        let mut shown = Vec::new();
        let mut tables = ErrorTables::default();
        let mut counts = SegmentCounts::default();
        let mut groups: Vec<(String, String, ErrorTables)> = Vec::new();
        #[cfg(feature = "recognition")]
        let mut words = self.words.tables(self.rule)?;
        let mut scratch = EncoderScratch::default();
        let mut aligner = Aligner::default();
        let mut least = self.view.min_errors;
        let id = corpus.labels.names.iter().position(|name| name == "id");
        for (place, (segment, labels)) in corpus.segments.iter().zip(&corpus.labels.values).enumerate() {
            let at = |error: InputError| error.at(Location::segment(place as u64 + 1));
            let all: Vec<&str> =
                segment.hypotheses.iter().chain(&segment.references).map(String::as_str).collect();
            // Hypothesis and references are encoded together: list 0 is the hypothesis.
            let lists = encoder
                .tokens(&mut scratch, EncoderTexts::new(&all, 1, segment.references.len()))
                .map_err(at)?;
            let references: Vec<&[&str]> = (1..all.len()).map(|index| lists.get(index)).collect();
            let path = self.path(&references, lists.get(0)).map_err(at)?;
            let taken = path.as_ref().map(|(own, other, _)| {
                [own, other].map(|side| side.iter().map(String::as_str).collect::<Vec<_>>())
            });
            let (reference, hypothesis, alignment) = match (&taken, &path) {
                (Some([own, other]), Some((.., alignment))) => (&own[..], &other[..], alignment.clone()),
                _ => {
                    let (chosen, alignment) =
                        aligned(self.rule, &mut aligner, &references, lists.get(0)).map_err(at)?;
                    (references[chosen], lists.get(0), alignment)
                }
            };
            tables.add(place + 1, &alignment, reference, hypothesis)?;
            #[cfg(feature = "recognition")]
            words.add(reference, hypothesis).map_err(at)?;
            counts.merge(&SegmentCounts::of_segment(references.len()))?;
            for by in &self.by {
                let column = corpus.labels.names.iter().position(|name| name == by);
                let value =
                    column.and_then(|column| labels[column].clone()).unwrap_or_else(|| "(none)".to_owned());
                let known = groups.iter().position(|(name, known, _)| name == by && *known == value);
                let group = known.unwrap_or_else(|| {
                    groups.push((by.clone(), value, ErrorTables::default()));
                    groups.len() - 1
                });
                groups[group].2.add(place + 1, &alignment, reference, hypothesis)?;
            }
            if alignment.counts().edits() >= least {
                let owned = |tokens: &[&str]| tokens.iter().map(|&token| token.to_owned()).collect();
                let id = id.and_then(|id| labels[id].clone());
                let reference = owned(reference);
                let hypothesis = owned(hypothesis);
                shown.push(AlignedSystem { number: place + 1, id, reference, hypothesis, alignment });
                // With --top, only the worst segments are kept in memory. Pruning at four times their number keeps
                // sorting cheap. Afterwards a segment must have more errors than the last one kept: on a tie the
                // earlier segment wins, so `least` rises by one.
                if let Some(top) = self.view.top.filter(|&top| shown.len() >= top.saturating_mul(4)) {
                    keep_worst(&mut shown, top);
                    least = shown.last().map_or(least, |last| least.max(last.errors() + 1));
                }
            }
        }
        if let Some(top) = self.view.top {
            keep_worst(&mut shown, top);
        }
        let space = encoder.token_space();
        // The counts of an alignment are those of WER, so its signature describes them.
        let mut signature = EditRate::WER.identity().over(space).signature(&counts);
        if self.rule != AlignmentRule::Jiwer {
            signature = signature.with("alignment", "al", self.rule.as_str());
        }
        #[cfg(feature = "sclite")]
        if let Some(alternatives) = &self.alternatives {
            signature = alternatives.signed(signature);
        }
        let characters = ["jiwer-char", "char", "grapheme"].contains(&space.label());
        Ok(AlignOutcome {
            shown,
            tables,
            groups,
            #[cfg(feature = "recognition")]
            words,
            signature,
            characters,
        })
    }

    /// Returns the reference words, the hypothesis words and their alignment if the references contain
    /// alternatives, otherwise `None`.
    fn path(&self, references: &[&[&str]], hypothesis: &[&str]) -> Result<Option<Path>, InputError> {
        #[cfg(feature = "sclite")]
        if let Some(alternatives) = &self.alternatives {
            return alternatives.path(references, hypothesis).map(Some);
        }
        let _ = (references, hypothesis);
        Ok(None)
    }
}

/// Returns id, reference and hypothesis of each segment, tokenized and with one space between tokens.
#[cfg(feature = "sclite")]
fn texts(
    corpus: &TextCorpus,
    encoder: &Encoder<SharedTokenizer>,
) -> impl Iterator<Item = Result<[String; 3]>> {
    let id = corpus.labels.names.iter().position(|name| name == "id");
    let mut scratch = EncoderScratch::default();
    corpus.segments.iter().zip(&corpus.labels.values).enumerate().map(move |(place, (segment, labels))| {
        let number = (place + 1).to_string();
        let [reference] = &segment.references[..] else {
            fail!(
                "segment {number} has {}, but sclite takes one",
                counted(segment.references.len(), "reference")
            );
        };
        let all = [segment.hypotheses[0].as_str(), reference.as_str()];
        let lists = encoder.tokens(&mut scratch, EncoderTexts::new(&all, 1, 1))?;
        let id = id.and_then(|id| labels[id].clone()).unwrap_or(number);
        Ok([id, lists.get(1).join(" "), lists.get(0).join(" ")])
    })
}
