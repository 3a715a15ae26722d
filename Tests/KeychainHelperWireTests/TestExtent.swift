// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How much the tests of this module try.
enum TestExtent {
    /// Whether the tests may take long: `make test-all` sets CHATELAINE_LONG to 1.
    static let isLong = ProcessInfo.processInfo.environment["CHATELAINE_LONG"] == "1"

    /// The values that tests put in the place of a byte: all of them in a long run, otherwise small ones, large ones and some between.
    static let byteValues = (UInt8.min...UInt8.max).filter { isLong || $0 < 8 || $0 > 0xF7 || $0.isMultiple(of: 32) }
}
