//! [`Opt`]: an option of a metric (such as the n-gram order), declared once with the type of its values.

use bleuprint_core::{Choice, ConfigError, Declared, Identity};

use crate::options::OptionLimits;
use crate::prelude::*;
use crate::{MetricOptions, OptionDefault, OptionField, OptionKind, OptionSpec};

/// An option of a metric, such as the n-gram order, whose values have type `T`.
///
/// One declaration serves all users. Interfaces take name, help, default and limits from it. State keys and
/// signatures print the value, from which a metric can be built again. A metric lists the option in its
/// registry entry by [`Opt::spec`], reads it with [`Opt::value_in`], and prints it with
/// [`Identity::option`](bleuprint_core::Identity::option).
///
/// ```
/// use bleuprint_core::{Identity, Scale};
/// use bleuprint_registry::{MetricOptions, Opt};
///
/// const ORDER: Opt<usize> =
///     Opt::integer("max-order", 4).limits(1, 9).counted("order", "o").help("The highest order of n-gram");
///
/// let given = |value| MetricOptions::default().with("max-order", value);
/// assert_eq!(ORDER.value_in(&MetricOptions::default()).unwrap(), 4);
/// assert_eq!(ORDER.value_in(&given("2")).unwrap(), 2);
/// assert_eq!(ORDER.value_in(&given("0")).unwrap_err().to_string(), "max-order is 0, but must be from 1 to 9");
/// let identity = Identity::new("mine", 1, Scale::UNIT).option(ORDER, 2);
/// assert_eq!(identity.key().get("order"), Some("2"));
/// ```
#[derive(Debug)]
pub struct Opt<T> {
    /// Name, kind, default, limits and help of the option, for interfaces such as the command line.
    pub spec: OptionSpec,
    default: fn(&OptionSpec) -> T,
    // Function pointers and not a trait: options are constants, and their constructors are constant
    // functions.
    read: fn(&OptionSpec, &str) -> Result<T, ConfigError>,
    print: fn(&OptionSpec, &T) -> Option<String>,
}

impl<T: PartialEq> Declared<T> for Opt<T> {
    fn describe(&self, identity: Identity, value: &T) -> Identity {
        let OptionField { unless_default, added_later, in_name, .. } = self.spec.field;
        if added_later && *value == self.default() {
            return identity;
        }
        // The field stays in the state key even when it is not shown, because it may change the counts.
        let shown = !(in_name || unless_default && *value == self.default());
        self.spec.field.describe(identity, (self.print)(&self.spec, value), shown)
    }
}

impl OptionField {
    fn describe(self, identity: Identity, value: Option<String>, shown: bool) -> Identity {
        let OptionField { key, short, counted, .. } = self;
        match value {
            // An option such as the path of a file has no key.
            _ if key.is_empty() => identity,
            Some(value) if counted && shown => identity.counted(key, short, value),
            Some(value) if counted => identity.keyed(key, value),
            Some(value) if shown => identity.finished(key, short, value),
            _ => identity,
        }
    }
}

impl<T> Opt<T> {
    /// Returns the option's value: the value that the user gave, else the default that the program set for
    /// this option, else the option's declared default.
    ///
    /// # Errors
    /// Returns [`ConfigError::OutOfRange`] if the text is not a number or the number exceeds the limits, and
    /// [`ConfigError::UnknownName`] if the choice is unknown.
    pub fn value_in(&self, options: &MetricOptions) -> Result<T, ConfigError> {
        Ok(self.get(options)?.unwrap_or_else(|| self.default()))
    }

    /// Returns the option's value: the value that the user gave, else the default that the program set for
    /// this option, else `None`.
    ///
    /// # Errors
    /// Returns the errors of [`Opt::value_in`].
    pub fn get(&self, options: &MetricOptions) -> Result<Option<T>, ConfigError> {
        options.get(self.spec.name).map(|text| (self.read)(&self.spec, text)).transpose()
    }

    /// Returns the default value that the option declares.
    pub fn default(&self) -> T {
        (self.default)(&self.spec)
    }

    /// Returns `value` unchanged if it is within the option's limits.
    ///
    /// # Errors
    /// Returns [`ConfigError::OutOfRange`] if it exceeds them.
    pub fn check<V: ToString>(&self, value: V) -> Result<V, ConfigError> {
        // The text is parsed again, so that values from code and from users are checked by the same code.
        (self.read)(&self.spec, &value.to_string()).map(|_| value)
    }

    /// Sets the line of help that describes the option.
    #[must_use]
    pub const fn help(mut self, help: &'static str) -> Self {
        self.spec.help = help;
        self
    }

    /// Limits the option's value to the range from `least` to `greatest`. `u64::MAX` as `greatest` allows
    /// every finite number from `least` on.
    #[must_use]
    pub const fn limits(mut self, least: u64, greatest: u64) -> Self {
        let open = greatest == u64::MAX;
        self.spec.limits =
            if open { OptionLimits::AtLeast(least) } else { OptionLimits::Within(least, greatest) };
        self
    }

    /// Limits the option's value to finite numbers above `limit`.
    #[must_use]
    pub const fn above(mut self, limit: u64) -> Self {
        self.spec.limits = OptionLimits::Above(limit);
        self
    }

    /// Limits the option's value to numbers from `least` to `greatest`, which need not be whole. Choose
    /// limits that keep squares and quotients of the value from overflowing.
    #[must_use]
    pub const fn magnitude(mut self, least: f64, greatest: f64) -> Self {
        self.spec.limits = OptionLimits::Magnitude(least, greatest);
        self
    }

    /// Declares that the option changes the metric's counts, so that state keys and signatures print it as
    /// `key`. `short` is its key in short signatures.
    #[must_use]
    pub const fn counted(mut self, key: &'static str, short: &'static str) -> Self {
        self.spec.field = OptionField { key, short, counted: true, ..OptionField::NONE };
        self
    }

    /// Declares that the option changes how the score is computed from counts, but not the counts. Signatures
    /// print it as `key`, and state keys omit it. `short` is its key in short signatures.
    #[must_use]
    pub const fn finished(mut self, key: &'static str, short: &'static str) -> Self {
        self.spec.field = OptionField { key, short, ..OptionField::NONE };
        self
    }

    /// Omits the option from signatures (printed settings) if its value is the default.
    #[must_use]
    pub const fn unless_default(mut self) -> Self {
        self.spec.field.unless_default = true;
        self
    }

    /// Omits the option from state keys and signatures if its value is the default. A metric that gets a new
    /// option so keeps its keys and signatures, and stored states still merge with new ones.
    #[must_use]
    pub const fn added_later(mut self) -> Self {
        self.spec.field.added_later = true;
        self
    }
}

impl Opt<usize> {
    /// Creates an option that takes a whole number.
    pub const fn integer(name: &'static str, default: usize) -> Self {
        Opt {
            spec: OptionSpec::new(name, OptionKind::Integer, OptionDefault::Integer(default as u64)),
            default: |spec| spec.default.integer(),
            read: |spec, text| spec.integer(text).map(|value| value as usize),
            print: |_, value| Some(value.to_string()),
        }
    }
}

impl Opt<f64> {
    /// Creates an option that takes a real number.
    pub const fn number(name: &'static str, default: f64) -> Self {
        Opt {
            spec: OptionSpec::new(name, OptionKind::Number, OptionDefault::Number(default)),
            default: |spec| spec.default.number(),
            read: OptionSpec::number,
            print: |_, value| Some(value.to_string()),
        }
    }
}

/// Defines the constructors of options that take a number or nothing.
macro_rules! optional {
    ($($(#[$doc:meta])+ $visibility:vis fn $constructor:ident($Type:ty, $Kind:ident, $read:ident);)+) => {$(
        impl Opt<Option<$Type>> {
            $(#[$doc])+
            $visibility const fn $constructor(name: &'static str, none: &'static str) -> Self {
                Opt {
                    spec: OptionSpec::new(name, OptionKind::$Kind, OptionDefault::None(none)),
                    default: |_| None,
                    read: |spec, text| spec.$read(text).map(Some),
                    print: |_, value| value.map(|value| value.to_string()),
                }
            }
        }
    )+};
}

optional! {
    /// Creates an option that takes a whole number, or nothing by default. Help shows the word `none` as the
    /// default.
    pub fn optional_integer(u64, Integer, integer);
    /// Creates an option that takes a real number, or nothing by default. Help shows the word `none` as the
    /// default.
    pub fn optional_number(f64, Number, number);
}

impl Opt<Option<Vec<f64>>> {
    /// Creates an option that takes numbers separated by commas, or nothing by default. Help shows the word
    /// `none` as the default.
    pub const fn numbers(name: &'static str, none: &'static str) -> Self {
        Opt {
            spec: OptionSpec::new(name, OptionKind::Numbers, OptionDefault::None(none)),
            default: |_| None,
            read: |spec, text| spec.numbers(text).map(Some),
            print: |_, value| {
                let texts =
                    |numbers: &[f64]| numbers.iter().map(f64::to_string).collect::<Vec<_>>().join(",");
                value.as_deref().map(texts)
            },
        }
    }
}

impl Opt<bool> {
    /// Creates an option without a value (a flag), which is on if it is given.
    pub const fn flag(name: &'static str) -> Self {
        Opt {
            spec: OptionSpec::new(name, OptionKind::Flag, OptionDefault::Word("no")),
            default: |_| false,
            read: |spec, text| match text {
                "yes" => Ok(true),
                "no" => Ok(false),
                _ => Err(ConfigError::unknown_name(spec.name, text, ["yes", "no"])),
            },
            print: |spec, value| {
                let word = spec.field.flag[usize::from(!value)];
                (!word.is_empty()).then(|| word.to_owned())
            },
        }
    }

    /// Creates an option whose value is one of two words: the first is `false` and the default, the second is
    /// `true`.
    pub const fn either(name: &'static str, words: &'static [&'static str; 2]) -> Self {
        Opt {
            spec: OptionSpec::new(name, OptionKind::Choice(words), OptionDefault::Word(words[0])),
            default: |_| false,
            read: |spec, text| {
                let place = spec.words().iter().position(|word| *word == text);
                let place = place.ok_or_else(|| ConfigError::unknown_name(spec.name, text, spec.words()))?;
                Ok(place == 1)
            },
            print: |spec, value| spec.words().get(usize::from(*value)).map(|word| (*word).to_owned()),
        }
    }

    /// Sets the words that signatures print for a flag that is given or absent, in place of `yes` and `no`.
    /// An empty word omits the flag from the signature.
    #[must_use]
    pub const fn words(mut self, given: &'static str, absent: &'static str) -> Self {
        self.spec.field.flag = [given, absent];
        self
    }
}

impl Opt<&'static str> {
    /// Creates an option whose value is one of the given words.
    pub const fn word(name: &'static str, words: &'static [&'static str], default: &'static str) -> Self {
        Opt {
            spec: OptionSpec::new(name, OptionKind::Choice(words), OptionDefault::Word(default)),
            default: |spec| spec.default.word(),
            read: |spec, text| {
                let known = spec.words().iter().find(|word| **word == text).copied();
                known.ok_or_else(|| ConfigError::unknown_name(spec.name, text, spec.words()))
            },
            print: |_, value| Some((*value).to_owned()),
        }
    }
}

impl<C: Choice> Opt<C> {
    /// Creates an option whose value is a variant of the enum `T`, given by its name.
    pub const fn choice(name: &'static str) -> Self {
        Opt {
            spec: OptionSpec::new(
                name,
                OptionKind::Choice(C::NAMES),
                OptionDefault::Word(C::NAMES[C::DEFAULT]),
            ),
            default: |spec| C::by_name(spec.name, spec.default.word()).unwrap_or(C::ALL[C::DEFAULT]),
            read: |spec, text| C::by_name(spec.name, text),
            print: |_, value| Some(Choice::print(*value)),
        }
    }
}

impl<C: Choice> Opt<Option<C>> {
    /// Creates an option whose value is the name of a variant of the enum `T`, or nothing by default. Help
    /// shows the word `none` as the default.
    pub const fn optional_choice(name: &'static str, none: &'static str) -> Self {
        Opt {
            spec: OptionSpec::new(name, OptionKind::Choice(C::NAMES), OptionDefault::None(none)),
            default: |_| None,
            read: |spec, text| C::by_name(spec.name, text).map(Some),
            print: |_, value| value.map(Choice::print),
        }
    }
}

impl Opt<Option<String>> {
    /// Creates an option whose value is a name that the metric looks up, or nothing by default. Help shows
    /// the word `none` as the default.
    pub const fn name(name: &'static str, none: &'static str) -> Self {
        Opt::text(name, OptionKind::Name, none)
    }

    /// Creates an option whose value is the path of a file or folder, or nothing by default. Help shows the
    /// word `none` as the default.
    pub const fn path(name: &'static str, none: &'static str) -> Self {
        Opt::text(name, OptionKind::Path, none)
    }

    const fn text(name: &'static str, kind: OptionKind, none: &'static str) -> Self {
        Opt {
            spec: OptionSpec::new(name, kind, OptionDefault::None(none)),
            default: |_| None,
            read: |_, text| Ok(Some(text.to_owned())),
            print: |_, value| value.clone(),
        }
    }
}

#[cfg(test)]
mod tests {

    use super::*;
    use bleuprint_core::{Identity, Scale};

    fn read<T>(option: &Opt<T>, text: &str) -> Result<T, String> {
        let given = MetricOptions::default().with(option.spec.name, text);
        option.value_in(&given).map_err(|error| error.to_string())
    }

    #[test]
    fn numbers_are_read_within_their_limits() {
        let order = Opt::integer("n", 1).limits(1, u64::MAX);
        assert_eq!((read(&order, " 7 "), order.default()), (Ok(7), 1));
        assert_eq!(read(&order, "0").unwrap_err(), "n is 0, but must be at least 1");
        assert_eq!(read(&order, "-1").unwrap_err(), "n is `-1`, but must be a whole number");
        let share = Opt::number("x", 0.5).limits(0, 1);
        assert_eq!(
            (read(&share, "1"), share.check(0.0).is_ok(), share.check(-0.1).is_ok()),
            (Ok(1.0), true, false)
        );
        assert_eq!(read(&share, "NaN").unwrap_err(), "x is NaN, but must be from 0 to 1");
        let width = Opt::number("x", 6.0).above(0);
        assert_eq!(read(&width, "inf").unwrap_err(), "x is inf, but must be above 0 and finite");
        assert!(read(&width, "0").is_err() && read(&width, "1e-300").is_ok());
        assert_eq!(
            read(&Opt::number("x", 0.0).limits(0, u64::MAX), "inf").unwrap_err(),
            "x is inf, but must be finite and at least 0"
        );
        assert_eq!(read(&Opt::numbers("w", "uniform"), "1, 2"), Ok(Some([1.0, 2.0].to_vec())));
        assert!(read(&Opt::numbers("w", "uniform"), "1,,2").unwrap_err().contains("`1,,2`"));
        assert_eq!(read(&Opt::optional_integer("v", "none"), "2"), Ok(Some(2)));
    }

    #[test]
    fn words_are_read_by_name() {
        let kind = Opt::word("kind", &["1", "L"], "1");
        assert_eq!((read(&kind, "L"), kind.default()), (Ok("L"), "1"));
        assert_eq!(
            read(&kind, "l").unwrap_err(),
            "unknown kind `l`; expected one of: 1, L; did you mean `L`?"
        );
        assert_eq!(
            read(&Opt::flag("f"), "maybe").unwrap_err(),
            "unknown f `maybe`; expected one of: yes, no"
        );
    }

    #[test]
    fn fields_are_where_they_are_declared_to_be() {
        let plain = Opt::integer("n", 4);
        let fields = |option: Opt<usize>, value| {
            let identity = Identity::new("m", 1, Scale::UNIT).option(option, value);
            let signature = identity.signature(&bleuprint_core::SegmentCounts::default());
            (identity.key().get("n").map(str::to_owned), signature.get("n").map(str::to_owned))
        };
        let text = |number: &str| Some(number.to_owned());
        assert_eq!(fields(Opt::integer("n", 4).counted("n", "n"), 4), (text("4"), text("4")));
        assert_eq!(fields(Opt::integer("n", 4).counted("n", "n").unless_default(), 4), (text("4"), None));
        let mut named = Opt::integer("n", 4).counted("n", "n");
        named.spec.field.in_name = true;
        assert_eq!(fields(named, 5), (text("5"), None));
        assert_eq!(fields(Opt::integer("n", 4).finished("n", "n"), 4), (None, text("4")));
        assert_eq!(fields(Opt::integer("n", 4).finished("n", "n").unless_default(), 4), (None, None));
        assert_eq!(fields(plain.finished("n", "n").unless_default(), 5), (None, text("5")));
        let flag = Opt::flag("f").counted("n", "n").words("set", "");
        assert_eq!(Identity::new("m", 1, Scale::UNIT).option(flag, false).key().get("n"), None);
    }
}
