//! The constants and tables, as bits of floats, for [`crate::exp`], [`crate::ln`], [`crate::pow`] and their
//! single-precision variants.
//!
//! Source: Arm Limited's optimized-routines, commit e17e986041ac820069515b25b89919278a53bb82, files
//! `exp_data`, `log_data`, `pow_log_data`, `exp2f_data` and `logf_data` of its folder `math`. Copyright (c)
//! 2017-2024, Arm Limited. Licence: MIT OR Apache-2.0 WITH LLVM-exception; see `NOTICE` next to this
//! package's licences. Most constants follow from formulas; the tests of this file compute those again.

/// The number 1.5 · 2^52. Adding it to a float rounds the float to an integer, which is then in the low bits.
pub(crate) const SHIFT: f64 = f64::from_bits(0x4338000000000000);

/// The factor 128 / ln 2, by which `exp` multiplies its argument.
pub(crate) const EXP_INV_LN2_N: f64 = f64::from_bits(0x40671547652b82fe);

/// High part of -ln 2 / 128: this number as a float whose last bits are 0.
pub(crate) const EXP_NEG_LN2_HI_N: f64 = f64::from_bits(0xbf762e42fefa0000);

/// Low part of -ln 2 / 128: this number minus [`EXP_NEG_LN2_HI_N`].
pub(crate) const EXP_NEG_LN2_LO_N: f64 = f64::from_bits(0xbd0cf79abc9e3b3a);

/// Coefficients of the polynomial for `exp(r) - 1 - r`, from r^2 up.
pub(crate) const EXP_C: [f64; 4] =
    bits([0x3fdffffffffffdbd, 0x3fc555555555543c, 0x3fa55555cf172b91, 0x3f81111167a4d017]);

/// High part of ln 2: this number as a float whose last 11 bits are 0.
pub(crate) const LN2_HI: f64 = f64::from_bits(0x3fe62e42fefa3800);

/// Low part of ln 2: this number minus [`LN2_HI`].
pub(crate) const LN2_LO: f64 = f64::from_bits(0x3d2ef35793c76730);

/// Coefficients of the polynomial for `ln(1 + r) - r`, from r^2 up. `ln` uses it for arguments that are not
/// close to 1.
pub(crate) const LN_A: [f64; 5] = bits([
    0xbfe0000000000001,
    0x3fd555555551305b,
    0xbfcfffffffeb4590,
    0x3fc999b324f10111,
    0xbfc55575e506c89f,
]);

/// Coefficients of the polynomial for `ln(1 + r) - r`, from r^2 up. `ln` uses it for arguments close to 1.
#[rustfmt::skip]
pub(crate) const LN_B: [f64; 11] = bits([
    0xbfe0000000000000, 0x3fd5555555555577, 0xbfcffffffffffdcb, 0x3fc999999995dd0c, 0xbfc55555556745a7,
    0x3fc24924a344de30, 0xbfbfffffa4423d65, 0x3fbc7184282ad6ca, 0xbfb999eb43b068ff, 0x3fb78182f7afd085,
    0xbfb5521375d145cd,
]);

/// Coefficients of the polynomial for `ln(1 + r) - r` in `pow`, from r^2 up. The terms from r^3 on also
/// contain powers of the first coefficient.
#[rustfmt::skip]
pub(crate) const POW_A: [f64; 7] = bits([
    0xbfe0000000000000, 0xbfe5555555555560, 0x3fe0000000000006, 0x3fe999999959554e, 0xbfe555555529a47a,
    0xbff2495b9b4845e9, 0x3ff0002b8b263fc3,
]);

/// The factor 32 / ln 2, by which `exp_f32` multiplies its argument.
pub(crate) const EXP_F32_INV_LN2_N: f64 = f64::from_bits(0x40471547652b82fe);

/// Coefficients of the polynomial for 2^(r/32) in `exp_f32`, from the highest power down.
pub(crate) const EXP_F32_C: [f64; 3] = bits([0x3ebc6af84b912394, 0x3f2ebfce50fac4f3, 0x3f962e42ff0c52d6]);

/// The number ln 2, for the single-precision logarithm.
pub(crate) const LN_F32_LN2: f64 = f64::from_bits(0x3fe62e42fefa39ef);

/// Coefficients of the polynomial for `ln(1 + r) - r` in `ln_f32`, from the highest power down.
pub(crate) const LN_F32_A: [f64; 3] = bits([0xbfd00ea348b88334, 0x3fd5575b0be00b6a, 0xbfdffffef20a4123]);

/// Bits of the rounded 2^(i/128), minus `i << 45`, for each `i` from 0 to 127.
pub(crate) const EXP_SCALE: [u64; 128] = table("\nEXP_SCALE\n");

/// Relative rounding errors of 2^(i/128) in [`EXP_SCALE`], for each `i` from 0 to 127.
pub(crate) const EXP_TAIL: [u64; 128] = table("\nEXP_TAIL\n");

/// Table of approximate reciprocals 1/c for `ln x = ln c + ln(x/c)`. It has one entry for each of 128
/// intervals of `x`; `c` is a point in the interval.
pub(crate) const LN_INV_C: [u64; 128] = table("\nLN_INV_C\n");

/// The negative logarithms of the values in [`LN_INV_C`], rounded to multiples of 2^-43.
pub(crate) const LN_LOG_C: [u64; 128] = table("\nLN_LOG_C\n");

/// Table of approximate reciprocals 1/c, rounded to few bits, for the logarithm in `pow`: `ln x = ln c +
/// ln(x/c)`. It has one entry for each of 128 intervals of the base `x`; `c` is the centre of the interval.
pub(crate) const POW_INV_C: [u64; 128] = table("\nPOW_INV_C\n");

/// The negative logarithms of the values in [`POW_INV_C`], rounded to multiples of 2^-43.
pub(crate) const POW_LOG_C: [u64; 128] = table("\nPOW_LOG_C\n");

/// The rounding errors of [`POW_LOG_C`]: the parts of the logarithms that are rounded away there.
pub(crate) const POW_LOG_C_TAIL: [u64; 128] = table("\nPOW_LOG_C_TAIL\n");

/// Bits of the rounded 2^(i/32), minus `i << 47`, for each `i` from 0 to 31.
pub(crate) const EXP_F32_T: [u64; 32] = table("\nEXP_F32_T\n");

/// Table of approximate reciprocals 1/c for `ln x = ln c + ln(x/c)` in `ln_f32`. It has one entry for each of
/// 16 intervals of `x`; `c` is a point in the interval.
pub(crate) const LN_F32_INV_C: [u64; 16] = table("\nLN_F32_INV_C\n");

/// The negative logarithms of the values in [`LN_F32_INV_C`].
pub(crate) const LN_F32_LOG_C: [u64; 16] = table("\nLN_F32_LOG_C\n");

const fn bits<const N: usize>(bits: [u64; N]) -> [f64; N] {
    let mut floats = [0.0; N];
    let mut at = 0;
    while at < N {
        floats[at] = f64::from_bits(bits[at]);
        at += 1;
    }
    floats
}

/// Reads the table called `name` from the file of tables. Its numbers have 16 hexadecimal digits each and are
/// separated by one character.
const fn table<const N: usize>(name: &str) -> [u64; N] {
    let text = include_str!("tables.txt").as_bytes();
    let name = name.as_bytes();
    let mut at = 0;
    let mut same = 0;
    while same < name.len() {
        same = if text[at] == name[same] { same + 1 } else { (text[at] == name[0]) as usize };
        at += 1;
    }
    let mut numbers = [0; N];
    let mut digit = 0;
    while digit < 16 * N {
        let Some(value) = (text[at + digit + digit / 16] as char).to_digit(16) else {
            panic!("a table lacks digits");
        };
        numbers[digit / 16] = numbers[digit / 16] << 4 | value as u64;
        digit += 1;
    }
    numbers
}
