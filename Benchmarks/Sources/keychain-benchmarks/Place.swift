// SPDX-License-Identifier: Apache-2.0

import CSQLite

/// The processor cores on which the calling thread may run.
struct Place {
    /// One bit for each core.
    private var cores = [UInt](repeating: 0, count: 16)

    /// The current cores of the thread.
    static var current: Place {
        var place = Place()
        benchmark_get_cores(&place.cores, place.cores.count)
        return place
    }

    /// All cores of the machine.
    static var everywhere: Place {
        var place = Place()
        // The kernel ignores cores that do not exist.
        for word in place.cores.indices { place.cores[word] = .max }
        return place
    }

    /// Creates a set of one core; nil for an invalid number.
    init?(core: String) {
        guard let number = Int(core), (0..<cores.count * UInt.bitWidth).contains(number) else { return nil }
        cores[number / UInt.bitWidth] |= 1 << UInt(number % UInt.bitWidth)
    }

    private init() {}

    /// Moves the calling thread to these cores.
    func enter() { benchmark_set_cores(cores, cores.count) }
}
