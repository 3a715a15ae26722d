// SPDX-License-Identifier: Apache-2.0

import Foundation
import Keychain
import KeychainClient
import KeychainModel
import KeychainTesting
import SecretMemory
import Testing

/// Notices about all of a user's keychains (semantics 8.2).
struct NoticeTests {
    /// A keychain in memory whose user has a folder for keychain files.
    private final class House {
        let folder = NSTemporaryDirectory() + "chatelaine-notices-\(UInt64.random(in: 0 ... .max))"
        let memory: InMemoryKeychain

        init() throws { memory = try InMemoryKeychain(accessGroups: ["mail"], keychainFolder: folder) }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        var client: KeychainClient { memory.client }

        func path(_ name: String) -> String { folder + "/" + name + "-db" }

        func make(_ name: String) throws -> KeychainClient {
            _ = try client.createKeychain(at: name, password: sesame)
            return try client.inKeychain(name)
        }
    }

    /// A stream of a client's notices, which ends with the test.
    private final class Listener {
        private let stream: any KeychainNoticeStream

        init(_ client: KeychainClient, _ filter: KeychainNoticeFilter = KeychainNoticeFilter()) throws {
            stream = try client.watchKeychains(filter)
        }

        deinit { stream.cancel() }

        func next() throws -> KeychainNotice? { try stream.next() }

        func next(_ count: Int) throws -> [KeychainNotice?] { try (0..<count).map { _ in try stream.next() } }
    }

    /// The process of the caller in these tests.
    private static let processID: Int32 = 1

    private func notice(
        _ kind: KeychainNotice.Kind, _ path: String?, _ item: PersistentReference? = nil,
        by processID: Int32 = processID
    ) -> KeychainNotice { KeychainNotice(kind, in: path, item, by: processID) }

    // MARK: Notices that are sent

    @Test func `an item of a file is added, modified and deleted`() throws {
        let house = try House()
        let work = try house.make("work")
        let listener = try Listener(house.memory.client(accessGroups: ["news"]))
        let item = try work.addPassword()
        try work.update(try query(), changes: try attributes(.update, [(.label, .string("x"))]), secret: [UInt8]?.none)
        try work.delete(try query())
        let path = house.path("work")
        #expect(
            try listener.next(3) == [
                notice(.added, path, item), notice(.modified, path, item), notice(.deleted, path, item),
            ])
    }

    @Test func `a change of the access object is another notice than a change of the contents`() throws {
        let house = try House()
        let work = try house.make("work")
        let item = try work.addPassword()
        let stored = try work.copyMatching(ItemQuery(item), limit: .one, returning: [.attributes]) { Array($0) }
        let access = try #require(stored.first?.attributes?[.access])
        let listener = try Listener(house.client)
        try work.update(ItemQuery(item), changes: try attributes(.update, [(.access, access)]), secret: [UInt8]?.none)
        try work.update(
            ItemQuery(item), changes: try attributes(.update, [(.access, access), (.label, .string("x"))]),
            secret: [UInt8]?.none)
        let path = house.path("work")
        #expect(try listener.next(2) == [notice(.accessChanged, path, item), notice(.modified, path, item)])
    }

    @Test func `a person who always allows changes who may use the item`() async throws {
        let house = try House()
        try await house.memory.setPasscode(SecretData(utf8: "sesame"))
        house.memory.person = .always
        let item = try house.make("work").addPassword()
        let listener = try Listener(house.client)
        let other = try house.memory.client(accessGroups: ["news"]).inKeychain("work")
        #expect(try other.secrets(try query()) == ["correct horse"])
        #expect(try listener.next() == notice(.accessChanged, house.path("work"), item))
    }

    @Test func `a keychain that is made, locked, unlocked or given another password says so, once`() throws {
        let house = try House()
        let listener = try Listener(house.client)
        _ = try house.make("work")
        try house.client.unlockKeychain(at: "work", password: sesame)
        try house.client.lockKeychain(at: "work")
        try house.client.lockKeychain(at: "work")
        try house.client.unlockKeychain(at: "work", password: sesame)
        try house.client.changePassword(ofKeychainAt: "work", old: sesame, new: SecretBytes(copying: [0x61]))
        try house.client.lockAllKeychains()
        let path = house.path("work")
        #expect(
            try listener.next(5) == [
                notice(.unlocked, path), notice(.locked, path), notice(.unlocked, path), notice(.passwordChanged, path),
                notice(.locked, path),
            ])
    }

    @Test func `a wrong password is no notice`() throws {
        let house = try House()
        _ = try house.make("work")
        try house.client.lockKeychain(at: "work")
        let listener = try Listener(house.client)
        #expect(
            try refusal { try house.client.unlockKeychain(at: "work", password: SecretBytes(copying: [1])) }.status
                == .authenticationFailed)
        try house.client.unlockKeychain(at: "work", password: sesame)
        #expect(try listener.next() == notice(.unlocked, house.path("work")))
    }

    @Test func `what time does, no process did`() throws {
        let house = try House()
        _ = try house.make("work")
        let listener = try Listener(house.client)
        house.memory.setTime(to: Timestamp(secondsSinceReferenceDate: 800_000_400))
        house.memory.passTime()
        #expect(try listener.next() == notice(.locked, house.path("work"), by: 0))
    }

    @Test func `the data-protection keychain is told of without a path`() async throws {
        let house = try House()
        let listener = try Listener(house.client)
        let item = try house.client.addPassword()
        try await house.memory.setPasscode(SecretData(utf8: "sesame"))
        try house.client.lock()
        try house.client.unlock(with: ProtectorSecret(.passcode, sesame))
        try house.client.delete(try query())
        #expect(
            try listener.next(5) == [
                notice(.added, nil, item), notice(.passwordChanged, nil), notice(.locked, nil), notice(.unlocked, nil),
                notice(.deleted, nil, item),
            ])
    }

    @Test func `lists that become others say so, and others do not`() throws {
        let house = try House()
        let listener = try Listener(house.client)
        try house.client.setSearchList(["a", "b"], of: .user)
        try house.client.setSearchList(["a", "b"], of: .user)
        try house.client.setDefaultKeychain("a", of: .user)
        try house.client.setDefaultKeychain("a", of: .user)
        try house.client.adoptKeychain("c", replacing: "a", of: .user)
        try house.client.adoptKeychain("c", of: .user)
        try house.client.setDefaultKeychain(nil, of: .user)
        #expect(
            try listener.next(5) == [
                notice(.listChanged, nil), notice(.defaultChanged, house.path("a")), notice(.listChanged, nil),
                notice(.defaultChanged, house.path("c")), notice(.defaultChanged, nil),
            ])
    }

    @Test func `deleting a keychain that is on the lists changes those`() throws {
        let house = try House()
        _ = try house.make("work")
        try house.client.adoptKeychain("work", of: .user)
        let listener = try Listener(house.client, KeychainNoticeFilter([.listChanged, .defaultChanged]))
        try house.client.deleteKeychain(at: "work")
        #expect(try listener.next(2) == [notice(.listChanged, nil), notice(.defaultChanged, nil)])
    }

    // MARK: Recipients

    @Test func `of the data-protection keychain a program is told what it could find, and the administration tool all`()
        throws
    {
        let house = try House()
        let news = try Listener(house.memory.client(accessGroups: ["news"]))
        let tool = try Listener(house.memory.administrationClient())
        let mine = try house.client.addPassword()
        let theirs = try house.memory.client(accessGroups: ["news"]).addPassword()
        #expect(try news.next() == notice(.added, nil, theirs))
        #expect(try tool.next(2) == [notice(.added, nil, mine), notice(.added, nil, theirs)])
    }

    @Test func `a program that cannot be identified is told nothing`() throws {
        let house = try House()
        let nobody = house.memory.client(accessGroups: [])
        #expect(try refusal { _ = try Listener(nobody) }.status == .missingEntitlement)
    }

    @Test(arguments: KeychainNotice.Kind.allCases)
    func `one is told of the kinds that one asked for`(kind: KeychainNotice.Kind) throws {
        let house = try House()
        let filter = KeychainNoticeFilter([kind])
        for other in KeychainNotice.Kind.allCases {
            #expect(filter.contains(notice(other, nil)) == (other == kind))
        }
        let listener = try Listener(house.client, KeychainNoticeFilter([kind, .listChanged]))
        try house.client.setDefaultKeychain("a", of: .user)
        let item = try house.client.addPassword()
        try house.client.setSearchList(["a"], of: .user)
        let first: KeychainNotice? =
            switch kind {
            case .defaultChanged: notice(.defaultChanged, house.path("a"))
            case .added: notice(.added, nil, item)
            default: notice(.listChanged, nil)
            }
        #expect(try listener.next() == first)
    }

    @Test func `files and the data-protection keychain are watched apart or together`() throws {
        let house = try House()
        let work = try house.make("work")
        let files = try Listener(house.client, KeychainNoticeFilter(places: .files))
        let other = try Listener(house.client, KeychainNoticeFilter(places: .dataProtection))
        let plain = try house.client.addPassword()
        let inFile = try work.addPassword()
        #expect(try files.next() == notice(.added, house.path("work"), inFile))
        #expect(try other.next() == notice(.added, nil, plain))
    }

    @Test func `a cancelled stream stays ended`() throws {
        let house = try House()
        let stream = try house.client.watchKeychains(KeychainNoticeFilter())
        try house.client.addPassword()
        stream.cancel()
        stream.cancel()
        #expect(try stream.next() == nil)
        #expect(try stream.next() == nil)
    }

    // MARK: Lists changed in one step

    @Test func `two programs that add to the search list at once are both on it`() async throws {
        let house = try House()
        let memory = house.memory
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask {
                    try memory.client(accessGroups: ["\(number % 2)"]).addToSearchList(["k\(number)"], of: .user)
                }
            }
            try await group.waitForAll()
        }
        let list = try house.client.keychainList(of: .user).searched
        #expect(Set(list) == Set((0..<20).map { house.path("k\($0)") }))
        #expect(list.count == 20)
    }

    @Test func `a listed keychain keeps its place when it is added, and a removed keychain leaves the others`()
        throws
    {
        let house = try House()
        try house.client.setSearchList(["a", "b"], of: .user)
        try house.client.addToSearchList(["c", "a", "c"], of: .user)
        #expect(try house.client.keychainList(of: .user).searched == ["a", "b", "c"].map(house.path))
        try house.client.removeFromSearchList(["b", "x"], of: .user)
        #expect(try house.client.keychainList(of: .user).searched == ["a", "c"].map(house.path))
    }

    @Test func `a search list that is full takes no other, and stays as it is`() throws {
        let house = try House()
        let names = (0..<KeychainList.limit).map { "k\($0)" }
        try house.client.setSearchList(names, of: .user)
        #expect(
            try refusal { try house.client.addToSearchList(["one more"], of: .user) }
                == Refusal(.parameter, .fullSearchList))
        #expect(
            try refusal { try house.client.adoptKeychain("one more", of: .user) }
                == Refusal(.parameter, .fullSearchList))
        #expect(
            try house.client.keychainList(of: .user) == KeychainList(standard: nil, searched: names.map(house.path)))
        try house.client.addToSearchList(["k7"], of: .user)
    }

    @Test func `an adopted keychain is the default where there is none, or where the one is that it replaces`() throws {
        let house = try House()
        try house.client.adoptKeychain("a", of: .user)
        try house.client.adoptKeychain("b", of: .user)
        #expect(try house.client.keychainList(of: .user).standard == house.path("a"))
        try house.client.adoptKeychain("c", replacing: "b", of: .user)
        #expect(try house.client.keychainList(of: .user).standard == house.path("a"))
        try house.client.adoptKeychain("d", replacing: "a", of: .user)
        #expect(
            try house.client.keychainList(of: .user)
                == KeychainList(standard: house.path("d"), searched: ["a", "b", "c", "d"].map(house.path)))
    }

    @Test(arguments: [PreferencesDomain.system, .common, .dynamic])
    func `lists of other domains are not this user's to add to`(domain: PreferencesDomain) throws {
        let house = try House()
        let refused = Refusal(.writePermission, .unchangeableList)
        #expect(try refusal { try house.client.addToSearchList(["a"], of: domain) } == refused)
        #expect(try refusal { try house.client.removeFromSearchList(["a"], of: domain) } == refused)
        #expect(try refusal { try house.client.adoptKeychain("a", of: domain) } == refused)
    }
}

private let sesame = SecretBytes(copying: Array("sesame".utf8))

extension TestPerson {
    /// The owner, who says yes for good.
    fileprivate static let always = TestPerson { _ in .approveAlways }
}
