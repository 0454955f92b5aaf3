//! Leave-one-out scoring: each text is scored with all other texts as references. Examples are Self-BLEU of
//! samples, and the human ceiling from several references.

use bleuprint_core::{
    Answer, Ask, InputErrorKind, Location, Observe, Result, Segment, SegmentCounts, State, Wanted,
};
use bleuprint_inference::{Interrupt, map_with};

use crate::batches::{ThreadTables, batch_of, observe_apart};

/// Returns, for each sequence, the metric's statistics with all other sequences as its references.
///
/// ```
/// use bleuprint_eval::leave_one_out;
/// use bleuprint_metrics::Bleu;
///
/// let samples: [&[u32]; 3] = [&[1, 2, 3, 4], &[1, 2, 3, 4], &[5, 6, 7, 8]];
/// let bleu = Bleu::default().sentence();
/// let states = leave_one_out(&bleu, &samples).unwrap();
/// let scores: Vec<f64> = states.iter().map(|state| state.score(&bleu).unwrap().value()).collect();
/// assert_eq!(scores, [100.00000000000004, 100.00000000000004, 0.0]);
/// ```
///
/// Self-BLEU (Zhu et al. 2018) is the mean of these scores; a lower mean means more diverse samples. The
/// score of a reference shows how well one human agrees with the others, which is a ceiling for systems. For
/// a corpus, merge the states of each reference stream, then compute one score.
///
/// Metrics with a special method, such as BLEU, take time linear in the tokens; others take time
/// quadratic in the number of sequences.
///
/// # Errors
/// Returns [`NoReferences`](InputErrorKind::NoReferences) for a single sequence, and the errors of
/// [`Observe::observe`] with the number of the sequence.
pub fn leave_one_out<M, S>(metric: &M, sequences: &[&S]) -> Result<Vec<State<M::Stats>>>
where
    M: Observe<S>,
    S: ?Sized + Sync,
{
    if sequences.len() == 1 {
        return Err(InputErrorKind::NoReferences.into());
    }
    let ask = Ask::new(Wanted::LeaveOneOut, sequences, sequences);
    // Some metrics subtract each sequence from common counts; the result is the same as that of observing all
    // others.
    let shorter = if sequences.is_empty() { None } else { metric.ask(&mut M::Scratch::default(), ask)? };
    let stats = match shorter {
        Some(Answer::Stats(stats)) => stats,
        _ => each_with_others(metric, sequences, sequences)?,
    };
    let counts = SegmentCounts::of_segment(sequences.len().saturating_sub(1));
    stats.into_iter().map(|stats| State::from_stats(metric, counts, stats)).collect()
}

/// Upper bound on the total length of the lists of references that one batch holds in memory.
const LISTED: usize = 1 << 22;

/// Returns the statistics of each hypothesis `i` with all references except reference `i`, computed in all
/// threads of the current pool.
pub(crate) fn each_with_others<'s, M, S>(
    metric: &M,
    hypotheses: &[&'s S],
    references: &[&'s S],
) -> Result<Vec<M::Stats>>
where
    M: Observe<S>,
    S: ?Sized + Sync,
{
    // Lists of other sequences grow with the square of their number, so large pools get small batches.
    let batch = batch_of(metric).min(LISTED / references.len().max(1)).max(1);
    let interrupt = Interrupt::of_thread();
    interrupt.expect(hypotheses.len());
    let some = |tables: &mut ThreadTables<M>, part: usize| -> Result<Vec<M::Stats>> {
        interrupt.check()?;
        let own = part * batch..hypotheses.len().min((part + 1) * batch);
        let others: Vec<Vec<&S>> =
            own.clone().map(|own| [&references[..own], &references[own + 1..]].concat()).collect();
        let segment = |&at: &usize| Segment::new(hypotheses[own.start + at], &others[at]);
        let mut all = Vec::with_capacity(others.len());
        observe_apart(metric, tables, 0..others.len(), segment, |at, observed| {
            let number = (own.start + at) as u64 + 1;
            all.push(observed.map_err(|error| error.at(Location::segment(number)))?.clone());
            interrupt.advance(1);
            Ok(())
        })?;
        Ok(all)
    };
    let parts = map_with(hypotheses.len().div_ceil(batch), || ThreadTables::new(metric), some);
    let mut all = Vec::with_capacity(hypotheses.len());
    for part in parts {
        all.extend(part?);
    }
    Ok(all)
}
