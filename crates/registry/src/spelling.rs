//! [`Preset`] and [`Spelling`]: further names of a metric, for certain options or as papers and other programs
//! write it.

/// A name for a metric with certain options, such as `chrf++` for chrF with word order 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "closed: a constant of an entry")]
pub struct Preset {
    /// Name that users write for the metric with these options, such as `chrf++`.
    pub name: &'static str,
    /// Names and values of the options that the preset sets; a user may override them.
    pub options: &'static [(&'static str, &'static str)],
    /// Line of help that describes the preset, a name for a metric with certain options.
    pub summary: &'static str,
}

/// Alternative name of a metric, as papers, other programs or printed scores write it, such as `chrF2++`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "closed: a constant of an entry")]
pub struct Spelling {
    /// The alternative name, such as `chrF2++`. A name that ends in `@N`, such as `pass@N`, covers all names
    /// with a whole number in place of N, such as `pass@5`.
    pub name: &'static str,
    /// Metric that the alternative name means, or the metrics that it may mean.
    pub meaning: Meaning,
}

/// Meaning of an alternative name of a metric: one metric with options, or several metrics to choose from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "closed: a spelling has one meaning or several")]
pub enum Meaning {
    /// The metric with its options, such as `labels:score=accuracy`. In `pass:k=N`, N is the number in the
    /// alternative name `pass@N`.
    Metric(&'static str),
    /// The name has several meanings: a sentence that names the metrics to choose from.
    Ambiguous(&'static str),
}

impl Spelling {
    /// Creates an alternative name of one metric.
    pub const fn new(name: &'static str, metric: &'static str) -> Self {
        Spelling { name, meaning: Meaning::Metric(metric) }
    }

    /// Creates an alternative name with several meanings; `question` is a sentence that names the metrics to
    /// choose from.
    pub const fn ambiguous(name: &'static str, question: &'static str) -> Self {
        Spelling { name, meaning: Meaning::Ambiguous(question) }
    }

    /// Returns the number in `name` if it is this alternative name: `5` for `pass@5` and `pass@N`; empty if
    /// the alternative name has no N. Returns `None` for any other name.
    pub(crate) fn number<'n>(&self, name: &'n str) -> Option<&'n str> {
        if name.eq_ignore_ascii_case(self.name) {
            return Some("");
        }
        let (start, number) = name.split_at_checked(self.name.strip_suffix('N')?.len())?;
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        (is_number && self.name.starts_with(&start.to_ascii_lowercase())).then_some(number)
    }
}
