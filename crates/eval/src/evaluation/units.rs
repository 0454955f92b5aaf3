//! The units of a [`Run`]: segments that depend on each other, such as the samples of an item, and are drawn as a
//! whole.

use bleuprint_core::{InputError, Result, counted};
use bleuprint_inference::{FEWEST_UNITS, Units};

use super::Run;
use super::facts::{RunFacts, SEGMENT};

impl Run {
    /// Returns the label of the units that resamples draw as a whole, or `None` for single segments.
    pub fn unit(&self) -> Option<&str> {
        self.facts.unit.as_deref()
    }

    /// Returns what the run knows about its segments.
    pub fn facts(&self) -> &RunFacts {
        &self.facts
    }

    /// Returns remarks about the data of the run that change no number, each a sentence.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Returns the run with units of this label, of single segments for [`SEGMENT`], or of the default unit
    /// for `None`. All intervals, tests, comparisons and files of the run use this unit.
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

    /// Returns a sentence about the units of all segments, or `None` if segments are drawn one by one.
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

    /// Returns the label of the unit that a request names, or the run's unit if it names none.
    pub(super) fn unit_of<'u>(&'u self, requested: Option<&'u str>) -> Option<&'u str> {
        match requested {
            None => self.unit(),
            Some(SEGMENT) => None,
            label => label,
        }
    }

    /// Returns the value of the unit's label for each of some segments, or `None` for single segments.
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

    /// Returns the units of some segments, or `None` for single segments.
    pub(super) fn units(&self, label: Option<&str>, segments: &[usize]) -> Result<Option<Units>> {
        let Some(label) = label else { return Ok(None) };
        let labels = self.unit_values(label)?;
        Ok(Some(Units::by(segments.iter().map(|&segment| labels[segment]))))
    }
}
