//! Numbers of a tensor, as little-endian bytes.

/// The value of a number in half precision, in the format binary16 of IEEE 754.
pub(super) fn half(bytes: [u8; 2]) -> f32 {
    let bits = u32::from(u16::from_le_bytes(bytes));
    let (exponent, mantissa) = (bits >> 10 & 0x1f, bits & 0x3ff);
    let size = match exponent {
        // Below the least exponent, numbers are multiples of 2^-24.
        0 => mantissa as f32 / 16_777_216.0,
        0x1f => f32::from_bits(0x7f80_0000 | mantissa << 13),
        _ => f32::from_bits((exponent + 112) << 23 | mantissa << 13),
    };
    if bits >> 15 == 1 { -size } else { size }
}

#[cfg(test)]
mod tests {
    use super::half;

    #[test]
    fn numbers_in_half_precision_have_their_value() {
        let cases = [
            (0x3c00_u16, 1.0_f32),
            (0xc000, -2.0),
            (0x3555, 0.333_251_95),
            (0x7bff, 65_504.0),
            (0x0400, 0.000_061_035_156),
            (0x0001, 0.000_000_059_604_645),
            (0x8000, 0.0),
        ];
        for (bits, value) in cases {
            assert!((half(bits.to_le_bytes()) - value).abs() <= value.abs() * 1e-6, "{bits:x}");
        }
        assert!(half(0x7c00_u16.to_le_bytes()).is_infinite() && half(0x7e00_u16.to_le_bytes()).is_nan());
    }
}
