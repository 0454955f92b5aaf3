//! [`ScoredFile`]: the turns of both sides of a file, cut at every border into pieces of the scored region.

use bleuprint_core::{Result, Segment};

use crate::choices::{DiarizationProgram, LongDecimals, Overlap, ScoredTime, Uem};
use crate::frames;
use crate::side::{Joined, Span, SpeakerTurns, scored, union, without};
use crate::{Regions, Turns};

/// A file, ready to be scored.
pub(crate) struct ScoredFile<'t> {
    /// The speakers of reference and hypothesis.
    pub(crate) speakers: [Vec<&'t str>; 2],
    borders: Vec<Border>,
    /// The region that is scored, before the overlap is taken out.
    left: Span,
    /// The region in which speakers are mapped, and whether the overlap is taken out there too.
    mapped: (Span, bool),
    overlap: Overlap,
    /// Whether a speaker that overlaps itself counts as often.
    repeats: bool,
}

/// The start or the end of a turn.
struct Border {
    time: i64,
    side: usize,
    speaker: usize,
    starts: bool,
}

/// The speakers that are on in a piece of time.
#[derive(Default)]
pub(crate) struct Active {
    /// By side and speaker, the number of turns that are on.
    turns: [Vec<u32>; 2],
    /// By side, the speakers with a turn.
    pub(crate) on: [Vec<usize>; 2],
    repeats: bool,
}

impl Active {
    /// The number of times that a speaker counts.
    pub(crate) fn times(&self, side: usize, speaker: usize) -> u64 {
        let turns = self.turns[side].get(speaker).copied().unwrap_or_default();
        u64::from(if self.repeats { turns } else { turns.min(1) })
    }

    /// The number of speakers of a side.
    pub(crate) fn speakers(&self, side: usize) -> u64 {
        self.on[side].iter().map(|&speaker| self.times(side, speaker)).sum()
    }

    fn reference_turns(&self) -> u32 {
        self.on[0].iter().map(|&speaker| self.turns[0][speaker]).sum()
    }

    fn change(&mut self, border: &Border) {
        let turns = &mut self.turns[border.side][border.speaker];
        let on = &mut self.on[border.side];
        match border.starts {
            true if *turns == 0 => on.push(border.speaker),
            false if *turns == 1 => on.retain(|other| *other != border.speaker),
            _ => {}
        }
        *turns = if border.starts { *turns + 1 } else { *turns - 1 };
    }
}

impl<'t> ScoredFile<'t> {
    /// With `one`, all speakers of a side are one.
    ///
    /// # Errors
    /// No reference or several; no regions where they are wanted; malformed turns.
    pub(crate) fn from_turns(
        metric: &str,
        choices: &ScoredTime,
        one: bool,
        segment: Segment<'t, Turns, Turns, Regions>,
    ) -> Result<Self> {
        let (sides, region) = read(metric, choices, segment)?;
        let sides = match choices.like {
            DiarizationProgram::None => sides.map(|side| side.joined(Joined::Overlapping)),
            DiarizationProgram::Dscore => sides.map(|side| side.within(&region).joined(Joined::Overlapping)),
            _ => sides,
        };
        let left = match choices.like {
            DiarizationProgram::SimpleDer | DiarizationProgram::Spyder => {
                sides[0].joined(Joined::Touching).left(&region, choices)
            }
            _ => sides[0].left(&region, choices),
        };
        let mapped = match choices.like {
            DiarizationProgram::None | DiarizationProgram::MdEval | DiarizationProgram::Dscore => {
                (region, false)
            }
            DiarizationProgram::Pyannote | DiarizationProgram::SimpleDer => (left.clone(), true),
            DiarizationProgram::Spyder => (left.clone(), false),
        };
        let sides = if one { sides.map(|side| side.of_one().joined(Joined::Touching)) } else { sides };
        Ok(ScoredFile {
            overlap: choices.overlap,
            ..ScoredFile::over(sides, left, mapped, choices.like == DiarizationProgram::Pyannote)
        })
    }

    /// The file in frames of [`frames`], as dscore has it.
    ///
    /// # Errors
    /// Those of [`ScoredFile::of`].
    pub(crate) fn in_frames(
        metric: &str,
        choices: &ScoredTime,
        segment: Segment<'t, Turns, Turns, Regions>,
    ) -> Result<Self> {
        let (sides, region) = read(metric, choices, segment)?;
        let frames = frames::of_region(&region);
        let sides = sides.map(|side| frames::of_side(side.within(&region)));
        Ok(ScoredFile::over(sides, frames.clone(), (frames, false), false))
    }

    fn over(sides: [SpeakerTurns<'t>; 2], left: Span, mapped: (Span, bool), repeats: bool) -> Self {
        let mut borders = Vec::new();
        for (side, turns) in sides.iter().enumerate() {
            for turn in turns.turns.iter().filter(|turn| turn.start < turn.end) {
                let border = |time, starts| Border { time, side, speaker: turn.speaker, starts };
                borders.extend([border(turn.start, true), border(turn.end, false)]);
            }
        }
        // Starts before ends of one time: a speaker whose turns touch is never off between them.
        borders.sort_unstable_by_key(|border| (border.time, !border.starts, border.side, border.speaker));
        let speakers = sides.map(|side| side.speakers);
        ScoredFile { speakers, borders, left, mapped, overlap: Overlap::Keep, repeats }
    }

    /// Calls `each` with the length of every piece that is scored, and the speakers that are on.
    pub(crate) fn pieces(&self, mut each: impl FnMut(u64, &Active)) {
        self.placed_pieces(|_, length, active| each(length, active));
    }

    /// The same with the start of each piece.
    pub(crate) fn placed_pieces(&self, mut each: impl FnMut(i64, u64, &Active)) {
        self.cut(&self.left, |start, length, active| {
            if self.counts(active) {
                each(start, length, active);
            }
        });
    }

    fn counts(&self, active: &Active) -> bool {
        match self.overlap {
            Overlap::Keep => true,
            Overlap::Skip => active.reference_turns() < 2,
            Overlap::Single => active.on[0].len() == 1,
            Overlap::Only => active.on[0].len() > 1,
            Overlap::NonOverlap => active.on[0].len() < 2,
        }
    }

    /// The time that each pair of speakers has in common where speakers are mapped: rows are those of the reference.
    pub(crate) fn mappable(&self) -> Vec<Vec<u64>> {
        let (span, without_overlap) = &self.mapped;
        self.common_in(span, |active| !without_overlap || self.counts(active))
    }

    /// The same file, in which a speaker that overlaps itself counts once.
    pub(crate) fn counting_once(self) -> Self {
        ScoredFile { repeats: false, ..self }
    }

    /// The time that each pair of speakers has in common where it is scored.
    pub(crate) fn common(&self) -> Vec<Vec<u64>> {
        self.common_in(&self.left, |active| self.counts(active))
    }

    fn common_in(&self, span: &[(i64, i64)], counts: impl Fn(&Active) -> bool) -> Vec<Vec<u64>> {
        let [rows, columns] = self.speakers.each_ref().map(Vec::len);
        let mut common = vec![vec![0_u64; columns]; rows];
        self.cut(span, |_, length, active| {
            if active.on[1].is_empty() || !counts(active) {
                return;
            }
            for &row in &active.on[0] {
                for &column in &active.on[1] {
                    let times = active.times(0, row).saturating_mul(active.times(1, column));
                    let cell = &mut common[row][column];
                    // Only a speaker who overlaps himself 10^3 times for a month comes so far.
                    *cell = cell.saturating_add(length.saturating_mul(times));
                }
            }
        });
        common
    }

    /// The scored time of each speaker of both sides.
    pub(crate) fn times(&self) -> [Vec<u64>; 2] {
        let mut times = self.speakers.each_ref().map(|speakers| vec![0; speakers.len()]);
        self.pieces(|length, active| {
            for (side, times) in times.iter_mut().enumerate() {
                for &speaker in &active.on[side] {
                    times[speaker] += length * active.times(side, speaker);
                }
            }
        });
        times
    }

    /// Cuts a span at every border of a turn.
    fn cut(&self, span: &[(i64, i64)], mut each: impl FnMut(i64, u64, &Active)) {
        let turns = self.speakers.each_ref().map(|speakers| vec![0; speakers.len()]);
        let mut active = Active { turns, repeats: self.repeats, ..Active::default() };
        let mut borders = self.borders.iter().peekable();
        for &(start, end) in span {
            let mut time = start;
            while let Some(border) = borders.next_if(|border| border.time < end) {
                if border.time > time {
                    each(time, border.time.abs_diff(time), &active);
                    time = border.time;
                }
                active.change(border);
            }
            each(time, end.abs_diff(time), &active);
        }
    }
}

/// The sides in ticks, and the region before collars.
fn read<'t>(
    metric: &str,
    choices: &ScoredTime,
    segment: Segment<'t, Turns, Turns, Regions>,
) -> Result<([SpeakerTurns<'t>; 2], Span)> {
    let rounded = choices.times == LongDecimals::Rounded;
    let sides = [
        SpeakerTurns::from_turns("reference", segment.one_reference(metric)?, rounded)?,
        SpeakerTurns::from_turns("hypothesis", segment.hypothesis, rounded)?,
    ];
    let sides = match choices.like {
        DiarizationProgram::Pyannote | DiarizationProgram::SimpleDer => {
            sides.map(SpeakerTurns::without_empty)
        }
        _ => sides,
    };
    let region = match choices.uem {
        Uem::Given => scored(segment.source()?, rounded)?,
        Uem::Extent => extent(choices.like, &sides),
    };
    Ok((sides, region))
}

fn extent(like: DiarizationProgram, sides: &[SpeakerTurns<'_>; 2]) -> Span {
    let sides = if like == DiarizationProgram::MdEval { &sides[..1] } else { &sides[..] };
    let extents = sides.iter().filter_map(SpeakerTurns::extent);
    let all = extents.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)));
    union(all.into_iter().collect())
}

impl SpeakerTurns<'_> {
    /// The region without the collars of these turns.
    fn left(&self, region: &[(i64, i64)], choices: &ScoredTime) -> Span {
        let half = choices.half_width();
        let borders = self.turns.iter().flat_map(|turn| [turn.start, turn.end]);
        without(region, &union(borders.map(|border| (border - half, border + half)).collect()))
    }
}
