//! Registers the word error rates of meetings (cpWER, ORC-WER, MIMO-WER, DI-cpWER and their variants with
//! word times), and defines their options.

use bleuprint_core::{Case, Choice as _, ConfigError, Observe};
use bleuprint_registry::{
    AnyMetric, MetricEntry, MetricOptions, Opt, OptionDefault, OptionSpec, Paper, Storable, settings,
};

use crate::cut::SESSIONS;
use crate::{CpWer, DiCpWer, MimoWer, OrcWer, StreamSearch, TimeConstraint, WordTiming};

settings! {
    /// Options of metrics that match words only near in time.
    pub(crate) struct TimeSettings {
        /// Seconds by which words of the hypothesis may be early or late; 5 is usual
        pub(crate) collar: Option<f64> = Opt::optional_number("collar", "none: it must be given")
            .limits(0, u64::MAX)
            .counted("collar", "col");
        /// Times of the words of an utterance of the reference
        pub(crate) reference: WordTiming = Opt::choice("ref-timing").counted("reftiming", "rt");
        /// Times of the words of an utterance of the hypothesis
        pub(crate) hypothesis: WordTiming = {
            let mut option = Opt::choice("hyp-timing").counted("hyptiming", "ht");
            // A word of the hypothesis is a point in time by default, and a word of the reference an interval.
            option.spec.default = OptionDefault::Word(WordTiming::NAMES[1]);
            option
        };
    }
}

pub(crate) const SEARCH: Opt<StreamSearch> = Opt::choice("search")
    .counted("search", "s")
    .unless_default()
    .help("How utterances are given to streams: exact finds the fewest errors; greedy is a local search and may find more");

/// Search option of DI-cpWER with the one value `greedy`, which marks its scores as not from an exact search.
pub(crate) const GREEDY: Opt<&str> = Opt::word("search", &["greedy"], "greedy")
    .finished("search", "s")
    .help("How utterances are given to speakers: greedy is a local search, which may find more errors than there need be");

const MEETEVAL: &str = "MeetEval 0.4.3";

/// Wraps a metric that takes the tokens of meeting transcripts, for use in a registry.
pub(crate) fn over<M>(metric: M) -> AnyMetric
where
    M: for<'t> Observe<[&'t str]> + 'static,
    M::Stats: Storable,
{
    let mut metric = AnyMetric::for_tokens(metric).with_default_tokens("none", Case::Mixed);
    metric.view.parted = Some(SESSIONS);
    metric
}

/// One session, as the example of each metric: one speaker says two words, of which one is heard wrongly.
const EXAMPLE: &str = concat!(
    r#"{"hypothesis": "[{\"speaker\": \"1\", \"start_time\": 0, \"end_time\": 2, \"words\": \"good day\"}]", "#,
    r#""reference": "[{\"speaker\": \"A\", \"start_time\": 0, \"end_time\": 2, \"words\": \"good morning\"}]"}"#,
);

pub(crate) const CPWER: MetricEntry =
    MetricEntry::new("cpwer", "Word error rate of sessions, by the best assignment of speakers", |_| {
        Ok(over(CpWer::untimed()))
    })
    .aliases(&["cpWER"])
    .papers(&[crate::paper("watanabe-etal-2020-chime6")])
    .agrees_with(MEETEVAL)
    .example(EXAMPLE);

const TCPWER_PAPERS: &[Paper] = &[crate::paper("von-neumann-etal-2023-meeteval")];

pub(crate) const TCPWER: MetricEntry = timed(
    MetricEntry::new("tcpwer", "cpWER where words are matched only near in time", tcpwer)
        .aliases(&["tcpWER"])
        .papers(TCPWER_PAPERS),
)
.example(EXAMPLE);

/// Adds to a registry entry the options for word times, an example, and the warning about a collar of 0.
const fn timed(entry: MetricEntry) -> MetricEntry {
    entry.agrees_with(MEETEVAL).options(TimeSettings::SPECS).needed_options(&[("collar", "5")]).advice(
        |options| {
            // Most recognizers place words by some tenths of a second off, so a collar of 0 counts correct words
            // as errors.
            let none = options.get(COLLAR.name)?.trim().parse() == Ok(0.0);
            none.then_some("a collar of 0 s: words that do not overlap exactly are errors; 5 s is usual")
        },
    )
}

const COLLAR: OptionSpec = TimeSettings::OPTION.collar.spec;
const REF_TIMING: OptionSpec = TimeSettings::OPTION.reference.spec;
const HYP_TIMING: OptionSpec = TimeSettings::OPTION.hypothesis.spec;

pub(crate) const ORCWER: MetricEntry = MetricEntry::new(
    "orcwer",
    "Word error rate of sessions, each utterance given to the best stream",
    |options| Ok(over(OrcWer::untimed().search(SEARCH.value_in(options)?))),
)
.aliases(&["ORC-WER"])
.papers(&[crate::paper("sklyar-etal-2022-multiturn")])
.agrees_with(MEETEVAL)
.options(&[SEARCH.spec])
.example(EXAMPLE);

pub(crate) const TCORCWER: MetricEntry =
    timed(MetricEntry::new("tcorcwer", "orcwer where words are matched only near in time", |options| {
        let metric = OrcWer::timed(time("tcorcwer", options)?).search(SEARCH.value_in(options)?);
        Ok(over(metric))
    }))
    .aliases(&["tcORC-WER"])
    .papers(TCPWER_PAPERS)
    .options(&[COLLAR, REF_TIMING, HYP_TIMING, SEARCH.spec])
    .example(EXAMPLE);

const MIMOWER_PAPERS: &[Paper] = &[crate::paper("von-neumann-etal-2023-word-error-rate")];

pub(crate) const MIMOWER: MetricEntry =
    MetricEntry::new("mimower", "orcwer where only the order of each speaker's utterances is kept", |_| {
        Ok(over(MimoWer::untimed()))
    })
    .aliases(&["MIMO-WER"])
    .papers(MIMOWER_PAPERS)
    .agrees_with(MEETEVAL)
    .example(EXAMPLE);

pub(crate) const TCMIMOWER: MetricEntry =
    timed(MetricEntry::new("tcmimower", "mimower where words are matched only near in time", |options| {
        Ok(over(MimoWer::timed(time("tcmimower", options)?)))
    }))
    .aliases(&["tcMIMO-WER"])
    .papers(MIMOWER_PAPERS)
    .example(EXAMPLE);

pub(crate) const DICPWER: MetricEntry = MetricEntry::new(
    "dicpwer",
    "cpWER without speaker errors: a greedy search gives each utterance of the output to a speaker",
    |options| {
        GREEDY.value_in(options)?;
        Ok(over(DiCpWer::untimed()))
    },
)
.aliases(&["DI-cpWER"])
.papers(TCPWER_PAPERS)
.agrees_with(MEETEVAL)
.options(&[GREEDY.spec])
.example(EXAMPLE);

pub(crate) const DITCPWER: MetricEntry =
    timed(MetricEntry::new("ditcpwer", "dicpwer where words are matched only near in time", |options| {
        GREEDY.value_in(options)?;
        Ok(over(DiCpWer::timed(time("ditcpwer", options)?)))
    }))
    .aliases(&["DI-tcpWER"])
    .papers(TCPWER_PAPERS)
    .options(&[COLLAR, REF_TIMING, HYP_TIMING, GREEDY.spec])
    .example(EXAMPLE);

fn tcpwer(options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    Ok(over(CpWer::timed(time("tcpwer", options)?)))
}

fn time(metric: &str, options: &MetricOptions) -> Result<TimeConstraint, ConfigError> {
    let missing = || {
        let message =
            format!("{metric} needs a collar in seconds, which has no default; `{metric}:collar=5` is usual");
        ConfigError::Conflict(message)
    };
    let given = TimeSettings::from_options(options)?;
    let time = TimeConstraint::new(given.collar.ok_or_else(missing)?)?;
    Ok(time.with_timing(given.reference, given.hypothesis))
}
