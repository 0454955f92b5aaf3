//! [`FamilyOption`]: a command-line option or argument that a family adds to a program, as data.

use crate::names::qualified;

/// A command-line option, or an argument without a name, that a family of metrics adds to a command.
///
/// ```
/// use bleuprint_text::FamilyOption;
/// const RULE: FamilyOption =
///     FamilyOption::value("rule", "NAME", "The rule that counts").choices(&["strict", "free"]).default("strict");
/// assert_eq!((RULE.name, RULE.default), ("rule", Some("strict")));
/// ```
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct FamilyOption {
    /// The name of the option, as in `--name`, and the name by which the family finds the value.
    pub name: &'static str,
    /// The placeholder of the value in help texts, such as `FILE`. A flag has no value.
    pub value: Option<&'static str>,
    /// The help text of the option.
    pub help: &'static str,
    /// The short name of the option, as in `-q`.
    pub short: Option<char>,
    /// `true` if the user writes the value alone, without the name of an option.
    pub is_positional: bool,
    /// `true` if no run works without the option.
    pub is_required: bool,
    /// The accepted values. An empty list accepts any value.
    pub choices: &'static [&'static str],
    /// `true` if the help text names the choices itself, so that the program does not list them again.
    pub describes_choices: bool,
    /// The value that the option has if the user does not give it.
    pub default: Option<&'static str>,
    /// The values that the option takes.
    pub takes: OptionValues,
    /// Names of options of the same command that cannot be combined with this option.
    pub conflicts: &'static [&'static str],
}

/// The number and the type of the values of a [`FamilyOption`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "closed: programs read all kinds")]
pub enum OptionValues {
    /// One text, or none if the option is a flag.
    One,
    /// One text, which the user may leave out; the value is then empty.
    OneOrNone,
    /// One number, which may have a fraction.
    Number,
    /// One whole number or several, each between these two limits.
    WholeNumbers(u64, u64),
}

impl FamilyOption {
    /// Creates an option without a value, such as `--quiet`.
    pub const fn flag(name: &'static str, help: &'static str) -> Self {
        FamilyOption {
            name,
            value: None,
            help,
            short: None,
            is_positional: false,
            is_required: false,
            choices: &[],
            describes_choices: false,
            default: None,
            takes: OptionValues::One,
            conflicts: &[],
        }
    }

    /// Creates an option with a value, such as `--input FILE`. `value` is the placeholder of the value.
    pub const fn value(name: &'static str, value: &'static str, help: &'static str) -> Self {
        FamilyOption { value: Some(value), ..FamilyOption::flag(name, help) }
    }

    /// Creates a required argument that the user writes without the name of an option. `value` is its
    /// placeholder.
    pub const fn positional(name: &'static str, value: &'static str, help: &'static str) -> Self {
        FamilyOption { is_positional: true, is_required: true, ..FamilyOption::value(name, value, help) }
    }

    /// Sets the short name of the option, as in `-q`.
    #[must_use]
    pub const fn short(self, short: char) -> Self {
        FamilyOption { short: Some(short), ..self }
    }

    /// Makes the option required.
    #[must_use]
    pub const fn required(self) -> Self {
        FamilyOption { is_required: true, ..self }
    }

    /// Sets the accepted values of the option.
    #[must_use]
    pub const fn choices(self, choices: &'static [&'static str]) -> Self {
        FamilyOption { choices, ..self }
    }

    /// Sets the accepted values of the option, which its help text describes.
    #[must_use]
    pub const fn described_choices(self, choices: &'static [&'static str]) -> Self {
        FamilyOption { choices, describes_choices: true, ..self }
    }

    /// Sets the value that the option has if the user does not give it.
    #[must_use]
    pub const fn default(self, default: &'static str) -> Self {
        FamilyOption { default: Some(default), ..self }
    }

    /// Sets the values that the option takes.
    #[must_use]
    pub const fn takes(self, takes: OptionValues) -> Self {
        FamilyOption { takes, ..self }
    }

    /// Sets the names of options that cannot be combined with this option.
    #[must_use]
    pub const fn conflicts_with(self, conflicts: &'static [&'static str]) -> Self {
        FamilyOption { conflicts, ..self }
    }

    /// Returns the option with the family in front of its name, if the name is among the `known` ones.
    pub(super) fn renamed(&self, known: &[&str], family: &'static str) -> Self {
        let name = if known.contains(&self.name) { qualified(family, self.name) } else { self.name };
        FamilyOption { name, ..*self }
    }
}
