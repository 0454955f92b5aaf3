//! [`ScoredTime`]: which time of a recording is scored and how, following one of five diarization programs.

use bleuprint_core::{Choice, ConfigError, Identity, InputErrorKind, Result};
use bleuprint_registry::{Opt, settings};

use crate::ticks::ticks;

/// Diarization scoring program whose conventions are followed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum DiarizationProgram {
    /// Conventions of this crate. They differ from md-eval in two points. With `uem=extent`, the scored time
    /// extends to the first and last turn of either side, not of the reference alone. Overlapping turns of
    /// one speaker are joined.
    #[default]
    None,
    /// Scoring conventions of NIST's program md-eval 22.
    MdEval,
    /// Scoring conventions of the Python library pyannote.metrics 4.2.0.
    Pyannote,
    /// Scoring conventions of the Python library simpleder 0.0.8.
    SimpleDer,
    /// Scoring conventions of the program spy-der 0.4.1.
    Spyder,
    /// Scoring conventions of the program dscore at commit e02f949.
    Dscore,
}

bleuprint_core::choice!(DiarizationProgram:
    None "none", Pyannote "pyannote", MdEval "md-eval", SimpleDer "simpleder", Spyder "spyder",
    Dscore "dscore");

bleuprint_core::choice! {
    /// Rule that selects the scored stretches of time by the number of reference speakers who speak in them.
    pub enum Overlap {
        /// All stretches of time are scored, however many speakers speak.
        Keep = "keep",
        /// Stretches of time with at most one reference turn are scored; all others are left out.
        Skip = "skip",
        /// Stretches of time with exactly one reference speaker are scored; all others are left out, as in
        /// spyder.
        Single = "single",
        /// Stretches of time with two or more reference speakers are scored; all others are left out, as in
        /// spyder.
        Only = "only",
        /// Stretches of time with at most one reference speaker are scored; all others are left out, as in
        /// spyder.
        NonOverlap = "nonoverlap",
    }

    /// Rule that selects the scored regions of a recording: given ones, or the extent of the turns.
    pub enum Uem {
        /// The regions given as the segment's source (a UEM file) are scored; a recording without them is an
        /// error.
        Given = "given",
        /// The time from the first start to the last end of all turns is scored, even if regions are given.
        Extent = "extent",
    }

    /// Method that maps reference speakers to hypothesis speakers.
    pub enum MappingSearch {
        /// The mapping that maximizes the total time in which mapped speakers speak together.
        Best = "best",
        /// A greedy mapping: it maps the two speakers with the longest common time, then repeats this among
        /// the remaining speakers.
        Greedy = "greedy",
        /// No search: each reference speaker is mapped to the hypothesis speaker of the same name, as in an
        /// identification.
        Names = "names",
    }

    /// Treatment of times with more than six decimal places.
    pub enum LongDecimals {
        /// A time with more than six decimal places is an error.
        Exact = "exact",
        /// A time with more than six decimal places is rounded to the nearest microsecond, ties to even.
        Rounded = "rounded",
    }
}

settings! {
    /// Settings of the scored time of a recording: program, collar, overlap, regions and mapping. The table shows
    /// how the programs that [`DiarizationProgram`] names differ.
    ///
    /// | | this crate, md-eval | pyannote | simpleder | spyder | dscore |
    /// |---|---|---|---|---|---|
    /// | a collar of c removes | (t - c, t + c) | (t - c/2, t + c/2) | (t - c, t + c) | (t - c, t + c) | (t - c, t + c) |
    /// | around | every border of a reference turn | the same | borders after turns of one speaker that meet are joined | as simpleder | every border of a turn cut to the region |
    /// | `uem=extent` | of both (md-eval: of the reference) | of both | of both; it takes no regions | of both | of both |
    /// | the mapping sees | the region, before collar and overlap are removed | the remaining region | the remaining region | the region without collar | as md-eval |
    /// | a speaker overlapping itself | counts once | counts twice | counts once | counts once | counts once |
    /// | a turn without time | has a collar | is none | is none | speaks to the end (not here) | is none |
    /// | no reference time | no score | 0 without errors, else 1 | 0 | 0, and no false alarms | no score |
    ///
    /// ```
    /// use bleuprint_diarization::{ScoredTime, DiarizationProgram};
    /// assert!(ScoredTime::default().like(DiarizationProgram::Pyannote).collar(0.5).is_ok());
    /// let error = ScoredTime::default().collar(-1.0).unwrap_err().to_string();
    /// assert_eq!(error, "collar is -1, but must be seconds from 0 with at most six decimal places");
    /// ```
    #[derive(Copy)]
    pub struct ScoredTime {
        /// The program whose choices are taken
        #[setter(pub)]
        pub(crate) like: DiarizationProgram = Opt::choice("like").counted("like", "like").unless_default();
        /// Seconds on each side of every border of the reference that are not scored; pyannote takes half of it
        pub(crate) collar: f64 = Opt::number("collar", 0.0).limits(0, u64::MAX).counted("collar", "col");
        /// The length of the collar in ticks of half a microsecond.
        width: i64;
        /// Stretches that count, by the number of speakers of the reference; the last three are spyder's
        #[setter(pub)]
        pub(crate) overlap: Overlap = Opt::choice("overlap").counted("overlap", "ov");
        /// The scored region: the source of the file, or the extent of its turns
        #[setter(pub)]
        pub(crate) uem: Uem = Opt::choice("uem").counted("uem", "uem");
        /// The mapping of speakers: the largest sum of common time, the largest time first, or equal names
        #[setter(pub)]
        pub(crate) search: MappingSearch = Opt::choice("mapping").counted("mapping", "map").unless_default();
        /// Times of more than six decimal places: an error, or the nearest microsecond
        #[setter(pub)]
        pub(crate) times: LongDecimals = Opt::choice("times").counted("times", "ti").unless_default();
    }
}

impl ScoredTime {
    /// Sets the collar, in seconds.
    ///
    /// # Errors
    /// Returns [`ConfigError::OutOfRange`] if the collar is negative, not finite, or has more than six
    /// decimal places.
    pub fn collar(self, collar: f64) -> Result<Self, ConfigError> {
        let limit = "seconds from 0 with at most six decimal places";
        let width = ticks(|| "the collar".to_owned(), collar, false);
        let width = width.map_err(|_| ConfigError::out_of_range("collar", collar, limit))?;
        Ok(ScoredTime { collar, width, ..self })
    }

    /// Returns the unscored time on each side of a turn's start or end, in ticks: half the collar under
    /// `like=pyannote`, else the whole collar. Ticks are even, so the half is exact.
    pub(crate) fn half_width(&self) -> i64 {
        if self.like == DiarizationProgram::Pyannote { self.width / 2 } else { self.width }
    }

    /// Returns these choices unchanged if some scoring program has this combination of scored regions and
    /// treatment of overlapping speech.
    ///
    /// # Errors
    ///
    /// Returns [`ConfigError::Conflict`] if no scoring program combines the choices in this way.
    pub(crate) fn checked(self) -> Result<Self, ConfigError> {
        let of_spyder = matches!(self.overlap, Overlap::Single | Overlap::Only | Overlap::NonOverlap);
        let conflict = match (self.like, self.overlap) {
            (DiarizationProgram::SimpleDer, _) if self.uem == Uem::Given => {
                "simpleder takes no regions: uem=extent"
            }
            (DiarizationProgram::SimpleDer, overlap) if overlap != Overlap::Keep => {
                "simpleder keeps overlap: overlap=keep"
            }
            (DiarizationProgram::Spyder, Overlap::Skip) => "spyder has overlap=nonoverlap in place of skip",
            (like, _) if of_spyder && like != DiarizationProgram::Spyder => {
                "overlap=single, only and nonoverlap are spyder's: like=spyder"
            }
            _ => return Ok(self),
        };
        Err(ConfigError::Conflict(conflict.to_owned()))
    }

    /// Checks that `metric` supports the chosen program, which must be one of `known`.
    ///
    /// # Errors
    ///
    /// Returns [`ConfigError::Conflict`] if the metric does not support the program.
    pub(crate) fn require_like(&self, metric: &str, known: &[DiarizationProgram]) -> Result<(), ConfigError> {
        if known.contains(&self.like) {
            return Ok(());
        }
        let names: Vec<&str> = known.iter().map(|like| like.name()).collect();
        let like = self.like.name();
        let names = names.join(", ");
        Err(ConfigError::Conflict(format!("{metric} has no like={like}; it has {names}")))
    }

    /// Adds to a metric's identity (name and settings) the program, the collar, and the choices that all
    /// diarization metrics have.
    pub(crate) fn with_collar(&self, identity: Identity) -> Identity {
        self.named(identity.option(Self::OPTION.like, self.like).option(Self::OPTION.collar, self.collar))
    }

    /// Adds to a metric's identity (name and settings) the choices that all diarization metrics have: scored
    /// regions and the reading of times.
    pub(crate) fn named(&self, identity: Identity) -> Identity {
        let identity = identity
            .option(Self::OPTION.uem, self.uem)
            .option(Self::OPTION.times, self.times)
            .needing(|needs| needs.one_reference = true)
            .for_form::<crate::Turns>();
        if self.uem == Uem::Given { identity.needing(|needs| needs.source = true) } else { identity }
    }

    /// Returns the error rate that the chosen program prints for a recording without any scored reference
    /// speech. `errors` is `true` if the hypothesis has false alarms there.
    ///
    /// # Errors
    /// Returns [`NoScore`](InputErrorKind::NoScore) if the program prints no number.
    pub(crate) fn of_nothing(&self, metric: &str, errors: bool) -> Result<f64> {
        match self.like {
            DiarizationProgram::Pyannote => Ok(if errors { 1.0 } else { 0.0 }),
            DiarizationProgram::SimpleDer | DiarizationProgram::Spyder => Ok(0.0),
            DiarizationProgram::None | DiarizationProgram::MdEval | DiarizationProgram::Dscore => {
                let reason = "the reference has no time in what is scored".to_owned();
                Err(InputErrorKind::NoScore { metric: metric.to_owned(), reason }.into())
            }
        }
    }
}
