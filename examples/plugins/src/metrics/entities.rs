//! The F-score of entities in BIO tags, such as `B-PER I-PER O`, with precision and recall.
//!
//! An entity is a run of tags of one type; it is found if the hypothesis has it with the same ends. A tag `I-` without an entity
//! of its type before it begins one, unless `strict` leaves it out. Without `types` the types need not agree.

use std::collections::BTreeSet;

use bleuprint::contract::*;

const STRICT: Opt<bool> =
    Opt::flag("entities-strict").counted("strict", "s").help("Entities begin with B- alone");
const UNTYPED: Opt<bool> = Opt::flag("entities-untyped").counted("untyped", "u").help("Types need not agree");

columns! { pub struct Entities { shared <= found & wanted, found, wanted } }

/// Start, end and type of each entity.
fn entities<'t>(tags: &[&'t str], strict: bool, untyped: bool) -> BTreeSet<(usize, usize, &'t str)> {
    let (mut all, mut open): (_, Option<(usize, &str)>) = (BTreeSet::new(), None);
    for (at, tag) in tags.iter().copied().chain(["O"]).enumerate() {
        let (prefix, class) = tag.split_once('-').unwrap_or(("O", ""));
        if prefix == "I" && open.is_some_and(|(_, own)| own == class) {
            continue;
        }
        if let Some((start, class)) = open.take() {
            all.insert((start, at, if untyped { "" } else { class }));
        }
        open = (prefix == "B" || prefix == "I" && !strict).then_some((at, class));
    }
    all
}

pub const ENTRY: MetricEntry =
    MetricEntry::new("entities", "The F-score of entities in BIO tags", |options| {
        let strict = STRICT.value_in(options)?;
        let untyped = UNTYPED.value_in(options)?;
        let identity = Identity::new("entities", 1, Scale::UNIT).needing(|needs| needs.one_reference = true);
        let metric = Totals::for_tokens(
            identity.option(STRICT, strict).option(UNTYPED, untyped),
            move |segment: Segment<'_, [&str]>| {
                let own = segment.hypothesis;
                let wanted = segment.one_reference("entities")?;
                if own.len() != wanted.len() {
                    let own = own.len();
                    let wanted = wanted.len();
                    return Err(InputError::malformed(format!("{own} tags, but the reference has {wanted}")));
                }
                let [own, wanted] = [own, wanted].map(|tags| entities(tags, strict, untyped));
                let shared = own.intersection(&wanted).count() as u64;
                Ok(Entities { shared, found: own.len() as u64, wanted: wanted.len() as u64 })
            },
            |all: &Entities, _| {
                let of = |count: u64| all.shared as f64 / count.max(1) as f64;
                let f = 2.0 * all.shared as f64 / (all.found as f64 + all.wanted as f64).max(1.0);
                Ok([f, of(all.found), of(all.wanted)])
            },
        );
        Ok(AnyMetric::for_tokens(metric.headlines(&["f", "precision", "recall"])).with_tokenizer("none"))
    })
    .options(&[STRICT.spec, UNTYPED.spec]);

#[test]
fn obeys_the_laws() {
    // Tags of four tokens, for hypotheses and references alike.
    let tags = |raw: &[u8]| -> Vec<&str> {
        let tag = |at| ["O", "B-A", "I-A", "I-B", "B-B"][raw.get(at).map_or(0, |byte| byte % 5) as usize];
        (0..4).map(tag).collect()
    };
    for options in
        [MetricOptions::default(), MetricOptions::default().with("strict", "yes").with("untyped", "yes")]
    {
        laws::check_sequences::<[&str]>(&ENTRY.build(&options).unwrap(), tags);
    }
}
