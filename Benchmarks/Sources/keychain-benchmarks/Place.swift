// SPDX-License-Identifier: Apache-2.0

import CSQLite

/// The cores on which the calling thread may run.
struct Place {
    /// A bit each.
    private var cores = [UInt](repeating: 0, count: 16)

    /// Where it may run now.
    static var current: Place {
        var place = Place()
        benchmark_get_cores(&place.cores, place.cores.count)
        return place
    }

    /// On all that the machine has.
    static var everywhere: Place {
        var place = Place()
        // The kernel leaves out those that are not there.
        for word in place.cores.indices { place.cores[word] = .max }
        return place
    }

    /// One core; nil for what is no number of one.
    init?(core: String) {
        guard let number = Int(core), (0..<cores.count * UInt.bitWidth).contains(number) else { return nil }
        cores[number / UInt.bitWidth] |= 1 << UInt(number % UInt.bitWidth)
    }

    private init() {}

    /// Moves the calling thread there.
    func enter() { benchmark_set_cores(cores, cores.count) }
}
