//! [`Identity`]: a metric's name and settings, from which the key of its stored counts and its printed
//! signature follow.
//!
//! A metric lists each setting once, as a field. A field affects either the *counts* or only the score
//! computed from them (*finishing*). States merge if all counted fields agree ([`StateKey`]). Scores are
//! comparable if all fields agree ([`Signature`]). The tokenizing interface adds the names of the
//! tokenization and of the letter case.

use core::hash::Hasher;

use crate::key::KeyPart;
use crate::prelude::*;
use crate::{
    Composition, InputError, InputErrorKind, Result, Scale, SegmentCounts, Signature, StateKey, TokenSpace,
};

/// Name, settings and needs of a configured metric: layout version of its counts, scale of its scores, and
/// required inputs.
///
/// ```
/// use bleuprint_core::{Case, Identity, Scale, SegmentCounts, TokenSpace};
///
/// let identity = Identity::new("bleu", 1, Scale::PERCENT)
///     .named("BLEU")
///     .keyed("order", 4)
///     .finished("eff", "e", "no")
///     .finished("smooth", "s", "exp");
/// let over = identity.clone().over(&TokenSpace::new("13a", Case::Mixed).unwrap());
/// assert_eq!(over.key().to_string(), "bleu/1|order:4|case:mixed|tok:13a");
/// let printed = over.signature(&SegmentCounts::of_segment(1)).to_string();
/// assert!(printed.starts_with("BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:bleuprint-"));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Identity {
    /// Identities of the single metrics: one entry, or several for a tuple of metrics.
    pub(crate) parts: Vec<IdentityPart>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct IdentityPart {
    metric: Cow<'static, str>,
    schema: u32,
    scale: Scale,
    name: Cow<'static, str>,
    /// Name of the score in tables, if it differs from `name`.
    heading: Option<String>,
    fields: Vec<IdentityField>,
    needs: Needs,
    composition: Composition,
    /// `true` if the previous version of the metric's stored statistics held exact float sums in eight
    /// columns instead of nine. Such statistics can still be read.
    wider_sums: bool,
    space: TokenSpace,
    /// `true` if the name of the tokenization (`space`) was set by a tokenizer or by the caller. Otherwise
    /// the name is a default, which the caller or a stored state replaces.
    space_given: bool,
    /// Tokenizer whose name signatures print without the suffix of a variant, and the short key of this name.
    /// The variant's settings, such as `norm:yes`, are separate fields of the signature.
    tokenizer: Option<(&'static str, &'static str)>,
}

#[derive(Debug, Clone, PartialEq)]
struct IdentityField {
    key: Cow<'static, str>,
    short: Cow<'static, str>,
    value: String,
    /// `true` if the setting is part of the state key, because it changes the counts.
    counted: bool,
    /// `true` if the setting is part of the signature.
    printed: bool,
}

/// Inputs that a metric requires besides the hypothesis; by default only references. A tuple of metrics
/// requires everything that its members require.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Needs {
    /// `true` if the metric needs at least one reference per segment.
    pub references: bool,
    /// `true` if the metric needs the source of each segment.
    pub source: bool,
    /// `true` if the metric is defined for exactly one reference and rejects segments with several. Programs
    /// then reject such input before scoring.
    pub one_reference: bool,
    /// `true` if a record with an empty list of references means one empty reference, such as the answer to
    /// an unanswerable question. Readers of records then add the empty reference.
    pub no_reference_is_empty: bool,
    /// `true` if the texts are labels. Readers of records then accept whole numbers and booleans in place of
    /// text.
    pub labels: bool,
    /// `true` if the order of references can change the score, because the definition takes the first of
    /// equally good references. The test that reorders references is then skipped.
    pub reference_order: bool,
    /// `true` if the metric needs the tokens themselves, because its statistics store tokens or sets of
    /// n-grams. Numeric token ids that are valid only within one segment or run would give wrong counts.
    pub tokens: bool,
}

/// Option of a metric that adds itself and its value to the metric's [`Identity`] (the list of settings),
/// such as `Opt` of `bleuprint-registry`.
pub trait Declared<T> {
    /// Returns `identity`, a metric's list of settings, with this option and its `value` added.
    fn describe(&self, identity: Identity, value: &T) -> Identity;
}

impl Identity {
    /// Creates the identity (name and settings) of a metric; `metric` is the name that users choose it by.
    ///
    /// `schema` is the version of the layout of its statistics; increase it when old states become
    /// unreadable. `scale` is the range of its scores.
    pub fn new(metric: impl Into<Cow<'static, str>>, schema: u32, scale: Scale) -> Self {
        Self::of_metric(metric.into(), schema, scale)
    }

    fn of_metric(metric: Cow<'static, str>, schema: u32, scale: Scale) -> Self {
        Identity {
            parts: vec![IdentityPart {
                name: metric.clone(),
                heading: None,
                metric,
                schema,
                scale,
                fields: Vec::new(),
                needs: Needs {
                    references: true,
                    source: false,
                    one_reference: false,
                    no_reference_is_empty: false,
                    labels: false,
                    reference_order: false,
                    tokens: false,
                },
                composition: Composition::Other,
                wider_sums: false,
                space: TokenSpace::UNSPECIFIED,
                space_given: false,
                tokenizer: None,
            }],
        }
    }

    /// Sets the name under which scores are printed, such as `BLEU`; the default is the registry name.
    #[must_use]
    pub fn named(self, name: impl Into<Cow<'static, str>>) -> Self {
        self.renamed(name.into())
    }

    fn renamed(mut self, name: Cow<'static, str>) -> Self {
        self.parts.iter_mut().for_each(|part| part.name = name.clone());
        self
    }

    /// Puts the name of a family in front of the metric's name, with `/` between: in state keys, signatures and
    /// scores. Programs do so if two families have a metric of the same name.
    ///
    /// ```
    /// use bleuprint_core::{Identity, Scale};
    /// let mine = Identity::new("ece", 1, Scale::UNIT).named("ECE").within("mine");
    /// assert_eq!(mine.key().to_string(), "mine/ece/1|case:mixed|tok:unspecified");
    /// assert_eq!(mine.name(), "mine/ECE");
    /// ```
    #[must_use]
    pub fn within(mut self, family: &str) -> Self {
        for part in &mut self.parts {
            part.metric = Cow::Owned(format!("{family}/{}", part.metric));
            part.name = Cow::Owned(format!("{family}/{}", part.name));
            part.heading = part.heading.as_ref().map(|heading| format!("{family}/{heading}"));
        }
        self
    }

    /// Sets the name of the score in column headings of tables; the default is the name at the start of
    /// signatures.
    #[must_use]
    pub fn headed(mut self, heading: impl Into<String>) -> Self {
        let heading = heading.into();
        self.parts.iter_mut().for_each(|part| part.heading = Some(heading.clone()));
        self
    }

    /// Adds a setting that changes the metric's counts. States merge, and scores are comparable, only if they
    /// agree in its value. `short` is the setting's key in short signatures.
    #[must_use]
    pub fn counted(
        self,
        key: impl Into<Cow<'static, str>>,
        short: impl Into<Cow<'static, str>>,
        value: impl ToString,
    ) -> Self {
        self.field(key.into(), short.into(), value.to_string(), true, true)
    }

    /// Adds a setting that changes only how the score is computed from the counts. Scores are comparable only
    /// if they agree in its value, but the same stored counts can be scored with any value.
    #[must_use]
    pub fn finished(self, key: &'static str, short: &'static str, value: impl ToString) -> Self {
        self.field(key.into(), short.into(), value.to_string(), false, true)
    }

    /// Adds an option with its `value` to the metric's settings. The option's declaration decides if state
    /// keys, signatures or both show it.
    #[must_use]
    pub fn option<T>(self, option: impl Declared<T>, value: T) -> Self {
        option.describe(self, &value)
    }

    /// Adds a setting of the state key that signatures do not print. Use it if the name of the score shows
    /// the setting, or if no score depends on it.
    #[must_use]
    pub fn keyed(self, key: &'static str, value: impl ToString) -> Self {
        self.field(key.into(), key.into(), value.to_string(), true, false)
    }

    /// Declares that the metric uses no references. Programs then do not require them, and signatures do not
    /// print their number.
    #[must_use]
    pub fn reference_free(self) -> Self {
        self.needing(|needs| needs.references = false)
    }

    /// Changes which inputs the metric requires, such as references or a source text. Programs then demand
    /// these inputs.
    ///
    /// ```
    /// use bleuprint_core::{Identity, Scale};
    /// let identity = Identity::new("sari", 1, Scale::PERCENT).needing(|needs| needs.source = true);
    /// assert!(identity.needs().references && identity.needs().source);
    /// ```
    #[must_use]
    pub fn needing(mut self, change: impl Fn(&mut Needs)) -> Self {
        self.parts.iter_mut().for_each(|part| change(&mut part.needs));
        self
    }

    /// Declares how the corpus score follows from the segments, such as a mean of segment scores. Neither
    /// state keys nor signatures contain the declaration.
    #[must_use]
    pub fn composed(mut self, composition: Composition) -> Self {
        self.parts.iter_mut().for_each(|part| part.composition = composition);
        self
    }

    /// Returns how the corpus score follows from the segments, such as a mean of segment scores;
    /// [`Composition::Other`] for several metrics.
    pub fn composition(&self) -> Composition {
        match &self.parts[..] {
            [part] => part.composition,
            _ => Composition::Other,
        }
    }

    /// Adds a setting with a hash of the tables that a metric learned in a first pass over the data, such as
    /// document frequencies. Counts made with different tables then never merge.
    #[must_use]
    pub fn learned(self, table: &impl core::hash::Hash) -> Self {
        // The offset basis of 64-bit FNV-1a. The standard library's hasher may change between releases, which
        // would break stored keys.
        let mut digest = Digest(0xcbf2_9ce4_8422_2325);
        table.hash(&mut digest);
        self.counted("learned", "l", format!("{:016x}", digest.finish()))
    }

    /// Declares that the variants of a tokenizer are separate settings of the metric, such as `norm:yes` for
    /// `tercom-norm`.
    ///
    /// Signatures then print only the name of the tokenizer, under the key `short`. State keys name the
    /// variant.
    ///
    /// ```
    /// use bleuprint_core::{Case, Identity, Scale, SegmentCounts, TokenSpace};
    /// let identity = Identity::new("ter", 1, Scale { percent: true, ..Scale::ERROR_RATE }).counted("norm", "nr", "yes").tells_variants_of("tercom", "t");
    /// let identity = identity.over(&TokenSpace::new("tercom-norm", Case::Lower).unwrap());
    /// assert_eq!(identity.key().to_string(), "ter/1|norm:yes|case:lc|tok:tercom-norm");
    /// let signature = identity.signature(&SegmentCounts::default());
    /// assert!(signature.short().starts_with("c:lc|t:tercom|nr:yes|v:"));
    /// ```
    #[must_use]
    pub fn tells_variants_of(mut self, tokenizer: &'static str, short: &'static str) -> Self {
        self.parts.iter_mut().for_each(|part| part.tokenizer = Some((tokenizer, short)));
        self
    }

    /// Sets the name of the tokenization that the counts come from (the token space). A metric that tokenizes
    /// text itself keeps the name of its tokenizer.
    #[must_use]
    pub fn over(mut self, space: &TokenSpace) -> Self {
        // The interface nearest to the metric calls first. A later call wraps the earlier one, so both spaces
        // are combined.
        for part in &mut self.parts {
            // Structured data of a form stays what it is, also where an interface passes it as text.
            let keeps = part.space_given || part.space.own;
            part.space = if keeps { space.around(&part.space) } else { space.clone() };
            part.space_given = true;
        }
        self
    }

    /// Sets the default name of the metric's input: text, numbers, vectors, or the data of a
    /// [`Form`](crate::Form). The default applies until the caller sets another name.
    ///
    /// A metric that is used as a Rust type then has the same keys and signatures as in an `AnyMetric`.
    /// Earlier versions wrote states without this name; they are still read as states of this metric.
    ///
    /// ```
    /// use bleuprint_core::{Identity, Scale, TokenSpace};
    /// let before = Identity::new("mse", 1, Scale::UNBOUNDED);
    /// let now = before.clone().by_default_over(&TokenSpace::NUMBERS);
    /// assert_eq!(before.key().to_string(), "mse/1|case:mixed|tok:unspecified");
    /// assert_eq!(now.key().to_string(), "mse/1|case:mixed|tok:numbers");
    /// assert!(now.require_own(&before.key()).is_ok());
    /// ```
    #[must_use]
    pub fn by_default_over(mut self, space: &TokenSpace) -> Self {
        let without = |part: &&mut IdentityPart| !part.space_given && part.space.is_unspecified();
        self.parts.iter_mut().filter(without).for_each(|part| part.space = space.clone());
        self
    }

    /// Returns this identity with the tokenization names of a stored state. A tokenization name that the
    /// caller has set is kept.
    #[must_use]
    pub(crate) fn over_state(mut self, key: &StateKey) -> Self {
        for (part, own) in self.parts.iter_mut().zip(&key.parts) {
            if !part.space_given {
                part.space = own.space.clone();
            }
        }
        self
    }

    /// Checks that the metric can compute a score from a stored state with this key. The keys must be equal,
    /// except that a metric without a named tokenization accepts counts of any tokenization.
    ///
    /// # Errors
    /// Returns [`UnlikeStates`](crate::InputErrorKind::UnlikeStates) with the first field that differs.
    pub(crate) fn require_serves(&self, state: &StateKey) -> Result<()> {
        let own = self.key();
        if own == *state { Ok(()) } else { self.clone().over_state(state).key().require_equal(state) }
    }

    /// Creates the error for an `operation`, such as subtraction, that needs statistics as a row of counts,
    /// which this metric does not have.
    pub(crate) fn no_rows(&self, operation: &'static str) -> InputError {
        InputErrorKind::NotLinear { metric: self.name(), operation }.into()
    }

    /// Marks every setting as one that changes the counts. Use it for statistics that store computed scores,
    /// such as means of segment scores, which depend on all settings.
    #[must_use]
    pub(crate) fn all_counted(mut self) -> Self {
        self.parts.iter_mut().flat_map(|part| &mut part.fields).for_each(|field| field.counted = true);
        self.wider_sums()
    }

    /// Declares that earlier versions stored this metric's exact float sums ([`ExactSum`](crate::ExactSum))
    /// in eight columns. The layout version becomes higher by one, and [`Identity::require_own`] accepts
    /// states of the previous version.
    ///
    /// ```
    /// use bleuprint_core::{Identity, Scale};
    /// let before = Identity::new("rouge", 1, Scale::UNIT);
    /// let now = before.clone().wider_sums();
    /// assert_eq!(now.key().to_string(), "rouge/2|case:mixed|tok:unspecified");
    /// assert!(now.require_own(&before.key()).unwrap());
    /// assert!(before.require_own(&now.key()).is_err());
    /// ```
    #[must_use]
    pub fn wider_sums(mut self) -> Self {
        for part in self.parts.iter_mut().filter(|part| !part.wider_sums) {
            (part.schema, part.wider_sums) = (part.schema + 1, true);
        }
        self
    }

    /// Checks that a stored state with this key belongs to this metric. Returns `true` if an earlier version
    /// wrote the state, so that its exact float sums have eight integer columns; today they have nine.
    ///
    /// # Errors
    /// Returns [`UnlikeStates`](crate::InputErrorKind::UnlikeStates) with the first field that differs.
    pub fn require_own(&self, stored: &StateKey) -> Result<bool> {
        let own = self.key();
        if own == *stored {
            return Ok(false);
        }
        // The stored key is brought up to today's layout step by step, then compared as a whole.
        let mut today = stored.clone();
        let mut wider = false;
        for (part, key) in self.parts.iter().zip(&mut today.parts) {
            if part.wider_sums && key.schema.checked_add(1) == Some(part.schema) {
                (key.schema, wider) = (part.schema, true);
            }
            // Earlier versions wrote `unspecified` for a metric that now has a default space.
            if !part.space_given && key.space.is_unspecified() {
                key.space = part.space.clone();
            }
        }
        if own == today { Ok(wider) } else { own.require_equal(stored).map(|()| false) }
    }

    /// Combines the identities (names and settings) of several metrics into the identity of their tuple.
    pub fn join(identities: impl IntoIterator<Item = Identity>) -> Self {
        Identity { parts: identities.into_iter().flat_map(|identity| identity.parts).collect() }
    }

    /// Returns the registry name (such as `bleu`) of the first metric; empty if the identity has no metric.
    pub fn metric(&self) -> &str {
        self.parts.first().map_or("", |part| &part.metric)
    }

    /// Returns the name under which scores are printed; the names of several metrics are joined by ` + `.
    pub fn name(&self) -> String {
        let names: Vec<&str> = self.parts.iter().map(|part| &*part.name).collect();
        names.join(crate::token_space::PART_SEPARATOR)
    }

    /// Returns the name of the score in tables; the names of several metrics are joined by ` + `.
    pub fn heading(&self) -> String {
        let heading = |part: &IdentityPart| part.heading.clone().unwrap_or_else(|| part.name.to_string());
        let headings: Vec<String> = self.parts.iter().map(heading).collect();
        headings.join(crate::token_space::PART_SEPARATOR)
    }

    /// Returns all inputs that the metrics require, such as references or a source text.
    pub fn needs(&self) -> Needs {
        let any = |is: fn(&IdentityPart) -> bool| self.parts.iter().any(is);
        Needs {
            references: any(|part| part.needs.references),
            source: any(|part| part.needs.source),
            one_reference: any(|part| part.needs.one_reference),
            // An empty reference means something else to the other metrics, so all must agree.
            no_reference_is_empty: self.parts.iter().all(|part| part.needs.no_reference_is_empty),
            labels: self.parts.iter().all(|part| part.needs.labels),
            reference_order: any(|part| part.needs.reference_order),
            tokens: any(|part| part.needs.tokens),
        }
    }

    /// Returns the range and direction of the first metric's score; [`Scale::UNBOUNDED`] if there is no
    /// metric.
    pub fn scale(&self) -> Scale {
        self.parts.first().map_or(Scale::UNBOUNDED, |part| part.scale)
    }

    /// Returns the key of the metric's stored counts: all settings that change the counts, and the name of
    /// the tokenization.
    pub fn key(&self) -> StateKey {
        let part = |part: &IdentityPart| KeyPart {
            metric: part.metric.to_string(),
            schema: part.schema,
            params: part
                .fields
                .iter()
                .filter(|field| field.counted)
                .map(|field| (field.key.to_string(), field.value.clone()))
                .collect(),
            space: part.space.clone(),
        };
        StateKey { parts: self.parts.iter().map(part).collect() }
    }

    /// Returns the signature (printed settings) of a score computed over `counts` segments and references.
    pub fn signature(&self, counts: &SegmentCounts) -> Signature {
        Signature::join(self.parts.iter().map(|part| {
            let mut signature = Signature::new(&part.name);
            for field in part.fields.iter().filter(|field| field.printed) {
                signature = signature.with(field.key.clone(), field.short.clone(), &field.value);
            }
            signature = signature.over(&part.space);
            // The metric prints the variant as a field already, as sacreBLEU does for TER, so `tok` must not
            // repeat it.
            if let Some((tokenizer, short)) = part.tokenizer
                && part.space.is_variant_of(tokenizer)
            {
                signature = signature.with("tok", short, tokenizer);
            }
            if !part.needs.references { signature } else { signature.with_counts(counts) }
        }))
    }

    fn field(
        mut self,
        key: Cow<'static, str>,
        short: Cow<'static, str>,
        value: String,
        counted: bool,
        printed: bool,
    ) -> Self {
        let field = IdentityField { key, short, value, counted, printed };
        self.parts.iter_mut().for_each(|part| part.fields.push(field.clone()));
        self
    }
}

/// Intermediate value of the hash function FNV-1a. The hash is equal on all machines with the same width of
/// `usize`.
struct Digest(u64);

impl Hasher for Digest {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
