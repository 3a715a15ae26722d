// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

extension Conformance {
    /// Long sequences of calls, compared with a model.
    ///
    /// CONFORMANCE_SEQUENCES is the number of sequences to compare (default 250), CONFORMANCE_SEED or CHATELAINE_SEED
    /// is the number of the first sequence (default 1), and CONFORMANCE_CALLS is the number of calls in a sequence
    /// (default 100). CONFORMANCE_SECONDS replaces the number of sequences by a duration.
    @Suite struct `Against the model` {
        private func setting(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }

        /// Returns the access group of this program.
        private func ownGroup() throws -> String {
            add(PasswordClass.generic.item("own", "group"))
            return try #require(try attributes(.generic, [:])[kSecAttrAccessGroup] as? String)
        }

        /// Returns the first difference among the sequences from a seed on, in reduced form.
        private func firstDifference(
            from first: Int, calls: Int, group: String, fault: ModelKeychain.Fault? = nil, goesOn: (Int) -> Bool
        ) -> (seed: Int, difference: Difference)? {
            var seed = first
            while goesOn(seed - first) {
                let operations = RandomSequence.operations(seed: UInt64(seed), count: calls)
                if let found = Comparison.difference(in: operations, group: group, fault: fault) {
                    var shrinking = Shrinking {
                        Comparison.difference(in: $0, group: group, fault: fault)
                    }
                    return (seed, shrinking.shortest(found))
                }
                seed += 1
            }
            return nil
        }

        @Test func `the keychain answers as the model does`() throws {
            let group = try ownGroup()
            let end = setting("CONFORMANCE_SECONDS").map { ContinuousClock.now + .seconds($0) }
            let count = setting("CONFORMANCE_SEQUENCES") ?? 250
            let seed = setting("CONFORMANCE_SEED") ?? setting("CHATELAINE_SEED") ?? 1
            let calls = setting("CONFORMANCE_CALLS") ?? 100
            var sequences = 0
            let found = firstDifference(from: seed, calls: calls, group: group) { done in
                sequences = done
                guard let end else { return done < count }
                return ContinuousClock.now < end || done == 0
            }
            if let found {
                Issue.record("sequence \(found.seed) of \(calls) calls, made short:\n\(found.difference)")
            }
            print("compared \(sequences) sequences of \(calls) calls")
        }

        // The test verifies that the comparison detects errors.
        @Test(arguments: ModelKeychain.Fault.allCases)
        func `a wrong model is noticed, and in few calls`(_ fault: ModelKeychain.Fault) throws {
            let group = try ownGroup()
            let found = try #require(
                firstDifference(from: 1, calls: 100, group: group, fault: fault) { done in done < 50 })
            #expect(found.difference.operations.count <= 4, "\(found.difference)")
        }
    }
}
