// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import Testing

/// Semantics 5.1 and 5.2.
struct AccessControlTests {
    private typealias Flags = AccessControl.Flags

    private func isAccepted(_ flags: AccessControl.Flags) -> Bool {
        AccessControl(protection: .whenUnlocked, flags: flags) != nil
    }

    @Test func `the flags have Apple's bits`() {
        let flags: [Flags] = [
            .userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode, .companion, .or, .and, .privateKeyUsage,
            .applicationPassword,
        ]
        #expect(flags.map(\.rawValue) == [1, 2, 8, 16, 32, 16384, 32768, 1 << 30, 1 << 31])
        for flag in flags { #expect(isAccepted(flag)) }
    }

    @Test func `every combination is accepted or refused as the rules say`() {
        let known: [Flags] = [
            .userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode, .companion, .or, .and, .privateKeyUsage,
            .applicationPassword,
        ]
        for bits in 0..<(1 << known.count) {
            let chosen = known.indices.filter { bits & 1 << $0 != 0 }.map { known[$0] }
            let flags = chosen.reduce(into: Flags()) { $0.formUnion($1) }
            let contradicts =
                chosen.contains(.or) && chosen.contains(.and)
                || chosen.contains(.biometryAny) && chosen.contains(.biometryCurrentSet)
                || chosen.contains(.userPresence)
                    && chosen.contains { ![.userPresence, .applicationPassword, .privateKeyUsage].contains($0) }
            #expect(isAccepted(flags) == !contradicts, "flags \(flags.rawValue)")
        }
    }

    @Test(arguments: [2, 6, 7, 8, 13, 16, 29] as [UInt32])
    func `unknown bits are refused`(bit: UInt32) {
        #expect(!isAccepted(Flags(rawValue: 1 << bit)))
        #expect(!isAccepted(Flags(rawValue: 1 << bit | 1)))
    }

    @Test func `without flags only the protection is left`() {
        let control = AccessControl(protection: .afterFirstUnlock)
        #expect(control.protection == .afterFirstUnlock && control.flags.isEmpty)
        #expect(AccessControl(protection: .afterFirstUnlock, flags: []) == control)
    }
}

struct TimestampTests {
    private func at(_ seconds: Double) -> Timestamp { Timestamp(secondsSinceReferenceDate: seconds) }

    @Test func `a modification date is later than the one before, even when the clock stands still or goes back`() {
        #expect(at(10).strictlyAfter(at(9)) == at(10))
        #expect(at(10).strictlyAfter(at(10)) == at(10.001))
        #expect(at(5).strictlyAfter(at(10)) == at(10.001))
        var last = at(800_000_000)
        for _ in 0..<1000 {
            let next = at(800_000_000).strictlyAfter(last)
            #expect(next > last)
            last = next
        }
        #expect(last.secondsSinceReferenceDate < 800_000_001.001)
    }
}
