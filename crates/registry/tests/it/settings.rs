//! Options that [`settings!`] declares: their defaults, values, help, keys and signatures.

use bleuprint_core::{
    Accumulator, ConfigError, Identity, Metric as _, PerSegment, Scale, Segment, SegmentCounts, State,
    StateBytes,
};
use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions, Opt, OptionSpec, Registry, settings};

settings! {
    /// The settings of a metric before it got the option `cased`.
    #[derive(Copy)]
    struct OldSettings {
        /// The highest order
        /// of n-gram
        order: usize = Opt::integer("own-order", 4).limits(1, 9).counted("order", "o");
        /// Which of two ends counts
        last: bool = Opt::either("own-end", &["first", "last"]).finished("end", "e");
    }
}

settings! {
    /// The settings of the same metric with the option `cased`.
    struct NewSettings {
        /// A field that is no option
        calls: u64;
        /// The highest order
        /// of n-gram
        order: usize = Opt::integer("own-order", 4).limits(1, 9).counted("order", "o");
        /// Words keep their case
        #[setter(pub(crate))]
        cased: bool = Opt::flag("own-case").counted("letters", "l").added_later();
        /// Which of two ends counts
        last: bool = Opt::either("own-end", &["first", "last"]).finished("end", "e");
    }
    in help: last, order, cased;
}

fn metric(identity: Identity) -> Result<AnyMetric, ConfigError> {
    let identity = identity.reference_free();
    AnyMetric::for_ids(PerSegment::new(identity, |segment: Segment<'_, [u32]>| {
        Ok(segment.hypothesis.len() as f64)
    }))
}

fn identity() -> Identity {
    Identity::new("own", 1, Scale::UNBOUNDED)
}

const OLD: MetricEntry = MetricEntry::new("own", "The metric as it was", |options| {
    metric(OldSettings::from_options(options)?.add_to_identity(identity()))
})
.options(OldSettings::SPECS);

const NEW: MetricEntry = MetricEntry::new("own", "The metric with one more option", |options| {
    metric(NewSettings::from_options(options)?.add_to_identity(identity()))
})
.options(NewSettings::SPECS);

fn names(specs: &[OptionSpec]) -> Vec<&str> {
    specs.iter().map(|spec| spec.name).collect()
}

#[test]
fn one_line_gives_default_value_help_and_limits() {
    assert_eq!(OldSettings::default(), OldSettings { order: 4, last: false });
    assert_eq!(OldSettings::SPECS[0].help, "The highest order of n-gram");
    assert_eq!(OldSettings::OPTION.order.spec, OldSettings::SPECS[0]);
    let given = MetricOptions::default().with("own-end", "last").with("own-order", "2");
    assert_eq!(OldSettings::from_options(&given), Ok(OldSettings { order: 2, last: true }));
    let refused = |name, value| {
        OldSettings::from_options(&MetricOptions::default().with(name, value)).unwrap_err().to_string()
    };
    assert_eq!(refused("own-order", "10"), "own-order is 10, but must be from 1 to 9");
    assert_eq!(
        refused("own-end", "lasst"),
        "unknown own-end `lasst`; expected one of: first, last; did you mean `last`?"
    );
}

#[test]
fn help_may_have_another_order_than_keys() {
    assert_eq!(names(OldSettings::SPECS), ["own-order", "own-end"]);
    assert_eq!(names(NewSettings::SPECS), ["own-end", "own-order", "own-case"]);
    let settings = NewSettings { calls: 1, ..NewSettings::default() }.cased(true);
    let described = settings.add_to_identity(identity());
    let signature = described.signature(&SegmentCounts::default()).to_string();
    assert!(signature.contains("|order:4|letters:yes|end:first|"), "{signature}");
}

#[test]
fn an_option_that_is_added_later_keeps_keys_signatures_and_stored_states() {
    let old = Registry::from_entries(&[OLD]).unwrap();
    let new = Registry::from_entries(&[NEW]).unwrap();
    fn scored(metric: &AnyMetric) -> Accumulator<&AnyMetric, [u32]> {
        let mut all = Accumulator::<_, [u32]>::new(metric);
        all.push(&[1, 2, 3], &[]).unwrap();
        all
    }
    for name in ["own", "own:order=2", "own:end=last"] {
        let before = old.build(name).unwrap();
        let after = new.build(name).unwrap();
        assert_eq!(before.state_key(), after.state_key(), "{name}");
        let signatures =
            [&before, &after].map(|metric| scored(metric).score().unwrap().signature.to_string());
        assert_eq!(signatures[0], signatures[1], "{name}");
        let stored = StateBytes::new(scored(&before).total()).unwrap();
        let (opened, mut state) = new.open(&stored).unwrap();
        assert_eq!(opened.state_key(), after.state_key());
        state.merge(scored(&after).total()).unwrap();
        assert_eq!(state.counts().segments, 2);
    }
    // Any other value is in both, and is read from the key of a stored state.
    let cased = new.build("own:own-case=yes").unwrap();
    assert_eq!(cased.state_key().to_string(), "own/1|order:4|letters:yes|case:mixed|tok:unspecified");
    let state = State::zero(&cased);
    let (opened, _) = new.open(&StateBytes::new(&state).unwrap()).unwrap();
    assert_eq!(opened.state_key(), cased.state_key());
}
