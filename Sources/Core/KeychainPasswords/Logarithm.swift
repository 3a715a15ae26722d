// SPDX-License-Identifier: Apache-2.0

/// Logarithms of counts. The core does not use the C library, which has such functions.
enum Logarithm {
    /// Returns the logarithm to base 2 of a number of at least 1, exact to some 15 digits; infinite for infinity.
    static func binary(_ number: Double) -> Double {
        guard number.isFinite, number > 0 else { return number > 0 ? .infinity : 0 }
        // log2(s · 2^e) = e + ln(s) / ln 2, and ln(s) = 2 artanh((s - 1) / (s + 1)), with s between 0.7 and 1.5.
        var exponent = Double(number.exponent)
        var significand = number.significand
        if significand > 1.5 {
            significand /= 2
            exponent += 1
        }
        let ratio = (significand - 1) / (significand + 1)
        let square = ratio * ratio
        var (term, sum) = (ratio, 0.0)
        for divisor in stride(from: 1.0, through: 41, by: 2) {
            sum += term / divisor
            term *= square
        }
        return exponent + 2 * sum / 0.693_147_180_559_945_309
    }

    /// Returns the logarithm to base 10.
    static func decimal(_ number: Double) -> Double { binary(number) * 0.301_029_995_663_981_195 }
}
