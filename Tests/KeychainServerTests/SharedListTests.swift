// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainModel
import Testing

@testable import KeychainServer

/// The lists that an administrator gives to all users.
struct SharedListTests {
    private final class Folder {
        let path = NSTemporaryDirectory() + "chatelaine-lists-\(UInt64.random(in: 0 ... .max))"

        init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        var shared: String { path + "/etc/keychains" }

        func lists(ofRoot isRoot: Bool) -> KeychainLists {
            KeychainLists(path: path + "/lists", sharedPath: shared, writesShared: isRoot)
        }
    }

    @Test func `root changes them, and everybody may read the file`() throws {
        let folder = try Folder()
        let lists = folder.lists(ofRoot: true)
        _ = try lists.change(.system, by: 0) { $0 = KeychainList(standard: "/a", searched: ["/a", "/b"]) }
        _ = try lists.change(.common, by: 0) { $0.searched = ["/c"] }
        _ = try lists.change(.system, by: 0) { $0.searched.removeLast() }
        #expect(try lists.list(of: .system) == KeychainList(standard: "/a", searched: ["/a"]))
        #expect(try lists.list(of: .common) == KeychainList(standard: nil, searched: ["/c"]))
        #expect(
            try String(contentsOfFile: folder.shared, encoding: .utf8)
                == "chatelaine keychain lists 1\ndefault /a\nsearch /a\ncommon /c\n")
        func mode(_ path: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        #expect(try mode(folder.shared) == 0o644)
        #expect(try mode(folder.path + "/etc") == 0o755)
        // The user's own stay apart.
        #expect(try lists.list(of: .user) == KeychainList(standard: nil, searched: []))
        #expect(try folder.lists(ofRoot: false).list(of: .system).searched == ["/a"])
    }

    @Test(arguments: [(true, UInt32?(1000)), (true, nil), (false, 0), (false, 1000)])
    func `no other user does`(isRoot: Bool, user: UInt32?) throws {
        let folder = try Folder()
        for domain in [PreferencesDomain.system, .common] {
            #expect(throws: Refusal(.writePermission, .unchangeableList)) {
                try folder.lists(ofRoot: isRoot).change(domain, by: user) { $0.searched = ["/a"] }
            }
        }
        #expect(!FileManager.default.fileExists(atPath: folder.shared))
    }

    @Test func `the common domain has no default keychain, and the dynamic one nothing`() throws {
        let lists = try Folder().lists(ofRoot: true)
        let refused = Refusal(.writePermission, .unchangeableList)
        #expect(throws: refused) { try lists.change(.common, by: 0) { $0.standard = "/a" } }
        #expect(throws: refused) { try lists.change(.dynamic, by: 0) { $0.searched = ["/a"] } }
    }

    @Test func `a file that is none of ours is not overwritten by root either`() throws {
        let folder = try Folder()
        try FileManager.default.createDirectory(atPath: folder.path + "/etc", withIntermediateDirectories: true)
        try Data("something else".utf8).write(to: URL(fileURLWithPath: folder.shared))
        #expect(throws: Refusal(.inputOutput, .none)) {
            try folder.lists(ofRoot: true).change(.system, by: 0) { $0.searched = ["/a"] }
        }
        #expect(try String(contentsOfFile: folder.shared, encoding: .utf8) == "something else")
    }
}
