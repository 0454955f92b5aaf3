//! Reads outputs that have other segments than the references, and cuts them into the segments of the
//! references as a [`TextCorpus`].

use bleuprint::Location;
use bleuprint::contract::counted;
use bleuprint::eval::evaluation::TextCorpus;
use bleuprint::resegment::Resegment;
use bleuprint::text::FileText;

use crate::corpus;
use crate::failure::{Failure, Result, fail};
use crate::input::Streams;
use crate::request::sources::{StreamsRequest, Unlike};
use crate::tokens::TokenChoice;
use crate::warn;

/// Reads system outputs and cuts them into the segments of the references. For the alignment, words are
/// compared after normalization, with the given case and tokenizer; the segments keep the original text.
pub(super) fn read(
    request: &StreamsRequest,
    tokens: &TokenChoice,
    unlike: Unlike,
    quiet: bool,
) -> Result<TextCorpus> {
    let systems = request.systems.clone().unwrap_or_default();
    if request.references.is_empty() {
        fail!("--resegment cuts outputs into the segments of references: give the files REF");
    }
    let references = StreamsRequest { systems: Some(Vec::new()), ..request.clone() };
    let mut corpus = corpus::of_streams(Streams::open(&references)?)?;
    let cutter = cutter(tokens, unlike)?;
    for file in &systems {
        let text = FileText::open_text(file, request.text())?;
        if !quiet {
            warn::findings(&Location::file(&**file), &text.findings());
        }
        // Outputs that already have the right segments would lose them by splitting, hence the warning.
        if text.len() == corpus.segments.len() && !quiet {
            warn::note(&format!(
                "warning: {file} already has the same number of lines as the references; is re-segmentation needed?"
            ));
        }
        let segments: Vec<Vec<&str>> = corpus
            .segments
            .iter()
            .map(|segment| segment.references.iter().map(String::as_str).collect())
            .collect();
        // The line breaks of the output carry no information here, so all lines become one text.
        let text = text.iter().collect::<Vec<&str>>().join(" ");
        let cut =
            cutter.cut(&segments, &text).map_err(|error| Failure::Message(format!("{file}: {error}")))?;
        if !quiet {
            let edits = cut.edits.iter().sum::<u64>();
            let tokens = cut.ref_lens.iter().sum::<usize>();
            let segments = counted(segments.len(), "segment");
            let edits = counted(edits, "edit");
            let tokens = counted(tokens, "token");
            warn::note(&format!(
                "{file} is cut into {segments}, with {edits} over {tokens} of the references"
            ));
        }
        let pieces: Vec<String> = cut.pieces.iter().map(|&piece| piece.to_owned()).collect();
        for (segment, piece) in corpus.segments.iter_mut().zip(pieces) {
            segment.hypotheses.push(piece);
        }
    }
    Ok(TextCorpus { systems, resegmented: true, ..corpus })
}

fn cutter(tokens: &TokenChoice, unlike: Unlike) -> Result<Resegment> {
    let mut cutter = Resegment::default().with_case(tokens.case());
    if let Some(chain) = tokens.normalizer()? {
        cutter = cutter.with_normalizer(chain);
    }
    if tokens.is_asked() {
        cutter = cutter.with_tokenizer(tokens.tokenizer()?);
    }
    Ok(if unlike == Unlike::Cut { cutter.with_unlike_lengths() } else { cutter })
}
