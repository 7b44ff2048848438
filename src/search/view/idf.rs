//! Computes the weight of rare terms, with a natural logarithm that has the same bits in every runtime: it uses only
//! sums, products and quotients, which IEEE 754 defines exactly.
//!
//! The `ln` of the standard library is the platform's. Its last digit may differ, and with it the order of hits. A test
//! compares both on random numbers.

/// Returns the natural logarithm of a normal positive number, to about 15 digits.
pub(crate) fn ln(x: f64) -> f64 {
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

/// Returns the inverse document frequency of Okapi BM25, in the form that is never negative, of a term in `frequency`
/// of `all` tools.
pub(crate) fn idf(frequency: u32, all: usize) -> f64 {
    let (frequency, all) = (f64::from(frequency), all as f64);
    ln(1.0 + (all - frequency + 0.5) / (frequency + 0.5))
}

#[cfg(test)]
mod tests {
    use super::ln;

    #[test]
    #[allow(clippy::disallowed_methods)]
    fn agrees_with_the_platform_to_fourteen_digits() {
        let mut bits = 1u64;
        let random = std::iter::repeat_with(|| {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            f64::from_bits(bits >> 1)
        });
        let normal = random.filter(|x| x.is_normal()).take(100_000);
        for x in [1.0, 1.0000001, 1.5, 2.0, 2.7, 10.0, 1234.5, 1e9, 0.1, 0.7].into_iter().chain(normal) {
            let (own, platform) = (ln(x), f64::ln(x));
            assert!((own - platform).abs() <= 1e-14 * platform.abs().max(1.0), "{x}: {own} {platform}");
        }
    }
}
