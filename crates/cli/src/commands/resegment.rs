//! Implements `bleuprint resegment`: cuts a system's output into segments that match the segments of its
//! references.

use std::sync::Arc;

use bleuprint::metrics::edit::Borders;
use bleuprint::resegment::{Resegment as Cutter, TextCut};
use bleuprint::text::read::TextOptions;
use bleuprint::text::{Encoding, FileText};
use bleuprint::{Case, InputError, InputErrorKind, Location, TokenizerOptions};
use bleuprint_requests::warn;

use crate::shared::command::*;
use crate::shared::places::{self, Holds, NumberPlace, write_text};
use crate::shared::sources;

pub(crate) struct ResegmentCommand {
    references: Vec<String>,
    hypothesis: String,
    documents: Option<[String; 2]>,
    normalizer: Option<String>,
    tokenizer: Option<String>,
    case: Case,
    mweralign: bool,
    unlike: bool,
    output: String,
    overwrite: bool,
    text: TextOptions,
    quiet: bool,
}

impl Subcommand for ResegmentCommand {
    const NAME: &'static str = "resegment";

    fn define(command: Command, _: &Families) -> Command {
        command
            .about("Cut output into the segments of its references, with the fewest edits")
            .arg(sources::references().required(true).help("Reference files, one segment per line"))
            .arg(
                option("input", "HYP")
                    .short('i')
                    .default_value("-")
                    .help("The output of the system, with line ends at any place; `-` is standard input"),
            )
            .arg(
                option("document", "REF-FILE HYP-FILE")
                    .num_args(2)
                    .help("Two files with the document of each line, for the references and for the output: no word moves to another document"),
            )
            .arg(option("norm", "NAME").help("Compare words after normalizers, joined by +, as in whisper-en or nfkc+lower"))
            .arg(option("tokenize", "NAME").help(
                "Compare words as the tokens that a tokenizer makes of each word [default: compare whole words]",
            ))
            .arg(flag("lowercase").help("Compare words in lower case"))
            .arg(
                option("like", "PROGRAM")
                    .value_parser(["mweralign"])
                    .help("Cut like this program, which compares in lower case and does not always reach the fewest edits"),
            )
            .arg(flag("unlike-lengths").help("Cut even if the lengths differ by more than a factor of 2"))
            .arg(
                option("output", "FILE")
                    .short('o')
                    .default_value("-")
                    .help("The file to write, with one line for each line of the references; `-` is standard output"),
            )
            .arg(args::overwrite("Write over a file that is there"))
            .args(sources::text())
            .arg(args::quiet())
    }

    fn request(matches: &ArgMatches, _: &Families) -> Result<Self> {
        let mweralign = matches.text("like").is_some();
        let tokenizer = matches.text("tokenize");
        let normalizer = matches.text("norm");
        if mweralign && (tokenizer.is_some() || normalizer.is_some()) {
            fail!("--like mweralign compares whole words: leave out --tokenize and --norm");
        }
        let case = match matches.get_flag("lowercase") {
            // Case::LowerAscii => mwerAlign lowers ASCII letters alone.
            _ if mweralign => Case::LowerAscii,
            true => Case::Lower,
            false => Case::Mixed,
        };
        Ok(ResegmentCommand {
            references: matches.texts("references"),
            hypothesis: matches.texts("input").concat(),
            documents: matches.texts("document").try_into().ok(),
            normalizer,
            tokenizer,
            case,
            mweralign,
            unlike: matches.get_flag("unlike-lengths"),
            output: matches.texts("output").concat(),
            overwrite: matches.get_flag("overwrite"),
            text: sources::text_of(matches),
            quiet: matches.get_flag("quiet"),
        })
    }

    fn run(self, program: &CommandContext<'_>, out: &mut Out) -> Result<()> {
        let inputs = self.references.iter().chain([&self.hypothesis]).chain(self.documents.iter().flatten());
        let inputs: Vec<String> = inputs.filter(|file| *file != "-").cloned().collect();
        let place = NumberPlace { option: "--output", file: &self.output, holds: Holds::Data };
        places::check(&[place], &inputs, self.overwrite)?;
        let open = |file: &String| FileText::open_text(file, self.text);
        let references = self.references.iter().map(open).collect::<Result<Vec<_>, InputError>>()?;
        let hypothesis = open(&self.hypothesis)?;
        for text in references.iter().chain([&hypothesis]).filter(|_| !self.quiet) {
            warn::findings(&Location::file(Arc::clone(text.name())), &text.findings());
        }
        // Line i of every reference file is one segment, so all files need the same number of lines.
        for (file, other) in self.references.iter().zip(&references).skip(1) {
            same_length((&self.references[0], &references[0]), (file, other))?;
        }
        if hypothesis.len() == references[0].len() && self.documents.is_none() && !self.quiet {
            warn::note(
                "warning: the output already has the same number of lines as the references; is re-segmentation needed?",
            );
        }
        let documents = self.documents(&references[0], &hypothesis)?;
        let cutter = self.cutter(program)?;
        let mut lines = vec![String::new(); references[0].len()];
        let mut report = ResegmentReport::default();
        for ResegmentedDocument { name, references: own, hypothesis: text } in &documents {
            let segments: Vec<Vec<&str>> =
                own.iter().map(|&line| references.iter().map(|stream| stream.line(line)).collect()).collect();
            let cut = cutter.cut(&segments, text).map_err(|error| match name {
                Some(name) => Failure::Message(format!("document `{name}`: {error}")),
                None => error.into(),
            })?;
            for (&line, piece) in own.iter().zip(&cut.pieces) {
                lines[line] = piece.to_string();
            }
            report.add(own, &cut);
        }
        let text: String = lines.iter().flat_map(|line| [line, "\n"]).collect();
        write_text(&self.output, &text, out)?;
        if !self.quiet {
            report.say();
        }
        Ok(())
    }
}

struct ResegmentedDocument {
    name: Option<String>,
    references: Vec<usize>,
    hypothesis: String,
}

impl ResegmentCommand {
    fn cutter(&self, program: &CommandContext<'_>) -> Result<Cutter> {
        let options = TokenizerOptions { case: self.case, ..TokenizerOptions::default() };
        let cutter = Cutter::default().with_case(self.case);
        let cutter = match &self.normalizer {
            Some(name) => cutter.with_normalizer(program.tokenizers.normalizers.build(name)?),
            None => cutter,
        };
        let cutter = match &self.tokenizer {
            Some(name) => cutter.with_tokenizer(program.tokenizers.build(name, &options)?),
            None => cutter,
        };
        let cutter = if self.mweralign { cutter.with_borders(Borders::AsMweralign) } else { cutter };
        Ok(if self.unlike { cutter.with_unlike_lengths() } else { cutter })
    }

    /// Groups the lines of references and output by document, in the order of the references. Without
    /// `--document`, all lines are one document.
    fn documents(&self, references: &FileText, hypothesis: &FileText) -> Result<Vec<ResegmentedDocument>> {
        let Some([of_references, of_hypothesis]) = &self.documents else {
            let lines: Vec<&str> = hypothesis.iter().collect();
            return Ok(vec![ResegmentedDocument {
                name: None,
                references: (0..references.len()).collect(),
                hypothesis: lines.join(" "),
            }]);
        };
        let labels = |file: &String, lines: &FileText, of: &String| -> Result<FileText> {
            let labels = FileText::open(file, Encoding::Utf8Sig)?;
            same_length((file, &labels), (of, lines))?;
            Ok(labels)
        };
        let own = labels(of_references, references, &self.references[0])?;
        let theirs = labels(of_hypothesis, hypothesis, &self.hypothesis)?;
        let mut documents: Vec<ResegmentedDocument> = Vec::new();
        // Lines of a document may be apart in the references; they are cut together and written back in
        // place.
        let mut places = std::collections::HashMap::new();
        for (line, name) in own.iter().enumerate() {
            let place = *places.entry(name.to_owned()).or_insert_with(|| {
                let name = Some(name.to_owned());
                documents.push(ResegmentedDocument {
                    name,
                    references: Vec::new(),
                    hypothesis: String::new(),
                });
                documents.len() - 1
            });
            documents[place].references.push(line);
        }
        for (number, (name, text)) in (1..).zip(theirs.iter().zip(hypothesis.iter())) {
            let Some(&place) = places.get(name) else {
                fail!("{of_hypothesis}: line {number}: the references have no line of the document `{name}`");
            };
            let hypothesis = &mut documents[place].hypothesis;
            hypothesis.push_str(if hypothesis.is_empty() { "" } else { " " });
            hypothesis.push_str(text);
        }
        Ok(documents)
    }
}

fn same_length(
    (left, one): (&String, &FileText),
    (right, other): (&String, &FileText),
) -> Result<(), InputError> {
    if one.len() == other.len() {
        return Ok(());
    }
    let left = left.clone();
    let right = right.clone();
    let left_len = one.len() as u64;
    let right_len = other.len() as u64;
    Err(InputErrorKind::LengthMismatch { left, left_len, right, right_len }.into())
}

#[derive(Default)]
struct ResegmentReport {
    edits: u64,
    tokens: u64,
    /// Numbers, counted from 1, of doubtful lines: their alignment has more edits than the reference line has
    /// tokens.
    doubtful: Vec<usize>,
}

impl ResegmentReport {
    fn add(&mut self, lines: &[usize], cut: &TextCut<'_>) {
        for ((&line, &edits), &ref_len) in lines.iter().zip(&cut.edits).zip(&cut.ref_lens) {
            self.edits += edits;
            self.tokens += ref_len as u64;
            // More edits than tokens means that the cut found hardly a word of the reference here.
            if edits > ref_len as u64 {
                self.doubtful.push(line + 1);
            }
        }
    }

    fn say(&self) {
        const SHOWN: usize = 10;
        let ResegmentReport { edits, tokens, doubtful } = self;
        // Without tokens the rate would divide by zero.
        let rate = if *tokens > 0 {
            format!(", AS-WER {:.4}", *edits as f64 / *tokens as f64)
        } else {
            String::new()
        };
        let edits = counted(*edits, "edit");
        let tokens = counted(*tokens, "token");
        warn::note(&format!("{edits} over {tokens} of the references{rate}"));
        if !doubtful.is_empty() {
            let shown: Vec<String> = doubtful.iter().take(SHOWN).map(usize::to_string).collect();
            let more = if doubtful.len() > SHOWN { ", .." } else { "" };
            warn::note(&format!(
                "more edits than tokens in {}; check the lines {}{more}",
                counted(doubtful.len(), "segment"),
                shown.join(", ")
            ));
        }
    }
}
