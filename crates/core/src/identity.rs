//! [`Identity`]: the description of a metric from which its state key and its signature follow.
//!
//! A metric lists each field once. A field changes either the *counts* or only their *finishing*. States
//! merge if all counted fields agree ([`StateKey`]). Scores are comparable if all fields agree
//! ([`Signature`]). The interface that makes the tokens adds the token space and the case.

use core::hash::Hasher;

use crate::key::KeyPart;
use crate::prelude::*;
use crate::{
    Composition, InputError, InputErrorKind, Result, Scale, SegmentCounts, Signature, StateKey, TokenSpace,
};

/// The identity of a metric in one configuration: its name, layout version, scale, fields and needs.
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
    /// Identity of each metric: one entry, or several for a tuple of metrics.
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
    /// `true` if the previous layout of the metric's statistics had exact sums of eight columns.
    wider_sums: bool,
    space: TokenSpace,
    /// `true` if an interface set the space. Otherwise the space is a default, which an interface or a state
    /// replaces.
    space_given: bool,
    /// Name of a tokenizer whose variants have separate signature fields, and the short key of that name in
    /// signatures.
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

/// Needs of a metric from its data; the default is references. A tuple of metrics needs everything that its
/// members need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Needs {
    /// `true` if the metric needs references.
    pub references: bool,
    /// `true` if the metric needs the source of each segment.
    pub source: bool,
    /// `true` if the metric is defined for one reference and rejects segments with several. Programs reject
    /// such input early.
    pub one_reference: bool,
    /// `true` if the order of references matters, because the definition takes the first of equally good
    /// references. The law of reference order then does not apply.
    pub reference_order: bool,
    /// `true` if the metric needs the tokens themselves, because its statistics hold tokens or sets of
    /// n-grams. Ids that are valid only within one segment or run would give wrong counts.
    pub tokens: bool,
}

/// An option that knows which identity field its value becomes, such as `Opt` of `bleuprint-registry`.
pub trait Declared<T> {
    /// Returns `identity` with the field for `value` added.
    fn describe(&self, identity: Identity, value: &T) -> Identity;
}

impl Identity {
    /// Creates the identity of the metric with this registry name.
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

    /// Sets the name of the score in tables; the default is the printed name, with which signatures begin.
    #[must_use]
    pub fn headed(mut self, heading: impl Into<String>) -> Self {
        let heading = heading.into();
        self.parts.iter_mut().for_each(|part| part.heading = Some(heading.clone()));
        self
    }

    /// Adds a field that changes the counts. It must agree to merge states and to compare scores. `short` is
    /// its key in short signatures.
    #[must_use]
    pub fn counted(
        self,
        key: impl Into<Cow<'static, str>>,
        short: impl Into<Cow<'static, str>>,
        value: impl ToString,
    ) -> Self {
        self.field(key.into(), short.into(), value.to_string(), true, true)
    }

    /// Adds a field that changes only the finishing of counts. It must agree to compare scores, but one state
    /// serves all its values.
    #[must_use]
    pub fn finished(self, key: &'static str, short: &'static str, value: impl ToString) -> Self {
        self.field(key.into(), short.into(), value.to_string(), false, true)
    }

    /// Adds the field that `option` declares for `value`.
    #[must_use]
    pub fn option<T>(self, option: impl Declared<T>, value: T) -> Self {
        option.describe(self, &value)
    }

    /// Adds a field of the state key that signatures do not print, because the name of the score shows it or
    /// no score depends on it.
    #[must_use]
    pub fn keyed(self, key: &'static str, value: impl ToString) -> Self {
        self.field(key.into(), key.into(), value.to_string(), true, false)
    }

    /// Declares that the metric has no references. Programs then do not require them, and signatures do not
    /// count them.
    #[must_use]
    pub fn reference_free(self) -> Self {
        self.needing(|needs| needs.references = false)
    }

    /// Changes the needs of the metric from its data, which programs then require.
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

    /// Declares how the score of a corpus follows from its segments. The declaration is part of neither key nor
    /// signature.
    #[must_use]
    pub fn composed(mut self, composition: Composition) -> Self {
        self.parts.iter_mut().for_each(|part| part.composition = composition);
        self
    }

    /// Returns how the score of a corpus follows from its segments; [`Composition::Other`] for several metrics.
    pub fn composition(&self) -> Composition {
        match &self.parts[..] {
            [part] => part.composition,
            _ => Composition::Other,
        }
    }

    /// Adds a field with a digest of the tables learned in a first pass. Second passes with different tables
    /// then never merge.
    #[must_use]
    pub fn learned(self, table: &impl core::hash::Hash) -> Self {
        // The offset basis of 64-bit FNV-1a. The standard library's hasher may change between releases, which
        // would break stored keys.
        let mut digest = Digest(0xcbf2_9ce4_8422_2325);
        table.hash(&mut digest);
        self.counted("learned", "l", format!("{:016x}", digest.finish()))
    }

    /// Declares that the metric has fields for the variants of a tokenizer, such as `norm:yes` for
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

    /// Sets the token space. Over text, a metric that tokenizes the text itself keeps its tokens.
    #[must_use]
    pub fn over(mut self, space: &TokenSpace) -> Self {
        // The interface nearest to the metric calls first. A later call wraps the earlier one, so both spaces
        // are combined.
        for part in &mut self.parts {
            part.space = if part.space_given { space.around(&part.space) } else { space.clone() };
            part.space_given = true;
        }
        self
    }

    /// Sets the space that applies until an interface sets another: text, numbers, vectors, or data of a
    /// [`Form`](crate::Form).
    ///
    /// A typed metric then has the same keys and signatures as the metric in an `AnyMetric`. Earlier versions
    /// wrote states without a token space; they are still read as states of this metric.
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

    /// Returns the identity with the token spaces of a state, for parts whose space no interface has set.
    #[must_use]
    pub(crate) fn over_state(mut self, key: &StateKey) -> Self {
        for (part, own) in self.parts.iter_mut().zip(&key.parts) {
            if !part.space_given {
                part.space = own.space.clone();
            }
        }
        self
    }

    /// Checks that the metric can finish states with this key. The keys must be equal, but a metric whose
    /// token space no interface has set takes the state's.
    ///
    /// # Errors
    /// Returns [`UnlikeStates`](crate::InputErrorKind::UnlikeStates) with the first field that differs.
    pub(crate) fn require_serves(&self, state: &StateKey) -> Result<()> {
        let own = self.key();
        if own == *state { Ok(()) } else { self.clone().over_state(state).key().require_equal(state) }
    }

    /// Creates the error of an `operation` that needs a row, for a metric whose statistics are not a row of
    /// counts.
    pub(crate) fn no_rows(&self, operation: &'static str) -> InputError {
        InputErrorKind::NotLinear { metric: self.name(), operation }.into()
    }

    /// Marks every field as counted. Statistics that hold finished scores, such as means of segment scores,
    /// depend on all of them.
    #[must_use]
    pub(crate) fn all_counted(mut self) -> Self {
        self.parts.iter_mut().flat_map(|part| &mut part.fields).for_each(|field| field.counted = true);
        self.wider_sums()
    }

    /// Declares that states of the previous layout held [`ExactSum`](crate::ExactSum)s of eight columns. It
    /// increases the layout version by one; [`Identity::require_own`] accepts states of the previous version.
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

    /// Checks that a stored state with this key belongs to this metric. Returns `true` if its exact sums have
    /// only eight columns.
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

    /// Returns the identity of several metrics that are observed together.
    pub fn join(identities: impl IntoIterator<Item = Identity>) -> Self {
        Identity { parts: identities.into_iter().flat_map(|identity| identity.parts).collect() }
    }

    /// Returns the registry name of the first metric; empty if there is none.
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

    /// Returns everything that the metrics need from the data.
    pub fn needs(&self) -> Needs {
        let any = |is: fn(&IdentityPart) -> bool| self.parts.iter().any(is);
        Needs {
            references: any(|part| part.needs.references),
            source: any(|part| part.needs.source),
            one_reference: any(|part| part.needs.one_reference),
            reference_order: any(|part| part.needs.reference_order),
            tokens: any(|part| part.needs.tokens),
        }
    }

    /// Returns the range and direction of the first metric's score; [`Scale::UNBOUNDED`] if there is no
    /// metric.
    pub fn scale(&self) -> Scale {
        self.parts.first().map_or(Scale::UNBOUNDED, |part| part.scale)
    }

    /// Returns the key of the metric's states: all counted fields and the token space.
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

    /// Returns the signature of scores over segments with these counts.
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

/// State of the hash FNV-1a, which is equal on all machines with the same width of `usize`.
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
