//! Tables, reports and alignments that families add to `bleuprint align`.

use bleuprint::InputError;
use bleuprint::eval::evaluation::TextCorpus;
use bleuprint::eval::{Encoder, EncoderScratch, EncoderTexts, SharedTokenizer};
use bleuprint::metrics::edit::{Alignment, EditOperation};
use bleuprint::report::CellGrid;
use bleuprint::text::{
    AlignedPair, AlignmentOutput, AlignmentPart, AlignmentReport, FamilyOption, ReportTexts, WordTable,
};
use clap::parser::ValueSource;
use serde_json::{Map, Value, json};

use super::rate::rate;
use crate::shared::command::*;
use crate::shared::family::{self, OptionsGiven};

/// Options of the tables and the view, which a report with a fixed layout ignores.
const VIEW: [&str; 9] =
    ["alignment", "by", "all", "min-errors", "top", "tables", "phrases", "vertical", "width"];

fn outputs(families: &Families) -> impl Iterator<Item = &'static AlignmentOutput> {
    families.list().iter().flat_map(|family| family.alignments)
}

/// Returns the reports that the families of the program can write.
pub(super) fn reports(families: &Families) -> impl Iterator<Item = &'static AlignmentReport> {
    outputs(families).filter_map(|output| output.report.as_ref())
}

/// Adds the options of the families to the command.
pub(super) fn arguments(command: Command, families: &Families) -> Command {
    outputs(families).fold(command, |command, output| {
        let arguments = output.options.iter().map(family::argument);
        match output.heading {
            Some(heading) => command.args(arguments.map(|argument| argument.help_heading(heading))),
            None => command.args(arguments),
        }
    })
}

/// What the user requested of the families: the options of each output, and a report of another program.
pub(super) struct FamilyOutputs {
    outputs: Vec<(&'static AlignmentOutput, OptionsGiven)>,
    pub(super) report: Option<ChosenReport>,
}

/// A report of another program, in one of its forms.
pub(super) struct ChosenReport {
    report: &'static AlignmentReport,
    form: String,
    options: OptionsGiven,
}

impl FamilyOutputs {
    pub(super) fn from_matches(matches: &ArgMatches, families: &Families) -> Result<Self> {
        require_one_table(matches, families)?;
        let report = chosen_report(matches, families)?;
        let outputs = outputs(families).map(|output| (output, options(matches, output))).collect();
        Ok(FamilyOutputs { outputs, report })
    }

    /// Prepares the additions that the user requested.
    pub(super) fn open(&self, families: &Families) -> Result<Vec<Box<dyn AlignmentPart>>> {
        let mut parts = Vec::new();
        for (output, options) in &self.outputs {
            parts.extend((output.open)(&family::request(options, families))?);
        }
        Ok(parts)
    }
}

impl ChosenReport {
    pub(super) fn write(
        &self,
        files: [&str; 2],
        segments: Vec<[String; 3]>,
        families: &Families,
        out: &mut Out,
    ) -> Result<()> {
        let request = family::request(&self.options, families);
        let texts = ReportTexts { form: &self.form, files, segments };
        family::write_text(out, |out| (self.report.write)(&request, texts, out))
    }

    /// Returns id, reference and hypothesis of each segment, tokenized and with one space between tokens.
    pub(super) fn texts(
        &self,
        corpus: &TextCorpus,
        encoder: &Encoder<SharedTokenizer>,
    ) -> Result<Vec<[String; 3]>> {
        let id = corpus.labels.names.iter().position(|name| name == "id");
        let mut scratch = EncoderScratch::default();
        let mut texts = Vec::with_capacity(corpus.segments.len());
        for (place, (segment, labels)) in corpus.segments.iter().zip(&corpus.labels.values).enumerate() {
            let number = (place + 1).to_string();
            let [reference] = &segment.references[..] else {
                let references = counted(segment.references.len(), "reference");
                fail!("segment {number} has {references}, but {} takes one", self.report.program);
            };
            let all = [segment.hypotheses[0].as_str(), reference.as_str()];
            let lists = encoder.tokens(&mut scratch, EncoderTexts::new(&all, 1, 1))?;
            let id = id.and_then(|id| labels[id].clone()).unwrap_or(number);
            texts.push([id, lists.get(1).join(" "), lists.get(0).join(" ")]);
        }
        Ok(texts)
    }
}

/// Returns the values of the options of an output, and of options of the command that concern all outputs.
fn options(matches: &ArgMatches, output: &AlignmentOutput) -> OptionsGiven {
    let mut options = family::given(matches, output.options);
    options.extend(family::given_of_program(matches, &["alignment", "like", "format"]));
    options
}

/// Returns an error if the user requested several tables in CSV, which has one table.
fn require_one_table(matches: &ArgMatches, families: &Families) -> Result<()> {
    let tables = outputs(families).filter(|output| output.is_table);
    let selects: Vec<&FamilyOption> = tables.filter_map(|output| output.options.first()).collect();
    let of_words = matches.get_flag("tables") || matches.get_flag("phrases");
    let count = family::given(matches, selects.iter().copied()).len() + usize::from(of_words);
    if count > 1 && matches.text("format").as_deref() == Some("csv") {
        let names: Vec<String> = selects.iter().map(|option| format!("--{}", option.name)).collect();
        fail!("--format csv has one table: give one of {} and --tables", names.join(", "));
    }
    Ok(())
}

fn chosen_report(matches: &ArgMatches, families: &Families) -> Result<Option<ChosenReport>> {
    let like = matches.text("like");
    let format = matches.text("format");
    let chosen = outputs(families).find_map(|output| {
        let report = output.report.as_ref()?;
        (like.as_deref() == Some(report.program)).then_some((output, report))
    });
    let Some((output, report)) = chosen else {
        let is_form = |report: &&AlignmentReport| {
            format.as_deref().is_some_and(|format| report.forms.contains(&format))
        };
        if let Some(AlignmentReport { program, .. }) = reports(families).find(is_form) {
            let format = format.as_deref().unwrap_or_default();
            fail!("--format {format} is a report of {program}: give --like {program}");
        }
        return Ok(None);
    };
    let program = report.program;
    let form = format.or_else(|| report.forms.first().map(|form| (*form).to_owned())).unwrap_or_default();
    if !report.forms.contains(&&*form) {
        fail!("--like {program} writes one of {}", report.forms.join(", "));
    }
    let is_given = |name: &&&str| matches.value_source(name) == Some(ValueSource::CommandLine);
    if let Some(name) = VIEW.iter().find(is_given) {
        fail!("--{name} has no effect on the reports of {program}");
    }
    Ok(Some(ChosenReport { report, form, options: options(matches, output) }))
}

/// The alignment of a segment that a family made.
pub(super) struct AlignedPath(Vec<AlignedPair>);

/// Returns the alignment of the first family that aligns the segment, or `None` to leave it to the program.
pub(super) fn path(
    parts: &[Box<dyn AlignmentPart>],
    references: &[&[&str]],
    hypothesis: &[&str],
) -> Result<Option<AlignedPath>, InputError> {
    for part in parts {
        if let Some(pairs) = part.align(hypothesis, references)? {
            return Ok(Some(AlignedPath(pairs)));
        }
    }
    Ok(None)
}

impl AlignedPath {
    /// Returns the words of the reference and of the hypothesis on the path.
    pub(super) fn words(&self) -> [Vec<&str>; 2] {
        let references = self.0.iter().filter_map(|pair| pair.reference.as_deref());
        let hypotheses = self.0.iter().filter_map(|pair| pair.hypothesis.as_deref());
        [references.collect(), hypotheses.collect()]
    }

    pub(super) fn alignment(&self) -> Alignment {
        let operation = |pair: &AlignedPair| match (&pair.reference, &pair.hypothesis) {
            (_, None) => EditOperation::Deletion,
            (None, _) => EditOperation::Insertion,
            _ if pair.is_match => EditOperation::Hit,
            _ => EditOperation::Substitution,
        };
        let operations: Vec<EditOperation> = self.0.iter().map(operation).collect();
        Alignment::from(&operations[..])
    }
}

/// The tables of all additions.
pub(super) struct WordTables {
    /// The tables of each addition, with few rows for the screen or all for data.
    parts: Vec<Vec<WordTable>>,
}

impl WordTables {
    pub(super) fn new(parts: &[Box<dyn AlignmentPart>], most: usize) -> Self {
        WordTables { parts: parts.iter().map(|part| part.tables(most)).collect() }
    }

    /// Returns the tables with their titles, for text and CSV. Further tables of an addition are left out if
    /// they are empty.
    pub(super) fn grids(&self) -> Vec<(&'static str, CellGrid)> {
        let shown = |tables: &Vec<WordTable>| {
            let is_shown = |(place, table): &(usize, &WordTable)| *place == 0 || !table.rows.is_empty();
            let shown = tables.iter().enumerate().filter(is_shown);
            shown.map(|(_, table)| (table.name, grid(table))).collect::<Vec<_>>()
        };
        self.parts.iter().flat_map(shown).collect()
    }

    /// Returns the tables as JSON, with their keys.
    pub(super) fn json(&self) -> impl Iterator<Item = (&'static str, Value)> {
        self.parts.iter().flatten().map(|table| (table.name, json(table)))
    }
}

fn grid(table: &WordTable) -> CellGrid {
    let header = table.words.iter().chain(table.counts).chain([&table.rate]);
    let rows = table.rows.iter().map(|row| {
        let counts = row.counts.iter().map(u64::to_string);
        let [count, of] = row.rate;
        row.words.iter().cloned().chain(counts).chain([rate(count, of)]).collect()
    });
    CellGrid { header: header.map(|name| (*name).to_owned()).collect(), rows: rows.collect() }
}

fn json(table: &WordTable) -> Value {
    // One word and one count are a map; further columns need names.
    if table.words.len() == 1 && table.counts.len() == 1 {
        let pairs = table.rows.iter().map(|row| (row.words.concat(), json!(row.counts[0])));
        return Value::Object(pairs.collect());
    }
    let object = |row: &bleuprint::text::WordTableRow| {
        let words = table.words.iter().zip(row.words.iter().map(|word| json!(word)));
        let counts = table.counts.iter().zip(row.counts.iter().map(|count| json!(count)));
        words.chain(counts).map(|(name, value)| ((*name).to_owned(), value)).collect::<Map<_, _>>()
    };
    table.rows.iter().map(|row| Value::Object(object(row))).collect()
}
