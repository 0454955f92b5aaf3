//! The text normalizers of the speech recognizer Whisper, and normalizers derived from them.
//!
//! | name | rule |
//! |---|---|
//! | `whisper-basic` | lower case; without brackets and parentheses and their content; NFKC; marks, punctuation and symbols become spaces |
//! | `whisper-basic-marks` | as `whisper-basic`, but marks are kept |
//! | `whisper-basic-ascii` | as `whisper-basic`, but with NFKD; nonspacing marks are deleted, and ø, ß, æ and similar letters are written in ASCII |
//! | `whisper-basic-letters` | as `whisper-basic`, with a space between extended grapheme clusters |
//! | `whisper-en` | lower case, without brackets and fillers; contractions and titles in full; numbers in digits; American spelling |
//! | `open-asr-en` | `whisper-en` with more fillers, fewer possessives, compounds, names and acronyms |
//! | `open-asr-ml` | as `whisper-basic`, then every character that is neither a letter, a digit nor whitespace is deleted |
//!
//! Marks are the vowel signs of every Indic script and of Thai, Lao, Khmer and Myanmar. `whisper-basic`
//! splits the words of these scripts into consonants, so that words which differ only in vowels become equal.
//! Results may have a space at either end.
//!
//! Sources: openai-whisper 20250625, whisper-normalizer 0.1.15, and open_asr_leaderboard at d1e99b2, all under CPython 3.11
//! (Unicode 14.0.0).

mod basic;
mod cents;
mod english;
mod number_words;
mod numbers;
mod open_asr;
mod spelling;
mod strip;
mod value;

pub(super) use basic::{BASIC, BASIC_ASCII, BASIC_LETTERS, BASIC_MARKS};
pub(super) use english::{ENGLISH, ENGLISH_FORK};
pub(super) use numbers::NUMBERS;
pub(super) use open_asr::{OPEN_ASR_ENGLISH, OPEN_ASR_OTHERS, OPEN_ASR_OTHERS_ASCII};
