//! Defines the settings of sclite's word alignment, [`ScliteSettings`], and the options that set them.

use std::borrow::Cow;

use bleuprint_core::Identity;
use bleuprint_registry::{Opt, settings};

bleuprint_core::choice! {
    /// Treatment of reference or hypothesis words in parentheses, such as `(uh)`.
    pub enum Optional {
        /// A word in parentheses, such as `(uh)`, is an ordinary word and keeps its parentheses, as in sclite
        /// without `-D`.
        Word = "word",
        /// A word in parentheses, such as `(uh)`, is optional: if the other text leaves it out, it is not
        /// counted.
        Free = "free",
        /// A word in parentheses, such as `(uh)`, is optional: if the other text leaves it out, it counts as
        /// correct, as in sclite with `-D`.
        Sclite = "sclite",
    }
}

settings! {
    /// Settings of sclite's word alignment; the default is sclite's default.
    #[derive(Copy, Eq)]
    #[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
    pub struct ScliteSettings {
        /// Treatment of words in parentheses, such as `(uh)`.
        pub optional: Optional = Opt::choice("optional").counted("optional", "opt").help(
            "A word in parentheses: a normal word (word), or one that may be left out and is then not counted (free) or correct (sclite, its -D)",
        );
        /// `true` if a fragment such as `go-` or `-ing` matches every word that begins or ends like it, as with
        /// sclite's option `-F`.
        pub fragments: bool = Opt::flag("fragments")
            .counted("fragments", "frag")
            .words("yes", "")
            .help("Fragments such as go- match the words that they begin or end (-F of sclite)");
        /// `true` if letters keep their case, as with sclite's option `-s`; otherwise ASCII letters are
        /// lowercased.
        pub case: bool = Opt::flag("keep-case")
            .counted("letters", "let")
            .words("case", "")
            .help("Letters keep their case (-s of sclite); by default ASCII letters become lower case");
        /// `true` if all kinds of errors cost the same, as in WER; otherwise sclite's costs (4 for a
        /// substitution, 3 for a deletion or insertion) are used.
        pub equal_costs: bool = Opt::flag("equal-costs").counted("costs", "cost").words("equal", "").help(
            "All errors cost the same, so that there are as few as possible, as in WER; leaving out an optional word costs nothing",
        );
    }
}

impl ScliteSettings {
    pub(crate) fn identify(self, identity: Identity) -> Identity {
        self.add_to_identity(identity).needing(|needs| needs.one_reference = true)
    }

    /// Returns the text as it is compared: with ASCII letters in lower case, unless the setting `case` is
    /// `true`.
    pub(crate) fn cased(self, text: &str) -> Cow<'_, str> {
        if self.case || !text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            Cow::Borrowed(text)
        } else {
            Cow::Owned(text.to_ascii_lowercase())
        }
    }
}
