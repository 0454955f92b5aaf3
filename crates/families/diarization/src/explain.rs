//! [`explain`]: computes the DER of every diarization program on the same recordings, and says why they
//! differ.

use bleuprint_core::{InputError, Metric as _, Observe as _, Result, Segment, SegmentCounts};

use crate::{Diarization, DiarizationProgram, DiarizationTimes, Overlap, Recording, ScoredTime, Uem};

/// Diarization error rate (DER) of one program under one set of choices: a row of [`explain`]'s table.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Explained {
    /// Name of the scoring program: `ours` for this crate, or a value of the option `like`.
    pub program: &'static str,
    /// Metric with its options, such as `der:like=pyannote,collar=0.5`.
    pub metric: String,
    /// Diarization error rate (DER), or the error if there is none.
    pub value: Result<f64, InputError>,
    /// Sentences that say how the choices behind this error rate (program, collar, regions, overlap) differ
    /// from the choices behind the first one that [`explain`] returns.
    pub differences: Vec<&'static str>,
}

/// Computes the diarization error rate (DER) that each scoring program would report for the same recordings.
/// Each program runs with this collar, without a collar, and with twice the collar. It also runs with and
/// without the regions, and with and without overlap. Returns one row for each combination. The first row has
/// this crate's conventions and this collar.
///
/// ```
/// use bleuprint_diarization::{Recording, Regions, Turn, Turns, explain};
/// let recording = Recording {
///     id: "a".to_owned(),
///     reference: Turns(vec![Turn::new("Ann", 0.0, 10.0)]),
///     hypothesis: Turns(vec![Turn::new("1", 0.5, 10.0)]),
///     regions: Some(Regions(vec![(0.0, 10.0)])),
/// };
/// let rows = explain(&[recording], 0.5).unwrap();
/// let value = |metric: &str| rows.iter().find(|row| row.metric == metric).unwrap().value.clone().unwrap();
/// // One collar of half a second takes the late start away, and half of it does not.
/// assert_eq!(value("der:collar=0.5"), 0.0);
/// assert_eq!(value("der:like=pyannote,collar=0.5"), 0.02631578947368421);
/// assert_eq!(value("der:like=pyannote,collar=1"), 0.0);
/// ```
///
/// # Errors
///
/// Returns an error if the collar is negative, not finite, or has more than six decimal places.
pub fn explain(recordings: &[Recording], collar: f64) -> Result<Vec<Explained>, bleuprint_core::ConfigError> {
    let given = recordings.iter().all(|one| one.regions.is_some());
    let first = Setting {
        like: DiarizationProgram::None,
        collar,
        uem: if given { Uem::Given } else { Uem::Extent },
        // Without a UEM for every recording no program can use regions, and all rows are scored over the
        // extent.
        ..Setting::default()
    };
    let mut collars = vec![collar];
    collars.extend([0.0, 2.0 * collar].into_iter().filter(|other| *other != collar));
    let uems: &[Uem] = if given { &[Uem::Given, Uem::Extent] } else { &[Uem::Extent] };
    let mut rows = Vec::new();
    for like in <DiarizationProgram as bleuprint_core::Choice>::ALL {
        for &collar in &collars {
            for &uem in uems {
                for overlap in [Overlap::Keep, Overlap::Skip, Overlap::NonOverlap] {
                    let setting = Setting { like: *like, collar, uem, overlap };
                    let choices = setting.choices()?;
                    // Skip combinations that the program does not support.
                    let Ok(metric) = Diarization::der(choices) else { continue };
                    rows.push(Explained {
                        program: setting.program(),
                        metric: setting.metric(),
                        value: value(&metric, recordings),
                        differences: setting.differences(&first),
                    });
                }
            }
        }
    }
    Ok(rows)
}

#[derive(Clone, Copy, Default)]
struct Setting {
    like: DiarizationProgram,
    collar: f64,
    uem: Uem,
    overlap: Overlap,
}

impl Setting {
    fn choices(&self) -> Result<ScoredTime, bleuprint_core::ConfigError> {
        ScoredTime::default().like(self.like).uem(self.uem).overlap(self.overlap).collar(self.collar)
    }

    fn program(&self) -> &'static str {
        match self.like {
            DiarizationProgram::None => "ours",
            like => bleuprint_core::Choice::name(like),
        }
    }

    fn metric(&self) -> String {
        let mut options = Vec::new();
        let named = |option: &str, name: &str| format!("{option}={name}");
        if self.like != DiarizationProgram::None {
            options.push(named("like", self.program()));
        }
        if self.collar > 0.0 {
            options.push(named("collar", &self.collar.to_string()));
        }
        if self.overlap != Overlap::Keep {
            options.push(named("overlap", bleuprint_core::Choice::name(self.overlap)));
        }
        if self.uem == Uem::Extent {
            options.push(named("uem", "extent"));
        }
        if options.is_empty() { "der".to_owned() } else { format!("der:{}", options.join(",")) }
    }

    fn differences(&self, first: &Setting) -> Vec<&'static str> {
        let mut all = Vec::new();
        let mut add = |differs: bool, sentence| {
            if differs {
                all.push(sentence);
            }
        };
        let of = |like| self.like == like;
        let collar = self.collar > 0.0;
        add(self.collar != first.collar, "another collar");
        add(
            of(DiarizationProgram::Pyannote) && collar,
            "the collar is a whole width, half of it on each side of a border",
        );
        add(
            (of(DiarizationProgram::SimpleDer) || of(DiarizationProgram::Spyder)) && collar,
            "no collar where two turns of one speaker meet",
        );
        add(
            of(DiarizationProgram::Dscore) && collar,
            "turns are cut to the regions before they have collars",
        );
        add(self.uem != first.uem, "the regions of the UEM are left out");
        add(
            self.uem == Uem::Extent && of(DiarizationProgram::MdEval),
            "scored from the first to the last turn of the reference alone",
        );
        add(
            (of(DiarizationProgram::Pyannote)
                || of(DiarizationProgram::SimpleDer)
                || of(DiarizationProgram::Spyder))
                && collar,
            "speakers are mapped in what the collars leave",
        );
        add(of(DiarizationProgram::Pyannote), "a speaker who overlaps himself counts twice");
        add(self.overlap != first.overlap, "overlapped speech of the reference is left out");
        all
    }
}

fn value(metric: &Diarization, recordings: &[Recording]) -> Result<f64, InputError> {
    let mut all = DiarizationTimes::default();
    for one in recordings {
        let references = [&one.reference];
        let segment = Segment::with_source(&one.hypothesis, &references, one.regions.as_ref());
        metric.observe(&mut (), &mut all, segment)?;
    }
    let segments = recordings.len() as u64;
    metric.number(&all, &SegmentCounts { segments, references: segments, references_squared: segments })
}
