//! [`Settings`]: the choices of sclite's command line, each declared once as an option.

use std::borrow::Cow;

use bleuprint_core::{ConfigError, Identity, Result};
use bleuprint_registry::{MetricOptions, Opt};

bleuprint_core::choice! {
    /// The meaning of a word in parentheses.
    pub enum Optional {
        /// A word like others, parentheses and all, as sclite has it without `-D`.
        Word = "word",
        /// It may be left out, and then counts nowhere.
        Free = "free",
        /// It may be left out, and then counts as correct: sclite's `-D`.
        Sclite = "sclite",
    }
}

/// The choices of an alignment; the default is that of sclite.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct Settings {
    /// Words in parentheses.
    pub optional: Optional,
    /// True if fragments (`go-`) match the words that they begin or end: `-F`.
    pub fragments: bool,
    /// True if letters keep their case: `-s`.
    pub case: bool,
    /// True if all errors cost the same, as in WER; else those of sclite.
    pub equal_costs: bool,
}

pub(crate) const OPTIONAL: Opt<Optional> = Opt::choice("optional")
    .counted("optional", "opt")
    .help("A word in parentheses: a word like others, one that may be left out and then counts nowhere (free) or as correct (sclite, its -D)");

pub(crate) const FRAGMENTS: Opt<bool> = Opt::flag("fragments")
    .counted("fragments", "frag")
    .words("yes", "")
    .help("Fragments such as go- match the words that they begin or end (-F of sclite)");

pub(crate) const CASE: Opt<bool> = Opt::flag("keep-case")
    .counted("letters", "let")
    .words("case", "")
    .help("Letters keep their case (-s of sclite); else those of ASCII are lower-cased");

pub(crate) const EQUAL: Opt<bool> = Opt::flag("equal-costs")
    .counted("costs", "cost")
    .words("equal", "")
    .help("All errors cost the same, so that their number is the least, as in WER; an optional word that is left out costs nothing");

impl Settings {
    pub(crate) fn of(options: &MetricOptions) -> Result<Self, ConfigError> {
        Ok(Settings {
            optional: OPTIONAL.of(options)?,
            fragments: FRAGMENTS.of(options)?,
            case: CASE.of(options)?,
            equal_costs: EQUAL.of(options)?,
        })
    }

    pub(crate) fn identify(self, identity: Identity) -> Identity {
        identity
            .option(OPTIONAL, self.optional)
            .option(FRAGMENTS, self.fragments)
            .option(CASE, self.case)
            .option(EQUAL, self.equal_costs)
            .needing(|needs| needs.one_reference = true)
    }

    /// The text in the case in which words are compared.
    pub(crate) fn cased(self, text: &str) -> Cow<'_, str> {
        match self.case || !text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            true => Cow::Borrowed(text),
            false => Cow::Owned(text.to_ascii_lowercase()),
        }
    }
}
