//! [`Word`]: a trait for tokens that can be converted to a text, so that they can be stored.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;

/// A token that has a text with the same meaning in every segment, thread and process.
///
/// Counting within a segment needs only `Hash + Eq`. Data that is kept longer, such as a vocabulary or
/// document frequencies, needs tokens that can be stored and found again by another program: their text. The
/// text of an integer is its decimal digits. A model's token ids have this property; ids assigned within one
/// run do not.
///
/// ```
/// use bleuprint_ngram::Word;
/// assert_eq!((42u32.with_word(str::len), (-7i64).with_word(str::to_owned)), (2, "-7".to_owned()));
///
/// /// Equal tokens have equal words, unlike tokens unlike words.
/// enum Note { C, D }
/// impl Word for Note {
///     fn with_word<R>(&self, read: impl FnOnce(&str) -> R) -> R {
///         read(match self {
///             Note::C => "C",
///             Note::D => "D",
///         })
///     }
/// }
/// ```
pub trait Word {
    /// Calls `read` with the text of the token.
    fn with_word<R>(&self, read: impl FnOnce(&str) -> R) -> R;
}

impl<W: Word + ?Sized> Word for &W {
    #[inline]
    fn with_word<R>(&self, read: impl FnOnce(&str) -> R) -> R {
        (**self).with_word(read)
    }
}

macro_rules! texts {
    ($($text:ty),*) => { $(impl Word for $text {
        #[inline]
        fn with_word<R>(&self, read: impl FnOnce(&str) -> R) -> R {
            read(self)
        }
    })* };
}

texts!(str, String, Box<str>, Arc<str>, Cow<'_, str>);

impl Word for char {
    #[inline]
    fn with_word<R>(&self, read: impl FnOnce(&str) -> R) -> R {
        read(self.encode_utf8(&mut [0; 4]))
    }
}

macro_rules! integers {
    ($($integer:ty),*) => { $(impl Word for $integer {
        #[inline]
        fn with_word<R>(&self, read: impl FnOnce(&str) -> R) -> R {
            // One macro serves signed and unsigned types. `i128` holds every value of both, and its magnitude
            // fits `u64`.
            #[allow(unused_comparisons, reason = "half of the types have no sign")]
            let negative = *self < 0;
            with_digits(negative, i128::from(*self).unsigned_abs() as u64, read)
        }
    })* };
}

integers!(u8, i8, u16, i16, u32, i32, u64, i64);

impl Word for usize {
    #[inline]
    fn with_word<R>(&self, read: impl FnOnce(&str) -> R) -> R {
        with_digits(false, *self as u64, read)
    }
}

/// Calls `read` with the decimal digits of an integer token. It avoids `format!`, because token ids come in
/// millions.
#[inline]
fn with_digits<R>(negative: bool, mut value: u64, read: impl FnOnce(&str) -> R) -> R {
    // 20 digits of the largest `u64` and a sign. The digits are written from the end, as their number is
    // unknown.
    let mut text = [b'-'; 21];
    let mut start = text.len();
    loop {
        start -= 1;
        text[start] = b'0' + (value % 10) as u8;
        value /= 10;
        if value == 0 {
            break;
        }
    }
    start -= usize::from(negative);
    // Digits and a sign are ASCII, so the conversion cannot fail.
    read(core::str::from_utf8(&text[start..]).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    fn word(token: impl Word) -> String {
        token.with_word(ToString::to_string)
    }

    #[test]
    fn texts_are_their_words() {
        assert_eq!(word("a b"), "a b");
        assert_eq!(word(String::from("ä")), "ä");
        assert_eq!(word(Cow::Borrowed("x")), "x");
        assert_eq!((word('a'), word(char::MAX)), ("a".into(), char::MAX.to_string()));
    }

    #[test]
    fn extreme_numbers_have_their_digits() {
        assert_eq!((word(u64::MAX), word(i64::MIN)), (u64::MAX.to_string(), i64::MIN.to_string()));
        assert_eq!(
            (word(0u8), word(-1i8), word(usize::MAX)),
            ("0".into(), "-1".into(), usize::MAX.to_string())
        );
    }

    quickcheck::quickcheck! {
        fn numbers_are_their_digits(number: i64, id: u32) -> bool {
            word(number) == number.to_string() && word(id) == id.to_string()
        }
    }
}
