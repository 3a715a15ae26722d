// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The generator SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014). It returns the same numbers
/// for the same seed on every machine, so that a case that failed can be made again.
public struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    public init(seed: UInt64) { state = seed }

    /// As `init(seed:)`, but other numbers with each value of the environment variable `CHATELAINE_SEED`, which `make test-all` sets.
    public init(searchFrom seed: UInt64) {
        self.init(seed: seed &+ (ProcessInfo.processInfo.environment["CHATELAINE_SEED"].flatMap { UInt64($0) } ?? 0))
    }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var number = state
        number = (number ^ number >> 30) &* 0xBF58_476D_1CE4_E5B9
        number = (number ^ number >> 27) &* 0x94D0_49BB_1331_11EB
        return number ^ number >> 31
    }
}
