//! What is a logarithm, in every runtime? The same to the last bit: only sums, products and quotients, which IEEE 754
//! fixes, where a platform's own `ln` may differ in the last place.

/// The natural logarithm of a normal positive number, to some 15 digits.
pub(super) fn ln(x: f64) -> f64 {
    const EXPONENT_BITS: u64 = 0x7ff;
    const ONE: u64 = 0x3ff;
    let bits = x.to_bits();
    let mut exponent = ((bits >> 52) & EXPONENT_BITS) as i64 - ONE as i64;
    let mut fraction = f64::from_bits((bits & !(EXPONENT_BITS << 52)) | (ONE << 52));
    if fraction > std::f64::consts::SQRT_2 {
        fraction /= 2.0;
        exponent += 1;
    }
    // ln f = 2 artanh((f - 1) / (f + 1)); the argument is below 0.172, so that 11 terms are enough.
    let z = (fraction - 1.0) / (fraction + 1.0);
    let square = z * z;
    let series = (0..11).rev().fold(0.0, |sum, k| sum * square + 1.0 / f64::from(2 * k + 1));
    exponent as f64 * std::f64::consts::LN_2 + 2.0 * z * series
}

#[cfg(test)]
mod tests {
    use super::ln;

    #[test]
    #[allow(clippy::disallowed_methods)]
    fn agrees_with_the_platform_to_fourteen_digits() {
        for x in [1.0, 1.0000001, 1.5, 2.0, 2.7, 10.0, 1234.5, 1e9, 0.1, 0.7] {
            let (own, platform) = (ln(x), f64::ln(x));
            assert!((own - platform).abs() <= 1e-14 * platform.abs().max(1.0), "{x}: {own} {platform}");
        }
    }
}
