// SPDX-License-Identifier: Apache-2.0

import CFTypes
import Foundation
import KeychainModel
import Security
import Testing

/// A program that asks for its own entitlements.
struct TaskTests {
    private static let entitlements = [
        Entitlement(key: "application-identifier", value: .text("T.app")),
        Entitlement(key: "flag", value: .bool(true)),
        Entitlement(key: "keychain-access-groups", value: .list(["T.a", "T.b"])),
    ]

    private func service(_ identity: ProgramIdentity, _ entitlements: [Entitlement] = entitlements) -> RecordingService
    {
        RecordingService(
            .report(
                CallerReport(
                    userID: 1, processID: 2, tier: .signed, identity: identity, enforcement: nil, path: "/app",
                    accessGroups: [], hasEntitledGroups: true, entitlements: entitlements, findings: [],
                    isAdministrationTool: false)))
    }

    @Test func `values have the types that property lists have`() throws {
        let task = try #require(SecTaskCreateFromSelf(nil))
        service(.signed(team: "T", identifier: "app")).run {
            #expect(SecTaskCopyValueForEntitlement(task, "flag" as CFString, nil) as? Bool == true)
            #expect(
                SecTaskCopyValueForEntitlement(task, "application-identifier" as CFString, nil) as? String == "T.app")
            let groups = SecTaskCopyValueForEntitlement(task, "keychain-access-groups" as CFString, nil)
            #expect(groups as? [String] == ["T.a", "T.b"])
            #expect(SecTaskCopyValueForEntitlement(task, "Flag" as CFString, nil) == nil)
        }
    }

    @Test func `of several, those come back that the program has`() throws {
        let task = try #require(SecTaskCreateFromSelf(nil))
        service(.signed(team: "T", identifier: "app")).run {
            let names = ["flag", "other", "application-identifier"] as CFArray
            let values = SecTaskCopyValuesForEntitlements(task, names, nil) as? [String: Any]
            #expect(values?.count == 2)
            #expect(values?["flag"] as? Bool == true)
        }
    }

    @Test func `the signing identifier is what the signer called the program, and others have none`() throws {
        let task = try #require(SecTaskCreateFromSelf(nil))
        service(.signed(team: "T", identifier: "org.example.app")).run {
            #expect(SecTaskCopySigningIdentifier(task, nil) as String? == "org.example.app")
        }
        service(.installed(path: "/app"), []).run {
            #expect(SecTaskCopySigningIdentifier(task, nil) == nil)
            #expect(SecTaskCopyValueForEntitlement(task, "flag" as CFString, nil) == nil)
        }
    }

    @Test func `when the service refuses there is an error, and where there is none the variable stays as it was`()
        throws
    {
        let task = try #require(SecTaskCreateFromSelf(nil))
        RecordingService(.refusal(.notAvailable)).run {
            var error: Unmanaged<CFError>?
            #expect(SecTaskCopyValueForEntitlement(task, "flag" as CFString, &error) == nil)
            let found = error?.takeRetainedValue()
            #expect(found?.domain == NSOSStatusErrorDomain)
            #expect(found?.code == Int(errSecNotAvailable))
        }
        service(.installed(path: "/app"), []).run {
            var error: Unmanaged<CFError>?
            #expect(SecTaskCopyValueForEntitlement(task, "flag" as CFString, &error) == nil)
            #expect(error == nil)
        }
    }

    @Test func `the task is of a type of its own`() throws {
        let task = try #require(SecTaskCreateFromSelf(nil))
        #expect(CFGetTypeID(task) == SecTaskGetTypeID())
        #expect(SecTaskGetTypeID() != SecAccessControlGetTypeID())
    }
}
