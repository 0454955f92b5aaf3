//! Units of a [`Run`]: groups of segments, such as the samples of an item, that resampling draws as a whole.

use bleuprint_core::{InputError, Result, counted};
use bleuprint_inference::{FEWEST_UNITS, Units};

use super::Run;
use super::facts::{RunFacts, SEGMENT};

impl Run {
    /// Returns the label whose equal values mark segments that resamples draw together, or `None` if
    /// resamples draw single segments.
    pub fn unit(&self) -> Option<&str> {
        self.facts.unit.as_deref()
    }

    /// Returns the resampling unit, the ids and the left-out data of the run.
    pub fn facts(&self) -> &RunFacts {
        &self.facts
    }

    /// Returns remarks about the data, each a sentence, for example how segments were paired. Remarks do not
    /// affect any score.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Returns the run with another unit of resampling: segments with equal values of the label `unit` are
    /// drawn together. [`SEGMENT`] draws single segments, `None` uses the default unit. All intervals, tests,
    /// comparisons and files of the run use this unit.
    ///
    /// ```
    /// use bleuprint_eval::{ChosenTokens, evaluation::{Evaluation, TextCorpus}};
    /// use bleuprint_inference::{Precision, ResamplePlan};
    ///
    /// let mut corpus = TextCorpus::new([("a", ["x", "x", "y", "y"])], [["x", "x", "x", "x"]]).unwrap();
    /// corpus.add_label("user", ["ann", "ann", "bob", "bob"]).unwrap();
    /// let tokens = ChosenTokens::standard().unwrap();
    /// let run = Evaluation::from_parts(&bleuprint_metrics::registry(), ["exact_match"], &tokens).unwrap().run(corpus).unwrap();
    /// let width = |run: &bleuprint_eval::evaluation::Run| {
    ///     run.confidence(0, ResamplePlan::new(1000), Precision::Exact).unwrap()[0].interval.unwrap().half_width
    /// };
    /// let by_user = run.clone().by_unit(Some("user")).unwrap();
    /// assert_eq!((run.unit(), by_user.unit()), (None, Some("user")));
    /// assert!(width(&by_user) >= width(&run));
    /// ```
    ///
    /// # Errors
    /// Returns an error if there is no such label.
    pub fn by_unit(mut self, unit: Option<&str>) -> Result<Run> {
        let facts = RunFacts { unit: unit.map(str::to_owned), ..self.facts };
        self.facts = facts.settled(&self.labels)?;
        Ok(self)
    }

    /// Returns a sentence such as `4 segments are drawn in 2 user units`, or `None` if resamples draw single
    /// segments.
    ///
    /// # Errors
    /// Returns an error if a segment lacks the label of the unit.
    pub fn unit_note(&self) -> Result<Option<String>> {
        let segments: Vec<usize> = (0..self.len()).collect();
        let Some((label, units)) = self.unit().zip(self.units(self.unit(), &segments)?) else {
            return Ok(None);
        };
        let few = match units.len() {
            few if few < FEWEST_UNITS => format!("; fewer than {FEWEST_UNITS} units say little"),
            _ => String::new(),
        };
        let segments = counted(self.len(), "segment is");
        let units = counted(units.len(), &format!("{label} unit"));
        Ok(Some(format!("{segments} drawn in {units}{few}")))
    }

    /// Returns the label of the resampling unit: `requested`, or else the run's own. Returns `None` for
    /// single segments.
    pub(super) fn unit_of<'u>(&'u self, requested: Option<&'u str>) -> Option<&'u str> {
        match requested {
            None => self.unit(),
            Some(SEGMENT) => None,
            label => label,
        }
    }

    /// Returns, for each of the given segments, its value of the label of the resampling unit. Returns `None`
    /// if resamples draw single segments.
    ///
    /// # Errors
    /// Returns an error if a segment lacks the label of the unit.
    pub fn unit_labels_of(&self, segments: &[usize]) -> Result<Option<Vec<String>>> {
        let Some(label) = self.unit() else { return Ok(None) };
        let labels = self.unit_values(label)?;
        Ok(Some(segments.iter().map(|&segment| labels[segment].to_owned()).collect()))
    }

    fn unit_values(&self, label: &str) -> Result<Vec<&str>> {
        self.labels.values_of(label).map_err(|error| {
            InputError::malformed(format!("{error}; the unit `{SEGMENT}` draws single segments"))
        })
    }

    /// Groups the given segments into units by their values of `label`. Returns `None` without a label,
    /// because resamples then draw single segments.
    pub(super) fn units(&self, label: Option<&str>, segments: &[usize]) -> Result<Option<Units>> {
        let Some(label) = label else { return Ok(None) };
        let labels = self.unit_values(label)?;
        Ok(Some(Units::by(segments.iter().map(|&segment| labels[segment]))))
    }
}
