// SPDX-License-Identifier: Apache-2.0

import Foundation
import Keychain
import KeychainClient
import KeychainModel
import KeychainTesting
import SecretMemory
import Testing

/// The remnants of a service that was killed, or lost its power, while it deleted a keychain file.
struct FileKeychainRemnantTests {
    private static func withKeychains(_ body: (_ folder: String, InMemoryKeychain) throws -> Void) throws {
        let folder = NSTemporaryDirectory() + "chatelaine-remnants-\(UInt64.random(in: 0 ... .max))"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let memory = try InMemoryKeychain(accessGroups: ["mail"], keychainFolder: folder)
        defer { memory.closeKeychainFiles() }
        try body(folder, memory)
    }

    /// Writes the log of a former keychain with this name. The log affects only the next keychain with the same name.
    private static func leaveLog(of name: String, in folder: String, _ client: KeychainClient) throws {
        _ = try client.createKeychain(at: name, password: secret("former"))
        let former = try client.inKeychain(name)
        for service in ["a", "b", "c"] { try former.addPassword(service: service, secret: "former") }
        let log = folder + "/\(name)-db-wal"
        let content = try Data(contentsOf: URL(fileURLWithPath: log))
        try #require(!content.isEmpty)
        try client.deleteKeychain(at: name)
        try #require(!FileManager.default.fileExists(atPath: log))
        try content.write(to: URL(fileURLWithPath: log))
    }

    @Test func `the log of a keychain that is gone is not taken for that of the next one of its name`() throws {
        try Self.withKeychains { folder, memory in
            let client = memory.client
            try Self.leaveLog(of: "work", in: folder, client)
            _ = try client.createKeychain(at: "work", password: secret("sesame"))
            let work = try client.inKeychain("work")
            #expect(try refusal { _ = try work.attributeSets(query()) }.status == .itemNotFound)
            try work.addPassword()
            memory.closeKeychainFiles()
            #expect(
                try refusal { try client.unlockKeychain(at: "work", password: secret("former")) }.reason == .wrongSecret
            )
            try client.unlockKeychain(at: "work", password: secret("sesame"))
            #expect(try work.secrets(query()) == ["correct horse"])
        }
    }

    @Test func `neither is it taken for that of a copy which is restored`() throws {
        try Self.withKeychains { folder, memory in
            let client = memory.client
            _ = try client.createKeychain(at: "home", password: secret("sesame"))
            try client.inKeychain("home").addPassword()
            try client.copyKeychain(at: "home", to: folder + "/copy")
            try Self.leaveLog(of: "work", in: folder, client)
            _ = try client.restoreKeychain(at: "work", from: folder + "/copy")
            try client.unlockKeychain(at: "work", password: secret("sesame"))
            #expect(try client.inKeychain("work").secrets(query()) == ["correct horse"])
        }
    }
}

private func secret(_ text: String) -> SecretBytes { SecretBytes(copying: Array(text.utf8)) }
