//! Bugs in a metric's verbs.

use bleuprint_core::laws;

use super::caught;
use super::length_error::{Bug, LengthError};

#[test]
fn the_right_metric_passes() {
    laws::check(&LengthError::right());
}

#[test]
fn bugs() {
    use Bug::*;
    for bug in [
        CachesReferencesInScratch,
        CountsBeforeItFails,
        FirstReferenceCounts,
        LooksAtTokens,
        NeedsAnUnsaidSource,
        NeedsUnsaidReferences,
        CountsMissingReferences,
        RefusesTwoTokens,
        PanicsOnEmptyHypotheses,
        ZeroGoesOn,
        ScoreInTheConfiguration,
        MillionPercent,
        NotANumber,
        NumberOfItsOwn,
        OneNameForTwo,
        OneNameTwice,
        SecondHeadlineFirst,
        ErrorWithoutReason,
        PanicsOnHostileRows,
        RefusesItsOwn,
        ServesOtherLayouts,
        KeyOfItsOwn,
        UnreadableName,
        Pairs,
        LeftOut,
        Aggregate,
        AggregateOfNoSegments,
        Prepare,
        PrepareWithoutReferences,
        Beginnings,
        LastBeginning,
        Batches,
        BatchErrors,
    ] {
        println!("--{bug:?}\n{}", caught(|| laws::check(&LengthError::with(bug))));
    }
    panic!();
}
