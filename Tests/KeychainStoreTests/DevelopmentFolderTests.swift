// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainModel
import KeychainSealing
import Testing

@testable import KeychainStore

/// The stored development folders.
@Suite struct `Development folders` {
    let directory: Directory
    let fixture: Fixture
    private static let folder = "/home/ann/mail"

    init() throws {
        directory = try Directory()
        fixture = try Fixture(at: .file(directory.database))
        _ = try fixture.add([.account: .string("a"), .service: .string("s")])
    }

    @Test func `stay until they are removed, and are part of the seal`() throws {
        #expect(try fixture.store.developmentFolders().isEmpty)
        for isNew in [true, false] {
            #expect(try fixture.store.setDevelopmentFolder(Self.folder, isTrusted: true) == isNew)
        }
        #expect(try fixture.store.setDevelopmentFolder("/a b*", isTrusted: true))
        #expect(try fixture.store.developmentFolders() == [Self.folder, "/a b*"])
        #expect(try fixture.store.checkContents() == .asLeft)
        #expect(try fixture.store.trustedTeams().isEmpty && fixture.store.settings()[.idleLockSeconds] == 0)
        try fixture.store.close()
        let again = try Fixture(at: .file(directory.database))
        #expect(try again.store.developmentFolders() == [Self.folder, "/a b*"])
        #expect(try again.store.setDevelopmentFolder(Self.folder, isTrusted: false))
        #expect(try !again.store.setDevelopmentFolder(Self.folder, isTrusted: false))
        #expect(try again.store.developmentFolders() == ["/a b*"])
        #expect(try again.store.checkContents() == .asLeft)
    }

    @Test func `that another program added do not count`() throws {
        try fixture.store.close()
        try directory.edit("INSERT INTO settings (name, value) VALUES ('development-folder:\(Self.folder)', 1)")
        let again = try Fixture(at: .file(directory.database))
        #expect(try again.store.developmentFolders().isEmpty)
        #expect(again.store.contentsState == .changed(rowsMore: 1))
    }

    @Test func `that were put back after they were revoked do not count, and are gone when the contents are accepted`()
        throws
    {
        try fixture.store.setDevelopmentFolder(Self.folder, isTrusted: true)
        try fixture.store.setDevelopmentFolder(Self.folder, isTrusted: false)
        try fixture.store.close()
        try directory.edit("INSERT INTO settings (name, value) VALUES ('development-folder:\(Self.folder)', 1)")
        let again = try Fixture(at: .file(directory.database))
        #expect(try again.store.developmentFolders().isEmpty)
        try again.store.acceptContents()
        #expect(try again.store.developmentFolders().isEmpty)
        #expect(try again.store.checkContents() == .asLeft)
        #expect(try again.store.setDevelopmentFolder(Self.folder, isTrusted: true), "the row is gone")
        #expect(try again.store.developmentFolders() == [Self.folder])
    }

    @Test func `are in snapshots, and do not go through a salvage`() throws {
        try fixture.store.setDevelopmentFolder(Self.folder, isTrusted: true)
        let snapshots = Snapshots(
            of: directory.database, in: directory.path + "/snapshots", synchronize: { _ in }, log: { _ in })
        try snapshots.take(now: fixture.clock.now)
        let copy = try Fixture(at: .file(try #require(snapshots.paths.first)))
        #expect(try copy.store.developmentFolders() == [Self.folder])
        try copy.store.close()
        try fixture.store.close()
        let salvage = try Salvage(
            directory.database, snapshots: snapshots.paths, deviceKey: Fixture.deviceKey(), in: PlainKeyStorage(),
            passcode: ProtectorSecret<[UInt8]>?.none)
        let saved = directory.path + "/saved.db"
        #expect(try salvage.run(directory.database, snapshots: snapshots.paths, into: saved).recovered == 1)
        let again = try Fixture(at: .file(saved))
        #expect(try again.store.developmentFolders().isEmpty)
        #expect(try again.store.checkContents() == .asLeft)
    }
}
