//! [`Identity`]: a metric's own account of what it is; its state key and its signature both follow from it.
//!
//! A metric lists its fields once: each changes either the *counts* or only their *finishing*. States merge when the
//! counted fields agree ([`StateKey`]); scores compare when all fields agree ([`Signature`]). The token space and the case
//! are added by the door that makes the tokens.

use core::hash::Hasher;

use crate::key::KeyPart;
use crate::prelude::*;
use crate::{
    Composition, InputError, InputErrorKind, Result, Scale, SegmentCounts, Signature, StateKey, TokenSpace,
};

/// The identity of a metric in this configuration.
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
    /// One, except for composites.
    pub(crate) parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Part {
    metric: Cow<'static, str>,
    schema: u32,
    scale: Scale,
    name: Cow<'static, str>,
    /// What tables call the score, where it is not the name.
    heading: Option<String>,
    fields: Vec<Field>,
    needs: Needs,
    composition: Composition,
    /// The layout before this one had exact sums of eight columns.
    wider_sums: bool,
    space: TokenSpace,
    /// Whether a door gave the space; the metric's default gives way to that of a door or a state.
    space_given: bool,
    /// A tokenizer whose variants have fields of their own, and the short key of its name in signatures.
    tokenizer: Option<(&'static str, &'static str)>,
}

#[derive(Debug, Clone, PartialEq)]
struct Field {
    key: Cow<'static, str>,
    short: Cow<'static, str>,
    value: String,
    /// Part of the state key.
    counted: bool,
    /// Part of the signature.
    printed: bool,
}

/// The needs of a metric from its data: by default references. Those of several metrics are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Needs {
    /// References.
    pub references: bool,
    /// The source of each segment.
    pub source: bool,
    /// No more than one reference: it is defined for one, and refuses segments with several. Programs refuse such input.
    pub one_reference: bool,
    /// The order of references, because its definition takes the first of equally good ones. The law of reference order
    /// does not apply.
    pub reference_order: bool,
    /// The tokens themselves: its statistics hold tokens or anything made of them, such as a set of n-grams, and ids that
    /// are valid within one segment or one run only would mislead it.
    pub tokens: bool,
}

/// An option whose declaration says which field its value makes: `Opt` of `bleuprint-registry`.
pub trait Declared<T> {
    /// The identity with the field of this value.
    fn describe(&self, identity: Identity, value: &T) -> Identity;
}

impl Identity {
    /// The metric of this registry name. `schema` is the version of the layout of its statistics, which grows when old
    /// states become unreadable; its scores lie on `scale`.
    pub fn new(metric: impl Into<Cow<'static, str>>, schema: u32, scale: Scale) -> Self {
        Self::of_metric(metric.into(), schema, scale)
    }

    fn of_metric(metric: Cow<'static, str>, schema: u32, scale: Scale) -> Self {
        Identity {
            parts: vec![Part {
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

    /// The name that scores are printed under, as in `BLEU`; by default the registry name.
    #[must_use]
    pub fn named(self, name: impl Into<Cow<'static, str>>) -> Self {
        self.renamed(name.into())
    }

    fn renamed(mut self, name: Cow<'static, str>) -> Self {
        self.parts.iter_mut().for_each(|part| part.name = name.clone());
        self
    }

    /// What tables call the score; by default its name. Signatures begin with the name.
    #[must_use]
    pub fn headed(mut self, heading: impl Into<String>) -> Self {
        let heading = heading.into();
        self.parts.iter_mut().for_each(|part| part.heading = Some(heading.clone()));
        self
    }

    /// A field that changes the counts: it must agree to merge and to compare. `short` is its key in short signatures.
    #[must_use]
    pub fn counted(
        self,
        key: impl Into<Cow<'static, str>>,
        short: impl Into<Cow<'static, str>>,
        value: impl ToString,
    ) -> Self {
        self.field(key.into(), short.into(), value.to_string(), true, true)
    }

    /// A field that changes only the finishing of counts: it must agree to compare. One state serves all its values.
    #[must_use]
    pub fn finished(self, key: &'static str, short: &'static str, value: impl ToString) -> Self {
        self.field(key.into(), short.into(), value.to_string(), false, true)
    }

    /// The field that an option makes of its value, as it is declared.
    #[must_use]
    pub fn option<T>(self, option: impl Declared<T>, value: T) -> Self {
        option.describe(self, &value)
    }

    /// A field of the state key alone, which changes the counts: the name of the score shows it, or no score depends on it.
    #[must_use]
    pub fn keyed(self, key: &'static str, value: impl ToString) -> Self {
        self.field(key.into(), key.into(), value.to_string(), true, false)
    }

    /// A metric without references; programs do not ask for them, and signatures do not count them.
    #[must_use]
    pub fn reference_free(self) -> Self {
        self.needing(|needs| needs.references = false)
    }

    /// A metric with other needs than references; programs then ask for them.
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

    /// Declares how the score of a corpus follows from its segments. This is part of neither key nor signature.
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

    /// A field with a digest of the tables learned in a first pass. States of second passes with unlike tables never merge.
    #[must_use]
    pub fn learned(self, table: &impl core::hash::Hash) -> Self {
        let mut digest = Digest(0xcbf2_9ce4_8422_2325);
        table.hash(&mut digest);
        self.counted("learned", "l", format!("{:016x}", digest.finish()))
    }

    /// A metric with fields for the variants of a tokenizer, as `norm:yes` for `tercom-norm`: signatures then name the
    /// tokenizer alone, under this short key. State keys name the variant.
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

    /// The same metric over these tokens. Over text, a metric that cuts it into tokens itself keeps its own tokens.
    #[must_use]
    pub fn over(mut self, space: &TokenSpace) -> Self {
        for part in &mut self.parts {
            part.space = if part.space_given { space.around(&part.space) } else { space.clone() };
            part.space_given = true;
        }
        self
    }

    /// The same metric over this space until a door gives it another: text, numbers, vectors, or data of a
    /// [`Form`](crate::Form). A typed metric then has the keys and signatures that it has behind
    /// `AnyMetric`. States without a token space, which versions before wrote, are read as its own.
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
        let without = |part: &&mut Part| !part.space_given && part.space.is_unspecified();
        self.parts.iter_mut().filter(without).for_each(|part| part.space = space.clone());
        self
    }

    /// The same metric over the tokens of a state, unless a door gave it others.
    #[must_use]
    pub(crate) fn over_state(mut self, key: &StateKey) -> Self {
        for (part, own) in self.parts.iter_mut().zip(&key.parts) {
            if !part.space_given {
                part.space = own.space.clone();
            }
        }
        self
    }

    /// Whether the metric can finish states of this key: the keys are equal, except that a metric without a token space
    /// that a door gave takes that of the state.
    ///
    /// # Errors
    /// [`UnlikeStates`](crate::InputErrorKind::UnlikeStates), naming the first field that differs.
    pub(crate) fn require_serves(&self, state: &StateKey) -> Result<()> {
        let own = self.key();
        if own == *state { Ok(()) } else { self.clone().over_state(state).key().require_equal(state) }
    }

    /// The statistics are no row of counts, as the operation needs.
    pub(crate) fn no_rows(&self, operation: &'static str) -> InputError {
        InputErrorKind::NotLinear { metric: self.name(), operation }.into()
    }

    /// The metric with every field counted: for statistics that hold finished scores, as means of segment scores do.
    #[must_use]
    pub(crate) fn all_counted(mut self) -> Self {
        self.parts.iter_mut().flat_map(|part| &mut part.fields).for_each(|field| field.counted = true);
        self.wider_sums()
    }

    /// A metric whose states of before held [`ExactSum`](crate::ExactSum)s of eight columns. Its layout is one higher than
    /// that of [`Identity::new`], and states of the layout before are read ([`Identity::require_own`]).
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

    /// Whether a stored state of this key is one of this metric; true if its exact sums have eight columns.
    ///
    /// # Errors
    /// [`UnlikeStates`](crate::InputErrorKind::UnlikeStates), naming the first field that differs.
    pub fn require_own(&self, stored: &StateKey) -> Result<bool> {
        let own = self.key();
        if own == *stored {
            return Ok(false);
        }
        let (mut today, mut wider) = (stored.clone(), false);
        for (part, key) in self.parts.iter().zip(&mut today.parts) {
            if part.wider_sums && key.schema.checked_add(1) == Some(part.schema) {
                (key.schema, wider) = (part.schema, true);
            }
            // Versions before named no space of a metric that has one by default.
            if !part.space_given && key.space.is_unspecified() {
                key.space = part.space.clone();
            }
        }
        if own == today { Ok(wider) } else { own.require_equal(stored).map(|()| false) }
    }

    /// Several metrics observed together.
    pub fn join(identities: impl IntoIterator<Item = Identity>) -> Self {
        Identity { parts: identities.into_iter().flat_map(|identity| identity.parts).collect() }
    }

    /// The registry name of the (first) metric.
    pub fn metric(&self) -> &str {
        self.parts.first().map_or("", |part| &part.metric)
    }

    /// The name that scores are printed under.
    pub fn name(&self) -> String {
        let names: Vec<&str> = self.parts.iter().map(|part| &*part.name).collect();
        names.join(crate::token_space::PART_SEPARATOR)
    }

    /// What tables call the score.
    pub fn heading(&self) -> String {
        let heading = |part: &Part| part.heading.clone().unwrap_or_else(|| part.name.to_string());
        let headings: Vec<String> = self.parts.iter().map(heading).collect();
        headings.join(crate::token_space::PART_SEPARATOR)
    }

    /// The needs from the data.
    pub fn needs(&self) -> Needs {
        let any = |is: fn(&Part) -> bool| self.parts.iter().any(is);
        Needs {
            references: any(|part| part.needs.references),
            source: any(|part| part.needs.source),
            one_reference: any(|part| part.needs.one_reference),
            reference_order: any(|part| part.needs.reference_order),
            tokens: any(|part| part.needs.tokens),
        }
    }

    /// The range of the (first) score, and its direction; without limits where there is no metric.
    pub fn scale(&self) -> Scale {
        self.parts.first().map_or(Scale::UNBOUNDED, |part| part.scale)
    }

    /// The key of its states.
    pub fn key(&self) -> StateKey {
        let part = |part: &Part| KeyPart {
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

    /// The signature of scores over segments of these counts.
    pub fn signature(&self, counts: &SegmentCounts) -> Signature {
        Signature::join(self.parts.iter().map(|part| {
            let mut signature = Signature::new(&part.name);
            for field in part.fields.iter().filter(|field| field.printed) {
                signature = signature.with(field.key.clone(), field.short.clone(), &field.value);
            }
            signature = signature.over(&part.space);
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
        let field = Field { key, short, value, counted, printed };
        self.parts.iter_mut().for_each(|part| part.fields.push(field.clone()));
        self
    }
}

/// FNV-1a: the same on every machine of one width of `usize`.
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
