//! CharacTER: character edits after shifts of words, plus a cost of the shifts.
//!
//! ```text
//! CharacTER = min(1, (d + s) / characters of the shifted hypothesis)
//! ```
//!
//! `d` is the Levenshtein distance of the shifted hypothesis and the reference, with words joined by spaces.
//! `s` is the sum, over the shifts, of the mean length of the shifted words. Shifts are made one by one.
//! Each shift moves the run of words that occurs elsewhere in the reference and lowers the word error rate
//! most.
//!
//! | singular case | result |
//! |---|---|
//! | the words are equal | 0, unless the hypothesis is empty |
//! | empty hypothesis | 1 |
//! | empty reference | a segment without a number: the program divides by its length |
//! | no segment with a number | error |
//! | several references | error: the metric is defined for one |
//! | up to 2^38 cells of tables of edits for one segment | beyond them an error, before the search |
//! | nothing observed | 0 |
//!
//! The range is 0 to 1, lower is better; the score is the exact mean over segments. White space separates
//! words. Source: Wang et al. 2016, CharacTer: Translation Edit Rate on Character Level; the numbers match
//! cer 1.2.0 bit for bit. Every pair of equal words in different places is a candidate shift that needs a
//! word error rate, so the time is the product of the squared lengths if words repeat.
//!
//! ```
//! use bleuprint_core::Accumulator;
//! use bleuprint_similarity::Character;
//!
//! let mut character = Accumulator::<_, str>::new(Character);
//! character.push("they arrived yesterday", &["yesterday they arrived"]).unwrap();
//! // One shift, of two words with 5.5 letters each on average.
//! assert_eq!(character.score().unwrap().value(), 5.5 / 22.0);
//! ```

mod shifts;

use bleuprint_core::{Case, Direction, ExactSum, Identity, Observe, Result, Scale, Segment};
use bleuprint_metrics::PairTables;
use bleuprint_registry::{AnyMetric, MetricEntry};
use bleuprint_text::whitespace::split;

use crate::mean::mean_of_segments;

/// Metric CharacTER, a character edit rate after shifts of words; it has no options. The [module
/// documentation](self) has the definition.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "closed: the definition has no options")]
pub struct Character;

mean_of_segments!(partial Character, PairTables, self => {
    Identity::new("character", 1, Scale { direction: Direction::LowerIsBetter, ..Scale::UNIT })
        .named("CharacTER")
        .needing(|needs| needs.one_reference = true)
});

impl Observe<str> for Character {
    fn observe(&self, tables: &mut PairTables, sum: &mut ExactSum, segment: Segment<'_, str>) -> Result<()> {
        let reference: Vec<&str> = split(segment.one_reference("CharacTER")?).collect();
        if reference.is_empty() {
            return Ok(());
        }
        let hypothesis: Vec<&str> = split(segment.hypothesis).collect();
        Ok(sum.add(score(tables, &hypothesis, &reference)?)?)
    }
}

fn score(tables: &mut PairTables, hypothesis: &[&str], reference: &[&str]) -> Result<f64> {
    if hypothesis.is_empty() {
        return Ok(1.0);
    }
    if hypothesis == reference {
        return Ok(0.0);
    }
    let shifted = shifts::shifted(tables, hypothesis, reference)?;
    let cost = shifts::cost(hypothesis, &shifted);
    let joined = |words: &[&str]| words.join(" ").chars().collect::<Vec<char>>();
    let text = joined(&shifted);
    let edits = tables.edits(&text, &joined(reference))? as f64;
    Ok(((edits + cost) / text.len() as f64).min(1.0))
}

pub(crate) const ENTRY: MetricEntry =
    MetricEntry::new("character", "CharacTER: character edits after shifts of words", |_| {
        Ok(AnyMetric::for_text(Character).with_case(Case::Mixed))
    })
    .papers(&[crate::paper("wang-etal-2016-character")])
    .agrees_with("cer 1.2.0")
    .example(r#"{"hypothesis": "the cat sat on the mat", "reference": "the cat sat on a mat"}"#);

#[cfg(test)]
#[test]
fn obeys_the_laws() {
    bleuprint_registry::laws::check_any(&AnyMetric::for_text(Character));
}
