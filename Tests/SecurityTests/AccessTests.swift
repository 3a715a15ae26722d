// SPDX-License-Identifier: Apache-2.0

import CFTypes
import Foundation
import KeychainModel
import Security
import Testing

/// Access objects, their entries and trusted applications through Apple's functions (semantics 8.6).
struct AccessTests {
    private static func report(
        _ identity: ProgramIdentity = .installed(path: "/usr/bin/mutt"), path: String = "/usr/bin/mutt"
    ) -> CallerReport {
        CallerReport(
            userID: 1, processID: 2, tier: .installed, identity: identity, enforcement: nil, path: path,
            accessGroups: [], hasEntitledGroups: false, entitlements: [], findings: [], isAdministrationTool: false)
    }

    private static let mutt = TrustedApplication(.installed(path: "/usr/bin/mutt"), displayPath: "/usr/bin/mutt")!
    private static let command = TrustedApplication(.command, displayPath: "/usr/bin/chatelaine")!

    private static var nobody: CFArray { [] as CFArray }

    private func access(_ trusted: TrustedApplication..., partitions: [PartitionID]? = nil) -> SecAccess {
        SecAccess(AccessObject(description: "mail", trusting: trusted)!.with(partitions: partitions)!)
    }

    private func entries(_ access: SecAccess) throws -> [SecACL] {
        var list: CFArray?
        #expect(SecAccessCopyACLList(access, &list) == errSecSuccess)
        return try #require(list as? [SecACL])
    }

    private struct Contents: Equatable {
        /// Nil for all programs.
        var applications: [TrustedApplication]?
        var description: String
        var selector: SecKeychainPromptSelector
    }

    private func contents(_ acl: SecACL) throws -> Contents {
        var (list, text, selector): (CFArray?, CFString?, SecKeychainPromptSelector) = (nil, nil, .invalidAct)
        #expect(SecACLCopyContents(acl, &list, &text, &selector) == errSecSuccess)
        let applications = try list.map { try #require($0 as? [SecTrustedApplication]).map(\.value) }
        return Contents(applications: applications, description: try #require(text) as String, selector: selector)
    }

    private func names(_ list: CFArray?) throws -> [String] {
        try #require(list as? [String]).map { $0.replacing("kSecACLAuthorization", with: "") }
    }

    private func names(_ acl: SecACL) throws -> [String] { try names(SecACLCopyAuthorizations(acl)) }

    // MARK: SecAccess

    @Test func `an access object has three entries, of which the third is for the trusted programs`() throws {
        var created: SecAccess?
        let trusted = [SecTrustedApplication(Self.mutt)] as CFArray
        #expect(SecAccessCreate("mail" as CFString, trusted, &created) == errSecSuccess)
        let access = try #require(created)
        #expect(access.value == AccessObject(description: "mail", trusting: [Self.mutt]))
        let entries = try entries(access)
        #expect(
            try entries.map(names) == [
                ["ChangeACL"], ["Encrypt"], ["ExportWrapped", "ExportClear", "Sign", "Decrypt", "MAC", "Derive"],
            ])
        #expect(
            try entries.map(contents) == [
                Contents(applications: [], description: "mail", selector: []),
                Contents(applications: nil, description: "mail", selector: []),
                Contents(applications: [Self.mutt], description: "mail", selector: []),
            ])
    }

    @Test func `without a list the calling program is trusted, and with an empty list no program`() throws {
        var created: SecAccess?
        let service = RecordingService(.report(Self.report()))
        service.run { #expect(SecAccessCreate("mail" as CFString, nil, &created) == errSecSuccess) }
        #expect(service.received == [.identity(.caller)])
        #expect(created?.value == AccessObject(description: "mail", trusting: [Self.mutt]))
        service.run { #expect(SecAccessCreate("mail" as CFString, Self.nobody, &created) == errSecSuccess) }
        #expect(service.requestCount == 1)
        #expect(created?.value == AccessObject(description: "mail", trusting: []))
    }

    @Test func `an access object that cannot be made leaves the variable as it was`() throws {
        let before = access()
        var created: SecAccess? = before
        RecordingService(.refusal(.notAvailable)).run {
            #expect(SecAccessCreate("mail" as CFString, nil, &created) == errSecNotAvailable)
        }
        RecordingService(.report(Self.report(.unidentified))).run {
            #expect(SecAccessCreate("mail" as CFString, nil, &created) == errSecMissingEntitlement)
        }
        #expect(SecAccessCreate("mail" as CFString, ["/usr/bin/mutt"] as CFArray, &created) == errSecParam)
        #expect(SecAccessCreate("a\0b" as CFString, Self.nobody, &created) == errSecParam)
        let long = String(repeating: "a", count: 4097)
        #expect(SecAccessCreate(long as CFString, Self.nobody, &created) == errSecParam)
        #expect(created === before)
    }

    @Test func `an access object for a user has an owner and an entry, and gives both back`() throws {
        let acls = [kSecACLAuthorizationDecrypt, kSecACLAuthorizationAny] as CFArray
        let type = SecAccessOwnerType(kSecUseOnlyUID | kSecHonorRoot)
        let access = try #require(SecAccessCreateWithOwnerAndACL(1000, 100, type, acls, nil))
        let owner = AccessOwner(userID: 1000, groupID: 100, kind: [.useUserID, .honorRoot])
        #expect(access.value == AccessObject(owner: owner, authorizing: [.decrypt, .any]))
        var (user, group, kind, list): (uid_t, gid_t, SecAccessOwnerType, CFArray?) = (7, 7, 7, nil)
        #expect(SecAccessCopyOwnerAndACL(access, &user, &group, &kind, &list) == errSecSuccess)
        #expect(user == 1000 && group == 100 && kind == type)
        #expect(try names(list) == ["ChangeACL", "Any", "Decrypt"])
        #expect(SecAccessCopyOwnerAndACL(access, nil, nil, nil, nil) == errSecSuccess)
        let without = SecAccessCreateWithOwnerAndACL(0, 0, SecAccessOwnerType(kSecMatchBits), nil, nil)
        #expect(without?.value.entries.map(\.authorizations) == [[]])
    }

    @Test func `an owner type and an authorization that there is not are errors`() throws {
        for (type, list) in [(4, nil), (1, ["Decrypt"]), (1, [kSecACLAuthorizationSign, 5])] as [(UInt32, [Any]?)] {
            var error: Unmanaged<CFError>?
            #expect(SecAccessCreateWithOwnerAndACL(0, 0, type, list.map { $0 as CFArray }, &error) == nil)
            let found = error?.takeRetainedValue()
            #expect(found?.domain == NSOSStatusErrorDomain && found?.code == Int(errSecParam))
        }
    }

    @Test func `an owner that is no user leaves the numbers as they were`() throws {
        var (user, group, kind, list): (uid_t, gid_t, SecAccessOwnerType, CFArray?) = (7, 8, 9, nil)
        #expect(SecAccessCopyOwnerAndACL(access(), &user, &group, &kind, &list) == errSecSuccess)
        #expect(user == 7 && group == 8 && kind == 9)
        #expect(
            try names(list)
                == ["ChangeACL", "Encrypt", "ExportWrapped", "ExportClear", "Sign", "Decrypt", "MAC", "Derive"])
    }

    @Test func `entries are found by what they authorize`() throws {
        let access = access(Self.mutt)
        let all = try entries(access)
        func matching(_ tag: CFTypeRef) -> [SecACL]? { SecAccessCopyMatchingACLList(access, tag) as? [SecACL] }
        #expect(matching(kSecACLAuthorizationDecrypt) == [all[2]])
        #expect(matching(kSecACLAuthorizationChangeACL) == [all[0]])
        #expect(matching("ACLAuthorizationEncrypt" as CFString) == [all[1]])
        for tag in [kSecACLAuthorizationLogin, "Decrypt" as CFString, "kSecACLAuthorization" as CFString] {
            #expect(SecAccessCopyMatchingACLList(access, tag) == nil)
        }
        #expect(SecAccessCopyMatchingACLList(access, 5 as CFNumber) == nil)
        #expect(SecACLUpdateAuthorizations(all[1], [kSecACLAuthorizationAny] as CFArray) == errSecSuccess)
        #expect(matching(kSecACLAuthorizationDecrypt) == [all[1], all[2]])
    }

    @Test func `each authorization is one of Apple's constants`() throws {
        let constants: [CFString] = [
            kSecACLAuthorizationAny, kSecACLAuthorizationLogin, kSecACLAuthorizationGenKey,
            kSecACLAuthorizationDelete, kSecACLAuthorizationExportWrapped, kSecACLAuthorizationExportClear,
            kSecACLAuthorizationImportWrapped, kSecACLAuthorizationImportClear, kSecACLAuthorizationSign,
            kSecACLAuthorizationEncrypt, kSecACLAuthorizationDecrypt, kSecACLAuthorizationMAC,
            kSecACLAuthorizationDerive, kSecACLAuthorizationKeychainCreate, kSecACLAuthorizationKeychainDelete,
            kSecACLAuthorizationKeychainItemRead, kSecACLAuthorizationKeychainItemInsert,
            kSecACLAuthorizationKeychainItemModify, kSecACLAuthorizationKeychainItemDelete,
            kSecACLAuthorizationChangeACL, kSecACLAuthorizationChangeOwner, kSecACLAuthorizationPartitionID,
            kSecACLAuthorizationIntegrity,
        ]
        let access = access()
        let entry = try entries(access)[2]
        for (constant, authorization) in zip(constants, AccessAuthorization.allCases) {
            #expect(SecACLUpdateAuthorizations(entry, [constant] as CFArray) == errSecSuccess)
            #expect(access.value.entries[1].authorizations == [authorization])
            #expect(SecACLCopyAuthorizations(entry) as? [CFString] == [constant])
        }
        #expect(constants.count == AccessAuthorization.allCases.count)
    }

    // MARK: SecACL

    @Test func `a new entry authorizes everything until it is told what`() throws {
        let access = access()
        var created: SecACL?
        let list = [SecTrustedApplication(Self.command)] as CFArray
        #expect(
            SecACLCreateWithSimpleContents(access, list, "ключ" as CFString, .requirePassphase, &created)
                == errSecSuccess)
        let entry = try #require(created)
        #expect(try entries(access).last == entry)
        #expect(try names(entry) == ["Any"])
        #expect(
            try contents(entry)
                == Contents(applications: [Self.command], description: "ключ", selector: .requirePassphase))
        #expect(
            SecACLUpdateAuthorizations(entry, [kSecACLAuthorizationSign, kSecACLAuthorizationMAC] as CFArray)
                == errSecSuccess)
        #expect(try names(entry) == ["Sign", "MAC"])
        #expect(
            access.value.entries.last
                == AccessEntry(
                    [.sign, .mac], .applications([Self.command]), description: "ключ",
                    promptSelector: .requirePassphrase))
    }

    @Test func `what an entry cannot be changes nothing`() throws {
        let access = access(Self.mutt)
        let before = access.value
        let entry = try entries(access)[2]
        var created: SecACL?
        let text = "mail" as CFString
        let wrong: [(CFArray?, CFString, SecKeychainPromptSelector)] = [
            ([5] as CFArray, text, []), (nil, "a\0b" as CFString, []),
            (nil, text, SecKeychainPromptSelector(rawValue: 2)),
            (Array(repeating: SecTrustedApplication(Self.mutt), count: 257) as CFArray, text, []),
        ]
        for (list, text, selector) in wrong {
            #expect(SecACLCreateWithSimpleContents(access, list, text, selector, &created) == errSecParam)
            #expect(SecACLSetContents(entry, list, text, selector) == errSecParam)
        }
        #expect(SecACLUpdateAuthorizations(entry, ["Decrypt"] as CFArray) == errSecParam)
        #expect(created == nil && access.value == before)
    }

    @Test func `contents are replaced, and nil is for all programs`() throws {
        let access = access(Self.mutt)
        let entry = try entries(access)[2]
        #expect(SecACLSetContents(entry, nil, "other" as CFString, [.unsigned, .unsignedAct]) == errSecSuccess)
        #expect(
            try contents(entry)
                == Contents(applications: nil, description: "other", selector: [.unsigned, .unsignedAct]))
        #expect(access.value.entries[1].authorizations == AccessAuthorization.restricted)
        #expect(SecACLSetContents(entry, Self.nobody, "" as CFString, []) == errSecSuccess)
        #expect(try contents(entry) == Contents(applications: [], description: "", selector: []))
        // The owner's as well.
        let owner = try entries(access)[0]
        let list = [SecTrustedApplication(Self.command)] as CFArray
        #expect(SecACLSetContents(owner, list, "mail" as CFString, []) == errSecSuccess)
        #expect(access.value.owner.subject == .applications([Self.command]))
        #expect(access.value.owner.authorizations == [.changeACL])
    }

    @Test func `an entry for a user is not simple, until it is made so`() throws {
        let access = try #require(SecAccessCreateWithOwnerAndACL(1000, 100, 1, nil, nil))
        for entry in try entries(access) {
            var (list, text, selector): (CFArray?, CFString?, SecKeychainPromptSelector) = (Self.nobody, nil, .invalid)
            #expect(SecACLCopyContents(entry, &list, &text, &selector) == errSecACLNotSimple)
            #expect(list != nil && text == nil && selector == .invalid)
            #expect(SecACLSetContents(entry, nil, "mail" as CFString, []) == errSecSuccess)
            #expect(try contents(entry) == Contents(applications: nil, description: "mail", selector: []))
        }
    }

    @Test func `the owner's entry is not removed, and its authorization does not change`() throws {
        let access = access()
        let owner = try entries(access)[0]
        #expect(SecACLRemove(owner) == errSecInvalidOwnerEdit)
        #expect(
            SecACLUpdateAuthorizations(owner, [kSecACLAuthorizationChangeACL] as CFArray) == errSecInvalidOwnerEdit)
        #expect(try entries(access).count == 3)
    }

    @Test func `a removed entry has no effect, and the others stay as they are`() throws {
        let access = access(Self.mutt)
        let all = try entries(access)
        #expect(SecACLRemove(all[1]) == errSecSuccess)
        #expect(try entries(access) == [all[0], all[2]])
        #expect(try names(all[2]).contains("Decrypt"))
        #expect(SecACLRemove(all[1]) == errSecParam)
        #expect(SecACLSetContents(all[1], nil, "x" as CFString, []) == errSecParam)
        #expect(SecACLUpdateAuthorizations(all[1], [] as CFArray) == errSecParam)
        var (list, text, selector): (CFArray?, CFString?, SecKeychainPromptSelector) = (nil, nil, [])
        #expect(SecACLCopyContents(all[1], &list, &text, &selector) == errSecParam)
        #expect(try names(all[1]) == [])
        var created: SecACL?
        #expect(SecACLCreateWithSimpleContents(access, nil, "x" as CFString, [], &created) == errSecSuccess)
        #expect(created != all[1], "a number is never used again")
    }

    @Test func `entries are equal when they are the same of the same object`() throws {
        let (one, other) = (access(), access())
        #expect(try entries(one) == entries(one))
        #expect(try Set(entries(one) + entries(one)).count == 3)
        #expect(try entries(one)[0] != entries(other)[0])
        #expect(CFGetTypeID(try entries(one)[0]) == SecACLGetTypeID())
        #expect(CFGetTypeID(one) == SecAccessGetTypeID() && one != other)
        let types = [SecAccessGetTypeID(), SecACLGetTypeID(), SecTrustedApplicationGetTypeID()]
        #expect(Set(types + [SecAccessControlGetTypeID()]).count == 4)
    }

    // MARK: The partition list

    @Test func `the partition list is an entry whose description is a property list in hexadecimal digits`() throws {
        let access = access(partitions: [.commandLineTool, .team("TEAM")!])
        let entry = try #require(try entries(access).last)
        #expect(try names(entry) == ["PartitionID"])
        #expect(SecAccessCopyMatchingACLList(access, kSecACLAuthorizationPartitionID) as? [SecACL] == [entry])
        let found = try contents(entry)
        #expect(found.applications == nil && found.selector == [])
        let digits = Array(found.description)
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(digits[$0..<$0 + 2]), radix: 16)
        }
        let list = try PropertyListSerialization.propertyList(from: Data(bytes), format: nil) as? [String: [String]]
        #expect(list == ["Partitions": ["apple-tool:", "teamid:TEAM"]])
        #expect(try entries(self.access()).count == 3, "an object without a list has no such entry")
    }

    @Test func `another description is another partition list`() throws {
        let access = access(partitions: [.commandLineTool])
        let entry = try #require(try entries(access).last)
        func text(_ list: Any, _ format: PropertyListSerialization.PropertyListFormat = .xml) throws -> CFString {
            let data = try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0)
            return data.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined().uppercased()
                as CFString
        }
        #expect(SecACLSetContents(entry, nil, try text(["Partitions": ["apple:", "x"]]), []) == errSecSuccess)
        #expect(access.value.partitions == [.installed, PartitionID("x")!])
        #expect(SecACLSetContents(entry, nil, try text(["Partitions": [String]()], .binary), []) == errSecSuccess)
        #expect(access.value.partitions == [])
        let wrong: [CFString] = [
            "" as CFString, "zz" as CFString, "abc" as CFString, "00" as CFString, try text(["a"]),
            try text(["P": ["a"]]),
            try text(["Partitions": [5]]), try text(["Partitions": ["a,b"]]),
            try text(["Partitions": Array(repeating: "a", count: 257)]),
        ]
        for description in wrong {
            #expect(SecACLSetContents(entry, nil, description, []) == errSecParam, "\(description)")
        }
        #expect(access.value.partitions == [])
        #expect(SecACLRemove(entry) == errSecParam)
        #expect(SecACLUpdateAuthorizations(entry, [] as CFArray) == errSecParam)
    }

    // MARK: SecTrustedApplication

    @Test func `a program is known as the service knows it`() throws {
        var created: SecTrustedApplication?
        let digest = [UInt8](repeating: 7, count: 32)
        let service = RecordingService(.report(Self.report(.unsigned(digest: digest), path: "/home/ann/mail")))
        service.run { #expect(SecTrustedApplicationCreateFromPath("/home/ann/mail", &created) == errSecSuccess) }
        #expect(created?.value == TrustedApplication(.unsigned(digest: digest), displayPath: "/home/ann/mail"))
        service.run { #expect(SecTrustedApplicationCreateFromPath(nil, &created) == errSecSuccess) }
        let folder = FileManager.default.currentDirectoryPath
        service.run { #expect(SecTrustedApplicationCreateFromPath("bin/mail", &created) == errSecSuccess) }
        #expect(
            service.received == [
                .identity(.program(path: "/home/ann/mail")), .identity(.caller),
                .identity(.program(path: folder + "/bin/mail")),
            ])
    }

    @Test func `an application group is known by its name, and the service is not asked`() throws {
        var created: SecTrustedApplication?
        let service = RecordingService(.refusal(.notAvailable))
        service.run {
            #expect(SecTrustedApplicationCreateFromPath("group://TEAM.suite", &created) == errSecSuccess)
        }
        #expect(created?.value == TrustedApplication(group: "TEAM.suite") && service.requestCount == 0)
    }

    @Test func `a file that is not a program is refused, and the variable keeps its value`() throws {
        let before = SecTrustedApplication(Self.mutt)
        var created: SecTrustedApplication? = before
        RecordingService(.refusal(.parameter)).run {
            #expect(SecTrustedApplicationCreateFromPath("/nowhere", &created) == errSecParam)
            #expect(SecTrustedApplicationCreateFromPath("", &created) == errSecParam)
            #expect(SecTrustedApplicationCreateFromPath("group://", &created) == errSecParam)
        }
        RecordingService(.report(Self.report(.unidentified))).run {
            #expect(SecTrustedApplicationCreateFromPath("/home/ann/x", &created) == errSecParam)
            #expect(SecTrustedApplicationCreateFromPath(nil, &created) == errSecMissingEntitlement)
        }
        RecordingService(.refusal(.notAvailable)).run {
            #expect(SecTrustedApplicationCreateFromPath(nil, &created) == errSecNotAvailable)
        }
        #expect(created === before)
    }

    @Test func `what a program is known by can be kept and given back, and nothing else can`() throws {
        let (one, other) = (SecTrustedApplication(Self.mutt), SecTrustedApplication(Self.command))
        var data: CFData?
        #expect(SecTrustedApplicationCopyData(one, &data) == errSecSuccess)
        let bytes = try #require(data) as Data
        #expect(SecTrustedApplicationSetData(other, bytes as CFData) == errSecSuccess)
        #expect(other.value == Self.mutt && other != one)
        for wrong in [Data(), bytes.dropLast(), bytes + [0], Data("/usr/bin/mutt".utf8)] {
            #expect(SecTrustedApplicationSetData(other, wrong as CFData) == errSecParam)
        }
        #expect(other.value == Self.mutt)
        #expect(CFGetTypeID(one) == SecTrustedApplicationGetTypeID())
    }

    @Test func `an object is used by several threads at once`() throws {
        let access = access()
        DispatchQueue.concurrentPerform(iterations: 40) { number in
            var created: SecACL?
            let status = SecACLCreateWithSimpleContents(access, nil, "\(number)" as CFString, [], &created)
            #expect(status == errSecSuccess)
            if number.isMultiple(of: 2), let created { #expect(SecACLRemove(created) == errSecSuccess) }
        }
        let left = access.value.entries.dropFirst(2).compactMap { Int($0.description) }
        #expect(left.sorted() == Array(stride(from: 1, to: 40, by: 2)))
    }
}
