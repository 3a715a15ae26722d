// SPDX-License-Identifier: Apache-2.0
import Foundation
import Security
import Testing
extension Conformance {
@Suite struct Smoke {
    @Test(arguments: PasswordClass.allCases) func `adds`(_ c: PasswordClass) throws {
        add(c.item("a","b",[kSecValueData: Data([1])]))
        #expect(data(c, "a","b") == Data([1]))
        print(dump())
        try Service.shared.whileStopped { print($0) }
        print(dump())
    }
}
}
