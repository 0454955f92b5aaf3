//! BLEU's registry entry: its options as data.

use bleuprint_core::{ConfigError, Entry, ErasedMetric, OptionKind, OptionSpec, Options, Scale};

use super::{Bleu, RefLen, Smoothing, Summation};

const fn option(name: &'static str, short: &'static str, kind: OptionKind) -> OptionSpec {
    OptionSpec { name, short, kind, default: "", sentence_default: None, help: "" }
}

/// The options, with sacreBLEU's names where it has them.
const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        default: "exp",
        help: "What is done with orders without matches",
        ..option("smooth-method", "s", OptionKind::Choice(Smoothing::NAMES))
    },
    OptionSpec {
        default: "0.1 for floor, 1 for add-k",
        help: "The value of the smoothing methods floor and add-k",
        ..option("smooth-value", "sv", OptionKind::Number)
    },
    OptionSpec {
        default: "4",
        help: "The highest order of n-gram",
        ..option("max-order", "", OptionKind::Integer)
    },
    OptionSpec {
        default: "uniform",
        help: "The weight of each order, as in 0.4,0.3,0.2,0.1",
        ..option("weights", "", OptionKind::Numbers)
    },
    OptionSpec {
        default: "no",
        sentence_default: Some("yes"),
        help: "Leave orders longer than the hypothesis out of the mean",
        ..option("effective-order", "", OptionKind::Flag)
    },
    OptionSpec {
        default: "closest",
        help: "Which reference length the brevity penalty compares with",
        ..option("ref-len", "", OptionKind::Choice(RefLen::NAMES))
    },
    OptionSpec {
        default: "plain",
        help: "How logarithms are added: plain as CPython up to 3.11, compensated as from 3.12 on",
        ..option("summation", "", OptionKind::Choice(Summation::NAMES))
    },
];

pub(crate) const ENTRY: Entry = Entry {
    name: "bleu",
    aliases: &["BLEU"],
    summary: "Clipped n-gram precision with a brevity penalty",
    paper: "Papineni et al. 2002, BLEU: a Method for Automatic Evaluation of Machine Translation",
    agrees_with: "sacreBLEU 2.6.0",
    scale: Scale::PERCENT,
    options: OPTIONS,
    build,
};

fn build(options: &Options) -> Result<Box<dyn ErasedMetric>, ConfigError> {
    let value = options.parse("smooth-value", "a number")?;
    let mut builder = Bleu::builder()
        .smoothing(Smoothing::by_name(options.get("smooth-method").unwrap_or("exp"), value)?)
        .effective_order(options.flag("effective-order")?.unwrap_or(false))
        .ref_len(RefLen::by_name(options.get("ref-len").unwrap_or("closest"))?)
        .summation(Summation::by_name(options.get("summation").unwrap_or("plain"))?);
    if let Some(max_order) = options.parse("max-order", "a whole number")? {
        builder = builder.max_order(max_order);
    }
    if let Some(weights) = options.parse_list("weights")? {
        builder = builder.weights(weights);
    }
    Ok(Box::new(builder.build()?))
}
