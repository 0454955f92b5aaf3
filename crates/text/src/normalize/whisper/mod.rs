//! Whisper's normalizers, and those made of them.
//!
//! | name | rule |
//! |---|---|
//! | `whisper-basic` | lower case; without brackets and parentheses and their content; NFKC; marks, punctuation and symbols become spaces |
//! | `whisper-basic-marks` | the same, but marks stay |
//! | `whisper-basic-ascii` | the same, but NFKD; nonspacing marks are deleted, ø, ß, æ and their like written with ASCII |
//! | `whisper-basic-letters` | `whisper-basic`, and extended grapheme clusters stand apart |
//! | `whisper-en` | lower case, without brackets and fillers; contractions and titles in full; numbers in digits; American spelling |
//! | `open-asr-en` | `whisper-en` with more fillers, fewer possessives, compounds, names and acronyms |
//! | `open-asr-ml` | `whisper-basic`, then without any character that is neither a letter nor white space; digits stay digits |
//!
//! Marks are the vowel signs of every Indic script, of Thai, Lao, Khmer and Myanmar: `whisper-basic` cuts their words into
//! consonants, so that words which differ in vowels alone become equal. Results may have a space at either end.
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
