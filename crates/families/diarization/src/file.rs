//! [`ScoredFile`]: the speaker turns of one recording, cut into stretches of time in which the speakers do
//! not change.

use bleuprint_core::{Result, Segment};

use crate::choices::{DiarizationProgram, LongDecimals, Overlap, ScoredTime, Uem};
use crate::frames;
use crate::side::{Joined, Span, SpeakerTurns, scored, union, without};
use crate::{Regions, Turns};

/// Reference and hypothesis of one recording, prepared for scoring.
pub(crate) struct ScoredFile<'t> {
    /// Names of the reference speakers and of the hypothesis speakers.
    pub(crate) speakers: [Vec<&'t str>; 2],
    borders: Vec<Border>,
    /// Scored time of the recording: the region without collars, before stretches with several speakers are
    /// removed.
    left: Span,
    /// Time over which the mapping of reference to hypothesis speakers is computed. The flag is `true` if the
    /// stretches that the option `overlap` removes are removed here, too.
    mapped: (Span, bool),
    overlap: Overlap,
    /// `true` if a speaker with several simultaneous turns counts once for each of them.
    repeats: bool,
}

/// Start or end of a speaker turn.
struct Border {
    time: i64,
    side: usize,
    speaker: usize,
    starts: bool,
}

/// Speakers of reference and hypothesis who speak in one stretch of the recording, in which nobody starts or
/// stops.
#[derive(Default)]
pub(crate) struct Active {
    /// Number of simultaneous turns that each speaker has in this stretch of the recording, indexed by side
    /// (0 reference, 1 hypothesis) and then by speaker.
    turns: [Vec<u32>; 2],
    /// Indices of the speakers who speak in this stretch of the recording, for the reference and for the
    /// hypothesis.
    pub(crate) on: [Vec<usize>; 2],
    repeats: bool,
}

impl Active {
    /// Returns how often a speaker counts in this stretch of the recording: once, or once for each of the
    /// speaker's simultaneous turns, as in pyannote.
    pub(crate) fn times(&self, side: usize, speaker: usize) -> u64 {
        let turns = self.turns[side].get(speaker).copied().unwrap_or_default();
        u64::from(if self.repeats { turns } else { turns.min(1) })
    }

    /// Returns the number of speakers on one side (0 reference, 1 hypothesis) who speak in this stretch of
    /// the recording. A speaker with simultaneous turns counts once, or once for each turn as in pyannote.
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
    /// Prepares a recording for scoring. If `one` is `true`, all speakers of the reference are treated as
    /// one, and so are all speakers of the hypothesis.
    ///
    /// # Errors
    /// Returns an error if there is not exactly one reference, if required regions are missing, or if turns
    /// are malformed.
    pub(crate) fn from_turns(
        metric: &str,
        choices: &ScoredTime,
        one: bool,
        segment: Segment<'t, Turns, Turns, Regions>,
    ) -> Result<Self> {
        let (sides, region) = read(metric, choices, segment)?;
        // Joining removes overlap of a speaker with itself. md-eval keeps such turns but counts the speaker
        // once, so its collars also surround the inner borders.
        let sides = match choices.like {
            DiarizationProgram::None => sides.map(|side| side.joined(Joined::Overlapping)),
            DiarizationProgram::Dscore => sides.map(|side| side.within(&region).joined(Joined::Overlapping)),
            _ => sides,
        };
        let left = match choices.like {
            // simpleder and spyder put no collar where two turns of a speaker meet: join these before the
            // borders are taken.
            DiarizationProgram::SimpleDer | DiarizationProgram::Spyder => {
                sides[0].joined(Joined::Touching).left(&region, choices)
            }
            _ => sides[0].left(&region, choices),
        };
        // Only here do the programs disagree about the same file: the mapping may or may not see the collars
        // and the overlap.
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

    /// Prepares a recording for scoring in frames of 10 ms, as dscore does.
    ///
    /// # Errors
    /// Returns the errors of [`ScoredFile::from_turns`].
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
            // Turns without time add no speech. They only had a collar, which `left` already contains.
            for turn in turns.turns.iter().filter(|turn| turn.start < turn.end) {
                let border = |time, starts| Border { time, side, speaker: turn.speaker, starts };
                borders.extend([border(turn.start, true), border(turn.end, false)]);
            }
        }
        // Starts come before ends at the same time, so that a speaker whose turns touch never stops in
        // between.
        borders.sort_unstable_by_key(|border| (border.time, !border.starts, border.side, border.speaker));
        let speakers = sides.map(|side| side.speakers);
        ScoredFile { speakers, borders, left, mapped, overlap: Overlap::Keep, repeats }
    }

    /// Calls `each` for every scored stretch of the recording in which the speakers do not change, with its
    /// length and the speakers who speak in it.
    pub(crate) fn pieces(&self, mut each: impl FnMut(u64, &Active)) {
        self.placed_pieces(|_, length, active| each(length, active));
    }

    /// Calls `each` for every scored stretch of the recording in which the speakers do not change, with its
    /// start, its length and the speakers who speak in it.
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

    /// Returns the time in which each pair of speakers speaks together, over the time used for mapping. Rows
    /// are reference speakers, columns are hypothesis speakers.
    pub(crate) fn mappable(&self) -> Vec<Vec<u64>> {
        let (span, without_overlap) = &self.mapped;
        self.common_in(span, |active| !without_overlap || self.counts(active))
    }

    /// Returns this recording with every speaker counted at most once at a time, even if the speaker's own
    /// turns overlap.
    pub(crate) fn counting_once(self) -> Self {
        ScoredFile { repeats: false, ..self }
    }

    /// Returns the time in which each pair of speakers speaks together, over the scored time. Rows are
    /// reference speakers, columns are hypothesis speakers.
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
                    // Overflow needs a speaker who overlaps itself 10^3 times for a month.
                    *cell = cell.saturating_add(length.saturating_mul(times));
                }
            }
        });
        common
    }

    /// Returns the scored speech time of each speaker in ticks, for the reference and for the hypothesis.
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

    /// Cuts stretches of time at every start and end of a speaker turn. Calls `each` with the start, the
    /// length and the speakers of every resulting stretch.
    fn cut(&self, span: &[(i64, i64)], mut each: impl FnMut(i64, u64, &Active)) {
        let turns = self.speakers.each_ref().map(|speakers| vec![0; speakers.len()]);
        let mut active = Active { turns, repeats: self.repeats, ..Active::default() };
        // Both lists are sorted by time, so one pass over the borders serves all stretches of the span.
        let mut borders = self.borders.iter().peekable();
        for &(start, end) in span {
            let mut time = start;
            // Borders before the stretch change who is speaking, but give no piece.
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

/// Converts the turns of reference and hypothesis to ticks. Returns them with the region to score, before
/// collars are removed.
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
    /// Returns the scored time of a recording: `region` without the collars, the unscored time around each
    /// start and end of the speaker turns in `self`.
    fn left(&self, region: &[(i64, i64)], choices: &ScoredTime) -> Span {
        let half = choices.half_width();
        let borders = self.turns.iter().flat_map(|turn| [turn.start, turn.end]);
        without(region, &union(borders.map(|border| (border - half, border + half)).collect()))
    }
}
