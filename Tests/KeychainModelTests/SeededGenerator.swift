// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The generator SplitMix64. It returns the same numbers for the same seed on every machine.
///
/// The environment variable CHATELAINE_SEED, a decimal number, changes the seeds of all searches. Without it, they are fixed.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(searchFrom seed: UInt64) {
        state = seed &+ (ProcessInfo.processInfo.environment["CHATELAINE_SEED"].flatMap { UInt64($0) } ?? 0)
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var number = state
        number = (number ^ number >> 30) &* 0xBF58_476D_1CE4_E5B9
        number = (number ^ number >> 27) &* 0x94D0_49BB_1331_11EB
        return number ^ number >> 31
    }
}
