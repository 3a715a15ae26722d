// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

@testable import KeychainEndpoint

/// Which of two services a process talks to.
struct ServiceEndpointTests {
    private let root: TemporaryDirectory
    private let own: InstanceDirectories
    private let system: SystemDirectories

    init() throws {
        root = try TemporaryDirectory()
        own = root.directories
        system = SystemDirectories(runtime: root.path + "/sys", state: root.path + "/state")
    }

    private func endpoint(_ value: String?) throws -> ServiceEndpoint {
        let choice = try #require(ServiceEndpoint.Choice(value))
        return try ServiceEndpoint(choice, own: own, system: system, makers: [0, geteuid()])
    }

    @Test func `without a system service it is the user service, and must run as that user`() throws {
        for value in [nil, "", "user"] {
            let endpoint = try endpoint(value)
            #expect(endpoint.kind == .user && endpoint.socketPath == own.socketPath)
            #expect(endpoint.servers == [getuid(), geteuid()])
        }
    }

    @Test func `where the system's folder is, it is the system's, and must run as the folder's owner or root`() throws {
        try system.prepare()
        let endpoint = try endpoint(nil)
        #expect(endpoint.kind == .system && endpoint.socketPath == system.socketPath)
        #expect(endpoint.servers == [geteuid(), 0])
        #expect(try self.endpoint("system") == endpoint)
        #expect(try self.endpoint("user").kind == .user)
    }

    @Test func `the variable can name the folder`() throws {
        let other = SystemDirectories(runtime: root.path + "/other", state: root.path + "/state")
        try other.prepare()
        #expect(try endpoint("system:" + other.runtime).socketPath == other.socketPath)
    }

    @Test func `a folder that another user than root could have made is an error`() throws {
        try system.prepare()
        let choice = try #require(ServiceEndpoint.Choice("system:" + system.runtime))
        // Not this user either: a program that sets the variable could have made it.
        let makers = geteuid() == 0 ? [1] : [0] as [UInt32]
        #expect(throws: EndpointError.untrustedDirectory(path: system.runtime)) {
            try ServiceEndpoint(choice, own: own, system: system, makers: makers)
        }
        let folder = root.path + "/folder"
        let inside = SystemDirectories(runtime: folder + "/sys", state: root.path + "/state")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try inside.prepare()
        #expect(try endpoint("system:" + inside.runtime).kind == .system)
        for mode in [0o775, 0o757] as [mode_t] {
            chmod(root.path, mode)
            #expect(throws: EndpointError.untrustedDirectory(path: inside.runtime)) {
                try endpoint("system:" + inside.runtime)
            }
        }
        chmod(root.path, 0o1777)
        #expect(try endpoint("system:" + inside.runtime).kind == .system)
        let link = root.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder)
        #expect(throws: EndpointError.untrustedDirectory(path: link + "/sys")) { try endpoint("system:\(link)/sys") }
    }

    @Test(arguments: ["System", "system:", "system:relative", "none", "user "])
    func `a value that means nothing is none`(_ value: String) {
        #expect(ServiceEndpoint.Choice(value) == nil)
    }

    @Test func `a system service that is requested must exist`() throws {
        #expect(throws: EndpointError.self) { try endpoint("system") }
    }

    @Test(arguments: [0o775, 0o757, 0o1777] as [mode_t])
    func `a folder that others may write is an error, not a reason to use another keychain`(_ mode: mode_t) throws {
        try system.prepare()
        chmod(system.runtime, mode)
        #expect(throws: EndpointError.untrustedDirectory(path: system.runtime)) { try endpoint(nil) }
        chmod(system.runtime, 0o755)
        chmod(root.path, mode)
        #expect(throws: EndpointError.untrustedDirectory(path: system.runtime)) { try endpoint(nil) }
        #expect(try endpoint("user").kind == .user)
    }

    @Test func `a link or a file in the place of the folder is an error`() throws {
        try FileManager.default.createSymbolicLink(atPath: system.runtime, withDestinationPath: root.path)
        #expect(throws: EndpointError.untrustedDirectory(path: system.runtime)) { try endpoint(nil) }
        try FileManager.default.removeItem(atPath: system.runtime)
        try Data().write(to: URL(fileURLWithPath: system.runtime))
        #expect(throws: EndpointError.untrustedDirectory(path: system.runtime)) { try endpoint(nil) }
    }

    @Test func `a system service that is down is never started`() throws {
        try system.prepare()
        // This program would leave a trace.
        let program = root.path + "/chatelained"
        try Data("#!/bin/sh\ntouch '\(root.path)/started'\n".utf8).write(to: URL(fileURLWithPath: program))
        chmod(program, 0o755)
        let endpoint = try endpoint(nil)
        #expect {
            _ = try EndpointSocket.connectOrLaunch(endpoint, launcher: DaemonLauncher(candidates: [program]))
        } throws: { error in
            guard case .notRunning(system.socketPath, let hint) = error as? EndpointError else { return false }
            return hint.contains("systemctl start")
        }
        #expect(!FileManager.default.fileExists(atPath: root.path + "/started"))
    }

    @Test func `the folders are prepared for their readers`() throws {
        try system.prepare()
        func mode(_ path: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        #expect(try mode(system.runtime) == 0o755)
        #expect(try mode(system.state) == 0o700)
        #expect(try mode(system.usersPath) == 0o700)
        chmod(system.state, 0o770)
        #expect(throws: DirectoryError.writableByOthers(path: system.state, mode: 0o770)) { try system.prepare() }
    }

    @Test func `a program without more rights than its user is told from one with them`() {
        #expect(!AuxiliaryVector(SmallFile.bytes(at: "/proc/self/auxv") ?? []).isSecure)
        func vector(_ words: [UInt]) -> AuxiliaryVector {
            AuxiliaryVector(words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } })
        }
        #expect(!vector([6, 4096, 23, 0, 0, 0]).isSecure)
        #expect(vector([6, 4096, 23, 1, 0, 0]).isSecure)
        // A vector without AT_SECURE counts as secure.
        #expect(vector([6, 23, 0, 0]).isSecure)
        #expect(vector([]).isSecure && vector([23]).isSecure)
    }
}
