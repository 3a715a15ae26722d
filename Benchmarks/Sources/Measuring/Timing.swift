// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The durations of one operation, in nanoseconds.
package struct Timing {
    package let name: String
    private let sorted: [UInt64]

    /// Runs `body` a number of times and stores the duration of each run.
    package init(_ name: String, times: Int, warmUp: Int = 100, _ body: (Int) throws -> Void) rethrows {
        self.name = name
        for index in 0..<min(warmUp, times) { try body(index) }
        var samples: [UInt64] = []
        samples.reserveCapacity(times)
        for index in 0..<times {
            let start = Self.now()
            try body(index)
            samples.append(Self.now() - start)
        }
        sorted = samples.sorted()
    }

    /// Creates a timing from durations that were measured elsewhere.
    package init(_ name: String, samples: [UInt64]) {
        self.name = name
        sorted = samples.sorted()
    }

    /// Measures two operations alternately, in batches of some hundred runs, so that both see the machine in the same
    /// state.
    package static func alternating(
        _ first: MeasuredOperation, _ second: MeasuredOperation, times: Int, batch: Int
    ) throws -> (first: Timing, second: Timing) {
        var samples: (first: [UInt64], second: [UInt64]) = ([], [])
        var index = 0
        while index < times {
            let end = min(times, index + batch)
            first.prepare()
            for number in index..<end { samples.first.append(try first.run(number)) }
            second.prepare()
            for number in index..<end { samples.second.append(try second.run(number)) }
            index = end
        }
        return (
            Timing(first.name, samples: samples.first), Timing(second.name, samples: samples.second)
        )
    }

    /// Returns the smallest duration that this share of the runs did not exceed, in microseconds.
    package func percentile(_ share: Double) -> Double {
        guard !sorted.isEmpty else { return .nan }
        return Double(sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]) / 1000
    }

    package var p50: Double { percentile(0.5) }
    package var p99: Double { percentile(0.99) }

    package static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}

/// An operation to measure.
package struct MeasuredOperation {
    package let name: String
    /// Performs the operation once, and returns its duration in nanoseconds, without the work of the caller (creating a
    /// query, checking the result).
    package let run: (Int) throws -> UInt64
    /// Called before each batch; not measured.
    package let prepare: () -> Void

    package init(_ name: String, prepare: @escaping () -> Void = {}, run: @escaping (Int) throws -> UInt64) {
        self.name = name
        self.run = run
        self.prepare = prepare
    }

    /// Creates an operation whose whole `body` is measured.
    package init(_ name: String, prepare: @escaping () -> Void = {}, timing body: @escaping (Int) throws -> Void) {
        self.init(name, prepare: prepare) { index in
            let start = Timing.now()
            try body(index)
            return Timing.now() - start
        }
    }
}

/// A missing requirement of a benchmark.
package struct BenchmarkFailure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
