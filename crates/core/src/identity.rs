//! [`Identity`]: a metric's own account of what it is; its state key and its signature both follow from it.
//!
//! A metric lists its fields once and says of each whether it changes what is *counted* or only how counts are
//! *finished*. States merge when the counted fields agree ([`StateKey`]); scores compare when all fields agree
//! ([`Signature`]). The token space and the case are not a metric's to say: the door that makes the tokens adds them.

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::hash::Hasher;

use crate::key::KeyPart;
use crate::{Opt, OptionField, Scale, SegmentCounts, Signature, StateKey, TokenSpace};

/// What a metric is, in this configuration.
///
/// ```
/// use bleuprint_core::{Case, Identity, Opt, Scale, SegmentCounts, TokenSpace};
///
/// const ORDER: Opt<usize> = Opt::integer("max-order", 4).counted("order", "order").unless_default();
/// let identity = Identity::new("bleu", 1, Scale::PERCENT)
///     .named("BLEU")
///     .option(ORDER, 4)
///     .finished("eff", "e", "no")
///     .finished("smooth", "s", "exp");
/// let over = identity.clone().over(&TokenSpace::new("13a", Case::Mixed).unwrap());
/// assert_eq!(over.key().to_string(), "bleu/1|order:4|case:mixed|tok:13a");
/// let printed = over.signature(&SegmentCounts::of_segment(1)).to_string();
/// assert!(printed.starts_with("BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:bleuprint-"));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Identity {
    parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq)]
struct Part {
    metric: Cow<'static, str>,
    schema: u32,
    scale: Scale,
    name: Cow<'static, str>,
    fields: Vec<Field>,
    reference_free: bool,
    needs_source: bool,
    ordered_references: bool,
    remembers_tokens: bool,
    space: TokenSpace,
    /// A tokenizer whose variants the fields tell, and the short key of its name in signatures.
    tokenizer: Option<(&'static str, &'static str)>,
}

#[derive(Debug, Clone, PartialEq)]
struct Field {
    key: &'static str,
    short: &'static str,
    value: String,
    /// Part of the state key.
    counted: bool,
    /// Part of the signature.
    printed: bool,
}

impl Identity {
    /// The metric of this registry name, whose statistics have layout version `schema` (it grows when old stored states
    /// can no longer be read), and whose scores lie on `scale`.
    pub fn new(metric: impl Into<Cow<'static, str>>, schema: u32, scale: Scale) -> Self {
        let metric = metric.into();
        Identity {
            parts: alloc::vec![Part {
                name: metric.clone(),
                metric,
                schema,
                scale,
                fields: Vec::new(),
                reference_free: false,
                needs_source: false,
                ordered_references: false,
                remembers_tokens: false,
                space: TokenSpace::UNSPECIFIED,
                tokenizer: None,
            }],
        }
    }

    /// The name that scores are printed under, as in `BLEU`; by default the registry name.
    #[must_use]
    pub fn named(mut self, name: impl Into<Cow<'static, str>>) -> Self {
        let name = name.into();
        self.parts.iter_mut().for_each(|part| part.name = name.clone());
        self
    }

    /// A field that changes what is counted: it must agree to merge and to compare. `short` is its key in short
    /// signatures.
    #[must_use]
    pub fn counted(self, key: &'static str, short: &'static str, value: impl ToString) -> Self {
        self.field(key, short, value.to_string(), true, true)
    }

    /// A field that changes only how counts are finished: it must agree to compare. One state serves all its values.
    #[must_use]
    pub fn finished(self, key: &'static str, short: &'static str, value: impl ToString) -> Self {
        self.field(key, short, value.to_string(), false, true)
    }

    /// The field that an option makes of its value, as it is declared.
    #[must_use]
    pub fn option<T: PartialEq>(self, option: Opt<T>, value: T) -> Self {
        let OptionField { key, short, counted, unless_default, in_name, .. } = option.spec.field;
        let shown = !(in_name || unless_default && value == option.default());
        match option.print(&value) {
            Some(value) if counted || shown => self.field(key, short, value, counted, shown),
            _ => self,
        }
    }

    /// A field that changes what is counted and is in the state key alone: the name of the score shows it, or no score
    /// depends on it.
    #[must_use]
    pub fn keyed(self, key: &'static str, value: impl ToString) -> Self {
        self.field(key, key, value.to_string(), true, false)
    }

    /// Says that the metric does not look at references; programs then do not ask for them, and signatures do not
    /// count them.
    #[must_use]
    pub fn reference_free(mut self) -> Self {
        self.parts.iter_mut().for_each(|part| part.reference_free = true);
        self
    }

    /// Says that the metric needs the source of each segment; programs then ask for it.
    #[must_use]
    pub fn needs_source(mut self) -> Self {
        self.parts.iter_mut().for_each(|part| part.needs_source = true);
        self
    }

    /// Says that the order of the references can matter, where the definition takes the first of equally good ones;
    /// the laws then do not ask that it does not.
    #[must_use]
    pub fn ordered_references(mut self) -> Self {
        self.parts.iter_mut().for_each(|part| part.ordered_references = true);
        self
    }

    /// Says that the statistics hold tokens or anything made of them, such as a set of n-grams. Such a metric is given
    /// the tokens themselves, never numbers that stand for them within one segment or one run.
    #[must_use]
    pub fn remembers_tokens(mut self) -> Self {
        self.parts.iter_mut().for_each(|part| part.remembers_tokens = true);
        self
    }

    /// A field for what a first pass learned: a number that differs where the tables do. States of second passes that
    /// learned from unlike data then never merge.
    #[must_use]
    pub fn learned(self, table: &impl core::hash::Hash) -> Self {
        let mut digest = Digest(0xcbf2_9ce4_8422_2325);
        table.hash(&mut digest);
        self.counted("learned", "l", alloc::format!("{:016x}", digest.finish()))
    }

    /// Says that fields of the metric tell the variants of a tokenizer, as `norm:yes` tells `tercom-norm`: signatures
    /// then name the tokenizer alone, under this short key. State keys name the variant.
    ///
    /// ```
    /// use bleuprint_core::{Case, Identity, Scale, SegmentCounts, TokenSpace};
    /// let identity = Identity::new("ter", 1, Scale::ERROR_RATE).counted("norm", "nr", "yes").tells_variants_of("tercom", "t");
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

    /// The same metric over these tokens. Where they are text that nobody cut, a metric that cuts it itself keeps what
    /// it says of its tokens.
    #[must_use]
    pub fn over(mut self, space: &TokenSpace) -> Self {
        self.parts.iter_mut().for_each(|part| part.space = space.around(&part.space));
        self
    }

    /// The same metric over the tokens of a state, where it was told nothing of its own.
    #[must_use]
    pub fn over_state(mut self, key: &StateKey) -> Self {
        for (part, space) in self.parts.iter_mut().zip(key.token_spaces()) {
            if part.space.is_unspecified() {
                part.space = space.clone();
            }
        }
        self
    }

    /// The metric whose every field changes what is counted: one whose statistics hold finished scores, as means of
    /// segment scores do.
    #[must_use]
    pub(crate) fn all_counted(mut self) -> Self {
        self.parts.iter_mut().flat_map(|part| &mut part.fields).for_each(|field| field.counted = true);
        self
    }

    /// Several metrics observed together.
    pub fn join(identities: impl IntoIterator<Item = Identity>) -> Self {
        Identity { parts: identities.into_iter().flat_map(|identity| identity.parts).collect() }
    }

    /// The number of metrics: one, except for composites.
    pub(crate) fn parts(&self) -> usize {
        self.parts.len()
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

    /// Whether no reference is looked at.
    pub fn is_reference_free(&self) -> bool {
        self.parts.iter().all(|part| part.reference_free)
    }

    /// Whether the source of each segment is needed.
    pub fn is_source_needed(&self) -> bool {
        self.parts.iter().any(|part| part.needs_source)
    }

    /// Whether the order of the references can matter.
    pub(crate) fn is_reference_order_kept(&self) -> bool {
        self.parts.iter().any(|part| part.ordered_references)
    }

    /// Whether the statistics hold tokens.
    pub fn is_token_remembered(&self) -> bool {
        self.parts.iter().any(|part| part.remembers_tokens)
    }

    /// The range of the (first) score, and its direction; without limits where there is no metric.
    pub fn scale(&self) -> Scale {
        self.parts.first().map_or(Scale::UNBOUNDED, |part| part.scale)
    }

    /// What must agree before two states may merge.
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

    /// What must agree before two scores may be compared, for segments of these counts.
    pub fn signature(&self, counts: &SegmentCounts) -> Signature {
        Signature::join(self.parts.iter().map(|part| {
            let mut signature = Signature::new(&part.name);
            for field in part.fields.iter().filter(|field| field.printed) {
                signature = signature.with(field.key, field.short, &field.value);
            }
            signature = signature.over(&part.space);
            if let Some((tokenizer, short)) = part.tokenizer
                && part.space.is_variant_of(tokenizer)
            {
                signature = signature.with("tok", short, tokenizer);
            }
            if part.reference_free { signature } else { signature.with_counts(counts) }
        }))
    }

    fn field(
        mut self,
        key: &'static str,
        short: &'static str,
        value: String,
        counted: bool,
        printed: bool,
    ) -> Self {
        for part in &mut self.parts {
            let value = value.clone();
            part.fields.push(Field { key, short, value, counted, printed });
        }
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
