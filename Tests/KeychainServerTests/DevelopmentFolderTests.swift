// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import KeychainClient
import KeychainModel
import KeychainPlatform
import KeychainPolicy
import KeychainStore
import SecretMemory
import Synchronization
import TestSupport
import Testing

@testable import KeychainServer

/// Development folders: programs below them keep their items over rebuilds.
struct DevelopmentFolderTests {
    private static let command = Caller(
        userID: getuid(), processID: getpid(), tier: .installed, identity: .command, accessGroups: ["chatelaine"],
        displayPath: "/usr/bin/chatelaine")
    private static let passcode = SecretBytes(copying: Array("1234".utf8))

    private let scratch: String
    private let folder: String

    init() throws {
        scratch = try makeScratchFolder("df")
        folder = scratch + "/mail"
        try #require(mkdir(folder, 0o755) == 0)
    }

    /// A build of a program: another file has another digest.
    private func build(_ digest: UInt8, at path: String? = nil, of folder: String? = nil) -> Caller {
        Caller(
            userID: getuid(), processID: getpid(), tier: .unsigned, identity: .unsigned(digest: [digest]),
            accessGroups: ["unsigned:\(digest)"], displayPath: "/p",
            ownedPath: UserOwnedPath(path: path ?? "\(self.folder)/debug/Mail", topFolder: folder ?? scratch))
    }

    /// A service whose next connections are of a chosen caller.
    private final class World: Sendable {
        let service: RunningService

        init(policy: MachinePolicy = .none) throws {
            let holder = Holder()
            service = try RunningService(
                identifier: CallerIdentifier { _ in IdentifiedCaller(holder.caller.withLock { $0 }) { _ in true } },
                policy: policy)
            self.holder = holder
        }

        private final class Holder: Sendable { let caller = Mutex(DevelopmentFolderTests.command) }
        private let holder: Holder

        func client(_ caller: Caller = DevelopmentFolderTests.command) -> KeychainClient {
            holder.caller.withLock { $0 = caller }
            return service.client()
        }
    }

    private func finds(_ client: KeychainClient) throws -> Bool {
        do {
            return try client.secrets(try query()) == ["correct horse"]
        } catch ClientError.refused(Refusal(.itemNotFound, .none)) {
            return false
        }
    }

    @Test func `a rebuilt program finds its items, another program and one elsewhere do not, and none once revoked`()
        throws
    {
        let world = try World()
        defer { world.service.stop() }
        try world.client().trustFolder(folder, proof: nil)
        try world.client(build(1)).addPassword()
        #expect(try finds(world.client(build(2))))
        #expect(try finds(world.client(build(3, at: folder + "/release/Mail"))))
        #expect(try !finds(world.client(build(4, at: folder + "/debug/Other"))))
        #expect(try !finds(world.client(build(5, at: scratch + "/Mail"))))
        #expect(try !finds(world.client(build(6, at: folder + "2/Mail"))))
        #expect(try !finds(world.client(build(7, of: folder + "/debug"))), "others can exchange the folder")

        let connected = world.client(build(8))
        #expect(try finds(connected))
        try world.client().revokeFolder(folder)
        #expect(try !finds(connected), "also on a connection that is open")
        #expect(try !finds(world.client(build(1))))
        try world.client().trustFolder(folder, proof: nil)
        #expect(try finds(world.client(build(9))))
    }

    @Test func `items of the build from before stay with that build`() throws {
        let world = try World()
        defer { world.service.stop() }
        try world.client(build(1)).addPassword()
        try world.client().trustFolder(folder, proof: nil)
        #expect(try finds(world.client(build(1))))
        #expect(try !finds(world.client(build(2))))
    }

    @Test func `are trusted and revoked by the command, listed, and in the audit log`() throws {
        let world = try World()
        defer { world.service.stop() }
        let client = world.client()
        #expect(try client.developmentFolders().isEmpty)
        for _ in 1...2 { try client.trustFolder(folder, proof: nil) }
        try client.trustFolder(scratch, proof: nil)
        #expect(try client.developmentFolders() == [scratch, folder])
        #expect(world.service.auditLog.contains { $0.contains("trust-development-folder") })
        try client.revokeFolder(folder)
        #expect(try refusal { try client.revokeFolder(folder) } == Refusal(.itemNotFound, .none))
        #expect(try client.developmentFolders() == [scratch])
    }

    @Test func `another folder than the user's own is refused`() throws {
        let world = try World()
        defer { world.service.stop() }
        let client = world.client()
        try #require(symlink(folder, scratch + "/link") == 0 && mkdir(scratch + "/open", 0o755) == 0)
        try #require(chmod(scratch + "/open", 0o777) == 0)
        try Data([1]).write(to: URL(fileURLWithPath: scratch + "/file"))
        let unsuitable =
            ["/", "", "mail", "/tmp", "/none", folder + "/", folder + "/..", scratch + "/link"]
            + [scratch + "/open", scratch + "/file"]
        for path in unsuitable {
            #expect(
                try refusal { try client.trustFolder(path, proof: nil) } == Refusal(.parameter, .unsuitableFolder),
                "\(path)")
        }
        #expect(try client.developmentFolders().isEmpty)
    }

    @Test func `where a passcode is set, trust takes it and revoking does not`() throws {
        let world = try World()
        defer { world.service.stop() }
        let client = world.client()
        try client.setPasscode(Self.passcode, proof: nil)
        let needed = Refusal(.authenticationFailed, .proofRequired)
        #expect(try refusal { try client.trustFolder(folder, proof: nil) } == needed)
        let wrong = ProtectorSecret(.passcode, SecretBytes(copying: Array("4321".utf8)))
        #expect(
            try refusal { try client.trustFolder(folder, proof: wrong) }
                == Refusal(.authenticationFailed, .wrongSecret))
        #expect(try client.developmentFolders().isEmpty)
        try client.trustFolder(folder, proof: ProtectorSecret(.passcode, Self.passcode))
        try client.revokeFolder(folder)
        #expect(try client.developmentFolders().isEmpty)
    }

    @Test func `are not another program's to read or change`() throws {
        let world = try World()
        defer { world.service.stop() }
        let client = world.client(build(1))
        let refused = Refusal(.missingEntitlement, .administrationOnly)
        #expect(try refusal { _ = try client.developmentFolders() } == refused)
        #expect(try refusal { try client.trustFolder(folder, proof: nil) } == refused)
        #expect(try refusal { try client.revokeFolder(folder) } == refused)
    }

    @Test func `the machine's policy can forbid them`() throws {
        var policy = MachinePolicy.none
        try policy.add("development = off")
        let world = try World(policy: policy)
        defer { world.service.stop() }
        let client = world.client()
        #expect(try refusal { try client.trustFolder(folder, proof: nil) } == Refusal(.parameter, .machinePolicy))
        // A folder from before the policy.
        try world.service.store.setDevelopmentFolder(folder, isTrusted: true)
        #expect(try client.developmentFolders().isEmpty)
        try world.client(build(1)).addPassword()
        #expect(try !finds(world.client(build(2))))
    }

    @Test func `a real program below a folder of the user's has a verified path`() throws {
        let scratch = try ScratchFolder()
        let identifier = CallerIdentifier.live(commandPath: nil, owner: getuid())
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "/bin/true")))
        func look(_ path: String) throws -> Caller { try identifier.look(.program(path: path), Self.command) }
        let path = try scratch.write(bytes, to: "program")
        #expect(try look(path).ownedPath == UserOwnedPath(path: path, topFolder: scratch.path))
        try #require(symlink(path, scratch("link")) == 0)
        #expect(try look(scratch("link")).ownedPath?.path == path)
        #expect(try look("/bin/true").ownedPath == nil, "of root")
        #expect(try look(try scratch.write(bytes, to: "shared", mode: 0o775)).ownedPath == nil)
        try #require(chmod(scratch.path, 0o777) == 0)
        #expect(try look(path).ownedPath == nil)
    }
}
