// SPDX-License-Identifier: Apache-2.0

import Testing

/// The main function of the tests. All of them are Swift Testing's, so that SwiftPM need not search an index for those of XCTest,
/// and no index has to be written while the tests are built.
@main
struct TestRunner {
    static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
