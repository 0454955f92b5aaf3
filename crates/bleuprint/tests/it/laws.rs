//! The laws over everything that is registered, over composites, and over shards of a corpus.

use bleuprint::eval::{observe_all, observe_parallel};
use bleuprint::{
    Accumulator, Bleu, Case, EditRate, ExactMatch, InputErrorKind, Metric, State, Tagged, TokenSpace,
    contract::{Composition, OptionKind, laws},
    metrics::registry,
};
use bleuprint_testkit::random::Rng;

/// Those of families are proven in their packages, with data of their own.
#[test]
fn every_registered_metric_obeys_them_under_every_choice() {
    let mut all = Vec::new();
    for entry in registry().entries() {
        all.push(entry.build(&entry.example_options()).unwrap());
        for spec in entry.options {
            let OptionKind::Choice(choices) = spec.kind else { continue };
            for choice in choices {
                all.push(entry.build(&entry.example_options().with(spec.name, choice)).unwrap());
            }
        }
    }
    all.iter().for_each(laws::check_any);
    laws::check_distinct(&all);
}

/// Metrics whose score changes when all segments are repeated, though they are not sets: with the reason.
const REPEATED: &[(&str, &str)] = &[
    ("bleu", "smoothing adds constants to counts"),
    ("nist", "its information weights are learned from the corpus"),
];

/// A metric under which repeated segments are no new evidence declares it: `score(a + a)` is then another score.
#[test]
fn statistics_that_repeats_shrink_are_declared() {
    let mut rng = Rng::new(23);
    let mut found = Vec::new();
    for entry in bleuprint::registry().entries() {
        let name = &*entry.name;
        let Ok(metric) = bleuprint::metric(name) else { continue };
        let declared = entry.build(&entry.example_options()).unwrap().identity().composition();
        let text = |rng: &mut Rng| {
            let words = (0..rng.between(1, 9)).map(|_| format!("w{}", rng.below(12)));
            words.collect::<Vec<_>>().join(" ")
        };
        let repeats = (0..20).any(|_| {
            let corpus: Vec<[String; 2]> = (0..6).map(|_| [text(&mut rng), text(&mut rng)]).collect();
            let score = |times: usize| {
                let mut all = Accumulator::<_, str>::new(&metric);
                for [hypothesis, reference] in corpus.iter().cycle().take(times * corpus.len()) {
                    all.push(hypothesis, &[reference]).ok()?;
                }
                Some(all.score().ok()?.value())
            };
            match (score(1), score(2)) {
                (Some(once), Some(twice)) => (once - twice).abs() > 1e-9 * once.abs().max(1.0),
                _ => false,
            }
        });
        let exempt = REPEATED.iter().any(|(exempt, _)| *exempt == name);
        if repeats != (declared == Composition::Repeats) && !(repeats && exempt) {
            found.push((name.to_owned(), declared, repeats));
        }
    }
    assert!(found.is_empty(), "declared, and found to change: {found:?}");
}

#[test]
fn composites_are_metrics() {
    let composite = (Bleu::default(), EditRate::ER, ExactMatch);
    laws::check(&composite);
    let key = composite.state_key();
    assert_eq!(
        key.to_string(),
        "bleu/1|order:4|case:mixed|tok:unspecified + error_rate/1|case:mixed|tok:unspecified \
         + exact_match/2|case:mixed|tok:unspecified"
    );
    assert_eq!(key.to_string().parse(), Ok((*key).clone()));
    let signature = composite.signature();
    assert_eq!(signature.to_string().parse(), Ok(signature));
}

/// A corpus of random segments over small ids.
fn corpus(rng: &mut Rng, segments: usize) -> Vec<(Vec<u32>, Vec<Vec<u32>>)> {
    let sequence = |rng: &mut Rng| (0..rng.below(30)).map(|_| rng.below(9) as u32).collect::<Vec<u32>>();
    (0..segments).map(|_| (sequence(rng), (0..rng.between(1, 3)).map(|_| sequence(rng)).collect())).collect()
}

#[test]
fn random_shards_merged_in_random_order_are_the_corpus() {
    let mut rng = Rng::new(7);
    for round in 0..50 {
        let corpus = corpus(&mut rng, 40);
        let segments: Vec<(&[u32], Vec<&[u32]>)> =
            corpus.iter().map(|(h, r)| (&h[..], r.iter().map(Vec::as_slice).collect())).collect();
        let whole = observe_all(&Bleu::default(), segments.clone()).unwrap();

        let mut shards = vec![Accumulator::<_, [u32]>::new(Bleu::default()); 1 + rng.below(7)];
        for (hypothesis, references) in &segments {
            let shard = rng.below(shards.len());
            shards[shard].push(hypothesis, references).unwrap();
        }
        rng.shuffle(&mut shards);
        let mut merged = Accumulator::<_, [u32]>::new(Bleu::default());
        for shard in &shards {
            let sent = serde_json::to_string(shard.total()).unwrap();
            let sent = serde_json::from_str::<Tagged<_>>(&sent).unwrap();
            merged.merge(&sent.open(&Bleu::default()).unwrap()).unwrap();
        }
        assert_eq!(merged.total(), &whole, "round {round}");
        for threads in [1, 2, 7] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let parallel = pool.install(|| observe_parallel(&Bleu::default(), &segments)).unwrap();
            assert_eq!(parallel, whole, "{threads} threads");
        }
    }
}

#[test]
fn words_characters_and_ids_go_through_one_implementation() {
    let (hypothesis, reference) = ("a b a c d d", "a b c a d d");
    let words = |text: &'static str| text.split(' ').collect::<Vec<&str>>();
    let chars = |text: &str| text.chars().filter(|c| *c != ' ').collect::<Vec<char>>();
    let ids = |text: &str| chars(text).into_iter().map(u32::from).collect::<Vec<u32>>();
    let by_words =
        Accumulator::<_, [&str]>::new(Bleu::default()).push(&words(hypothesis), &[&words(reference)]);
    let by_chars =
        Accumulator::<_, [char]>::new(Bleu::default()).push(&chars(hypothesis), &[&chars(reference)]);
    let by_ids = Accumulator::<_, [u32]>::new(Bleu::default()).push(&ids(hypothesis), &[&ids(reference)]);
    assert_eq!(by_words, by_chars);
    assert_eq!(by_words, by_ids);
}

#[test]
fn unlike_states_never_merge() {
    let bleu = |order: usize, label: &str| {
        let bleu = Bleu::builder().max_order(order).build().unwrap();
        bleu.over(TokenSpace::new(label, Case::Mixed).unwrap())
    };
    let observe = |order: usize, label: &str| {
        let mut accumulator = Accumulator::<_, [u8]>::new(bleu(order, label));
        accumulator.push(b"abc", &[b"abd"]).unwrap();
        accumulator
    };
    let mut four = observe(4, "13a");
    let before = four.total().clone();
    for other in [observe(2, "13a"), observe(4, "char")] {
        let error = four.merge(&other).unwrap_err();
        assert!(matches!(error.kind(), InputErrorKind::UnlikeStates { .. }), "{error}");
        let field = if other.total().key().get("order") == Some("2") { "order" } else { "tok" };
        let expected = format!("unlike states: they differ in {field}: `bleu/1|order:4|case:mixed|tok:13a`");
        let error = Tagged::from(other.total().clone()).open(&bleu(4, "13a")).unwrap_err();
        assert!(error.to_string().contains(&expected), "{error}");
        let error = four.merge(other.total()).unwrap_err();
        assert!(error.to_string().contains(&expected), "{error}");
        assert!(before.clone().retract(&bleu(4, "13a"), other.total()).is_err());
    }
    assert_eq!(four.total(), &before);
}

#[test]
fn hostile_states_are_errors() {
    let bleu = Bleu::default();
    let mut accumulator = Accumulator::<_, [u8]>::new(bleu.clone());
    accumulator.push(b"abcde", &[b"abcdf"]).unwrap();
    let good = serde_json::to_string(accumulator.total()).unwrap();
    let hostile = [
        (r#""version":2"#, r#""version":1"#, "state version 1 is not supported"),
        ("order:4", "order:3", "unlike states: they differ in order"),
        (r#""clipped":4,"total":5"#, r#""clipped":6,"total":5"#, "clipped 6 > total 5"),
        (r#""segments":1"#, r#""segments":7"#, "order 1 over 7 segments"),
        (r#""references":1"#, r#""references":2"#, "1 segments cannot have 2 references"),
        (r#""closest":5"#, r#""closest":-5"#, "invalid value"),
        ("bleu/1", "bleu", "is not a state key"),
        (r#""stats""#, r#""statistics""#, "unknown field"),
    ];
    for (from, to, expected) in hostile {
        let bad = good.replacen(from, to, 1);
        assert_ne!(bad, good, "{from} is not in {good}");
        let message = match serde_json::from_str::<Tagged<_>>(&bad) {
            Err(error) => error.to_string(),
            Ok(tagged) => tagged.open(&bleu).unwrap_err().to_string(),
        };
        assert!(message.contains(expected), "{message}");
    }
    let huge = good.replacen(r#""closest":5"#, &format!(r#""closest":{}"#, u64::MAX), 1);
    let huge = serde_json::from_str::<Tagged<_>>(&huge).unwrap().open(&bleu).unwrap();
    let error = accumulator.merge(&huge).unwrap_err();
    assert!(error.to_string().contains("count out of range in column `ref_len_closest`"), "{error}");
}

#[test]
fn windows_slide() {
    let mut window = Accumulator::<_, [u8]>::new(Bleu::default());
    let first = window.push(b"abcd", &[b"abcd"]).unwrap();
    let second = window.push(b"xbcd", &[b"abcd"]).unwrap();
    let mut window = State::from(window);
    window.retract(&Bleu::default(), &first).unwrap();
    assert_eq!(window, second);
    assert!(window.retract(&Bleu::default(), &first).is_err(), "what is not in cannot be taken out");
    let mut both = first.clone();
    both.merge(&second).unwrap();
    assert_eq!(both.counts().segments, 2);
}
