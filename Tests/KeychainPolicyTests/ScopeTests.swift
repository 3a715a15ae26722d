// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import KeychainPolicy
import Testing

/// Where each caller may look.
struct ScopeTests {
    private static let reading: [KeychainPolicy.Operation] = [
        .probe, .availability, .readAttributes, .readPublic, .readData, .useKey, .update, .delete,
    ]

    private func scope(
        _ caller: Caller, _ operation: KeychainPolicy.Operation, _ group: String? = nil
    ) throws(Refusal) -> SearchScope {
        try AccessPolicy.scope(of: caller, for: operation, accessGroup: group)
    }

    /// A backup covers all keychains, so its scope is not checked.
    private static let operations = KeychainPolicy.Operation.allCases.filter { $0 != .backUp && $0 != .restore }

    @Test(arguments: operations, [nil, "a", "chatelaine"] as [String?])
    func `a caller without access groups may do nothing`(operation: KeychainPolicy.Operation, group: String?) {
        #expect(throws: Refusal(.missingEntitlement, .unidentifiedCaller)) {
            try scope(.program([], tier: .unidentified), operation, group)
        }
    }

    @Test(arguments: [CallerTier.unsigned, .installed])
    func `a program adds to its first group unless it names another of its own`(tier: CallerTier) throws {
        let caller = Caller.program(["a", "b"], tier: tier)
        #expect(try scope(caller, .add) == .groups(["a"]))
        #expect(try scope(caller, .add, "b") == .groups(["b"]))
    }

    @Test func `a group in another spelling of the same characters is a foreign group`() throws {
        let caller = Caller.program(["a\u{E9}"], tier: .signed)
        #expect(try scope(caller, .readData, "a\u{E9}") == .groups(["a\u{E9}"]))
        #expect(throws: Refusal(.missingEntitlement, .foreignAccessGroup)) {
            try scope(caller, .readData, "ae\u{301}")
        }
    }

    @Test(arguments: reading, [CallerTier.unsigned, .installed])
    func `a program looks in its own groups only`(operation: KeychainPolicy.Operation, tier: CallerTier) throws {
        let caller = Caller.program(["a", "b"], tier: tier)
        #expect(try scope(caller, operation) == .groups(["a", "b"]))
        #expect(try scope(caller, operation, "b") == .groups(["b"]))
    }

    @Test(arguments: operations, ["c", "", "A", "a ", "chatelaine"])
    func `naming a foreign group is errSecMissingEntitlement`(operation: KeychainPolicy.Operation, group: String) {
        #expect(throws: Refusal(.missingEntitlement, .foreignAccessGroup)) {
            try scope(.program(["a", "b"]), operation, group)
        }
    }

    @Test(arguments: reading)
    func `the administration tool looks everywhere, or in any group it names`(
        operation: KeychainPolicy.Operation
    ) throws {
        #expect(try scope(.administration, operation) == .everything(own: ["chatelaine"]))
        #expect(try scope(.administration, operation, "a") == .groups(["a"]))
    }

    @Test func `the administration tool adds nothing to other programs' groups`() throws {
        #expect(try scope(.administration, .add) == .groups(["chatelaine"]))
        #expect(throws: Refusal(.missingEntitlement, .foreignAccessGroup)) {
            try scope(.administration, .add, "a")
        }
    }
}

extension Caller {
    static func program(_ groups: [String], tier: CallerTier = .unsigned) -> Caller {
        Caller(
            userID: 1000, processID: 7, tier: tier,
            identity: tier == .unidentified ? .unidentified : .unsigned(digest: [1]),
            accessGroups: groups,
            displayPath: "/bin/p")
    }

    static let administration = Caller(
        userID: 1000, processID: 8, tier: .installed, identity: .command, accessGroups: ["chatelaine"],
        displayPath: "/bin/chatelaine")
}
