//! The reliability of a result, as a factor of its score: uses that expect errors lower the factor, uses that expect no
//! error raise it.

/// A share of successful uses below the first number gives the second number as the base of the factor.
const WARNING: (f64, f64) = (0.5, 0.1);
/// A share of successful uses above the first number gives the second number as the base of the factor.
const RECOMMENDATION: (f64, f64) = (0.9, 1.2);
/// The greatest score. It is below 1, since no result is certain to be the wanted one.
pub(super) const GREATEST_SCORE: f64 = 0.95;
/// The quantile of the normal distribution for an interval of 95%.
const Z: f64 = 1.96;

/// The factor for a number of uses, of which `successes` expect no error: from 0.1 to 1.2, and 1 without a use.
///
/// The base is 1.2 for a share of successes above 0.9, 0.1 below 0.5, and 1 between. Few uses count less: the distance
/// of the factor from 1 is multiplied by how certain the share is, which is the lower bound of the Wilson interval
/// (Wilson: Probable inference, the law of succession, and statistical inference, 1927) relative to the share itself,
/// of successes or of failures. So one success gives 1.04, ten give 1.14, and a hundred give 1.19.
pub(super) fn factor(successes: u32, uses: u32) -> f64 {
    if uses == 0 {
        return 1.0;
    }
    let successes = successes.min(uses);
    let share = f64::from(successes) / f64::from(uses);
    let (base, decisive) = if share < WARNING.0 {
        (WARNING.1, uses - successes)
    } else if share > RECOMMENDATION.0 {
        (RECOMMENDATION.1, successes)
    } else {
        return 1.0;
    };
    1.0 + (base - 1.0) * lower_bound(decisive, uses) / (f64::from(decisive) / f64::from(uses))
}

/// The lower bound of the Wilson interval of a share.
fn lower_bound(part: u32, whole: u32) -> f64 {
    let (n, p) = (f64::from(whole), f64::from(part) / f64::from(whole));
    let middle = p + Z * Z / (2.0 * n);
    let spread = Z * ((p * (1.0 - p) + Z * Z / (4.0 * n)) / n).sqrt();
    ((middle - spread) / (1.0 + Z * Z / n)).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::factor;

    #[test]
    fn few_uses_count_less_than_many() {
        let [one, ten, hundred] = [1, 10, 100].map(|uses| factor(uses, uses));
        assert!(1.0 < one && one < ten && ten < hundred && hundred < 1.2, "{one} {ten} {hundred}");
        let [one, ten, hundred] = [1, 10, 100].map(|uses| factor(0, uses));
        assert!(1.0 > one && one > ten && ten > hundred && hundred > 0.1, "{one} {ten} {hundred}");
        assert!((factor(0, 0) - 1.0).abs() < f64::EPSILON);
    }

    #[test]
    fn more_successes_never_lower_the_factor() {
        for uses in 1..60 {
            let factors: Vec<f64> = (0..=uses).map(|successes| factor(successes, uses)).collect();
            assert!(factors.is_sorted() && factors.iter().all(|factor| (0.1..=1.2).contains(factor)), "{factors:?}");
        }
        assert!((factor(7, 10) - 1.0).abs() < f64::EPSILON);
    }
}
