//! [`AnyMetric`]: one type for all metrics, for programs whose users choose the metric at run time.

pub(crate) mod erased;
mod form;
mod score;
mod stats;
mod tree;
mod two_pass;
mod view;
mod within;

use core::fmt;

use bleuprint_core::export::Signed;
use bleuprint_core::{
    Case, Composition, ConfigError, Form, Identity, InputError, Metric, Observe, PartValue, Quotient, Result,
    Scale, ScorePart, SegmentCounts, Signature, State, StateKey, TokenSpace, Vector, observe_through,
};

use erased::Erased;
use form::OpenedMetric;
pub use form::{AnyForm, Data};
pub use score::AnyScore;
pub use stats::{AnyScratch, AnyStats, Storable};
use two_pass::TwoPass;
use within::Within;

use crate::prelude::*;
pub use tree::ValueTag;
pub use view::{DataRemarks, NumberColumns, Numbers, TextChoice, View, ViewKind};

/// Mergeable counts of a metric chosen at run time, with the metric's name and settings.
pub type AnyState = State<AnyStats>;

type Plain = dyn Metric<Stats = AnyStats, Score = AnyScore, Scratch = AnyScratch>;

/// A metric chosen at run time: one type for all metrics, over every kind of input.
///
/// ```
/// use bleuprint_core::*;
/// use bleuprint_registry::*;
/// let equal = |segment: Segment<'_, [u32]>| {
///     Ok(if segment.references()?.contains(&segment.hypothesis) { 1.0 } else { 0.0 })
/// };
/// let metric = AnyMetric::for_ids(PerSegment::new(Identity::new("matches", 1, Scale::UNIT), equal)).unwrap();
/// let mut matches = Accumulator::<_, [u32]>::new(&metric);
/// matches.push(&[1, 2], &[&[1, 2]]).unwrap();
/// assert_eq!(matches.score().unwrap().value(), 1.0);
/// // It observes ids, and refuses text.
/// assert!(Accumulator::<_, str>::new(&metric).push("a", &["a"]).is_err());
/// ```
///
/// Any metric can be wrapped. Its author chooses the constructor for its data, and everything else follows.
///
/// | made by | the metric observes | for |
/// |---|---|---|
/// | [`AnyMetric::for_ids`] | `[u32]`: ids in place of tokens, equal for equal tokens within a segment | most metrics over tokens |
/// | [`AnyMetric::for_tokens`] | `[&str]`: the tokens themselves | metrics that store tokens: sets of n-grams, document frequencies; for texts with [parts](View::parted), the tokens of each part |
/// | [`AnyMetric::for_text`] | `str`: the text itself | metrics over characters or text |
/// | [`AnyMetric::for_numbers`] | [`Numbers`]: values that other programs computed | means and quotients of such values |
/// | [`AnyMetric::for_vectors`] | `[`[`Vector`](bleuprint_core::Vector)`]`: vectors that a model computed | similarities of embeddings |
/// | [`AnyMetric::for_own`] | a type that the metric defines, a [`Form`] | all other data |
/// | [`AnyMetric::two_pass`] | the view of its second pass | metrics that first learn from the whole corpus |
///
/// It is a [`Metric`], so accumulators, states, tuples, means, rewards and property tests accept it. The
/// caller makes the tokens (see [`View`]); the state key names the tokenization.
#[derive(Clone)]
pub struct AnyMetric {
    inner: Inner,
    /// Kind of input that the metric observes (text, tokens, numbers, ..), with its tokenizer and case.
    pub view: View,
    /// Name of the tokenization (tokenizer, lower-casing, normalizer), once the caller has set it. While it
    /// is `None`, state keys name the default, and counts of any tokenization are accepted.
    space: Option<TokenSpace>,
    key: Arc<StateKey>,
    /// Scale of the scores, which does not depend on the tokenization.
    scale: Scale,
    signed: Signed,
    /// Counts from the first pass over the references, for a metric made by [`AnyMetric::second_pass`].
    learned: Option<Arc<AnyState>>,
    /// Name of the number that the metric reports as its score (such as `recall`), if it is not the score's
    /// first number.
    headline: Option<Arc<str>>,
}

impl AnyMetric {
    /// Creates a metric chosen at run time that observes tokens as numeric ids.
    ///
    /// # Errors
    /// Returns [`ConfigError::Conflict`] if the metric [stores tokens](bleuprint_core::Needs::tokens),
    /// because ids of different segments are unrelated.
    ///
    /// ```
    /// # use bleuprint_core::*;
    /// # use bleuprint_registry::*;
    /// let words = Identity::new("words", 1, Scale::UNIT).needing(|needs| needs.tokens = true);
    /// let error = AnyMetric::for_ids(PerSegment::new(words, |_: Segment<'_, [u32]>| Ok(0.0))).unwrap_err();
    /// assert_eq!(error.to_string(), "words stores tokens, so create it with `AnyMetric::for_tokens`");
    /// ```
    pub fn for_ids<M>(metric: M) -> Result<Self, ConfigError>
    where
        M: Observe<[u32]> + 'static,
        M::Stats: Storable,
    {
        let identity = metric.identity();
        if identity.needs().tokens {
            let name = identity.name();
            return Err(ConfigError::Conflict(format!(
                "{name} stores tokens, so create it with `AnyMetric::for_tokens`"
            )));
        }
        Ok(AnyMetric::new(Inner::Ids(Arc::new(Erased::new(metric))), ViewKind::Ids))
    }

    /// Creates a metric chosen at run time that observes tokens as text.
    pub fn for_tokens<M>(metric: M) -> Self
    where
        M: for<'t> Observe<[&'t str]> + 'static,
        M::Stats: Storable,
    {
        AnyMetric::new(Inner::Tokens(Arc::new(Erased::new(metric))), ViewKind::Tokens)
    }

    /// Creates a metric chosen at run time that observes whole texts, without tokens.
    pub fn for_text<M>(metric: M) -> Self
    where
        M: Observe<str> + 'static,
        M::Stats: Storable,
    {
        AnyMetric::new(Inner::Text(Arc::new(Erased::new(metric))), ViewKind::Text)
    }

    /// Creates a metric chosen at run time that observes numbers which other programs computed. `numbers`
    /// names the columns of the input.
    pub fn for_numbers<M>(metric: M, numbers: NumberColumns) -> Self
    where
        M: Observe<Numbers> + 'static,
        M::Stats: Storable,
    {
        let mut metric = AnyMetric::new(Inner::Numbers(Arc::new(Erased::new(metric))), ViewKind::Numbers);
        metric.view.numbers = numbers;
        metric
    }

    /// Creates a metric chosen at run time that observes embedding vectors.
    pub fn for_vectors<M>(metric: M) -> Self
    where
        M: for<'v> Observe<[Vector<'v>]> + 'static,
        M::Stats: Storable,
    {
        AnyMetric::new(Inner::Vectors(Arc::new(Erased::new(metric))), ViewKind::Vectors)
    }

    /// Creates a metric chosen at run time that observes structured data of a type it defines. Every
    /// interface reads the data with serde: see [`Form`].
    ///
    /// ```
    /// use bleuprint_core::*;
    /// use bleuprint_registry::*;
    /// // The results of one problem: `n` samples, of which `c` are right.
    /// form! { struct Samples as "samples" { n: u32, c: u32 } }
    /// let identity = Identity::new("pass@1", 1, Scale::PERCENT).reference_free().for_form::<Samples>();
    /// let metric = AnyMetric::for_own::<Samples, _>(PerSegment::new(identity, |segment: Segment<'_, Samples>| {
    ///     let Samples { n, c } = segment.hypothesis;
    ///     Ok(100.0 * f64::from(*c) / f64::from(*n))
    /// }));
    /// let form = metric.view.form.unwrap();
    /// let mut file = serde_json::Deserializer::from_str(r#"{"n": 200, "c": 13}"#);
    /// let data = form.hypothesis(&mut file).unwrap();
    /// let mut all = Accumulator::<_, Data>::new(&metric);
    /// all.push(&*data, &[]).unwrap();
    /// assert_eq!(all.score().unwrap().value(), 6.5);
    /// assert_eq!(metric.state_key().to_string(), "pass@1/1|data:samples");
    /// ```
    pub fn for_own<F, M>(metric: M) -> Self
    where
        F: Form,
        M: Observe<F, F::Reference, F::Source> + 'static,
        M::Stats: Storable,
    {
        let opened: OpenedMetric<M, F> = OpenedMetric::new(metric);
        let mut metric = AnyMetric::new(Inner::Own(Arc::new(Erased::new(opened))), ViewKind::Own);
        metric.view.form = Some(AnyForm::for_form::<F>());
        metric
    }

    /// Creates a metric that needs a first pass over all data, to learn document frequencies or information
    /// weights.
    ///
    /// `second` creates the metric of the second pass from the counts of `first`. `like` is a metric of the
    /// second pass that has learned nothing; it provides name, settings and kind of input. The caller
    /// observes the whole corpus with [`AnyMetric::first_pass`], and then uses [`AnyMetric::second_pass`].
    /// Observing or scoring before that is an error.
    pub fn two_pass(
        first: AnyMetric,
        like: AnyMetric,
        second: impl Fn(&AnyState) -> Result<AnyMetric> + Send + Sync + 'static,
    ) -> Self {
        let view = like.view.clone();
        let key = like.key.clone();
        let scale = like.scale;
        let inner = Inner::TwoPass(Arc::new(TwoPass { first, like, second: Arc::new(second) }));
        let signed = Signed::default();
        AnyMetric { inner, view, space: None, key, scale, signed, learned: None, headline: None }
    }

    fn new(inner: Inner, kind: ViewKind) -> Self {
        let identity = inner.metric().identity();
        let scale = identity.scale();
        let key = identity.by_default_over(&kind.space()).key();
        AnyMetric {
            inner,
            view: View::new(kind),
            space: None,
            key: Arc::new(key),
            scale,
            signed: Signed::default(),
            learned: None,
            headline: None,
        }
    }

    /// Declares the tokenizer that the metric's definition requires, by its registry name. A user's choice
    /// for all metrics does not override it; a choice for this metric does.
    #[must_use]
    pub fn with_tokenizer(mut self, name: impl Into<String>) -> Self {
        (self.view.tokenizer, self.view.fixed) = (Some(name.into()), true);
        self
    }

    /// Declares the lower-casing of the text that the metric's definition requires. A user's choice for all
    /// metrics does not override it; a choice for this metric does.
    #[must_use]
    pub fn with_case(mut self, case: Case) -> Self {
        (self.view.case, self.view.fixed) = (Some(case), true);
        self
    }

    /// Sets the default tokenizer and lower-casing, which a user's choice overrides.
    #[must_use]
    pub fn with_default_tokens(mut self, name: impl Into<String>, case: Case) -> Self {
        (self.view.tokenizer, self.view.case, self.view.fixed) = (Some(name.into()), Some(case), false);
        self
    }

    /// Sets the name of the tokenization: tokenizer, lower-casing and normalizer. The metric's scores print
    /// this name, and its stored counts merge only with counts of an equal name.
    #[must_use]
    pub fn over(mut self, space: TokenSpace) -> Self {
        if let Inner::TwoPass(passes) = &self.inner {
            // The key is computed once here, because every new state clones it.
            self.inner = Inner::TwoPass(Arc::new(passes.labelled(&space)));
        }
        self.key = Arc::new(self.inner.metric().identity().over(&space).key());
        self.space = Some(space);
        self.signed = Signed::default();
        self
    }

    /// Returns the metric under the name `family/name`, for a program in which two families have a metric of
    /// this name.
    #[must_use]
    pub(crate) fn within(self, family: &str) -> AnyMetric {
        let AnyMetric { inner, view, space, headline, scale, .. } = self;
        let inner = inner.within(family);
        let key = inner.metric().identity().by_default_over(&view.kind.space()).key();
        let metric = AnyMetric {
            inner,
            view,
            space: None,
            key: Arc::new(key),
            scale,
            signed: Signed::default(),
            learned: self.learned,
            headline,
        };
        match space {
            Some(space) => metric.over(space),
            None => metric,
        }
    }

    /// Returns a copy of the metric whose score is another of its numbers: the headline number or detail
    /// named `name`, such as `recall`. State key, signature and counts do not change.
    ///
    /// ```
    /// use bleuprint_core::*;
    /// use bleuprint_registry::*;
    /// let score = |segment: Segment<'_, str>| Ok(segment.hypothesis.len() as f64);
    /// let metric = AnyMetric::for_text(PerSegment::new(Identity::new("length", 1, Scale::UNBOUNDED), score));
    /// let mut all = Accumulator::<_, str>::new(metric.headlined("segments"));
    /// all.push("abc", &[]).unwrap();
    /// assert_eq!(all.score().unwrap().value(), 1.0);
    /// ```
    #[must_use]
    pub fn headlined(&self, name: &str) -> AnyMetric {
        let is_first = self.inner.metric().headline_names().first().is_some_and(|first| first == name);
        AnyMetric { headline: (!is_first).then(|| name.into()), ..self.clone() }
    }

    /// Returns the name of the number that is reported as the score, or `None` if it is the score's first
    /// number.
    pub fn headline(&self) -> Option<&str> {
        self.headline.as_deref()
    }

    /// Replaces the score's value by the number that [`headlined`](AnyMetric::headlined) chose, such as
    /// `recall`.
    fn chosen(&self, mut score: AnyScore) -> Result<AnyScore> {
        let Some(headline) = &self.headline else { return Ok(score) };
        let number = |part: &ScorePart| match part.value {
            PartValue::Number(number) => Some(number),
            PartValue::Count(count) => Some(count as f64),
            _ => None,
        };
        let named = score.headlines.iter().find(|(name, _)| **name == **headline).map(|(_, value)| *value);
        let of_part = || score.parts.iter().find(|part| part.key == **headline).and_then(number);
        let Some(value) = named.or_else(of_part) else {
            let headlines = score.headlines.iter().map(|(name, _)| name.to_string());
            let parts =
                score.parts.iter().filter(|part| number(part).is_some()).map(|part| part.key.to_string());
            let known = headlines.chain(parts).collect::<Vec<_>>().join(", ");
            let message =
                format!("{} has no headline number or part `{headline}`; it has: {known}", score.name);
            return Err(InputError::malformed(message));
        };
        if !value.is_finite() {
            return Err(InputError::no_score(score.name, format!("its {headline} would be {value}")));
        }
        score.name = self.identity().heading();
        score.value = value;
        score.headlines = vec![(Cow::Owned(headline.to_string()), value)];
        Ok(score)
    }

    /// Returns the identity (name and settings) with the chosen number in its table heading. The number is
    /// not declared to be a mean of segments, because the declaration is about the metric's first number.
    fn identity_of_chosen(&self, identity: Identity) -> Identity {
        match &self.headline {
            None => identity,
            Some(headline) => {
                let heading = format!("{} {headline}", identity.heading());
                let composition = match identity.composition() {
                    // Repeated segments shrink the statistics, and with them every number.
                    Composition::Repeats => Composition::Repeats,
                    _ => Composition::Other,
                };
                identity.headed(heading).composed(composition)
            }
        }
    }

    /// Returns the metric of the first pass over the data, for metrics that first learn from the data; `None`
    /// for other metrics.
    pub fn first_pass(&self) -> Option<&AnyMetric> {
        match &self.inner {
            Inner::TwoPass(passes) => Some(&passes.first),
            _ => None,
        }
    }

    /// Creates the metric of the second pass from the counts of the first pass.
    ///
    /// # Errors
    /// Returns [`UnlikeStates`](bleuprint_core::InputErrorKind::UnlikeStates) if the state belongs to another
    /// metric, and [`Malformed`](bleuprint_core::InputErrorKind::Malformed) if this metric has no first pass.
    pub fn second_pass(&self, first: &AnyState) -> Result<AnyMetric> {
        match &self.inner {
            Inner::TwoPass(passes) => {
                let headline = self.headline.clone();
                Ok(AnyMetric { learned: Some(Arc::new(first.clone())), headline, ..passes.second(first)? })
            }
            _ => Err(InputError::malformed(format!("{} has no second pass", self.identity().name()))),
        }
    }

    /// Returns the counts of the first pass, for a metric made by [`AnyMetric::second_pass`]. Store them with
    /// the counts of the second pass, to create the metric again.
    pub fn learned(&self) -> Option<&AnyState> {
        self.learned.as_deref()
    }

    #[cold]
    fn refusal(&self, given: ViewKind) -> InputError {
        if matches!(self.inner, Inner::TwoPass(_)) {
            return two_pass::not_yet(&self.identity());
        }
        let wanted = &self.view;
        let name = self.identity().name();
        let remedy = match (self.view.kind, given) {
            (ViewKind::Tokens, ViewKind::Ids) => {
                ": `Panel::for_ids` passes the ids of a named vocabulary as tokens"
            }
            _ => "",
        };
        let given = given.in_words();
        InputError::malformed(format!("{name} takes {wanted}, but the segment is given as {given}{remedy}"))
    }
}

/// Declares the kinds of input (text, tokens, numbers, ..). For each kind it declares a type-erased metric,
/// and implements [`Observe`] for sequences of any lifetime.
macro_rules! views {
    ($($View:ident $(<$life:lifetime>)?: $S:ty;)+) => {
        #[derive(Clone)]
        enum Inner {
            $($View(Arc<dyn $(for<$life>)? Observe<$S, Stats = AnyStats, Score = AnyScore, Scratch = AnyScratch>>),)+
            TwoPass(Arc<TwoPass>),
        }

        impl Inner {
            fn within(self, family: &str) -> Self {
                let family: Arc<str> = family.into();
                match self {
                    $(Inner::$View(inner) => Inner::$View(Arc::new(Within { family, inner })),)+
                    Inner::TwoPass(passes) => Inner::TwoPass(Arc::new(passes.within(&family))),
                }
            }

            fn metric(&self) -> &Plain {
                match self {
                    $(Inner::$View(metric) => &**metric,)+
                    Inner::TwoPass(passes) => &**passes,
                }
            }
        }

        $(impl $(<$life>)? Observe<$S> for AnyMetric {
            observe_through!($S, self => match &self.inner {
                Inner::$View(metric) => &**metric,
                // A metric has one kind of data, so each other kind is rejected at run time.
                _ => return Err(self.refusal(ViewKind::$View)),
            }, scratch => scratch);
        })+
    };
}

views! {
    Ids: [u32];
    Tokens<'t>: [&'t str];
    Text: str;
    Numbers: Numbers;
    Vectors<'v>: [Vector<'v>];
    Own: Data;
}

impl Metric for AnyMetric {
    type Stats = AnyStats;
    type Score = AnyScore;
    type Scratch = AnyScratch;

    fn identity(&self) -> Identity {
        let identity = self.inner.metric().identity();
        self.identity_of_chosen(match &self.space {
            Some(space) => identity.over(space),
            None => identity.by_default_over(&self.view.kind.space()),
        })
    }
    fn identity_over(&self, state: &StateKey) -> Identity {
        match &self.space {
            Some(space) => self.inner.metric().identity().over(space),
            None => self.inner.metric().identity_over(state),
        }
    }
    fn state_key(&self) -> Arc<StateKey> {
        self.key.clone()
    }
    fn scale(&self) -> Scale {
        self.scale
    }
    fn signature_over(&self, state: &Arc<StateKey>, counts: &SegmentCounts) -> Signature {
        self.signed.signature(self, state, counts)
    }
    fn serves(&self, key: &StateKey) -> Result<()> {
        match (&self.inner, &self.space) {
            (Inner::TwoPass(_), _) => Err(two_pass::not_yet(&self.identity())),
            // Almost all states come from this metric. The pointer comparison avoids comparing keys field by
            // field.
            _ if core::ptr::eq(key, &*self.key) || *key == *self.key => Ok(()),
            (_, Some(space)) => self.inner.metric().over(space.clone()).serves(key),
            (_, None) => self.inner.metric().serves(key),
        }
    }
    fn zero(&self) -> AnyStats {
        self.inner.metric().zero()
    }
    fn finalize(&self, stats: &AnyStats, counts: &SegmentCounts) -> Result<AnyScore> {
        self.chosen(self.inner.metric().finalize(stats, counts)?)
    }
    fn number(&self, stats: &AnyStats, counts: &SegmentCounts) -> Result<f64> {
        match self.headline {
            None => self.inner.metric().number(stats, counts),
            Some(_) => Ok(self.finalize(stats, counts)?.value),
        }
    }
    fn check(&self, stats: &AnyStats, counts: &SegmentCounts) -> Result<()> {
        self.inner.metric().check(stats, counts)
    }
    fn headline_names(&self) -> Vec<Cow<'static, str>> {
        match &self.headline {
            None => self.inner.metric().headline_names(),
            Some(headline) => vec![Cow::Owned(headline.to_string())],
        }
    }
    /// Returns the formula of the metric's first number. The result is `None` if
    /// [`headlined`](AnyMetric::headlined) chose another number as the score.
    fn quotient(&self) -> Option<Quotient> {
        self.inner.metric().quotient().filter(|_| self.headline.is_none())
    }
    fn batch(&self) -> usize {
        self.inner.metric().batch()
    }
    /// Returns an optional interface of the metric, such as `float32` resampling. Such interfaces compute
    /// only the metric's first number. The result is therefore `None` if [`headlined`](AnyMetric::headlined)
    /// chose another number as the score.
    fn extension(&self, kind: core::any::TypeId) -> Option<Box<dyn core::any::Any>> {
        if self.headline.is_some() {
            return None;
        }
        self.inner.metric().extension(kind)
    }
}

impl fmt::Debug for AnyMetric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AnyMetric({})", self.key)
    }
}
